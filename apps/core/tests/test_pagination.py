import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.core.jobs.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def jobs(ann):
    """Thirty jobs of ann, from job 0 to job 29."""
    Job.objects.bulk_create(Job(owner=ann, kind=f"job {number}") for number in range(30))


@pytest.fixture
def page(api, ann):
    return lambda query="": api(ann).get(f"/api/jobs{query}")


class TestPagePagination:
    @pytest.mark.parametrize(
        ("query", "rows", "pagination"),
        [
            ("", 25, {"page": 1, "page_size": 25, "total_items": 30, "total_pages": 2}),
            ("?page=2", 5, {"page": 2, "page_size": 25, "total_items": 30, "total_pages": 2}),
            (
                "?page=3&page_size=7",
                7,
                {"page": 3, "page_size": 7, "total_items": 30, "total_pages": 5},
            ),
            (
                "?page_size=500",
                30,
                {"page": 1, "page_size": 500, "total_items": 30, "total_pages": 1},
            ),
            ("?page=9", 0, {"page": 9, "page_size": 25, "total_items": 30, "total_pages": 2}),
            (
                "?page=999999999",
                0,
                {"page": 999999999, "page_size": 25, "total_items": 30, "total_pages": 2},
            ),
        ],
    )
    def test_tells_where_it_is(self, jobs, page, query, rows, pagination):
        body = page(query).json()

        assert len(body["data"]) == rows
        assert body["meta"]["pagination"] == pagination

    @pytest.mark.parametrize(
        "size",
        ["0", "-1", "1.5", "501", "abc", "", "000000001999", "9" * 5_000, "٣", "1e2", "+5", " 5"],
    )
    def test_refuses_sizes_that_are_none(self, page, size):
        response = page(f"?page_size={size}")

        assert response.status_code == 400
        assert response.json()["meta"]["error"]["fields"] == {
            "page_size": ["must be a whole number from 1 to 500"]
        }

    @pytest.mark.parametrize(
        "number", ["0", "-1", "1.5", "last", "", "000000000001" + "9" * 5_000, "9" * 10]
    )
    def test_refuses_pages_that_are_none(self, page, number):
        response = page(f"?page={number}")

        assert response.status_code == 400
        assert response.json()["meta"]["error"]["fields"] == {
            "page": ["must be a whole number of at least 1"]
        }

    def test_costs_the_same_for_one_row_and_for_500(self, jobs, page):
        with CaptureQueriesContext(connection) as one:
            page("?page_size=1")
        with CaptureQueriesContext(connection) as many:
            page("?page_size=500")

        assert len(one) == len(many) == 2


class TestStableOrderingFilter:
    def test_orders_by_the_views_own_order(self, jobs, page):
        kinds = [row["kind"] for row in page("?page_size=3").json()["data"]]

        assert kinds == sorted(kinds, reverse=True, key=lambda kind: int(kind.split()[1]))

    def test_orders_both_ways(self, jobs, page):
        up = [row["id"] for row in page("?ordering=createdAt&page_size=500").json()["data"]]
        down = [row["id"] for row in page("?ordering=-createdAt&page_size=500").json()["data"]]

        assert up == down[::-1]

    def test_never_shows_a_row_twice_when_all_are_equal(self, ann, page):
        Job.objects.bulk_create(Job(owner=ann, kind="same") for _ in range(30))
        Job.objects.update(created_at="2026-01-01T00:00:00Z")

        seen = [
            row["id"]
            for number in range(1, 7)
            for row in page(f"?page_size=5&page={number}").json()["data"]
        ]

        assert len(set(seen)) == len(seen) == 30

    def test_ignores_a_field_that_comes_again(self, jobs, page):
        response = page("?ordering=" + ",".join(["createdAt", "-createdAt"] * 1_500))

        assert response.status_code == 200

    @pytest.mark.parametrize("name", ["password", "owner", "--createdAt", "created_at", "*", "pk"])
    def test_refuses_fields_that_are_not_offered(self, page, name):
        response = page(f"?ordering={name}")

        assert response.status_code == 400
        assert response.json()["meta"]["error"]["fields"] == {
            "ordering": [f"'{name.removeprefix('-')}' is none of: createdAt"]
        }

    def test_puts_nulls_last_both_ways(self, ann):
        from apps.core.api.ordering import _expressions

        Job.objects.create(owner=ann, kind="none", total=None)
        Job.objects.create(owner=ann, kind="two", total=2)
        Job.objects.create(owner=ann, kind="one", total=1)
        columns = {"total": "total"}

        up = Job.objects.order_by(*_expressions("total", columns, {"total"}))
        down = Job.objects.order_by(*_expressions("-total", columns, {"total"}))

        assert [job.kind for job in up] == ["one", "two", "none"]
        assert [job.kind for job in down] == ["two", "one", "none"]

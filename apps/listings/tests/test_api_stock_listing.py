"""Listing and unlisting rows of stock over HTTP."""

import pytest

from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.listings.tests.listing import list_items, lots_of, stowed
from apps.listings.tests.test_stock_listing import again, put_up, row_of

LISTINGS = "/api/marketplace/listings"
STOCK, UNLIST = f"{LISTINGS}/stock", f"{LISTINGS}/unlist"
pytestmark = pytest.mark.django_db


def post(client, address, body):
    return client.post(address, body, format="json")


class TestStock:
    def test_answers_with_the_job_and_lists_where_it_was_asked_to(self, api, connected, store):
        row = row_of(connected)

        answer = post(api(connected), STOCK, {"ids": [row.pk], "stockroom": "B"})

        assert answer.status_code == 202
        (told,) = answer.json()["data"]
        assert (told["item_count"], told["job_id"]) == (1, str(Job.objects.get().pk))
        run_jobs()
        assert lots_of(store, connected)[0]["stock_room_id"] == again(row).stockroom == "B"

    def test_takes_all_rows_that_match_a_filter(self, api, connected, store):
        rows = [row_of(connected, 3001, place="A-01"), row_of(connected, 3002, place="A-01")]
        row_of(connected, 3003, place="B-01")

        body = {"filter": {"location": str(rows[0].location_id)}, "stockroom": ""}
        answer = post(api(connected), STOCK, body)

        assert answer.json()["data"][0]["item_count"] == 2
        run_jobs()
        assert sorted(lot["item"]["no"] for lot in lots_of(store, connected)) == ["3001", "3002"]

    def test_is_404_for_somebody_elses_rows(self, api, connected, bo, store):
        row = row_of(connected)

        for address in (STOCK, UNLIST):
            assert post(api(bo), address, {"ids": [row.pk]}).status_code == 404
        assert not Job.objects.exists()

    def test_tells_of_somebody_elses_row_among_own_ones(self, api, connected, bo, store):
        theirs, mine = row_of(bo, 3001, place="B-01"), row_of(connected, 3002)

        post(api(connected), STOCK, {"ids": [theirs.pk, mine.pk], "stockroom": ""})
        run_jobs()

        job = Job.objects.get()
        assert [(one["id"], one["name"], one["reason"]) for one in job.failed] == [
            (theirs.pk, "", "It is not in your stock.")
        ]
        assert again(theirs).marketplace_lot_id is None
        assert again(mine).marketplace_lot_id is not None

    def test_of_what_is_for_sale_already_is_a_conflict(self, api, connected, store):
        row = row_of(connected)
        put_up(connected, [row])

        answer = post(api(connected), STOCK, {"ids": [row.pk], "stockroom": ""})

        assert answer.status_code == 409
        assert "for sale already" in answer.json()["message"]

    @pytest.mark.parametrize("body", [{}, {"ids": []}, {"ids": "all"}, {"stockroom": "D"}])
    def test_refuses_what_is_no_choice(self, api, connected, store, body):
        body = {"ids": [row_of(connected).pk], **body} if "stockroom" in body else body

        assert post(api(connected), STOCK, body).status_code == 400
        assert not Job.objects.exists()

    def test_wants_a_store_where_the_marketplace_is_the_real_one(self, api, ann, store, settings):
        settings.MARKETPLACE_IS_DEMO = False

        answer = post(api(ann), STOCK, {"ids": [row_of(ann).pk], "stockroom": ""})

        assert answer.status_code == 409
        assert answer.json()["message"].startswith("Connect your store first")

    def test_costs_the_same_for_more_rows(self, api, connected, django_assert_max_num_queries):
        counts = []
        for count, first in ((2, 3001), (40, 4001)):
            ids = [row_of(connected, first + n).pk for n in range(count)]
            with django_assert_max_num_queries(30) as captured:
                post(api(connected), STOCK, {"ids": ids, "stockroom": ""})
            counts.append(len(captured))
        assert counts[0] == counts[1]


class TestUnlist:
    def test_takes_into_stockroom_a_unless_told_otherwise(self, api, connected, store):
        rows = [row_of(connected, 3001), row_of(connected, 3002)]
        put_up(connected, rows)

        first = post(api(connected), UNLIST, {"ids": [rows[0].pk]})
        post(api(connected), UNLIST, {"ids": [rows[1].pk], "stockroom": "C"})
        run_jobs()

        assert first.status_code == 202
        assert [again(row).stockroom for row in rows] == ["A", "C"]
        assert [lot["stock_room_id"] for lot in lots_of(store, connected)] == ["A", "C"]

    def test_of_what_is_not_for_sale_is_a_conflict(self, api, connected, store):
        answer = post(api(connected), UNLIST, {"ids": [row_of(connected).pk]})

        assert answer.status_code == 409

    @pytest.mark.parametrize("stockroom", ["", "D", None])
    def test_refuses_what_is_no_stockroom(self, api, connected, store, stockroom):
        row = row_of(connected)
        put_up(connected, [row])

        answer = post(api(connected), UNLIST, {"ids": [row.pk], "stockroom": stockroom})

        assert answer.status_code == 400


class TestRuns:
    def test_tell_listings_of_stock_beside_those_of_batches(self, api, connected, store):
        batch = stowed(connected, 1, first=2001)
        list_items(batch)
        row = row_of(connected, 3001, place="B-01")
        put_up(connected, [row])
        post(api(connected), UNLIST, {"ids": [row.pk]})
        run_jobs()

        rows = api(connected).get(f"{LISTINGS}/runs").json()["data"]

        assert [(run["act"], run["batch_id"], run["batch_name"], run["moved"]) for run in rows] == [
            ("unlist", None, None, 1),
            ("stock", None, None, 0),
            ("items", batch.pk, batch.name, None),
        ]

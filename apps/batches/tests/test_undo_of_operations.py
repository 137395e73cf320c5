"""Removing and marking as listed: taken back whole, and the log names what they did."""

import pytest

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.services import stowing
from apps.batches.tests.factories import (
    in_location,
    list_all,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services.ledger_check import check_ledger

pytestmark = pytest.mark.django_db


def post(api, batch, verb, **body):
    return api(batch.owner).post(f"/api/batches/{batch.pk}/{verb}", body, format="json")


def answer(response):
    return response.json()["data"][0]


def rows_of(batch):
    """Every column but the stamp of the last change."""
    rows = BatchItem.objects.filter(batch=batch).order_by("pk").values()
    return [{name: value for name, value in row.items() if name != "updated_at"} for row in rows]


def error_of(response):
    return response.json()["meta"]["error"]["message"]


@pytest.fixture
def batch(ann):
    """Two stowed lots and a new one."""
    batch, place = make_batch(ann), make_location(ann)
    make_item(batch, quantity=3, location=place, comments="chipped")
    make_item(batch, quantity=4, location=place)
    stow_all(batch)
    make_item(batch, quantity=5, remarks="blue box")
    return batch


class TestRemoving:
    @pytest.mark.parametrize(
        ("stock", "rows", "pieces"), [(None, 2, 0), ("out", 0, 0), ("keep", 0, 7)], ids=str
    )
    def test_is_taken_back_with_rows_stock_and_ids(self, ann, api, batch, stock, rows, pieces):
        before = rows_of(batch)
        body = {"items": "all"} if stock is None else {"items": "all", "stock": stock}

        removed = answer(post(api, batch, "remove", **body))

        assert (removed["item_count"], len(rows_of(batch))) == (3, rows)
        assert in_location("A-01", ann) == pieces
        undone = post(api, batch, "undo", act_id=removed["act_id"])
        assert undone.status_code == 200
        assert rows_of(batch) == before
        assert stock_of(ann) == [("A-01", 3), ("A-01", 4)]
        assert check_ledger(owner=ann).is_sound
        again = post(api, batch, "undo", act_id=removed["act_id"])
        assert (again.status_code, error_of(again)) == (409, "This was undone already.")

    def test_is_not_taken_back_over_later_changes(self, ann, api, batch):
        removed = answer(post(api, batch, "remove", items="all"))
        item = BatchItem.objects.filter(batch=batch).first()
        api(ann).patch(f"/api/batchItems/{item.pk}", {"qty": 9})

        undone = post(api, batch, "undo", act_id=removed["act_id"])

        assert undone.status_code == 409
        assert stock_of(ann) == []

    def test_is_taken_back_where_the_row_lies_now(self, ann, api, batch):
        item = BatchItem.objects.filter(batch=batch).first()
        removed = answer(post(api, batch, "remove", items=[item.pk]))
        there = make_location(ann, "B-01")
        InventoryItem.objects.filter(pk=item.inventory_item_id).update(location=there)

        post(api, batch, "undo", act_id=removed["act_id"])

        assert stock_of(ann) == [("A-01", 4), ("B-01", 3)]

    def test_of_a_job_is_taken_back_part_by_part(self, ann, api, batch, monkeypatch):
        monkeypatch.setattr(stowing, "AT_ONCE", 1)
        monkeypatch.setattr(stowing, "CHUNK", 2)
        before = rows_of(batch)
        response = post(api, batch, "remove", items="all")
        job_id = answer(response)["job_id"]
        run_jobs()

        (job,) = api(ann).get(f"/api/jobs/{job_id}").json()["data"]
        for act_id in reversed(job["result"]["act_ids"]):
            assert post(api, batch, "undo", act_id=act_id).status_code == 200

        assert len(job["result"]["act_ids"]) == 2
        assert rows_of(batch) == before
        assert check_ledger(owner=ann).is_sound

    def test_is_not_taken_back_while_its_job_goes_on(self, ann, api, batch, monkeypatch):
        first = BatchItem.objects.filter(batch=batch).first()
        removed = answer(post(api, batch, "remove", items=[first.pk]))
        monkeypatch.setattr(stowing, "AT_ONCE", 1)
        post(api, batch, "remove", items="all")

        undone = post(api, batch, "undo", act_id=removed["act_id"])

        assert (undone.status_code, error_of(undone)) == (
            409,
            "The batch “Summer lot” is being worked on. Wait for it or cancel it first.",
        )


class TestMarkingAsListed:
    @pytest.mark.parametrize("listed", [True, False])
    def test_is_taken_back(self, api, batch, listed):
        if not listed:
            list_all(batch)
        before = rows_of(batch)

        marked = answer(post(api, batch, "markListed", items="all", listed=listed))

        assert (marked["item_count"], rows_of(batch) != before) == (2, True)
        assert post(api, batch, "undo", act_id=marked["act_id"]).status_code == 200
        assert rows_of(batch) == before


class TestTheLog:
    def test_names_the_rows_that_were_done(self, ann, api, batch):
        items = list(BatchItem.objects.filter(batch=batch).order_by("pk"))
        post(api, batch, "remove", items=[items[0].pk])
        bulk = {"delete": [{"id": items[2].pk}]}
        api(ann).post("/api/batchItems/bulk", bulk, format="json")

        log = api(ann).get(f"/api/batches/{batch.pk}/operations").json()["data"]

        assert [(one["kind"], [row["id"] for row in one["items"]]) for one in log] == [
            ("remove", [items[2].pk]),
            ("remove", [items[0].pk]),
            ("stow", [items[0].pk, items[1].pk]),
        ]
        assert all(row["name"] for one in log for row in one["items"])
        assert BatchOperation.objects.count() == 3

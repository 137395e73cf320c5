"""Filters by day mean the days of the person, on both databases, over clock changes too."""

import datetime as dt
from typing import Any

import pytest

from apps.batches.models import Batch, BatchItem
from apps.batches.tests.factories import make_batch, make_item
from apps.inventory.models import InventoryItem
from apps.inventory.tests.factories import make_stock

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).astimezone(dt.UTC)


def make_at(owner: Any, path: str, instant: dt.datetime) -> int:
    """Return the id of a row that was made, or changed last, at `instant`."""
    model, row = {
        "batches": lambda: (Batch, make_batch(owner)),
        "batchItems": lambda: (BatchItem, make_item(make_batch(owner))),
        "inventoryItems": lambda: (InventoryItem, make_stock(owner)),
    }[path]()
    model.objects.filter(pk=row.pk).update(created_at=instant, updated_at=instant)
    return int(row.pk)


LISTS = [("batches", "created"), ("batchItems", "created"), ("inventoryItems", "updated")]
# A zone and a day in it, its first and its last instant.
DAYS = [
    ("America/New_York", "2026-07-01", "2026-07-01T04:00:00+00:00", "2026-07-02T03:59:59+00:00"),
    ("Asia/Tokyo", "2026-07-01", "2026-06-30T15:00:00+00:00", "2026-07-01T14:59:59+00:00"),
    # 23 hours, and 25.
    ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00+00:00", "2026-03-29T21:59:59+00:00"),
    ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00+00:00", "2026-10-25T22:59:59+00:00"),
    # It has no midnight: the clocks go from 0:00 to 1:00.
    ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00+00:00", "2026-09-07T02:59:59+00:00"),
    ("", "2026-07-01", "2026-07-01T00:00:00+00:00", "2026-07-01T23:59:59+00:00"),
]


class TestFiltersByDay:
    @pytest.mark.parametrize(("path", "verb"), LISTS)
    @pytest.mark.parametrize(("zone", "day", "first", "last"), DAYS)
    def test_count_the_whole_day_of_the_profile(self, ann, api, path, verb, zone, day, first, last):
        ann.time_zone = zone
        ann.save(update_fields=["time_zone"])
        second = dt.timedelta(seconds=1)
        make_at(ann, path, at(first) - second)
        within = {make_at(ann, path, at(first)), make_at(ann, path, at(last))}
        make_at(ann, path, at(last) + second)

        rows = api(ann).get(f"/api/{path}", {f"{verb}_from": day, f"{verb}_to": day})

        assert {row["id"] for row in rows.json()["data"]} == within

    def test_mean_the_browsers_where_the_profile_names_no_zone(self, ann, api):
        evening = make_at(ann, "batches", at("2026-07-02T03:30:00+00:00"))
        asked = {"created_to": "2026-07-01", "time_zone": "America/New_York"}

        rows = api(ann).get("/api/batches", asked).json()["data"]

        assert [row["id"] for row in rows] == [evening]

    def test_mean_the_same_rows_in_a_change_of_many(self, ann, api):
        evening = make_at(ann, "batchItems", at("2026-07-02T03:30:00+00:00"))
        make_at(ann, "batchItems", at("2026-07-02T04:30:00+00:00"))
        asked = {"created_to": "2026-07-01", "time_zone": "America/New_York"}

        response = api(ann).post(
            "/api/batchItems/bulk", {"filter": asked, "set": {"price": "9"}}, format="json"
        )

        assert response.status_code == 200
        assert [row.pk for row in BatchItem.objects.filter(price=9)] == [evening]

    @pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
    def test_take_the_first_and_the_last_day_there_are(self, ann, api, day):
        ann.time_zone = "Asia/Tokyo"
        ann.save(update_fields=["time_zone"])

        for name in ("created_from", "created_to"):
            assert api(ann).get("/api/batches", {name: day}).status_code == 200

    @pytest.mark.parametrize(
        ("path", "name"), [("inventoryItems", "changed_since"), ("auctionListings", "new_since")]
    )
    def test_refuse_an_instant_that_no_calendar_has(self, ann, api, path, name):
        for text in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-05:00"):
            response = api(ann).get(f"/api/{path}", {name: text})

            assert response.status_code == 400
            assert list(response.json()["meta"]["error"]["fields"]) == [name]

    def test_refuse_what_is_no_zone(self, ann, api):
        response = api(ann).get("/api/batches?time_zone=Mars")

        assert response.json()["meta"]["error"]["fields"] == {
            "time_zone": ["is not a time zone, such as Europe/Berlin"]
        }

import datetime as dt
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.batches.models import Batch, BatchItem
from apps.batches.selectors import activity_of
from apps.batches.tests.factories import (
    list_all,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.testing.queries import assert_query_budget
from apps.sources.models import Source

pytestmark = pytest.mark.django_db
LEDGER = Path(__file__).parent / "query_counts.json"
URL = "/api/batches"


def names(response):
    return [row["name"] for row in response.json()["data"]]


def error_of(response):
    return response.json()["meta"]["error"]


@pytest.fixture
def nine_pieces(ann):
    """A batch with 2 pieces new, 3 stowed and 4 listed, at 0.10 each."""
    batch, place = make_batch(ann), make_location(ann)
    make_item(batch, quantity=4)
    stow_all(batch, place)
    list_all(batch)
    make_item(batch, quantity=3)
    stow_all(batch, place)
    make_item(batch, quantity=2)
    return batch


class TestBatches:
    def test_a_batch_has_the_fields_of_the_spec(self, ann, api, nine_pieces):
        row = api(ann).get(f"{URL}/{nine_pieces.pk}").json()["data"][0]

        assert row["stats"] == {
            "total_items": 9,
            "total_lots": 3,
            "total_value": "0.9000",
            "lots_without_price": 0,
            "new_items": 2,
            "stowed_items": 3,
            "listed_items": 4,
            "new_lots": 1,
            "stowed_lots": 1,
            "listed_lots": 1,
        }
        assert (row["batch_item_item_count"], row["batch_item_lot_count"]) == (9, 3)
        assert (row["total_value"], row["status_id"], row["status_name"]) == (
            "0.9000",
            2,
            "In progress",
        )
        assert {"id", "name", "description", "createdAt", "updatedAt", "created_at"} <= row.keys()
        assert row["is_archived"] is False
        assert [item["qty"] for item in row["batch_items"]] == [4, 3, 2]
        for flag in ("isStowing", "isListing", "isExporting", "isRemoving", "isUpdating"):
            assert row[flag] is False

    def test_the_list_has_no_items_and_leaves_out_archived_batches(self, ann, api):
        kept, archived = make_batch(ann, "Kept"), make_batch(ann, "Archived")
        api(ann).post(f"{URL}/{archived.pk}/archive")

        assert names(api(ann).get(URL)) == ["Kept"]
        assert names(api(ann).get(f"{URL}?is_archived=true")) == ["Archived"]
        assert names(api(ann).get(f"{URL}?is_archived=all&ordering=name")) == ["Archived", "Kept"]
        assert "batch_items" not in api(ann).get(URL).json()["data"][0]

        api(ann).post(f"{URL}/{archived.pk}/restore")

        assert names(api(ann).get(f"{URL}?ordering=name")) == ["Archived", "Kept"]
        assert Batch.objects.get(pk=kept.pk).archived_at is None

    def test_a_batch_still_being_imported_is_not_there(self, ann, api):
        hidden = make_batch(ann, is_ready=False)

        assert names(api(ann).get(URL)) == []
        assert api(ann).get(f"{URL}/{hidden.pk}").status_code == 404

    def test_make_edit_and_delete(self, ann, api):
        source = Source.objects.create(owner=ann, name="Flea market")
        made = api(ann).post(
            URL,
            {
                "name": "Summer lot",
                "source_id": source.pk,
                "cost_total": "49.95",
                "gross_weight": "5200",
                "foreign_count": 40,
            },
        )
        row = made.json()["data"][0]

        assert made.status_code == 201
        assert (row["source_name"], row["cost_total"], row["gross_weight"]) == (
            "Flea market",
            "49.9500",
            "5200.000",
        )
        assert (row["status_id"], row["status_name"]) == (5, "Empty")
        assert row["foreign_count"] == 40

        edited = api(ann).patch(
            f"{URL}/{row['id']}",
            {"name": "Winter lot", "foreign_count": None, "updatedAt": row["updatedAt"]},
        )

        changed = edited.json()["data"][0]
        assert (changed["name"], changed["foreign_count"]) == ("Winter lot", None)
        assert api(ann).delete(f"{URL}/{row['id']}").status_code == 200
        assert not Batch.objects.exists()

    def test_the_second_of_two_editors_gets_the_row_as_it_is_now(self, ann, api):
        batch = make_batch(ann)
        seen = api(ann).get(f"{URL}/{batch.pk}").json()["data"][0]["updatedAt"]
        api(ann).patch(f"{URL}/{batch.pk}", {"name": "First", "updatedAt": seen})

        late = api(ann).patch(f"{URL}/{batch.pk}", {"name": "Second", "updatedAt": seen})

        assert late.status_code == 409
        assert error_of(late)["code"] == "CONFLICT"
        assert late.json()["data"][0]["name"] == "First"
        assert Batch.objects.get().name == "First"

    def test_the_same_request_twice_makes_one_batch(self, ann, api):
        first = api(ann).post(URL, {"name": "Once"}, headers={"Idempotency-Key": "k1"})
        again = api(ann).post(URL, {"name": "Once"}, headers={"Idempotency-Key": "k1"})

        assert first.json() == again.json()
        assert Batch.objects.count() == 1

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "name"),
            ({"name": " "}, "name"),
            ({"name": "x" * 201}, "name"),
            ({"name": "a\x01b"}, "name"),
            ({"name": "a", "cost_total": "-1"}, "cost_total"),
            ({"name": "a", "cost_total": "1.00001"}, "cost_total"),
            ({"name": "a", "cost_total": "1,50"}, "cost_total"),
            ({"name": "a", "gross_weight": "-1"}, "gross_weight"),
            ({"name": "a", "foreign_count": -1}, "foreign_count"),
            ({"name": "a", "foreign_count": 1.5}, "foreign_count"),
            ({"name": "a", "foreign_count": "many"}, "foreign_count"),
            ({"name": "a", "foreign_count": 10_000_000}, "foreign_count"),
            ({"name": "a", "source_id": 999}, "source_id"),
            ({"name": "a", "source_id": "x"}, "source_id"),
        ],
    )
    def test_bad_input_names_the_field(self, ann, api, body, field):
        response = api(ann).post(URL, body)

        assert response.status_code == 400
        assert field in error_of(response)["fields"]
        assert not Batch.objects.exists()

    def test_another_persons_source_does_not_exist(self, ann, bo, api):
        source = Source.objects.create(owner=bo, name="Bo's")

        response = api(ann).post(URL, {"name": "a", "source_id": source.pk})

        assert response.status_code == 400
        assert error_of(response)["fields"] == {"source_id": ["there is none with this id"]}

    @pytest.mark.parametrize(
        "query",
        ["is_archived=maybe", "status_id=9", "ordering=colour", "created_from=yesterday", "page=0"],
    )
    def test_bad_filters_are_refused(self, ann, api, query):
        assert api(ann).get(f"{URL}?{query}").status_code == 400

    def test_filters(self, ann, api, nine_pieces):
        source = Source.objects.create(owner=ann, name="Flea market")
        make_batch(ann, "Sourced", source=source, description="Four kilos")
        new = make_batch(ann, "New one")
        make_item(new)

        def found(query):
            return names(api(ann).get(f"{URL}?{query}&ordering=name"))

        assert found(f"source={source.pk}") == ["Sourced"]
        assert found("source=none") == ["New one", "Summer lot"]
        assert found("search=kilos") == ["Sourced"]
        assert found("status_id=2") == ["Summer lot"]
        assert found("status_id=5") == ["Sourced"]
        assert found("status_id=1") == ["New one"]
        assert found("status_id=3") == []
        assert found("status_id=4") == []

    def test_can_be_narrowed_by_value_and_day(self, ann, api):
        cheap, dear = make_batch(ann, "Cheap"), make_batch(ann, "Dear")
        make_batch(ann, "Empty")
        make_item(cheap, 10, "0.5")
        make_item(dear, 10, "0.5")
        make_item(dear, 1, "0.01")
        Batch.objects.filter(pk=cheap.pk).update(
            created_at=dt.datetime(2026, 2, 3, 23, 59, tzinfo=dt.UTC)
        )

        def found(query):
            return names(api(ann).get(f"{URL}?{query}&ordering=name"))

        assert found("value_min=5") == ["Cheap", "Dear"]
        assert found("value_min=5.01") == ["Dear"]
        assert found("value_max=5") == ["Cheap", "Empty"]
        assert found("created_from=2026-02-03&created_to=2026-02-03") == ["Cheap"]
        assert found("created_to=2026-02-02") == []

    def test_statuses_follow_the_rows(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)

        def status():
            row = api(ann).get(f"{URL}/{batch.pk}").json()["data"][0]
            listed = api(ann).get(f"{URL}?status_id={row['status_id']}").json()["data"]
            assert [one["id"] for one in listed] == [batch.pk]
            return row["status_name"]

        assert status() == "Empty"
        make_item(batch)
        assert status() == "New"
        stow_all(batch, place)
        assert status() == "Stowed"
        make_item(batch)
        assert status() == "In progress"
        stow_all(batch, place)
        list_all(batch)
        assert status() == "Listed"

    @pytest.mark.parametrize(
        ("kind", "flag"),
        [
            ("batches.stow_items", "isStowing"),
            ("batches.mark_listed", "isListing"),
            ("batches.remove_items", "isRemoving"),
            ("exports.export_items", "isExporting"),
            ("batches.edit_items", "isUpdating"),
        ],
    )
    def test_a_running_job_raises_its_flag(self, ann, api, kind, flag):
        batch, other = make_batch(ann), make_batch(ann, "Other")
        start_job(owner=ann, kind=kind, payload={}, about={"batch": [batch.pk]})

        rows = {row["id"]: row for row in api(ann).get(URL).json()["data"]}

        assert rows[batch.pk][flag] is True
        assert rows[other.pk][flag] is False
        assert rows[batch.pk]["progress"] == {}  # the total is not known yet

    def test_a_running_job_tells_how_far_it_is(self, ann, api):
        batch = make_batch(ann)
        job = start_job(
            owner=ann,
            kind="batches.stow_items",
            payload={},
            about={"batch": [batch.pk]},
            total=3_000,
        )
        Job.objects.filter(pk=job.pk).update(done=1_370)

        row = api(ann).get(f"{URL}/{batch.pk}").json()["data"][0]

        assert row["progress"] == {"isStowing": 45}

    def test_one_batch_costs_the_same_however_many_items(self, ann, api):
        batch = make_batch(ann)
        client = api(ann)
        for _ in range(2):
            make_item(batch)
            assert_query_budget(LEDGER, "batches.retrieve", lambda: client.get(f"{URL}/{batch.pk}"))


class TestDeleteBatch:
    def test_one_with_items_wants_its_name_typed(self, ann, api):
        batch = make_batch(ann)
        make_item(batch)

        refused = api(ann).delete(f"{URL}/{batch.pk}")

        assert refused.status_code == 409
        assert "has 1 lots" in error_of(refused)["message"]
        assert BatchItem.objects.count() == 1

        assert api(ann).delete(f"{URL}/{batch.pk}?name=Summer lot").status_code == 200
        assert not Batch.objects.exists()
        assert not BatchItem.objects.exists()

    def test_what_is_stowed_stays_in_stock(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch, quantity=3)
        stow_all(batch, place)

        api(ann).delete(f"{URL}/{batch.pk}?name=Summer lot")

        assert stock_of(ann) == [("A-01", 3)]


class TestArchivedBatch:
    def test_is_read_only_until_restored(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch)
        client = api(ann)
        client.post(f"{URL}/{batch.pk}/archive")
        attempts = [
            lambda: client.patch(f"{URL}/{batch.pk}", {"name": "Other"}),
            lambda: client.delete(f"{URL}/{batch.pk}?name=Summer lot"),
            lambda: client.patch(f"/api/batchItems/{item.pk}", {"qty": 9}),
            lambda: client.delete(f"/api/batchItems/{item.pk}"),
            lambda: client.post(
                "/api/batchItems", {"batch_id": batch.pk, "lot_id": item.lot_id, "qty": 1}
            ),
            lambda: client.post("/api/batchItems/bulk", {"update": [{"id": item.pk, "qty": 9}]}),
            lambda: client.post(
                f"{URL}/{batch.pk}/stow", {"items": "all", "location_id": place.pk}
            ),
            lambda: client.post(f"{URL}/{batch.pk}/remove", {"items": "all"}),
            lambda: client.post(f"{URL}/{batch.pk}/markListed", {"items": [item.pk]}),
        ]
        for attempt in attempts:
            response = attempt()
            assert response.status_code == 409, response.content
            assert error_of(response)["code"] == "CONFLICT"
            assert "is archived" in error_of(response)["message"]
        item.refresh_from_db()
        assert (item.quantity, item.is_stowed) == (3, False)

        client.post(f"{URL}/{batch.pk}/restore")

        assert client.patch(f"/api/batchItems/{item.pk}", {"qty": 9}).status_code == 200


class TestOperations:
    def test_stow_answers_what_was_done_and_is_in_the_log(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch)

        response = api(ann).post(
            f"{URL}/{batch.pk}/stow", {"items": [item.pk], "location_id": place.pk}
        )

        assert response.status_code == 200
        row = response.json()["data"][0]
        assert (row["kind"], row["outcome"], row["items"], row["failed"]) == (
            "stow",
            "success",
            [item.pk],
            [],
        )
        [logged] = api(ann).get(f"{URL}/{batch.pk}/operations").json()["data"]
        assert (logged["id"], logged["kind"], logged["outcome"], logged["item_count"]) == (
            row["operation_id"],
            "stow",
            "success",
            1,
        )
        assert logged["by_name"] == "Ann"

    def test_a_full_location_answers_409_and_the_log_says_why(self, ann, api):
        batch, place = make_batch(ann), make_location(ann, max_item_count=5)
        item = make_item(batch, quantity=6)
        client = api(ann)

        response = client.post(
            f"{URL}/{batch.pk}/stow",
            {"items": "all", "location_id": place.pk},
            headers={"Idempotency-Key": "k1"},
        )

        assert response.status_code == 409
        assert error_of(response)["code"] == "CAPACITY_EXCEEDED"
        assert error_of(response)["message"] == "A-01 takes 5 more pieces, not 6."
        assert response.json()["data"][0]["failed"][0]["id"] == item.pk
        assert stock_of(ann) == []
        [logged] = client.get(f"{URL}/{batch.pk}/operations").json()["data"]
        assert (logged["outcome"], logged["failed"][0]["reason"]) == (
            "error",
            "A-01 takes 5 more pieces, not 6.",
        )

        client.patch(f"/api/batchItems/{item.pk}", {"qty": 5})

        assert (
            client.post(
                f"{URL}/{batch.pk}/stow", {"items": "all", "location_id": place.pk}
            ).status_code
            == 200
        )
        assert stock_of(ann) == [("A-01", 5)]

    def test_the_same_stow_sent_twice_stows_once(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch, quantity=3)
        body = {"items": "all", "location_id": place.pk}

        first = api(ann).post(f"{URL}/{batch.pk}/stow", body, headers={"Idempotency-Key": "s"})
        again = api(ann).post(f"{URL}/{batch.pk}/stow", body, headers={"Idempotency-Key": "s"})

        assert first.json() == again.json()
        assert stock_of(ann) == [("A-01", 3)]

    def test_walk_from_new_to_stowed_to_listed_and_back(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch)
        client = api(ann)

        def state():
            row = client.get(f"/api/batchItems/{item.pk}").json()["data"][0]
            return row["state"], row["is_stowed"], row["is_listed"], row["stowedAt"] is not None

        assert state() == ("new", False, False, False)
        client.post(f"{URL}/{batch.pk}/stow", {"items": [item.pk], "location_id": place.pk})
        assert state() == ("stowed", True, False, True)
        client.post(f"{URL}/{batch.pk}/markListed", {"items": [item.pk]})
        assert state() == ("listed", True, True, True)
        client.post(f"{URL}/{batch.pk}/markListed", {"items": [item.pk], "listed": False})
        client.post(f"{URL}/{batch.pk}/remove", {"items": [item.pk]})
        assert state() == ("new", False, False, False)
        log = client.get(f"{URL}/{batch.pk}/operations").json()["data"]
        assert [(row["kind"], row["outcome"]) for row in log] == [
            ("remove", "success"),
            ("markListed", "success"),
            ("markListed", "success"),
            ("stow", "success"),
        ]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "items"),
            ({"items": []}, "items"),
            ({"items": "some"}, "items"),
            ({"items": [1.5]}, "items"),
            ({"items": [True]}, "items"),
            ({"items": ["1"]}, "items"),
            ({"items": [-1]}, "items"),
            ({"items": list(range(1, 10_002))}, "items"),
            ({"items": "all", "location_id": 999}, "location_id"),
            ({"items": "all", "atomic": "maybe"}, "atomic"),
            ({"items": "all", "override_reason": "x" * 501}, "override_reason"),
        ],
    )
    def test_bad_input_names_the_field(self, ann, api, body, field):
        batch = make_batch(ann)
        make_item(batch)

        response = api(ann).post(f"{URL}/{batch.pk}/stow", body)

        assert response.status_code == 400
        assert field in error_of(response)["fields"]
        assert api(ann).get(f"{URL}/{batch.pk}/operations").json()["data"] == []


class TestJobsOfABatch:
    def test_are_found_by_what_they_are_about_not_by_reading_payloads(self, ann):
        first, second, other = (make_batch(ann, name) for name in "abc")
        job = start_job(
            owner=ann,
            kind="batches.edit_items",
            payload={"item_ids": [0] * 10_000},
            about={"batch": [first.pk, second.pk]},
            total=4,
        )
        start_job(owner=ann, kind="batches.edit_items", payload={}, about={"batch": [other.pk]})
        Job.objects.filter(pk=job.pk).update(done=1)

        with CaptureQueriesContext(connection) as asked:
            found = activity_of(owner=ann, batch_ids=[first.pk, second.pk])

        assert found == {first.pk: {"isUpdating": 25}, second.pk: {"isUpdating": 25}}
        assert len(asked) == 1
        assert "payload" not in asked[0]["sql"]

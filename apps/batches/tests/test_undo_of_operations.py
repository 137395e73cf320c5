"""Removing and marking as listed: taken back whole, and the log names what they did."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.services import bulk, stowing
from apps.batches.services.batches import archive_batch
from apps.batches.services.uploaded import mark_uploaded
from apps.batches.tests.factories import (
    NOON,
    in_location,
    list_all,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.catalog.tests.factories import make_lot
from apps.core.jobs.dispatch import cancel_job
from apps.core.jobs.models import Job
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.stocked_locations import merge_locations
from apps.lots.models import ActChunk, KeptAct
from apps.lots.services.images import values_of

pytestmark = pytest.mark.django_db


def post(api, batch, verb, **body):
    return api(batch.owner).post(f"/api/batches/{batch.pk}/{verb}", body, format="json")


def edit_alike(api, batch, dry_run=False, **changes):
    """The result of each row of the batch."""
    body = {"filter": {"batch": batch.pk}, "set": changes, "atomic": False, "dry_run": dry_run}
    return api(batch.owner).post("/api/batchItems/bulk", body, format="json").json()["data"]


def answer(response):
    return response.json()["data"][0]


def rows_of(batch):
    """Every column but the stamp of the last change."""
    rows = BatchItem.objects.filter(batch=batch).order_by("pk").values()
    return [{name: value for name, value in row.items() if name != "updated_at"} for row in rows]


def error_of(response):
    return response.json()["meta"]["error"]["message"]


def log_of(api, batch):
    return api(batch.owner).get(f"/api/batches/{batch.pk}/operations").json()["data"]


def as_kept_before(image):
    """An image as versions before 2026-11-25 wrote it."""
    values = values_of(BatchItem, image)
    return {
        name: f"{value.normalize():f}"
        if isinstance(value, Decimal)
        else value.isoformat()
        if isinstance(value, dt.datetime)
        else value
        for name, value in values.items()
    }


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

    def test_kept_by_an_older_version_is_taken_back(self, ann, api, batch):
        dated = BatchItem.objects.filter(batch=batch, is_stowed=True)
        dated.update(price=Decimal("0.5"), date_added=NOON, extra={"a": ["b"]})
        before = rows_of(batch)
        removed = answer(post(api, batch, "remove", items="all"))
        chunk = ActChunk.objects.get(act=removed["act_id"])
        for row in chunk.rows:
            for side in ("before", "after"):
                row[side] = row[side] and as_kept_before(row[side])
        chunk.save(update_fields=["rows"])

        undone = post(api, batch, "undo", act_id=removed["act_id"])

        kept = chunk.rows[0]["before"]
        assert (kept["price"], kept["date_added"]) == ("0.5", NOON.isoformat())
        assert undone.status_code == 200
        assert rows_of(batch) == before

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
        monkeypatch.setattr(stowing, "AT_ONCE", 1)
        monkeypatch.setattr(stowing, "CHUNK", 2)
        before = rows_of(batch)
        job_id = answer(post(api, batch, "remove", items="all"))["job_id"]
        real, chunks = stowing.remove, []

        def die_in_the_second(**arguments):
            chunks.append(arguments["items"])
            if len(chunks) == 2:
                raise SystemExit
            return real(**arguments)

        monkeypatch.setattr(stowing, "remove", die_in_the_second)
        with pytest.raises(SystemExit):
            run_job(job_id)
        act = KeptAct.objects.get(kind="remove")

        undone = post(api, batch, "undo", act_id=act.pk)

        assert (undone.status_code, error_of(undone)) == (
            409,
            "The batch “Summer lot” is being worked on. Wait for it or cancel it first.",
        )
        assert len(rows_of(batch)) == len(before)
        Job.objects.update(lease_until=NOON - dt.timedelta(days=365))
        run_job(job_id)
        assert post(api, batch, "undo", act_id=act.pk).status_code == 200
        assert rows_of(batch) == before[:2]


class TestEditingByJob:
    def test_of_a_job_is_taken_back_batch_by_batch(self, ann, api, batch, monkeypatch):
        monkeypatch.setattr("apps.lots.services.bulk.AT_ONCE", 1)
        monkeypatch.setattr("apps.lots.services.bulk.CHUNK", 2)
        other = make_batch(ann)
        make_item(other, quantity=6)
        before = [rows_of(batch), rows_of(other)]
        ids = list(BatchItem.objects.values_list("pk", flat=True))
        body = {"ids": ids, "set": {"qty": 9, "price": "0.5", "comments": "clean"}}
        job_id = answer(api(ann).post("/api/batchItems/bulk", body, format="json"))["id"]
        run_jobs()
        edited = stock_of(ann)

        (job,) = api(ann).get(f"/api/jobs/{job_id}").json()["data"]
        for act in reversed(job["result"]["acts"]):
            path = f"/api/batches/{act['batch_id']}/undo"
            undone = api(ann).post(path, {"act_id": act["act_id"]}, format="json")
            assert undone.status_code == 200

        assert len(job["result"]["acts"]) == 3
        assert edited == [("A-01", 9), ("A-01", 9)]
        assert [rows_of(batch), rows_of(other)] == before
        assert stock_of(ann) == [("A-01", 3), ("A-01", 4)]
        assert check_ledger(owner=ann).is_sound

    def test_is_in_the_log_of_each_batch_once(self, ann, api, batch, monkeypatch):
        monkeypatch.setattr("apps.lots.services.bulk.AT_ONCE", 1)
        monkeypatch.setattr("apps.lots.services.bulk.CHUNK", 2)
        other = make_batch(ann)
        make_item(other)
        ids = list(BatchItem.objects.order_by("pk").values_list("pk", flat=True))
        make_item(make_batch(ann), pk=9_000)
        archive_batch(batch=BatchItem.objects.get(pk=9_000).batch, now=NOON)

        body = {"ids": [*ids, 9_000], "set": {"comments": "clean"}}
        api(ann).post("/api/batchItems/bulk", body, format="json")
        run_jobs()

        edits = [
            next(one for one in log_of(api, of) if one["kind"] == "edit") for of in (batch, other)
        ]
        assert [[row["id"] for row in one["items"]] for one in edits] == [ids[:3], ids[3:]]
        assert [(one["outcome"], one["item_count"]) for one in edits] == [
            ("success", 3),
            ("success", 1),
        ]
        assert all(row["name"] for one in edits for row in one["items"])

    def test_of_a_cancelled_job_is_in_the_log_and_taken_back(self, ann, api, batch, monkeypatch):
        monkeypatch.setattr("apps.lots.services.bulk.AT_ONCE", 1)
        monkeypatch.setattr("apps.lots.services.bulk.CHUNK", 2)
        before = rows_of(batch)
        ids = list(BatchItem.objects.order_by("pk").values_list("pk", flat=True))
        body = {"ids": ids, "set": {"comments": "clean"}}
        job_id = answer(api(ann).post("/api/batchItems/bulk", body, format="json"))["id"]
        job = Job.objects.get(pk=job_id)
        real = bulk.ITEMS.change

        def cancel_after_this(**arguments):
            cancel_job(job=job)
            return real(**arguments)

        monkeypatch.setattr(bulk.ITEMS, "change", cancel_after_this)
        run_job(job_id)

        job.refresh_from_db()
        (act,) = job.result["acts"]
        entry = log_of(api, batch)[0]
        assert (entry["kind"], entry["item_count"], entry["message"]) == ("edit", 2, "Cancelled.")
        assert post(api, batch, "undo", act_id=act["act_id"]).status_code == 200
        assert rows_of(batch) == before


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

    @pytest.mark.parametrize(
        ("verb", "how", "kind"),
        [
            ("reprice", {"by": "fixed", "price": "2.5"}, "reprice"),
            ("spreadCost", {"by": "pieces", "total": "30"}, "spreadCost"),
            ("recommendLocations", {"replace": True}, "recommend"),
            ("split", {"by": "location"}, "split"),
            ("moveItems", {"to": "other"}, "move"),
            ("merge", {"to": "other"}, "merge"),
        ],
    )
    def test_names_the_rows_of_an_act(self, ann, api, verb, how, kind):
        batch, there = make_batch(ann), make_location(ann)
        make_location(ann, "A-02")
        ids = [make_item(batch, quantity=3, price="1", location=there).pk for _ in range(2)]
        if kind == "recommend":
            BatchItem.objects.update(location=None)
        if "to" in how:
            how = {"to_batch_id": make_batch(ann, "Other").pk}
        chosen = {} if verb == "merge" else {"items": "all"}

        answer(post(api, batch, verb, **chosen, **how))

        (entry,) = log_of(api, batch)
        assert (entry["kind"], entry["outcome"], entry["item_count"]) == (kind, "success", 2)
        assert [row["id"] for row in entry["items"]] == ids
        assert all(row["name"] for row in entry["items"])

    def test_names_rows_that_an_act_deleted_or_made(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        kept, gone = (make_item(batch, quantity=count, lot=lot) for count in (4, 3))
        post(api, batch, "moveItems", items=[gone.pk], to_batch_id=batch.pk, copy=True)
        copied = BatchItem.objects.get(batch=batch, pk__gt=gone.pk)
        post(api, batch, "consolidate", items="all")

        assert [
            (one["kind"], [row["id"] for row in one["items"]]) for one in log_of(api, batch)
        ] == [
            ("consolidate", [kept.pk, gone.pk, copied.pk]),
            ("copy", [copied.pk]),
        ]

    def test_names_the_rows_of_a_file_that_was_uploaded(self, ann, api):
        batch = make_batch(ann)
        item = make_item(batch)
        stow_all(batch, make_location(ann))
        InventoryItem.objects.update(marketplace_lot_id=7)

        mark_uploaded(batch=batch, lot_ids=[7], until=NOON, by=ann, now=NOON)

        marked = log_of(api, batch)[0]
        assert (marked["kind"], marked["item_count"]) == ("markListed", 1)
        assert marked["items"] == [{"id": item.pk, "name": item.shown_name}]

    def test_tells_what_an_act_refused(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        lost = make_item(batch)
        make_item(batch, location=place)

        post(api, batch, "split", items="all", by="location")

        (entry,) = log_of(api, batch)
        assert (entry["outcome"], entry["item_count"], entry["failed_count"]) == ("error", 1, 1)
        assert entry["failed"][0]["id"] == lost.pk

    def test_has_no_preview_and_nothing_that_changed_nothing(self, ann, api):
        batch = make_batch(ann)
        make_item(batch, price="2.5")

        post(api, batch, "reprice", items="all", by="fixed", price="9", dry_run=True)
        post(api, batch, "reprice", items="all", by="fixed", price="2.5")

        assert log_of(api, batch) == []


class TestStowing:
    def test_is_taken_back_with_its_stock(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch, quantity=3, location=place)
        make_item(batch, quantity=4)
        before = rows_of(batch)

        stowed = answer(post(api, batch, "stow", items="all", location_id=place.pk))

        assert (stowed["item_count"], in_location("A-01", ann)) == (2, 7)
        undone = post(api, batch, "undo", act_id=stowed["act_id"])
        assert undone.status_code == 200, undone.json()
        assert rows_of(batch) == before
        assert (stock_of(ann), in_location("A-01", ann)) == ([], 0)
        assert check_ledger(owner=ann).is_sound

    def test_on_top_of_a_row_leaves_that_row_what_it_had(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        first = make_item(batch, quantity=3, location=place)
        stow_all(batch)
        make_item(batch, quantity=4, location=place, lot=first.lot)

        stowed = answer(post(api, batch, "stow", items="all"))

        assert in_location("A-01", ann) == 7
        post(api, batch, "undo", act_id=stowed["act_id"])
        assert stock_of(ann) == [("A-01", 3)]

    def test_is_taken_back_from_where_the_row_lies_now(self, ann, api, batch):
        new = BatchItem.objects.get(batch=batch, is_stowed=False)
        there = make_location(ann, "B-01")
        stowed = answer(post(api, batch, "stow", items=[new.pk], location_id=there.pk))
        new.refresh_from_db()
        body = {"items": [{"id": new.inventory_item_id}], "to": make_location(ann, "C-01").pk}
        moved = api(ann).post("/api/inventoryItems/move", body, format="json")
        assert moved.status_code == 200

        undone = post(api, batch, "undo", act_id=stowed["act_id"])

        assert (undone.status_code, in_location("C-01", ann)) == (200, 0)
        assert check_ledger(owner=ann).is_sound

    def test_is_not_taken_back_of_what_is_listed_since(self, ann, api, batch):
        new = BatchItem.objects.get(batch=batch, is_stowed=False)
        there = make_location(ann, "B-01")
        stowed = answer(post(api, batch, "stow", items=[new.pk], location_id=there.pk))
        post(api, batch, "markListed", items=[new.pk])

        undone = post(api, batch, "undo", act_id=stowed["act_id"])

        assert (undone.status_code, in_location("B-01", ann)) == (409, 5)
        assert error_of(undone) == "1 item was changed since, so nothing was undone."

    def test_is_not_taken_back_of_what_was_sold_since(self, ann, api, batch):
        new = BatchItem.objects.get(batch=batch, is_stowed=False)
        there = make_location(ann, "B-01")
        stowed = answer(post(api, batch, "stow", items=[new.pk], location_id=there.pk))
        new.refresh_from_db()
        api(ann).patch(
            f"/api/inventoryItems/{new.inventory_item_id}", {"quantity": 2}, format="json"
        )

        undone = post(api, batch, "undo", act_id=stowed["act_id"])

        assert (undone.status_code, in_location("B-01", ann)) == (409, 2)

    def test_of_a_job_is_taken_back_part_by_part(self, ann, api, monkeypatch):
        batch, place = make_batch(ann), make_location(ann)
        for quantity in (3, 4, 5):
            make_item(batch, quantity=quantity, location=place)
        before = rows_of(batch)
        monkeypatch.setattr(stowing, "AT_ONCE", 1)
        monkeypatch.setattr(stowing, "CHUNK", 2)
        job_id = answer(post(api, batch, "stow", items="all"))["job_id"]
        run_jobs()

        (job,) = api(ann).get(f"/api/jobs/{job_id}").json()["data"]
        for act_id in reversed(job["result"]["act_ids"]):
            assert post(api, batch, "undo", act_id=act_id).status_code == 200

        assert len(job["result"]["act_ids"]) == 2
        assert rows_of(batch) == before
        assert stock_of(ann) == []


class TestEditingAlike:
    @pytest.mark.parametrize("changes", [{"condition": "N"}, {"price": "9.5"}, {"price": None}])
    def test_is_taken_back_with_the_stock(self, ann, api, batch, changes):
        BatchItem.objects.filter(batch=batch, is_stowed=False).update(condition="U", price="1")
        before = rows_of(batch)

        acts = {row["act_id"] for row in edit_alike(api, batch, **changes)}

        (act_id,) = acts - {None}
        assert [one["kind"] for one in log_of(api, batch)] == ["edit", "stow"]
        assert post(api, batch, "undo", act_id=act_id).status_code == 200
        hidden = {"inventory_item_id"}
        kept = [{n: v for n, v in row.items() if n not in hidden} for row in rows_of(batch)]
        assert kept == [{n: v for n, v in row.items() if n not in hidden} for row in before]
        assert check_ledger(owner=ann).is_sound

    def test_plans_a_location_and_takes_it_back(self, ann, api, batch):
        new = BatchItem.objects.get(batch=batch, is_stowed=False)
        there = make_location(ann, "B-01")

        *_, edited = edit_alike(api, batch, user_inventory_item_location_id=there.pk)

        new.refresh_from_db()
        assert (new.location_id, edited["id"]) == (there.pk, new.pk)
        assert KeptAct.objects.get(pk=edited["act_id"]).note == "3 items changed"
        post(api, batch, "undo", act_id=edited["act_id"])
        new.refresh_from_db()
        assert new.location_id is None

    def test_tells_what_stays_as_it_is(self, api, batch):
        edited = edit_alike(api, batch, user_inventory_item_location_id=None)

        assert sorted((row["ok"], row["act_id"]) for row in edited) == [
            (False, None),
            (False, None),
            (True, None),
        ]
        assert edited[0]["fields"] == {
            "user_inventory_item_location_id": ["it is stowed: remove it first"]
        }

    def test_of_several_batches_is_an_act_of_each(self, ann, api, batch):
        other = make_item(make_batch(ann, "Other"))
        ids = list(BatchItem.objects.values_list("pk", flat=True))
        body = {"ids": ids, "set": {"comments": "clean"}}

        rows = api(ann).post("/api/batchItems/bulk", body, format="json").json()["data"]

        acts = {row["id"]: row["act_id"] for row in rows}
        assert len(set(acts.values())) == 2
        assert post(api, other.batch, "undo", act_id=acts[other.pk]).status_code == 200
        assert list(BatchItem.objects.filter(comments="clean").values_list("batch_id", flat=True))
        assert [one["kind"] for one in log_of(api, other.batch)] == ["edit"]

    def test_is_shown_by_a_dry_run_that_changes_nothing(self, ann, api, batch):
        before, stock, log = rows_of(batch), stock_of(ann), log_of(api, batch)

        shown = edit_alike(api, batch, dry_run=True, qty=9)

        assert [(row["row"]["qty"], row["act_id"]) for row in shown] == [(9, None)] * 3
        assert (rows_of(batch), stock_of(ann), log_of(api, batch)) == (before, stock, log)
        assert not KeptAct.objects.filter(kind="edit").exists()

    def test_of_a_dry_run_refuses_what_doing_it_does(self, ann, api, batch):
        change = {"user_inventory_item_location_id": None}

        assert edit_alike(api, batch, dry_run=True, **change) == edit_alike(api, batch, **change)

    def test_of_a_dry_run_takes_a_thousand_rows(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        BatchItem.objects.bulk_create(
            BatchItem(owner=ann, batch=batch, lot=lot, quantity=1) for _ in range(1_001)
        )
        body = {"filter": {"batch": batch.pk}, "set": {"qty": 2}, "dry_run": True}

        response = api(ann).post("/api/batchItems/bulk", body, format="json")

        assert (response.status_code, error_of(response)) == (
            400,
            "dry_run: shows at most 1,000 rows",
        )
        assert not Job.objects.exists()


class TestADeletedItem:
    def test_comes_back_as_it_was(self, ann, api, batch):
        item = BatchItem.objects.get(batch=batch, is_stowed=False)
        BatchItem.objects.filter(pk=item.pk).update(
            bulk=5, sale=10, reserved="Bob", tq1=3, retain=True, stockroom="B", marker_text="x"
        )
        before = rows_of(batch)
        client = api(ann)

        client.post("/api/batchItems/bulk", {"delete": [item.pk]}, format="json")
        assert len(rows_of(batch)) == 2
        restored = client.post("/api/batchItems/bulk", {"restore": [item.pk]}, format="json")

        (row,) = restored.json()["data"]
        assert (row["action"], row["ok"], row["id"], row["row"]["bulk"]) == (
            "restore",
            True,
            item.pk,
            5,
        )
        assert rows_of(batch) == before
        again = client.post("/api/batchItems/bulk", {"restore": [item.pk]}, format="json")
        assert again.json()["data"][0]["ok"]
        assert rows_of(batch) == before

    def test_comes_back_once_where_the_rest_of_its_act_is_undone(self, ann, api, batch):
        ids = [make_item(batch).pk for _ in range(2)]
        before = rows_of(batch)
        client = api(ann)
        client.post("/api/batchItems/bulk", {"delete": ids}, format="json")
        client.post("/api/batchItems/bulk", {"restore": ids[:1]}, format="json")
        (act,) = client.get(f"/api/batches/{batch.pk}/acts").json()["data"][:1]

        undone = post(api, batch, "undo", act_id=act["id"])

        assert (undone.status_code, act["item_count"]) == (200, 1)
        assert rows_of(batch) == before

    def test_of_somebody_else_stays_away(self, ann, bo, api, batch):
        item = BatchItem.objects.get(batch=batch, is_stowed=False)
        api(ann).post("/api/batchItems/bulk", {"delete": [item.pk]}, format="json")

        body = {"restore": [item.pk], "atomic": False}
        restored = api(bo).post("/api/batchItems/bulk", body, format="json")

        assert restored.json()["data"][0]["code"] == "NOT_FOUND"
        assert len(rows_of(batch)) == 2

    def test_stays_away_from_an_archived_batch(self, ann, api, batch):
        item = BatchItem.objects.get(batch=batch, is_stowed=False)
        api(ann).post("/api/batchItems/bulk", {"delete": [item.pk]}, format="json")
        api(ann).post(f"/api/batches/{batch.pk}/archive")

        body = {"restore": [item.pk], "atomic": False}
        restored = api(ann).post("/api/batchItems/bulk", body, format="json")

        assert "archived" in restored.json()["data"][0]["message"]

    def test_stays_away_where_its_pieces_went_elsewhere(self, ann, api, batch):
        first, second = (make_item(batch, lot=lot) for lot in [make_lot()] * 2)
        stowed = BatchItem.objects.filter(batch=batch, is_stowed=True).first()
        post(api, batch, "consolidate", items=[first.pk, second.pk])
        post(api, batch, "remove", items=[stowed.pk], stock="out")

        ids = [first.pk, second.pk, stowed.pk]
        there = set(BatchItem.objects.filter(pk__in=ids).values_list("pk", flat=True))
        body = {"restore": sorted(set(ids) - there), "atomic": False}
        restored = api(ann).post("/api/batchItems/bulk", body, format="json")

        assert [row["code"] for row in restored.json()["data"]] == ["NOT_FOUND"] * 2

    def test_comes_back_to_the_location_that_its_own_was_merged_into(self, ann, api, batch):
        old, new = make_location(ann, "B-01"), make_location(ann, "B-02")
        item = make_item(batch, location=old)
        client = api(ann)
        client.post("/api/batchItems/bulk", {"delete": [item.pk]}, format="json")
        merge_locations(location=old, into=new, by=ann, now=NOON)

        client.post("/api/batchItems/bulk", {"restore": [item.pk]}, format="json")

        item.refresh_from_db()
        assert (item.location_id, item.deleted_in_id) == (new.pk, None)

    def test_of_a_batch_is_gone_with_it(self, ann, api, batch):
        item = BatchItem.objects.get(batch=batch, is_stowed=False)
        api(ann).post("/api/batchItems/bulk", {"delete": [item.pk]}, format="json")

        api(ann).delete(f"/api/batches/{batch.pk}?name={batch.name}")

        assert not BatchItem.with_deleted.exists()
        assert not KeptAct.objects.exists()


def test_an_act_of_a_batch_is_not_taken_back_as_one_of_stock(ann, api, batch):
    act = KeptAct.objects.get(batch=batch)

    undone = api(ann).post(f"/api/inventoryActs/{act.pk}/undo")

    assert (undone.status_code, in_location("A-01", ann)) == (404, 7)

"""A backup brought back is the store it was made of."""

import csv
import io
import json
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.accounts.services.closing import erasing
from apps.backups.models import Backup
from apps.backups.services.backups import start_backup
from apps.backups.services.restores import AccountNotEmpty, start_restore
from apps.backups.tests.factories import (
    NOON,
    backup_of,
    causes_of,
    everything_of,
    make_store,
    pieces_of,
    restored,
    rows_changed,
    zip_of,
)
from apps.batches.models import Batch
from apps.catalog.models import Item, Lot
from apps.core.clock import now
from apps.core.jobs.kept_file import NotWrittenYet, delete_written, open_written
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.exchange.bsx_reader import read_bsx
from apps.inventory.models import InventoryItem, Movement, Promise
from apps.inventory.services.ledger_check import check_ledger
from apps.locations.models import Location
from apps.orders.models import Order, OrderLine, OrderState, PickWalk
from apps.orders.selectors.walks import stops_of
from apps.orders.services.combining import combine
from apps.orders.services.errors import NotReturnable
from apps.orders.services.forgetting import forget_buyer
from apps.orders.services.handling import take_back
from apps.orders.services.picking import pick_stop
from apps.orders.tests.factories import make_order
from apps.recognition.models import Capture
from apps.sets.models import UserSet

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


class TestRoundTrip:
    def test_gives_everything_back_to_the_piece(self, ann, bo):
        make_store(ann)
        before = everything_of(ann)

        job = restored(bo, zip_of(backup_of(ann)))

        assert (job.state, job.failed) == (JobState.SUCCEEDED, [])
        assert everything_of(bo) == {**before, "person": everything_of(ann)["person"]}
        assert everything_of(ann) == before
        assert pieces_of(bo) == pieces_of(ann) == 53
        assert check_ledger(owner=bo).is_sound

    def test_holds_something_of_everything_it_can_hold(self, ann):
        make_store(ann)

        counts = backup_of(ann).counts

        empty = {name for name, count in counts.items() if not count}
        assert empty <= {
            "stocktakes",
            "stocktake_counts",
            "auction_listings",
            "auction_searches",
            "buyer_options",
            "station_sittings",
            "wrong_matches",
        }

    def test_ties_movements_to_the_batch_items_they_came_from(self, ann, bo):
        make_store(ann)
        restored(bo, zip_of(backup_of(ann)))

        assert causes_of(bo) == causes_of(ann)
        assert ("batch_item", 0) in causes_of(bo)
        mine = set(Movement.objects.filter(item__owner=ann).values_list("pk", flat=True))
        theirs = Movement.objects.filter(item__owner=bo)
        assert not mine & set(theirs.values_list("pk", flat=True))

    def test_of_a_round_trip_is_the_same_again(self, ann, bo, staff):
        make_store(ann)
        restored(bo, zip_of(backup_of(ann)))
        restored(staff, zip_of(backup_of(bo)))

        assert everything_of(staff) == everything_of(bo)

    def test_of_before_captures_had_a_colour_has_them_without_one(self, ann, bo):
        make_store(ann)
        content = rows_changed(zip_of(backup_of(ann)), "captures", lambda row: row.pop("color_id"))

        job = restored(bo, content)

        assert job.state == JobState.SUCCEEDED
        (kept,) = Capture.objects.owned_by(bo)
        assert (kept.item.number, kept.color_id) == ("3020", None)

    def test_of_an_empty_account_brings_its_settings(self, ann, bo):
        ann.zip_code = "94105"
        ann.save()

        job = restored(bo, zip_of(backup_of(ann)))

        bo.refresh_from_db()
        assert (job.state, bo.zip_code) == (JobState.SUCCEEDED, "94105")

    def test_leaves_the_bins_that_were_gone_already_without_another_ones_history(self, ann, bo):
        make_store(ann)
        place = Location.objects.owned_by(ann).get(name="A-0")
        InventoryItem.with_deleted.filter(location=place).update(location=None)
        Location.objects.filter(pk=place.pk).delete()

        restored(bo, zip_of(backup_of(ann)))

        named = Movement.objects.filter(item__owner=bo).values_list("to_location", flat=True)
        here = set(Location.objects.owned_by(bo).values_list("pk", flat=True))
        assert -place.pk in named
        assert {pk for pk in named if pk is not None and pk > 0} <= here

    def test_keeps_lots_that_the_catalogue_does_not_know_by_what_they_are(self, ann, bo):
        make_store(ann)
        content = zip_of(backup_of(ann))
        forget_all_of(ann)
        item = Item.objects.get(number="3001")
        Lot.objects.filter(item=item).delete()
        item.delete()

        job = restored(bo, content)

        assert (job.state, job.failed) == (JobState.SUCCEEDED, [])
        rows = InventoryItem.objects.owned_by(bo).filter(raw_item_number="3001")
        assert {(row.raw_item_type, row.raw_color_id, row.lot_id) for row in rows} == {
            ("P", 5, None)
        }
        assert pieces_of(bo) == 53

    def test_tells_of_a_set_that_the_catalogue_does_not_know(self, ann, bo):
        make_store(ann)
        content = zip_of(backup_of(ann))
        forget_all_of(ann)
        Lot.objects.filter(item__number="10255-1").delete()
        Item.objects.get(number="10255-1").delete()

        job = restored(bo, content)

        assert job.state == JobState.SUCCEEDED, job.message
        told = {row["name"]: row["reason"] for row in job.failed}
        reason = "The catalogue here does not know 10255-1. The row was left out."
        assert told["rows/sets.jsonl, line 1 (Assembly Square)"] == reason
        assert told["rows/batch_sets.jsonl, line 1 (Assembly Square)"] == reason
        assert not UserSet.objects.owned_by(bo).exists()
        assert pieces_of(bo) == 53


class TestOrders:
    def test_are_walked_on_where_they_were_left(self, ann, bo):
        make_store(ann)
        restored(bo, zip_of(backup_of(ann)))

        (stop,) = stops_of(walk=PickWalk.objects.get(owner=bo, ended_at=None))
        (line,) = stop["trays"]
        walk = PickWalk.objects.get(owner=bo, ended_at=None)
        row = InventoryItem.objects.get(pk=stop["item_id"])
        was = (row.quantity, row.promised)
        done = pick_stop(walk=walk, item_id=row.pk, picked={line["line_id"]: 2}, by=bo, now=NOON)

        row.refresh_from_db()
        assert (was, (row.quantity, row.promised)) == ((25, 2), (23, 0))
        assert done.is_over
        assert Order.objects.get(owner=bo, walks__walk=walk).state == OrderState.PICKED

    def test_stay_in_one_parcel(self, ann, bo):
        first, second = (make_order(ann, buyer="Cy") for _ in range(2))
        combine(order=second, order_ids=[first.pk], now=NOON)

        restored(bo, zip_of(backup_of(ann)))

        orders = Order.objects.owned_by(bo).order_by("pk")
        assert [order.parcel_id for order in orders] == [None, orders[0].pk]

    def test_know_which_pieces_were_sold_and_which_came_back(self, ann, bo):
        make_store(ann)
        sold = OrderLine.objects.get(owner=ann, picked=3)
        take_back(order=sold.order, pieces={sold.pk: 1}, location_id=None, by=ann, now=NOON)
        restored(bo, zip_of(backup_of(ann)))

        line = OrderLine.objects.get(owner=bo, picked=3)
        moves = Movement.objects.owned_by(bo).filter(cause_kind="order", cause_id=line.pk)
        assert sorted(moves.values_list("reason", "delta")) == [("return", 1), ("sale", -3)]
        # Two are still with the buyer: they can come back here as well, and no third.
        with pytest.raises(NotReturnable):
            take_back(order=line.order, pieces={line.pk: 3}, location_id=None, by=bo, now=NOON)
        take_back(order=line.order, pieces={line.pk: 2}, location_id=None, by=bo, now=NOON)
        assert InventoryItem.objects.get(owner=bo, comments="sold").quantity == 3
        assert check_ledger(owner=bo).is_sound

    def test_lose_promises_to_nobody(self, ann, bo):
        make_store(ann)
        content = rows_changed(
            zip_of(backup_of(ann)), "promises", lambda row: row.update(line_id=999_999)
        )

        job = restored(bo, content)

        assert job.failed[0]["name"] == "rows/promises.jsonl, line 1"
        assert job.failed[0]["reason"].startswith("line_id: names a row that is not there")
        assert not Promise.objects.owned_by(bo).exists()
        assert not InventoryItem.objects.owned_by(bo).exclude(promised=0).exists()
        assert Order.objects.owned_by(bo).count() == 2


class TestZip:
    def test_holds_the_inventory_for_other_programs(self, ann):
        make_store(ann)

        archive = zipfile.ZipFile(io.BytesIO(zip_of(backup_of(ann))))

        lots = list(read_bsx(io.BytesIO(archive.read("inventory.bsx"))))
        assert sum(lot.quantity for lot in lots) == 53
        rows = list(csv.DictReader(io.StringIO(archive.read("inventory.csv").decode("utf-8-sig"))))
        assert sum(int(row["quantity"]) for row in rows) == 53
        assert "A-2" in {row["location_name"] for row in rows}
        assert archive.testzip() is None

    def test_says_what_it_is(self, ann):
        make_store(ann)
        archive = zipfile.ZipFile(io.BytesIO(zip_of(backup_of(ann))))

        head = json.loads(archive.read("backup.json"))

        assert (head["product"], head["format"], head["currency"]) == ("Brickstow", 2, "EUR")
        assert head["made_at"].endswith("+00:00")
        assert head["counts"]["locations"] == 3

    def test_holds_nothing_of_anybody_else_and_no_secret(self, ann, bo):
        make_store(ann)
        make_store_of_a_stranger(bo)

        content = zip_of(backup_of(ann))

        texts = zipfile.ZipFile(io.BytesIO(content))
        everything = b"".join(texts.read(name) for name in texts.namelist())
        assert b"Strangers place" not in everything
        assert ann.password.encode() not in everything
        assert ann.email_address.encode() not in everything


class TestBackup:
    def test_is_not_there_before_its_job_is_done(self, ann):
        backup = start_backup(owner=ann, now=NOON)

        with pytest.raises(NotWrittenYet):
            open_written(backup)

    def test_is_deleted_with_its_file(self, ann, django_capture_on_commit_callbacks):
        backup = backup_of(ann)
        name = backup.file.name

        with django_capture_on_commit_callbacks(execute=True):
            delete_written(backup)

        assert not Backup.objects.exists()
        assert not default_storage.exists(name)

    def test_leaves_out_what_an_import_still_fills(self, ann):
        Batch.objects.create(owner=ann, name="Half", is_ready=False)

        assert backup_of(ann).counts["batches"] == 0


class TestAnAccountThatHoldsSomething:
    def test_is_left_alone(self, ann, bo):
        make_store(ann)
        content = zip_of(backup_of(ann))
        make_store_of_a_stranger(bo)
        before = everything_of(bo)

        with pytest.raises(AccountNotEmpty) as refused:
            start_restore(owner=bo, file=ContentFile(content), file_name="backup.zip")

        assert refused.value.text.startswith(
            "A backup goes into an account that holds nothing yet; this one has 1 locations."
        )
        assert everything_of(bo) == before
        assert not Job.objects.filter(owner=bo).exists()

    def test_is_left_alone_when_it_was_filled_meanwhile(self, ann, bo):
        make_store(ann)
        content = zip_of(backup_of(ann))
        job = start_restore(owner=bo, file=ContentFile(content), file_name="backup.zip")
        make_store_of_a_stranger(bo)
        before = everything_of(bo)

        run_jobs()

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert job.message.startswith("A backup goes into an account that holds nothing yet")
        assert everything_of(bo) == before
        assert not default_storage.exists(job.payload["file"])

    def test_takes_one_of_two_backups_that_come_at_once(self, ann, bo):
        make_store(ann)
        content = zip_of(backup_of(ann))
        jobs = [
            start_restore(owner=bo, file=ContentFile(content), file_name="backup.zip")
            for _ in range(2)
        ]

        run_jobs()

        states = sorted(Job.objects.get(pk=job.pk).state for job in jobs)
        assert states == [JobState.FAILED, JobState.SUCCEEDED]
        assert pieces_of(bo) == 53


def make_store_of_a_stranger(owner):
    from apps.locations.tests.factories import make_location

    make_location(owner, "Strangers place")


def forget_all_of(owner):
    """Erase the account: on the catalogue's side nothing is used any more."""
    Job.objects.filter(owner=owner).exclude(pk__in=Backup.objects.values("job_id")).delete()
    Backup.objects.filter(owner=owner).delete()
    Job.objects.filter(owner=owner).delete()
    with erasing(owner):
        owner.delete()


def test_an_older_backup_brings_no_forgotten_buyer_back(ann, bo):
    forgotten, kept = (make_order(ann, buyer=name, address="5 Lane") for name in ("Bo", "Cy"))
    for number, order in enumerate((forgotten, kept), 7):
        Order.objects.filter(pk=order.pk).update(
            state=OrderState.SHIPPED, marketplace_order_id=number, channel="store"
        )
    content = zip_of(backup_of(ann))
    forgotten.refresh_from_db()
    forget_buyer(order=forgotten, now=now())

    restored(bo, content)

    orders = Order.objects.owned_by(bo).order_by("marketplace_order_id")
    assert [(order.buyer, order.address) for order in orders] == [("", ""), ("Cy", "5 Lane")]


def test_forgetting_a_buyer_deletes_the_backups_that_are_kept_here(
    ann, bo, django_capture_on_commit_callbacks
):
    order = make_order(ann, buyer="Bo", address="5 Lane")
    Order.objects.filter(pk=order.pk).update(state=OrderState.SHIPPED)
    order.refresh_from_db()
    backup, other = backup_of(ann), backup_of(bo)

    with django_capture_on_commit_callbacks(execute=True):
        forget_buyer(order=order, now=now())

    assert list(Backup.objects.all()) == [other]
    assert [default_storage.exists(one.file.name) for one in (backup, other)] == [False, True]

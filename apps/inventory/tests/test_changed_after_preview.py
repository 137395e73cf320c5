"""Jobs and people that write the stock between the preview of a file and its import."""

from contextlib import contextmanager
from decimal import Decimal

import pytest

from apps.catalog.rules.pricing import PriceBy, PriceRule, Repricing
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.jobs.run import progressed
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services import acts, bsx_sync
from apps.inventory.services.changes import changed_lot_ids
from apps.inventory.services.channels import channel_of_files
from apps.inventory.services.consolidate import Options, consolidate_items
from apps.inventory.services.errors import StockChangedSince
from apps.inventory.services.move_many import move_many
from apps.inventory.services.moves import MoveLine
from apps.inventory.services.reprice import reprice_items
from apps.inventory.services.unknown import name_items
from apps.inventory.tests.bsx_files import bsx, lot, preview, sync_file
from apps.inventory.tests.factories import NOON, make_stock
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal
TO_75_CENTS = Repricing(by=PriceBy.FIXED, price=D("0.75"), rule=PriceRule())


@pytest.fixture(autouse=True)
def _a_row_a_transaction(monkeypatch):
    monkeypatch.setattr(acts, "AT_ONCE", 1)
    monkeypatch.setattr(acts, "CHUNK", 1)


@pytest.fixture
def brick():
    item = make_item("3001", weight_grams=D("2.500"))
    return make_lot(item, make_color(5))


@contextmanager
def after_the_first_chunk(job, do):
    """Do something once the job has done one of its chunks."""
    done = []

    def between(*, run, **_):
        if run.job.pk == job.pk and run.done and not done:
            done.append(None)
            do()

    progressed.connect(between)
    try:
        yield
    finally:
        progressed.disconnect(between)
    assert done


def price_all(ann):
    ids = list(InventoryItem.objects.order_by("pk").values_list("pk", flat=True))
    return reprice_items(owner=ann, item_ids=ids, how=TO_75_CENTS, by=ann, now=NOON)


def two_rows(ann, brick):
    return [make_stock(ann, brick, 5, marketplace_lot_id=lot_id) for lot_id in (1, 2)]


def a_job_that_prices(ann, brick):
    two_rows(ann, brick)
    return price_all(ann)


def a_job_that_moves(ann, brick):
    there = make_location(ann, "A-1")
    lines = [MoveLine(item_id=row.pk, to_location_id=there.pk) for row in two_rows(ann, brick)]
    return move_many(owner=ann, lines=lines, by=ann, now=NOON)


def a_job_that_consolidates(ann, brick):
    blue = make_lot(brick.item, make_color(7))
    ids = [
        make_stock(ann, one, 5, make_location(ann, name)).pk
        for name, one in (("A-1", brick), ("A-2", brick), ("A-3", blue), ("A-4", blue))
    ]
    return consolidate_items(owner=ann, item_ids=ids, options=Options(), by=ann, now=NOON)


def a_job_that_names(ann, brick):
    also = {"raw_item_number": "3001old", "raw_item_type": "P", "raw_color_id": 5}
    row, _ = [make_stock(ann, **also) for _ in range(2)]
    return name_items(row=row, item_id=brick.item_id, by=ann, now=NOON)


def a_job_that_undoes(ann, brick):
    act_id = a_job_that_prices(ann, brick).payload["act_id"]
    run_jobs()
    return acts.undo_act(act=acts.KeptAct.objects.get(pk=act_id), by=ann, now=NOON)


class TestAPreviewBetweenTwoChunks:
    @pytest.mark.parametrize(
        "start",
        [
            a_job_that_prices,
            a_job_that_moves,
            a_job_that_consolidates,
            a_job_that_names,
            a_job_that_undoes,
        ],
    )
    def test_notices_the_second(self, ann, brick, start):
        job = start(ann, brick)
        assert isinstance(job, Job)
        found = []

        with after_the_first_chunk(
            job, lambda: found.extend((preview(ann, bsx(lot(qty=9, LotID=1))), now()))
        ):
            run_jobs()

        sync, then = found
        with pytest.raises(StockChangedSince):
            bsx_sync.start_apply(sync=sync, confirm_zeroed=None, by=ann)
        late = InventoryItem.with_deleted.filter(updated_at__gt=then)
        assert 0 < late.count() < InventoryItem.with_deleted.count()


class TestAnImportThatWasAccepted:
    """The stock changes after *Apply*, before the import comes to the row."""

    def test_leaves_a_row_that_a_job_prices_meanwhile_and_reports_it(self, ann, brick):
        rows = two_rows(ann, brick)
        job = price_all(ann)

        def accept():
            sync = preview(ann, bsx(lot(qty=9, LotID=1), lot(qty=9, LotID=2)))
            bsx_sync.start_apply(sync=sync, confirm_zeroed=None, by=ann)

        with after_the_first_chunk(job, accept):
            *_, imported = run_jobs()

        for row in rows:
            row.refresh_from_db()
        assert [(row.quantity, row.price) for row in rows] == [(9, D("0.1")), (5, D("0.75"))]
        (left,) = imported.failed
        assert left["error"] == "It was changed after the preview and stays as it is."
        assert "LotID 2" in left["context"]

    def test_sets_no_row_to_0_that_was_changed_meanwhile(self, ann, brick):
        kept, gone = two_rows(ann, brick)
        sync = preview(ann, bsx(lot("3002", LotID=3)))
        assert sync.counts["zeroed"] == 2
        bsx_sync.start_apply(sync=sync, confirm_zeroed=sync.counts["to_confirm"], by=ann)
        InventoryItem.objects.filter(pk=kept.pk).update(quantity=6, updated_at=now())
        run_jobs()

        kept.refresh_from_db()
        gone.refresh_from_db()
        assert (kept.quantity, gone.quantity) == (6, 0)

    def test_keeps_what_the_store_has_of_such_a_row(self, ann, brick):
        """Else an edit that came between would count as sent."""
        content = bsx(lot(qty=5, LotID=1), lot(qty=5, LotID=2))
        sync_file(ann, content)
        sync = preview(ann, bsx(lot(qty=5, LotID=1), lot(qty=9, LotID=2)))
        bsx_sync.start_apply(sync=sync, confirm_zeroed=None, by=ann)
        InventoryItem.objects.update(price=D("0.75"), updated_at=now())
        run_jobs()

        assert changed_lot_ids(channel=channel_of_files(ann)) == {1, 2}

"""Promises that move with their pieces lock rows of stock in the order of all writers."""

import pytest
from django.db import connection, transaction

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.concurrency import lock_ids_in_order
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.core.testing.threads import meet
from apps.inventory.models import InventoryItem, Promise
from apps.inventory.services._stock import lock_stock
from apps.inventory.services.bsx_sync import start_apply
from apps.inventory.services.items import edit_item
from apps.inventory.services.promises import Want, promise
from apps.inventory.tests.bsx_files import bsx, lot, preview
from apps.inventory.tests.factories import NOON, make_stock
from apps.locations.tests.factories import make_location

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite lets one write at a time: nobody waits"
    ),
]


@pytest.fixture
def rows(ann):
    """A lot in two bins; the later row is to be promised to a buyer."""
    lot_ = make_lot(make_item("3001"), make_color(5))
    return [make_stock(ann, lot_, 5, make_location(ann, name)) for name in ("A-1", "A-2")]


def promise_of(row, *, is_out=False):
    wants = [
        Want(
            line_id=1,
            quantity=4,
            lot_id=row.lot_id,
            condition="U",
            item_id=row.pk,
            is_out=is_out,
        )
    ]
    promise(owner=row.owner, wants=wants, now=NOON)


def lock(row):
    return lambda: lock_ids_in_order(InventoryItem, [row.pk])


class TestAPromiseThatMoves:
    def test_in_an_import(self, ann, rows):
        low, high = rows
        file = bsx(lot(qty=5, Remarks="A-1"), lot(qty=1, Remarks="A-2"))
        sync = preview(ann, file)
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        promise_of(high)

        meet(first=lock(low), then=lock(high), other=run_jobs)

        job = Job.objects.get(pk=sync.job_id)
        assert (job.state, job.attempts) == ("succeeded", 1)
        pieces = Promise.objects.order_by("item_id").values_list("item_id", "quantity")
        assert list(pieces) == [(low.pk, 3), (high.pk, 1)]

    def test_in_an_edit(self, ann, rows):
        low, high = rows
        promise_of(high)

        meet(
            first=lock(low),
            then=lock(high),
            other=lambda: edit_item(item=high, changes={"quantity": 0}, by=ann, now=NOON),
        )

        assert Promise.objects.get().item_id == low.pk

    def test_in_an_edit_that_makes_it_another_lot(self, ann, rows):
        low, high = rows
        other = make_lot(make_item("3002"), make_color(5))
        make_stock(ann, other, 9, high.location)
        promise_of(high)

        meet(
            first=lock(low),
            then=lock(high),
            other=lambda: edit_item(
                item=high, changes={"quantity": 0, "lot_id": other.pk}, by=ann, now=NOON
            ),
        )

        assert Promise.objects.get().item_id == low.pk

    def test_of_pieces_that_are_counted_no_more(self, ann, rows):
        low, high = rows
        promise_of(high, is_out=True)

        def hold_both():
            with transaction.atomic():
                lock_stock(owner=ann, item_ids=[high.pk])
                lock_ids_in_order(InventoryItem, [low.pk, high.pk])

        meet(first=lock(low), then=lock(high), other=hold_both)

"""Pieces of a batch that its owner uploaded with another program: the store's file tells of them."""

import pytest

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.exchange.bricklink_update import LotChange
from apps.exports.services.exports import NOTHING_DIFFERS
from apps.exports.tests.factories import content_of, export_of
from apps.exports.tests.test_store_files import brick, changes_in, row, update_of
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.services.bsx_sync import start_apply
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.bsx_files import apply, bsx, lot, preview, sync_file, undo
from apps.inventory.tests.factories import adjust_quantity

pytestmark = pytest.mark.django_db
__all__ = ["brick"]


def stow(owner, brick, *quantities, lot_id=None):
    """Stow a batch for each quantity, one on the other; the first came from a store's file."""
    place = make_location(owner)
    found = []
    if lot_id is not None:
        first, *quantities = quantities
        sync_file(owner, store_file(first, lot_id))
    for quantity in quantities:
        batch = make_batch(owner, f"Batch {len(found)}")
        also = {"condition": "U", "remarks": place.name}
        make_item(batch, quantity, price="0.1000", lot=brick, **also)
        stow_all(batch, place)
        found.append(batch)
    return found


def store_file(quantity, lot_id=71, **also):
    return bsx(lot(qty=quantity, price="0.100", LotID=lot_id, Remarks="A-01", **also))


def take(owner, pieces=1):
    adjust_quantity(owner=owner, item_id=row(71).pk, delta=-pieces, by=owner, now=now())


def listed(*batches):
    return [batch.items.get().is_listed for batch in batches]


class TestAStoresFile:
    def test_marks_what_a_batch_put_there(self, ann, brick):
        (batch,) = stow(ann, brick, 10)

        sync = preview(ann, store_file(10))

        assert (sync.counts["uploaded"], listed(batch)) == (1, [False])
        assert [one["message"] for one in sync.warnings if one["code"] == "uploaded"] == [
            "1 lot that waits in batches to be listed is in the store: the import marks it as listed."
        ]
        assert apply(sync).applied_counts["uploaded"] == 1
        item = batch.items.get()
        assert (item.is_listed, item.marketplace_lot_id) == (True, 71)
        assert BatchOperation.objects.filter(batch=batch, kind="markListed").count() == 1

    def test_then_no_piece_less_takes_the_others_off_sale(self, ann, brick):
        stow(ann, brick, 10)
        sync_file(ann, store_file(10))
        assert update_of(ann).job.message == NOTHING_DIFFERS

        take(ann)

        assert changes_in(update_of(ann)) == [LotChange(marketplace_lot_id=71, quantity_change=-1)]

    def test_of_a_lot_that_a_batch_topped_up_marks_these_pieces(self, ann, brick):
        (batch,) = stow(ann, brick, 10, 3, lot_id=71)

        sync = sync_file(ann, store_file(13))

        assert (row(71).quantity, listed(batch), sync.applied_counts["uploaded"]) == (13, [True], 1)
        take(ann)
        assert changes_in(update_of(ann)) == [LotChange(marketplace_lot_id=71, quantity_change=-1)]

    @pytest.mark.parametrize(
        ("there", "here", "marked"),
        [
            (10, 15, [False, False]),
            (12, 15, [False, True]),
            (13, 15, [True, False]),
            (15, 15, [True, True]),
            (14, 14, [True, True]),  # one of them was sold
            (9, 14, [False, False]),  # one of the others was sold
        ],
    )
    def test_keeps_what_it_lacks_of_two_batches(self, ann, brick, there, here, marked):
        batches = stow(ann, brick, 10, 3, 2, lot_id=71)

        sync_file(ann, store_file(there))

        assert (row(71).quantity, listed(*batches)) == (here, marked)
        assert ChannelLot.objects.get().quantity == there
        assert update_of(ann).job.message == NOTHING_DIFFERS
        assert check_ledger(owner=ann).is_sound

    def test_without_the_lot_keeps_what_waits_in_its_row(self, ann, brick):
        (batch,) = stow(ann, brick, 10, 3, lot_id=71)

        sync_file(ann, bsx(lot("3002", LotID=72)))

        assert (row(71).quantity, listed(batch)) == (3, [False])
        assert check_ledger(owner=ann).is_sound

    def test_which_sold_some_of_a_new_lot_before_marks_it_all(self, ann, brick):
        (batch,) = stow(ann, brick, 10)

        sync_file(ann, store_file(8))

        assert (row(71).quantity, listed(batch)) == (8, [True])

    def test_of_ours_with_base_values_marks_nothing_that_is_not_there(self, ann, brick):
        (batch,) = stow(ann, brick, 10, 3, lot_id=71)
        content = content_of(export_of(ann))

        sync_file(ann, content)

        assert b'Qty="10"' in content
        assert (row(71).quantity, listed(batch)) == (13, [False])
        assert update_of(ann).job.message == NOTHING_DIFFERS

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(bsx(lot(qty=10, price="0.100", Remarks="A-01")), id="without lot ids"),
            pytest.param(
                b"Part,Color,Qty,Condition,LotID\n3001,5,10,U,71\n", id="a table of some lots"
            ),
        ],
    )
    def test_that_is_not_a_stores_marks_nothing(self, ann, brick, content):
        (batch,) = stow(ann, brick, 10)

        sync = sync_file(ann, content)

        assert (sync.state, sync.counts["uploaded"], listed(batch)) == ("applied", 0, [False])

    def test_of_another_store_marks_nothing(self, ann, brick):
        sync_file(ann, bsx(*(lot(color=7, price=f"0.{n}00", LotID=n) for n in range(1, 8))))
        (batch,) = stow(ann, brick, 10)

        sync = sync_file(ann, store_file(10, 999))

        assert (sync.state, sync.counts["uploaded"], listed(batch)) == ("applied", 0, [False])

    def test_leaves_an_item_alone_that_changes_before_it_is_applied(self, ann, brick):
        (batch,) = stow(ann, brick, 10)
        sync = preview(ann, store_file(10))
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        BatchItem.objects.update(quantity=4)

        run_jobs()

        assert listed(batch) == [False]


class TestItsUndo:
    def test_lets_the_pieces_wait_again(self, ann, brick):
        (batch,) = stow(ann, brick, 10)
        sync = sync_file(ann, store_file(10))

        assert undo(sync).state == "undone"

        item = batch.items.get()
        assert (item.is_listed, item.listed_at, item.marketplace_lot_id) == (False, None, None)
        assert not InventoryItem.objects.filter(marketplace_lot_id__isnull=False).exists()

    def test_leaves_marks_that_a_person_made_since(self, ann, brick):
        (batch,) = stow(ann, brick, 10)
        sync = sync_file(ann, store_file(10))
        batch.items.update(listed_at=now())

        undo(sync)

        assert listed(batch) == [True]

    def test_leaves_the_pieces_of_rows_that_stay(self, ann, brick):
        (batch,) = stow(ann, brick, 10)
        sync = sync_file(ann, store_file(10))
        take(ann)

        undo(sync, rows_changed_since="mine")

        assert (row(71).quantity, listed(batch)) == (9, [True])

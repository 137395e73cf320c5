"""Pieces of a batch that were uploaded with another program: a pull, and the sync, find them."""

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import ChannelLot, InventorySync
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.bsx_files import undo
from apps.listings.services import store_sync
from apps.listings.tests.listing import calls_of, part
from apps.listings.tests.test_store_cycle import cycle, done, full, more, stores, there_of
from apps.listings.tests.test_store_pull import (
    apply,
    base_of,
    change,
    pull,
    pulled,
    row_of,
    store_lot,
)
from apps.locations.models import Location

pytestmark = pytest.mark.django_db
__all__ = ["full", "stores"]


def stow_more(owner, pieces, number=3001, name="Batch"):
    """Stow a batch that goes on top of a lot of the store; return it."""
    row = row_of(number)
    batch = make_batch(owner, name)
    also = {"condition": row.condition, "remarks": row.remarks, "comments": row.comments}
    make_item(batch, pieces, price=str(row.price), lot=row.lot, **also)
    stow_all(batch, row.location)
    return batch


def upload(store, owner, pieces, number=3001):
    """Let another program say how many pieces the store has of a lot."""
    change(store, owner, row_of(number).marketplace_lot_id, quantity=pieces)


def is_listed(batch):
    return batch.items.get().is_listed


@pytest.fixture
def connected(seller):
    return seller


@pytest.fixture
def known(full):
    """The store with its lots, which rows here have."""
    return full


@pytest.fixture
def many(connected, full):
    """So many lots that one may leave the store without looking like another store."""
    for number in range(4001, 4021):
        part(number)
    full.add([store_lot(number) for number in range(4001, 4021)])
    pulled(connected)
    return full


class TestAPull:
    def test_marks_what_a_batch_put_there_and_counts_no_piece_twice(self, store, connected, known):
        batch = stow_more(connected, 3)
        upload(store, connected, 13)

        sync = pull(connected)

        assert (sync.counts["uploaded"], is_listed(batch), row_of(3001).quantity) == (1, False, 13)
        assert apply(sync).applied_counts["uploaded"] == 1
        assert (is_listed(batch), row_of(3001).quantity, base_of(3001).quantity) == (True, 13, 13)
        assert changed_lots(owner=connected).lots == 0
        assert check_ledger(owner=connected).is_sound

    def test_marks_a_batch_of_new_lots(self, store, connected, known):
        place = Location.objects.first()
        batch = make_batch(connected)
        make_item(batch, 10, price="0.1000", lot=part(3010), condition="U", remarks=place.name)
        stow_all(batch, place)
        known.add([store_lot(3010, remarks=place.name)])

        pulled(connected)

        item = batch.items.get()
        assert (item.is_listed, row_of(3010).quantity) == (True, 10)
        assert item.marketplace_lot_id == row_of(3010).marketplace_lot_id

    @pytest.mark.parametrize(
        ("there", "here", "marked"),
        [
            (13, 15, [True, False]),
            (12, 15, [False, True]),
            (15, 15, [True, True]),
            (10, 15, [False, False]),
            (8, 13, [False, False]),  # two of the others were sold
            (14, 19, [False, False]),  # four came there that nobody stowed here
        ],
    )
    def test_marks_what_adds_up(self, store, connected, known, there, here, marked):
        batches = [stow_more(connected, pieces) for pieces in (3, 2)]
        upload(store, connected, there)

        pulled(connected)

        assert [is_listed(batch) for batch in batches] == marked
        assert (row_of(3001).quantity, base_of(3001).quantity) == (here, there)
        assert changed_lots(owner=connected).lots == 0

    def test_marks_what_waited_since_before_imports_knew_it(self, store, connected, known):
        batch = stow_more(connected, 3)
        upload(store, connected, 13)
        pulled(connected)
        BatchItem.objects.update(is_listed=False, listed_at=None, marketplace_lot_id=None)

        sync = pulled(connected)

        assert (is_listed(batch), sync.applied_counts["uploaded"]) == (True, 1)
        undo(sync)
        assert not is_listed(batch)

    def test_of_a_store_without_the_lot_takes_only_what_was_there(self, store, connected, many):
        batch = stow_more(connected, 3)
        many.delete(row_of(3001).marketplace_lot_id)

        pulled(connected)

        assert (row_of(3001).quantity, is_listed(batch)) == (3, False)
        assert check_ledger(owner=connected).is_sound

    def test_of_a_store_without_the_lot_takes_what_was_put_there_too(self, store, connected, many):
        batch = stow_more(connected, 3)
        lot_id = row_of(3001).marketplace_lot_id
        ChannelLot.objects.filter(marketplace_lot_id=lot_id).update(quantity=13)
        many.delete(lot_id)

        pulled(connected)

        assert (row_of(3001).quantity, is_listed(batch)) == (0, True)

    def test_is_taken_back_by_its_undo(self, store, connected, known):
        batch = stow_more(connected, 3)
        upload(store, connected, 13)
        sync = pulled(connected)

        assert undo(sync).state == "undone"

        assert (is_listed(batch), row_of(3001).quantity) == (False, 13)


class TestTheSync:
    def test_marks_what_a_batch_put_there_and_sends_one_piece_less(self, store, connected, known):
        batch = stow_more(connected, 3)
        upload(store, connected, 13)
        more(connected, 3001, -1)

        first, second = cycle(connected), cycle(connected)

        assert (is_listed(batch), there_of(known, 3001)["quantity"]) == (True, 12)
        assert (done(first), done(second)) == ({"sent": 1, "uploaded": 1}, {})
        assert InventorySync.objects.filter(pk=first.import_id).exists()
        assert calls_of(store, "PUT") == 1

    def test_keeps_what_waits_in_a_lot_that_left_the_store(self, store, connected, many):
        batch = stow_more(connected, 3)
        many.delete(row_of(3001).marketplace_lot_id)

        sync = cycle(connected)

        assert (sync.state, row_of(3001).quantity, is_listed(batch)) == ("applied", 3, False)

    def test_after_one_piece_was_taken_takes_no_lot_off_sale(self, store, connected, known):
        stow_more(connected, 3)
        upload(store, connected, 13)
        pulled(connected)
        more(connected, 3001, -1)

        cycle(connected)

        assert there_of(known, 3001)["quantity"] == 12

    def test_a_batch_stowed_on_top_waits_alone(self, store, connected, known):
        stow_more(connected, 3)
        upload(store, connected, 13)
        pulled(connected)
        batch = stow_more(connected, 4)

        assert done(cycle(connected)) == {}
        assert (there_of(known, 3001)["quantity"], is_listed(batch)) == (13, False)


class TestTheComparison:
    @pytest.mark.parametrize(("there", "taken"), [(11, 1), (13, 0)])
    def test_takes_no_pieces_off_that_wait_here(self, store, connected, known, there, taken):
        stow_more(connected, 3)
        upload(store, connected, there)

        sync = store_sync.start_plan(owner=connected, batch=None, now=now())
        run_jobs()
        sync.refresh_from_db()

        counts = sync.counts
        assert (counts["lowered"], counts["taken"], counts["same"]) == (0, taken, 3 - taken)

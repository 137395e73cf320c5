"""A store moves in while buyers wait: their pieces lie in the bins, and are counted no more."""

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, InventorySync, Promise
from apps.inventory.services.bsx_sync import start_apply, start_undo
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.bsx_files import bsx, sync_file, undo
from apps.inventory.tests.bsx_files import lot as lot_in_file
from apps.listings.services.store_pull import start_pull
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.walks import stops_of
from apps.orders.services.picking import pick_stop
from apps.orders.services.serving import serve_lacking
from apps.orders.tests.factories import make_walk

pytestmark = pytest.mark.django_db


@pytest.fixture
def moved_in(ann, shop):
    """A store of 10 pieces, of which 3 were sold before it was read; the import."""
    lot = make_lot(make_item("3001"), make_color(5, name="Red"))
    shop.buy(place={shop.list(lot, 10): 3})
    return pull(ann)


def pull(owner):
    sync = start_pull(owner=owner, by=owner, now=now())
    run_jobs()
    start_apply(sync=InventorySync.objects.get(pk=sync.pk), confirm_zeroed=None, by=owner)
    run_jobs()
    return InventorySync.objects.get(pk=sync.pk)


def told(owner):
    rows = OrderEvent.objects.filter(owner=owner, is_difference=True, seen_at=None)
    return list(rows.values_list("text", flat=True))


class TestAStoreThatMovesIn:
    def test_finds_the_pieces_of_open_orders_beside_the_stock(self, ann, moved_in):
        row = InventoryItem.objects.get()

        promise = Promise.objects.get()
        assert (row.quantity, promise.item_id, promise.quantity) == (7, row.pk, 3)
        assert promise.is_out
        assert told(ann) == []

    def test_keeps_what_the_store_has_when_they_are_picked(self, ann, moved_in):
        walk = make_walk(ann, Order.objects.get())
        (stop,) = stops_of(walk=walk)
        assert (stop["quantity"], stop["in_bin"]) == (3, 10)

        pick_stop(
            walk=walk,
            item_id=stop["item_id"],
            picked={stop["trays"][0]["line_id"]: 3},
            by=ann,
            now=now(),
        )

        assert InventoryItem.objects.get().quantity == 7
        assert Order.objects.get().lines.get().picked == 3
        assert check_ledger(owner=ann).is_sound

    def test_gives_them_back_when_the_import_is_undone(self, ann, moved_in):
        start_undo(sync=moved_in, by=ann)
        run_jobs()

        assert not InventoryItem.objects.exists()
        assert not Promise.objects.exists()


class TestAnUndoneImport:
    def test_frees_what_orders_were_promised_of_it(self, ann, shop):
        lot = make_lot(make_item("3001"), make_color(5, name="Red"))
        lot_id = shop.list(lot, 10)
        sync = pull(ann)
        shop.buy(place={lot_id: 3})
        shop.pull()
        assert InventoryItem.objects.get().promised == 3

        start_undo(sync=sync, by=ann, rows_changed_since="theirs")
        run_jobs()

        assert InventoryItem.with_deleted.get().promised == 0
        assert not Promise.objects.exists()

    def test_promises_the_pieces_that_come_back(self, ann, shop, monkeypatch):
        monkeypatch.setattr("apps.inventory.services._sync_preview.CHUNK", 1)
        (row,) = shop.put(make_lot(make_item("3001"), make_color(5, name="Red")), 10)
        lot_id = row.marketplace_lot_id
        # The undo begins with the last lot of the file.
        there = lot_in_file(qty=0, LotID=lot_id), lot_in_file(qty=10, price="9", LotID=99)
        sync = sync_file(ann, bsx(*there))
        shop.buy(place={lot_id: 3})
        shop.pull()
        assert Promise.objects.get().item.marketplace_lot_id == 99

        undo(sync, rows_changed_since="theirs")

        row.refresh_from_db()
        assert (row.quantity, row.promised) == (10, 3)
        assert Promise.objects.get().item == row


class TestAnOrderThatStillLacksPieces:
    def test_is_told_what_came_and_what_did_not(self, ann, shop):
        lot = make_lot(make_item("3001"), make_color(5, name="Red"))
        (row,) = shop.put(lot, 10)
        InventoryItem.objects.filter(pk=row.pk).update(quantity=1)
        shop.buy(place={row.marketplace_lot_id: 3})
        shop.pull()
        InventoryItem.objects.filter(pk=row.pk).update(quantity=2)

        serve_lacking(owner=ann, now=now())

        assert Promise.objects.get().quantity == 2
        assert told(ann) == ["Not in stock: 2 × Red Part 3001"]
        assert OrderEvent.objects.get(kind="found").text == "In stock now: 1 × Red Part 3001"

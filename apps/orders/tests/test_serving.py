"""A store moves in while buyers wait: their pieces lie in the bins, and are counted no more."""

import datetime as dt

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import ChannelLot, InventoryItem, InventorySync, Promise
from apps.inventory.services.bsx_sync import start_apply, start_undo
from apps.inventory.services.edits import StockEdit, edit_rows
from apps.inventory.services.items import delete_item
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.promises import take_promises_back
from apps.inventory.services.returns import TakenBackAlready
from apps.inventory.tests.bsx_files import bsx, cancelled_when, sync_file, undo
from apps.inventory.tests.bsx_files import lot as lot_in_file
from apps.listings.services.store_pull import start_pull
from apps.locations.models import Location
from apps.orders.models import Order, OrderEvent, OrderLine
from apps.orders.selectors.orders import lines_of
from apps.orders.selectors.walks import stops_of
from apps.orders.services.handling import cancel_order
from apps.orders.services.picking import ShortLine, pick_stop, undo_stop
from apps.orders.services.serving import serve_lacking
from apps.orders.tests.factories import make_walk, stock_in

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

    @pytest.mark.parametrize("elsewhere", [0, 5])
    def test_keeps_them_beside_the_stock_when_not_finding_them_is_undone(
        self, ann, moved_in, elsewhere
    ):
        row = InventoryItem.objects.get()
        known_since = Order.objects.get().created_at - dt.timedelta(days=1)
        ChannelLot.objects.update(created_at=known_since)
        if elsewhere:
            stock_in(ann, "B-1", elsewhere, lot=row.lot, condition=row.condition)
        walk = make_walk(ann, Order.objects.get())
        picked = {OrderLine.objects.get().pk: 0}
        done = pick_stop(
            walk=walk, item_id=row.pk, picked=picked, reason="not_found", by=ann, now=now()
        )
        assert sum(done.elsewhere.values()) == min(elsewhere, 3)

        undo_stop(
            walk=walk,
            movement_ids=done.movement_ids,
            dropped=done.dropped,
            short=[ShortLine(pk, pieces) for pk, pieces in done.short.items()],
            by=ann,
            now=now(),
        )

        row.refresh_from_db()
        held = Promise.objects.values_list("item_id", "quantity", "is_out")
        assert (row.quantity, list(held)) == (7, [(row.pk, 3, True)])
        assert check_ledger(owner=ann).is_sound

    @pytest.mark.parametrize("became", ["sold out and deleted", "in a full bin"])
    def test_counts_those_of_a_cancelled_order_whatever_their_row_became(
        self, ann, moved_in, became
    ):
        row = InventoryItem.objects.get()
        edit_rows(owner=ann, edits={0: StockEdit(item_id=row.pk, quantity=0)}, by=ann, now=now())
        if became == "in a full bin":
            Location.objects.filter(pk=row.location_id).update(is_full=True)
        else:
            delete_item(item=row, by=ann, now=now())

        cancel_order(order=Order.objects.get(), tell_marketplace=False, by=ann, now=now())

        assert InventoryItem.objects.get().quantity == 3
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

    def test_takes_back_uncounted_pieces_that_it_found_in_a_row_it_changed(self, ann, shop):
        (row,) = shop.put(make_lot(make_item("3001"), make_color(5, name="Red")), 4)
        there = row.marketplace_lot_id
        InventoryItem.objects.filter(pk=row.pk).update(quantity=0)
        shop.buy(place={there: 3})
        shop.pull()
        sync = sync_file(ann, bsx(lot_in_file(qty=10, price="0.25", LotID=there)))
        assert Promise.objects.get().is_out

        undo(sync)

        row.refresh_from_db()
        assert (row.quantity, row.promised) == (0, 0)
        assert not Promise.objects.exists()

    def test_leaves_uncounted_pieces_that_were_promised_before(self, ann, shop):
        lot = make_lot(make_item("3001"), make_color(5, name="Red"))
        there = shop.list(lot, 10)
        shop.buy(place={there: 3})
        pull(ann)
        held = Promise.objects.get()
        assert held.is_out
        sync = sync_file(ann, bsx(lot_in_file(qty=9, price="0.5", LotID=there), currency="USD"))

        undo(sync)

        assert Promise.objects.get() == held

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


class TestAnImportThatIsCancelled:
    """Only the end of an import shows which pieces the store no longer counts."""

    @pytest.fixture(autouse=True)
    def _chunks_of_one_lot(self, monkeypatch):
        monkeypatch.setattr("apps.inventory.services._sync_preview.CHUNK", 1)

    @pytest.fixture
    def sold(self, shop):
        """Lots of the store alone: of 10 pieces each, 3 are sold."""
        color = make_color(5)
        lots = [make_lot(make_item(number), color) for number in ("3001", "3002")]
        shop.buy(place={shop.list(lot, 10): 3 for lot in lots})

    def test_promises_pieces_that_the_store_counts_no_more_when_it_is_finished(self, ann, sold):
        with cancelled_when(lambda run: InventoryItem.objects.count() == 1):
            pull(ann)
        assert not Promise.objects.exists()

        pull(ann)

        rows = Promise.objects.values_list("quantity", "is_out", "item__quantity", "item__promised")
        assert list(rows) == [(3, True, 7, 0)] * 2

    def test_promises_the_pieces_that_a_cancelled_undo_brought_back(self, ann, shop):
        (row,) = shop.put(make_lot(make_item("3001"), make_color(5, name="Red")), 10)
        fewer = lot_in_file(qty=2, LotID=row.marketplace_lot_id)
        sync = sync_file(ann, bsx(lot_in_file(qty=1, LotID=99, ItemID="3002"), fewer))
        shop.buy(place={row.marketplace_lot_id: 3})
        shop.pull()
        row.refresh_from_db()
        assert (row.quantity, row.promised) == (2, 2)
        start_undo(sync=sync, by=ann, rows_changed_since="theirs")

        with cancelled_when(lambda run: run.done >= 1):
            (job,) = run_jobs()

        row.refresh_from_db()
        assert (job.state, row.quantity, row.promised) == ("cancelled", 10, 3)


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
        lacks = OrderEvent.objects.get(kind="lacking")
        assert lacks.text == "Not in stock: 2 × Red Part 3001"
        assert OrderEvent.objects.get(kind="found").text == "In stock now: 1 × Red Part 3001"


class TestALineOfCountedAndUncountedPieces:
    """Two pieces of the row are counted and promised; the third left the stock before."""

    @pytest.fixture
    def row(self, ann, shop):
        (row,) = shop.put(make_lot(make_item("3001"), make_color(5, name="Red")), 4)
        there = row.marketplace_lot_id
        sync_file(ann, bsx(lot_in_file(qty=2, price="0.25", LotID=there)), covers="part")
        shop.buy(place={there: 3})
        shop.pull()
        sync_file(ann, bsx(lot_in_file(qty=10, price="0.25", LotID=there)))
        row.refresh_from_db()
        assert (row.quantity, row.promised) == (12, 2)
        assert check_ledger(owner=ann).is_sound
        return row

    def test_has_a_promise_of_each(self, row):
        held = Promise.objects.order_by("is_out").values_list("item_id", "quantity", "is_out")

        assert list(held) == [(row.pk, 2, False), (row.pk, 1, True)]

    def test_is_one_tray_of_the_stop(self, ann, row):
        (stop,) = stops_of(walk=make_walk(ann, Order.objects.get()))

        assert (stop["quantity"], stop["in_bin"]) == (3, 13)
        assert [tray["quantity"] for tray in stop["trays"]] == [3]

    def test_is_in_one_bin_of_the_order(self, row):
        (line,) = lines_of(order=Order.objects.get())

        assert [(place["item_id"], place["quantity"]) for place in line["places"]] == [(row.pk, 3)]

    @pytest.mark.parametrize(
        ("pieces", "reason", "left"), [(3, "", 10), (1, "", 11), (1, "not_found", 0)]
    )
    def test_is_picked_and_its_promises_end(self, ann, row, pieces, reason, left):
        order = Order.objects.get()
        (stop,) = stops_of(walk=(walk := make_walk(ann, order)))
        (tray,) = stop["trays"]

        done = pick_stop(
            walk=walk,
            item_id=row.pk,
            picked={tray["line_id"]: pieces},
            by=ann,
            now=now(),
            reason=reason,
        )

        row.refresh_from_db()
        assert (done.taken, row.quantity) == ({tray["line_id"]: pieces}, left)
        assert check_ledger(owner=ann).is_sound

    @pytest.mark.parametrize("pieces", [2, 3])
    def test_is_to_be_picked_again_after_an_undo(self, ann, row, pieces):
        walk = make_walk(ann, Order.objects.get())
        (stop,) = stops_of(walk=walk)
        held = list(Promise.objects.order_by("is_out").values_list("quantity", "is_out"))
        picked = {stop["trays"][0]["line_id"]: pieces}
        done = pick_stop(walk=walk, item_id=row.pk, picked=picked, by=ann, now=now())

        undo = {"movement_ids": done.movement_ids, "uncounted": done.uncounted}
        count = undo_stop(walk=walk, by=ann, now=now(), **undo)

        row.refresh_from_db()
        assert (count, row.quantity, row.promised) == (pieces, 12, 2)
        assert OrderLine.objects.get().picked == 0
        assert list(Promise.objects.order_by("is_out").values_list("quantity", "is_out")) == held
        assert check_ledger(owner=ann).is_sound

    def test_is_taken_back_once(self, ann, row):
        walk = make_walk(ann, Order.objects.get())
        (stop,) = stops_of(walk=walk)
        picked = {stop["trays"][0]["line_id"]: 3}
        done = pick_stop(walk=walk, item_id=row.pk, picked=picked, by=ann, now=now())
        undo_stop(walk=walk, movement_ids=[], uncounted=done.uncounted, by=ann, now=now())

        with pytest.raises(TakenBackAlready):
            undo_stop(walk=walk, movement_ids=[], uncounted=done.uncounted, by=ann, now=now())

        assert OrderLine.objects.get().picked == 2

    def test_is_not_taken_back_of_an_order_that_was_cancelled_since(self, ann, row):
        order = Order.objects.get()
        walk = make_walk(ann, order)
        (stop,) = stops_of(walk=walk)
        picked = {stop["trays"][0]["line_id"]: 3}
        done = pick_stop(walk=walk, item_id=row.pk, picked=picked, by=ann, now=now())
        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())
        row.refresh_from_db()
        before = (row.quantity, row.promised, Promise.objects.count())

        with pytest.raises(TakenBackAlready):
            undo_stop(walk=walk, movement_ids=[], uncounted=done.uncounted, by=ann, now=now())

        row.refresh_from_db()
        assert (row.quantity, row.promised, Promise.objects.count()) == before

    def test_is_freed_by_a_cancelled_order(self, ann, row):
        cancel_order(order=Order.objects.get(), tell_marketplace=False, by=ann, now=now())

        row.refresh_from_db()
        # All of them lie in the bin still.
        assert (row.quantity, row.promised, Promise.objects.count()) == (13, 0, 0)

    def test_gives_back_its_newest_pieces_first(self, ann, row):
        line_id = Promise.objects.values_list("line_id", flat=True)[0]

        freed = take_promises_back(owner=ann, line_ids=[line_id], at_most={line_id: 2}, now=now())

        row.refresh_from_db()
        assert (freed.pieces, row.promised) == ({line_id: 2}, 1)
        assert check_ledger(owner=ann).is_sound

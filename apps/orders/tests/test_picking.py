"""A walk past the bins: in their order, nothing twice, short with a reason, undone."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.testing.threads import at_once
from apps.core.waiting import Asked
from apps.inventory.models import FREE, InventoryItem, Movement, Promise
from apps.inventory.services.errors import NotEnoughInStock, PromisedToBuyers
from apps.inventory.services.items import delete_item
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.returns import TakenBackAlready
from apps.inventory.services.stocked_locations import delete_location, move_all
from apps.inventory.services.stocktakes import (
    Count,
    apply_stocktake,
    record_counts,
    start_stocktake,
)
from apps.inventory.services.stow import TakeLine, take_out
from apps.orders.models import Order, OrderEvent, OrderLine, PickWalk
from apps.orders.selectors.walks import stops_of
from apps.orders.services.errors import AlreadyInAWalk, NothingToPick, WalkIsOver
from apps.orders.services.handling import cancel_order
from apps.orders.services.picking import ShortLine, end_walk, pick_stop, start_walk, undo_stop
from apps.orders.services.waiting import bins_to_count
from apps.orders.tests.factories import make_order, make_walk, stock_in

pytestmark = pytest.mark.django_db


def pick(walk, stop, by, *, pieces=None, reason=""):
    """Take what a stop asks for, or so many pieces for each tray."""
    picked = {
        tray["line_id"]: tray["quantity"] if pieces is None else pieces for tray in stop["trays"]
    }
    return pick_stop(
        walk=walk, item_id=stop["item_id"], picked=picked, by=by, now=now(), reason=reason
    )


def holds(row):
    row.refresh_from_db()
    return row.quantity, row.promised


class TestAWalk:
    def test_goes_by_bins_in_natural_order_with_a_tray_for_each_order(self, ann):
        far, near = stock_in(ann, "A-10", 9), stock_in(ann, "A-2", 9)
        one, two = make_order(ann, (far, 2), (near, 1)), make_order(ann, (far, 3))

        stops = stops_of(walk=make_walk(ann, one, two))

        assert [(stop["location_name"], stop["quantity"]) for stop in stops] == [
            ("A-2", 1),
            ("A-10", 5),
        ]
        assert [(tray["tray"], tray["quantity"]) for tray in stops[1]["trays"]] == [
            ("A", 2),
            ("B", 3),
        ]

    def test_takes_the_pieces_as_sales_of_their_lines(self, ann):
        row = stock_in(ann, "A-1", 5)
        order = make_order(ann, (row, 3))
        walk = make_walk(ann, order)

        done = pick(walk, stops_of(walk=walk)[0], ann)

        assert (done.is_over, sum(done.taken.values())) == (True, 3)
        assert holds(row) == (2, 0)
        sale = Movement.objects.get(reason="sale")
        assert (sale.delta, sale.cause_kind, sale.cause_id) == (-3, "order", order.lines.get().pk)
        order.refresh_from_db()
        assert order.state == "picked"
        assert check_ledger().is_sound

    def test_is_over_when_nothing_is_left(self, ann):
        walk = make_walk(ann)
        pick(walk, stops_of(walk=walk)[0], ann)

        walk.refresh_from_db()
        assert walk.ended_at is not None
        with pytest.raises(WalkIsOver):
            pick_stop(walk=walk, item_id=1, picked={1: 1}, by=ann, now=now())

    def test_goes_on_after_a_pause_where_it_was(self, ann):
        rows = [stock_in(ann, f"A-{n}", 5) for n in (1, 2)]
        walk = make_walk(ann, make_order(ann, *((row, 1) for row in rows)))
        pick(walk, stops_of(walk=walk)[0], ann)

        left = stops_of(walk=PickWalk.objects.get(pk=walk.pk))

        assert [stop["location_name"] for stop in left] == ["A-2"]

    def test_takes_an_order_that_is_in_another_one_no_more(self, ann):
        order = make_order(ann)
        make_walk(ann, order)

        with pytest.raises(AlreadyInAWalk):
            make_walk(ann, order)

    def test_may_end_early(self, ann):
        order = make_order(ann)
        walk = make_walk(ann, order)
        end_walk(walk=walk, now=now())

        assert stops_of(walk=make_walk(ann, order))

    def test_needs_something_to_pick(self, ann):
        order = make_order(ann)
        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())

        with pytest.raises(NothingToPick):
            make_walk(ann, order)

    def test_costs_the_same_statements_for_many_orders(self, ann):
        rows = [stock_in(ann, f"A-{n}", 90) for n in range(6)]
        orders = [make_order(ann, *((row, 1) for row in rows)) for _ in range(8)]
        walk = make_walk(ann, *orders)

        with CaptureQueriesContext(connection) as seen:
            stops = stops_of(walk=walk)

        assert (len(seen), len(stops)) == (4, 6)

    def test_begins_with_the_same_statements_for_many_orders(self, ann):
        rows = [stock_in(ann, f"A-{n}", 90) for n in range(6)]
        orders = [make_order(ann, *((row, 1) for row in rows)) for _ in range(10)]
        counts = []

        for some in (orders[:2], orders[2:]):
            with CaptureQueriesContext(connection) as seen:
                make_walk(ann, *some)
            counts.append(len(seen))

        assert counts[0] == counts[1]

    def test_leads_to_items_that_the_catalogue_does_not_have(self, ann):
        row = stock_in(ann, "A-1", 5)
        InventoryItem.objects.filter(pk=row.pk).update(lot=None, raw_item_number="x99")

        walk = make_walk(ann, make_order(ann, (row, 2)))

        assert [stop["item_number"] for stop in stops_of(walk=walk)] == ["x99"]
        assert holds(row) == (5, 2)

    def test_promises_all_its_orders_what_has_come_since(self, ann):
        lot = make_lot()
        row = stock_in(ann, "A-1", 1, lot=lot)
        orders = [make_order(ann, (row, 2)), make_order(ann, (row, 3))]
        stock_in(ann, "A-2", 9, lot=lot)

        stops = stops_of(walk=make_walk(ann, *orders))

        assert sum(stop["quantity"] for stop in stops) == 5


class TestAnUndo:
    def test_puts_the_pieces_back_to_be_picked_again(self, ann):
        row = stock_in(ann, "A-1", 5)
        order = make_order(ann, (row, 3))
        walk = make_walk(ann, order)
        done = pick(walk, stops_of(walk=walk)[0], ann)

        undo_stop(walk=walk, movement_ids=done.movement_ids, by=ann, now=now())

        assert holds(row) == (5, 3)
        order.refresh_from_db()
        assert order.state == "paid"
        assert [stop["quantity"] for stop in stops_of(walk=walk)] == [3]

    def test_puts_the_pieces_back_though_their_empty_row_was_deleted(self, ann):
        row = stock_in(ann, "A-1", 3)
        walk = make_walk(ann, make_order(ann, (row, 3)))
        done = pick(walk, stops_of(walk=walk)[0], ann)
        row.refresh_from_db()
        delete_item(item=row, by=ann, now=now())

        undo_stop(walk=walk, movement_ids=done.movement_ids, by=ann, now=now())

        assert holds(InventoryItem.objects.get()) == (3, 3)

    def test_puts_back_what_two_rows_gave_to_one_line(self, ann):
        lot = make_lot()
        rows = [stock_in(ann, f"A-{n}", 3, lot=lot) for n in (1, 2)]
        walk = make_walk(ann, make_order(ann, (rows[0], 5)))
        done = [pick(walk, stop, ann) for stop in stops_of(walk=walk)]

        moves = [pk for one in done for pk in one.movement_ids]
        assert undo_stop(walk=walk, movement_ids=moves, by=ann, now=now()) == 5

        assert OrderLine.objects.get().picked == 0
        assert sum(holds(row)[1] for row in rows) == 5


class TestPiecesThatAreMissing:
    def test_are_looked_for_in_another_bin(self, ann):
        lot = make_lot()
        here, there = stock_in(ann, "A-1", 4, lot=lot), stock_in(ann, "B-1", 3, lot=lot)
        walk = make_walk(ann, make_order(ann, (here, 4)))
        (stop,) = stops_of(walk=walk)
        assert stop["others"] == [{"item_id": there.pk, "location_name": "B-1", "free": 3}]

        done = pick(walk, stop, ann, pieces=1, reason="not_found")

        assert (sum(done.elsewhere.values()), sum(done.short.values())) == (3, 0)
        assert [stop["location_name"] for stop in stops_of(walk=walk)] == ["B-1"]
        assert holds(here) == (0, 0)

    def test_fall_short_with_their_reason_where_there_is_no_other(self, ann):
        row = stock_in(ann, "A-1", 4)
        order = make_order(ann, (row, 4))
        walk = make_walk(ann, order)

        done = pick(walk, stops_of(walk=walk)[0], ann, pieces=1, reason="damaged")

        line = order.lines.get()
        assert (line.picked, line.short, line.short_reason) == (1, 3, "damaged")
        assert done.is_over
        assert holds(row) == (0, 0)
        assert "Damaged: 3" in OrderEvent.objects.get(kind="short").text
        assert check_ledger().is_sound

    def test_empty_their_bin_of_the_lot(self, ann):
        row = stock_in(ann, "A-1", 60)
        order = make_order(ann, (row, 10))
        walk = make_walk(ann, order)

        done = pick(walk, stops_of(walk=walk)[0], ann, pieces=2, reason="not_found")

        assert holds(row) == (0, 0)
        assert (order.lines.get().picked, order.lines.get().short) == (2, 8)
        assert done.count_location_id == row.location_id
        assert check_ledger().is_sound

    @pytest.mark.parametrize(
        ("reason", "left", "quantity"),
        [("too_few", None, 0), ("damaged", None, 50), ("damaged", 7, 7), ("not_found", 60, 50)],
    )
    def test_leave_as_many_as_the_picker_says(self, ann, reason, left, quantity):
        row = stock_in(ann, "A-1", 60)
        walk = make_walk(ann, make_order(ann, (row, 10)))
        picked = {stops_of(walk=walk)[0]["trays"][0]["line_id"]: 2}

        pick_stop(
            walk=walk, item_id=row.pk, picked=picked, by=ann, now=now(), reason=reason, left=left
        )

        assert holds(row) == (quantity, 0)

    def test_are_looked_for_elsewhere_for_other_orders_too(self, ann):
        lot = make_lot()
        row, there = stock_in(ann, "A-1", 60, lot=lot), stock_in(ann, "B-1", 7, lot=lot)
        order, other = make_order(ann, (row, 10)), make_order(ann, (row, 5))
        walk = make_walk(ann, order)

        done = pick(walk, stops_of(walk=walk)[0], ann, pieces=8, reason="not_found")

        assert sum(done.elsewhere.values()) == 2
        assert (holds(row), holds(there)) == ((0, 0), (7, 7))
        assert not OrderEvent.objects.filter(order=other, kind="lacking").exists()

    def test_are_lacking_in_other_orders_that_nothing_serves(self, ann):
        row = stock_in(ann, "A-1", 60)
        order, other = make_order(ann, (row, 10)), make_order(ann, (row, 5))
        walk = make_walk(ann, order)
        line = order.lines.get().pk

        pick_stop(
            walk=walk, item_id=row.pk, picked={line: 8}, by=ann, now=now(), reason="too_few", left=2
        )

        assert holds(row) == (2, 2)
        assert OrderEvent.objects.get(order=other, kind="lacking").text.startswith(
            "Not in stock: 3"
        )

    def test_come_back_with_an_undo_of_the_stop(self, ann):
        row = stock_in(ann, "A-1", 60)
        order = make_order(ann, (row, 10))
        make_order(ann, (row, 5))
        walk = make_walk(ann, order)
        done = pick(walk, stops_of(walk=walk)[0], ann, pieces=2, reason="not_found")
        short = [ShortLine(pk, n) for pk, n in done.short.items()]

        undo = {"movement_ids": done.movement_ids, "short": short, "by": ann, "now": now()}
        undo_stop(walk=walk, **undo)

        assert holds(row) == (60, 15)
        line = order.lines.get()
        assert (line.picked, line.short, line.short_reason) == (0, 0, "")
        assert [stop["quantity"] for stop in stops_of(walk=walk)] == [10]
        assert check_ledger().is_sound
        with pytest.raises(TakenBackAlready):
            undo_stop(walk=walk, **undo)

    def test_propose_a_count_of_their_bin_on_home_until_it_is_booked(self, ann):
        row = stock_in(ann, "A-1", 4)
        walk = make_walk(ann, make_order(ann, (row, 4)))
        pick(walk, stops_of(walk=walk)[0], ann, pieces=1, reason="not_found")

        def lines():
            return list(bins_to_count(Asked(owner=ann, currency="EUR", now=now())))

        (line,) = lines()
        stocktake = start_stocktake(owner=ann, location=row.location)
        record_counts(stocktake=stocktake, counts=[Count(counted=0, item_id=row.pk)], now=now())
        apply_stocktake(stocktake=stocktake, by=ann, now=now(), uncounted="keep", note="")

        assert line.to == f"/app/inventory?walk=count&bin={row.location_id}"
        assert "A-1" in line.note
        assert lines() == []

    def test_without_a_reason_wait(self, ann):
        row = stock_in(ann, "A-1", 4)
        walk = make_walk(ann, make_order(ann, (row, 4)))

        pick(walk, stops_of(walk=walk)[0], ann, pieces=1)

        assert [stop["quantity"] for stop in stops_of(walk=walk)] == [3]


class TestMeanwhile:
    def test_a_row_with_fewer_pieces_than_are_promised_keeps_the_other_promise(self, ann):
        lot = make_lot()
        row, there = stock_in(ann, "A-1", 5, lot=lot), stock_in(ann, "A-2", 3, lot=lot)
        early, late = make_order(ann, (row, 1)), make_order(ann, (row, 2))
        walk = make_walk(ann, early, late)
        InventoryItem.objects.filter(pk=row.pk).update(quantity=2)  # as an import may leave it

        pick_stop(walk=walk, item_id=row.pk, picked={late.lines.get().pk: 2}, by=ann, now=now())

        assert (holds(row), holds(there)) == ((0, 1), (3, 0))
        cancel_order(order=early, tell_marketplace=False, by=ann, now=now())
        assert (holds(row), Promise.objects.count()) == ((0, 0), 0)

    def test_an_order_that_was_cancelled_gives_nothing_more(self, ann):
        row = stock_in(ann, "A-1", 4)
        order = make_order(ann, (row, 4))
        walk = make_walk(ann, order)
        (stop,) = stops_of(walk=walk)
        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())

        done = pick(walk, stop, ann)

        assert (done.taken, sum(done.already.values())) == ({}, 4)
        assert holds(row) == (4, 0)

    def test_a_bin_that_was_deleted_leaves_its_pieces_to_be_picked(self, ann):
        row = stock_in(ann, "A-1", 4)
        walk = make_walk(ann, make_order(ann, (row, 4)))
        bin_ = row.location
        move_all(location=bin_, to=None, by=ann, now=now())
        delete_location(location=bin_)

        (stop,) = stops_of(walk=walk)

        assert (stop["location_name"], stop["quantity"]) == ("", 4)
        assert pick(walk, stop, ann).is_over


@pytest.mark.django_db(transaction=True)
class TestTwoAtOnce:
    def test_take_the_pieces_of_a_stop_once(self, ann):
        row = stock_in(ann, "A-1", 40)
        walk = make_walk(ann, make_order(ann, (row, 5)))
        (stop,) = stops_of(walk=walk)

        def act(_):
            try:
                return sum(pick(walk, stop, ann).taken.values())
            except WalkIsOver:
                return 0

        taken = at_once(act, threads=6)

        assert sum(taken) == 5
        assert holds(row) == (35, 0)
        assert OrderLine.objects.get().picked == 5
        assert check_ledger().is_sound

    def test_the_last_piece_is_sold_or_taken_never_both(self, ann):
        row = stock_in(ann, "A-1", 1)

        def act(number):
            try:
                if number % 2:
                    return make_order(ann, (row, 1)).pk and 0
                take_out(
                    owner=ann,
                    lines=[TakeLine(item_id=row.pk, quantity=1)],
                    by=ann,
                    now=now(),
                    all_or_nothing=True,
                )
            except (NotEnoughInStock, PromisedToBuyers):
                return 0
            return 1

        taken = sum(at_once(act, threads=8))

        promised = sum(Promise.objects.values_list("quantity", flat=True))
        assert taken + promised == 1
        row.refresh_from_db()
        assert (row.quantity, row.promised) == (1 - taken, promised)

    def test_promise_no_piece_twice(self, ann):
        row = stock_in(ann, "A-1", 10)

        at_once(lambda _: make_order(ann, (row, 3)), threads=6)

        assert Order.objects.count() == 6
        assert sum(Promise.objects.values_list("quantity", flat=True)) == 10
        assert list(InventoryItem.objects.annotate(n=FREE).values_list("n", flat=True)) == [0]
        assert start_walk(
            owner=ann, order_ids=list(Order.objects.values_list("pk", flat=True)), now=now()
        )

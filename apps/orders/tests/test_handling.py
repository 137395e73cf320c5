"""Packed, shipped and filed orders are sent to the marketplace once; cancelled and returned
orders put their pieces back into the bins."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_item, make_lot
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.services.items import delete_item
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.received import receive
from apps.locations.models import Location
from apps.locations.services.errors import LocationFull
from apps.locations.tests.factories import make_location
from apps.marketplace.providers.orders import OrderState
from apps.orders.models import Order, OrderEvent, OrderIntent, StepState
from apps.orders.selectors.walks import stops_of
from apps.orders.services.arrival import receive_order
from apps.orders.services.errors import NothingToPick, NotReturnable, OrderIsOver
from apps.orders.services.handling import (
    cancel_order,
    file_order,
    leave_out,
    pack_order,
    ship_order,
    take_back,
    unship_order,
)
from apps.orders.services.picking import start_walk
from apps.orders.tests.factories import make_order, stock_in
from apps.orders.tests.test_arrival import RECEIVED, line, lot, told
from apps.orders.tests.test_picking import pick

pytestmark = pytest.mark.django_db


def pick_all(order, by):
    walk = start_walk(owner=order.owner, order_ids=[order.pk], now=now())
    for stop in stops_of(walk=walk):
        pick(walk, stop, by)
    order.refresh_from_db()
    return order


@pytest.fixture
def sold(ann, shop):
    """An order of the store, picked."""
    (row,) = shop.put(make_lot(), 10)
    shop.buy(place={row.marketplace_lot_id: 4})
    shop.pull()
    return pick_all(Order.objects.get(), ann)


class TestTheMarketplace:
    def test_is_told_packed_shipped_the_number_and_filed(self, sold, shop):
        pack_order(order=sold, weighed_grams=Decimal("12.5"), now=now())
        ship_order(order=sold, tracking_number="RR 1", now=now())
        run_jobs()
        file_order(order=sold, now=now())
        run_jobs()

        with shop.client() as client:
            there = client.order(sold.marketplace_order_id)

        assert (there.state, there.tracking_number, there.is_filed) == (
            OrderState.SHIPPED,
            "RR 1",
            True,
        )
        assert set(OrderIntent.objects.values_list("state", flat=True)) == {StepState.DONE}

    def test_is_told_each_thing_once(self, sold, store):
        for _ in range(3):
            pack_order(order=sold, weighed_grams=None, now=now())
            run_jobs()

        path = f"PUT /orders/{sold.marketplace_order_id}/status"
        assert store.calls[path] == 1

    def test_that_answers_nothing_is_told_again(self, sold, store, shop):
        from simulators.store.failures import Mode, Plan

        store.failures.add(Plan(Mode.CUT_AFTER, times=1, method="PUT"))
        pack_order(order=sold, weighed_grams=None, now=now())
        run_jobs()
        Job.objects.update(not_before=None)
        run_jobs()

        with shop.client() as client:
            assert client.order(sold.marketplace_order_id).state == OrderState.PACKED
        assert OrderIntent.objects.get().state == StepState.DONE

    def test_that_refuses_is_told_of_on_the_order(self, sold, shop):
        shop.buy(refuse=["PACKED"])
        pack_order(order=sold, weighed_grams=None, now=now())
        run_jobs()

        intent = OrderIntent.objects.get()
        assert (intent.state, "refused" in intent.reason) == (StepState.REFUSED, True)
        assert OrderEvent.objects.filter(kind="refused", is_difference=True).exists()
        sold.refresh_from_db()
        assert sold.state == "packed"

    def test_hears_nothing_of_a_sale_by_hand(self, ann):
        order = pick_all(make_order(ann), ann)

        ship_order(order=order, tracking_number="", now=now())

        assert not OrderIntent.objects.exists()

    def test_read_again_changes_nothing_that_is_further_here(self, sold, shop):
        shop.buy(order_id=sold.marketplace_order_id, fields={"remarks": "hello"})
        shop.pull()
        sold.refresh_from_db()

        assert sold.state == "picked"


class TestPacking:
    def test_waits_for_the_last_piece(self, ann):
        with pytest.raises(OrderIsOver):
            pack_order(order=make_order(ann), weighed_grams=None, now=now())

    def test_of_a_cancelled_order_is_refused(self, ann):
        order = make_order(ann)
        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())

        with pytest.raises(OrderIsOver):
            ship_order(order=order, tracking_number="", now=now())


class TestComingBack:
    def test_a_cancelled_order_puts_everything_back(self, ann):
        rows = [stock_in(ann, f"A-{n}", 5) for n in (1, 2)]
        order = make_order(ann, *((row, 3) for row in rows))
        walk = start_walk(owner=ann, order_ids=[order.pk], now=now())
        pick(walk, stops_of(walk=walk)[0], ann)

        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())

        for row in InventoryItem.objects.owned_by(ann):
            assert (row.quantity, row.promised) == (5, 0)
        assert check_ledger().is_sound

    def test_pieces_of_a_cancelled_order_did_not_come_back_from_a_buyer(self, ann):
        order = pick_all(make_order(ann, (stock_in(ann, "A-1", 5), 3)), ann)

        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())

        moves = Movement.objects.filter(cause_kind="order").order_by("pk")
        assert list(moves.values_list("reason", "delta")) == [("sale", -3), ("undo", 3)]

    def test_a_part_comes_back_as_a_movement_of_its_own(self, ann):
        row = stock_in(ann, "A-1", 5)
        order = pick_all(make_order(ann, (row, 3)), ann)
        line = order.lines.get()

        take_back(order=order, pieces={line.pk: 2}, location_id=None, by=ann, now=now())

        row.refresh_from_db()
        back = Movement.objects.get(reason="return")
        assert (row.quantity, back.delta, back.cause_id) == (4, 2, line.pk)
        with pytest.raises(NotReturnable):
            take_back(order=order, pieces={line.pk: 2}, location_id=None, by=ann, now=now())

    def test_pieces_that_the_stock_counted_no_more_come_in_again(self, ann, shop):
        (row,) = shop.put(make_lot(), 5)
        receive(owner=ann, lots={row.marketplace_lot_id: RECEIVED}, now=now())
        early = now() - dt.timedelta(hours=1)
        bought = line(row.lot, 2, lot_id=row.marketplace_lot_id)
        order = receive_order(owner=ann, told=told(bought, at=early), now=now()).order
        order = pick_all(order, ann)
        row.refresh_from_db()
        assert row.quantity == 5

        take_back(
            order=order, pieces={order.lines.get().pk: 2}, location_id=None, by=ann, now=now()
        )

        row.refresh_from_db()
        assert (row.quantity, row.promised) == (7, 0)

    def test_of_an_order_that_its_buyer_cancelled_during_the_walk(self, ann, shop):
        rows = [shop.put(make_lot(), 5, bin=f"A-{n}")[0] for n in (1, 2)]
        number = shop.buy(place={row.marketplace_lot_id: 3 for row in rows})
        shop.pull()
        order = Order.objects.get()
        walk = start_walk(owner=ann, order_ids=[order.pk], now=now())
        stops = stops_of(walk=walk)
        pick(walk, stops[0], ann)
        shop.buy(order_id=number, cancel=True)

        shop.pull()

        late = pick(walk, stops[1], ann)
        assert (late.taken, sum(late.already.values()), late.is_over) == ({}, 3, True)
        assert OrderEvent.objects.filter(text__startswith="3 picked pieces have to go").exists()
        order.refresh_from_db()
        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())
        for row in InventoryItem.objects.owned_by(ann):
            assert (row.quantity, row.promised) == (5, 0)

    def test_into_a_bin_of_choice(self, ann):
        row = stock_in(ann, "A-1", 5)
        order = pick_all(make_order(ann, (row, 3)), ann)
        other = make_location(ann, "R-1")

        take_back(
            order=order, pieces={order.lines.get().pk: 3}, location_id=other.pk, by=ann, now=now()
        )

        where = dict(InventoryItem.objects.values_list("location__name", "quantity"))
        assert where == {"A-1": 2, "R-1": 3}

    def test_into_another_bin_though_their_own_has_no_room(self, ann):
        row = stock_in(ann, "A-1", 5)
        order = pick_all(make_order(ann, (row, 3)), ann)
        Location.objects.filter(pk=row.location_id).update(is_full=True)
        other = make_location(ann, "R-1")
        back = {"order": order, "pieces": {order.lines.get().pk: 3}, "by": ann, "now": now()}
        with pytest.raises(LocationFull):
            take_back(location_id=row.location_id, **back)
        with pytest.raises(LocationFull):
            take_back(location_id=None, **back)

        take_back(location_id=other.pk, **back)

        where = dict(InventoryItem.objects.values_list("location__name", "quantity"))
        assert where == {"A-1": 2, "R-1": 3}
        assert check_ledger().is_sound

    @pytest.mark.parametrize("bin_", ["", "R-1"])
    def test_of_a_sold_out_row_that_was_deleted(self, ann, bin_):
        row = stock_in(ann, "A-1", 3)
        order = pick_all(make_order(ann, (row, 3)), ann)
        row.refresh_from_db()
        delete_item(item=row, by=ann, now=now())
        to = make_location(ann, bin_).pk if bin_ else None

        take_back(order=order, pieces={order.lines.get().pk: 3}, location_id=to, by=ann, now=now())

        where = dict(InventoryItem.objects.values_list("location__name", "quantity"))
        assert where == {bin_ or "A-1": 3}
        assert check_ledger().is_sound


class TestWhatIsNext:
    def test_a_walk_without_ids_takes_what_is_paid_and_can_be_picked(self, ann, api):
        row = stock_in(ann, "A-1", 9)
        one, two = make_order(ann, (row, 2)), make_order(ann, (row, 3))
        Order.objects.filter(pk=two.pk).update(state="new")
        client = api(ann)

        assert client.get("/api/orders/waiting").json()["data"][0]["pickable"] == 1
        walk = client.post("/api/pickWalks", {}, format="json").json()["data"][0]

        trays = client.get(f"/api/pickWalks/{walk['id']}/orders").json()["data"]
        assert [(each["order_id"], each["tray"], each["is_open"]) for each in trays] == [
            (one.pk, "A", True)
        ]
        again = client.post("/api/pickWalks", {}, format="json")
        assert again.status_code == 409

    def test_a_picked_order_lies_in_its_tray_until_it_is_packed(self, ann, api):
        order = make_order(ann)
        pick_all(order, ann)
        client = api(ann)

        waiting = client.get("/api/orders/waiting").json()["data"][0]
        picked = client.get(f"/api/orders/{order.pk}").json()["data"][0]

        assert (waiting["next_to_pack"], waiting["next_to_ship"]) == (order.pk, None)
        assert (picked["tray"], picked["walk_id"]) == ("A", None)
        pack_order(order=order, weighed_grams=None, now=now())
        assert client.get(f"/api/orders/{order.pk}").json()["data"][0]["tray"] == ""
        assert order.lines.get().is_checked

    def test_its_expected_weight_is_that_of_the_pieces_that_are_sent(self, ann, api):
        light = stock_in(ann, "A-1", 9, lot=make_lot(item=make_item(weight_grams="2.5")))
        unknown = stock_in(ann, "A-2", 9, lot=make_lot(item=make_item(weight_grams=None)))
        order = make_order(ann, (light, 4), (unknown, 3))

        row = api(ann).get(f"/api/orders/{order.pk}").json()["data"][0]

        assert (row["expected_grams"], row["pieces_without_weight"]) == ("10.00", 3)

    def test_shipped_is_taken_back(self, ann):
        order = make_order(ann)
        pick_all(order, ann)
        ship_order(order=order, tracking_number="X1", now=now())

        unship_order(order=order, now=now())

        order.refresh_from_db()
        assert (order.state, order.shipped_at, order.tracking_number) == ("packed", None, "X1")


class TestACancelledOrder:
    def test_lacks_nothing_any_more(self, ann, api):
        row = stock_in(ann, "A-1", quantity=1)
        order = make_order(ann, (row, 3))
        client = api(ann)
        assert client.get(f"/api/orders/{order.pk}").json()["data"][0]["lacking"] == 2

        cancel_order(order=order, tell_marketplace=False, by=ann, now=now())

        (found,) = client.get(f"/api/orders/{order.pk}").json()["data"]
        (line,) = client.get(f"/api/orders/{order.pk}/lines").json()["data"]
        assert (found["to_pick"], found["lacking"]) == (0, 0)
        assert (line["to_pick"], line["lacking"]) == (0, 0)


class TestATray:
    def test_leads_to_its_order_until_that_is_packed(self, ann, bo, api):
        order = make_order(ann, (stock_in(ann, "A-1"), 1))
        client = api(ann)

        def found(who=client):
            return [row["id"] for row in who.get("/api/orders?tray=a").json()["data"]]

        assert found() == []
        order = pick_all(order, ann)
        assert (found(), found(api(bo))) == ([order.pk], [])
        pack_order(order=order, weighed_grams=None, now=now())
        assert found() == []


class TestARefund:
    @pytest.fixture
    def sent(self, ann):
        """4 pieces at 0.50, sent."""
        order = make_order(ann, (stock_in(ann, "A-1", price=Decimal("0.50")), 4))
        return ship_order(order=pick_all(order, ann), tracking_number="", now=now())

    def test_of_a_part_is_told_with_its_reason_and_taken_back(self, ann, sent, api):
        client = api(ann)
        address = f"/api/orders/{sent.pk}"

        body = {"amount": "0.30", "note": "One was cracked"}
        (row,) = client.post(f"{address}/refund", body, format="json").json()["data"]

        assert row["refunded"] == "0.3000"
        texts = [event["text"] for event in client.get(f"{address}/events").json()["data"]]
        assert "Refunded 0.30 EUR: One was cracked" in texts
        (row,) = client.post(f"{address}/unrefund", {"amount": "0.30"}, format="json").json()[
            "data"
        ]
        assert row["refunded"] == "0.0000"

    def test_of_more_than_the_order_brought_is_refused(self, ann, sent, api):
        client = api(ann)
        client.post(f"/api/orders/{sent.pk}/refund", {"amount": "1.50"}, format="json")

        answer = client.post(f"/api/orders/{sent.pk}/refund", {"amount": "0.51"}, format="json")

        assert answer.status_code == 409
        told = answer.json()["message"]
        assert told == f"0.50 EUR of order {sent.number} can be given back, not 0.51 EUR."
        answer = client.post(f"/api/orders/{sent.pk}/unrefund", {"amount": "1.51"}, format="json")
        assert answer.status_code == 409

    def test_comes_with_a_return_or_neither_happens(self, ann, sent, api):
        line = {"line_id": sent.lines.get().pk, "quantity": 1}
        client, address = api(ann), f"/api/orders/{sent.pk}/return"

        refused = client.post(address, {"lines": [line], "refund": "9.00"}, format="json")
        assert (refused.status_code, sent.lines.get().returned) == (409, 0)
        (row,) = client.post(address, {"lines": [line], "refund": "0.50"}, format="json").json()[
            "data"
        ]

        assert (row["refunded"], sent.lines.get().returned) == ("0.5000", 1)


class TestAnOrderThatTheBinsCannotServe:
    @pytest.fixture
    def lacking(self, ann):
        there = lot("3001")
        stock_in(ann, "A-1", 3, lot=there, condition="U")
        lines = (line(there, 2), line(lot("3002"), 4))
        return receive_order(owner=ann, told=told(*lines), now=now()).order

    def test_is_packed_without_what_no_bin_has(self, ann, lacking):
        pick_all(lacking, ann)
        with pytest.raises(OrderIsOver):
            pack_order(order=lacking, weighed_grams=None, now=now())

        leave_out(order=lacking, now=now())

        assert pack_order(order=lacking, weighed_grams=None, now=now()).state == "packed"
        assert list(lacking.lines.order_by("pk").values_list("picked", "short")) == [(2, 0), (0, 4)]
        assert OrderEvent.objects.get(kind="short").text.startswith("Left out: 4 ×")

    def test_stays_shipped_when_pieces_are_left_out(self, ann, lacking):
        pick_all(lacking, ann)
        one, two = (each.lot for each in lacking.lines.order_by("pk"))
        sent = told(line(one, 2), line(two, 4), state=OrderState.SHIPPED)
        receive_order(owner=ann, told=sent, now=now())

        leave_out(order=lacking, now=now())

        lacking.refresh_from_db()
        assert lacking.state == "shipped"
        assert list(lacking.lines.order_by("pk").values_list("picked", "short")) == [(2, 0), (0, 4)]

    def test_leaves_nothing_out_while_pieces_lie_in_bins(self, ann, lacking):
        with pytest.raises(OrderIsOver):
            leave_out(order=lacking, now=now())

        assert not lacking.lines.filter(short__gt=0).exists()

    def test_begins_no_walk_without_a_stop(self, ann, lacking):
        pick_all(lacking, ann)

        with pytest.raises(NothingToPick):
            start_walk(owner=ann, order_ids=[lacking.pk], now=now())

    def test_is_not_left_out_whole(self, ann, api):
        order = receive_order(owner=ann, told=told(line(lot("3002"), 4)), now=now()).order

        answer = api(ann).post(f"/api/orders/{order.pk}/leaveOut")

        assert answer.status_code == 409
        assert "cancel it instead" in answer.content.decode()

"""Orders of BrickOwl through the client: as other clients recorded them, in our words."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.core.clock import now
from apps.marketplace.providers.base import NoAnswer, NotOffered, NotThere, Refused, Unreadable
from apps.marketplace.providers.brickowl_orders import read_heads, read_order, read_rows
from apps.marketplace.providers.brickowl_wire import LOT_IDS, ORDER_IDS, OwlColors, OwlItem
from apps.marketplace.providers.orders import OrderState, StoreOrderHead, UnreadOrder
from apps.marketplace.tests.factories import draft, failing
from simulators.brickowl import orders as buyers

#: As a client of 2014 recorded it, the newer fields as one of 2026 did; the buyer is invented.
HEAD = {
    "order_id": "8252449",
    "order_date": "1401330822",
    "total_quantity": "45",
    "total_lots": "1",
    "base_order_total": "16.46",
    "status": "Payment Received",
    "status_id": "2",
}
ORDER = {
    "order_id": "8252449",
    "order_time": "1401330822",
    "updated_time": "1401458811",
    "processed_time": None,
    "ship_method_name": "Canada Post, Light Packet",
    "status": "Payment Received",
    "status_id": "2",
    "weight": "99.100",
    "ship_total": "4.29",
    "eu_duty": "0.50",
    "buyer_note": "Thanks &amp; regards",
    "total_quantity": "45",
    "total_lots": "1",
    "base_currency": "USD",
    "payment_method_type": "paypal_standard",
    "payment_currency": "CAD",
    "payment_total": "22.00",
    "base_order_total": "16.46",
    "sub_total": "12.17",
    "coupon_discount": "0.50",
    "tax_amount": "0.00",
    "tracking_number": None,
    "buyer_name": "Ben Sch",
    "brickowl_fee": 0.30425,
    "customer_email": "x@message.brickowl.com",
    "customer_username": "bens",
    "ship_first_name": "Ben",
    "ship_last_name": "Sch",
    "ship_country_code": "US",
    "ship_post_code": "46219",
    "ship_street_1": "330 N Example Ave",
    "ship_street_2": "",
    "ship_city": "Indianapolis",
    "ship_region": "IN",
}
ITEM = {
    "name": "Brick 2 x 4",
    "type": "Part",
    "color_name": "Red",
    "color_id": "38",
    "boid": "771344-38",
    "lot_id": "5014",
    "condition": "new",
    "full_con": "usedg",
    "ordered_quantity": "45",
    "personal_note": "A-1",
    "public_note": "",
    "base_price": "0.270",
    "weight": "2.200",
}
ITEMS = {"771344": OwlItem(("3001",), "LEGO Brick 2 x 4")}
COLORS = OwlColors({38: (5,)}, {5: (38,)}, {38: "Red"})


def read(rows=(ITEM,), known=None, **told):
    return read_order({**ORDER, **told}, read_rows(list(rows)), ITEMS, COLORS, known or {})


@pytest.fixture
def shop(owl, owl_client):
    """A client of ann's store with two lots, `made`, and her seller's account, `seller`."""
    client = owl_client("ann")
    made = [client.create_lot(draft(remarks="A-1")), client.create_lot(draft(number="3002"))]
    client.__dict__.update(
        seller=owl.sellers.register("ann"),
        made=[lot.lot_id for lot in made],
        ids=[LOT_IDS.theirs(lot.lot_id) for lot in made],
    )
    return client


class TestReading:
    def test_takes_an_order_as_it_was_recorded(self):
        order = read()

        assert (order.state, order.status) == (OrderState.PAID, "Payment Received")
        assert order.ordered_at == dt.datetime(2014, 5, 29, 2, 33, 42, tzinfo=dt.UTC)
        assert order.changed_at == dt.datetime(2014, 5, 30, 14, 6, 51, tzinfo=dt.UTC)
        money = order.money
        assert (money.currency, money.subtotal, money.shipping) == (
            "USD",
            Decimal("12.17"),
            Decimal("4.29"),
        )
        assert money.subtotal + money.shipping + money.fees - money.credit == money.total
        assert order.remarks == "Thanks & regards"
        assert order.address.lines == "330 N Example Ave\n46219 Indianapolis\nIN"
        assert (order.address.name, order.address.country) == ("Ben Sch", "US")

    def test_names_the_item_by_our_number_and_colour(self):
        (line,) = read().lines

        assert (line.lot_id, line.number, line.color_id) == (LOT_IDS.ours(5014), "3001", 5)
        assert (line.item_type, line.condition) == ("PART", "U")
        assert (line.quantity, line.price) == (45, Decimal("0.27"))

    def test_has_an_id_of_its_own_beside_the_same_number_of_another_marketplace(self):
        (head,) = read_heads([HEAD])

        assert head.order_id == read().order_id == ORDER_IDS.ours(8252449) != 8252449
        assert (head.total, head.pieces, head.changed_at) == (Decimal("16.46"), 45, None)

    @pytest.mark.parametrize(
        ("word", "state"),
        [
            ("Pending", OrderState.NEW),
            ("Payment Submitted", OrderState.NEW),
            ("Payment Received", OrderState.PAID),
            ("Processing", OrderState.PAID),
            ("Processed", OrderState.PACKED),
            ("Shipped", OrderState.SHIPPED),
            ("Received", OrderState.DONE),
            ("On Hold", OrderState.NEW),
            ("Cancelled", OrderState.CANCELLED),
            ("Something New", OrderState.NEW),
        ],
    )
    def test_has_a_state_of_ours_for_each_of_theirs(self, word, state):
        assert read(status=word).state == state

    @pytest.mark.parametrize(
        ("row", "why"),
        [
            ({"boid": ""}, "boid is missing"),
            ({"base_price": ""}, "base_price is missing"),
            ({"base_price": "-1"}, "base_price"),
            ({"ordered_quantity": "1.5"}, "ordered_quantity"),
            ({"lot_id": "x"}, "lot_id"),
        ],
    )
    def test_refuses_an_item_by_its_place(self, row, why):
        with pytest.raises(Unreadable, match=f"Item 2: {why}"):
            read([ITEM, {**ITEM, **row}])

    @pytest.mark.parametrize(
        ("told", "why"),
        [
            ({"order_time": None}, "order_time is missing"),
            ({"order_time": "yesterday"}, "order_time"),
            ({"sub_total": "much"}, "sub_total"),
            ({"sub_total": "-1"}, "sub_total"),
            ({"status": None}, "status is missing"),
        ],
    )
    def test_refuses_what_it_does_not_understand(self, told, why):
        with pytest.raises(Unreadable, match=why):
            read(**told)

    def test_refuses_an_order_whose_items_were_not_sent(self):
        with pytest.raises(Unreadable, match="total_quantity is 45"):
            read(rows=[])

    def test_of_a_list_that_cannot_be_read_keeps_the_others(self):
        found = read_heads([HEAD, {**HEAD, "order_id": "7", "total_quantity": "many"}])

        assert isinstance(found[0], StoreOrderHead)
        assert isinstance(found[1], UnreadOrder)
        assert found[1].name == "Order 7"

    def test_takes_nothing_but_a_list_for_a_list(self):
        assert read_heads({}) == []
        with pytest.raises(NoAnswer):
            read_heads({"order_id": "7"})


class TestSales:
    def test_come_with_the_lots_that_they_were_taken_from(self, shop):
        one, two = shop.ids
        placed = buyers.place(shop.seller, {one: 3, two: 2}, now=now())

        (head,) = shop.orders()
        order = shop.order(head.order_id)

        assert head.order_id == ORDER_IDS.ours(placed["order_id"])
        assert [(line.lot_id, line.number, line.quantity) for line in order.lines] == [
            (shop.made[0], "3001", 3),
            (shop.made[1], "3002", 2),
        ]
        assert {lot.lot_id: lot.quantity for lot in shop.lots()}[shop.made[0]] == 9
        assert order.state == OrderState.PAID
        assert head.total == order.money.total

    def test_of_another_seller_are_not_there(self, shop, owl_client):
        placed = buyers.place(shop.seller, {shop.ids[0]: 1}, now=now())

        with pytest.raises(NotThere):
            owl_client("eve").order(ORDER_IDS.ours(placed["order_id"]))

    def test_of_another_marketplace_are_refused_before_a_call(self, shop, owl):
        before = sum(owl.calls.values())

        with pytest.raises(Refused, match="order belongs to the store at another marketplace"):
            shop.order(30_000_001)

        assert sum(owl.calls.values()) == before

    def test_are_read_again_where_no_answer_came(self, shop, owl):
        placed = buyers.place(shop.seller, {shop.ids[0]: 1}, now=now())
        failing(owl, "half", path="order/view")

        assert shop.order(ORDER_IDS.ours(placed["order_id"])).lines


class TestStates:
    def test_and_tracking_numbers_are_sent(self, shop):
        order_id = ORDER_IDS.ours(
            buyers.place(shop.seller, {shop.ids[0]: 1}, now=now())["order_id"]
        )
        shop.set_order_state(order_id, OrderState.PACKED)
        shop.set_tracking(order_id, "RR 123 (DE)")

        packed = shop.order(order_id)
        shop.set_order_state(order_id, OrderState.SHIPPED)

        assert (packed.state, packed.tracking_number) == (OrderState.PACKED, "RR 123 (DE)")
        assert shop.order(order_id).state == OrderState.SHIPPED

    def test_of_a_cancelled_order_stay(self, shop):
        placed = buyers.place(shop.seller, {shop.ids[0]: 1}, now=now())
        buyers.cancel(shop.seller, placed["order_id"], now())

        with pytest.raises(Refused, match="cannot be changed"):
            shop.set_order_state(ORDER_IDS.ours(placed["order_id"]), OrderState.PACKED)

    def test_that_no_app_can_set_are_refused_with_what_to_do(self, shop, owl):
        before = sum(owl.calls.values())

        with pytest.raises(NotOffered, match="cancel it there"):
            shop.set_order_state(ORDER_IDS.ours(1), OrderState.CANCELLED)

        assert sum(owl.calls.values()) == before

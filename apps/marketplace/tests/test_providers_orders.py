"""Orders of the demo store through the client: as the wire format has them, in our words."""

from decimal import Decimal

import pytest
import requests

from apps.core.clock import now
from apps.marketplace.providers.base import NoAnswer, NotThere, Refused, Unreadable
from apps.marketplace.providers.bricklink_orders import read_heads, read_lines, read_order
from apps.marketplace.providers.lots import LotDraft
from apps.marketplace.providers.orders import OrderState

EXAMPLE = {
    "order_id": 3905404,
    "date_ordered": "2013-10-29T17:59:06.373Z",
    "date_status_changed": "2014-02-26T01:26:55.467Z",
    "buyer_name": "buyer",
    "status": "PAID",
    "total_weight": "1.03",
    "payment": {"method": "PayPal.com", "status": "Received"},
    "shipping": {"address": {"name": {"full": "Example Buyer"}, "full": "1 Example St"}},
    "cost": {"currency_code": "USD", "subtotal": "18.0000", "final_total": "25.5000"},
}
ITEM = {
    "inventory_id": 349372975,
    "item": {"no": "30597", "name": "Obscure", "type": "PART"},
    "color_id": 41,
    "quantity": 1,
    "new_or_used": "N",
    "unit_price": "0.0200",
    "unit_price_final": "0.0100",
    "description": "Don&#39;t buy this. :&#41;",
    "weight": "0.00",
}


def draft(**also):
    told = {
        "item_type": "PART",
        "number": "3001",
        "color_id": 5,
        "condition": "U",
        "quantity": 10,
        "price": Decimal("0.2"),
    }
    return LotDraft(**told | also)


@pytest.fixture
def shop(store, client_of):
    """A client of ann's store with two lots, and `buy(…)`, by which her buyers act."""
    client = client_of("ann")
    lots = [client.create_lot(draft(remarks="A-1 (top)")), client.create_lot(draft(number="3002"))]

    def buy(**told):
        address = store.url.replace("/api/store/v1", "/_control/orders")
        with requests.Session() as session:
            session.trust_env = False
            answer = session.post(address, json={"name": "ann", **told})
        assert answer.status_code == 200, answer.text
        return answer.json()["touched"][0]

    client.__dict__.update(buy=buy, made=[lot.lot_id for lot in lots])
    return client


class TestReading:
    def test_takes_the_example_with_its_list_of_lists(self):
        order = read_order(EXAMPLE, [[ITEM], [{**ITEM, "inventory_id": 5}]])

        assert (order.state, order.money.total) == (OrderState.PAID, Decimal("25.5"))
        assert [(line.lot_id, line.batch) for line in order.lines] == [(349372975, 0), (5, 1)]
        assert order.lines[0].price == Decimal("0.01")
        assert order.lines[0].comments == "Don't buy this. :)"

    @pytest.mark.parametrize("data", [None, {}, []])
    def test_takes_nothing_for_no_order(self, data):
        assert read_heads(data) == []
        assert read_lines(data) == ()

    @pytest.mark.parametrize(
        "broken", [{"date_ordered": None}, {"status": None, "order_id": "x"}, {"cost": "x"}]
    )
    def test_refuses_what_is_none(self, broken):
        with pytest.raises(NoAnswer):
            read_order({**EXAMPLE, **broken}, [])

    @pytest.mark.parametrize(
        ("broken", "why"),
        [
            ({"item": {"no": None, "type": "PART"}}, "no is missing"),
            ({"item": {"no": "\x00", "type": "PART"}}, "no is missing"),
            ({"unit_price_final": " ", "unit_price": None}, "unit_price_final is missing"),
        ],
    )
    def test_refuses_a_line_without_its_number_or_price(self, broken, why):
        with pytest.raises(Unreadable, match=why):
            read_lines([[{**ITEM, **broken}]])

    def test_takes_the_price_that_is_there(self):
        (line,) = read_lines([[{**ITEM, "unit_price_final": " "}]])

        assert line.price == Decimal("0.02")

    @pytest.mark.parametrize("items", [None, {}, [], [[]]])
    def test_refuses_an_order_whose_items_are_not_told(self, items):
        with pytest.raises(Unreadable, match="items were not sent"):
            read_order({**EXAMPLE, "total_count": 1}, items)

    def test_takes_a_paid_order_for_paid_whatever_it_is_called(self):
        assert read_order({**EXAMPLE, "status": "READY"}, []).state == OrderState.PAID
        assert read_order({**EXAMPLE, "status": "NEW WORD"}, []).state == OrderState.NEW


class TestSales:
    def test_take_the_pieces_out_of_the_store_at_once(self, shop):
        one, two = shop.made
        order_id = shop.buy(place={one: 3, two: 10}, remarks="(it's <b>new</b>) 🧱")

        (head,) = shop.orders()
        order = shop.order(order_id)

        assert (head.order_id, head.state, head.pieces) == (order_id, OrderState.PAID, 13)
        assert order.remarks == "(it's <b>new</b>) 🧱"
        assert [(line.lot_id, line.quantity) for line in order.lines] == [(one, 3), (two, 10)]
        assert order.lines[0].remarks == "A-1 (top)"
        assert {lot.lot_id: lot.quantity for lot in shop.lots()} == {one: 7}
        assert order.address.country == "US"
        assert order.money.total > order.money.subtotal

    def test_grow_by_a_batch_and_shrink_line_by_line(self, shop):
        one, two = shop.made
        order_id = shop.buy(place={one: 3}, status="PENDING")
        shop.buy(order_id=order_id, add={two: 2, one: 1})
        shop.buy(order_id=order_id, take_off={one: 3})

        order = shop.order(order_id)

        assert [(line.lot_id, line.quantity, line.batch) for line in order.lines] == [
            (two, 2, 1),
            (one, 1, 1),
        ]
        assert order.state == OrderState.NEW
        assert {lot.quantity for lot in shop.lots()} == {9, 8}

    def test_come_back_when_cancelled_even_sold_out(self, shop):
        one, _ = shop.made
        order_id = shop.buy(place={one: 10})
        shop.buy(order_id=order_id, cancel=True)
        shop.buy(order_id=order_id, cancel=True)

        assert shop.order(order_id).state == OrderState.CANCELLED
        assert shop.lot(one).quantity == 10

    def test_are_all_or_nothing(self, store, shop):
        one, two = shop.made
        address = store.url.replace("/api/store/v1", "/_control/orders")
        with requests.Session() as session:
            session.trust_env = False
            answer = session.post(address, json={"name": "ann", "place": {one: 3, two: 11}})

        assert answer.status_code == 400
        assert shop.lot(one).quantity == 10

    def test_are_the_same_for_the_same_seed(self, shop):
        shop.buy(seed=3)
        shop.buy(place={shop.made[0]: 1})

        assert [head.state for head in shop.orders()] == [OrderState.PAID] * 4

    def test_come_by_themselves_once_in_the_demo(self, shop, monkeypatch):
        monkeypatch.setattr("simulators.store.orders.FIRST_BUYERS", 3)

        assert len(list(shop.orders())) == 3
        assert len(list(shop.orders())) == 3

    def test_outlive_a_restart(self, tmp_path):
        from simulators.store.sellers import Sellers
        from simulators.store.stock import Journal

        path = tmp_path / "store.jsonl"
        seller = Sellers(journal=Journal(path)).register("ann")
        lot = {
            "item": {"no": "3001", "type": "PART"},
            "quantity": 5,
            "is_retain": False,
            "unit_price": "0.1000",
            "color_id": 5,
            "color_name": "Red",
            "new_or_used": "U",
            "description": "",
            "remarks": "",
            "my_weight": "0.0000",
            "tier_quantity1": 0,
            "tier_quantity2": 0,
            "tier_quantity3": 0,
        }
        (made,) = seller.stock.add([lot])
        seller.orders.place(seller.stock, {made["inventory_id"]: 2}, now=now())

        again = Sellers(journal=Journal(path)).register("ann")

        assert again.orders.all() == seller.orders.all()
        assert again.stock.all()[0]["quantity"] == 3


class TestStates:
    def test_are_set_and_a_refused_one_is_told(self, shop):
        order_id = shop.buy(place={shop.made[0]: 1})
        shop.set_order_state(order_id, OrderState.PACKED)
        shop.set_tracking(order_id, "RR 123 (DE)")
        shop.buy(order_id=order_id, refuse=["SHIPPED"])

        with pytest.raises(Refused) as refused:
            shop.set_order_state(order_id, OrderState.SHIPPED)

        assert refused.value.code == 422
        order = shop.order(order_id)
        assert (order.state, order.tracking_number) == (OrderState.PACKED, "RR 123 (DE)")

    def test_of_a_cancelled_order_stay(self, shop):
        order_id = shop.buy(place={shop.made[0]: 1})
        shop.set_order_state(order_id, OrderState.CANCELLED)

        with pytest.raises(Refused):
            shop.set_order_state(order_id, OrderState.PACKED)

    def test_of_no_order_is_not_there(self, shop):
        with pytest.raises(NotThere):
            shop.order(7)

    def test_filed_orders_are_in_the_other_list(self, shop):
        order_id = shop.buy(place={shop.made[0]: 1})
        shop.file_order(order_id)

        assert shop.orders() == []
        assert [head.order_id for head in shop.orders(filed=True)] == [order_id]

    def test_messages_are_read(self, shop):
        order_id = shop.buy(place={shop.made[0]: 1})
        message = {"subject": "Hi", "body": "It&#39;s", "from": "buyer_1", "to": "ann"}
        shop.buy(order_id=order_id, fields={"messages": [message]})

        (read,) = shop.order_messages(order_id)

        assert (read.sender, read.text) == ("buyer_1", "It's")

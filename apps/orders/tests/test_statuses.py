"""Words of a status: a known one leads to its state, an unknown one holds the pieces."""

import datetime as dt
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.waiting import Asked
from apps.exchange.order_statuses import read_status
from apps.inventory.models import InventoryItem, Promise
from apps.inventory.services.received import receive
from apps.inventory.tests.factories import make_stock
from apps.marketplace.providers.orders import OrderState as State
from apps.orders.models import Order, OrderEvent, OrderLine
from apps.orders.selectors.walks import stops_of
from apps.orders.services.arrival import receive_order
from apps.orders.services.files import take_in_file
from apps.orders.services.waiting import open_orders
from apps.orders.tests.factories import make_walk
from apps.orders.tests.test_arrival import RECEIVED, line, told
from apps.orders.tests.test_files import item_of, order, xml

pytestmark = pytest.mark.django_db
CASE = Path(__file__).parent / "files" / "order_statuses.xml"


@pytest.fixture
def row(ann):
    lot = make_lot(make_item("3001"), make_color(5, name="Red"))
    return make_stock(ann, lot=lot, quantity=100, condition="N")


class TestAnUnknownStatus:
    def test_is_new_and_holds_its_pieces(self, ann, row):
        take_in_file(owner=ann, data=CASE.read_bytes(), now=now())

        held = set(Promise.objects.values_list("line_id", flat=True))
        found = {
            line.order.status: (line.order.state, line.pk in held)
            for line in OrderLine.objects.select_related("order")
        }
        assert found == {
            "Pending": ("new", True),
            "Paid-Pending": ("new", True),
            "On Hold": ("new", True),
            "Awaiting Payment": ("new", True),
            "Payment Received": ("new", True),
            "Ready to Ship": ("new", True),
            "NPB": ("problem", False),
        }

    def test_keeps_what_was_held_before(self, ann, row):
        line = item_of(row, qty="4").replace("<CONDITION>U", "<CONDITION>N")
        take_in_file(owner=ann, data=xml(order(line, status="Pending")), now=now())

        take_in_file(owner=ann, data=xml(order(line, status="On Hold")), now=now())

        found = Order.objects.get()
        assert (found.state, found.status, Promise.objects.get().quantity) == ("new", "On Hold", 4)

    def test_is_shown_with_its_word_in_the_list_and_on_home(self, ann, api, row):
        take_in_file(owner=ann, data=CASE.read_bytes(), now=now())

        rows = api(ann).get("/api/orders?is_open=true&page_size=50").json()["data"]
        (line,) = open_orders(Asked(owner=ann, currency="EUR", now=now()))

        unknown = {row["status"] for row in rows if row["is_status_unknown"]}
        assert unknown == {
            "Paid-Pending",
            "On Hold",
            "Awaiting Payment",
            "Payment Received",
            "Ready to Ship",
        }
        assert "“On Hold”" in line.note
        assert (line.count, line.to) == (5, "/app/orders?state=new")


class TestAnOrderWithAProblem:
    def test_keeps_its_pieces_and_is_left_out_of_its_walk(self, ann, row):
        line = item_of(row, qty="4").replace("<CONDITION>U", "<CONDITION>N")
        take_in_file(owner=ann, data=xml(order(line, status="Paid")), now=now())
        walk = make_walk(ann, Order.objects.get())
        before = [stop["quantity"] for stop in stops_of(walk=walk)]

        take_in_file(owner=ann, data=xml(order(line, status="NPB")), now=now())

        assert (before, stops_of(walk=walk)) == ([4], [])
        assert Promise.objects.get().quantity == 4

    def test_is_booked_when_it_is_shipped_though_it_was_promised_nothing(self, ann, row):
        line = item_of(row, qty="4").replace("<CONDITION>U", "<CONDITION>N")
        take_in_file(owner=ann, data=xml(order(line, status="NPB")), now=now())

        for _ in range(2):
            take_in_file(owner=ann, data=xml(order(line, status="Shipped")), now=now())

        row.refresh_from_db()
        assert (row.quantity, row.promised, OrderLine.objects.get().picked) == (96, 0, 4)
        assert OrderEvent.objects.filter(text__contains="without being picked").count() == 1

    def test_books_what_the_stock_counted_no_more_when_it_arrived_only_once(self, ann, row):
        InventoryItem.objects.update(marketplace_lot_id=77, condition="U")
        receive(owner=ann, lots={77: RECEIVED}, now=now())
        placed = told(
            line(row.lot, 4, lot_id=77), state=State.PROBLEM, at=now() - dt.timedelta(hours=1)
        )
        receive_order(owner=ann, told=placed, now=now())

        receive_order(owner=ann, told=replace(placed, state=State.SHIPPED), now=now())

        row.refresh_from_db()
        assert (row.quantity, row.promised, OrderLine.objects.get().picked) == (100, 0, 4)

    def test_is_open_until_it_is_filed(self, ann, api, row):
        line = item_of(row, qty="4").replace("<CONDITION>U", "<CONDITION>N")
        take_in_file(owner=ann, data=xml(order(line, status="NPB")), now=now())

        client = api(ann)
        before = client.get("/api/orders?is_open=true").json()["data"]
        client.post(f"/api/orders/{Order.objects.get().pk}/file")

        assert [row["state"] for row in before] == ["problem"]
        assert client.get("/api/orders?is_open=true").json()["data"] == []
        assert len(client.get("/api/orders?is_open=false").json()["data"]) == 1


@pytest.mark.parametrize(("word", "taken"), [("CANCELED", 0), ("Purged", 0), ("Paid", 4)])
def test_what_was_cancelled_at_the_marketplace_takes_nothing_there(ann, row, word, taken):
    take_in_file(owner=ann, data=xml(order(item_of(row, qty="4"), status="Paid")), now=now())
    Order.objects.update(state="cancelled", status=word)
    OrderLine.objects.update(taken=0)

    import_module("apps.orders.migrations.0006_pieces_taken_at_the_marketplace").take(apps, None)

    assert OrderLine.objects.get().taken == taken


@pytest.mark.parametrize(
    ("word", "status"),
    [("paid", "paid"), (" Shipped ", "shipped"), ("CANCELED", "cancelled"), ("nss", "problem")],
)
def test_a_known_word_is_read_in_any_case(word, status):
    assert read_status(word).value == status


@pytest.mark.parametrize("word", ["Paid-Pending", "unbezahlt", "0"])
def test_an_unknown_word_has_no_status(word):
    read = read_status(word)

    assert (read.value, read.is_understood) == (None, False)


def test_no_word_is_not_unknown():
    assert (read_status("").value, read_status(" ").is_understood) == (None, True)

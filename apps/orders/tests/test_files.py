"""Orders of a file: BrickLink's XML and CSV, with what is wrong in them named by its line."""

import io
from decimal import Decimal
from pathlib import Path

import pytest

from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.errors import FileUnreadable
from apps.core.isolated import CALLS_OF_ONE, _Turns
from apps.inventory.models import Promise
from apps.inventory.tests.factories import make_stock
from apps.marketplace.services.connections import _decode_orders
from apps.orders.models import Order, OrderEvent, OrderLine
from apps.orders.services.files import take_in_file
from apps.orders.tests.test_arrival import differences, free

pytestmark = pytest.mark.django_db
SAMPLE = Path(__file__).parent / "files" / "orders_export.xml"


def xml(*orders):
    return f"<ORDERS>{''.join(orders)}</ORDERS>".encode()


def order(items, number=7, status="Paid", more=""):
    return f"<ORDER><ORDERID>{number}</ORDERID><ORDERSTATUS>{status}</ORDERSTATUS>{more}{items}</ORDER>"


def item(number="3001", qty="2", price="0.10", color="5", more=""):
    return (
        f"<ITEM><ITEMID>{number}</ITEMID><ITEMTYPE>P</ITEMTYPE><COLOR>{color}</COLOR>"
        f"<CONDITION>U</CONDITION><QTY>{qty}</QTY><PRICE>{price}</PRICE>{more}</ITEM>"
    )


def take_in(owner, data):
    return take_in_file(owner=owner, data=data, now=now())


@pytest.fixture
def row(ann):
    lot = make_lot()
    return make_stock(ann, lot=lot, quantity=10, condition="U")


def item_of(row, **also):
    return item(row.lot.item.number, color=str(row.lot.color_id), **also)


class TestBrickLinksXml:
    def test_is_read_as_it_is_downloaded(self, ann):
        taken = take_in(ann, SAMPLE.read_bytes())

        assert (taken.new, taken.refused) == (3, [])
        packed = Order.objects.get(number="32456563")
        assert (packed.state, packed.currency, str(packed.total)) == ("packed", "EUR", "8.3600")
        assert (str(packed.fees), str(packed.vat), packed.country) == (
            "2.4200",
            "1.4500",
            "Belgium",
        )
        paid = Order.objects.get(number="32422524")
        assert paid.state == "paid"
        line = paid.lines.get(marketplace_lot_id=315550119)
        assert (line.item_number, line.color_id, line.quantity, line.remarks) == (
            "46303",
            86,
            2,
            "X Hanna3 02-08",
        )
        assert Order.objects.get(number="32414403").state == "shipped"

    def test_promises_pieces_and_tells_what_nothing_serves(self, ann, row):
        data = xml(order(item_of(row, qty="4") + item("98765", qty="3")))

        taken = take_in(ann, data)

        assert (taken.new, taken.lacking) == (1, 3)
        assert list(free(ann).values()) == [6]
        lacks = OrderEvent.objects.get(kind="lacking")
        assert "Not in stock: 3 × Red 98765" in lacks.text
        assert not lacks.is_difference  # a new order has not changed

    def test_without_sums_costs_what_its_lines_cost(self, ann):
        sums = "<ORDERSHIPPING>2.5</ORDERSHIPPING><ORDERCREDIT>1</ORDERCREDIT>"

        take_in(ann, xml(order(item(qty="10", price="0.30"), more=sums)))

        taken = Order.objects.get()
        assert (str(taken.subtotal), str(taken.total)) == ("3.0000", "4.5000")

    def test_twice_changes_nothing_and_more_of_a_line_is_told(self, ann, row):
        take_in(ann, xml(order(item_of(row))))
        assert take_in(ann, xml(order(item_of(row)))).same == 1
        assert Promise.objects.get().quantity == 2

        taken = take_in(ann, xml(order(item_of(row, qty="5"))))

        assert taken.changed == 1
        assert Promise.objects.get().quantity == 5

    def test_with_another_price_of_a_line_changes_it_and_is_told(self, ann, row):
        take_in(ann, xml(order(item_of(row))))

        taken = take_in(ann, xml(order(item_of(row, price="0.08"))))

        assert (taken.changed, OrderLine.objects.get().price) == (1, Decimal("0.08"))
        assert "0.08 each instead of 0.1" in differences(ann)[-1]
        assert Promise.objects.get().quantity == 2

    def test_of_an_order_that_the_store_told_changes_nothing(self, ann, shop):
        (stock,) = shop.put(make_lot(), 10)
        number = shop.buy(place={stock.marketplace_lot_id: 3})
        shop.pull()

        assert take_in(ann, xml(order(item(qty="9"), number=number))).same == 1
        assert OrderLine.objects.get().quantity == 3

    def test_in_another_currency_is_kept_in_it(self, ann, row):
        more = "<BASECURRENCYCODE>GBP</BASECURRENCYCODE><BASEGRANDTOTAL>1,200.50</BASEGRANDTOTAL>"
        take_in(ann, xml(order(item_of(row), more=more)))

        found = Order.objects.get()
        assert (found.currency, str(found.total)) == ("GBP", "1200.5000")

    @pytest.mark.parametrize(
        ("items", "more"),
        [
            (item(qty="2", price="9000000"), ""),
            (item(), "<ORDERSHIPPING>9000000</ORDERSHIPPING><ORDERTOTAL>9000000</ORDERTOTAL>"),
            (
                item(),
                "<ORDERADDCHRG1>9000000</ORDERADDCHRG1><ORDERADDCHRG2>9000000</ORDERADDCHRG2>",
            ),
        ],
        ids=["lines", "total", "fees"],
    )
    def test_with_sums_beyond_what_is_kept_is_refused_and_the_rest_comes(self, ann, items, more):
        taken = take_in(ann, xml(order(items, more=more), order(item(), number=8)))

        assert (taken.new, [one["number"] for one in taken.refused]) == (1, ["7"])
        assert "add up to more than" in taken.refused[0]["reason"]

    def test_of_2000_lines_is_taken(self, ann):
        taken = take_in(ann, xml(order(item(qty="1") * 2000)))

        assert (taken.new, OrderLine.objects.count()) == (1, 2000)

    @pytest.mark.parametrize(
        ("bad", "told"),
        [
            (item(qty="0"), "QTY is “0”"),
            (item(qty="-3"), "QTY is “-3”"),
            (item(qty="9999999"), "QTY"),
            (item(qty="many"), "QTY is “many”"),
            (item(price="-1"), "PRICE is “-1”"),
            (item(price="NaN"), "PRICE"),
            (item(price=""), "PRICE is “”"),
            (item(number=""), "ITEMID is missing"),
            (item(more="<LOTID>x</LOTID>"), "LOTID is “x”"),
            ("", "no items"),
        ],
    )
    def test_that_is_wrong_is_refused_whole_and_the_rest_comes(self, ann, row, bad, told):
        good = item_of(row)
        taken = take_in(ann, xml(order(good + bad if bad else "", number=1), order(good, number=2)))

        (refused,) = taken.refused
        assert (refused["number"], taken.new) == ("1", 1)
        assert told in refused["reason"]
        assert refused["reason"].startswith("Line 1: ")
        assert list(Order.objects.values_list("number", flat=True)) == ["2"]

    @pytest.mark.parametrize(
        "more",
        [
            "<BASECURRENCYCODE>???</BASECURRENCYCODE>",
            "<ORDERDATE>yesterday</ORDERDATE>",
            "<BASEGRANDTOTAL>lots</BASEGRANDTOTAL>",
        ],
    )
    def test_with_a_head_that_is_wrong_is_refused(self, ann, more):
        assert len(take_in(ann, xml(order(item(), more=more))).refused) == 1

    @pytest.mark.parametrize(
        "data",
        [b"", b"<ORDERS/>", b"<INVENTORY><ITEM/></INVENTORY>", b"<ORDERS><ORDER>", b"\xff\xfe\x00"],
    )
    def test_that_is_none_is_refused(self, ann, data):
        with pytest.raises(FileUnreadable):
            take_in(ann, data)

    def test_with_entities_is_refused(self, ann):
        bomb = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + xml(order(item("&a;")))
        with pytest.raises(FileUnreadable):
            take_in(ann, bomb)


class TestACsv:
    @pytest.mark.parametrize("tab", [",", "\t"])
    def test_is_read_by_the_names_of_its_columns(self, ann, row, tab):
        lines = [
            ["Order ID", "Buyer", "Order Status", "Grand Total", "Item Number", "Item Type"],
            ["77", "Zoë", "Paid", "3.5", row.lot.item.number, "P"],
            ["", "", "", "", "98765", "P"],
            ["78", "Bo", "Paid", "1", "98765", "P"],
        ]
        rest = [["Color ID", "Condition", "Qty", "Each"]] + [
            [str(row.lot.color_id), "U", "2", "0.25"]
        ] * 3
        text = "\r\n".join(tab.join(a + b) for a, b in zip(lines, rest, strict=True))

        taken = take_in(ann, text.encode("utf-8-sig"))

        assert (taken.new, taken.refused) == (2, [])
        first = Order.objects.get(number="77")
        assert (first.buyer, first.lines.count(), str(first.total)) == ("Zoë", 2, "3.5000")

    def test_without_its_columns_is_refused(self, ann):
        with pytest.raises(FileUnreadable):
            take_in(ann, b"a,b\r\n1,2")


class TestTheUpload:
    def test_tells_what_became_of_each_order(self, ann, api, row):
        file = io.BytesIO(xml(order(item_of(row)), order(item(qty="0"), number=8)))
        file.name = "orders.xml"

        answer = api(ann).post("/api/orders/importFile", {"file": file}, format="multipart")

        (told,) = answer.json()["data"]
        assert (answer.status_code, told["new"], told["refused"][0]["number"]) == (200, 1, "8")

    def test_of_something_else_is_refused_by_name(self, ann, api):
        file = io.BytesIO(b"hello")
        file.name = "orders.xml"

        answer = api(ann).post("/api/orders/importFile", {"file": file}, format="multipart")

        assert answer.status_code == 400
        assert "Order ID and Item Number" in answer.content.decode()

    def test_is_told_to_wait_while_other_files_of_the_same_person_are_read(
        self, ann, bo, api, monkeypatch
    ):
        monkeypatch.setitem(_decode_orders._turns, ann.pk, _Turns(calls=CALLS_OF_ONE))

        def upload(person):
            file = io.BytesIO(xml(order(item())))
            file.name = "orders.xml"
            return api(person).post("/api/orders/importFile", {"file": file}, format="multipart")

        refused, taken = upload(ann), upload(bo)

        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "10")
        assert "Try again in a moment" in refused.json()["error"]["message"]
        assert taken.status_code == 200

"""The same value through every door: files of lots and orders, marketplaces' answers, the API."""

import io
import json
import zipfile
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from rest_framework.exceptions import ValidationError

from apps.batches.models import BatchItem
from apps.batches.tests.test_bsx_import import imported
from apps.catalog.models import Color, ColorAlias, ElementCode
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.catalog.selectors.naming import ColorsByText
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.api.fields import Amount, Instant, WholeNumber
from apps.core.clock import now
from apps.core.money import MONEY
from apps.core.names import NamesThere
from apps.exchange.any_file import read_any
from apps.exports.models import ExportKind
from apps.exports.tests.factories import export_of, lots_in
from apps.inventory.models import InventoryItem, InventorySync, WordChoice, WordField
from apps.inventory.selectors.syncs import sync_rows
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.tests.bsx_files import apply, preview
from apps.inventory.tests.factories import make_stock
from apps.inventory.tests.test_any_file import applied
from apps.listings.services.store_pull import bsx_lot_of
from apps.locations.rules.several import SeveralLocations
from apps.locations.services.remarks_reading import RemarksReader
from apps.locations.tests.factories import make_location
from apps.marketplace.providers import bricklink_lots, bricklink_orders, brickowl_wire
from apps.marketplace.providers.base import Unreadable
from apps.marketplace.providers.lots import UNKNOWN_COLOR, UnreadLot
from apps.marketplace.providers.order_file import read_orders
from apps.orders.models import Order, OrderEvent, OrderLine
from apps.orders.services.by_hand import HandLine, sell_by_hand
from apps.orders.services.files import take_in_file

pytestmark = pytest.mark.django_db

FILES = Path(__file__).parent / "files"
GREY, RED, BLUE = 86, 5, 7


@pytest.fixture(scope="module", autouse=True)
def catalogue(rows_of_module):
    make_color(0, name="(Not Applicable)")
    colors = [make_color(RED, name="Red"), make_color(BLUE, name="Blue")]
    colors.append(make_color(GREY, name="Light Bluish Gray"))
    items = [make_item(number) for number in ("3001", "3003", "3020", "3023", "6141")]
    return {(i.number, c.pk): make_lot(i, c) for i in items for c in colors}


def of_batch(owner, content):
    imported(owner, content)
    return BatchItem.objects.filter(owner=owner)


def of_stock(owner, content):
    applied(owner, content)
    return InventoryItem.objects.owned_by(owner)


DOORS = pytest.mark.parametrize("door", [of_batch, of_stock], ids=["batch", "stock"])


def reasons(sync, kind):
    page = sync_rows(sync=sync, kind=kind, offset=0, limit=50)
    return [row["reason"] for row in page.rows]


def told(rows):
    """Return (number, colour, pieces, the file's word) of rows; of unknown ones the colour is None."""
    return list(
        rows.order_by("pk").values_list(
            "raw_item_number", "lot__color_id", "quantity", "raw_color_name"
        )
    )


HEADS = {
    "number": ("Item No", "ITEMID", "ItemID"),
    "kind": ("Item Type", "ITEMTYPE", "ItemTypeID"),
    "color": ("Color", "COLOR", "ColorID"),
    "quantity": ("Qty", "QTY", "Qty"),
    "price": ("Price", "PRICE", "Price"),
    "condition": ("Condition", "CONDITION", "Condition"),
    "remarks": ("Remarks", "REMARKS", "Remarks"),
    "date": ("Date added", "DATEADDED", "DateAdded"),
    "status": ("Status", "STATUS", "Status"),
    "stockroom": ("Stockroom", "STOCKROOM", "Stockroom"),
}
LOT = {"number": "3001", "kind": "P", "color": "5", "quantity": "1", "condition": "U"}


def table(*lots):
    """Return a table of lots; a lot names the fields that are not as those of `LOT`."""
    names = list({name: "" for lot in lots for name in {**LOT, **lot}})
    rows = [[{**LOT, **lot}.get(name, "") for name in names] for lot in lots]
    return "\n".join(map(";".join, [[HEADS[name][0] for name in names], *rows])).encode()


def xml(*lots):
    return f"<INVENTORY>{_tags(lots, 1, 'ITEM')}</INVENTORY>".encode()


def wanted(*lots):
    return xml(*lots).replace(b"QTY>", b"MINQTY>")


def bsx(*lots):
    lots = _tags([{"price": "0.1", **lot} for lot in lots], 2, "Item")
    return f'<BrickStoreXML><Inventory Currency="EUR">{lots}</Inventory></BrickStoreXML>'.encode()


def bsx_by_names(*lots):
    """Return BrickStore's file with the names of colours and types instead of their numbers."""
    by_name = bsx(*lots).replace(b"ColorID>", b"ColorName>")
    return by_name.replace(b"ItemTypeID>", b"ItemTypeName>")


def _tags(lots, at, tag):
    def of(lot):
        return "".join(
            f"<{HEADS[name][at]}>{text}</{HEADS[name][at]}>" for name, text in lot.items()
        )

    return "".join(f"<{tag}>{of({**LOT, **lot})}</{tag}>\n" for lot in lots)


FORMS = {
    "table": table,
    "XML": xml,
    "wanted list": wanted,
    "BSX": bsx,
    "BSX by names": bsx_by_names,
}


class TestColours:
    @DOORS
    def test_of_a_table_are_known_by_anybodys_names_or_stay_unknown(self, ann, door):
        rows = door(ann, (FILES / "colours-unknown.csv").read_bytes())

        assert told(rows) == [
            ("3001", RED, 5, "Bright Red"),
            ("3001", GREY, 6, "Medium Stone Grey"),
            ("3003", None, 2, "Redd"),
            ("3020", GREY, 3, "LBG"),
        ]

    @DOORS
    def test_of_xml_may_be_names(self, ann, door):
        rows = door(ann, (FILES / "colour-by-name.xml").read_bytes())

        assert told(rows) == [("3001", RED, 4, "Red")]

    @DOORS
    def test_that_are_not_known_are_two_lots(self, ann, door):
        rows = door(ann, table({"color": "Perlmutt"}, {"color": "Redd", "quantity": "2"}))

        assert [row.quantity for row in rows.order_by("pk")] == [1, 2]
        assert len({row.raw_color_name for row in rows}) == 2

    @DOORS
    @pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
    def test_that_are_not_said_of_parts_stay_unknown(self, ann, door, form):
        rows = door(ann, form({"color": ""}, {"color": "-1", "quantity": "2"}))

        told = rows.order_by("pk").values_list("lot_id", "raw_color_id", "quantity")
        assert list(told) == [(None, None, 1), (None, None, 2)]

    @pytest.mark.parametrize(
        ("color", "reason"),
        [("", "unsaid_color"), ("-1", "unsaid_color"), ("Redd", "unknown_color")],
    )
    def test_that_are_not_said_are_told_as_such_in_the_preview(self, ann, color, reason):
        sync = preview(ann, table({"color": color}), "x.csv")

        assert reasons(sync, "unknown") == [reason]

    def test_that_are_not_said_are_never_uploaded(self, ann):
        of_stock(ann, table({"color": "", "price": "1"}, {"number": "3003", "price": "1"}))

        assert export_of(ann, kind=ExportKind.MASS_UPLOAD).row_count == 1

    @DOORS
    def test_in_a_column_that_was_not_understood_are_no_colour(self, ann, door):
        rows = door(ann, b"Item No;Qty;Condition;Tinta\n3001;4;N;punainen\n3001;2;N;sininen")

        assert [(row.lot_id, row.quantity) for row in rows.order_by("pk")] == [(None, 4), (None, 2)]

    @DOORS
    def test_that_the_catalogue_does_not_give_a_part_need_not_be_said(self, ann, door):
        sheet = make_lot(make_item("st1"), Color.objects.get(pk=0))

        rows = door(ann, table({"number": "st1", "color": ""}))

        assert rows.get().lot_id == sheet.pk

    def test_with_a_number_beside_their_name_are_the_colour_that_both_mean(self):
        ColorAlias.objects.create(color_id=RED, catalogue="R", kind="id", value="4")
        same = ("Red (5)", "5 - Red", "5 (Red)", "Red [4]", "Bright Red (21)")
        cases = [(text, RED) for text in same]
        cases += [(text, None) for text in ("Red (7)", "7 - Red", "5 (Blue)", "~Red")]

        for text, means in cases:
            for door in FILE_DOORS.keys() | ORDER_DOORS.keys():
                assert ALL_DOORS[door]("color", text).value == means, (text, door)

    @pytest.mark.parametrize("form", ["table", "BSX"])
    @pytest.mark.parametrize(
        ("number", "name", "is_told"),
        [("7", "Red", True), ("0", "Red", True), ("5", "Bright Red", False), ("5", "Redd", False)],
    )
    def test_whose_number_and_name_differ_are_told(self, form, number, name, is_told):
        content = b"Item No;Color ID;Color Name;Qty;Condition\n3001;%b;%b;1;U\n"
        if form == "BSX":
            content = bsx({}).replace(b"<ColorID>5<", b"<ColorName>%b</ColorName><ColorID>%b<")
        texts = (name, number) if form == "BSX" else (number, name)

        content = content % tuple(text.encode() for text in texts)
        (lot,) = read_any(io.BytesIO(content), colors=ColorsByText(), unpack=None)
        assert "color_contradiction" in [one.code for one in lot.warnings] or not is_told
        assert (lot.color_id, bool(lot.warnings)) == (int(number), is_told)

    @DOORS
    def test_that_a_person_named_are_known_in_the_next_file(self, ann, door):
        WordChoice.objects.create(owner=ann, field=WordField.COLOR, text="redd", color_id=RED)

        assert told(door(ann, table({"color": "Redd"}))) == [("3001", RED, 1, "Redd")]


def ldraw(*lines):
    return "\n".join(["0 House", *lines]).encode()


def placed(color, file):
    return f"1 {color} 0 0 0 1 0 0 0 1 0 0 0 1 {file}"


@pytest.fixture
def numbers(catalogue):
    """Other sites' numbers of the catalogue's lots and colours."""
    for value, color in (("4", RED), ("71", GREY), ("1", BLUE)):
        ColorAlias.objects.create(color_id=color, catalogue="R", kind="id", value=value)
    ElementCode.objects.create(code="300121", lot=catalogue["3001", RED])
    ElementCode.objects.create(code="4211398", lot=catalogue["3023", GREY])


@pytest.mark.usefixtures("numbers")
class TestForeignLists:
    @DOORS
    def test_of_element_ids_are_resolved(self, ann, door):
        rows = door(ann, (FILES / "elements.csv").read_bytes())

        assert [row[:3] for row in told(rows)] == [
            ("3001", RED, 12),
            ("3023", GREY, 4),
            ("302301", None, 7),
        ]

    @DOORS
    @pytest.mark.parametrize("head", ["", "Element ID\n"])
    def test_of_one_column_are_lists_of_one_piece_a_line(self, ann, door, head):
        rows = door(ann, f"{head}300121\n4211398\n".encode())

        assert [row[:3] for row in told(rows)] == [("3001", RED, 1), ("3023", GREY, 1)]

    @DOORS
    def test_of_brick_owl_keep_their_numbers_and_colours(self, ann, door):
        rows = door(ann, (FILES / "brickowl.csv").read_bytes())

        assert told(rows) == [("771344-64", None, 4, "Brick Owl 64")]

    @DOORS
    def test_that_are_models_are_lists_of_their_parts(self, ann, door):
        content = (FILES / "house.ldr").read_bytes().replace(b" 15 ", b" 1 ")

        assert [row[:3] for row in told(door(ann, content))] == [
            ("3001", RED, 1),
            ("6141", BLUE, 1),
        ]

    @DOORS
    def test_that_are_models_count_their_sub_models(self, ann, door):
        content = ldraw(
            "0 FILE house.ldr",
            placed(4, "wall.ldr"),
            placed(71, "WALL.LDR"),
            "0 FILE wall.ldr",
            placed(16, "3001.dat"),
            placed(16, "3001.dat"),
            placed(1, "3020.dat"),
        )

        assert sorted(row[:3] for row in told(door(ann, content))) == [
            ("3001", RED, 2),
            ("3001", GREY, 2),
            ("3020", BLUE, 2),
        ]

    @DOORS
    def test_that_are_models_may_have_sub_models_of_one_name_in_two_folders(self, ann, door):
        content = ldraw(
            "0 FILE car.ldr",
            placed(4, "left\\wheel.ldr"),
            placed(4, "right\\wheel.ldr"),
            "0 FILE left\\wheel.ldr",
            placed(16, "3001.dat"),
            "0 FILE right/wheel.ldr",
            placed(1, "s\\3020.dat"),
        )

        assert sorted(row[:3] for row in told(door(ann, content))) == [
            ("3001", RED, 1),
            ("3020", BLUE, 1),
        ]

    @DOORS
    @pytest.mark.parametrize(
        "lines",
        [
            [placed(4, "3001.dat"), "0 FILE wall.ldr", placed(1, "3020.dat")],
            ["0 FILE main.dat", placed(4, "3001.dat")],
        ],
        ids=["before the first FILE", "of a main model called .dat"],
    )
    def test_that_are_models_keep_the_parts(self, ann, door, lines):
        assert [row[:3] for row in told(door(ann, ldraw(*lines)))] == [("3001", RED, 1)]

    @DOORS
    def test_that_are_models_of_studio_are_unpacked(self, ann, door):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("model.ldr", ldraw(placed(4, "3001.dat")))

        assert [row[:3] for row in told(door(ann, out.getvalue()))] == [("3001", RED, 1)]


class TestCurrencies:
    """An amount may be written with its currency, at every door as in orders."""

    @pytest.mark.parametrize("form", [table, xml], ids=["table", "XML"])
    @pytest.mark.parametrize(
        ("text", "code"),
        [("US $0.30", "USD"), ("$0.30", "$"), ("0.30 INR", "INR"), ("0.30 Fr.", "CHF")],
    )
    def test_that_stand_beside_amounts_are_asked_for(self, ann, form, text, code):
        of_stock(ann, table({"price": "0.1"}))

        sync = preview(ann, form({"price": text}, {"price": "0.5"}), "store.xml")

        told = [one for one in sync.warnings if one["code"] == "currency_differs"]
        assert [(one["file_currency"], one["store_currency"]) for one in told] == [(code, "EUR")]

    def test_that_stand_in_an_update_are_asked_for(self, ann):
        of_stock(ann, table({"price": "0.1"}))
        update = b"<INVENTORY><ITEM><LOTID>7</LOTID><PRICE>US $0.30</PRICE></ITEM></INVENTORY>"

        sync = preview(ann, update, "update.xml")
        assert "currency_differs" in [one["code"] for one in sync.warnings]

    @pytest.mark.parametrize("form", [table, xml], ids=["table", "XML"])
    def test_that_are_those_of_the_account_ask_for_nothing(self, ann, form):
        of_stock(ann, table({"price": "0.1"}))

        sync = preview(ann, form({"price": "EUR 0.30"}, {"price": "0,5 €"}), "store.xml")
        assert "currency_differs" not in [one["code"] for one in sync.warnings]

    @DOORS
    def test_in_a_column_of_their_own_set_lots_aside_where_nobody_knows_them(self, ann, door):
        content = b"Item No;Color;Qty;Price;Currency;Condition\n"
        content += b"3001;Red;1;0,10;Taler;U\n3003;Red;2;0,10;EUR;U\n"

        rows = door(ann, content)
        assert [(row.raw_item_number, row.price) for row in rows] == [("3003", Decimal("0.1"))]

    @DOORS
    def test_that_are_not_those_of_a_bsx_set_their_lot_aside(self, ann, door):
        rows = door(ann, bsx({"price": "US $0.30"}, {"price": "0.30 EUR", "quantity": "2"}))

        assert [(row.quantity, row.price) for row in rows] == [(2, Decimal("0.3"))]


class TestStatuses:
    """Include or exclude: a lot whose status nobody knows is set aside."""

    @DOORS
    @pytest.mark.parametrize("form", [table, bsx], ids=["table", "BSX"])
    def test_that_are_not_known_set_their_lot_aside(self, ann, door, form):
        lots = [{"status": text, "number": "3001"} for text in ("I", "sold", "X", "Extra?")]

        rows = door(ann, form(*lots, {"number": "3003"}))
        assert sorted(row.status for row in rows) == ["I", "I", "X"]

    @DOORS
    @pytest.mark.parametrize("form", [table, bsx], ids=["table", "BSX"])
    def test_of_stockrooms_that_are_not_known_put_nothing_up_for_sale(self, ann, door, form):
        rows = door(ann, form({"stockroom": "D"}, {"stockroom": "B", "number": "3003"}))

        assert [(row.raw_item_number, row.stockroom) for row in rows] == [("3003", "B")]

    def test_are_named_as_the_reason(self, ann):
        sync = preview(ann, table({"status": "sold"}, {"number": "3003"}), "x.csv")

        assert sync.counts["unreadable"] == 1
        (reason,) = reasons(sync, "unreadable")
        assert "Status is “sold”" in reason


class TestTablesThatMayMeanTwo:
    """Where two columns or a unit leave a value open, none is taken without a word."""

    @DOORS
    @pytest.mark.parametrize("head", ["Price (cents)", "Preis (ct)", "Price (per 100)"])
    def test_in_prices_of_another_unit_keep_them_as_text(self, ann, door, head):
        content = f"Item No;Color;Qty;{head};Condition\n3001;Red;5;10;U\n".encode()

        row = door(ann, content).get()
        assert (row.quantity, not row.price) == (5, True)
        assert "10" in str(row.extra)

    @pytest.mark.parametrize("heads", ["Item No;Qty;Qty;Condition", "Item No;Qty;Anzahl;Condition"])
    def test_in_numbers_of_pieces_say_which_column_counts(self, ann, heads):
        sync = preview(ann, f"{heads}\n3001;5;7;U\n".encode(), "x.csv")

        assert "means the same as “Qty”, which counts" in str(sync.warnings)

    @DOORS
    @pytest.mark.parametrize("heads", ["LEGO No;BrickLink No", "Item No;BL No"])
    def test_in_numbers_of_items_have_bricklinks(self, ann, door, heads):
        row = door(ann, f"{heads};Color;Qty;Condition\n3020;3001;Red;5;U\n".encode()).get()

        assert (row.raw_item_number, row.lot.item.number) == ("3001", "3001")


class TestUpdatesAndWantedLists:
    def test_delete_the_lots_only_that_say_so(self, ann):
        ids = {"3001": 7, "3003": 8, "3020": 9}
        of_stock(
            ann,
            b"Item No;Lot ID;Color;Qty;Price;Condition\n"
            + b"".join(b"%b;%d;Red;5;0.1;U\n" % (n.encode(), lot) for n, lot in ids.items()),
        )
        told = {7: "<DELETE/>", 8: "<DELETE>N</DELETE>", 9: "<DELETE>maybe</DELETE>"}
        items = "".join(f"<ITEM><LOTID>{lot}</LOTID>{tag}</ITEM>" for lot, tag in told.items())

        sync = preview(ann, f"<INVENTORY>{items}</INVENTORY>".encode(), "update.xml")
        apply(sync)

        rows = InventoryItem.objects.order_by("marketplace_lot_id")
        assert [row.quantity for row in rows] == [0, 5, 5]
        assert sync.counts["unreadable"] == 1

    @DOORS
    @pytest.mark.parametrize("text", ["0", "-1", "-3"])
    def test_that_ask_for_no_number_are_no_piece(self, ann, door, text):
        rows = door(ann, wanted({"quantity": text}, {"number": "3003", "quantity": "2"}))

        assert [(row.raw_item_number, row.quantity) for row in rows] == [("3003", 2)]


BROKEN = {
    "an entity of pages": "Caf&eacute;&nbsp;1",
    "an unknown entity": "&unheard;",
    "a bare ampersand": "A & B",
    "a stray sign": "a < b <3",
    "markup of pages": "<b>new<br>",
    "a forbidden character": "x\x08y\x00z",
    "a forbidden reference": "x&#8;y",
}
BEYOND = "</REMARKS></QTY>"


def item_xml(color, remarks=""):
    return (
        f"<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>{color}</COLOR><QTY>1</QTY>"
        f"<PRICE>0.10</PRICE><CONDITION>U</CONDITION><REMARKS>{remarks}</REMARKS></ITEM>\n"
    )


class TestBrokenXml:
    @DOORS
    @pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
    def test_is_repaired_in_its_lot(self, ann, door, text):
        lots = item_xml(5) + item_xml(7, text) + item_xml(86)

        rows = door(ann, f"<INVENTORY>{lots}</INVENTORY>".encode())
        assert [row[1] for row in told(rows)] == [RED, BLUE, GREY]

    @DOORS
    @pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
    def test_of_brickstore_is_repaired_in_its_lot(self, ann, door, text):
        lots = "".join(
            f"<Item><ItemID>3001</ItemID><ItemTypeID>P</ItemTypeID><ColorID>{color}</ColorID>"
            f"<Qty>1</Qty><Condition>U</Condition><Comments>{comments}</Comments></Item>\n"
            for color, comments in ((5, ""), (7, text), (86, ""))
        )
        content = f'<BrickStoreXML><Inventory Currency="EUR">{lots}</Inventory></BrickStoreXML>'

        assert [row[1] for row in told(door(ann, content.encode()))] == [RED, BLUE, GREY]

    @DOORS
    def test_that_cannot_be_repaired_costs_its_lot_only(self, ann, door):
        lots = item_xml(5) + item_xml(7, BEYOND) + item_xml(86)

        rows = door(ann, f"<INVENTORY>{lots}</INVENTORY>".encode())
        assert [row[1] for row in told(rows)] == [RED, GREY]

    @DOORS
    @pytest.mark.parametrize("letters", ["weißßßßßßßßß", "ŉŉŉŉŉŉŉŉ", "ﬁﬁﬁﬁﬁﬁﬁﬁ"])
    def test_keeps_its_last_lot_whatever_its_letters(self, ann, door, letters):
        lots = (item_xml(5, "A & B") + item_xml(7, letters)).replace("\n", "")

        rows = door(ann, f"<INVENTORY>{lots}</INVENTORY>".encode())
        assert [row[1] for row in told(rows)] == [RED, BLUE]

    def test_of_orders_keeps_the_last_order_whatever_its_letters(self, ann):
        order = "<ORDER><ORDERID>{}</ORDERID><ORDERREMARKS>{}</ORDERREMARKS>{}</ORDER>"
        orders = order.format(1, "A & B", item_xml(5)) + order.format(
            2, "Große Straße 5" * 5, item_xml(5)
        )

        found = orders_of(ann, f"<ORDERS>{orders}</ORDERS>".encode())
        assert [one.number for one in found] == ["1", "2"]

    @DOORS
    @pytest.mark.parametrize(
        ("encoding", "declared"),
        [
            ("iso-8859-1", "ISO-8859-1"),
            ("ascii", "ISO-8859-1"),
            ("iso-8859-2", "ISO-8859-2"),
            ("cp1252", ""),
            ("cp1252", "UTF-8"),
            ("utf-8-sig", ""),
            ("utf-16", "UTF-16"),
        ],
    )
    def test_is_repaired_in_its_encoding(self, ann, door, encoding, declared):
        head = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
        place = "T&uuml;r < x" if encoding == "ascii" else "Tür < x"
        lots = "".join(
            f"<Item><ItemID>{number}</ItemID><ItemTypeID>P</ItemTypeID><ColorID>{RED}</ColorID>"
            f"<Qty>1</Qty><Condition>U</Condition><Comments>{text}</Comments></Item>\n"
            for number, text in (("3001", place), ("3003", ""))
        )
        body = f'<BrickStoreXML><Inventory Currency="EUR">{lots}</Inventory></BrickStoreXML>'

        rows = door(ann, f"{head}{body}".encode(encoding)).order_by("pk")
        assert [row.comments for row in rows] == ["Tür < x", ""]

    @DOORS
    def test_leaves_out_lots_in_comments(self, ann, door):
        lots = item_xml(5, "a & b") + f"<!-- {item_xml(7)} -->" + item_xml(86)

        rows = door(ann, f"<INVENTORY>{lots}</INVENTORY>".encode())
        assert [row[1] for row in told(rows)] == [RED, GREY]

    @DOORS
    def test_keeps_what_stands_in_cdata(self, ann, door):
        lots = item_xml(5, "a & b") + item_xml(7, "<![CDATA[ </ITEM> <ITEM> & ]]>") + item_xml(86)

        rows = door(ann, f"<INVENTORY>{lots}</INVENTORY>".encode())
        assert [row[1] for row in told(rows)] == [RED, BLUE, GREY]

    @pytest.mark.parametrize(
        ("text", "numbers"),
        [*((text, ["1", "2", "3"]) for text in BROKEN.values()), (BEYOND, ["1", "3"])],
    )
    def test_of_orders_costs_its_order_only(self, ann, text, numbers):
        orders = "".join(
            f"<ORDER><ORDERID>{number}</ORDERID><ORDERREMARKS>{remarks}</ORDERREMARKS>"
            f"{item_xml(5)}</ORDER>\n"
            for number, remarks in ((1, ""), (2, text), (3, ""))
        )
        taken = take_in_file(owner=ann, data=f"<ORDERS>{orders}</ORDERS>".encode(), now=now())

        assert list(Order.objects.order_by("number").values_list("number", flat=True)) == numbers
        assert [row["number"] for row in taken.refused] == sorted({"1", "2", "3"} - set(numbers))

    def test_of_orders_that_is_cut_off_costs_the_last_order_only(self, ann):
        one = f"<ORDER><ORDERID>1</ORDERID>{item_xml(5)}</ORDER>"
        taken = take_in_file(owner=ann, data=f"<ORDERS>{one}{one[:60]}".encode(), now=now())

        assert taken.new == 1
        assert "stops in the middle" in taken.refused[0]["reason"]


class TestNumbers:
    TABLE = "Wzór;Name;Color;Qty\n3001;Brick 2 x 4;Red;2\n3003;Brick 2 x 2;Red;1\n".encode()

    def test_in_a_column_that_was_not_understood_are_asked_for(self, ann):
        imported(ann, self.TABLE)
        preview(ann, self.TABLE, "x")

        for sync in InventorySync.objects.all():
            assert sync.state == "previewed"
            assert any("“Wzór” looks like one" in one["message"] for one in sync.warnings)


class TestNumbersThatBecameDates:
    """A spreadsheet takes `10-1` for a day: its text is kept, and told."""

    @pytest.mark.parametrize("text", ["10-Jan", "Jan 10", "10. Okt", "Oct-99", "1-May-2024"])
    def test_are_no_new_bins(self, ann, text):
        content = f"Item No;Color;Qty;Location;Condition\n3001;Red;1;{text};U\n3003;Red;1;A-1;U\n"
        rows = of_stock(ann, content.encode()).order_by("pk")

        assert [row.location and row.location.name for row in rows] == [None, "A-1"]
        assert text in str(rows[0].extra)

    @pytest.mark.parametrize("head", ["Item No", "Location", "Remarks"])
    def test_are_told(self, ann, head):
        cells = {"Item No": "3001", "Location": "A-1", "Remarks": "A-1"} | {head: "10-Jan"}
        content = f"{';'.join(cells)};Color;Qty;Condition\n{';'.join(cells.values())};Red;1;U"

        (lot,) = read_any(io.BytesIO(content.encode()), colors=ColorsByText(), unpack=None)
        assert "a spreadsheet may have changed it" in str(lot.warnings)

    def test_are_bins_where_there_is_such_a_bin(self, ann):
        make_location(ann, name="May 3")

        rows = of_stock(ann, bsx({"remarks": "may 3"}, {"remarks": "May 4", "number": "3003"}))
        assert [row.location and row.location.name for row in rows.order_by("pk")] == [
            "May 3",
            None,
        ]


class TestDates:
    def test_of_no_likely_year_are_no_date(self, ann):
        rows = of_stock(ann, (FILES / "dates-zero.bsx").read_bytes())

        assert len(rows) > 1
        years = {d.year for d in rows.values_list("date_added", flat=True) if d is not None}
        assert all(1950 <= year <= 2199 for year in years)


def orders_of(owner, content):
    taken = take_in_file(owner=owner, data=content, now=now())
    assert taken.refused == []
    return list(Order.objects.owned_by(owner).order_by("number"))


def order_table(*rows, sign=";"):
    heads = [
        "Order ID",
        "Order Date",
        "Buyer",
        "Item Number",
        "Item Type",
        "Color",
        "Qty",
        "Each",
        "Condition",
    ]
    return "\n".join(sign.join(row) for row in (heads, *rows)).encode()


def order_row(number="7", date="2026-11-27", color="5", qty="1", each="0.30", kind="P"):
    return (number, date, "buyer", "3001", kind, color, qty, each, "N")


class TestOrders:
    @pytest.mark.parametrize(
        ("name", "prices", "total"),
        [
            ("order-commas.xml", ["8.30"], "12.80"),
            ("order-commas.tsv", ["0.075"], None),
        ],
    )
    def test_have_decimal_commas_as_lots_have(self, ann, name, prices, total):
        (order,) = orders_of(ann, (FILES / name).read_bytes())

        assert [line.price for line in order.lines.all()] == [Decimal(price) for price in prices]
        if total:
            assert order.total == Decimal(total)

    def test_of_a_table_are_read_as_any_table(self, ann):
        first, second = orders_of(ann, (FILES / "order-semicolons.csv").read_bytes())

        assert (first.number, second.number) == ("721", "722")
        assert first.subtotal == Decimal("1234.50")
        assert [one.ordered_at.date().isoformat() for one in (first, second)] == ["2026-11-27"] * 2
        assert [one.lines.get().price for one in (first, second)] == [
            Decimal("0.075"),
            Decimal("0.08"),
        ]

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
    @pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
    def test_of_a_table_may_be_written_in_any_way(self, ann, sign, encoding):
        rows = [order_row(str(number), color="Größe" if number else "5") for number in (1, 2)]
        content = order_table(*rows, sign=sign).decode().encode(encoding)

        assert len(orders_of(ann, content)) == 2

    @pytest.mark.parametrize("form", ["table", "XML"])
    def test_in_two_encodings_are_told_as_files_of_lots_are(self, ann, form):
        first = order_row("1", color="Größe grün")
        if form == "table":
            content = order_table(first, order_row("2")).replace("grün".encode(), b"gr\xfcn")
        else:
            texts = {**ORDER, **LINE, "BUYER": "Größe", "REMARKS": "gr\ufffdn"}
            content = order_xml(texts).replace("\ufffd".encode(), b"\xfc")

        taken = take_in_file(owner=ann, data=content, now=now())
        assert taken.new
        assert "1 letter is not UTF-8 as the rest" in taken.warnings[0]

    @pytest.mark.parametrize(
        ("heads", "rows", "reason"),
        [
            ("Qty;Qty;Each", ["1;9;0.30"], "QTY is “1” and “9”"),
            ("Qty;Each;Price", ["3;0.30;0.90"], "PRICE is “0.30” and “0.90”"),
            ("Qty;Each;Status", ["1;0.30;Paid", "2;0.30;Cancelled"], "ORDERSTATUS is “Paid” and"),
            ("Qty;Each;Order Total", ["1;0.30;5", "2;0.30;6"], "ORDERTOTAL is “5” and “6”"),
            ("Qty;Each", ["1;0.30;more"], "a cell stands behind the last column"),
        ],
    )
    def test_of_a_table_that_say_two_things_are_refused_with_both(self, ann, heads, rows, reason):
        lines = [f"Order ID;Buyer;Item Number;Item Type;{heads}"]
        lines += [f"7;b;3001;P;{row}" for row in rows] + [f"8;b;3001;P;{rows[0]}"]
        lines[-1] = "8;b;3001;P;" + ";".join(["1"] * (heads.count(";") + 1))

        taken = take_in_file(owner=ann, data="\n".join(lines).encode(), now=now())
        assert [row["number"] for row in taken.refused] == ["7"]
        assert reason in taken.refused[0]["reason"]
        assert Order.objects.get().number == "8"

    @pytest.mark.parametrize(
        ("texts", "reason"),
        [
            ("<ORDERID>7</ORDERID><QTY>1</QTY><QTY>5</QTY>", "QTY is “1” and “5”"),
            ("<ORDERID>7</ORDERID><QTY>1<b>0</b></QTY>", "QTY is “1<b>0</b>”"),
            ("<ORDERID>7</ORDERID><QTY>1</QTY><PRICE>0<i/>.3</PRICE>", "PRICE is “0<i/>.3”"),
            ("<ORDERID>x7</ORDERID><QTY>1</QTY>", "ORDERID is “x7”"),
            (
                "<ORDERID>7</ORDERID><QTY>1</QTY><COLOR>5</COLOR><COLORNAME>Blue</COLORNAME>",
                "COLORNAME is “Blue”",
            ),
            (
                "<ORDERID>7</ORDERID><ORDER><ORDERID>8</ORDERID></ORDER><QTY>1</QTY>",
                "another order",
            ),
        ],
    )
    def test_of_xml_that_say_two_things_are_refused_with_both(self, ann, texts, reason):
        head, _, line = texts.partition("<QTY>")
        price = "" if "PRICE" in line else "<PRICE>0.3</PRICE>"
        item = f"<ITEM><ITEMID>3001</ITEMID><ITEMTYPE>P</ITEMTYPE><QTY>{line}{price}</ITEM>"

        data = f"<ORDERS><ORDER>{head}{item}</ORDER></ORDERS>".encode()
        (refused,) = take_in_file(owner=ann, data=data, now=now()).refused
        assert reason in refused["reason"]
        assert not Order.objects.exists()

    def test_that_stand_twice_with_other_lines_come_once_and_are_told(self, ann):
        def order(number):
            item = f"<ITEM><ITEMID>{number}</ITEMID><ITEMTYPE>P</ITEMTYPE><QTY>1</QTY>"
            return f"<ORDER><ORDERID>7</ORDERID>{item}<PRICE>0.3</PRICE></ITEM></ORDER>"

        data = f"<ORDERS>{order('3001')}{order('3003')}</ORDERS>".encode()
        (refused,) = take_in_file(owner=ann, data=data, now=now()).refused
        assert "too, with other contents" in refused["reason"]
        assert Order.objects.get().lines.get().item_number == "3001"

    def test_without_an_amount_beside_the_currency_are_refused(self, ann):
        (refused,) = take_in_file(
            owner=ann, data=order_table(order_row(each="EUR")), now=now()
        ).refused
        assert "PRICE is “EUR”" in refused["reason"]

    def test_that_may_be_of_two_days_are_refused_with_the_reason(self, ann):
        content = order_table(order_row(date="03/05/2026", each="0,30"))

        (refused,) = take_in_file(owner=ann, data=content, now=now()).refused
        assert "03/05/2026" in refused["reason"]

    def test_have_the_day_first_where_one_shows_it(self, ann):
        rows = [order_row("1", date="03/05/2026"), order_row("2", date="27/05/2026")]

        found = orders_of(ann, order_table(*rows))
        assert [one.ordered_at.date().isoformat() for one in found] == ["2026-05-03", "2026-05-27"]

    def test_that_may_be_of_two_days_where_others_contradict_each_other_are_refused(self, ann):
        days = ["13/12/2025", "12/13/2025", "03/05/2025"]
        content = order_table(*(order_row(day[:2], date=day) for day in days), sign=",")

        taken = take_in_file(owner=ann, data=content, now=now())
        assert [one["number"] for one in taken.refused] == ["03"]
        assert taken.new == 2

    def test_of_a_day_to_come_are_refused_with_the_reason(self, ann):
        later = (now() + timedelta(days=3)).date().isoformat()
        content = order_table(order_row("1", date=later), order_row("2", date="2026-05-27"))

        taken = take_in_file(owner=ann, data=content, now=now())
        assert [(one["number"], later in one["reason"]) for one in taken.refused] == [("1", True)]
        assert taken.new == 1

    def test_that_may_be_one_thousand_are_refused_with_the_reason(self, ann):
        content = order_table(order_row(each="1,234"))

        (refused,) = take_in_file(owner=ann, data=content, now=now()).refused
        assert "1,234" in refused["reason"]

    @pytest.mark.parametrize("quantity", ["1.000", "12%"])
    def test_that_may_be_another_number_of_pieces_are_refused(self, ann, quantity):
        content = order_table(order_row(qty=quantity, each="1"))

        (refused,) = take_in_file(owner=ann, data=content, now=now()).refused
        assert quantity in refused["reason"]

    def test_are_in_the_currency_of_their_amounts(self, ann):
        (order,) = orders_of(ann, order_table(order_row(each="US $0.30")))

        assert (order.currency, order.total) == ("USD", Decimal("0.30"))

    def test_in_two_currencies_are_refused(self, ann):
        content = (FILES / "order-colour-number.xml").read_text().replace("0.30", "£0.30")

        (refused,) = take_in_file(owner=ann, data=content.encode(), now=now()).refused
        assert "GBP" in refused["reason"]

    @pytest.mark.parametrize("colour", ["", "-1"])
    def test_that_say_no_colour_of_a_part_keep_it_unknown(self, ann, colour):
        orders_of(ann, order_table(order_row(color=colour)))

        assert OrderLine.objects.values_list("color_id", "color_name").get() == (-1, "")

    def test_that_say_no_colour_of_a_set_have_none(self, ann):
        orders_of(ann, order_table(order_row(color="", kind="S")))

        assert OrderLine.objects.get().color_id == 0

    def test_have_the_catalogues_name_of_a_colour(self, ann):
        orders_of(ann, (FILES / "order-colour-number.xml").read_bytes())

        assert OrderLine.objects.values_list("color_id", "color_name").get() == (RED, "Red")

    @pytest.mark.parametrize(
        ("word", "told"),
        [
            ("Bright Red", (RED, "Red")),
            ("lbg", (GREY, "Light Bluish Gray")),
            ("Redd", (-1, "Redd")),
        ],
    )
    def test_have_colours_by_name(self, ann, word, told):
        orders_of(ann, order_table(order_row(color=word)))

        assert OrderLine.objects.values_list("color_id", "color_name").get() == told

    @pytest.mark.parametrize(
        ("word", "told"),
        [("Sealed", "M"), ("incomplete", "I"), ("C", "C"), ("Mostly complete", "")],
    )
    def test_have_sets_complete_by_whole_words(self, ann, word, told):
        orders_of(ann, order_csv({**ORDER, **LINE, "ITEMTYPE": "S", "SUBCONDITION": word}))

        assert OrderLine.objects.get().sub_condition == told

    def test_have_types_in_other_languages(self, ann):
        orders_of(ann, order_table(order_row(kind="Minifigur")))

        assert OrderLine.objects.get().item_type == "MINIFIG"

    @pytest.mark.parametrize("is_there", [True, False], ids=["empty", "missing"])
    def test_take_what_they_do_not_say_from_the_lot_of_their_number(self, ann, is_there):
        figure = make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_stock(ann, figure, 5, condition="N", marketplace_lot_id=1001)
        content = (FILES / "order-colour-number.xml").read_text()
        for tag, value in (("CONDITION", "N"), ("ITEMTYPE", "P")):
            empty = f"<{tag}></{tag}>" if is_there else ""
            content = content.replace(f"<{tag}>{value}</{tag}>", empty)

        orders_of(ann, content.encode())

        assert OrderLine.objects.values_list("condition", "item_type").get() == ("N", "MINIFIG")

    @pytest.mark.parametrize(
        ("others", "found"),
        [([], ("PART", True)), (["SET"], ("", False))],
        ids=["of one item", "of several"],
    )
    def test_that_name_no_type_match_by_a_number_of_one_item_only(
        self, ann, catalogue, others, found
    ):
        for kind in others:
            make_item("3001", item_type=kind)
        row = make_stock(ann, catalogue["3001", RED], 5, condition="N")
        content = (FILES / "order-colour-number.xml").read_text()
        content = content.replace("ITEMTYPE", "X").replace("LOTID", "Y")

        for _ in range(2):  # a second reading finds the line again
            take_in_file(owner=ann, data=content.encode(), now=now())

        line = OrderLine.objects.get()
        row.refresh_from_db()
        assert ((line.item_type, line.lot_id == row.lot_id), bool(row.promised)) == (
            found,
            found[1],
        )
        told = OrderEvent.objects.get(kind="type").text
        assert ("3001" in told, "one item only" in told) == (True, found[1])

    def test_that_say_no_condition_keep_it_unknown(self, ann, catalogue):
        make_stock(ann, catalogue["3001", RED], 5, condition="U")
        content = (FILES / "order-colour-number.xml").read_text()

        taken = take_in_file(owner=ann, data=content.replace("CONDITION", "X").encode(), now=now())

        assert OrderLine.objects.get().condition == "?"
        assert taken.lacking == 2


ODD_LOTS = [
    {"number": "x1", "color": "Redd"},
    {"number": "x2", "kind": "gioco"},
    {"number": "x3", "condition": "gebraucht?"},
    {"number": "x4", "quantity": "many"},
    {"number": "x5", "price": "1.2.3"},
    {"number": "x6", "kind": "Minifigur", "condition": "Neu", "price": "0,5", "quantity": "1,234"},
    {"number": "x7", "condition": ""},
]


class TestTypedColours:
    def test_are_found_in_lists_by_anybodys_names(self, ann, api, catalogue):
        make_stock(ann, catalogue["3001", GREY], 5)
        make_stock(ann, catalogue["3001", RED], 5)
        of_stock(ann, table({"number": "x9", "color": "Perlmutt", "price": "0.1"}))
        client = api(ann)

        for address in ("/api/inventoryItems?color_name=", "/api/catalogLots?color_name="):
            for word, color in (("lbg", GREY), ("Medium Stone Grey", GREY), ("rot", RED)):
                rows = client.get(f"{address}{word}").json()["data"]
                assert {row["color_id"] for row in rows} == {color}, (address, word)
            assert client.get(f"{address}Redd").json()["data"] == []

    @pytest.mark.parametrize("color", ["Redd", ""], ids=["not understood", "not said"])
    def test_that_are_unknown_are_none_in_a_sale_by_hand(self, ann, color):
        row = of_stock(ann, table({"color": color, "price": "0.1"})).get()

        order = sell_by_hand(owner=ann, lines=[HandLine(item_id=row.pk, quantity=1)], now=now())

        assert (order.lines.get().color_id, order.lines.get().color_name) == (-1, color)


class TestUnknownTypes:
    def test_are_no_parts_in_lists_palette_and_sales(self, ann, api):
        row = of_stock(ann, table({"number": "x9", "kind": "gioco", "price": "0.1"})).get()

        (listed,) = api(ann).get("/api/inventoryItems").json()["data"]
        (found,) = api(ann).get("/api/find?search=x9").json()["data"][0]["parts"]
        order = sell_by_hand(owner=ann, lines=[HandLine(item_id=row.pk, quantity=1)], now=now())

        kinds = (listed["item_type"], found["item_type"], order.lines.get().item_type)
        assert kinds == ("", "", "")

    def test_are_asked_for_before_an_item_of_a_batch_changes(self, ann, api):
        row = of_batch(ann, table({"number": "x9", "kind": "gioco"})).get()

        answer = api(ann).patch(f"/api/batchItems/{row.pk}", {"item_number": "3001"}).json()

        assert list(answer["meta"]["error"]["fields"]) == ["item_type"]


class TestOddLots:
    @DOORS
    @pytest.mark.parametrize("form", [table, xml, bsx], ids=["table", "XML", "BSX"])
    def test_keep_what_was_not_understood_and_cost_no_other(self, ann, door, form):
        rows = door(ann, form(*({"price": "0.1", **lot} for lot in ODD_LOTS))).order_by("pk")

        assert [
            (row.raw_item_number, row.raw_item_type, row.condition, row.condition_text)
            for row in rows
        ] == [
            ("x1", "P", "U", ""),
            ("x2", "", "U", ""),
            ("x3", "P", "?", "gebraucht?"),
            ("x6", "M", "N", ""),
            ("x7", "P", "?", ""),
        ]
        assert (rows[0].raw_color_id, rows[0].raw_color_name) == (None, "Redd")
        assert "gioco" in str(rows[1].extra)
        assert (rows[3].price, rows[3].quantity) == (Decimal("0.5"), 1234)

    @DOORS
    @pytest.mark.parametrize(
        "content",
        [
            b"Item No;Color;Qty\n3001;Red;1\n",
            b"Item No;Color;Qty;Olotila\n3001;Red;1;kulunut\n",
            b"<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR>"
            b"<QTY>1</QTY><PRICE>1</PRICE></ITEM></INVENTORY>",
            b"<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR>"
            b"<MINQTY>1</MINQTY><CONDITION>X</CONDITION></ITEM></INVENTORY>",
            b"300121\n",
        ],
        ids=["no column", "a head nobody knows", "XML", "wanted in any", "a list of numbers"],
    )
    def test_without_a_condition_have_none_that_is_known(self, ann, door, content):
        rows = door(ann, content)

        assert rows.get().condition == "?"

    def test_of_a_table_without_conditions_are_asked_for_theirs(self, ann):
        content = b"Item No;Color;Qty\n3001;Red;1\n"
        sync = preview(ann, content, "x.csv")

        assert "no_condition_column" in [one["code"] for one in sync.warnings]
        sync = preview(ann, content, "x.csv", table={"condition": "U"})
        assert "no_condition_column" not in [one["code"] for one in sync.warnings]
        apply(sync)
        assert InventoryItem.objects.get().condition == "U"

    @DOORS
    def test_of_bsx_without_conditions_are_new_by_its_definition(self, ann, door):
        lot = _tags([{"price": "0.1"}], 2, "Item").replace("<Condition>U</Condition>", "")
        content = f'<BrickStoreXML><Inventory Currency="EUR">{lot}</Inventory></BrickStoreXML>'

        assert door(ann, content.encode()).get().condition == "N"

    @DOORS
    def test_have_conditions_that_a_person_named(self, ann, door):
        WordChoice.objects.create(
            owner=ann, field=WordField.CONDITION, text="Gebraucht?", condition="U"
        )

        row = door(ann, table({"condition": "gebraucht?"})).get()
        assert (row.condition, row.condition_text) == ("U", "")


class Read(NamedTuple):
    """What a door makes of a value, and whether it tells that it did not or only may understand."""

    value: object
    is_told: bool


FIELDS = {
    "kind": "item_type",
    "quantity": "quantity",
    "price": "price",
    "condition": "condition",
    "date": "date_added",
    "remarks": "remarks",
    "color": "color_id",
}


def of_file(form):
    def read(name, text):
        content = io.BytesIO(form({name: text}))
        file = read_any(content, colors=ColorsByText(), unpack=None)
        (lot,) = file
        asks = getattr(file, "table", None) is not None and bool(file.table.as_dict()["unclear"])
        value = None if lot.unreadable else getattr(lot, FIELDS[name])
        return Read(value, bool(lot.warnings) or asks)

    return read


ORDER_TAGS = {"price": "PRICE", "quantity": "QTY", "kind": "ITEMTYPE", "condition": "CONDITION"}
ORDER_TAGS |= {"color": "COLOR", "remarks": "REMARKS", "date": "ORDERDATE", "status": "ORDERSTATUS"}
ORDER = {"ORDERID": "7", "ORDERDATE": "2026-11-27", "BUYER": "b", "ORDERSTATUS": "Paid"}
LINE = {"ITEMID": "3001", "ITEMTYPE": "P", "COLOR": "5", "QTY": "1", "PRICE": "1", "CONDITION": "U"}


def order_xml(texts):
    order = "".join(f"<{tag}>{text}</{tag}>" for tag, text in texts.items() if tag in ORDER)
    line = "".join(f"<{tag}>{text}</{tag}>" for tag, text in texts.items() if tag not in ORDER)
    return f"<ORDERS><ORDER>{order}<ITEM>{line}</ITEM></ORDER></ORDERS>".encode()


def order_csv(texts):
    return "\n".join([";".join(texts), ";".join(texts.values())]).encode()


def of_order_file(form):
    def read(name, text):
        data = form({**ORDER, **LINE, ORDER_TAGS[name]: text})
        (found,) = read_orders(data, currency="EUR", colors=ColorsByText()).orders
        return Read(None, True) if found.order is None else of_order(found.order, name)

    return read


def of_order(order, name):
    (line,) = order.lines
    values = {
        "kind": LETTER_OF_TYPE.get(line.item_type, ""),
        "color": None if line.color_id == UNKNOWN_COLOR else line.color_id,
        "date": order.ordered_at,
        "status": order.state,
    }
    value = values.get(name, getattr(line, name, None))
    return Read(value, name == "status" or value in ("", None, "?"))


LOT_ANSWER = {
    "inventory_id": 7,
    "item": {"no": "3001", "type": "PART"},
    "color_id": 5,
    "quantity": 1,
    "unit_price": "0.1000",
    "new_or_used": "U",
}
ANSWER_NAMES = {"price": "unit_price", "condition": "new_or_used", "date": "date_created"}


def of_store_lot(lot, name):
    if isinstance(lot, UnreadLot):
        return Read(None, bool(lot.reason))
    lot = bsx_lot_of(lot)
    value = getattr(lot, FIELDS[name])
    return Read(value, value in ("", None, "?") and bool(lot.item_type_name or lot.condition_text))


def of_bricklink(name, text):
    changed = {"item": {"no": "3001", "type": text}} if name == "kind" else {}
    changed = changed or {ANSWER_NAMES.get(name, name): text}
    read = of_store_lot(bricklink_lots.read_lot({**LOT_ANSWER, **changed}), name)
    return read._replace(is_told=True) if name == "date" else read


def brickowl_lot(changed, known=None):
    row = {"lot_id": "7", "boid": "3001", "type": "Part", "qty": "1", "price": "1", "con": "usedn"}
    colors = brickowl_wire.OwlColors({}, {}, {})
    return brickowl_wire.read_lot({**row, **changed}, {}, colors, known or {})


def of_brickowl(name, text):
    names = {"kind": "type", "quantity": "qty", "condition": "con", "remarks": "personal_note"}
    return of_store_lot(brickowl_lot({names.get(name, name): text}), name)


def of_bricklink_order(name, text):
    head = {"order_id": 7, "status": "PAID", "date_ordered": "2026-11-27T10:00:00Z"}
    head |= {"date_status_changed": "2026-11-27T10:00:00Z"}
    line = {**LOT_ANSWER, "unit_price_final": "0.1000"}
    match name:
        case "kind":
            line["item"] = {"no": "3001", "type": text}
        case "status":
            head["status"] = text
        case "date":
            head["date_ordered"] = text
        case "price":
            line["unit_price_final"] = text
        case _:
            line[ANSWER_NAMES.get(name, name)] = text
    try:
        return of_order(bricklink_orders.read_order(head, [[line]]), name)
    except Unreadable:
        return Read(None, True)


def of_api(name, text):
    """Return what a request means, where numbers are text; a person's commas are read in the page."""
    field = {"price": Amount(**MONEY, min_value=0), "date": Instant()}.get(name, WholeNumber())
    try:
        return Read(field.run_validation(text), True)
    except ValidationError:
        return Read(None, True)


class TestAnswersOfMarketplaces:
    """What an answer leaves out is not known: no colour 0, no price below 0."""

    @pytest.mark.parametrize("color", [None, "", -1], ids=["no color_id", "empty", "-1"])
    def test_without_a_colour_leave_the_lot_unread(self, color):
        read = bricklink_lots.read_lot({**LOT_ANSWER, "color_id": color})

        assert isinstance(read, UnreadLot)
        assert "color_id" in read.reason

    def test_without_a_colour_are_lots_of_items_that_have_none(self):
        kit = {**LOT_ANSWER, "item": {"no": "10-1", "type": "SET"}, "color_id": None}

        assert bricklink_lots.read_lot(kit).color_id == 0

    def test_without_a_colour_in_an_order_keep_it_unknown(self):
        head = {"order_id": 7, "status": "PAID", "date_ordered": "2026-11-27T10:00:00Z"}
        head |= {"date_status_changed": "2026-11-27T10:00:00Z"}
        line = {**LOT_ANSWER, "unit_price_final": "0.1", "color_id": None}

        (read,) = bricklink_orders.read_order(head, [[line]]).lines
        assert read.color_id == UNKNOWN_COLOR

    @pytest.mark.parametrize("price", ["-1", "-0.5", "NaN", "-Infinity"])
    def test_with_a_price_that_is_none_refuse_their_order(self, price):
        head = {"order_id": 7, "status": "PAID", "date_ordered": "2026-11-27T10:00:00Z"}
        head |= {"date_status_changed": "2026-11-27T10:00:00Z"}
        line = {**LOT_ANSWER, "unit_price_final": price}

        with pytest.raises(Unreadable, match="Item 1: unit_price_final is"):
            bricklink_orders.read_order(head, [[line]])

    def test_with_sums_below_zero_refuse_their_order(self):
        head = {"order_id": 7, "status": "PAID", "date_ordered": "2026-11-27T10:00:00Z"}
        head |= {"date_status_changed": "2026-11-27T10:00:00Z"}
        head |= {"cost": {"currency_code": "EUR", "grand_total": "-3.00"}}

        with pytest.raises(Unreadable, match="grand_total is"):
            bricklink_orders.read_order(head, [[LOT_ANSWER]])

    def test_without_a_colour_of_brick_owl_keep_it_unknown_for_parts(self):
        assert brickowl_lot({}).color_id == UNKNOWN_COLOR
        assert brickowl_lot({"type": "Set"}).color_id == 0

    def test_without_a_colour_of_brick_owl_are_the_stock_that_has_none(self):
        ours = brickowl_wire.LOT_IDS.ours(7)

        assert brickowl_lot({"type": "Gear"}, {ours: ("x1", 0)}).color_id == 0


FILE_DOORS = {name: of_file(form) for name, form in FORMS.items()}
ORDER_DOORS = {"order XML": of_order_file(order_xml), "order table": of_order_file(order_csv)}
STORE_DOORS = {"BrickLink": of_bricklink, "BrickOwl": of_brickowl}
ALL_DOORS = {**FILE_DOORS, **ORDER_DOORS, **STORE_DOORS, "BrickLink's order": of_bricklink_order}
NUMBER = {**ALL_DOORS, "API": of_api}
LOT_DOORS = {**FILE_DOORS, **STORE_DOORS}
#: Where a field is none, or another: a wanted list names no price, BrickOwl no date.
NOT_AT = {"price": {"wanted list"}, "date": {"wanted list", "BrickOwl"}, "color": {"BrickOwl"}}
NOT_AT["color"] |= {"BrickLink", "BrickLink's order"}  # they give numbers and names
ODD_VALUES = json.loads((FILES / "odd_values.json").read_text())


def differing(name, doors, cases):
    """Return the doors that make something else of a value, or nothing without telling so.

    A door may tell that it only assumes a meaning, or that it understands none.
    """
    found = []
    for text, means in cases:
        for door in doors.keys() - NOT_AT.get(name, set()):
            value, is_told = doors[door](name, text)
            value = value.date().isoformat() if isinstance(value, datetime) else value
            if value != means and not (is_told and value in (None, "", "?")):
                found.append((text, door, value, is_told))
    return sorted(found, key=str)


class TestValues:
    """One odd value through every door."""

    @pytest.mark.parametrize("name", ["quantity", "price", "date"])
    def test_mean_the_same_at_every_door_or_are_told_to_mean_nothing(self, name):
        cases = [(one["text"], one["means"]) for one in ODD_VALUES[name]]
        if name != "date":
            cases = [(text, means and Decimal(means)) for text, means in cases]

        assert differing(name, NUMBER, cases) == ASSUMED.get(name, [])

    def test_are_understood_wherever_they_are_written(self):
        for name, text, means in UNDERSTOOD:
            for door in ALL_DOORS.keys() - NOT_AT.get(name, set()):
                value = ALL_DOORS[door](name, text).value
                assert (None if value in ("", "?") else value) == means, (name, text, door)

    def test_that_are_bins_are_found_however_they_are_spelt(self):
        there = NamesThere(["A-01"])
        reader = RemarksReader(there=there, creates=False, several=SeveralLocations.ASK)

        for text in ("A-01", " a-01 ", "Ａ－01"):
            for door, read in LOT_DOORS.items():
                place = reader.read(read("remarks", text).value)
                assert there.spelt(place.name) == "A-01", (door, text)

    def test_that_are_statuses_mean_the_same_and_never_a_problem(self):
        doors = [*ORDER_DOORS.values(), of_bricklink_order]
        words = {"Paid": "paid", " PAID ": "paid", "Cancelled": "cancelled", "NPB": "problem"}
        words |= {"On Hold": "new", "bezahlt": "new", "": "new"}

        for word, state in words.items():
            assert {read("status", word).value for read in doors} == {state}, word


#: What a door assumes of a value that may be two, and tells: its decimal sign is the comma alone.
ASSUMED = {
    "price": [
        ("1,234", "BSX by names", Decimal("1.234"), True),
        ("1,234", "BSX", Decimal("1.234"), True),
        ("1,234", "XML", Decimal("1.234"), True),
        ("1,234", "table", Decimal("1.234"), True),
    ]
}
UNDERSTOOD = [
    *(("kind", *case) for case in [("P", "P"), ("Minifigur", "M"), ("Zubehör", "G"), ("SET", "S")]),
    *(("kind", *case) for case in [("gioco", None), ("Set?", None), ("Original Box", "O")]),
    *(("quantity", *case) for case in [("12", 12), ("3.0", 3), ("1,234", 1234)]),
    *(("price", *case) for case in [("0.5", Decimal("0.5")), ("0,50", Decimal("0.5"))]),
    *(("price", *case) for case in [("1,234.5", Decimal("1234.5")), ("free", None)]),
    *(("condition", *case) for case in [("N", "N"), ("used", "U"), ("Neu", "N"), ("sealed", "N")]),
    *(("condition", *case) for case in [("A-12", None), ("N1", None), ("used 2", "U")]),
    *(("color", *case) for case in [("Bright Red", RED), ("rot", RED), ("lbg", GREY)]),
    *(("color", *case) for case in [("Lt. Bluish Grey", GREY), ("Redd", None), ("Red?", None)]),
]


CUSTOM = (
    b'<BrickStoreXML><Inventory Currency="EUR">'
    b"<Item><ItemID></ItemID><ItemTypeID>P</ItemTypeID><ColorID>5</ColorID>"
    b"<ItemName>Custom sword</ItemName><Qty>1</Qty><Price>0.1</Price><Condition>N</Condition></Item>"
    b"<Item><ItemID></ItemID><ItemTypeID>P</ItemTypeID><ColorID>5</ColorID>"
    b"<ItemName>Custom sword</ItemName><Qty>2</Qty><Price>0.1</Price><Condition>N</Condition></Item>"
    b"<Item><ItemTypeID>U</ItemTypeID><Qty>3</Qty><Price>1</Price><Condition>U</Condition>"
    b"<Remarks>bag of odd bits</Remarks></Item></Inventory></BrickStoreXML>"
)


class TestItemsWithoutANumber:
    @DOORS
    def test_are_lots_of_their_own_with_their_text(self, ann, door):
        rows = door(ann, CUSTOM).order_by("pk")

        assert [(row.lot_id, row.raw_item_name, row.quantity, row.remarks) for row in rows] == [
            (None, "Custom sword", 1, ""),
            (None, "Custom sword", 2, ""),
            (None, "", 3, "bag of odd bits"),
        ]

    def test_come_back_in_the_export_as_they_came(self, ann):
        of_stock(ann, CUSTOM)

        export = export_of(ann, kind=ExportKind.BSX)
        assert export.failed == []
        told = [
            (lot.item_number, lot.item_name, lot.remarks, lot.quantity) for lot in lots_in(export)
        ]
        assert told == [
            ("", "Custom sword", "", 1),
            ("", "Custom sword", "", 2),
            ("", "", "bag of odd bits", 3),
        ]

    def test_are_never_uploaded(self, ann):
        of_stock(ann, CUSTOM)

        assert export_of(ann, kind=ExportKind.MASS_UPLOAD).row_count == 0

    def test_merge_with_nothing(self, ann):
        bin_ = make_location(ann)
        lines = [
            MoveLine(item_id=row.pk, to_location_id=bin_.pk, quantity=row.quantity)
            for row in of_stock(ann, CUSTOM)
        ]

        move_items(owner=ann, lines=lines, by=ann, now=now())
        assert InventoryItem.objects.filter(location=bin_).count() == 3

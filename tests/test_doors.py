"""The same value through every door of files: batches, stock and orders."""

import io
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.test_bsx_import import imported
from apps.catalog.models import ColorAlias, ElementCode
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.exports.models import ExportKind
from apps.exports.tests.factories import export_of, lots_in
from apps.inventory.models import InventoryItem, InventorySync, WordChoice, WordField
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.tests.bsx_files import preview
from apps.inventory.tests.factories import make_stock
from apps.inventory.tests.test_any_file import applied
from apps.locations.tests.factories import make_location
from apps.orders.models import Order, OrderLine
from apps.orders.services.files import take_in_file

pytestmark = pytest.mark.django_db

FILES = Path(__file__).parent / "files"
GREY, RED, BLUE = 86, 5, 7


@pytest.fixture(autouse=True)
def catalogue():
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


def told(rows):
    """Return (number, colour, pieces, the file's word) of rows; of unknown ones the colour is None."""
    return list(
        rows.order_by("pk").values_list(
            "raw_item_number", "lot__color_id", "quantity", "raw_color_name"
        )
    )


def table(*colors):
    rows = "".join(f"3001,{color},{at},U\n" for at, color in enumerate(colors, 1))
    return f"Item No,Color,Qty,Condition\n{rows}".encode()


def xml(color):
    return (
        "<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID>"
        f"<COLOR>{color}</COLOR><QTY>1</QTY><CONDITION>U</CONDITION></ITEM></INVENTORY>"
    ).encode()


def wanted(color):
    return xml(color).replace(b"<QTY>1</QTY>", b"<MINQTY>1</MINQTY>")


def bsx(tag, color):
    return (
        '<BrickStoreXML><Inventory Currency="EUR"><Item><ItemID>3001</ItemID>'
        f"<ItemTypeID>P</ItemTypeID><{tag}>{color}</{tag}><Qty>1</Qty><Price>0.1</Price>"
        "<Condition>U</Condition></Item></Inventory></BrickStoreXML>"
    ).encode()


FORMS = {
    "table": table,
    "XML": xml,
    "wanted list": wanted,
    "BSX": lambda color: bsx("ColorID", color),
    "BSX by name": lambda color: bsx("ColorName", color),
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
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize(
        ("word", "color"),
        [
            ("Red", RED),
            ("rot", RED),
            ("Bright Red", RED),
            ("lbg", GREY),
            ("Lt. Bluish Grey", GREY),
            ("Medium Stone Grey", GREY),
            ("Redd", None),
            ("Perlmutt", None),
        ],
    )
    def test_mean_the_same_at_every_door(self, ann, door, form, word, color):
        rows = door(ann, FORMS[form](word))

        assert told(rows) == [("3001", color, 1, word)]

    @DOORS
    def test_that_are_not_known_are_two_lots(self, ann, door):
        rows = door(ann, table("Perlmutt", "Redd"))

        assert [row.quantity for row in rows.order_by("pk")] == [1, 2]
        assert len({row.raw_color_name for row in rows}) == 2

    @DOORS
    @pytest.mark.parametrize("form", FORMS)
    def test_that_a_person_named_are_known_in_the_next_file(self, ann, door, form):
        WordChoice.objects.create(owner=ann, field=WordField.COLOR, text="redd", color_id=RED)

        assert told(door(ann, FORMS[form]("Redd"))) == [("3001", RED, 1, "Redd")]


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
        f"<CONDITION>U</CONDITION><REMARKS>{remarks}</REMARKS></ITEM>\n"
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


class TestTypes:
    @DOORS
    @pytest.mark.parametrize(
        ("word", "letter"), [("Minifigur", "M"), ("Zubehör", "G"), ("figurine", "M"), ("gioco", "")]
    )
    def test_are_known_in_other_languages_and_never_a_part(self, ann, door, word, letter):
        door(ann, f"Part ID;Item Type;Color;Qty\nx1;{word};Red;1\n".encode())

        (row,) = (BatchItem if door is of_batch else InventoryItem).objects.all()
        assert (row.raw_item_type, row.lot_id) == (letter, None)


class TestNumbers:
    TABLE = "Wzór;Name;Color;Qty\n3001;Brick 2 x 4;Red;2\n3003;Brick 2 x 2;Red;1\n".encode()

    def test_in_a_column_that_was_not_understood_are_asked_for(self, ann):
        imported(ann, self.TABLE)
        preview(ann, self.TABLE, "x")

        for sync in InventorySync.objects.all():
            assert sync.state == "previewed"
            assert any("“Wzór” looks like one" in one["message"] for one in sync.warnings)


def quantity_in_table(text):
    return f"Item No;Color;Qty;Condition\n3001;Red;{text};U\n3003;Red;2;U\n".encode()


def quantity_in_xml(text):
    lot = xml(RED).replace(b"<QTY>1<", f"<QTY>{text}<".encode())
    return lot.replace(b"</INVENTORY>", XML_AFTER)


def quantity_in_wanted(text):
    return quantity_in_xml(text).replace(b"QTY>", b"MINQTY>")


def quantity_in_bsx(text):
    lot = bsx("ColorID", RED).replace(b"<Qty>1<", f"<Qty>{text}<".encode())
    after = bsx("ColorID", RED).replace(b"3001", b"3003").replace(b"<Qty>1<", b"<Qty>2<")
    return lot.replace(b"</Inventory>", after[after.index(b"<Item>") :].partition(b"</Brick")[0])


XML_AFTER = xml(RED).replace(b"3001", b"3003").replace(b"<QTY>1<", b"<QTY>2<")[11:]
QUANTITIES = {
    "table": quantity_in_table,
    "XML": quantity_in_xml,
    "wanted list": quantity_in_wanted,
    "BSX": quantity_in_bsx,
}


class TestQuantities:
    @DOORS
    @pytest.mark.parametrize("form", QUANTITIES)
    @pytest.mark.parametrize(
        ("text", "pieces"), [("12", 12), ("1,234", 1234), ("1,234,567", 1234567), ("3.0", 3)]
    )
    def test_are_whole_numbers_at_every_door(self, ann, door, form, text, pieces):
        rows = door(ann, QUANTITIES[form](text))

        assert [row[2] for row in told(rows)] == [pieces, 2]

    @DOORS
    @pytest.mark.parametrize("form", QUANTITIES)
    @pytest.mark.parametrize("text", ["1,5", "0,075", "12,34", "1,2345", "1.5", "many", "1e3"])
    def test_that_are_none_set_their_lot_aside_at_every_door(self, ann, door, form, text):
        rows = door(ann, QUANTITIES[form](text))

        assert told(rows) == [("3003", RED, 2, "Red")]

    @pytest.mark.parametrize("text", ["1,5", "0,075", "12,34", "1.5", "many"])
    def test_that_are_none_set_their_order_aside(self, ann, text):
        taken = take_in_file(owner=ann, data=order_table(order_row(qty=text)), now=now())

        assert [text in one["reason"] for one in taken.refused] == [True]


class TestDates:
    def test_of_no_likely_year_are_no_date(self, ann):
        rows = of_stock(ann, (FILES / "dates-zero.bsx").read_bytes())

        assert len(rows) > 1
        years = {d.year for d in rows.values_list("date_added", flat=True) if d is not None}
        assert all(1950 <= year <= 2199 for year in years)

    @pytest.mark.parametrize("year", ["0001", "1000", "1899", "1949", "2200", "9999"])
    def test_of_a_table_as_well(self, ann, year):
        text = f"Part,Color,Qty,Date added\n3001,Red,1,{year}-01-02\n3001,Blue,1,2020-01-02\n"
        rows = of_stock(ann, text.encode())

        assert [d and d.year for d in rows.order_by("pk").values_list("date_added", flat=True)] == [
            None,
            2020,
        ]


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

    def test_that_may_be_of_two_days_are_refused_with_the_reason(self, ann):
        content = order_table(order_row(date="03/05/2026", each="0,30"))

        (refused,) = take_in_file(owner=ann, data=content, now=now()).refused
        assert "03/05/2026" in refused["reason"]

    def test_have_the_day_first_where_one_shows_it(self, ann):
        rows = [order_row("1", date="03/05/2026"), order_row("2", date="27/05/2026")]

        found = orders_of(ann, order_table(*rows))
        assert [one.ordered_at.date().isoformat() for one in found] == ["2026-05-03", "2026-05-27"]

    def test_that_may_be_of_two_days_where_others_contradict_each_other_are_refused(self, ann):
        days = ["13/12/2026", "12/13/2026", "03/05/2026"]
        content = order_table(*(order_row(day[:2], date=day) for day in days), sign=",")

        taken = take_in_file(owner=ann, data=content, now=now())
        assert [one["number"] for one in taken.refused] == ["03"]
        assert taken.new == 2

    def test_that_may_be_one_thousand_are_refused_with_the_reason(self, ann):
        content = order_table(order_row(each="1,234"))

        (refused,) = take_in_file(owner=ann, data=content, now=now()).refused
        assert "1,234" in refused["reason"]

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

    def test_that_say_no_condition_keep_it_unknown(self, ann, catalogue):
        make_stock(ann, catalogue["3001", RED], 5, condition="U")
        content = (FILES / "order-colour-number.xml").read_text()

        taken = take_in_file(owner=ann, data=content.replace("CONDITION", "X").encode(), now=now())

        assert OrderLine.objects.get().condition == "?"
        assert taken.lacking == 2


def condition_in_table(text):
    return f"Item No;Color;Qty;Condition\n3001;Red;1;{text}\n3003;Red;2;U\n".encode()


def condition_in_xml(text):
    return xml(RED).replace(b"<CONDITION>U<", f"<CONDITION>{text}<".encode())


def condition_in_wanted(text):
    return condition_in_xml(text).replace(b"QTY>", b"MINQTY>")


def condition_in_bsx(text):
    return bsx("ColorID", RED).replace(b"<Condition>U<", f"<Condition>{text}<".encode())


CONDITIONS = {
    "table": condition_in_table,
    "XML": condition_in_xml,
    "wanted list": condition_in_wanted,
    "BSX": condition_in_bsx,
}


class TestConditions:
    @DOORS
    @pytest.mark.parametrize("form", CONDITIONS)
    @pytest.mark.parametrize(
        ("text", "condition"),
        [("N", "N"), ("U", "U"), ("used", "U"), ("Neu", "N"), ("gebraucht", "U"), ("sealed", "N")],
    )
    def test_mean_the_same_at_every_door(self, ann, door, form, text, condition):
        row = door(ann, CONDITIONS[form](text)).order_by("pk")[0]

        assert (row.condition, row.condition_text) == (condition, "")

    @DOORS
    @pytest.mark.parametrize("form", CONDITIONS)
    @pytest.mark.parametrize("text", ["gebraucht?", "B", "new or used", "N/A", "wie abgebildet"])
    def test_that_are_not_understood_keep_their_text(self, ann, door, form, text):
        row = door(ann, CONDITIONS[form](text)).order_by("pk")[0]

        assert (row.condition, row.condition_text) == ("?", text)

    @DOORS
    def test_that_are_empty_where_others_are_not_stay_unknown(self, ann, door):
        rows = door(ann, condition_in_table(""))

        assert list(rows.order_by("pk").values_list("condition", "condition_text")) == [
            ("?", ""),
            ("U", ""),
        ]

    @DOORS
    def test_of_a_table_without_them_are_new_as_the_preview_says(self, ann, door):
        rows = door(ann, b"Item No;Color;Qty\n3001;Red;1\n")

        assert rows.get().condition == "N"

    @pytest.mark.parametrize("text", ["gebraucht?", "B", ""])
    def test_that_are_not_understood_set_their_order_aside(self, ann, text):
        row = (*order_row()[:-1], text)

        (refused,) = take_in_file(owner=ann, data=order_table(row), now=now()).refused
        assert "CONDITION" in refused["reason"]

    @DOORS
    @pytest.mark.parametrize("form", CONDITIONS)
    def test_that_a_person_named_are_understood_in_the_next_file(self, ann, door, form):
        WordChoice.objects.create(
            owner=ann, field=WordField.CONDITION, text="Gebraucht?", condition="U"
        )

        row = door(ann, CONDITIONS[form]("gebraucht?")).order_by("pk")[0]
        assert (row.condition, row.condition_text) == ("U", "")


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

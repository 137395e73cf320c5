"""The same value through every door of files: batches, stock and orders."""

from pathlib import Path

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.test_bsx_import import imported
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.inventory.models import InventoryItem
from apps.inventory.tests.test_any_file import applied

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

"""A BSX file that comes in goes out again with all it said."""

import base64
import io
import struct
import zlib

import pytest

from apps.catalog.tests.factories import make_category, make_color, make_item, make_lot
from apps.exchange.bsx_reader import read_bsx
from apps.exports.tests.factories import content_of, export_of
from apps.inventory.models import InventoryItem
from apps.inventory.tests.bsx_files import bsx, lot, sync_file

pytestmark = pytest.mark.django_db

SORTED = b"<SortFilterState><![CDATA[U0ZTVA==]]></SortFilterState>"
COLUMNS = b'<ColumnLayout Compressed="1"><![CDATA[%s]]></ColumnLayout>' % base64.b64encode(
    struct.pack(">I", 4) + zlib.compress(b"cols")
)
GUI_STATE = b'<GuiState Application="BrickStore" Version="2">%s%s</GuiState>' % (COLUMNS, SORTED)
ORDER = b"<Order><OrderID>17</OrderID></Order>"


def store(*lots, beside=b""):
    content = bsx(*lots).replace(b'Currency="EUR"', b'Currency="EUR" BrickLinkChangelogId="4711"')
    return content.replace(b"</BrickStoreXML>", beside + b"</BrickStoreXML>")


def read(content):
    file = read_bsx(io.BytesIO(content))
    return file, list(file)


@pytest.fixture
def brick(db):
    item = make_item("3001", "Brick 2 x 4", category=make_category())
    make_lot(item, make_color(7))
    return make_lot(item, make_color(5))


class TestBesideTheLots:
    def test_all_goes_out_again(self, ann, brick):
        sync_file(ann, store(lot(LotID=1), lot(color=7, LotID=2), beside=GUI_STATE + ORDER))

        file, lots = read(content_of(export_of(ann)))

        assert [one.marketplace_lot_id for one in lots] == [1, 2]
        assert file.header.changelog_id == 4711
        assert file.trailer.gui_state == GUI_STATE
        assert file.trailer.extra_blocks == (ORDER,)

    def test_a_view_of_other_lots_keeps_its_columns_and_says_so(self, ann, brick):
        sync_file(ann, store(lot(LotID=1), lot(color=7, LotID=2), beside=GUI_STATE))
        InventoryItem.objects.filter(marketplace_lot_id=1).update(quantity=0)

        export = export_of(ann, include_zero_quantity=False)

        file, _lots = read(content_of(export))
        assert COLUMNS in file.trailer.gui_state
        assert b"SortFilterState" not in file.trailer.gui_state
        assert [one["field"] for one in export.notices] == ["GuiState"]

    def test_remarks_of_the_file_stay(self, ann, brick):
        note = b"<!-- 2 parts not included -->"
        sync_file(ann, store(lot(), beside=note))

        file, _lots = read(content_of(export_of(ann)))

        assert file.trailer.comments == (" 2 parts not included ",)


class TestLots:
    def test_names_that_the_file_left_empty_are_the_catalogues(self, ann, brick):
        sync_file(ann, bsx(lot(), lot("nope")))

        text = content_of(export_of(ann)).decode()

        assert "4294967295" not in text.partition("nope")[0]
        known, unknown = read(text.encode())[1]
        assert (known.item_name, known.color_name, known.item_type_name) == (
            "Brick 2 x 4",
            "Red",
            "Part",
        )
        assert (known.category_id, known.category_name) == (5, "Brick")
        assert (unknown.color_name, unknown.item_type_name) == ("Red", "Part")

    def test_no_condition_is_invented(self, ann, brick):
        sync = sync_file(ann, bsx(lot().replace("<Condition>U</Condition>", "")))

        text = content_of(export_of(ann)).decode()

        assert "<Condition>" not in text
        assert sync.counts["warnings"] == 1

    def test_a_condition_that_was_set_since_is_written(self, ann, brick):
        sync_file(ann, bsx(lot().replace("<Condition>U</Condition>", "")))
        InventoryItem.objects.update(condition="U")

        assert "<Condition>U</Condition>" in content_of(export_of(ann)).decode()

    def test_four_decimals_stay_and_a_fifth_is_told(self, ann, brick):
        content = bsx(
            lot(price="0.0999", Cost="0.0123", TQ1=5, TP1="0.0501"), lot(color=7, price="0.12345")
        )

        sync = sync_file(ann, content)

        assert sync.counts["warnings"] == 1
        first, second = read(content_of(export_of(ann)))[1]
        assert [str(x) for x in (first.price, first.cost, first.tp1)] == [
            "0.0999",
            "0.0123",
            "0.0501",
        ]
        assert str(second.price) == "0.1234"

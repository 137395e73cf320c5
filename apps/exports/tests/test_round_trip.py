"""A BSX file that comes in goes out again with all it said."""

import base64
import io
import struct
import zlib

import pytest

from apps.batches.tests.factories import make_batch, make_item
from apps.catalog.tests.factories import make_category, make_color, make_lot
from apps.catalog.tests.factories import make_item as make_part
from apps.exchange.bsx_reader import read_bsx
from apps.exports.tests.factories import NOON, content_of, export_of
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.services.received import receive, values_of
from apps.inventory.tests.bsx_files import bsx, lot, sync_file
from apps.inventory.tests.factories import make_stock
from apps.inventory.tests.test_imported_again import imported, stock

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
    item = make_part("3001", "Brick 2 x 4", category=make_category())
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


class TestLotsThatNoFileHolds:
    def test_are_not_set_to_0_by_the_whole_store(self, ann, api, brick):
        make_stock(ann, brick, 1)
        strange = make_stock(ann, brick, 2, condition="?", condition_text="B", marketplace_lot_id=7)
        receive(owner=ann, lots={7: values_of(strange) | {"quantity": 9}}, now=NOON, sync_id=1)
        own = make_lot(make_part("own1", origin="O"), make_color(5))
        make_stock(ann, own, 3)

        sync = imported(api(ann), content_of(export_of(ann)), covers="whole")

        assert [quantity for quantity, *_ in stock(ann)] == [1, 2, 3]
        assert sync["counts"]["zeroed"] == 0
        [told] = sync["warnings"]
        assert told["message"].startswith("2 lots of your stock stay as they are: no file")
        assert ChannelLot.objects.get().quantity == 9

    def test_are_set_to_0_by_a_table_which_can(self, ann, api, brick):
        make_stock(ann, brick, 1)
        make_stock(ann, brick, 2, condition="?", condition_text="B")
        content = b"Part,Color,Qty,Condition,Price\n3001,Red,1,U,0.10\n"

        imported(api(ann), content, name="x.csv", covers="whole")

        assert [quantity for quantity, *_ in stock(ann)] == [1, 0]


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

    @pytest.mark.parametrize("kind", ["P", "U"])
    @pytest.mark.parametrize("words", [{"raw_item_name": "A lamp"}, {"comments": "A lamp"}])
    def test_without_a_number_come_back_from_a_batch(self, ann, kind, words):
        batch = make_batch(ann)
        make_item(batch, raw_item_number="", raw_item_type=kind, **words)
        make_item(batch, raw_item_number="", raw_item_type=kind, raw_item_name="Another")

        export = export_of(ann, batch)
        sync_file(ann, content_of(export))

        rows = InventoryItem.objects.values_list(
            "lot", "raw_item_type", "raw_item_number", "raw_item_name", "comments", "quantity"
        )
        assert list(rows.order_by("pk")) == [
            (None, kind, "", words.get("raw_item_name", ""), words.get("comments", ""), 3),
            (None, kind, "", "Another", "", 3),
        ]
        assert export.failed == []

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

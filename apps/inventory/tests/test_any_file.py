"""Files of every kind over the stock: what they say is taken, what they do not say stays."""

import io
import zipfile
from decimal import Decimal

import pytest

from apps.accounts.models import Preferences
from apps.catalog.models import ElementCode, ItemAlias
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.errors import FileUnreadable
from apps.core.isolated import CALLS_OF_ONE, _Turns
from apps.core.jobs.models import JobState
from apps.core.testing.jobs import run_jobs
from apps.exchange.any_file import FileKind
from apps.exchange.tests.test_any_file import xlsx
from apps.inventory.models import InventoryItem, SyncState
from apps.inventory.selectors.export import lots_for_export
from apps.inventory.services import _sync_preview, files
from apps.inventory.services.bsx_sync import SyncOptions, start_apply, start_preview
from apps.inventory.services.files import check_file
from apps.inventory.tests.bsx_files import bsx, lot, preview
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.locations.tests.factories import make_location
from tests.processor import limited

pytestmark = pytest.mark.django_db


@pytest.fixture
def red():
    return make_lot(make_item("3001"), make_color(5, name="Red"))


@pytest.fixture
def black():
    return make_lot(make_item("3023"), make_color(11, name="Black"))


def rows(owner):
    found = InventoryItem.objects.owned_by(owner).order_by("pk")
    return list(
        found.values_list("lot__item__number", "lot__color_id", "quantity", "price", "condition")
    )


def applied(owner, content, name="x", **options):
    sync = preview(owner, content, name, **options)
    start_apply(sync=sync, confirm_zeroed=None, by=owner)
    run_jobs()
    sync.refresh_from_db()
    assert sync.state == SyncState.APPLIED
    return sync


class Counted(io.BytesIO):
    """Counts the bytes that are read."""

    bytes_read = 0

    def read(self, size=-1):
        content = super().read(size)
        self.bytes_read += len(content)
        return content


class TestALists:
    def test_comes_in_by_names_of_colours(self, ann, red, black):
        sync = applied(ann, b"Part;Colour;Qty;Location\n3001;red;3;A-01\n3023;BLACK;4;A-02\n")
        assert rows(ann) == [("3001", 5, 3, None, "?"), ("3023", 11, 4, None, "?")]
        assert (sync.reading["kind"], sync.reading["covers"]) == ("table", "part")
        assert sorted(InventoryItem.objects.values_list("location__name", flat=True)) == [
            "A-01",
            "A-02",
        ]

    def test_a_workbook_waits_while_others_of_the_same_person_are_unpacked(
        self, ann, bo, red, monkeypatch
    ):
        monkeypatch.setitem(files._as_csv._turns, ann.pk, _Turns(calls=CALLS_OF_ONE))
        workbook = xlsx(["Part", "Color", "Qty"], [3001, "Red", 3])

        other, waiting = preview(bo, workbook, "list.xlsx"), preview(ann, workbook, "list.xlsx")

        assert (waiting.job.state, waiting.state) == (JobState.QUEUED, SyncState.PREVIEWING)
        assert "Try again in a moment" in waiting.job.message
        assert other.state == SyncState.PREVIEWED

    def test_a_workbook_comes_in_the_same(self, ann, red):
        applied(ann, xlsx(["Part", "Color", "Qty"], [3001, "Red", 3]), "list.csv")
        assert rows(ann) == [("3001", 5, 3, None, "?")]

    def test_leaves_the_rest_of_the_stock_and_what_it_does_not_say(self, ann, red, black):
        make_stock(ann, lot=red, quantity=5, condition="N", price=Decimal("0.2"), remarks="old")
        make_stock(ann, lot=black, quantity=9, condition="U")
        applied(ann, b"Part,Color,Qty\n3001,Red,7\n")
        assert rows(ann) == [
            ("3001", 5, 7, Decimal("0.2"), "N"),
            ("3023", 11, 9, Decimal("0.1"), "U"),
        ]

    def test_as_the_whole_store_sets_the_rest_to_0(self, ann, red, black):
        make_stock(ann, lot=red, quantity=5, condition="N")
        make_stock(ann, lot=black, quantity=9)
        sync = preview(ann, b"Part,Color,Qty\n3001,Red,7\n", "x", covers="whole")
        assert sync.counts["zeroed"] == 1

    def test_that_a_spreadsheet_saved_finds_bins_whose_zeros_it_took_off(self, ann, red, black):
        bins = {name: make_location(ann, name) for name in ("0153", "07", "007", "12")}
        make_stock(ann, lot=red, quantity=5, condition="N", location=bins["0153"], remarks="0153")
        rows = "3001,Red,6,153\n3023,Black,1,7\n3023,Black,2,12\n"
        sync = applied(ann, f"Part,Color,Qty,Bin\n{rows}".encode())
        names = InventoryItem.objects.order_by("pk").values_list("location__name", "remarks")
        # 7 may be 07 or 007, so it is another one.
        assert list(names) == [("0153", "0153"), ("7", "7"), ("12", "12")]
        assert sync.counts["changed"] == 1

    def test_that_leaves_a_quantity_empty_keeps_what_is_there(self, ann, red, black):
        make_stock(ann, lot=red, quantity=5, condition="N")
        sync = applied(ann, b"Part,Color,Qty,Price\n3001,Red,,0.3\n3023,Black,,0.4\n")
        assert [row[2:4] for row in rows(ann)] == [(5, Decimal("0.3"))]
        # Of a new lot nobody knows how many there are.
        assert (sync.counts["changed"], sync.counts["unreadable"]) == (1, 1)

    def test_an_unknown_colour_is_unknown_and_no_other(self, ann, red):
        applied(ann, b"Part,Color,Qty\n3001,Rainbow,7\n")
        (row,) = InventoryItem.objects.values("lot_id", "raw_color_name", "raw_color_id")
        assert row == {"lot_id": None, "raw_color_name": "Rainbow", "raw_color_id": None}


class TestNumbersOfOtherSites:
    def test_go_out_as_bricklinks(self, ann, red):
        ElementCode.objects.create(code="300121", lot=red)
        printed = make_lot(make_item("3069pb0030"), make_color(1, name="White"))
        ItemAlias.objects.create(
            item=printed.item,
            catalogue="R",
            kind="id",
            value="3069bpr0030",
            value_key="3069BPR0030",
        )
        content = b"Part,Color,Qty,Condition\n300121,,2,N\n3069bpr0030,White,3,N\n"
        applied(ann, content)

        out = [(lot.item_number, lot.color_id) for lot in lots_for_export(ann)]
        again = preview(ann, content, "x")

        assert out == [("3001", 5), ("3069pb0030", 1)]
        assert (again.counts["unchanged"], again.counts["changed"]) == (2, 0)

    def test_are_told_of_lots_of_the_reading(self, ann, red):
        ElementCode.objects.create(code="300121", lot=red)
        sync = preview(ann, b"Part,Color,Qty\n300121,,2\n3001,Red,3\nx9,Red,1\n", "x")

        assert sync.reading["foreign_numbers"] == 1

    def test_of_colours_may_be_legos_own(self, ann, red):
        sync = preview(ann, b"Part,Color,Qty\n3001,21,2\n", "x")
        assert sync.counts["unknown"] == 1

        applied(ann, b"Part,Color,Qty\n3001,21,2\n", table={"colors": "lego"})

        assert rows(ann) == [("3001", 5, 2, None, "?")]

    def test_that_the_catalogue_learns_later_are_the_same_lot(self, ann, red):
        content = b"Part,Color,Qty\nkjb3001,Red,2\n"
        applied(ann, content)
        ItemAlias.objects.create(
            item=red.item, catalogue="R", kind="id", value="kjb3001", value_key="KJB3001"
        )

        applied(ann, content)

        row = InventoryItem.objects.get()
        assert (row.lot_id, row.raw_item_number, row.quantity) == (red.pk, "3001", 2)

    def test_stay_in_files_whose_numbers_are_bricklinks(self, ann, red):
        ItemAlias.objects.create(
            item=red.item, catalogue="R", kind="id", value="kjb3001", value_key="KJB3001"
        )
        applied(
            ann,
            b"<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>kjb3001</ITEMID><COLOR>5</COLOR>"
            b"<QTY>2</QTY><CONDITION>N</CONDITION></ITEM></INVENTORY>",
        )

        assert [lot.item_number for lot in lots_for_export(ann)] == ["kjb3001"]


class TestPrices:
    def test_in_no_currency_are_told_while_the_account_has_none(self, ann, red):
        first = applied(ann, b"Part,Color,Qty,Price\n3001,Red,7,0.2\n")
        later = preview(ann, b"Part,Color,Qty,Price\n3001,Red,7,0.3\n", "x")
        assert [
            any(told["code"] == "no_currency" for told in sync.warnings) for sync in (first, later)
        ] == [True, False]

    @pytest.mark.parametrize(
        "content",
        [
            b"Part,Color,Qty\n3001,Red,7\n",
            b"<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR>"
            b"<MINQTY>2</MINQTY></ITEM></INVENTORY>",
        ],
    )
    def test_that_a_file_does_not_have_need_no_currency(self, ann, red, content):
        sync = preview(ann, content, "x")
        assert not any(told["code"] == "no_currency" for told in sync.warnings)

    def test_of_a_list_reach_every_bin_of_the_lot(self, ann, red):
        make_stock(ann, lot=red, quantity=5, condition="N", location=make_location(ann, "A-01"))
        make_stock(ann, lot=red, quantity=2, condition="U", location=make_location(ann, "A-02"))
        sync = applied(ann, b'Part,Color,Price\n3001,Red,"0,25"\n')
        assert {row[2:4] for row in rows(ann)} == {(5, Decimal("0.25")), (2, Decimal("0.25"))}
        assert sync.applied_counts["changed"] == 2

    def test_of_a_condition_reach_that_one(self, ann, red):
        make_stock(ann, lot=red, quantity=5, condition="N")
        make_stock(ann, lot=red, quantity=2, condition="U")
        applied(ann, b"Part,Color,Price,Condition\n3001,Red,0.25,used\n")
        assert [row[3] for row in rows(ann)] == [Decimal("0.1"), Decimal("0.25")]

    def test_of_what_is_not_here_are_told_and_make_nothing(self, ann, red):
        sync = applied(ann, b"Part,Color,Price\n3001,Red,0.25\n")
        assert rows(ann) == []
        assert sync.counts["unreadable"] == 1


class TestAnUpdate:
    def test_makes_no_bin_for_a_lot_that_is_not_here(self, ann, red):
        make_stock(ann, lot=red, quantity=5, marketplace_lot_id=71)
        content = (
            b"<INVENTORY><ITEM><LOTID>71</LOTID><REMARKS>A-01</REMARKS></ITEM>"
            b"<ITEM><LOTID>99</LOTID><REMARKS>A-02</REMARKS></ITEM></INVENTORY>"
        )
        sync = applied(ann, content)
        assert sync.new_locations == ["A-01"]
        assert [name["name"] for one in sync.bin_groups for name in one["names"]] == ["A-01"]
        assert set(Location.objects.values_list("name", flat=True)) == {"A-01"}

    def test_changes_its_lots_alone(self, ann, red, black):
        make_stock(ann, lot=red, quantity=5, marketplace_lot_id=71)
        make_stock(ann, lot=black, quantity=9, marketplace_lot_id=72)
        content = (
            b"<INVENTORY><ITEM><LOTID>71</LOTID><QTY>-2</QTY><PRICE>0.5</PRICE></ITEM>"
            b"<ITEM><LOTID>99</LOTID><PRICE>1</PRICE></ITEM></INVENTORY>"
        )
        sync = applied(ann, content)
        assert [row[2:4] for row in rows(ann)] == [(3, Decimal("0.5")), (9, Decimal("0.1"))]
        assert sync.counts["unreadable"] == 1


class TestATable:
    CONTENT = b"What,Which,Qty\nRed,??3001,4\n"

    def test_that_was_corrected_is_read_alike_the_next_time(self, ann, red):
        sync = preview(ann, self.CONTENT)
        assert (sync.counts["lots"], sync.reading["table"]["columns"][1]) == (0, "keep")
        assert sync.reading["sample"] == [["Red", "??3001", "4"]]
        said = SyncOptions(table={"columns": ["color", "item_number", "quantity"]})
        start_preview(sync=sync, options=said, by=ann)
        run_jobs()
        sync.refresh_from_db()
        assert sync.counts["lots"] == 1
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        run_jobs()

        again = preview(ann, self.CONTENT.replace(b"4", b"6"))
        assert (again.counts["lots"], again.counts["unknown_changed"]) == (1, 1)

    def test_of_another_currency_brings_it_into_an_empty_account(self, ann, red):
        applied(ann, "Part,Color,Qty,Price\n3001,Red,1,€0.20\n".encode())
        assert Preferences.objects.get(user=ann).currency == "EUR"

    def test_of_ours_comes_back(self, ann, red):
        sync = applied(
            ann,
            b"\xef\xbb\xbfitem_number,item_type_id,color_id,quantity,price,"
            b"condition,remarks,location_name\r\n3001,P,5,2,0.1000,U,A-01,A-01\r\n",
        )
        assert rows(ann) == [("3001", 5, 2, Decimal("0.1"), "U")]
        assert sync.new_locations == ["A-01"]


class TestRefused:
    def test_a_bomb_says_so_and_costs_no_more(self, ann):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/workbook.xml", b" " * 300_000_000)
        sync = preview(ann, out.getvalue())
        assert sync.state == SyncState.FAILED
        assert "too large" in sync.problem

    def test_orders_and_backups_are_sent_elsewhere(self, ann):
        backup = io.BytesIO()
        with zipfile.ZipFile(backup, "w") as archive:
            archive.writestr("backup.json", "{}")
        told = []
        for content in (b"<ORDERS><ORDER/></ORDERS>", backup.getvalue()):
            with pytest.raises(FileUnreadable) as refused:
                preview(ann, content)
            told += refused.value.data
        assert told == [{"refused_as": "orders"}, {"refused_as": "backup"}]


class TestBrokenXml:
    BEYOND = lot("3023", 11, Comments="<x></Comments>")

    @pytest.mark.parametrize("covers", ["", "whole"])
    def test_sets_no_lot_to_0_where_one_cannot_be_read(self, ann, red, black, covers):
        make_stock(ann, lot=red, quantity=5)
        make_stock(ann, lot=black, quantity=9)
        sync = preview(ann, bsx(lot(), self.BEYOND), covers=covers)

        assert (sync.counts["zeroed"], sync.reading["covers"]) == (0, "part")
        assert "stay as they are" in sync.warnings[-1]["message"]

    def test_tells_how_many_more_lots_cannot_be_read(self, ann, red):
        sync = preview(ann, bsx(*[self.BEYOND] * 150, lot()))

        told = [one["message"] for one in sync.warnings if one["code"] == "rows_left_out"]
        assert any("Lot 100 " in one for one in told)
        assert any("50 more lots" in one for one in told)

    def test_is_refused_where_reading_it_takes_too_long(self, ann, red, monkeypatch):
        monkeypatch.setattr(_sync_preview, "READING_SECONDS", 0)

        sync = preview(ann, b"Part,Color,Qty\n3001,5,1\n")

        assert (sync.state, sync.problem) == (SyncState.FAILED, _sync_preview.TOO_LONG)

    def test_is_read_in_part_while_a_table_is_uploaded(self, ann):
        stream = Counted(b"Part,Color,Qty\n" + b"3001,5,1\n" * 200_000)

        assert check_file(stream, owner=ann) is FileKind.TABLE
        assert stream.bytes_read < 512 * 1024

    def test_is_not_repaired_while_it_is_uploaded(self, ann):
        lot = f"<ITEM><ITEMID>3001</ITEMID><REMARKS>{'&a' * 400_000}</REMARKS></ITEM>"

        with limited(1):
            check_file(io.BytesIO(f"<INVENTORY>{lot * 6}</INVENTORY>".encode()), owner=ann)

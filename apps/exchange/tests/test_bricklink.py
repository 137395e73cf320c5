"""BrickLink's own XML: mass upload, mass update, wanted list."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.exchange.bricklink_rows import in_batches
from apps.exchange.bricklink_update import (
    LotChange,
    change_between,
    read_mass_update,
    write_mass_update,
)
from apps.exchange.bricklink_upload import read_mass_upload, write_mass_upload
from apps.exchange.bricklink_wanted import (
    WantedItem,
    read_wanted_list,
    wanted_of,
    write_wanted_list,
)
from apps.exchange.bsx_base import base_of
from apps.exchange.bsx_lot import BsxLot, WarningCode
from apps.exchange.bsx_tags_out import LotRefused
from apps.exchange.refusals import FileRefused, FileTruncated, RefusalCode
from apps.exchange.tests.files import lots_of
from apps.exchange.tests.strategies import plain_lots, texts


def xml_of(write, *rows, **options) -> str:
    out = io.BytesIO()
    write(rows, out, **options)
    return out.getvalue().decode()


def upload_of(*items: str) -> list[BsxLot]:
    raw = f"<INVENTORY>{''.join(f'<ITEM>{tags}</ITEM>' for tags in items)}</INVENTORY>"
    return list(read_mass_upload(io.BytesIO(raw.encode())))


def codes(row) -> list[tuple[str, str]]:
    return [(warning.code.value, warning.field) for warning in row.warnings]


IDENTITY = "<ITEMID>3001</ITEMID><ITEMTYPE>P</ITEMTYPE><COLOR>5</COLOR><QTY>4</QTY>"


class TestWriteMassUpload:
    def test_writes_every_tag_in_brickstores_order(self):
        full, _plain = lots_of("01_full_lot.bsx")

        assert xml_of(write_mass_upload, full) == (
            "<INVENTORY><ITEM><ITEMID>75192-1</ITEMID><ITEMTYPE>S</ITEMTYPE><COLOR>0</COLOR>"
            "<CATEGORY>65</CATEGORY><QTY>12</QTY><PRICE>749.990</PRICE><CONDITION>U</CONDITION>"
            "<BULK>2</BULK><SALE>15</SALE><DESCRIPTION>Box has a dent\nsee the picture"
            "</DESCRIPTION><REMARKS>C084-17</REMARKS><RETAIN>Y</RETAIN>"
            "<BUYERUSERNAME>brick_lover</BUYERUSERNAME><MYCOST>512.345</MYCOST>"
            "<MYWEIGHT>12000.0000</MYWEIGHT><TQ1>2</TQ1><TP1>740.000</TP1><TQ2>4</TQ2>"
            "<TP2>730.500</TP2><TQ3>8</TQ3><TP3>720.250</TP3><SUBCONDITION>S</SUBCONDITION>"
            "<STOCKROOM>Y</STOCKROOM><STOCKROOMID>B</STOCKROOMID></ITEM></INVENTORY>"
        )

    def test_writes_only_what_must_be_for_a_plain_lot(self):
        _full, plain = lots_of("01_full_lot.bsx")

        assert xml_of(write_mass_upload, plain) == (
            "<INVENTORY><ITEM><ITEMID>3002</ITEMID><ITEMTYPE>P</ITEMTYPE><COLOR>5</COLOR>"
            "<CATEGORY>5</CATEGORY><QTY>10</QTY><PRICE>0.100</PRICE><CONDITION>N</CONDITION>"
            "</ITEM></INVENTORY>"
        )

    def test_escapes_angle_brackets_of_free_texts_twice(self):
        lot = BsxLot(
            item_number="3001",
            item_type_id="P",
            color_id=5,
            price=Decimal(1),
            remarks="<b> & c",
        )

        xml = xml_of(write_mass_upload, lot)

        assert "<REMARKS>&amp;lt;b&amp;gt; &amp; c</REMARKS>" in xml
        assert next(iter(read_mass_upload(io.BytesIO(xml.encode())))).remarks == "<b> & c"

    def test_leaves_out_excluded_and_incomplete_lots_and_reports_them(self):
        lots = [
            BsxLot(item_number="3001", item_type_id="P", color_id=5, status="X"),
            BsxLot(item_type_id="P", color_id=5),
            BsxLot(item_number="3001", color_id=5),
            BsxLot(item_number="3001", item_type_id="P"),
            BsxLot(item_number="sw0001a", item_type_id="M", quantity=1, price=Decimal(1)),
            BsxLot(
                item_number="3",
                item_type_id="P",
                color_id=5,
                quantity=1,
                status="E",
                price=Decimal(1),
            ),
        ]
        out = io.BytesIO()

        report = write_mass_upload(lots, out)

        assert [(refused.index, refused.field) for refused in report.refused] == [
            (0, "Status"),
            (1, "ItemID"),
            (2, "ItemTypeID"),
            (3, "ColorID"),
        ]
        assert report.count == out.getvalue().count(b"<ITEM>") == 2
        assert report.notices == []

    def test_says_what_bricklink_will_not_like(self):
        report = write_mass_upload(
            [BsxLot(item_number="1", item_type_id="P", color_id=5, quantity=-1, price=Decimal(0))],
            io.BytesIO(),
        )

        assert [notice.field for notice in report.notices] == ["QTY", "PRICE"]

    def test_refuses_what_has_no_price(self):
        lot = BsxLot(item_number="1", item_type_id="P", color_id=5, quantity=1)

        report = write_mass_upload([lot], io.BytesIO())

        assert (report.count, [one.field for one in report.refused]) == (0, ["PRICE"])


class TestReadMassUpload:
    def test_undoes_the_writing(self):
        full, plain = lots_of("01_full_lot.bsx")
        xml = xml_of(write_mass_upload, full, plain)

        first, second = read_mass_upload(io.BytesIO(xml.encode()))

        assert xml_of(write_mass_upload, first, second) == xml
        assert first.sub_condition == "M"
        assert first.total_weight_grams == Decimal(144000)
        assert first.warnings == second.warnings == ()

    @settings(deadline=None, max_examples=40)
    @given(st.lists(plain_lots, max_size=3))
    def test_of_any_lots_settles_to_the_byte(self, lots):
        once = xml_of(write_mass_upload, *lots)

        again = xml_of(write_mass_upload, *read_mass_upload(io.BytesIO(once.encode())))

        assert again == once

    def test_takes_the_quirks_of_bricklinks_server(self):
        (lot,) = upload_of(
            "<ITEMID>3001</ITEMID><ITEMTYPE>P</ITEMTYPE><QTY>1,234</QTY>"
            "<REMARKS>black & white &amp;lt;b&amp;gt; AT&T</REMARKS><STOCKROOM>Y</STOCKROOM>"
            "<SUBCONDITION>M</SUBCONDITION><LOTID>265865128</LOTID><ORDERBATCH>7</ORDERBATCH>"
        )

        assert (lot.color_id, lot.condition) == (None, "?")
        assert lot.category_id is None
        assert lot.quantity == 1234
        assert lot.remarks == "black & white <b> AT&T"
        assert (lot.stockroom, lot.sub_condition, lot.marker_text) == ("A", "M", "7")
        assert lot.marketplace_lot_id == 265865128
        assert [one.field for one in lot.warnings] == ["CONDITION", "COLOR"]

    def test_says_that_it_repaired_xml(self):
        file = read_mass_upload(
            io.BytesIO(
                f"<INVENTORY><ITEM>{IDENTITY}<REMARKS>a & b&c</REMARKS></ITEM></INVENTORY>".encode()
            )
        )

        assert [lot.remarks for lot in file] == ["a & b&c"]
        assert [warning.code for warning in file.warnings] == [WarningCode.REPAIRED_XML]
        assert file.warnings[0].message.startswith("2 bare &")

    @pytest.mark.parametrize("size", [1, 2, 5, 64])
    def test_repairs_ampersands_wherever_the_stream_cuts(self, size):
        class Drip(io.BytesIO):
            def read(self, _size=-1):
                return super().read(size)

        raw = (
            f"<INVENTORY><ITEM>{IDENTITY}<REMARKS>&&amp;&#38;& x &amp ;&quot;</REMARKS></ITEM>"
            "</INVENTORY>"
        )

        (lot,) = read_mass_upload(Drip(raw.encode()))

        assert lot.remarks == '&&&& x &amp ;"'

    @pytest.mark.parametrize(
        ("text", "instant"),
        [
            ("5/20/2022 2:41:31 PM", datetime(2022, 5, 20, 18, 41, 31, tzinfo=UTC)),
            ("1/2/2023 12:00:00 AM", datetime(2023, 1, 2, 5, tzinfo=UTC)),
            ("12/13/2021", datetime(2021, 12, 13, tzinfo=UTC)),
        ],
    )
    def test_reads_dates_as_us_eastern(self, text, instant):
        (lot,) = upload_of(f"{IDENTITY}<DATEADDED>{text}</DATEADDED>")

        assert lot.date_added == instant

    def test_warns_of_what_it_cannot_read(self):
        (lot,) = upload_of(
            "<ITEMTYPE>Q</ITEMTYPE><PRICE>cheap</PRICE><DATEADDED>soon</DATEADDED>"
            "<CONDITION>X</CONDITION><MOOD>fine</MOOD><BULK>0</BULK>"
        )

        assert codes(lot) == [
            ("unreadable_number", "PRICE"),
            ("clamped", "BULK"),
            ("unreadable_date", "DATEADDED"),
            ("unknown_value", "CONDITION"),
            ("missing", "QTY"),
            ("unknown_value", "ITEMTYPE"),
            ("missing", "COLOR"),
            ("custom_item", "ITEMID"),
        ]
        assert (lot.condition, lot.condition_text) == ("?", "X")
        assert lot.extra_text("MOOD") == "fine"
        assert lot.warnings[0].line == 1

    def test_knows_the_currency(self):
        file = read_mass_upload(
            io.BytesIO(
                f"<INVENTORY><ITEM>{IDENTITY}<BASECURRENCYCODE>EUR</BASECURRENCYCODE></ITEM>"
                f"<ITEM>{IDENTITY}</ITEM></INVENTORY>".encode()
            )
        )

        assert len(list(file)) == 2
        assert file.currency == "EUR"

    def test_refuses_two_currencies(self):
        with pytest.raises(FileRefused) as refused:
            upload_of(
                f"{IDENTITY}<BASECURRENCYCODE>EUR</BASECURRENCYCODE>",
                f"{IDENTITY}<BASECURRENCYCODE>USD</BASECURRENCYCODE>",
            )

        assert refused.value.code is RefusalCode.MIXED_CURRENCIES
        assert "EUR and USD" in refused.value.message

    @pytest.mark.parametrize(
        ("raw", "code"),
        [
            (b"<html><body>Log in</body></html>", RefusalCode.HTML),
            (b"<ORDERS/>", RefusalCode.WRONG_ROOT),
            (b'<!DOCTYPE a [<!ENTITY x "y">]><INVENTORY/>', RefusalCode.ENTITIES),
        ],
    )
    def test_refuses_other_files(self, raw, code):
        with pytest.raises(FileRefused) as refused:
            read_mass_upload(io.BytesIO(raw))

        assert refused.value.code is code

    def test_says_when_the_file_is_cut_off(self):
        raw = f"<INVENTORY><ITEM>{IDENTITY}</ITEM><ITEM>{IDENTITY}".encode()

        with pytest.raises(FileTruncated) as truncated:
            list(read_mass_upload(io.BytesIO(raw)))

        assert truncated.value.complete_lots == 1


class TestMassUpdate:
    def test_writes_only_what_changed(self):
        lot = BsxLot(marketplace_lot_id=7, quantity=12, price=Decimal("0.2"), remarks="A<1>")
        base = BsxLot(marketplace_lot_id=7, quantity=7, price=Decimal("0.1"), retain=True)

        assert xml_of(write_mass_update, change_between(lot, base)) == (
            "<INVENTORY><ITEM><LOTID>7</LOTID><QTY>+5</QTY><PRICE>0.200</PRICE>"
            "<REMARKS>A&amp;lt;1&amp;gt;</REMARKS><RETAIN>N</RETAIN></ITEM></INVENTORY>"
        )

    def test_writes_everything_that_can_change(self):
        full, _plain = lots_of("01_full_lot.bsx")

        assert xml_of(write_mass_update, change_between(full, base_of(full))) == (
            "<INVENTORY><ITEM><LOTID>265865128</LOTID><QTY>+1</QTY><PRICE>749.990</PRICE>"
            "<MYCOST>512.345</MYCOST><CONDITION>U</CONDITION><BULK>2</BULK><SALE>15</SALE>"
            "<DESCRIPTION>Box has a dent\nsee the picture</DESCRIPTION>"
            "<REMARKS>C084-17</REMARKS><RETAIN>Y</RETAIN><TQ1>2</TQ1><TP1>740.000</TP1>"
            "<TQ2>4</TQ2><TP2>730.500</TP2><TQ3>8</TQ3><TP3>720.250</TP3>"
            "<SUBCONDITION>S</SUBCONDITION><STOCKROOM>Y</STOCKROOM>"
            "<STOCKROOMID>B</STOCKROOMID></ITEM></INVENTORY>"
        )

    def test_deletes_what_is_used_up(self):
        base = BsxLot(marketplace_lot_id=7, quantity=3)

        change = change_between(BsxLot(marketplace_lot_id=7, quantity=0), base)

        assert xml_of(write_mass_update, change) == (
            "<INVENTORY><ITEM><LOTID>7</LOTID><DELETE/></ITEM></INVENTORY>"
        )

    def test_says_what_it_cannot_do(self):
        set_base = BsxLot(marketplace_lot_id=7, quantity=1, sub_condition="C")
        set_now = BsxLot(marketplace_lot_id=7, quantity=2)
        changes = [
            change_between(set_now, set_base),
            change_between(set_now, set_now),
            LotChange(marketplace_lot_id=None, price=Decimal(1)),
            LotChange(marketplace_lot_id=7, stockroom=""),
        ]
        out = io.BytesIO()

        report = write_mass_update(changes, out)

        assert report.count == 2
        assert [(notice.index, notice.field) for notice in report.notices] == [
            (0, "SUBCONDITION"),
            (3, "LOTID"),
        ]
        assert [(refused.index, refused.field) for refused in report.refused] == [
            (1, ""),
            (2, "LOTID"),
        ]
        assert b"<STOCKROOM>N</STOCKROOM>" in out.getvalue()

    def test_reads_signed_plain_and_deleted_quantities(self):
        raw = (
            b"<INVENTORY><ITEM><LOTID>1</LOTID><QTY>+5</QTY></ITEM><ITEM><LOTID>2</LOTID>"
            b"<QTY>-3</QTY></ITEM><ITEM><LOTID>3</LOTID><QTY>8</QTY></ITEM><ITEM><LOTID>4</LOTID>"
            b"<DELETE/></ITEM><ITEM><QTY>a few</QTY></ITEM></INVENTORY>"
        )

        changes = list(read_mass_update(io.BytesIO(raw)))

        assert [
            (change.quantity_change, change.quantity, change.is_deleted) for change in changes
        ] == [
            (5, None, False),
            (-3, None, False),
            (None, 8, False),
            (None, None, True),
            (None, None, False),
        ]
        assert codes(changes[4]) == [("missing", "LOTID"), ("unreadable_number", "QTY")]

    def test_reads_the_sellers_files(self, shared_data):
        with shared_data("bsx/mass-update-524-lots.xml").open("rb") as stream:
            changes = list(read_mass_update(stream))

        assert len(changes) == 524
        assert changes[0] == LotChange(marketplace_lot_id=265865128, remarks="0019")
        assert all(change.warnings == () and change.extra == () for change in changes)
        assert sum(change.is_empty for change in changes) == 211

    def test_refuses_to_take_only_the_state_of_a_set_away(self):
        base = BsxLot(marketplace_lot_id=7, sub_condition="C")
        change = change_between(BsxLot(marketplace_lot_id=7), base)
        out = io.BytesIO()

        report = write_mass_update([change], out)

        assert out.getvalue() == b"<INVENTORY></INVENTORY>"
        assert [refused.field for refused in report.refused] == ["SUBCONDITION"]

    def test_sets_the_quantity_where_the_difference_is_beyond_a_number_of_pieces(self):
        lot = BsxLot(marketplace_lot_id=7, quantity=2**31 - 1)
        change = change_between(lot, BsxLot(marketplace_lot_id=7, quantity=-1))

        assert "<QTY>2147483647</QTY>" in xml_of(write_mass_update, change)

    @settings(deadline=None, max_examples=40)
    @given(plain_lots, plain_lots)
    def test_settles_to_the_byte(self, lot, base):
        lot = BsxLot(**{**vars(BsxLot()), **vars(lot), "marketplace_lot_id": 7})
        once = xml_of(write_mass_update, change_between(lot, base))

        again = xml_of(write_mass_update, *read_mass_update(io.BytesIO(once.encode())))

        assert again == once


class TestWantedList:
    def test_writes_brickstores_tags_in_order(self):
        item = WantedItem(
            item_number="3001",
            item_type="P",
            color_id=5,
            min_quantity=4,
            max_price=Decimal("0.1"),
            condition="N",
            remarks="for <bin>",
        )

        assert xml_of(write_wanted_list, item, wanted_list_id="77") == (
            "<INVENTORY><ITEM><ITEMID>3001</ITEMID><ITEMTYPE>P</ITEMTYPE><COLOR>5</COLOR>"
            "<MINQTY>4</MINQTY><MAXPRICE>0.100</MAXPRICE><REMARKS>for &amp;lt;bin&amp;gt;</REMARKS>"
            "<CONDITION>N</CONDITION><WANTEDLISTID>77</WANTEDLISTID></ITEM></INVENTORY>"
        )

    def test_reads_bricklinks_own_download(self):
        raw = (
            b"<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR>"
            b"<MAXPRICE>-1.0000</MAXPRICE><MINQTY>1,200</MINQTY><QTYFILLED>3</QTYFILLED>"
            b"<CONDITION>X</CONDITION><NOTIFY>N</NOTIFY><MOOD>fine</MOOD></ITEM></INVENTORY>"
        )

        (item,) = read_wanted_list(io.BytesIO(raw))

        assert item == WantedItem(
            item_number="3001",
            item_type="P",
            color_id=5,
            min_quantity=1200,
            filled_quantity=3,
            notify=False,
            extra=item.extra,
        )
        assert (item.max_price, item.condition, item.warnings) == (None, "", ())
        assert item.extra[0].tag == "MOOD"

    def test_takes_a_lot_as_a_wish(self):
        full, plain = lots_of("01_full_lot.bsx")

        assert wanted_of(full).condition == ""
        assert wanted_of(plain) == WantedItem(
            item_number="3002",
            item_type="P",
            color_id=5,
            min_quantity=10,
            max_price=Decimal("0.1"),
            condition="N",
        )
        with pytest.raises(LotRefused):
            wanted_of(BsxLot())

    def test_leaves_out_lines_without_identity(self):
        items = [
            WantedItem(item_number="", item_type="P"),
            WantedItem(item_number="1", item_type=""),
        ]

        report = write_wanted_list(items, io.BytesIO())

        assert report.count == 0
        assert [refused.field for refused in report.refused] == ["ITEMID", "ITEMTYPE"]

    @settings(deadline=None, max_examples=40)
    @given(
        st.builds(
            WantedItem,
            item_number=texts.filter(bool),
            item_type=st.sampled_from("PSM"),
            color_id=st.integers(0, 300),
            min_quantity=st.integers(0, 1000),
            max_price=st.none() | st.integers(1, 9999).map(lambda price: Decimal(price) / 1000),
            condition=st.sampled_from(["", "N", "U"]),
            remarks=texts,
            notify=st.none() | st.booleans(),
            filled_quantity=st.integers(0, 9),
            wanted_list_id=st.sampled_from(["", "77"]),
            extra=st.just(()),
            warnings=st.just(()),
        )
    )
    def test_settles_to_the_byte(self, item):
        once = xml_of(write_wanted_list, item)

        again = xml_of(write_wanted_list, *read_wanted_list(io.BytesIO(once.encode())))

        assert again == once


class TestInBatches:
    def test_splits_into_files_that_bricklink_takes(self):
        assert [len(batch) for batch in in_batches(range(2500))] == [1000, 1000, 500]
        assert list(in_batches([1, 2, 3], 2)) == [[1, 2], [3]]
        assert list(in_batches([])) == []

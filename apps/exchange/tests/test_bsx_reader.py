"""Reading of the committed fixtures: every age of file, every trap."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from apps.exchange.bsx_lot import BsxLot, ExtraTag, TagAttribute, WarningCode
from apps.exchange.bsx_reader import Generator, read_bsx
from apps.exchange.tests.files import (
    bsx,
    fixture_bytes,
    item,
    lot_with,
    lots_of,
    open_fixture,
    store_of,
)


def codes(lot: BsxLot) -> list[tuple[str, str]]:
    return [(warning.code.value, warning.field) for warning in lot.warnings]


class TestFullLot:
    def test_reads_every_tag(self):
        file = open_fixture("01_full_lot.bsx")

        lot, _other = file

        assert lot == BsxLot(
            item_number="75192-1",
            item_type_id="S",
            color_id=0,
            item_name='Millennium Falcon & "crew"',
            item_type_name="Set",
            color_name="(Not Applicable)",
            category_id=65,
            category_name="Star Wars",
            status="E",
            quantity=12,
            price=Decimal("749.990"),
            condition="U",
            sub_condition="M",
            bulk=2,
            sale=15,
            cost=Decimal("512.345"),
            comments="Box has a dent\nsee the picture",
            remarks="C084-17",
            reserved="brick_lover",
            marketplace_lot_id=265865128,
            tq1=2,
            tp1=Decimal("740.000"),
            tq2=4,
            tp2=Decimal("730.500"),
            tq3=8,
            tp3=Decimal("720.250"),
            retain=True,
            stockroom="B",
            total_weight_grams=Decimal("144000.0000"),
            marker_text="Order 4711",
            marker_color="#FF8000",
            date_added=datetime(2022, 5, 20, 18, 41, 31, tzinfo=UTC),
            date_last_sold=datetime(2023, 1, 2, tzinfo=UTC),
            base=lot.base,
        )
        assert len(lot.base) == 24
        assert lot.base[4] == ("Qty", "11")
        assert lot.base[12] == ("Remarks", "C001-01\nold")
        assert str(lot.price) == "749.990"
        assert lot.warnings == ()
        assert (lot.index, lot.line, lot.unit_weight_grams) == (0, 4, Decimal(12000))

    def test_knows_the_head_and_the_writer(self):
        file = open_fixture("01_full_lot.bsx")

        assert (file.header.root, file.header.doctype) == ("BrickStoreXML", None)
        assert (file.header.currency, file.header.changelog_id) == ("EUR", 450564)
        assert file.generator is Generator.BRICKSTORE_2023_3
        assert file.warnings == []

    def test_is_read_once(self):
        file = open_fixture("01_full_lot.bsx")

        assert len(list(file)) == file.lot_count == 2
        with pytest.raises(RuntimeError, match="read once"):
            list(file)

    def test_has_no_trailer_before_the_last_lot(self):
        file = open_fixture("01_full_lot.bsx")

        with pytest.raises(RuntimeError, match="after the last lot"):
            _ = file.trailer


class TestMinimalLot:
    def test_takes_the_defaults_of_brickstore(self):
        (lot,) = lots_of("02_minimal_lot.bsx")

        assert lot == BsxLot(item_number="3001", item_type_id="P", color_id=5, quantity=7)
        assert lot.condition == "N"
        assert lot.warnings == ()


class TestLegacyFile:
    def test_takes_original_values_as_base_of_their_own_lot_only(self):
        lots = lots_of("03_legacy_brickstore_1.bsx")

        assert [lot.base for lot in lots] == [
            (("Qty", "4"), ("Price", "0.200")),
            (),
            (("Qty", "0"),),
            (),
            (),
            (("Qty", "2"),),
        ]

    def test_reads_the_empty_stockroom_as_room_a(self):
        assert lots_of("03_legacy_brickstore_1.bsx")[2].stockroom == "A"

    def test_warns_of_what_it_cannot_take(self):
        lots = lots_of("03_legacy_brickstore_1.bsx")

        assert (codes(lots[2]), lots[2].status) == ([], "I")
        assert codes(lots[4]) == [("unreadable_number", "OrigQty")]
        assert lots[4].extra_text("OrigQty") == "many"
        assert codes(lots[5]) == [("legacy_base_ignored", "OrigQty")]

    def test_keeps_image_and_difference_blob(self):
        assert lots_of("03_legacy_brickstore_1.bsx")[3].extra == (
            ExtraTag("Image", "https://example.org/3004.jpg"),
            ExtraTag("X-DifferenceModeBase", "AAAAAQ=="),
        )

    def test_takes_a_missing_currency_as_dollars_and_says_so(self):
        file = open_fixture("03_legacy_brickstore_1.bsx")

        assert file.header.currency is None
        assert [warning.code for warning in file.warnings] == [WarningCode.MISSING_CURRENCY]
        assert "USD" in file.warnings[0].message
        assert file.generator is Generator.BRICKSTORE_1

    def test_keeps_the_gui_state_as_it_stood(self):
        file = open_fixture("03_legacy_brickstore_1.bsx")
        list(file)

        raw = fixture_bytes("03_legacy_brickstore_1.bsx")
        assert file.trailer.gui_state is not None
        assert file.trailer.gui_state in raw
        assert file.trailer.gui_state.startswith(b'<GuiState Application="BrickStore" Version="1">')
        assert file.trailer.gui_state.endswith(b"</GuiState>")


class TestBrickStock:
    def test_accepts_the_other_root(self):
        file = open_fixture("04_brickstock.bsx")

        (lot,) = file

        assert file.header.root == file.header.doctype == "BrickStockXML"
        assert file.generator is Generator.BRICKSTOCK
        assert lot.base == (("Qty", "0"),)


class TestBrickSync:
    def test_keeps_its_tags_in_order_and_its_order(self):
        file = open_fixture("05_bricksync.bsx")

        first, second = file

        assert [extra.tag for extra in first.extra] == [
            "OwlID",
            "OwlLotID",
            "MyCost",
            "UsedGrade",
            "Completeness",
            "SalePrice",
            "AlternateID",
        ]
        assert first.extra_text("OwlLotID") == "9988776"
        assert second.extra_text("OwlLotID") is None
        assert file.trailer.extra_blocks[0].startswith(b"<Order>\n  <Service>BrickLink</Service>")
        assert file.generator is Generator.BRICKSYNC

    def test_takes_its_cost_where_there_is_no_other(self):
        assert lots_of("05_bricksync.bsx")[0].cost == Decimal("0.031")
        assert lot_with("<Cost>0.5</Cost><MyCost>0.031</MyCost>").cost == Decimal("0.5")

    def test_keeps_negative_quantities_and_long_prices(self):
        first, second = lots_of("05_bricksync.bsx")

        assert first.quantity == -3
        assert codes(first) == [("negative", "Qty")]
        assert str(first.price) == "0.0625"
        assert first.base == ()
        assert second.base == (("Price", "0.123456"),)

    def test_reads_condition_a_as_used(self):
        second = lots_of("05_bricksync.bsx")[1]

        assert second.condition == "U"
        assert codes(second) == []


class TestBricksPerBag:
    def test_reads_partial_lots_without_a_warning(self):
        lots = lots_of("06_bricks_per_bag.bsx")

        assert [(lot.remarks, lot.quantity, lot.status) for lot in lots] == [
            ("Bag 1", 4, "I"),
            ("Bag 2", 12, "I"),
            ("Extras", 1, "E"),
        ]
        assert [codes(lot) for lot in lots] == [[], [], []]

    def test_hands_on_what_the_comments_say_was_left_out(self):
        file = open_fixture("06_bricks_per_bag.bsx")
        list(file)

        assert file.trailer.comments == (
            " 3 part(s) not included (no BrickLink mapping yet): 6312, 6313, 6314 ",
            " 1 part without a mapping ",
        )
        assert file.generator is Generator.OTHER


class TestWeights:
    def test_divides_by_the_quantity_wherever_it_stands(self):
        lots = lots_of("07_weights.bsx")

        assert [lot.unit_weight_grams for lot in lots[:4]] == [
            Decimal("2.32"),
            Decimal("2.32"),
            Decimal("2.32"),
            Decimal("2.32"),
        ]

    def test_keeps_the_total_where_it_cannot_be_divided(self):
        assert str(lots_of("07_weights.bsx")[4].total_weight_grams) == "1.0000"

    def test_takes_nought_and_less_as_the_catalogues_weight(self):
        lots = lots_of("07_weights.bsx")

        assert lots[5].total_weight_grams is None
        assert codes(lots[5]) == []
        assert lots[6].total_weight_grams is None
        assert codes(lots[6]) == [("out_of_range", "TotalWeight")]


class TestNumbers:
    def test_reads_what_can_be_read_and_warns(self):
        lots = lots_of("08_numbers.bsx")

        assert [(lot.quantity, str(lot.price), str(lot.cost)) for lot in lots[:9]] == [
            (1234, "0.50", "1.5"),
            (1, "1234.5", "1234.50"),
            (5, "0.125", "0.001"),
            (12, "None", "0"),
            (0, "1.234", "1234567"),
            (0, "None", "0"),
            (0, "None", "-0.250"),
            (0, "None", "0"),
            (0, "None", "1000"),
        ]
        assert [[code for code, _field in codes(lot)] for lot in lots[:9]] == [
            ["comma_in_number"] * 3,
            ["fraction_of_zero", "comma_in_number", "comma_in_number"],
            [],
            ["unreadable_number"] * 2,
            ["unreadable_number", "comma_in_number", "comma_in_number"],
            ["missing"],
            ["out_of_range", "out_of_range", "negative"],
            ["unreadable_number", "unreadable_number", "out_of_range"],
            ["unreadable_number", "unreadable_number", "comma_in_number"],
        ]

    def test_names_what_was_read_and_what_was_expected(self):
        warning = lots_of("08_numbers.bsx")[0].warnings[0]

        assert warning.message == (
            "Qty is “1,234”; expected a whole number without commas; read as 1234."
        )
        assert (warning.read, warning.line, warning.index) == ("1,234", 4, 0)

    def test_tells_lots_whose_quantity_or_price_is_lost(self):
        lots = lots_of("08_numbers.bsx")

        assert [lot.index for lot in lots if lot.unreadable] == [3, 4, 5, 6, 7, 8, 13]

    def test_holds_bulk_and_sale_in_their_limits(self):
        low, high = lots_of("08_numbers.bsx")[10], lots_of("08_numbers.bsx")[9]

        assert (low.bulk, low.sale, high.bulk, high.sale) == (1, -99, 1, 100)

    def test_keeps_lot_ids_beyond_32_bit(self):
        lots = lots_of("08_numbers.bsx")

        assert [lot.marketplace_lot_id for lot in lots[9:13]] == [5_000_000_000, None, None, None]
        assert ("lot_id_over_32_bit", "LotID") in codes(lots[9])
        assert ("out_of_range", "LotID") in codes(lots[10])
        assert ("out_of_range", "LotID") in codes(lots[11])
        assert codes(lots[12]) == [("time_zone_assumed", "DateLastSold")]

    def test_reads_times_in_any_zone_as_utc(self):
        lots = lots_of("08_numbers.bsx")

        assert (
            lots[11].date_added
            == lots[12].date_added
            == datetime(2022, 5, 20, 18, 41, 31, tzinfo=UTC)
        )
        assert lots[11].date_last_sold is None
        assert lots[12].date_last_sold == datetime(2022, 5, 20, tzinfo=UTC)


class TestTexts:
    def test_keeps_every_character(self):
        lots = lots_of("09_texts.bsx")

        assert lots[0].item_name == "<b>Brick</b> 2 x 4"
        assert lots[0].comments == "She said \"it's 2' long\" & left"
        assert lots[1].comments == "line one\nline two\n\nline four"
        assert lots[1].remarks == "🧱 bin ’7’"
        assert lots[2].remarks == "מדף 12 \u200fימין"
        assert lots[3].remarks == "0123456789" * 400
        assert lots[4].comments == "  two blanks before and after  "
        assert lots[4].remarks == "\r"
        assert [codes(lot) for lot in lots] == [[]] * 5


class TestIdentities:
    def test_keeps_them_raw_and_says_what_does_not_hang_together(self):
        lots = lots_of("10_identities.bsx")

        assert [(lot.item_type, lot.item_number, lot.color_id, codes(lot)) for lot in lots] == [
            ("P", "no-such-part-99", 5, []),
            ("P", "3001", 9999, []),
            ("P", "old-3001", 5, []),
            ("P", "3001PB01", 5, []),
            ("M", "sw0001a", 0, [("type_contradiction", "ItemTypeID")]),
            ("P", "", 5, [("custom_item", "ItemID")]),
            ("P", "3001", None, []),
            ("M", "sw0002", 5, [("color_on_uncolored_type", "ColorID")]),
            ("M", "sw0003", 0, []),
            ("P", "3005", 5, []),
            ("", "3006", 5, [("unknown_value", "ItemTypeName")]),
        ]
        assert lots[5].item_name == "My own box of bricks"
        assert lots[6].category_id is None
        assert lots[9].item_type_id == "Part"


class TestDuplicates:
    def test_warns_at_the_second_lot_of_an_id(self):
        lots = lots_of("11_duplicates.bsx")

        assert codes(lots[0]) == []
        assert codes(lots[1]) == [("duplicate_lot_id", "LotID")]
        assert "lot 1 has the same" in lots[1].warnings[0].message

    def test_keeps_lots_that_look_alike_apart(self):
        lots = lots_of("11_duplicates.bsx")

        assert [(lot.quantity, lot.status) for lot in lots[2:6]] == [
            (3, "I"),
            (4, "E"),
            (5, "X"),
            (6, "I"),
        ]

    def test_takes_the_last_of_a_repeated_tag(self):
        lot = lots_of("11_duplicates.bsx")[6]

        assert lot.quantity == 8
        assert codes(lot) == [("repeated_tag", "Qty")]


class TestStrangers:
    def test_keeps_tags_and_attributes_that_bsx_does_not_know(self):
        lots = lots_of("12_strangers.bsx")

        assert [lot.item_number for lot in lots] == ["3001", "3003", "3004"]
        assert lots[1].attributes == (
            TagAttribute("Item", "id", "7"),
            TagAttribute("Item", "source", "mine"),
            TagAttribute("Price", "currency", "SEK"),
        )
        assert lots[2].extra == (
            ExtraTag("Shelf", "top", '<Shelf side="left">top</Shelf>'),
            ExtraTag("Mood", "fine"),
        )

    def test_keeps_what_is_no_item_beside_the_lots_and_says_so(self):
        file = open_fixture("12_strangers.bsx")
        list(file)

        assert [(warning.code, warning.line) for warning in file.warnings] == [
            (WarningCode.NOT_AN_ITEM, 18),
            (WarningCode.SECOND_INVENTORY, 52),
        ]
        assert file.trailer.not_items[0] == b"<Lot>\n   <ItemID>3002</ItemID>\n  </Lot>"
        assert file.trailer.not_items[1].startswith(b"<Inventory>")
        assert file.trailer.extra_blocks == ()
        assert file.header.inventory_attributes == (("Owner", "ann"),)

    def test_accepts_a_doctype_of_another_name(self):
        file = open_fixture("12_foreign_doctype.bsx")

        assert len(list(file)) == 1
        assert [warning.code for warning in file.warnings] == [WarningCode.FOREIGN_DOCTYPE]
        assert file.generator is Generator.OTHER

    def test_keeps_markup_in_a_text_as_text(self):
        first, second = lots_of("12_markup_in_comments.bsx")

        assert first.comments == "See <b>this</b> & <i>that</i>."
        assert codes(first) == [("nested_markup", "Comments")]
        assert second.remarks == "AB"
        assert codes(second) == []

    def test_reads_a_repeated_base_and_says_so(self):
        lot = lot_with('<DifferenceBaseValues Qty="2"/><DifferenceBaseValues Qty="3" Mood="fine"/>')

        assert lot.base == (("Qty", "3"), ("Mood", "fine"))
        assert codes(lot) == [("repeated_tag", "DifferenceBaseValues")]


class TestSealedSets:
    def test_reads_s_as_sealed_and_warns(self):
        lots = lots_of("13_sealed_sets.bsx")

        assert [(lot.sub_condition, codes(lot)) for lot in lots] == [
            ("M", [("sealed_as_s", "SubCondition")]),
            ("C", [("sub_condition_on_non_set", "SubCondition")]),
            ("", [("unknown_value", "SubCondition")]),
        ]


class TestEncodings:
    def test_reads_utf_16(self):
        (lot,) = lots_of("12_utf_16.bsx")

        assert lot.item_name == "Brick 2 × 4 🧱"

    def test_reads_latin_1_where_declared(self):
        raw = bsx(item("<Remarks>Fußboden</Remarks>")).getvalue().decode()
        raw = raw.replace("UTF-8", "ISO-8859-1")

        (lot,) = read_bsx(io.BytesIO(raw.encode("latin-1")))

        assert lot.remarks == "Fußboden"

    @pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b"", b"\n <!-- no declaration -->\n"])
    def test_reads_files_without_declaration(self, start):
        raw = bsx(item("<Remarks>Fußboden</Remarks>")).getvalue()
        raw = raw[raw.index(b"<BrickStoreXML>") :]

        (lot,) = read_bsx(io.BytesIO(start + raw))

        assert lot.remarks == "Fußboden"

    def test_reads_line_breaks_of_windows(self):
        (lot,) = lots_of("12_crlf.bsx")

        assert lot.comments == "one\ntwo"


class TestChunks:
    @pytest.mark.parametrize(
        "name", ["01_full_lot.bsx", "12_strangers.bsx", "06_bricks_per_bag.bsx"]
    )
    @pytest.mark.parametrize("size", [1, 7, 100])
    def test_reads_the_same_however_the_stream_delivers(self, name, size):
        class Drip(io.BytesIO):
            def read(self, _size=-1):
                return super().read(size)

        dripped = read_bsx(Drip(fixture_bytes(name)))

        whole = open_fixture(name)
        assert list(dripped) == list(whole)
        assert dripped.trailer == whole.trailer
        assert dripped.warnings == whole.warnings

    def test_counts_lines_rightly_in_long_files(self):
        lots = list(read_bsx(store_of(5000)))

        assert [lot.line for lot in lots] == [4 + 17 * index for index in range(5000)]
        assert lots[-1].line == 84987

    def test_says_how_far_it_is(self):
        stream = store_of(1000)
        file = read_bsx(stream)
        lots = iter(file)
        next(lots)

        assert 0 < file.bytes_read < 200_000
        assert file.lot_count == 1
        list(lots)
        assert file.bytes_read == stream.poured


class TestCurrency:
    @pytest.mark.parametrize(
        ("text", "currency", "expected"),
        [
            ("eur", "EUR", []),
            (" GBP ", "GBP", []),
            ("", None, [WarningCode.MISSING_CURRENCY]),
            ("Euro", None, [WarningCode.UNKNOWN_CURRENCY]),
        ],
    )
    def test_is_a_code_of_three_letters(self, text, currency, expected):
        raw = bsx(item("")).getvalue().replace(b"EUR", text.encode())

        file = read_bsx(io.BytesIO(raw))

        assert file.header.currency == currency
        assert [warning.code for warning in file.warnings] == expected

    def test_stands_beside_a_change_log_id_that_is_no_number(self):
        raw = bsx(item("")).getvalue().replace(b'"EUR"', b'"EUR" BrickLinkChangelogId="new"')

        file = read_bsx(io.BytesIO(raw))

        assert file.header.changelog_id is None
        assert [warning.code for warning in file.warnings] == [WarningCode.UNREADABLE_CHANGELOG_ID]

"""Writing: BrickStore's form, notices for what cannot stay exact, refusals of what cannot be."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from apps.exchange.bsx_lot import BsxLot, ExtraTag, TagAttribute
from apps.exchange.bsx_reader import read_bsx
from apps.exchange.bsx_tags_out import WriteNotice
from apps.exchange.bsx_writer import BsxWritten, write_bsx

BRICK = BsxLot(
    item_number="3001",
    item_type_id="P",
    item_type_name="Part",
    color_id=5,
    color_name="Red",
    item_name="Brick 2 x 4",
    category_id=5,
    category_name="Brick",
    quantity=10,
    price=Decimal("0.1"),
)


def brick(**fields) -> BsxLot:
    return BsxLot(**{**vars(BRICK), **fields})


def written(*lots: BsxLot, **options) -> tuple[str, BsxWritten]:
    out = io.BytesIO()
    options.setdefault("currency", "EUR")
    report = write_bsx(lots, out, **options)
    return out.getvalue().decode(), report


class TestWriteBsx:
    def test_writes_the_form_of_brickstore(self):
        text, report = written(BRICK, changelog_id=7)

        assert text == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            "<BrickStoreXML>\n"
            ' <Inventory Currency="EUR" BrickLinkChangelogId="7">\n'
            "  <Item>\n"
            "   <ItemID>3001</ItemID>\n"
            "   <ItemTypeID>P</ItemTypeID>\n"
            "   <ColorID>5</ColorID>\n"
            "   <ItemName>Brick 2 x 4</ItemName>\n"
            "   <ItemTypeName>Part</ItemTypeName>\n"
            "   <ColorName>Red</ColorName>\n"
            "   <CategoryID>5</CategoryID>\n"
            "   <CategoryName>Brick</CategoryName>\n"
            "   <Status>I</Status>\n"
            "   <Qty>10</Qty>\n"
            "   <Price>0.100</Price>\n"
            "   <Condition>N</Condition>\n"
            "  </Item>\n"
            " </Inventory>\n"
            "</BrickStoreXML>\n"
        )
        assert report == BsxWritten(count=1)

    def test_writes_always_what_brickstore_always_writes(self):
        text, _report = written(BsxLot())

        assert "   <ItemName></ItemName>\n" in text
        assert "   <ColorID>4294967295</ColorID>\n" in text
        assert "   <CategoryID>4294967295</CategoryID>\n" in text
        assert "   <Price>0.000</Price>\n" in text

    def test_writes_an_empty_inventory(self):
        text, report = written(currency="USD")

        assert ' <Inventory Currency="USD"/>\n' in text
        assert report.count == 0
        assert list(read_bsx(io.BytesIO(text.encode()))) == []

    def test_writes_for_brickstock_without_any_attribute(self):
        text, report = written(
            brick(attributes=(TagAttribute("Item", "id", "7"),)),
            currency="USD",
            changelog_id=7,
            compatible=True,
            root_attributes=[("made", "by hand")],
            inventory_attributes=[("Owner", "ann")],
        )

        assert text.startswith(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            "<!DOCTYPE BrickStoreXML>\n<BrickStoreXML>\n <Inventory>\n  <Item>\n   <ItemID>"
        )
        assert report.notices == [
            WriteNotice(0, "Item", "The attribute id of Item was left out."),
        ]

    def test_says_that_brickstock_cannot_know_the_currency(self):
        _text, report = written(BRICK, compatible=True)

        assert [(notice.index, notice.field) for notice in report.notices] == [(-1, "Currency")]
        assert "EUR" in report.notices[0].message

    def test_takes_lots_as_they_come(self):
        taken = []

        def lots():
            for number in range(1000):
                taken.append(number)
                yield brick(quantity=number)

        class Out(io.BytesIO):
            most_ahead = 0

            def write(self, data):
                self.most_ahead = max(self.most_ahead, len(taken) - self.getvalue().count(b"<Qty>"))
                return super().write(data)

        out = Out()
        report = write_bsx(lots(), out, currency="EUR")

        assert report.count == out.getvalue().count(b"<Item>") == 1000
        assert out.most_ahead <= 400

    def test_refuses_blocks_that_would_break_the_file(self):
        out = io.BytesIO()
        for block in (b"<a>", b"text", b"<a/><b/>", b"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"):
            with pytest.raises(ValueError, match="Not one XML element"):
                write_bsx([BRICK], out, currency="EUR", extra_blocks=[block])

        assert out.getvalue() == b""


class TestRounding:
    @pytest.mark.parametrize(
        ("price", "text"),
        [
            ("0.06245", "0.0624"),
            ("0.06355", "0.0636"),
            ("0.12345", "0.1234"),
            ("-0.00005", "0.000"),
        ],
    )
    def test_goes_half_to_even_and_is_reported(self, price, text):
        raw, report = written(brick(price=Decimal(price)))

        assert f"<Price>{text}</Price>" in raw
        assert report.notices == [
            WriteNotice(0, "Price", f"Price {price} was rounded to {text}: 4 decimals are written.")
        ]
        assert report.notice_count == 1

    def test_is_not_needed_for_the_four_decimals_that_are_kept(self):
        raw, report = written(brick(price=Decimal("0.0999"), cost=Decimal("0.0001"), tq1=5))

        assert "<Price>0.0999</Price>" in raw
        assert "<Cost>0.0001</Cost>" in raw
        assert report.notices == []

    def test_is_not_needed_for_zeroes_at_the_end(self):
        raw, report = written(brick(price=Decimal("1.2500000"), cost=Decimal("1E+2")))

        assert "<Price>1.250</Price>" in raw
        assert "<Cost>100.000</Cost>" in raw
        assert report.notices == []

    def test_gives_weights_a_fourth_decimal(self):
        raw, report = written(brick(total_weight_grams=Decimal("2.32005")))

        assert "<TotalWeight>2.3200</TotalWeight>" in raw
        assert [notice.field for notice in report.notices] == ["TotalWeight"]

    def test_keeps_count_of_notices_beyond_those_it_keeps(self):
        lots = (brick(price=Decimal("0.00011"), cost=Decimal("0.00011")) for _ in range(6000))

        report = write_bsx(lots, io.BytesIO(), currency="EUR")

        assert (report.count, len(report.notices), report.notice_count) == (6000, 10_000, 12_000)


class TestNotices:
    def test_tell_of_characters_that_xml_cannot_hold(self):
        raw, report = written(brick(remarks="A\x00\x0b\ud800B", comments="\ufffe"))

        assert "<Remarks>AB</Remarks>" in raw
        assert "<Comments>" not in raw
        assert [(notice.field, notice.message) for notice in report.notices] == [
            ("Comments", "Comments lost 1 characters that XML cannot hold."),
            ("Remarks", "Remarks lost 3 characters that XML cannot hold."),
        ]

    def test_tell_of_lot_ids_that_brickstore_cannot_read(self):
        raw, report = written(brick(marketplace_lot_id=5_000_000_000))

        assert "<LotID>5000000000</LotID>" in raw
        assert [notice.field for notice in report.notices] == ["LotID"]

    def test_tell_of_extras_that_cannot_be_written(self):
        extra = (
            ExtraTag("two words", "x"),
            ExtraTag("Qty", "999"),
            ExtraTag("Shelf", "", "<Shelf><open>"),
            ExtraTag("Shelf", "", "</Item><Item/>"),
            ExtraTag("Mood", "fine"),
        )

        raw, report = written(brick(extra=extra))

        assert [notice.field for notice in report.notices] == [
            "two words",
            "Qty",
            "Shelf",
            "Shelf",
        ]
        (lot,) = read_bsx(io.BytesIO(raw.encode()))
        assert lot.extra == (ExtraTag("Mood", "fine"),)
        assert lot.quantity == 10

    def test_tell_of_attributes_that_go_with_their_tag(self):
        _raw, report = written(brick(attributes=(TagAttribute("Cost", "currency", "SEK"),)))

        assert report.notices == [
            WriteNotice(0, "Cost", "The attributes of Cost were left out with the tag.")
        ]

    def test_tell_of_fractions_of_a_second(self):
        moment = datetime(2022, 5, 20, 18, 41, 31, 500_000, tzinfo=UTC)

        raw, report = written(brick(date_added=moment))

        assert "<DateAdded>2022-05-20T18:41:31Z</DateAdded>" in raw
        assert [notice.field for notice in report.notices] == ["DateAdded"]


class TestDates:
    def test_are_written_in_utc(self):
        east = timezone(timedelta(hours=2))

        raw, report = written(brick(date_added=datetime(2022, 5, 20, 0, 30, tzinfo=east)))

        assert "<DateAdded>2022-05-19T22:30:00Z</DateAdded>" in raw
        assert report.notices == []


class TestRefusedLots:
    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"quantity": 2**31}, "Qty"),
            ({"price": Decimal("NaN")}, "Price"),
            ({"price": Decimal(10**8)}, "Price"),
            ({"cost": Decimal("Infinity")}, "Cost"),
            ({"condition": "X"}, "Condition"),
            ({"sub_condition": "S"}, "SubCondition"),
            ({"status": ""}, "Status"),
            ({"stockroom": "D"}, "Stockroom"),
            ({"color_id": -1}, "ColorID"),
            ({"category_id": 2**32}, "CategoryID"),
            ({"bulk": 0}, "Bulk"),
            ({"sale": 101}, "Sale"),
            ({"marketplace_lot_id": -1}, "LotID"),
            ({"marker_color": "octarine"}, "MarkerColor"),
            ({"tq2": 2**31}, "TQ2"),
            (
                {"date_added": datetime(2022, 5, 20, tzinfo=UTC).replace(tzinfo=None)},
                "DateAdded",
            ),
        ],
    )
    def test_are_left_out_and_reported(self, fields, field):
        raw, report = written(BRICK, brick(**fields), brick(quantity=3))

        assert [(refused.index, refused.field) for refused in report.refused] == [(1, field)]
        assert "expected" in report.refused[0].message
        assert report.count == raw.count("<Item>") == 2
        assert "<Qty>3</Qty>" in raw

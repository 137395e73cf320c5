"""CSV: formulas defused, numbers plain, and the reverse."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.exchange.csv_cells import CsvWriter, defused, restored
from apps.exchange.csv_lots import COLUMNS, write_lots_csv
from apps.exchange.tests.files import lots_of

any_text = st.text(
    st.one_of(st.sampled_from("=+-@'\t\r\n\",;1. ＝"), st.characters(blacklist_categories=("Cs",))),
    max_size=12,
)


class TestDefused:
    @pytest.mark.parametrize(
        ("value", "cell"),
        [
            ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
            ("+1+1", "'+1+1"),
            ("-1+1", "'-1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("-", "'-"),
            ("'=1", "''=1"),
            ("-5", "-5"),
            ("+5.25", "+5.25"),
            (-5, "-5"),
            (Decimal("-0.125"), "-0.125"),
            (Decimal("1E+3"), "1000"),
            ("C084-17", "C084-17"),
            ("'s-Hertogenbosch", "'s-Hertogenbosch"),
            (None, ""),
            (True, "Y"),
            (False, ""),
            (datetime(2022, 5, 20, 18, 41, 31, tzinfo=UTC), "2022-05-20T18:41:31Z"),
            ("a\ud800b", "a\ufffdb"),
        ],
    )
    def test_leaves_numbers_and_marks_formulas(self, value, cell):
        assert defused(value) == cell

    @settings(deadline=None, max_examples=200)
    @given(any_text)
    def test_is_undone_by_reading(self, text):
        assert restored(defused(text)) == text

    @settings(deadline=None, max_examples=200)
    @given(any_text)
    def test_starts_no_formula(self, text):
        cell = defused(text)

        assert cell[:1] not in {"=", "@", "\t", "\r", "＝"}
        assert cell[:1] not in {"+", "-"} or Decimal(cell).is_finite()


class TestCsvWriter:
    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.lists(any_text, min_size=1, max_size=4), max_size=4))
    def test_comes_back_as_it_was(self, rows):
        out = io.BytesIO()
        writer = CsvWriter(out)
        for row in rows:
            writer.row(row)

        text = io.StringIO(out.getvalue().decode("utf-8-sig"), newline="")
        assert [[restored(cell) for cell in row] for row in csv.reader(text)] == rows

    def test_writes_what_excel_opens_as_utf_8(self):
        out = io.BytesIO()
        CsvWriter(out).row(["Größe", 'say "hi"', 3])

        assert out.getvalue() == '\ufeffGröße,"say ""hi""",3\r\n'.encode()


class TestWriteLotsCsv:
    def test_writes_a_head_and_a_row_for_each_lot(self):
        out = io.BytesIO()

        lots = ((lot, "A-01") for lot in lots_of("01_full_lot.bsx"))
        count = write_lots_csv(lots, out).count

        rows = list(csv.DictReader(io.StringIO(out.getvalue().decode("utf-8-sig"))))
        assert count == len(rows) == 2
        assert tuple(rows[0]) == COLUMNS
        assert rows[0]["item_number"] == "75192-1"
        assert rows[0]["location_name"] == "A-01"
        assert rows[0]["price"] == "749.990"
        assert rows[0]["comments"] == "Box has a dent\nsee the picture"
        assert rows[1]["marketplace_lot_id"] == ""

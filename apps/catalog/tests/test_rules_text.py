"""Cleaning of what catalogue files say."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.rules import text
from apps.catalog.rules.kinds import ItemType, item_type_of


class TestCleanText:
    @pytest.mark.parametrize(
        ("told", "cleaned"),
        [
            ("  Duncan Idaho ", "Duncan Idaho"),
            ("PS Vita\u200e", "PS Vita"),
            ("Bar   8L with Stop", "Bar   8L with Stop"),
            ("Cafe\u0301", "Café"),
            ("a\x00b\x07", "ab"),
            ("Weights & Measures", "Weights & Measures"),
        ],
    )
    def test_keeps_what_is_meant(self, told, cleaned):
        assert text.clean_text(told) == cleaned

    @given(st.text())
    def test_is_stable(self, told):
        once = text.clean_text(told)

        assert text.clean_text(once) == once


class TestCleanEscaped:
    @pytest.mark.parametrize(
        ("told", "cleaned"),
        [
            ("Chip &#39;n&#39; Dale", "Chip 'n' Dale"),
            ("Toys &#34;R&#34; Us", 'Toys "R" Us'),
            ("&lt;高年令む&gt;", "<高年令む>"),
            ("a &amp;#39; b", "a &#39; b"),
        ],
    )
    def test_resolves_entities_once(self, told, cleaned):
        assert text.clean_escaped(told) == cleaned


class TestCleanNumber:
    @pytest.mark.parametrize("number", ["0011-2", "5102c01.875", "134916-740", "4.100.230"])
    def test_never_takes_a_number_for_a_number(self, number):
        assert text.clean_number(f" {number} ") == number

    @pytest.mark.parametrize("told", ["", "  ", "x" * 65])
    def test_refuses_nothing_and_too_much(self, told):
        with pytest.raises(text.BadValue):
            text.clean_number(told)


class TestReadWeight:
    @pytest.mark.parametrize(
        ("told", "grams"),
        [("?", None), ("", None), ("0.41", Decimal("0.410")), ("7300", Decimal("7300.000"))],
    )
    def test_reads_grams(self, told, grams):
        assert text.read_weight(told) == grams

    @pytest.mark.parametrize("told", ["1,234", "-1", "NaN", "1e9", "heavy"])
    def test_refuses_what_is_no_weight(self, told):
        with pytest.raises(text.BadValue, match="grams"):
            text.read_weight(told)


class TestReadYear:
    @pytest.mark.parametrize(
        ("told", "year"), [("?", None), ("", None), ("0", None), ("1998", 1998)]
    )
    def test_reads_years(self, told, year):
        assert text.read_year(told) == year

    @pytest.mark.parametrize("told", ["98", "3000", "19x8", "²000"])
    def test_refuses_what_is_no_year(self, told):
        with pytest.raises(text.BadValue, match="1900 to 2100"):
            text.read_year(told)


class TestReadDimensions:
    @pytest.mark.parametrize(
        ("told", "kept"),
        [("? x ? x ?", ""), ("1 x 2 x 0", "1 x 2 x 0"), ("33.5 x ? x 6", "33.5 x ? x 6"), ("", "")],
    )
    def test_keeps_what_is_known(self, told, kept):
        assert text.read_dimensions(told) == kept


class TestReadRgb:
    def test_is_written_in_capitals(self):
        assert text.read_rgb("10Cb31") == "10CB31"
        assert text.read_rgb("#f1f2e1") == "F1F2E1"
        assert text.read_rgb("") == ""

    @pytest.mark.parametrize("told", ["red", "12345", "GGGGGG"])
    def test_refuses_other_things(self, told):
        with pytest.raises(text.BadValue, match="six hex digits"):
            text.read_rgb(told)


class TestReadFlag:
    @pytest.mark.parametrize("told", ["t", "True", "Y", "1", "true"])
    def test_knows_yes_in_every_dialect(self, told):
        assert text.read_flag(told, "is_spare") is True

    @pytest.mark.parametrize("told", ["f", "False", "N", "0", ""])
    def test_knows_no_in_every_dialect(self, told):
        assert text.read_flag(told, "is_spare") is False

    def test_refuses_anything_else(self):
        with pytest.raises(text.BadValue, match="yes or no"):
            text.read_flag("maybe", "is_spare")


class TestReadCount:
    @pytest.mark.parametrize("told", ["-1", "1.5", "1,234", "", "9999999999", "٣"])
    def test_refuses_what_is_no_whole_number(self, told):
        with pytest.raises(text.BadValue, match="quantity"):
            text.read_count(told, "quantity")


class TestReadId:
    def test_allows_the_unknown_colour(self):
        assert text.read_id("-1", "colour id") == -1

    @pytest.mark.parametrize("told", ["--1", "", "red", "1.0"])
    def test_refuses_other_things(self, told):
        with pytest.raises(text.BadValue, match="id is expected"):
            text.read_id(told, "colour id")


class TestAlternatesOf:
    @pytest.mark.parametrize(
        ("told", "numbers"),
        [("25699, 47094", ["25699", "47094"]), (" ", []), ("", []), ("1,2", ["1", "2"])],
    )
    def test_splits_at_commas(self, told, numbers):
        assert text.alternates_of(told) == numbers


class TestItemTypeOf:
    def test_knows_letters_and_names(self):
        assert item_type_of("p") is ItemType.PART
        assert item_type_of("original_box") is ItemType.ORIGINAL_BOX
        assert item_type_of("X") is None
        assert len({item_type_of(letter) for letter in "PGMSBIOCU"}) == 9

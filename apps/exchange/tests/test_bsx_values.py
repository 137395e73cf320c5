"""The readers of texts, where the fixtures do not reach."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.exchange.bsx_lot import VALUE_NOT_READ
from apps.exchange.bsx_values import TAGS, read_bulk, read_marker_color, read_retain, read_stockroom


class TestReaders:
    @settings(deadline=None, max_examples=300)
    @given(
        st.sampled_from(sorted(TAGS)),
        st.text(max_size=10) | st.from_regex(r"[-+]?[0-9.,eE]{1,12}", fullmatch=True),
    )
    def test_answer_any_text_and_say_when_they_take_a_default(self, tag, text):
        _name, read = TAGS[tag]

        value, finding = read(text)

        if finding is not None and finding.code in VALUE_NOT_READ:
            assert value in (None, 0, 1, "", "I", "?", False)
        assert finding is None or finding.expected


class TestReadMarkerColor:
    @pytest.mark.parametrize(
        ("text", "color"),
        [
            ("#FF8000", "#FF8000"),
            ("#f80", "#ff8800"),
            ("#80FF8000", "#FF8000"),
            (" Teal ", "#008080"),
            ("", ""),
        ],
    )
    def test_takes_hexadecimal_and_names(self, text, color):
        assert read_marker_color(text) == (color, None)

    def test_knows_no_colour_of_magic(self):
        color, finding = read_marker_color("octarine")

        assert color == ""
        assert finding is not None


class TestReadStockroom:
    @pytest.mark.parametrize(
        ("text", "room"), [("A", "A"), ("B", "B"), ("C", "C"), ("", "A"), ("N", "")]
    )
    def test_knows_three_rooms(self, text, room):
        assert read_stockroom(text) == (room, None)

    def test_takes_others_as_none_and_says_so(self):
        assert read_stockroom("Y")[0] == ""
        assert read_stockroom("Y")[1] is not None


class TestReadRetain:
    def test_takes_empty_and_y_as_yes(self):
        assert [read_retain(text)[0] for text in ("", "Y", "N", "maybe")] == [
            True,
            True,
            False,
            False,
        ]
        assert read_retain("maybe")[1] is not None


class TestReadBulk:
    def test_takes_an_empty_tag_as_one(self):
        assert read_bulk(" ") == (1, None)

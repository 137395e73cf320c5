import datetime as dt

import pytest

from apps.exports.rules import file_name_of, why_not_a_template, why_not_written


class TestWhyNotWritten:
    @pytest.mark.parametrize(
        ("lot", "reason"),
        [
            ({"item_number": "3001", "item_name": ""}, None),
            ({"item_number": "", "item_name": "Custom"}, None),
            ({"item_number": "", "item_name": ""}, "It has no item number."),
            ({"item_number": "", "item_name": "Box", "by_number": True}, "It has no item number."),
            (
                {"item_number": "UNSORTED", "item_name": "", "origin": "O"},
                "UNSORTED is a number of this catalogue's own; BrickStore does not know it.",
            ),
            (
                {
                    "item_number": "3001",
                    "item_name": "",
                    "catalogue_color_id": 10_042,
                },
                "Its colour (10042) has no BrickLink number.",
            ),
            (
                {"item_number": "3001", "item_name": "", "origin": "R"},
                None,
            ),
        ],
    )
    def test_tells_what_no_bsx_file_can_hold(self, lot, reason):
        assert why_not_written(**lot) == reason


class TestFileNameOf:
    @pytest.mark.parametrize(
        ("title", "name"),
        [
            ("Summer lot", "Summer lot 2026-11-21.bsx"),
            ('a/b\\c:*?"<>|d', "a b c d 2026-11-21.bsx"),
            ("  ..  ", "export 2026-11-21.bsx"),
            ("Größe – 🧱", "Größe – 🧱 2026-11-21.bsx"),
            ("line\nbreak", "line break 2026-11-21.bsx"),
            ("x" * 300, "x" * 120 + " 2026-11-21.bsx"),
        ],
    )
    def test_suits_every_file_system(self, title, name):
        assert file_name_of(title=title, today=dt.date(2026, 11, 21)) == name


class TestWhyNotATemplate:
    @pytest.mark.parametrize("text", ["", "{location}", "bin {location}: {remarks}, {color}"])
    def test_takes_text_with_the_known_fields(self, text):
        assert why_not_a_template(text) is None

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("{bin}", "{bin} is not known; expected text with any of {location}, "),
            ("{}", "{} is not known; expected text with any of {location}, "),
            ("{location", "A brace stands alone; expected text with any of {location}, "),
        ],
    )
    def test_names_what_is_wrong(self, text, why):
        assert why_not_a_template(text).startswith(why)

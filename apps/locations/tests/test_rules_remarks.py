"""The mark of a listing is no part of what a seller wrote."""

import pytest

from apps.locations.rules.remarks import mark_of, without_mark
from apps.locations.services.locations import name_in_remarks


class TestMarks:
    @pytest.mark.parametrize(
        ("remarks", "mark", "text"),
        [
            ("A-01 #bk3x9qaz", "#bk3x9qaz", "A-01"),
            ("#bk3x9qaz", "#bk3x9qaz", ""),
            ("A-01", "", "A-01"),
            ("", "", ""),
            ("A-01 #bk3x9qaz and more", "", "A-01 #bk3x9qaz and more"),
            ("A-01#bk3x9qaz", "", "A-01#bk3x9qaz"),
            ("A-01 #bk3x9qa", "", "A-01 #bk3x9qa"),
            ("A-01 #bK3X9QAZ", "", "A-01 #bK3X9QAZ"),
        ],
    )
    def test_are_told_apart_from_the_text(self, remarks, mark, text):
        assert (mark_of(remarks), without_mark(remarks)) == (mark, text)

    def test_do_not_name_a_location(self):
        assert name_in_remarks("A-01 #bk3x9qaz") == "A-01"

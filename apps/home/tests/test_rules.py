from decimal import Decimal

import pytest

from apps.home.rules import (
    AbcClass,
    StockedLot,
    classified,
    per_minute,
    share,
)


class TestPerMinute:
    @pytest.mark.parametrize(
        ("pieces", "seconds", "pace"),
        [(60, 120, "30.0"), (1, 90, "0.7"), (9, 20, "27.0"), (100, 3, None), (5, 0, None)],
    )
    def test_is_pieces_by_minutes(self, pieces, seconds, pace):
        assert per_minute(pieces, seconds) == (None if pace is None else Decimal(pace))


class TestShare:
    def test_is_none_of_nothing(self):
        assert share(Decimal(5), Decimal(0)) is None

    def test_has_four_places(self):
        assert share(2, 3) == Decimal("0.6667")


class TestClassified:
    def classes_of(self, *worths):
        lots = [
            StockedLot(pieces=1, worth=Decimal(worth), is_priced=True, band=0) for worth in worths
        ]
        total = sum((lot.worth for lot in lots), Decimal(0))
        return "".join(name for _, name in classified(lots, total=total))

    def test_are_a_to_80_percent_b_to_95_and_c(self):
        assert self.classes_of(50, 30, 10, 5, 3, 2) == "AABBCC"

    def test_begin_with_a_however_dear_the_first_is(self):
        assert self.classes_of(99, 1) == "AC"

    def test_of_what_is_worth_nothing_are_c(self):
        assert self.classes_of(0, 0) == "CC"
        assert self.classes_of(1, 0) == "AC"

    def test_are_three(self):
        assert list(AbcClass) == ["A", "B", "C"]

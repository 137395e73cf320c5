import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from apps.home.rules import (
    AbcClass,
    StockedLot,
    classified,
    days_of,
    per_minute,
    share,
)

BERLIN = ZoneInfo("Europe/Berlin")


def quarter(year, month, day, hour, minute=0):
    at = dt.datetime(year, month, day, hour, minute, tzinfo=dt.UTC)
    return int(at.timestamp()) // 900


class TestDaysOf:
    def test_are_the_days_of_the_zone(self):
        quarters = [(quarter(2026, 1, 4, 22, 45), 3), (quarter(2026, 1, 4, 23, 0), 5)]

        sums = days_of(quarters, zone=BERLIN, last=dt.date(2026, 1, 5), count=3)

        assert sums == [0, 3, 5]

    def test_of_the_hour_that_a_zone_leaves_out_are_right(self):
        # 29 March 2026: 02:00 becomes 03:00 in Berlin, so the day has 23 hours.
        quarters = [(quarter(2026, 3, 29, 21, 45), 1), (quarter(2026, 3, 29, 22, 0), 2)]

        assert days_of(quarters, zone=BERLIN, last=dt.date(2026, 3, 30), count=2) == [1, 2]

    def test_leave_out_what_is_before_and_after(self):
        quarters = [(quarter(2026, 1, 1, 12), 1), (quarter(2026, 1, 9, 12), 2)]

        assert days_of(quarters, zone=BERLIN, last=dt.date(2026, 1, 5), count=3) == [0, 0, 0]


class TestPerMinute:
    @pytest.mark.parametrize(
        ("pieces", "seconds", "pace"), [(60, 120, "30.0"), (1, 90, "0.7"), (5, 0, None)]
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
            StockedLot(pieces=1, worth=Decimal(worth), is_priced=True, days=0) for worth in worths
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

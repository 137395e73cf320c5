import datetime as dt
from decimal import Decimal
from types import SimpleNamespace

import pytest

from apps.marketplace.rules import allowances, background_limit, limit_of, next_day
from apps.marketplace.rules.listing import why_not_list


class TestLimits:
    def test_leave_most_to_what_changes_stock(self):
        limits = [limit_of(kind, daily=5_000) for kind in ("lookup", "price", "note", "stock")]

        assert limits == [2_000, 2_500, 3_600, 4_800]

    def test_leave_look_ups_to_the_person(self):
        assert background_limit(daily=5_000) == 1_250


class TestAllowances:
    def test_count_all_kinds_against_each_mark(self):
        left = {
            each.kind: each.left for each in allowances({"stock": 1_990, "lookup": 5}, daily=5_000)
        }

        assert left == {"stock": 2_805, "note": 1_605, "price": 505, "lookup": 5}

    def test_are_never_below_zero(self):
        assert {each.left for each in allowances({"stock": 9_999}, daily=5_000)} == {0}


def test_the_next_day_begins_at_midnight_in_utc():
    tokyo = dt.timezone(dt.timedelta(hours=9))

    assert next_day(dt.datetime(2026, 12, 31, 23, 0, tzinfo=dt.UTC)) == dt.datetime(
        2027, 1, 1, tzinfo=dt.UTC
    )
    assert next_day(dt.datetime(2026, 11, 22, 8, 0, tzinfo=tokyo)) == dt.datetime(
        2026, 11, 22, tzinfo=dt.UTC
    )


class TestWhatCanBeListed:
    """The reason is of the row; all that the marketplace would refuse is refused here first."""

    def row(self, **given):
        plain = {
            "condition": "U",
            "sub_condition": "",
            "price": Decimal("0.1"),
            "sale": 0,
            "comments": "",
            "remarks": "",
            "reserved": "",
            "status": "I",
            "quantity": 5,
        }
        return SimpleNamespace(**plain | given)

    @pytest.mark.parametrize(
        ("given", "about", "reason"),
        [
            ({}, {}, None),
            ({}, {"wanted": 0}, "It has no pieces to list."),
            ({}, {"wanted": 6}, "Only 5 of its 6 pieces are in stock."),
            (
                {"price": Decimal(0)},
                {},
                "Its price is 0: the marketplace takes more than 0 only.",
            ),
            (
                {},
                {"color_id": 10_000},
                "The marketplace has no such colour: choose one of its own.",
            ),
            ({}, {"number": ""}, "It has no item number."),
            (
                {},
                {"item_type": "SET"},
                "Say first whether the set is complete, incomplete or sealed.",
            ),
            ({"sub_condition": "M"}, {"item_type": "SET"}, None),
            ({"status": "X"}, {}, "It is excluded from uploads (status X)."),
            (
                {"reserved": "bo"},
                {},
                "It is reserved for bo: the marketplace would offer it to everybody.",
            ),
            ({"sale": -5}, {}, "Its sale must be from 0 to 99 percent."),
            ({"comments": "x" * 256}, {}, "Its comments are longer than 255 characters."),
            ({"remarks": "x" * 246}, {}, "Its remarks are longer than 245 characters."),
        ],
    )
    def test_tells_the_reason(self, given, about, reason):
        asked = {"item_type": "PART", "number": "3001", "color_id": 5, "wanted": 5} | about

        assert why_not_list(self.row(**given), **asked) == reason

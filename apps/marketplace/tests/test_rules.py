import datetime as dt

from apps.marketplace.rules import allowances, background_limit, limit_of, next_day


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

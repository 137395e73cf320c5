import datetime as dt

from apps.marketplace.rules import allowances, background_limit, limit_of, next_day


class TestLimits:
    def test_leave_most_to_what_changes_stock(self):
        kinds = ("guide", "lookup", "price", "note", "stock")

        assert [limit_of(kind, daily=5_000) for kind in kinds] == [
            4_000,
            4_300,
            4_500,
            4_650,
            4_850,
        ]

    def test_leave_look_ups_to_the_person(self):
        assert background_limit(daily=5_000) == 1_250


class TestAllowances:
    def test_count_all_kinds_against_each_mark(self):
        left = {
            each.kind: each.left for each in allowances({"stock": 4_190, "lookup": 5}, daily=5_000)
        }

        assert left == {"stock": 655, "note": 455, "price": 305, "lookup": 105, "guide": 0}

    def test_hold_prices_of_many_lots_to_their_share_too(self):
        told = allowances({"guide": 90, "stock": 50}, daily=1_000, guide_share=10)

        (guide,) = (each for each in told if each.kind == "guide")
        assert (guide.limit, guide.used, guide.left) == (100, 90, 10)

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

import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.rules.pricing import Basis, MarketFigures, PriceRule
from apps.marketplace.rules.wants import (
    MOST_URGENT,
    Pace,
    age_of,
    expected_end,
    half_to_ask,
    urgency,
)

NOON = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
SOLD, ASKED = True, False
PRICE = Decimal("0.20")


class TestHalfToAsk:
    @pytest.mark.parametrize(
        ("basis", "half"),
        [
            (Basis.REFERENCE, SOLD),
            (Basis.SOLD, SOLD),
            (Basis.ASKED, ASKED),
            (Basis.LOWEST, ASKED),
        ],
    )
    def test_asks_for_what_the_rule_starts_from(self, basis, half):
        assert half_to_ask(PriceRule(basis=basis), MarketFigures(), now=NOON) is half

    @pytest.mark.parametrize(
        ("basis", "known", "half"),
        [
            (Basis.REFERENCE, MarketFigures(sold=PRICE, sold_at=NOON), None),
            (Basis.REFERENCE, MarketFigures(sold_at=NOON), ASKED),
            (Basis.REFERENCE, MarketFigures(sold_at=NOON, asked_at=NOON), None),
            (Basis.SOLD, MarketFigures(sold_at=NOON), None),
            (Basis.ASKED, MarketFigures(sold=PRICE, sold_at=NOON), ASKED),
            (Basis.LOWEST, MarketFigures(asked_at=NOON), None),
            (Basis.SOLD_MEDIAN, MarketFigures(sold=PRICE, sold_at=NOON), SOLD),
            (Basis.SOLD_MEDIAN, MarketFigures(sold_at=NOON, sold_lowest=[]), None),
        ],
    )
    def test_asks_for_offers_only_where_nothing_was_sold(self, basis, known, half):
        assert half_to_ask(PriceRule(basis=basis), known, now=NOON) is half

    def test_asks_for_the_other_half_where_the_rule_falls_back_on_it(self):
        rule = PriceRule(basis=Basis.SOLD_MEDIAN, fallback=Basis.ASKED)
        known = MarketFigures(sold_at=NOON, sold_lowest=[])

        assert half_to_ask(rule, known, now=NOON) is ASKED

    @pytest.mark.parametrize(("is_unasked", "age"), [(False, 6 * HOUR), (True, 5 * DAY)])
    def test_asks_again_after_six_hours_and_unasked_after_five_days(self, is_unasked, age):
        known = MarketFigures(sold=PRICE, sold_at=NOON - age)

        def half(at):
            return half_to_ask(PriceRule(basis=Basis.SOLD), known, now=at, is_unasked=is_unasked)

        assert half(NOON) is SOLD
        assert half(NOON - HOUR) is None


class TestUrgency:
    def test_goes_by_money_and_age(self):
        dear = urgency(quantity=1, price=Decimal(9), age=DAY)
        many = urgency(quantity=100, price=Decimal("0.05"), age=DAY)
        old = urgency(quantity=1, price=Decimal(9), age=2 * DAY)

        assert old > dear > many > 0

    def test_takes_a_guess_where_there_is_no_price(self):
        assert urgency(quantity=3, price=None, age=DAY) == 3_000

    def test_is_never_more_than_a_column_holds(self):
        assert urgency(quantity=2**31, price=Decimal("99999999"), age=999 * DAY) == MOST_URGENT

    def test_takes_what_was_never_asked_for_as_half_a_year_old(self):
        assert (
            age_of(PriceRule(basis=Basis.SOLD), MarketFigures(asked_at=NOON), now=NOON) == 180 * DAY
        )
        assert (
            age_of(PriceRule(basis=Basis.SOLD), MarketFigures(sold_at=NOON - DAY), now=NOON) == DAY
        )


class TestExpectedEnd:
    pace = Pace(lots=100, calls=100, seconds=50)

    def expected(self, left, **also):
        return expected_end(
            left, **{"pace": self.pace, "left_today": 4_000, "a_day": 4_000, "now": NOON, **also}
        )

    def test_is_today_while_calls_are_left(self):
        assert self.expected(600) == NOON + dt.timedelta(seconds=300)

    def test_counts_the_days_that_the_allowance_takes(self):
        assert self.expected(10_000) == dt.datetime(2026, 11, 24, tzinfo=dt.UTC) + dt.timedelta(
            seconds=1_000
        )

    def test_is_never_without_calls(self):
        assert self.expected(1, left_today=0, a_day=0) is None

    def test_guesses_before_anything_was_asked_for(self):
        assert self.expected(100, pace=Pace()) == NOON + dt.timedelta(seconds=55)

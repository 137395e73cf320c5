from decimal import Decimal

import pytest

from apps.catalog.rules.pricing import (
    Basis,
    MarketFigures,
    PriceRule,
    Repriced,
    RulePrice,
    WithoutData,
    new_price,
    rounded,
    rule_price,
)

ALL = MarketFigures(sold=Decimal("0.1234"), asked=Decimal("0.2000"), lowest=Decimal("0.0500"))
FOUR = PriceRule(rounding=Decimal(0), minimum=Decimal(0))


def rule(**given):
    return PriceRule(**{"rounding": Decimal(0), "minimum": Decimal(0), **given})


class TestRulePrice:
    @pytest.mark.parametrize(
        ("basis", "figures", "amount", "found_by"),
        [
            (Basis.REFERENCE, ALL, "0.1234", "sold"),
            (Basis.REFERENCE, MarketFigures(asked=Decimal("0.2")), "0.2000", "asked"),
            (Basis.SOLD, ALL, "0.1234", "sold"),
            (Basis.ASKED, ALL, "0.2000", "asked"),
            (Basis.LOWEST, ALL, "0.0500", "lowest"),
        ],
    )
    def test_starts_from_its_basis(self, basis, figures, amount, found_by):
        found = rule_price(rule(basis=basis), figures)

        assert (found.amount, found.found_by) == (Decimal(amount), found_by)

    @pytest.mark.parametrize(
        ("basis", "figures"),
        [
            (Basis.SOLD, MarketFigures(asked=Decimal("0.2"))),
            (Basis.ASKED, MarketFigures(sold=Decimal("0.2"))),
            (Basis.LOWEST, MarketFigures(sold=Decimal("0.2"), asked=Decimal("0.2"))),
            (Basis.REFERENCE, MarketFigures(lowest=Decimal("0.2"))),
            (Basis.REFERENCE, MarketFigures(sold=Decimal("0.0000"))),
        ],
    )
    def test_has_no_amount_without_its_figure(self, basis, figures):
        assert rule_price(rule(basis=basis), figures) == RulePrice(None, None, "")

    @pytest.mark.parametrize(
        ("percent", "amount"), [("-10", "0.1111"), ("25", "0.1543"), ("0", "0.1234")]
    )
    def test_adds_the_percent(self, percent, amount):
        found = rule_price(rule(percent=Decimal(percent)), ALL)

        assert found.amount == Decimal(amount)
        assert found.figure == Decimal("0.1234")

    def test_asks_at_least_the_minimum(self):
        assert rule_price(rule(minimum=Decimal("0.5")), ALL).amount == Decimal("0.5000")

    def test_stays_within_what_a_price_can_hold(self):
        much = MarketFigures(sold=Decimal("99999999"))

        assert rule_price(rule(percent=Decimal(900)), much).amount == Decimal("99999999.9999")


class TestRounded:
    @pytest.mark.parametrize(
        ("amount", "step", "result"),
        [
            ("0.1250", "0.01", "0.1300"),
            ("0.1249", "0.01", "0.1200"),
            ("0.1249", "0.05", "0.1000"),
            ("0.1250", "0.05", "0.1500"),
            ("1.4999", "0.5", "1.5000"),
            ("0.12345", "0", "0.1235"),
            ("0.00002", "0.0001", "0.0000"),
        ],
    )
    def test_goes_to_the_nearest_step_half_up(self, amount, step, result):
        assert rounded(Decimal(amount), Decimal(step)) == Decimal(result)


class TestRepriced:
    def test_is_the_rules_where_there_is_a_figure(self):
        assert new_price(FOUR, ALL, present=Decimal("9")) == Repriced(
            Decimal("0.1234"), False, "sold"
        )

    @pytest.mark.parametrize(
        ("without", "price", "is_marked"),
        [
            (WithoutData.KEEP, Decimal("9"), False),
            (WithoutData.ZERO, None, False),
            (WithoutData.MARK, Decimal("9"), True),
        ],
    )
    def test_is_what_the_rule_says_without_data(self, without, price, is_marked):
        found = new_price(rule(without_data=without), MarketFigures(), present=Decimal("9"))

        assert found == Repriced(price, is_marked)

    @pytest.mark.parametrize("without", [WithoutData.KEEP, WithoutData.MARK])
    @pytest.mark.parametrize(
        ("present", "price"), [("0.02", "0.03"), ("0.05", "0.05"), ("0", "0"), (None, None)]
    )
    def test_is_at_least_the_minimum_without_data(self, without, present, price):
        least = rule(without_data=without, minimum=Decimal("0.03"))

        found = new_price(least, MarketFigures(), present=present and Decimal(present))

        assert found.price == (price and Decimal(price))

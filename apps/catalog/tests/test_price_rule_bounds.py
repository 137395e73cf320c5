"""What holds for every price that the rule sets, whatever the figures of the market."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.models import PriceStat
from apps.catalog.rules.pricing import (
    MOST_LOWEST,
    NO_FIGURES,
    Basis,
    MarketFigures,
    PriceBy,
    PriceRule,
    Repricing,
    WithoutData,
    contradictions,
    repriced,
    rule_price,
)
from apps.catalog.selectors.pricing import amount_of, figures_in, rule_price_column
from apps.catalog.tests.factories import make_lot
from apps.core.clock import now

D = Decimal
HOW = {"by": PriceBy.RULE}


def amounts(least="0.0001", most="500"):
    return st.decimals(D(least), D(most), places=4, allow_nan=False)


lowest = st.lists(amounts().map(str), max_size=MOST_LOWEST).map(lambda some: sorted(some, key=D))
figures = st.builds(
    MarketFigures,
    **{name: st.none() | amounts("0") for name in ("sold", "asked", "lowest")},
    **{
        name: st.none() | amounts("0")
        for name in ("sold_mean", "sold_median", "asked_mean", "asked_median")
    },
    sold_lowest=st.none() | lowest,
    asked_lowest=st.none() | lowest,
)
rules = st.builds(
    PriceRule,
    basis=st.sampled_from(Basis),
    nth=st.integers(1, MOST_LOWEST),
    fallback=st.none() | st.sampled_from(Basis),
    percent=st.decimals(D(-99), D(900), places=2),
    rounding=st.sampled_from([D(0), D("0.001"), D("0.01"), D("0.05"), D("0.1"), D(1)]),
    ending=st.sampled_from([D(0), D("0.01"), D("0.05")]),
    minimum=st.sampled_from([D(0), D("0.01"), D("0.03"), D(2)]),
    maximum=st.none() | st.sampled_from([D("0.5"), D(5), D(100)]),
    max_step=st.none() | st.decimals(D("0.01"), D(300), places=2),
    without_data=st.sampled_from(WithoutData),
).filter(lambda rule: not list(contradictions(rule)))
presents = st.none() | amounts()


def always(test):
    return settings(max_examples=100, deadline=None)(
        given(rule=rules, told=figures, present=presents)(test)
    )


class TestEveryPriceByTheRule:
    @always
    def test_is_never_zero_and_from_the_least_to_the_most(self, rule, told, present):
        price = repriced(Repricing(rule=rule, **HOW), present, told).price

        assert price is None or (price > 0 and rule.least <= price <= rule.most)

    @always
    def test_is_never_past_the_step_but_to_reach_the_bounds(self, rule, told, present):
        new = repriced(Repricing(rule=rule, **HOW), present, told)

        if present and rule.max_step is not None and new.price is not None:
            within = min(max(present, rule.least), rule.most)
            assert abs(new.price - within) <= present * rule.max_step / 100

    @always
    def test_is_no_further_from_the_present_one_than_without_the_step(self, rule, told, present):
        stepped = repriced(Repricing(rule=rule, **HOW), present, told).price
        free = repriced(Repricing(rule=replace(rule, max_step=None), **HOW), present, told).price

        if present and free is not None:
            assert min(present, free) <= stepped <= max(present, free)

    @always
    def test_without_data_is_as_chosen(self, rule, told, present):
        new = repriced(Repricing(rule=rule, **HOW), present, NO_FIGURES)

        kept = present and min(max(present, rule.least), rule.most)
        assert new.price == (None if rule.without_data is WithoutData.ZERO else kept)
        assert new.is_marked == (rule.without_data is WithoutData.MARK)


COLUMNS = {
    "sold": "avg_sold_price",
    "asked": "avg_inventory_price",
    "lowest": "low_price",
    "sold_mean": "mean_sold_price",
    "sold_median": "median_sold_price",
    "sold_lowest": "lowest_sold",
    "asked_mean": "mean_inventory_price",
    "asked_median": "median_inventory_price",
    "asked_lowest": "lowest_offered",
}


@pytest.mark.django_db
def test_lists_and_pages_work_out_the_same_price(ann):
    lot = make_lot()

    @settings(max_examples=25, deadline=None)
    @given(rule=rules, told=figures)
    def check(rule, told):
        PriceStat.objects.all().delete()
        PriceStat.objects.create(
            owner=ann,
            lot=lot,
            condition="U",
            region="DE",
            currency="EUR",
            synced_at=now(),
            **{column: getattr(told, name) for name, column in COLUMNS.items()},
        )
        ((_, _, region, read),) = figures_in(PriceStat.objects.all())
        column = PriceStat.objects.values_list(rule_price_column(rule), flat=True).get()

        assert (region, rule_price(rule, read)) == ("DE", rule_price(rule, told))
        assert amount_of(column) == rule_price(rule, told).amount

    check()

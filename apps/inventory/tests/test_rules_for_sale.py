"""What is for sale on a channel by its rule."""

from dataclasses import replace
from decimal import Decimal

import pytest

from apps.exchange.bsx_lot import BsxLot
from apps.inventory.rules.for_sale import EVERYTHING, SaleRule, for_sale

LOT = BsxLot(
    item_number="3001",
    item_type_id="P",
    color_name="Red",
    category_id=5,
    quantity=10,
    price=Decimal("0.12"),
    stockroom="A",
    marker_text="Fair",
    tq1=10,
    tp1=Decimal("0.10"),
)


def test_without_a_rule_all_of_a_lot_is_for_sale_as_it_is():
    assert EVERYTHING.lot_there(LOT) is LOT


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ({"left_out_types": frozenset("P")}, "Its item type is not for sale there."),
        ({"left_out_categories": frozenset([5])}, "Its category is not for sale there."),
        ({"left_out_stockrooms": frozenset("A")}, "Stockroom A is not for sale there."),
        ({"left_out_marker": "fair"}, "Its marker keeps it from sale there."),
        ({"least_value": Decimal("1.21")}, "Its 1.20 are less than what is for sale there."),
        ({"most_value": Decimal("1.19")}, "Its 1.20 are more than what is for sale there."),
        ({"least_pieces": 11}, "Lots of fewer than 11 pieces are not for sale there."),
        ({"keep_back": 10}, "Its last 10 pieces are kept back."),
    ],
)
def test_a_lot_that_a_rule_leaves_out_has_no_pieces_there(rule, why):
    rule = SaleRule(**rule)

    assert rule.why_not(LOT) == why
    assert rule.lot_there(LOT).quantity == 0


@pytest.mark.parametrize(
    "rule",
    [
        {"left_out_types": frozenset("S")},
        {"left_out_categories": frozenset([6])},
        {"left_out_stockrooms": frozenset("B")},
        {"left_out_marker": "other"},
        {"least_value": Decimal("1.20"), "most_value": Decimal("1.20")},
        {"least_pieces": 10},
    ],
)
def test_a_lot_at_the_bounds_of_a_rule_is_for_sale_whole(rule):
    assert SaleRule(**rule).lot_there(LOT).quantity == 10


@pytest.mark.parametrize(("free", "there"), [(10, 8), (3, 1), (2, 0), (1, 0), (0, 0)])
def test_the_last_pieces_are_kept_back(free, there):
    rule = SaleRule(keep_back=2)

    assert rule.lot_there(replace(LOT, quantity=free)).quantity == there


@pytest.mark.parametrize(
    ("rule", "price"),
    [
        ({"percent": Decimal(110), "rounding": Decimal("0.01")}, "0.13"),
        ({"percent": Decimal(110)}, "0.132"),
        ({"percent": Decimal(90), "rounding": Decimal("0.05")}, "0.1"),
        ({"rate": Decimal("1.08"), "rounding": Decimal("0.001")}, "0.13"),
        ({"percent": Decimal(1), "rounding": Decimal("0.01")}, "0.01"),
        ({"rounding": Decimal("0.01")}, "0.12"),
    ],
)
def test_a_price_there_follows_from_ours_and_is_never_0(rule, price):
    assert SaleRule(**rule).price_there(Decimal("0.12")) == Decimal(price)


def test_prices_of_tiers_follow_too_and_a_lot_without_a_price_stays_without():
    rule = SaleRule(percent=Decimal(110), rounding=Decimal("0.01"))

    assert rule.lot_there(LOT).tp1 == Decimal("0.11")
    assert rule.lot_there(LOT).tp2 == 0
    assert rule.lot_there(replace(LOT, price=None)).price is None


def test_a_price_of_a_lot_that_only_a_channel_has_is_brought_to_ours():
    rule = SaleRule(percent=Decimal(110), rate=Decimal("1.08"))

    assert rule.lot_here(replace(LOT, price=Decimal("0.1426"))).price == Decimal("0.12")


def test_what_is_for_sale_is_told_in_numbers_with_the_largest_changes():
    dear = replace(LOT, item_number="3002", price=Decimal(5), quantity=1)
    rule = SaleRule(most_value=Decimal(6), percent=Decimal(110), rounding=Decimal("0.01"))

    told = for_sale([LOT, dear, replace(LOT, quantity=100)], rule)

    assert told[:4] == (2, 3, 11, 2)
    assert told.examples == [
        ("3002 Red", Decimal(5), Decimal("5.5")),
        ("3001 Red", Decimal("0.12"), Decimal("0.13")),
    ]

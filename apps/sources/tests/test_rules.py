from decimal import Decimal

import pytest

from apps.sources.rules import foreign_share, price_per_kg, return_on

D = Decimal


class TestReturnOn:
    @pytest.mark.parametrize(
        ("spent", "value", "pieces", "expected"),
        [
            (D(50), D(125), 1, D("2.5")),
            (D(3), D(1), 1, D("0.3333")),
            (D(50), None, 1, D(0)),
            (D(50), None, 0, None),
            (D(0), D(10), 1, None),
            (None, D(10), 1, None),
        ],
    )
    def test_is_value_by_cost(self, spent, value, pieces, expected):
        assert return_on(spent=spent, value=value, pieces=pieces) == expected


class TestPricePerKg:
    @pytest.mark.parametrize(
        ("cost", "grams", "expected"),
        [
            (D(50), D(2500), D(20)),
            (D(10), D(3000), D("3.3333")),
            (D(0), D(100), D(0)),
            (None, D(100), None),
            (D(10), D(0), None),
            (D(10), None, None),
        ],
    )
    def test_is_cost_by_weight(self, cost, grams, expected):
        assert price_per_kg(cost=cost, grams=grams) == expected


class TestForeignShare:
    @pytest.mark.parametrize(
        ("foreign", "pieces", "expected"),
        [
            (50, 950, D("0.05")),
            (1, 2, D("0.3333")),
            (0, 10, D(0)),
            (7, None, D(1)),
            (0, 0, None),
            (None, 10, None),
        ],
    )
    def test_is_what_was_thrown_out_of_all_that_came(self, foreign, pieces, expected):
        assert foreign_share(foreign=foreign, pieces=pieces) == expected

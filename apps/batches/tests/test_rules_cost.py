import random
from decimal import Decimal

import pytest

from apps.batches.rules.cost import Share, spread_cost

D = Decimal


def sum_of(spread, shares):
    return sum(spread.costs[key] * shares[key].quantity for key in shares)


class TestSpreadCost:
    def test_gives_each_its_share(self):
        shares = {"a": Share(10, D("1")), "b": Share(5, D("4"))}

        assert spread_cost(D("30"), shares).costs == {"a": D("1"), "b": D("4")}

    def test_the_largest_remainder_takes_the_last_cent(self):
        shares = {key: Share(1, D("1")) for key in "abc"}

        spread = spread_cost(D("10"), shares)

        assert sorted(spread.costs.values()) == [D("3.3333"), D("3.3333"), D("3.3334")]
        assert spread.left == 0

    def test_a_piece_alone_takes_what_many_cannot_share(self):
        shares = {"many": Share(1_000, D("1")), "one": Share(1, D("1"))}

        spread = spread_cost(D("10"), shares)

        assert sum_of(spread, shares) == D("10")
        assert spread.costs["many"] == D("0.0099")

    def test_two_items_exchange_what_neither_can_take(self):
        shares = {n: Share(n, D("0.1")) for n in (5, 8, 11, 14)}

        spread = spread_cost(D("25"), shares)

        assert sum_of(spread, shares) == D("25")

    def test_tells_what_no_four_places_hold(self):
        shares = {"a": Share(3, D("1"))}

        spread = spread_cost(D("10"), shares)

        assert spread.costs == {"a": D("3.3333")}
        assert spread.left == D("0.0001")

    @pytest.mark.parametrize(
        "share", [Share(0, D("1")), Share(4, D("0"))], ids=["no pieces", "no weight"]
    )
    def test_what_weighs_nothing_costs_nothing(self, share):
        spread = spread_cost(D("5"), {"a": share, "b": Share(1, D("1"))})

        assert spread.costs == {"a": 0, "b": D("5")}

    def test_without_any_weight_all_of_it_is_left(self):
        spread = spread_cost(D("5"), {"a": Share(4, D("0"))})

        assert (spread.costs, spread.left) == ({"a": 0}, D("5"))

    def test_a_cost_of_nothing_spreads_nothing(self):
        assert spread_cost(D("0"), {"a": Share(4, D("1"))}).costs == {"a": 0}

    @pytest.mark.parametrize("seed", range(25))
    def test_adds_up_exactly_wherever_one_item_is_single(self, seed):
        chance = random.Random(seed)
        shares = {
            n: Share(chance.randrange(1, 500), D(chance.randrange(0, 9_999)) / 1000)
            for n in range(chance.randrange(1, 300))
        } | {"one": Share(1, D("0.5"))}
        total = D(chance.randrange(1, 5_000_000)) / 100

        spread = spread_cost(total, shares)

        assert sum_of(spread, shares) == total
        assert spread.left == 0
        assert all(cost >= 0 for cost in spread.costs.values())

"""The state of an order, of what the marketplace says and what was picked."""

import pytest

from apps.orders.rules.states import state_of


@pytest.mark.parametrize(
    ("told", "ours", "to_pick", "has_lines", "state"),
    [
        ("paid", "paid", 3, True, "paid"),
        ("paid", "paid", 0, True, "picked"),
        ("paid", "paid", 0, False, "paid"),
        ("paid", "picked", 2, True, "paid"),  # it got more lines
        ("paid", "picked", 0, True, "picked"),
        ("paid", "packed", 2, True, "packed"),
        ("packed", "paid", 2, True, "packed"),
        ("new", "paid", 2, True, "paid"),
        ("shipped", "paid", 2, True, "shipped"),
        ("cancelled", "packed", 0, True, "cancelled"),
        ("paid", "problem", 2, True, "paid"),
    ],
)
def test_is_the_later_of_both_but_only_picking_makes_it_picked(
    told, ours, to_pick, has_lines, state
):
    found = state_of(told=told, ours=ours, to_pick=to_pick, has_lines=has_lines)

    assert found == state

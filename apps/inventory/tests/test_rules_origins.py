"""Each sold piece knows the batch item that it came from."""

import pytest

from apps.inventory.rules.origins import Step, origins_of_sold

HERE, THERE = 1, 2
LINE, OTHER = 71, 72


def ledger(*steps):
    """Return the origins after these steps, numbered from 1. `reverses` is the undone step."""
    undone = {step.get("reverses") for step in steps}
    made = [Step(id=n, is_undone=n in undone, **step) for n, step in enumerate(steps, start=1)]
    return origins_of_sold(made)


def stowed(pieces, origin, row=HERE):
    return {"row": row, "delta": pieces, "origin": origin}


def sale(pieces, line=LINE, row=HERE):
    return {"row": row, "delta": -pieces, "line": line}


def carried(pieces, to=THERE):
    return (
        {"row": HERE, "delta": -pieces, "is_carried": True},
        {"row": to, "delta": pieces, "is_carried": True},
    )


@pytest.mark.parametrize(
    ("steps", "sold"),
    [
        pytest.param([stowed(5, 1), sale(3)], {LINE: {1: 3}}, id="of one batch"),
        pytest.param(
            [stowed(5, 1), stowed(5, 2), sale(3), sale(4, OTHER)],
            {LINE: {1: 3}, OTHER: {1: 2, 2: 2}},
            id="first in, first out",
        ),
        pytest.param(
            [{"row": HERE, "delta": 4}, stowed(5, 1), sale(6)],
            {LINE: {None: 4, 1: 2}},
            id="what was here before came from nowhere",
        ),
        pytest.param([sale(2)], {LINE: {None: 2}}, id="of nothing that is known"),
        pytest.param(
            [stowed(5, 1), stowed(5, 2), *carried(7), sale(6, row=THERE), sale(3)],
            {LINE: {1: 5, 2: 4}},
            id="carried to another bin",
        ),
        pytest.param(
            [stowed(5, 1), *carried(5, to=HERE), sale(2)], {LINE: {1: 2}}, id="a whole row moved"
        ),
        pytest.param(
            [stowed(5, 1), stowed(5, 2), {"row": HERE, "delta": -5, "origin": 1}, sale(3)],
            {LINE: {2: 3}},
            id="taken out of the stock again, back into its batch",
        ),
        pytest.param(
            [stowed(3, 1), stowed(5, 2), sale(5), {"row": HERE, "delta": 1, "line": LINE}],
            {LINE: {1: 3, 2: 1}},
            id="the last that was sold comes back first",
        ),
        pytest.param(
            [
                *(stowed(3, 1), stowed(5, 2), sale(3)),
                {"row": HERE, "delta": 3, "line": LINE, "reverses": 3},
                sale(2, OTHER),
            ],
            {LINE: {}, OTHER: {1: 2}},
            id="a pick undone is none",
        ),
        pytest.param(
            [
                *(stowed(3, 1), stowed(5, 2), *carried(8)),
                {"row": THERE, "delta": -8, "reverses": 4},
                {"row": HERE, "delta": 8, "reverses": 3},
                sale(4),
            ],
            {LINE: {1: 3, 2: 1}},
            id="a move undone",
        ),
        pytest.param(
            [
                stowed(5, 1),
                {"row": HERE, "delta": -5, "pool": "lot"},
                {"row": THERE, "delta": 7, "pool": "lot"},
                sale(6, row=THERE),
            ],
            {LINE: {1: 5, None: 1}},
            id="a sync put them elsewhere",
        ),
    ],
)
def test_origins_of_sold(steps, sold):
    assert ledger(*steps) == sold

"""Spreads the cost of a batch over its items without losing any of it to rounding. Pure."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final, Generic, NamedTuple, TypeVar

Key = TypeVar("Key", bound=Hashable)
UNIT: Final = Decimal("0.0001")
MOST_LOOKED_AT: Final = 100
MOST_BACK: Final = 12


class SpreadBy(StrEnum):
    """The measure by which an item's share is calculated."""

    PRICE = "price"  # quantity × price
    WEIGHT = "weight"  # quantity × grams
    PIECES = "pieces"


class Share(NamedTuple):
    """An item: its pieces, and the weight of one piece in the spread."""

    quantity: int
    weight: Decimal


@dataclass(frozen=True, slots=True)
class Spread(Generic[Key]):
    """The cost of one piece of each item; `left` is what no four places could hold."""

    costs: dict[Key, Decimal]
    left: Decimal


def spread_cost(total: Decimal, shares: Mapping[Key, Share]) -> Spread[Key]:
    """Return the cost of one piece of each item, to four places, so that they add up to `total`.

    Each item starts with its exact share rounded down. The rest is added to the largest remainders
    first, then to the smallest quantities, and finally by exchanges between two items. If the
    quantities do not allow an exact sum, `left` holds less than 0.0001 times the smallest
    quantity. Items without pieces or weight get 0; if no item has weight, `left` is the total.
    """
    costs = dict.fromkeys(shares, 0)
    units = int(total / UNIT)
    taking = {key: one for key, one in shares.items() if one.quantity > 0 and one.weight > 0}
    whole = sum((one.quantity * one.weight for one in taking.values()), start=Decimal(0))
    if not taking or units <= 0:
        return Spread({key: UNIT * 0 for key in shares}, total)
    remainders: dict[Key, Decimal] = {}
    for key, one in taking.items():
        exact = units * one.weight / whole
        costs[key] = int(exact)
        remainders[key] = exact - costs[key]
    left = units - sum(costs[key] * one.quantity for key, one in taking.items())
    for key in sorted(taking, key=lambda key: -remainders[key]):
        if remainders[key] and taking[key].quantity <= left:
            costs[key] += 1
            left -= taking[key].quantity
    smallest = sorted(taking, key=lambda key: taking[key].quantity)
    while left:
        fitting = [key for key in smallest if taking[key].quantity <= left]
        if not fitting:
            break
        rounds = max(left // sum(taking[key].quantity for key in fitting), 1)
        for key in fitting:
            times = min(rounds, left // taking[key].quantity)
            costs[key] += times
            left -= times * taking[key].quantity
    if left and (swap := _swap(left, costs, taking)):
        more, times, fewer, back = swap
        costs[more] += times
        costs[fewer] -= back
        left = 0
    return Spread({key: UNIT * count for key, count in costs.items()}, UNIT * left)


def _swap(
    left: int, costs: Mapping[Key, int], taking: Mapping[Key, Share]
) -> tuple[Key, int, Key, int] | None:
    """Return which item costs how many units more and which how many less, to place `left`.

    Of each quantity one item is looked at, the dearest; a swap of few units is preferred.
    """
    dearest: dict[int, Key] = {}
    for key in sorted(taking, key=lambda key: costs[key]):
        dearest[taking[key].quantity] = key
    some = dict(sorted(dearest.items())[:MOST_LOOKED_AT])
    found: list[tuple[int, Key, int, Key, int]] = []
    for much, fewer in some.items():
        for back in range(1, min(MOST_BACK, costs[fewer]) + 1):
            for little, more in some.items():
                times, rest = divmod(left + back * much, little)
                if more != fewer and not rest:
                    found.append((times + back, more, times, fewer, back))
        if found and found[0][0] <= 3:
            break
    return min(found, key=lambda one: one[0])[1:] if found else None

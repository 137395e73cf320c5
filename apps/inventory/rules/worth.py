"""What the stock's value is made of: how old it is, and how few lots make most of it."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

#: Days in stock from which each band begins, and what it is called.
AGE_BANDS: Final = (
    (0, "under 30 days"),
    (30, "30 to 89 days"),
    (90, "90 to 179 days"),
    (180, "180 to 364 days"),
    (365, "a year and longer"),
)
#: A curve is drawn through at most so many points.
CURVE_POINTS: Final = 50


def age_band(days: int) -> int:
    """Return the place in AGE_BANDS of what has been in stock for so many days."""
    return max(place for place, (first, _) in enumerate(AGE_BANDS) if place == 0 or days >= first)


def curve(worths: Sequence[Decimal]) -> list[tuple[int, Decimal]]:
    """Return how much the first so many rows are worth together; `worths` come dearest first.

    From (0, 0) to all of them, by even steps; nothing of nothing.
    """
    if not worths:
        return []
    step = max(1, -(-len(worths) // CURVE_POINTS))
    points = [(0, Decimal(0))]
    sum_so_far = Decimal(0)
    for place, worth in enumerate(worths, start=1):
        sum_so_far += worth
        if place % step == 0 or place == len(worths):
            points.append((place, sum_so_far))
    return points

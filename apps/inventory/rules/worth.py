"""The composition of the stock's value: by age, and by the share of the most valuable lots."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

#: The first day in stock of each age band, and its name.
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
    """Return the index in AGE_BANDS for a number of days in stock."""
    return max(place for place, (first, _) in enumerate(AGE_BANDS) if place == 0 or days >= first)


def curve(worths: Sequence[Decimal]) -> list[tuple[int, Decimal]]:
    """Return points (number of rows, their total value), with `worths` ordered highest first.

    The points go from (0, 0) to all rows in even steps. Without rows there are none.
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

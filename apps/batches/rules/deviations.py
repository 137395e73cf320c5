"""Groups lots by the deviation of their price from the market's, for a chart. Pure."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final


@dataclass(frozen=True, slots=True)
class Step:
    """Percent above (or, negative, below) the reference price: from `least` on, under `below`."""

    least: int | None
    below: int | None


_EDGES: Final = (None, -50, -25, -10, 10, 25, 50, 100, None)
STEPS: Final = tuple(Step(least, below) for least, below in pairwise(_EDGES))

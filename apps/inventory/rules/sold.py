"""Which pieces a sync takes for sold: those that are in no row of their lot any more."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

#: Item and colour, and the condition.
SoldLot = tuple[tuple[Any, ...], str]


class Sold:
    """What is left to be told sold, lot by lot; pieces that went to another row are not.

    Sees the changes of all rows first: chunks of a plan may cut a lot in two.
    """

    def __init__(self, changes: Iterable[tuple[SoldLot, int]] = ()) -> None:
        net: Counter[SoldLot] = Counter()
        for lot, change in changes:
            if change:
                net[lot] += change
        self._left = {lot: -change for lot, change in net.items() if change < 0}

    def take(self, lot: SoldLot, fell: int) -> int:
        """Return how many of the `fell` pieces that a row loses were sold."""
        sold = max(0, min(fell, self._left.get(lot, 0)))
        if sold:
            self._left[lot] -= sold
        return sold

"""Which pieces a sync takes for sold: those that are in no row of their lot any more."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

#: Item and colour, and the condition.
SoldLot = tuple[tuple[Any, ...], str]


class Sold:
    """The pieces still to book as sold, by lot. Pieces that moved to another row are not sold.

    Reads the changes of all rows first, since the rows of a lot can be in several chunks.
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

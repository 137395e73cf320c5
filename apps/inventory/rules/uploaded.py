"""Which pieces that wait in batches to be listed a store has: uploaded in another way. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

#: Sums of pieces that are tried before no items are taken to add up.
MOST_SUMS: Final = 2_000


class Waits(NamedTuple):
    """A batch item whose pieces lie in a row of the stock and wait to be listed."""

    item_id: int
    row_id: int
    pieces: int


def adding_up_to(pieces: int, waiting: Sequence[Waits]) -> list[Waits] | None:
    """Return waiting items that have exactly these pieces, early ones first; None where none do."""
    if not 0 <= pieces <= sum(one.pieces for one in waiting):
        return None
    ways: dict[int, list[Waits]] = {0: []}
    for one in waiting:
        for so_far, way in list(ways.items()):
            if (more := so_far + one.pieces) <= pieces:
                ways.setdefault(more, [*way, one])
        if pieces in ways:
            return ways[pieces]
        if len(ways) > MOST_SUMS:
            break
    return None


def uploaded(
    waiting: Sequence[Waits], *, free: int, there: int, had: int | None = None
) -> list[Waits]:
    """Return which of the items that wait in the rows of a lot its store has.

    `free` are the pieces of the rows, `there` those of the store and `had` those that it last
    had. A lot that lost pieces there without having had the waiting ones got none of them since.
    Where nothing adds up it got all, and sold some of them.
    """
    listed = free - sum(one.pieces for one in waiting)
    found = adding_up_to(there - listed, waiting)
    if found is not None:
        return found
    return [] if there < listed == had else list(waiting)

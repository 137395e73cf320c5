"""From which batch item each sold piece came: the ledger, followed piece by piece. Pure."""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

#: A batch item, None where no batch put the pieces there; and how many.
Origin = int | None
Part = tuple[Origin, int]
#: Line of an order -> batch item -> pieces that are with the buyer.
SoldFrom = dict[int, dict[Origin, int]]


@dataclass(frozen=True, slots=True)
class Step:
    """A movement: `line` is the order's that took or gave back, `origin` the batch item."""

    id: int
    row: int
    delta: int
    origin: Origin = None
    line: int | None = None
    reverses: int | None = None
    is_undone: bool = False
    # The movement after it puts the same pieces into another row.
    is_carried: bool = False
    # Pieces of one lot that one sync removes and adds are the same pieces.
    pool: Hashable = None


def origins_of_sold(steps: Iterable[Step]) -> SoldFrom:
    """Return from which batch items the pieces of each line came, first in, first out.

    `steps` are in the order of the ledger. A piece that is returned, or whose movement another one
    reverses (`is_undone`), has its former origin again.
    """
    rows: dict[int, deque[Part]] = defaultdict(deque)
    pools: dict[Hashable, deque[Part]] = defaultdict(deque)
    sold: dict[int, dict[Origin, int]] = defaultdict(dict)
    known: dict[int, list[Part]] = {}
    in_hand: list[Part] = []
    for step in steps:
        row = rows[step.row]
        if step.delta < 0:
            pieces = -step.delta
            if step.reverses in known:
                parts = _these(row, known[step.reverses])
            elif step.origin is not None:
                parts = _these(row, [(step.origin, pieces)])
            else:
                parts = _first(row, pieces)
            in_hand = parts if step.is_carried else []
            if step.pool is not None:
                pools[step.pool].extend(parts)
            if step.line is not None:
                _add(sold[step.line], parts)
        else:
            parts = [(step.origin, step.delta)]
            if step.line is not None:
                back = known.get(step.reverses or 0)
                parts = back or _last_sold(sold[step.line], step.delta)
                _add(sold[step.line], [(origin, -pieces) for origin, pieces in parts])
                row.extendleft(reversed(parts))
            else:
                if step.reverses in known:
                    parts = known[step.reverses]
                elif step.is_carried and sum(n for _, n in in_hand) == step.delta:
                    parts = in_hand
                elif step.pool is not None:
                    parts = _first(pools[step.pool], step.delta)
                row.extend(parts)
        if step.is_undone:
            known[step.id] = parts
    return {
        line: {origin: n for origin, n in parts.items() if n > 0} for line, parts in sold.items()
    }


def _first(queue: deque[Part], pieces: int) -> list[Part]:
    """Take pieces from the front of a queue. Missing pieces have an unknown origin."""
    taken: list[Part] = []
    while pieces and queue:
        origin, there = queue.popleft()
        taken.append((origin, min(there, pieces)))
        if there > pieces:
            queue.appendleft((origin, there - pieces))
        pieces -= taken[-1][1]
    return [*taken, (None, pieces)] if pieces else taken


def _these(queue: deque[Part], wanted: list[Part]) -> list[Part]:
    """Take pieces of these origins, the last first; others where they are gone."""
    taken: list[Part] = []
    missing = 0
    for origin, pieces in wanted:
        for place in range(len(queue) - 1, -1, -1):
            if not pieces:
                break
            if queue[place][0] != origin:
                continue
            there = queue[place][1]
            some = min(there, pieces)
            queue[place] = (origin, there - some)
            taken.append((origin, some))
            pieces -= some
        missing += pieces
    kept = [part for part in queue if part[1]]
    queue.clear()
    queue.extend(kept)
    return taken + _first(queue, missing)


def _last_sold(sold: dict[Origin, int], pieces: int) -> list[Part]:
    parts: list[Part] = []
    for origin in reversed(list(sold)):
        some = min(sold[origin], pieces)
        if some > 0:
            parts.append((origin, some))
            pieces -= some
    return [*parts, (None, pieces)] if pieces else parts


def _add(sold: dict[Origin, int], parts: list[Part]) -> None:
    for origin, pieces in parts:
        sold[origin] = sold.get(origin, 0) + pieces

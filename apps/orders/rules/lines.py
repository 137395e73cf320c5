"""Identifies the lines of an order that is read again, and finds the differences."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Final, Protocol

LONGEST_KEY: Final = 60


class Told(Protocol):
    """The fields of a line that the rule reads."""

    @property
    def lot_id(self) -> int | None: ...
    @property
    def item_type(self) -> str: ...
    @property
    def number(self) -> str: ...
    @property
    def color_id(self) -> int: ...
    @property
    def color_name(self) -> str: ...
    @property
    def condition(self) -> str: ...


def keys_of(lines: Iterable[Told]) -> list[str]:
    """Return a key of each line: its lot, and its number among lines of the same lot.

    The keys are the same for an order read by the API, batch by batch, and from a file.
    """
    seen: Counter[str] = Counter()
    keys = []
    for line in lines:
        if line.lot_id is not None:
            name = str(line.lot_id)
        else:
            # A line without a type was kept as one of a part.
            kind = line.item_type or "PART"
            # One that named no colour was kept as one without.
            color = line.color_id if line.color_id >= 0 or line.color_name else 0
            name = f"{kind}:{line.number}:{color}:{line.condition}"
        name = name[: LONGEST_KEY - 6]
        seen[name] += 1
        keys.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return keys


def difference(name: str, *, was: int, now: int) -> str:
    """Return a description of the change of a line, '' if it did not change."""
    if was == now:
        return ""
    if was == 0:
        return f"Added: {now} × {name}"
    if now == 0:
        return f"Taken off: {was} × {name}"
    return f"{now} instead of {was} × {name}"


def price_difference(name: str, *, was: Decimal, now: Decimal) -> str:
    """Return a description of the change of the price of one piece, '' if it did not change."""
    if was == now:
        return ""
    return f"{now.normalize():f} each instead of {was.normalize():f}: {name}"

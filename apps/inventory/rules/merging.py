"""One lot in three states: as the marketplace last received it, as it is here, and there. Pure.

A field that changed on one side takes that side's value. If it changed on both, a rule decides.
Quantities are added up instead: pieces sold there and pieces added here both count.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple


class ConflictRule(StrEnum):
    """Whose value counts where a field was changed on both sides."""

    MINE = "mine"
    THEIRS = "theirs"
    ASK = "ask"  # nothing is written on either side until a person decides


class Conflict(NamedTuple):
    """A field that both sides changed, each to something else."""

    field: str
    before: Any
    here: Any
    there: Any


class Merged(NamedTuple):
    """The merge of a lot: fields that take the other value, and fields that both sides changed."""

    taken: dict[str, Any]
    conflicts: list[Conflict]


def merged(
    *,
    base: Mapping[str, Any] | None,
    here: Mapping[str, Any],
    there: Mapping[str, Any],
    rule: ConflictRule,
) -> Merged:
    """Merge the fields of `there` into `here`. Without a base, `there` counts."""
    taken: dict[str, Any] = {}
    conflicts: list[Conflict] = []
    for name, value in there.items():
        mine = here[name]
        if value == mine:
            continue
        if base is None or mine == base[name]:
            taken[name] = value
        elif value != base[name]:
            conflicts.append(Conflict(name, base[name], mine, value))
            if rule == ConflictRule.THEIRS:
                taken[name] = value
    return Merged(taken, conflicts)


def spread(quantities: Sequence[int], change: int) -> tuple[list[int], int]:
    """Return the pieces of each row after a change of the lot, and the missing pieces.

    Removed pieces leave the rows in order; added pieces go to the first row.
    """
    left = list(quantities)
    if change > 0 and left:
        left[0] += change
        return left, 0
    missing = -change
    for place, quantity in enumerate(left):
        off = min(quantity, missing)
        left[place] -= off
        missing -= off
    return left, max(missing, 0)

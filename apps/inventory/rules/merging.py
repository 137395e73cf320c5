"""One lot in three states: as the marketplace last received it, as it is here, and there. Pure.

What changed on one side only is taken from there. What changed on both is decided by a rule;
pieces never are: what was sold there and what was added here both count.
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
    """Merge the fields of `there` into `here`. Without a base what is there counts."""
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
    """Return the pieces of each row after a change of the lot, and how many it lacks.

    What is gone comes off the rows in their order; what is new goes to the first.
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

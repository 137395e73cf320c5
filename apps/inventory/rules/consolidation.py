"""Decides which rows can be merged, which row remains, and the value of each merged field."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Any, Final, Protocol

from apps.exchange.conditions import UNKNOWN_CONDITION

NOTHING: Final = Decimal(0)
PLACES: Final = Decimal("0.0001")
EXCLUDED: Final = "X"
GroupKey = tuple[Any, ...]


class Mode(StrEnum):
    """How a field of the merged row is set."""

    KEEP = "keep"  # the target's stays
    FILL = "fill"  # another's, where the target has none
    HIGHEST = "highest"
    AVERAGE = "average"  # weighted by quantity
    TEXT = "text"  # both texts, nothing said twice


class Target(StrEnum):
    """Which row of a group takes the others."""

    FULLEST = "fullest"  # most pieces
    MOST_FREE = "most_free"  # the location with the most room
    NEWEST = "newest"


#: The modes of each field; the first is the default.
MODES: Final[dict[str, tuple[Mode, ...]]] = {
    "price": (Mode.AVERAGE, Mode.HIGHEST, Mode.KEEP),
    "cost": (Mode.AVERAGE, Mode.HIGHEST, Mode.KEEP),
    "tiers": (Mode.AVERAGE, Mode.KEEP),
    "comments": (Mode.TEXT, Mode.FILL, Mode.KEEP),
    "remarks": (Mode.TEXT, Mode.FILL, Mode.KEEP),
    "bulk": (Mode.FILL, Mode.KEEP),
    "sale": (Mode.FILL, Mode.KEEP),
    "reserved": (Mode.FILL, Mode.KEEP),
    "retain": (Mode.FILL, Mode.KEEP),
    "stockroom": (Mode.KEEP, Mode.FILL),
}
DEFAULTS: Final[dict[str, Mode]] = {name: modes[0] for name, modes in MODES.items()}
#: The default value of each field, which counts as empty.
UNSAID: Final[dict[str, Any]] = {
    "bulk": 1,
    "sale": 0,
    "reserved": "",
    "retain": False,
    "stockroom": "",
    "comments": "",
    "remarks": "",
}
TIERS: Final = ("1", "2", "3")


class Alike(Protocol):
    """The fields in which rows that are merged are alike."""

    @property
    def lot_id(self) -> int | None: ...
    @property
    def condition(self) -> str: ...
    @property
    def sub_condition(self) -> str: ...
    @property
    def status(self) -> str: ...


class Row(Alike, Protocol):
    """The fields of a row of stock that the rules read."""

    pk: Any
    quantity: int
    location_id: int | None


def group_key(row: Alike, same: Mapping[int, int]) -> GroupKey | None:
    """Return the key that rows must share to be merged, None for a row without a catalogue lot or
    in a condition that was not understood.

    `same` are the keys of lots, as `same_lots` gives them. Included and extra rows can be merged with each other, excluded rows only with excluded ones.
    """
    if row.lot_id is None or row.condition == UNKNOWN_CONDITION:
        return None
    lot = same.get(row.lot_id, row.lot_id)
    return (lot, row.condition, row.sub_condition, row.status == EXCLUDED)


def groups_of(rows: Iterable[Any], same: Mapping[int, int]) -> list[list[Any]]:
    """Return the groups of two rows and more, each in order of id, in order of their lot."""
    found: dict[GroupKey, list[Any]] = {}
    for row in rows:
        key = group_key(row, same)
        if key is not None:
            found.setdefault(key, []).append(row)
    return [
        sorted(group, key=lambda row: row.pk)
        for _, group in sorted(found.items())
        if len(group) > 1
    ]


def target_of(
    group: Sequence[Any], *, wanted: Target, chosen: frozenset[int], free: Mapping[int, int | None]
) -> Any:
    """Return the row that takes the others: one that a person chose, else by the rule.

    `free` maps a location to how many pieces more it takes (None: without limit). Of two
    that are alike the older row wins; a row without a location comes last.
    """
    for row in group:
        if row.pk in chosen:
            return row

    def rank(row: Any) -> tuple[Any, ...]:
        if wanted is Target.MOST_FREE:
            if row.location_id is None:
                return (2, 0, row.pk)
            room = free.get(row.location_id)
            return (0, 0, row.pk) if room is None else (1, -room, row.pk)
        if wanted is Target.NEWEST:
            return (-row.created_at.timestamp(), -row.pk)
        return (-row.quantity, row.location_id is None, row.pk)

    return min(group, key=rank)


@dataclass(frozen=True, slots=True)
class Merged:
    """The fields of the target that change, and how many unpriced rows met priced ones."""

    changes: dict[str, Any]
    unpriced: int


def merged(
    target: Any,
    sources: Sequence[Any],
    *,
    modes: Mapping[str, Mode],
    count_unpriced: bool,
    says: Mapping[int, str],
) -> Merged:
    """Return the new fields of the target, merging one source after the other.

    Averages skip rows without a price, unless `count_unpriced` counts them as 0. Averages of the
    cost skip a cost of 0, which means unknown.
    `says` maps a row to its Remarks, adapted to the target's location.
    """
    modes = {**DEFAULTS, **modes}
    now = {name: getattr(target, name) for name in _COLUMNS}
    quantity = target.quantity
    unpriced = 0
    for source in sources:
        theirs = {name: getattr(source, name) for name in _COLUMNS}
        theirs["remarks"] = says.get(source.pk, theirs["remarks"])
        unpriced += (now["price"] is None) != (theirs["price"] is None)
        now["price"] = _amount(
            modes["price"], now["price"], quantity, theirs["price"], source.quantity, count_unpriced
        )
        cost = _amount(
            modes["cost"],
            now["cost"] or None,
            quantity,
            theirs["cost"] or None,
            source.quantity,
            count_unpriced,
        )
        now["cost"] = cost or NOTHING
        now |= _tiers(modes["tiers"], now, quantity, theirs, source.quantity)
        for name, unsaid in UNSAID.items():
            now[name] = _said(modes[name], now[name], theirs[name], unsaid)
        for name in ("date_added", "date_last_sold"):
            now[name] = now[name] or theirs[name]
        quantity += source.quantity
    return Merged(
        {name: value for name, value in now.items() if value != getattr(target, name)}, unpriced
    )


def average(mine: Decimal, my_quantity: int, theirs: Decimal, their_quantity: int) -> Decimal:
    """Return the mean weighted by quantity, the plain one where both are 0, to 4 places."""
    total = abs(my_quantity) + abs(their_quantity)
    if total == 0:
        exact = (mine + theirs) / 2
    else:
        exact = (mine * abs(my_quantity) + theirs * abs(their_quantity)) / total
    return exact.quantize(PLACES, ROUND_HALF_UP)


def joined(mine: str, theirs: str) -> str:
    """Return both texts joined, or only the longer one if it contains the other."""
    one, other = mine.strip(), theirs.strip()
    if not one or not other:
        return mine if one else theirs
    if f" {other} " in f" {one} ":
        return mine
    if f" {one} " in f" {other} ":
        return theirs
    return f"{one} {other}"


_COLUMNS: Final = (
    "price",
    "cost",
    *(f"{kind}{tier}" for tier in TIERS for kind in ("tq", "tp")),
    *UNSAID,
    "date_added",
    "date_last_sold",
)


def _amount(
    mode: Mode,
    mine: Decimal | None,
    my_quantity: int,
    theirs: Decimal | None,
    their_quantity: int,
    count_unpriced: bool,
) -> Decimal | None:
    """Return the merged amount, None if neither row has one."""
    if mode not in {Mode.HIGHEST, Mode.AVERAGE} or (theirs is None and mine is None):
        return mine
    if mode is Mode.HIGHEST or (not count_unpriced and (mine is None or theirs is None)):
        return max(amount for amount in (mine, theirs) if amount is not None)
    return average(mine or NOTHING, my_quantity, theirs or NOTHING, their_quantity)


def _tiers(
    mode: Mode, mine: Mapping[str, Any], my_quantity: int, theirs: Mapping[str, Any], count: int
) -> dict[str, Any]:
    """Average the tiers that begin at the same quantity; take another's where there is none."""
    if mode is not Mode.AVERAGE:
        return {}
    if not any(mine[f"tq{tier}"] for tier in TIERS):
        return {f"{kind}{tier}": theirs[f"{kind}{tier}"] for tier in TIERS for kind in ("tq", "tp")}
    return {
        f"tp{tier}": average(mine[f"tp{tier}"], my_quantity, theirs[f"tp{tier}"], count)
        for tier in TIERS
        if mine[f"tq{tier}"] and mine[f"tq{tier}"] == theirs[f"tq{tier}"]
    }


def _said(mode: Mode, mine: Any, theirs: Any, unsaid: object) -> Any:
    if mode is Mode.TEXT:
        return joined(mine, theirs)
    return theirs if mode is Mode.FILL and mine == unsaid else mine

"""Decides which lines are parts of a set, and reads set numbers of requests. Pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from apps.catalog.rules.kinds import ItemType

MOST_NUMBERS: Final = 100
_BETWEEN = re.compile(r"[\s,;]+")


class LineKind(StrEnum):
    """The kind of a line of an inventory. Only regular lines are required."""

    REGULAR = "regular"
    SPARE = "spare"
    ALTERNATE = "alternate"
    COUNTERPART = "counterpart"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a catalogue's inventory."""

    lot_id: int
    item_id: int
    item_type: str
    quantity: int
    is_spare: bool = False
    is_alternate: bool = False
    match_id: int = 0
    is_counterpart: bool = False

    @property
    def kind(self) -> LineKind:
        """Return the kind of the line. A counterpart, an assembly of other lines, comes first."""
        if self.is_counterpart:
            return LineKind.COUNTERPART
        if self.is_spare:
            return LineKind.SPARE
        return LineKind.ALTERNATE if self.is_alternate else LineKind.REGULAR


def numbers_in(text: str) -> list[str]:
    """Return the set numbers of a pasted text, in its order, repeated ones too."""
    return [number for number in _BETWEEN.split(text) if number]


def numbers_to_try(text: str) -> list[str]:
    """Return the set numbers that a typed number can mean: `10255` is `10255-1` first."""
    number = text.strip()
    return [number] if "-" in number else [f"{number}-1", number]


def scaled(required: Mapping[int, int], *, was: int, becomes: int) -> dict[int, int]:
    """Return the required pieces of each lot for another number of the same set."""
    return {lot_id: pieces // was * becomes for lot_id, pieces in required.items()}


@dataclass(frozen=True, slots=True)
class Figure:
    """A minifig's parts, where the catalogue lists them."""

    lot_id: int
    parts: tuple[tuple[int, int], ...]

    @property
    def pieces(self) -> int:
        return sum(pieces for _, pieces in self.parts) or 1


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a set is in stock."""

    required: int
    in_stock: int
    lots_missing: int


def coverage(
    needed: Iterable[tuple[int, int]],
    stock: Mapping[int, int],
    figures: Mapping[int, Figure],
) -> Coverage:
    """Return how much of the lots that a set needs is in stock.

    A minifig that is not there whole counts by its parts, where `figures` (by lot) knows
    them; else it is one piece. Parts used for one are not there for the other.
    """
    parts: dict[int, int] = {}
    required = in_stock = lots_missing = 0
    for lot_id, quantity in needed:
        figure = figures.get(lot_id)
        if figure is None or not figure.parts:
            parts[lot_id] = parts.get(lot_id, 0) + quantity
            continue
        required += quantity * figure.pieces
        whole = min(quantity, stock.get(lot_id, 0))
        in_stock += whole * figure.pieces
        for part_id, pieces in figure.parts:
            lacking = (quantity - whole) * pieces
            if lacking:
                parts[part_id] = parts.get(part_id, 0) + lacking
                required -= lacking
    for lot_id, quantity in parts.items():
        there = min(quantity, stock.get(lot_id, 0))
        required += quantity
        in_stock += there
        lots_missing += there < quantity
    return Coverage(required, in_stock, lots_missing)


def why_not_a_set(*, number: str, item_type: str, name: str) -> str:
    """Return why a number that belongs to another type of item cannot be added."""
    what = "a minifigure" if item_type == ItemType.MINIFIG else f"a {item_type.lower()}"
    return f"{number} is {what.replace('_', ' ')} ({name}), not a set."

"""The states of a batch and its items: their names and the steps they allow. Pure."""

from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Annotated

from apps.core.money import Total


class ItemState(StrEnum):
    """The life of a batch item. The states exclude each other; a listed one is stowed too."""

    NEW = "new"
    STOWED = "stowed"
    LISTED = "listed"


class BatchStatus(IntEnum):
    """How far a batch is. Archived is no status: an archived batch keeps the one it had."""

    NEW = 1
    IN_PROGRESS = 2
    STOWED = 3
    LISTED = 4
    EMPTY = 5


STATUS_NAMES = {
    BatchStatus.NEW: "New",
    BatchStatus.IN_PROGRESS: "In progress",
    BatchStatus.STOWED: "Stowed",
    BatchStatus.LISTED: "Listed",
    BatchStatus.EMPTY: "Empty",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums of a batch. Items are pieces, lots are rows; the three states add up to the total."""

    new_lots: int = 0
    stowed_lots: int = 0
    listed_lots: int = 0
    new_items: int = 0
    stowed_items: int = 0
    listed_items: int = 0
    total_value: Total = Decimal(0)
    lots_without_price: Annotated[int, "rows that are not in the value"] = 0

    @property
    def total_lots(self) -> int:
        return self.new_lots + self.stowed_lots + self.listed_lots

    @property
    def total_items(self) -> int:
        return self.new_items + self.stowed_items + self.listed_items

    @property
    def status(self) -> BatchStatus:
        return status_of(self.new_lots, self.stowed_lots, self.listed_lots)


def status_of(new_lots: int, stowed_lots: int, listed_lots: int) -> BatchStatus:
    """Return how far a batch with so many rows in each state is."""
    if not (new_lots or stowed_lots or listed_lots):
        return BatchStatus.EMPTY
    if not (stowed_lots or listed_lots):
        return BatchStatus.NEW
    if new_lots:
        return BatchStatus.IN_PROGRESS
    return BatchStatus.STOWED if stowed_lots else BatchStatus.LISTED


def state_of(*, is_stowed: bool, is_listed: bool) -> ItemState:
    """Return the state that an item's two flags mean."""
    if is_listed:
        return ItemState.LISTED
    return ItemState.STOWED if is_stowed else ItemState.NEW


def why_not_stow(*, is_stowed: bool, quantity: int, location: str) -> str | None:
    """Return why an item cannot be stowed, None when it can."""
    if is_stowed:
        return f"It is already stowed in {location}." if location else "It is already stowed."
    if quantity == 0:
        return "It has no pieces to stow."
    return None


def why_not_remove(
    *, is_listed: bool, is_listed_pending: bool = False, may_be_listed: bool = False
) -> str | None:
    """Return why an item cannot be removed, None when it can."""
    if is_listed_pending:
        return "It is being listed: wait for the end of it."
    if may_be_listed:
        return "It may be for sale already: list it again, which asks the store."
    if is_listed:
        return "It is listed: take the mark off first."
    return None


def why_not_mark_listed(*, is_stowed: bool, is_listed: bool, listed: bool) -> str | None:
    """Return why an item cannot be marked as listed (or, with `listed` False, unmarked)."""
    if listed and is_listed:
        return "It is already marked as listed."
    if listed and not is_stowed:
        return "It is not stowed yet."
    if not listed and not is_listed:
        return "It is not marked as listed."
    return None


def aisle_of(location: str) -> str:
    """Return the first part of a location's name: 'A' of 'A-01-3', 'Shelf 2' of 'Shelf 2/7'."""
    for place, sign in enumerate(location):
        if sign in "-/._:" and place:
            return location[:place].strip()
    return location

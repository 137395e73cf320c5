"""Decides the step that lists a row of stock or removes it from sale. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NO_PIECES: Final = "It has no pieces to list."
FOR_SALE: Final = "It is for sale already."
NOT_FOR_SALE: Final = "It is not for sale."
WITH_BATCH: Final = "Its pieces are being listed with their batch: wait for the end of it."
ARCHIVED: Final = "Its pieces are of an archived batch: restore that first."
MARKED: Final = (
    "It is marked as listed in a batch: Sync with the store finds its lot, or take the mark off."
)

THERE: Final = "The store has such a lot already ({lot_id}): Sync ties the two together."
MAYBE_THERE: Final = (
    "Lot {lot.lot_id} of the store may be this one already, and cannot be read: {lot.reason}"
)


class Step(StrEnum):
    """The step: list pieces (as a new lot or added to one), or move the lot."""

    PUT_UP = "put_up"
    MOVE = "move"


@dataclass(frozen=True, slots=True, kw_only=True)
class Have:
    """A row of stock: its lot in the store, and its pieces that are not for sale.

    `loose` pieces belong to no batch item. `waiting` pieces belong to batch items that can be
    listed with the row, `busy` and `archived` ones to batch items that cannot.
    """

    lot_id: int | None
    stockroom: str
    loose: int = 0
    waiting: int = 0
    busy: int = 0
    archived: int = 0
    is_marked: bool = False  # listed by hand: the store has it, in an unknown lot
    against: str = ""  # why the store may have it already, in a lot that no row here has


@dataclass(frozen=True, slots=True)
class Verdict:
    """The step, or the reason for the refusal."""

    step: Step | None
    reason: str = ""


def listing_of(have: Have, *, into: str | None) -> Verdict:
    """Return how a row comes to be for sale; `into` is a stockroom, "" none, None its own."""
    room = have.stockroom if into is None else into
    if have.lot_id is None:
        return _new_lot(have)
    if have.stockroom and room != have.stockroom:
        return Verdict(Step.MOVE)
    if have.waiting:
        return Verdict(Step.PUT_UP)
    if have.busy:
        return Verdict(None, WITH_BATCH)
    if have.stockroom:
        return Verdict(None, in_room_already(have.stockroom))
    return Verdict(None, FOR_SALE)


def unlisting_of(have: Have) -> Verdict:
    """Return the step that removes a row from sale: its whole lot moves into a stockroom."""
    if have.lot_id is None:
        return Verdict(None, NOT_FOR_SALE)
    if have.stockroom:
        return Verdict(None, in_room_already(have.stockroom))
    return Verdict(Step.MOVE)


def in_room_already(room: str) -> str:
    return f"It is in stockroom {room} already, where buyers do not see it."


def _new_lot(have: Have) -> Verdict:
    if have.is_marked:
        return Verdict(None, MARKED)
    if have.loose or have.waiting:
        return Verdict(None, have.against) if have.against else Verdict(Step.PUT_UP)
    if have.busy:
        return Verdict(None, WITH_BATCH)
    return Verdict(None, ARCHIVED if have.archived else NO_PIECES)

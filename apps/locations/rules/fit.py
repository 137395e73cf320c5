"""What fits into a location. Stow, move, import and recommendation all ask here."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final, Protocol

NOTHING: Final = Decimal(0)


class LimitKind(StrEnum):
    """The limit that a quantity would break."""

    IS_FULL = "is_full"
    MAX_ITEM_COUNT = "max_item_count"
    MAX_TOTAL_WEIGHT = "max_total_weight"
    MIN_ITEM_WEIGHT = "min_item_weight"
    MAX_ITEM_WEIGHT = "max_item_weight"


class Room(Protocol):
    """The fields of a location that the rules use; weights in grams, None is unlimited."""

    @property
    def name(self) -> str: ...

    @property
    def item_count(self) -> int: ...

    @property
    def stored_weight(self) -> Decimal: ...

    @property
    def max_item_count(self) -> int | None: ...

    @property
    def max_total_weight(self) -> Decimal | None: ...

    @property
    def min_item_weight(self) -> Decimal | None: ...

    @property
    def max_item_weight(self) -> Decimal | None: ...

    @property
    def is_full(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Reason:
    """One limit that would be broken: the room left, and the room needed."""

    limit: LimitKind
    room: Decimal
    wanted: Decimal

    @property
    def can_override(self) -> bool:
        """Whether a person may pass it with a reason: a location marked full is never overridden."""
        return self.limit is not LimitKind.IS_FULL

    def sentence(self, name: str) -> str:
        """Return the refusal in words."""
        room, wanted = plain(self.room), plain(self.wanted)
        match self.limit:
            case LimitKind.IS_FULL:
                return f"{name} is marked full."
            case LimitKind.MAX_ITEM_COUNT:
                pieces = "piece" if self.room == 1 else "pieces"
                return f"{name} takes {room} more {pieces}, not {wanted}."
            case LimitKind.MAX_TOTAL_WEIGHT:
                return f"{name} takes {room} g more, not {wanted} g."
            case LimitKind.MIN_ITEM_WEIGHT:
                return f"{name} takes pieces from {room} g; this one weighs {wanted} g."
            case LimitKind.MAX_ITEM_WEIGHT:
                return f"{name} takes pieces up to {room} g; this one weighs {wanted} g."


def why_no_room(room: Room, *, pieces: int, grams: Decimal) -> list[Reason]:
    """Return the limits of count and total weight that `pieces` more would break together."""
    reasons: list[Reason] = []
    if room.is_full:
        reasons.append(Reason(LimitKind.IS_FULL, NOTHING, Decimal(pieces)))
    left = available_item_count(room)
    if left is not None and pieces > left:
        reasons.append(Reason(LimitKind.MAX_ITEM_COUNT, Decimal(max(left, 0)), Decimal(pieces)))
    grams_left = available_weight(room)
    if grams_left is not None and grams > max(grams_left, NOTHING):
        reasons.append(Reason(LimitKind.MAX_TOTAL_WEIGHT, max(grams_left, NOTHING), grams))
    return reasons


def why_not_fit(room: Room, *, pieces: int, piece_grams: Decimal | None) -> list[Reason]:
    """Return every limit that `pieces` more would break; none means that they fit.

    An unknown weight (None) counts as 0 and passes the weight range.
    """
    reasons = why_no_room(room, pieces=pieces, grams=(piece_grams or NOTHING) * pieces)
    if piece_grams is None:
        return reasons
    if room.min_item_weight is not None and piece_grams < room.min_item_weight:
        reasons.append(Reason(LimitKind.MIN_ITEM_WEIGHT, room.min_item_weight, piece_grams))
    if room.max_item_weight is not None and piece_grams > room.max_item_weight:
        reasons.append(Reason(LimitKind.MAX_ITEM_WEIGHT, room.max_item_weight, piece_grams))
    return reasons


def available_item_count(room: Room) -> int | None:
    """Return how many pieces more it takes; negative where it is over, None where unlimited."""
    return None if room.max_item_count is None else room.max_item_count - room.item_count


def available_weight(room: Room) -> Decimal | None:
    """Return how many grams more it takes; negative where it is over, None where unlimited."""
    return None if room.max_total_weight is None else room.max_total_weight - room.stored_weight


def left_out(pieces: int) -> list[str]:
    """Return the message about pieces of unknown weight in a location, '' without any."""
    if not pieces:
        return []
    if pieces == 1:
        return ["1 piece in it has no known weight and is not counted as weight."]
    return [f"{pieces:,} pieces in it have no known weight and are not counted as weight."]


def plain(number: Decimal) -> str:
    """Return a number without trailing zeros or exponent: 12.5, 40."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

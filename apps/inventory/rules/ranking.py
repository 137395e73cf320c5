"""Where to put a lot: candidates in the order in which a person should hear of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from typing import Final

from apps.inventory.rules.recency import Recency
from apps.locations.rules.fit import plain, why_not_fit
from apps.locations.rules.sizes import keeps_colors_apart

MOST_ROOM: Final = 2**31  # no limit is more room than any


class Rank(IntEnum):
    """Best first (`product.md` 3.3, as far as it applies to stock alone)."""

    SAME_LOT = 1
    MIXED_CONDITION = 2
    LIVED_HERE = 3
    OTHER_COLOR = 4
    SAME_CATEGORY = 5
    EMPTY = 6
    CROWDED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A location, and how much of the lot, of its item and of its category it holds."""

    id: int
    name: str
    sort_key: str
    item_count: int
    stored_weight: Decimal
    max_item_count: int | None
    max_total_weight: Decimal | None
    min_item_weight: Decimal | None
    max_item_weight: Decimal | None
    is_full: bool
    is_excluded: bool
    #: Pieces in it that `stored_weight` leaves out.
    unknown_weight_count: int = 0
    #: The pieces that locations like it stay within. Advice: it is never a reason to refuse.
    learnt_limit: int | None = None
    same_condition: int = 0
    other_condition: int = 0
    lived_here: bool = False
    other_colors: int = 0
    size_class: str = ""
    has_category: bool = False
    type_suits: bool = False
    #: Something is on its way to it: of empty ones, those that are really free come first.
    is_planned: bool = False
    last_sold: Recency = "unknown"

    @property
    def room(self) -> int:
        """The pieces that it takes by its own limit, else by the learnt one."""
        return room_left(self.max_item_count, self.learnt_limit, self.item_count)


def room_left(own_limit: int | None, learnt_limit: int | None, pieces: int) -> int:
    """Return the pieces that a location with `pieces` takes; its own limit comes first."""
    limit = learnt_limit if own_limit is None else own_limit
    return MOST_ROOM if limit is None else limit - pieces


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate that takes the quantity, and why it is offered."""

    candidate: Candidate
    rank: Rank
    reason: str


def rank_destinations(
    candidates: Iterable[Candidate],
    *,
    quantity: int,
    piece_grams: Decimal | None,
    category: str = "",
    allow_mixed: bool = False,
    near: str = "",
    limit: int = 10,
) -> list[Ranked]:
    """Return the locations to offer, best first, without excluded, full or unfit ones.

    `allow_mixed` accepts locations that hold the lot in the other condition. `near` is the sort
    key of the previous choice: of equally good locations the nearest name comes first, for a
    short walk. Of the containers that hold the item in other colours, small ones are not offered
    and larger ones are; if the size is unknown, the colours are ignored. A location that would
    hold more than the learnt limit comes after the empty ones. Where the first one does not hold
    the lot, its reason names a location that does, and why that is passed over.
    """
    offered = []
    passed: dict[int, str] = {}
    for candidate in candidates:
        unfit = why_not_fit(candidate, pieces=quantity, piece_grams=piece_grams)
        rank = None if unfit else _rank(candidate, allow_mixed, quantity)
        if candidate.is_excluded:
            rank = None
        if rank is None and (held := candidate.same_condition or candidate.other_condition):
            why = "is left out of recommendations"
            if not candidate.is_excluded:
                why = unfit[0].sentence("").strip(" .") if unfit else "has the other condition"
            passed.setdefault(held, f"{candidate.name}, with {held} of this lot, {why}")
        if rank is not None:
            offered.append(Ranked(candidate, rank, _reason(candidate, rank, category)))
    offered.sort(key=lambda one: _order(one, near, quantity))
    if passed and offered and offered[0].rank > Rank.MIXED_CONDITION:
        first = offered[0]
        why = f"{first.reason}; {passed[max(passed)]}"
        offered[0] = Ranked(first.candidate, first.rank, why)
    return offered[:limit]


def _rank(candidate: Candidate, allow_mixed: bool, quantity: int) -> Rank | None:
    if candidate.same_condition:
        return Rank.SAME_LOT
    if candidate.other_condition:
        return Rank.MIXED_CONDITION if allow_mixed else None
    if candidate.lived_here:
        return Rank.LIVED_HERE
    if candidate.item_count == 0:
        return Rank.EMPTY
    if candidate.other_colors:
        apart = keeps_colors_apart(candidate.size_class, candidate.learnt_limit)
        if apart is not None:
            return None if apart else Rank.OTHER_COLOR
    if candidate.has_category:
        return Rank.SAME_CATEGORY if candidate.room >= quantity else Rank.CROWDED
    return None


def _order(one: Ranked, near: str, quantity: int) -> tuple[object, ...]:
    found = one.candidate
    prefer = 0
    if one.rank in (Rank.SAME_LOT, Rank.MIXED_CONDITION):
        prefer = -(found.same_condition or found.other_condition)  # most of the lot together
    elif one.rank is Rank.OTHER_COLOR:
        prefer = -found.other_colors
    elif one.rank in (Rank.SAME_CATEGORY, Rank.CROWDED):
        prefer = -found.room
    elif one.rank is Rank.EMPTY:
        prefer = 4 * found.is_planned + 2 * (found.room < quantity) + (not found.type_suits)
    is_behind = bool(near) and found.sort_key < near
    return (one.rank, prefer, is_behind, found.sort_key, found.id)


def _reason(candidate: Candidate, rank: Rank, category: str) -> str:
    match rank:
        case Rank.SAME_LOT:
            return f"same lot and condition: {candidate.same_condition} here{_fill(candidate)}"
        case Rank.MIXED_CONDITION:
            return f"same lot, other condition: {candidate.other_condition} here{_fill(candidate)}"
        case Rank.LIVED_HERE:
            sold = {
                "recent": ", sold recently",
                "moderate": ", sold a while ago",
                "old": ", sold long ago",
                "unknown": "",
            }[candidate.last_sold]
            return f"this lot was here before{sold}"
        case Rank.OTHER_COLOR:
            return f"same item, other colours: {candidate.other_colors} here{_fill(candidate)}"
        case Rank.SAME_CATEGORY:
            return f"same category ({category}), {_free(candidate)}"
        case Rank.EMPTY:
            return "empty"
        case Rank.CROWDED:
            return f"same category ({category}), fuller than most bins like it"


def _fill(candidate: Candidate) -> str:
    shares = []
    if candidate.max_item_count:
        shares.append(Decimal(candidate.item_count) / candidate.max_item_count)
    if candidate.max_total_weight:
        shares.append(candidate.stored_weight / candidate.max_total_weight)
    return f", {max(shares) * 100:.0f} % full" if shares else ""


def _free(candidate: Candidate) -> str:
    if candidate.max_item_count is not None:
        return f"room for {candidate.room} more"
    if candidate.max_total_weight is not None:
        room = plain(candidate.max_total_weight - candidate.stored_weight)
        left_out = candidate.unknown_weight_count
        pieces = f"{left_out} piece{'' if left_out == 1 else 's'}"
        return f"room for {room} g more" + (
            f", {pieces} in it without a weight" if left_out else ""
        )
    if candidate.learnt_limit is not None:
        return f"room for about {candidate.room} more, as in bins like it"
    return "no limit set"

"""A lot as it goes to a store and as it comes from there, in our words."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.exchange.bsx_lot import UNCOLORED_TYPES

Tiers = tuple[tuple[int, Decimal], tuple[int, Decimal], tuple[int, Decimal]]
#: Of a colour that was not understood: no colour of any catalogue, and never none.
UNKNOWN_COLOR: Final = -1
NO_TIERS: Tiers = ((0, Decimal()), (0, Decimal()), (0, Decimal()))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lot:
    """The common fields of a draft and a stored lot. `completeness` is C, I or M, of sets only."""

    item_type: str
    number: str
    color_id: int
    condition: str  # N or U; of a stored lot also ?
    quantity: int
    price: Decimal  # of one piece, in the account's currency
    completeness: str = ""
    comments: str = ""
    remarks: str = ""
    bulk: int = 1
    sale: int = 0
    cost: Decimal = Decimal()
    retain: bool = False
    stockroom: str = ""  # A, B or C: hidden from buyers
    tiers: Tiers = NO_TIERS


@dataclass(frozen=True, slots=True, kw_only=True)
class LotDraft(_Lot):
    """A lot to be put up for sale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LotChange:
    """A change to a lot in the store. Fields that are None stay as they are there.

    `comments` are always told: a change without them is refused. `delta` is added to what
    is there, so that what buyers take meanwhile stays taken; it must not be sent twice.
    """

    comments: str
    delta: int = 0
    price: Decimal | None = None
    remarks: str | None = None
    stockroom: str | None = None
    cost: Decimal | None = None
    bulk: int | None = None
    sale: int | None = None
    retain: bool | None = None
    tiers: Tiers | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLot(_Lot):
    """A lot as the store describes it, texts unescaped."""

    lot_id: int
    name: str = ""
    color_name: str = ""
    condition_text: str = ""  # of a condition that was not understood
    created_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class UnreadLot:
    """A lot of the store that cannot be read, with the reason. Nothing is done about it.

    `identity` is its item's type and number and its colour, None where these cannot be read.
    """

    lot_id: int
    remarks: str
    reason: str
    identity: tuple[str, str, int] | None = None

    @property
    def name(self) -> str:
        return f"Lot {self.lot_id}"


def known_identity(item_type: str, number: str, color_id: int) -> tuple[str, str, int] | None:
    """Return what identifies the item of a lot, None where a part of it was not understood."""
    is_known = item_type in LETTER_OF_TYPE and number and color_id != UNKNOWN_COLOR
    return (item_type, number, color_id) if is_known else None


def color_or_unknown(color_id: int | None, letter: str, name: str) -> int:
    """Return a colour; without one 0 for an item that never has any, else UNKNOWN_COLOR."""
    none = 0 if letter in UNCOLORED_TYPES and not name else UNKNOWN_COLOR
    return none if color_id is None else color_id

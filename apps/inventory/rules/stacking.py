"""Decides which quantities share a row, and sets Remarks to a row's location."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from apps.exchange.conditions import UNKNOWN_CONDITION

StackKey = tuple[Any, ...]


class Priced(Protocol):
    """A row that has a price, or None."""

    price: Decimal | None


T = TypeVar("T", bound=Priced)


class Stackable(Protocol):
    """The fields of a row that the rule reads."""

    lot_id: int | None
    raw_item_type: str
    raw_item_number: str
    raw_item_name: str
    raw_color_id: int | None
    raw_color_name: str
    condition: str
    condition_text: str
    sub_condition: str
    price: Decimal | None
    stockroom: str
    marketplace_lot_id: int | None
    remarks: str


#: What stands in a raw identity for the number of an item that has neither number nor name.
NAMELESS: Final = ("", "")


def raw_identity(
    kind: str, number: str, name: str, color_id: int | None, color_name: str
) -> tuple[Any, ...]:
    """Return what a file says of a lot that the catalogue does not know.

    A colour without a number is told by its name, and so is an item.
    """
    return (kind, number or ("", name), color_name if color_id is None else color_id)


def condition_key(condition: str, text: str) -> str:
    """Return what lots must share in their condition: of one not understood, its text too."""
    return condition + text if condition == UNKNOWN_CONDITION else condition


def as_it_came(row: Stackable, place: str) -> list[Any]:
    """Return the values of a row in its file, and the name of its location.

    Of a lot that the catalogue knows, only the condition is kept.
    """
    said = None if row.lot_id is not None else _said(row)
    return [said, condition_key(row.condition, row.condition_text), place]


def _said(row: Stackable) -> tuple[Any, ...]:
    return raw_identity(
        row.raw_item_type,
        row.raw_item_number,
        row.raw_item_name,
        row.raw_color_id,
        row.raw_color_name,
    )


class Came(NamedTuple):
    """The values of a row in its file, where a person has chosen others since."""

    #: None: its lot, which the catalogue knows.
    identity: tuple[Any, ...] | None
    condition: str
    location: str


def came_as(kept: Sequence[Any] | None) -> Came | None:
    """Return `as_it_came` from its form in the database."""
    if kept is None:
        return None
    said, condition, place = kept
    lists = () if said is None else said
    identity = tuple(tuple(one) if isinstance(one, list) else one for one in lists) or None
    return Came(identity, condition, place)


def stack_key(row: Stackable, *, same: Mapping[int, int], remarks: str | None = None) -> StackKey:
    """Return the key that two quantities in one location must share, beside the price, to be added.

    The key of an incomplete lot holds the identity that its file names. A lot in a condition
    that was not understood shares its key with none, nor does an item without a number or a part
    whose colour is not said.
    `same` are the keys of lots, as `same_lots` gives them.
    """
    identity = _said(row) if row.lot_id is None else (same.get(row.lot_id, row.lot_id),)
    says_no_color = row.raw_color_id is None and not row.raw_color_name
    is_custom = row.lot_id is None and (
        not row.raw_item_number or (says_no_color and row.raw_item_type == "P")
    )
    is_alone = is_custom or row.condition == UNKNOWN_CONDITION
    return (
        *identity,
        id(row) if is_alone else row.condition,
        row.sub_condition,
        row.stockroom,
        row.marketplace_lot_id,
        row.remarks if remarks is None else remarks,
    )


def unlisted_key(row: Stackable, *, same: Mapping[int, int]) -> StackKey:
    """Return the key of quantities that match the row but are not for sale yet.

    Pieces that a batch brings join the lot that is for sale: listing tops it up with them.
    """
    key = stack_key(row, same=same)
    return (*key[:-2], None, key[-1])


class Stacks(Generic[T]):
    """Rows by their keys. Finds the row to which a quantity is added.

    The prices must be equal too. A quantity without a price is added to a row of any price, and a
    row without a price accepts any quantity and takes over its price.
    """

    def __init__(self) -> None:
        self._rows: defaultdict[StackKey, list[T]] = defaultdict(list)

    def add(self, key: StackKey, row: T) -> None:
        """Take a row; of several that would do, the one that came first is found."""
        self._rows[key].append(row)

    def find(self, key: StackKey, price: Decimal | None) -> T | None:
        """Return the row at this price, else one where either has none, else None."""
        rows = self._rows.get(key, [])
        same = (row for row in rows if row.price == price)
        either = (row for row in rows if price is None or row.price is None)
        return next(same, None) or next(either, None)


def remarks_in(remarks: str, *, was: str, becomes: str) -> str:
    """Return the Remarks of a row that moves to the location `becomes`.

    Remarks that are empty or name the former location (`was`) name the new one: sellers write the
    bin there, and the next sync would move the row back. Other text is kept.
    """
    text = " ".join(remarks.split())
    return becomes if text in {"", " ".join(was.split())} else remarks

"""Which two quantities are one row, and what Remarks say of a row's location."""

from typing import Any, Protocol

StackKey = tuple[Any, ...]


class Stackable(Protocol):
    """What the rule reads of a row with lot fields."""

    lot_id: int | None
    raw_item_type: str
    raw_item_number: str
    raw_color_id: int | None
    condition: str
    sub_condition: str
    price: Any
    stockroom: str
    marketplace_lot_id: int | None
    remarks: str


def stack_key(row: Stackable, *, remarks: str | None = None) -> StackKey:
    """Return what two rows in one location must agree in to be topped up instead of made anew.

    An incomplete lot agrees by the identity of its file.
    """
    identity: tuple[Any, ...] = (
        (row.lot_id,)
        if row.lot_id is not None
        else (row.raw_item_type, row.raw_item_number, row.raw_color_id)
    )
    return (
        *identity,
        row.condition,
        row.sub_condition,
        row.price,
        row.stockroom,
        row.marketplace_lot_id,
        row.remarks if remarks is None else remarks,
    )


def unlisted_key(row: Stackable) -> StackKey:
    """Return the key of what agrees with the row but is not for sale yet.

    Pieces that a batch brings join the lot that is for sale: listing tops it up with them.
    """
    key = stack_key(row)
    return (*key[:-2], None, key[-1])


def remarks_in(remarks: str, *, was: str, becomes: str) -> str:
    """Return the Remarks of a row that comes to the location `becomes`.

    Remarks that named the location it was in (`was`), or nothing, name the new one: sellers
    keep the bin there, and the next sync would carry the row back. Other text stays.
    """
    text = " ".join(remarks.split())
    return becomes if text in {"", " ".join(was.split())} else remarks

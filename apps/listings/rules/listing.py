"""Decides which lots can be listed, and makes the mark that identifies a listed lot. Pure."""

from decimal import Decimal
from typing import Final, Protocol

from apps.exchange.conditions import UNKNOWN_CONDITION, why_no_condition
from apps.locations.rules.remarks import MARK_LENGTH, MARK_LETTERS, mark_of, without_mark

__all__ = ["MARK_LENGTH", "MARK_LETTERS", "mark_of", "marked", "why_not_list", "without_mark"]
# The marketplace documents no limit; it cuts or refuses longer texts.
LONGEST_TEXT: Final = 255
NO_PIECES: Final = "It has no pieces to list."
# From here on colours are not the marketplace's.
FOREIGN_COLORS: Final = 10_000


class Listable(Protocol):
    """The fields of a row of stock that the rule reads."""

    condition: str
    condition_text: str
    sub_condition: str
    price: Decimal | None
    sale: int
    comments: str
    remarks: str
    reserved: str
    status: str
    quantity: int


def marked(remarks: str, mark: str) -> str:
    """Return remarks that end with the mark, in place of an earlier one."""
    return f"{without_mark(remarks)} {mark}".strip()


def why_not_list(
    row: Listable, *, item_type: str, number: str, color_id: int, wanted: int
) -> str | None:
    """Return why `wanted` pieces of a row cannot be listed, None when they can."""
    if wanted < 1:
        return NO_PIECES
    if row.quantity < wanted:
        return f"Only {row.quantity} of its {wanted} pieces are in stock."
    if row.condition == UNKNOWN_CONDITION:
        return why_no_condition(row.condition_text)
    if row.price is None:
        return "It has no price: the marketplace takes none without one."
    if row.price <= 0:
        return "Its price is 0: the marketplace takes more than 0 only."
    if color_id >= FOREIGN_COLORS:
        return "The marketplace has no such colour: choose one of its own."
    if not number:
        return "It has no item number."
    if item_type == "SET" and row.sub_condition not in {"C", "I", "M"}:
        return "Say first whether the set is complete, incomplete or sealed."
    if row.status == "X":
        return "It is excluded from uploads (status X)."
    if row.reserved:
        return f"It is reserved for {row.reserved}: the marketplace would offer it to everybody."
    if not 0 <= row.sale < 100:
        return "Its sale must be from 0 to 99 percent."
    if len(row.comments) > LONGEST_TEXT:
        return f"Its comments are longer than {LONGEST_TEXT} characters."
    if len(row.remarks) > LONGEST_TEXT - MARK_LENGTH - 3:
        return f"Its remarks are longer than {LONGEST_TEXT - MARK_LENGTH - 3} characters."
    return None

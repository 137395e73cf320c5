"""From a BSX lot to our columns."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final, Protocol

import orjson

from apps.exchange.bsx_carried import carried_of
from apps.exchange.bsx_lot import (
    AMOUNT_FIELDS,
    BsxLot,
    BsxWarning,
    WarningCode,
)
from apps.exchange.bsx_tags_out import exact_money_text
from apps.exchange.item_types import ITEM_TYPE_NAMES
from apps.exchange.lot_warnings import lot_warning
from apps.inventory.rules.file_columns import NO_EXTRA
from apps.locations.rules.remarks import without_mark

MONEY_TAGS: Final = frozenset({"Price", "Cost", "TP1", "TP2", "TP3"})
LARGEST_AMOUNT: Final = Decimal("99999999.9999")
ZERO: Final = "0.0000"
NOTHING: Final = Decimal(0)
LARGEST_LOT_ID: Final = 2**63 - 1


class ColorNames(Protocol):
    """Returns the names of colours."""

    def of_color(self, color_id: int) -> str: ...


def refusal_of(lot: BsxLot, *, rate: Decimal | None = None, is_part: bool = False) -> str:
    """Return why this lot cannot be imported into stock, '' if it can.

    In a file with only some fields (`is_part`), a LotID is enough to identify the lot.
    """
    if lot.quantity < 0 and not lot.is_change:
        return f"Qty is {lot.quantity}; expected 0 or more."
    price = lot.price or NOTHING
    if price < 0:
        return f"Price is {price}; expected 0 or more."
    if lot.warnings and (unreadable := lot.unreadable):
        return unreadable.fault
    if lot.marketplace_lot_id is not None and lot.marketplace_lot_id > LARGEST_LOT_ID:
        return f"LotID is {lot.marketplace_lot_id}; expected at most {LARGEST_LOT_ID}."
    is_named = lot.item_number or lot.item_name or lot.remarks or lot.comments
    if not is_named and not (is_part and lot.marketplace_lot_id):
        return "ItemID, ItemName, Remarks and Comments are empty; expected one that names the lot."
    if rate is None and max(price, lot.cost, lot.tp1, lot.tp2, lot.tp3) <= LARGEST_AMOUNT:
        return ""
    for tag, amount in _amounts(lot):
        if abs(amount * (rate or 1)) > LARGEST_AMOUNT:
            times = "" if rate is None else f" × {rate}"
            return f"{tag} is {amount}{times}; expected at most {LARGEST_AMOUNT}."
    return ""


def plain_values(lot: BsxLot, *, rate: Decimal | None = None) -> tuple[Any, ...]:
    """Return the values of FILE_COLUMNS as text, numbers, booleans and None.

    They go into the database, into JSON and into comparisons as they are. `rate` turns the
    amounts into the store's currency.
    """
    letter = lot.item_type
    grams = lot.unit_weight_grams
    extra = NO_EXTRA
    if not _is_plain(lot, letter) and (carried := carried_of(lot)):
        if rate is not None and "base" in carried:
            carried["base"] = [_converted(name, text, rate) for name, text in carried["base"]]
        extra = orjson.dumps(carried, option=orjson.OPT_SORT_KEYS).decode()
    return (
        letter,
        lot.item_number,
        lot.item_name,
        lot.color_id,
        lot.color_name,
        lot.category_id,
        lot.category_name,
        lot.condition,
        lot.sub_condition,
        amount_text(lot.price, rate) if lot.price else None,
        amount_text(lot.cost, rate),
        lot.bulk,
        lot.sale,
        lot.comments,
        without_mark(lot.remarks),
        lot.reserved,
        lot.marketplace_lot_id,
        lot.tq1,
        amount_text(lot.tp1, rate),
        lot.tq2,
        amount_text(lot.tp2, rate),
        lot.tq3,
        amount_text(lot.tp3, rate),
        lot.retain,
        lot.stockroom,
        lot.status,
        None if grams is None else f"{grams:.4f}",
        lot.marker_text,
        lot.marker_color,
        lot.date_added and str(lot.date_added.replace(tzinfo=None)),
        lot.date_last_sold and str(lot.date_last_sold.replace(tzinfo=None)),
        extra,
        lot.condition_text,
    )


def stored(lot: BsxLot, *, rate: Decimal | None = None) -> BsxLot:
    """Return the lot with its amounts as the columns hold them, and Remarks without a mark."""
    amounts: dict[str, Any] = {
        name: Decimal(amount_text(amount, rate))
        for name in AMOUNT_FIELDS
        if (amount := getattr(lot, name))
    }
    return replace(lot, remarks=without_mark(lot.remarks), **amounts)


def amount_text(amount: Decimal, rate: Decimal | None = None) -> str:
    """Return an amount with four places, half to even."""
    if not amount:
        return ZERO
    text = str(amount if rate is None else amount * rate)
    # Nearly all have three places: to append a digit takes a third of formatting.
    if text[-4:-3] == "." and "E" not in text:
        return text + "0"
    return f"{Decimal(text):.4f}"


def named(lot: BsxLot, names: ColorNames) -> BsxLot:
    """Return the lot with the name of its colour, where the file gives the number only."""
    if lot.color_name or lot.color_id is None:
        return lot
    color_name = names.of_color(lot.color_id)
    return replace(lot, color_name=color_name) if color_name else lot


_COLUMN_OF: Final = {
    "item_type_id": "raw_item_type",
    "item_type_name": "raw_item_type",
    "item_number": "raw_item_number",
    "item_name": "raw_item_name",
    "color_id": "raw_color_id",
    "color_name": "raw_color_name",
    "category_id": "raw_category_id",
    "category_name": "raw_category_name",
    "total_weight_grams": "unit_weight_grams",
    "place": "remarks",
}


def given_by(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that these fields of a lot fill, and `quantity`."""
    given = {_COLUMN_OF.get(name, name) for name in names}
    return tuple(given | {"condition_text"} if "condition" in given else given)


def warnings_of(lot: BsxLot) -> tuple[BsxWarning, ...]:
    """Return the warnings of an imported lot: values that are missing or were read differently."""
    if lot.states_condition:
        return lot.warnings
    unsaid = lot_warning(
        WarningCode.MISSING,
        "Condition",
        "",
        "N or U",
        outcome="taken as N, for new",
        line=lot.line,
        index=lot.index,
    )
    return (*lot.warnings, unsaid)


def _is_plain(lot: BsxLot, letter: str) -> bool:
    """Whether all values of the lot have columns. Most lots do, and skip the slower check."""
    return (
        not (lot.base or lot.extra or lot.attributes)
        and lot.total_weight_grams is None
        and lot.states_condition
        and lot.item_type_id == letter
        and lot.item_type_name == ITEM_TYPE_NAMES.get(letter)
    )


def _amounts(lot: BsxLot) -> tuple[tuple[str, Decimal], ...]:
    return (
        ("Price", lot.price or NOTHING),
        ("Cost", lot.cost),
        ("TP1", lot.tp1),
        ("TP2", lot.tp2),
        ("TP3", lot.tp3),
    )


def _converted(name: str, text: str, rate: Decimal) -> list[str]:
    """Return a base value in the store's currency. Values other than amounts are not changed."""
    if name not in MONEY_TAGS:
        return [name, text]
    try:
        return [name, exact_money_text(Decimal(text) * rate)]
    except InvalidOperation:
        return [name, text]

"""Base values: a lot as it was when downloaded, stored as the fields that differ since then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from apps.exchange.bsx_lot import NO_ID, BsxLot
from apps.exchange.bsx_tags_out import exact_money_text, instant_text, weight_text
from apps.exchange.bsx_values import BASE_TAGS, TAGS
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.exchange.item_types import ITEM_TYPE_NAMES

#: Omitted from the base where it is the default there, so that no base names "no item".
_IDENTITY: Final = {"ItemID": "", "ItemTypeID": "", "ColorID": "0"}
_NONE_IS_N: Final = frozenset({"SubCondition", "Stockroom"})


def base_of(lot: BsxLot) -> BsxLot:
    """Return the lot as it was: base values applied through the readers of the tags.

    Texts that cannot be read leave the present value.
    """
    changes: dict[str, Any] = {"base": ()}
    for tag, text in lot.base:
        if tag not in BASE_TAGS:
            continue
        name, read = TAGS[tag]
        value, finding = read(text)
        if finding is None or value not in (getattr(BsxLot, name), UNKNOWN_CONDITION):
            changes[name] = value
    if "item_type_id" in changes:
        changes["item_type_name"] = ITEM_TYPE_NAMES.get(changes["item_type_id"], "")
    return replace(lot, **changes)


def differences(lot: BsxLot, base: BsxLot) -> tuple[tuple[str, str], ...]:
    """Return for `BsxLot.base` the texts of `base` where they differ from those of `lot`."""
    found = []
    for tag in BASE_TAGS:
        if tag == "TotalWeight" and lot.total_weight_grams is None:
            continue
        text = tag_text(tag, base)
        if text != tag_text(tag, lot) and text != _IDENTITY.get(tag):
            found.append((tag, text))
    return tuple(found)


def based_on(lot: BsxLot, received: Mapping[str, Any]) -> BsxLot:
    """Return the lot with `received` as its base values.

    Those of its file stay for other fields, and unchanged in spelling if the value is the same.
    """
    was = base_of(lot) if lot.base else lot
    if all(getattr(was, name) == value for name, value in received.items()):
        return lot
    foreign = tuple((tag, text) for tag, text in lot.base if tag not in BASE_TAGS)
    base = replace(was, base=(), **received)
    return replace(lot, base=differences(replace(lot, base=()), base) + foreign)


def tag_text(tag: str, lot: BsxLot) -> str:
    """Return a field of a lot as the text that the reader of its tag reads back."""
    value = getattr(lot, TAGS[tag][0])
    if tag in {"DateAdded", "DateLastSold"}:
        return "" if value is None else instant_text(value)
    if tag == "TotalWeight":
        return weight_text(value or Decimal(0))
    if tag == "Price" or isinstance(value, Decimal):
        return exact_money_text(value or Decimal(0))
    if isinstance(value, bool):
        return "Y" if value else "N"
    if tag == "ColorID":
        return str(NO_ID if value is None else value)
    if tag == "LotID":
        return str(value or 0)
    return "N" if value == "" and tag in _NONE_IS_N else str(value)

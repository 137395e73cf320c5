"""The parts of a BSX lot beyond its fields, as JSON: stored in a column until export."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from apps.exchange.bsx_lot import BsxLot, ExtraTag, LotValues, TagAttribute
from apps.exchange.item_types import ITEM_TYPE_NAMES

Carried = dict[str, Any]

_WEIGHT_STEP: Final = Decimal("0.0001")
#: What a file calls the type of its item: of no other item.
TYPE_TEXTS: Final = frozenset({"item_type_id", "item_type_name"})


def carried_of(lot: BsxLot) -> Carried:
    """Return base values, foreign tags and attributes, and texts that no column holds exactly.

    Empty for the lots of most files. The letter of the type, the fields and the weight of one piece
    are taken to have columns.
    """
    carried: Carried = {}
    if lot.base:
        carried["base"] = [list(entry) for entry in lot.base]
    if lot.extra:
        carried["extra"] = [list(entry) for entry in lot.extra]
    if lot.attributes:
        carried["attributes"] = [list(entry) for entry in lot.attributes]
    if not lot.states_condition:
        carried["no_condition"] = True
    letter = lot.item_type
    # The value missing in the file follows from the other one.
    if lot.item_type_id not in {letter, ""}:
        carried["item_type_id"] = lot.item_type_id
    if lot.item_type_name not in {ITEM_TYPE_NAMES.get(letter, ""), ""}:
        carried["item_type_name"] = lot.item_type_name
    unit = lot.unit_weight_grams
    if unit is not None:
        pieces = abs(lot.quantity) or 1
        if unit.quantize(_WEIGHT_STEP) * pieces != lot.total_weight_grams:
            carried["total_weight_grams"] = str(lot.total_weight_grams)
            carried["weighed_quantity"] = lot.quantity
    return carried


def without_type(carried: Mapping[str, Any]) -> Carried:
    """Return what `carried_of` put aside that is true of another item too."""
    return {name: value for name, value in carried.items() if name not in TYPE_TEXTS}


def carried_values(carried: Mapping[str, Any], *, quantity: int, condition: str = "N") -> LotValues:
    """Return the fields of a lot that `carried_of` put aside.

    The weight of the whole counts only while the quantity is what it was weighed with, and that
    the condition was not said only while it is new.
    """
    values: LotValues = {}
    if "base" in carried:
        values["base"] = tuple((name, text) for name, text in carried["base"])
    if "extra" in carried:
        values["extra"] = tuple(ExtraTag(*entry) for entry in carried["extra"])
    if "attributes" in carried:
        values["attributes"] = tuple(TagAttribute(*entry) for entry in carried["attributes"])
    if "no_condition" in carried and condition == "N":
        values["states_condition"] = False
    if carried.get("item_type_id"):
        values["item_type_id"] = carried["item_type_id"]
    if carried.get("item_type_name"):
        values["item_type_name"] = carried["item_type_name"]
    if "total_weight_grams" in carried and carried.get("weighed_quantity") == quantity:
        values["total_weight_grams"] = Decimal(carried["total_weight_grams"])
    return values

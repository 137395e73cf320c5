"""What a preview asks a person, and what it only tells."""

from typing import Final

from apps.exchange.table_columns import NAMING_FIELDS
from apps.inventory.models import InventorySync
from apps.inventory.rules.sync_plan import CREATED, OF_UNKNOWN

#: What needs no look before it is applied.
_INFORMS: Final = ("currency_adopted", "missing_currency")
#: What is answered by saying how the file is to be read.
_ASKS: Final = frozenset({"whose_numbers", "no_item_column"})


def has_question(sync: InventorySync) -> bool:
    """Whether the preview of a batch asks something that was not decided.

    One that would make no item asks how its file is to be read.
    """
    codes = {one["code"] for one in sync.warnings}
    asks_currency = "currency_differs" in codes and not sync.options.get("currency_action")
    asks_several = "several_locations" in codes and not sync.options.get("is_several_decided")
    return asks_currency or asks_several or not makes_items(sync) or bool(codes & _ASKS)


def makes_items(sync: InventorySync) -> bool:
    """Whether the preview of a batch has a lot that becomes an item."""
    return any(sync.counts.get(name) for name in (CREATED, OF_UNKNOWN[CREATED]))


def why_no_items(sync: InventorySync) -> str:
    """Return what is missing in a file of which no lot becomes an item."""
    columns = (sync.reading.get("table") or {}).get("columns")
    if columns is None:
        return "each of them was refused"
    missing = [
        what
        for what, names in (("the item", NAMING_FIELDS), ("the quantity", {"quantity"}))
        if not names.intersection(columns)
    ]
    return f"no column holds {' or '.join(missing)}" if missing else "each of them was refused"


def has_warning(sync: InventorySync) -> bool:
    """Whether something was read otherwise than it was written, or not at all."""
    asked = {"several_locations"} if sync.options.get("is_several_decided") else set[str]()
    told = {one["code"] for one in sync.warnings} - asked - set(_INFORMS)
    return bool(
        told or any(sync.counts.get(name) for name in ("warnings", "unreadable", "left_out_names"))
    )

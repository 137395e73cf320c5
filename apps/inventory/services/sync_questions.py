"""What a preview asks a person, and what it only tells."""

from typing import Final

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
    makes_none = not any(sync.counts.get(name) for name in (CREATED, OF_UNKNOWN[CREATED]))
    return asks_currency or asks_several or makes_none or bool(codes & _ASKS)


def has_warning(sync: InventorySync) -> bool:
    """Whether something was read otherwise than it was written, or not at all."""
    asked = {"several_locations"} if sync.options.get("is_several_decided") else set[str]()
    told = {one["code"] for one in sync.warnings} - asked - set(_INFORMS)
    return bool(
        told or any(sync.counts.get(name) for name in ("warnings", "unreadable", "left_out_names"))
    )

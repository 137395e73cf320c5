"""What an edit of a stowed item means for its stock."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from apps.batches.models import BatchItem
from apps.core.errors import DomainError, ErrorCode
from apps.inventory.models import LOT_COLUMNS, CauseKind, InventoryItem, Reason
from apps.inventory.services import items as stock_items
from apps.inventory.services.stow import StowLine, TakeLine, adjust_quantity, stow_into, take_out

# Two quantities of a lot that differ in one of these are two rows of stock.
APART: Final = frozenset(
    {
        "lot_id",
        "raw_item_type",
        "raw_item_number",
        "raw_color_id",
        "condition",
        "sub_condition",
        "price",
        "stockroom",
        "remarks",
        "location_id",
    }
)


class StockRowGone(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "The stock row of this item was deleted, so its stock cannot follow."


def carry_to_stock(
    *,
    item: BatchItem,
    changed: Mapping[str, Any],
    by: Any,
    now: dt.datetime,
    override_reason: str = "",
) -> dict[str, Any]:
    """Let the stock of a stowed item follow `changed`; return what else the item becomes.

    A stock row that holds this item's pieces only is edited where it is. One that holds
    others' too keeps them: the pieces go to another row. Raises StockRowGone, LocationFull,
    NotEnoughInStock.
    """
    stock = _stock_row(item)
    had, has = item.quantity, changed.get("quantity", item.quantity)
    fields = {name: value for name, value in changed.items() if name in _CARRIED}
    is_shared = _is_shared(item, stock)
    if is_shared and APART & fields.keys():
        return _put_apart(item, stock, changed, by, now, override_reason)
    adjust_quantity(
        owner=item.owner,
        item_id=stock.pk,
        delta=has - had,
        by=by,
        now=now,
        reason=Reason.STOW if has > had else Reason.REMOVE,
        cause_kind=CauseKind.BATCH_ITEM,
        cause_id=item.pk,
        override_reason=override_reason,
    )
    if fields and not is_shared:
        stock_items.edit_item(
            item=stock, changes=fields, by=by, now=now, override_reason=override_reason
        )
    return {}


def take_back(*, item: BatchItem, by: Any, now: dt.datetime) -> None:
    """Take a stowed item's pieces out of stock. Raises StockRowGone, NotEnoughInStock."""
    if item.quantity == 0:
        return
    take_out(
        owner=item.owner,
        lines=[TakeLine(item_id=_stock_row(item).pk, quantity=item.quantity, cause_id=item.pk)],
        by=by,
        now=now,
        all_or_nothing=True,
    )


_CARRIED: Final = frozenset(LOT_COLUMNS) | {"location_id"}


def _put_apart(
    item: BatchItem,
    stock: InventoryItem,
    changed: Mapping[str, Any],
    by: Any,
    now: dt.datetime,
    override_reason: str,
) -> dict[str, Any]:
    take_back(item=item, by=by, now=now)
    for name, value in changed.items():
        setattr(item, name, value)
    location_id = changed.get("location_id", stock.location_id) or item.location_id
    if item.quantity == 0 or location_id is None:
        return {}
    result = stow_into(
        owner=item.owner,
        lines=[
            StowLine(fields=item, location_id=location_id, quantity=item.quantity, cause_id=item.pk)
        ],
        by=by,
        now=now,
        override_reason=override_reason,
        all_or_nothing=True,
    )
    return {"inventory_item_id": result.stowed[0].item_id, "location_id": location_id}


def _stock_row(item: BatchItem) -> InventoryItem:
    stock: InventoryItem | None = (
        InventoryItem.objects.owned_by(item.owner).filter(pk=item.inventory_item_id).first()
        if item.inventory_item_id is not None
        else None
    )
    if stock is None:
        raise StockRowGone
    return stock


def _is_shared(item: BatchItem, stock: InventoryItem) -> bool:
    """Whether the row holds pieces that did not come from this item."""
    return (
        stock.quantity != item.quantity
        or BatchItem.objects.filter(inventory_item_id=stock.pk, is_stowed=True)
        .exclude(pk=item.pk)
        .exists()
    )

"""Validates changes of a batch's items and maps them to columns."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from django.db.models import Q, QuerySet

from apps.batches.models import BatchItem
from apps.batches.services._references import (
    Changes,
    References,
    merged_identity,
    refusal_of,
)
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.core.errors import StateConflict, UnknownReference, ValueRefused
from apps.exchange.bsx_carried import without_type
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.lots.models import LOT_COLUMNS

MAX_PIECES: Final = 9_999_999
# The fields of an item that a person can write, beside its identity.
PLAIN: Final = (
    frozenset(LOT_COLUMNS)
    - {"lot_id", "marketplace_lot_id", "date_added", "date_last_sold", "extra"}
    - {name for name in LOT_COLUMNS if name.startswith("raw_")}
) | {"quantity", "location_id"}


# The fields that must be equal to add pieces to a new item, beside lot, price and location.
_AGREE: Final = (
    "batch_id",
    "raw_item_type",
    "raw_item_number",
    "raw_color_id",
    "condition",
    "sub_condition",
    "stockroom",
)


class StockToo(StrEnum):
    """Whether the stock of a deleted stowed item is removed or kept."""

    ASK = ""
    OUT = "out"
    KEEP = "keep"


class ItemIsStowed(StateConflict):
    message = "This item is stowed. Say whether its pieces come out of stock too."


class ItemIsListed(StateConflict):
    message = "This item is marked as listed. Take the mark off first."


class ItemIsBeingListed(StateConflict):
    message = "This item is being listed. Wait for the end of it."


class ItemMayBeListed(StateConflict):
    """The outcome of the item's listing is unknown. The item is kept until it is known."""

    message = (
        "This item may be for sale already: the marketplace did not answer. List it again, "
        "which asks the store."
    )


def check_deletable(item: BatchItem, stock: StockToo, *, may_be_listed: bool) -> None:
    """Raise why an item cannot be deleted like this, if it cannot."""
    if item.is_listed_pending:
        raise ItemIsBeingListed
    if may_be_listed:
        raise ItemMayBeListed
    if item.is_listed:
        raise ItemIsListed
    if item.is_stowed and stock is StockToo.ASK:
        raise ItemIsStowed(fields={"stock": ["must be out or keep"]})


def columns_of_draft(draft: Changes, references: References) -> dict[str, Any]:
    """Return the columns of a new item. Raises Invalid."""
    problems = references.problems_of(draft)
    if not (draft.get("lot_id") is not None or draft.get("item_number") or draft.get("item_name")):
        problems["lot_id"] = ["is required, or item_type, item_number and color_id"]
    if problems:
        raise refusal_of(problems)
    return {"quantity": 1} | _columns(draft) | references.identity_of(draft)


def changed_columns(item: BatchItem, changes: Changes, references: References) -> dict[str, Any]:
    """Return the columns that `changes`, completed, make different. Raises Invalid."""
    problems = references.problems_of(changes)
    if "batch_id" in changes and changes["batch_id"] != item.batch_id:
        problems["batch_id"] = ["cannot be changed"]
    if item.is_stowed and "location_id" in changes and changes["location_id"] is None:
        problems["user_inventory_item_location_id"] = ["it is stowed: remove it first"]
    if problems:
        # What the item is already decides, too, which of its number, type and colour are missing.
        known = refusal_of(problems)
        raise known if isinstance(known, UnknownReference) else ValueRefused(fields=problems)
    identity = references.identity_of(changes)
    if identity.get("lot_id") is not None and identity["lot_id"] == item.lot_id:
        identity = {}  # the same lot keeps the names of its file
    if identity and item.extra:
        # The file's name of the type is deleted with the old lot; foreign tags stay.
        identity["extra"] = without_type(item.extra)
    columns = _columns(changes) | identity
    if columns.get("condition", UNKNOWN_CONDITION) != UNKNOWN_CONDITION:
        columns["condition_text"] = ""
    changed = {name: value for name, value in columns.items() if getattr(item, name) != value}
    if changed and item.is_listed:
        changed["is_changed_since_listing"] = True
    return changed


def completed(item: BatchItem, changes: Changes) -> Changes:
    """Return `changes` with the missing fields of the identity added."""
    return merged_identity(
        changes,
        lot=item.lot,
        raw={
            "item_type": TYPE_OF_LETTER.get(item.raw_item_type),
            "item_number": item.raw_item_number,
            "item_name": item.raw_item_name,
            "color_id": item.raw_color_id,
        },
    )


def rows_like(items: Collection[BatchItem], same: Mapping[int, int]) -> QuerySet[Any]:
    """Return the new rows of the same lots and batches, by id: see `row_to_top_up`."""
    numbers = {item.raw_item_number for item in items if item.lot_id is None}
    return BatchItem.objects.filter(
        Q(lot_id__in=same) | Q(lot=None, raw_item_number__in=numbers),
        batch_id__in={item.batch_id for item in items},
        is_stowed=False,
    ).order_by("pk")


def row_to_top_up(
    item: BatchItem, rows: Sequence[BatchItem], same: Mapping[int, int]
) -> BatchItem | None:
    """Return the row that more of the same would top up: of this price, else one without.

    An item without a price tops up a row of any price. `rows` are the oldest first; the newest
    counts. `same` are the keys of lots, as `same_lots` gives them.
    """

    def lot_of(row: BatchItem) -> int | None:
        return same.get(row.lot_id or 0, row.lot_id)

    alike = [
        row
        for row in rows
        if lot_of(row) == lot_of(item)
        and all(getattr(row, name) == getattr(item, name) for name in _AGREE)
        and (item.location_id is None or row.location_id == item.location_id)
        and (item.price is None or row.price is None or row.price == item.price)
    ]
    priced = [row for row in alike if row.price == item.price] or alike
    return priced[-1] if priced else None


def _columns(row: Changes) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name in PLAIN}

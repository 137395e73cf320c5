"""Add, edit and delete the items of batches; stock follows what is stowed."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q

from apps.batches.models import Batch, BatchItem
from apps.batches.services._references import (
    Changes,
    References,
    merged_identity,
    refusal_of,
)
from apps.batches.services._stock import carry_to_stock, take_back
from apps.batches.services.batches import (
    TRIES,
    ItemsBeingAdded,
    in_open_listings,
    open_batches,
)
from apps.catalog.rules.kinds import TYPE_OF_LETTER, ItemType
from apps.core.concurrency import hold_ids_in_order, lock_in_order
from apps.core.errors import DomainError, ErrorCode, UnknownReference, ValueRefused
from apps.lots.models import LOT_COLUMNS

MAX_PIECES: Final = 9_999_999
# What a person may write on an item, beside what says which lot it is.
PLAIN: Final = (
    frozenset(LOT_COLUMNS)
    - {"lot_id", "marketplace_lot_id", "date_added", "date_last_sold", "extra"}
    - {name for name in LOT_COLUMNS if name.startswith("raw_")}
) | {"quantity", "location_id"}


_DEFAULTS: Final = BatchItem()
_TYPE_IN_EXTRA: Final = frozenset({"item_type_id", "item_type_name"})


class StockToo(StrEnum):
    """What becomes of the stock of a stowed item whose row is deleted."""

    ASK = ""
    OUT = "out"
    KEEP = "keep"


class ItemIsStowed(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "This item is stowed. Say whether its pieces come out of stock too."


class ItemIsListed(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "This item is marked as listed. Take the mark off first."


class ItemIsBeingListed(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "This item is being listed. Wait for the end of it."


class ItemMayBeListed(DomainError):
    """The outcome of its listing is not known; the item is what would tell us of it."""

    code = ErrorCode.CONFLICT
    status = 409
    message = (
        "This item may be for sale already: the marketplace did not answer. List it again, "
        "which asks the store."
    )


@dataclass(frozen=True, slots=True)
class Added:
    """An item as it came: a new row, or more pieces of one that was there."""

    item_id: int
    batch_id: int
    quantity: int
    is_topped_up: bool


class _AnotherRow(Exception):
    """The row to top up is another one since it was looked for."""


def add_item(*, owner: Any, draft: Changes, now: dt.datetime) -> Added:
    """Add one item to a batch. Raises Invalid, BatchIsArchived, ItemsBeingAdded, nothing added.

    `draft` holds `batch_id`, which lot it is (`lot_id`, or `item_type`, `item_number` and
    `color_id`) and any of PLAIN. With `top_up`, a new row of the same lot, condition,
    price and planned location gets the pieces; no price agrees with any. 7 queries, 12 for a
    lot nobody has seen.
    """
    with transaction.atomic():
        references = References(owner=owner, rows=[draft], now=now)
        columns = columns_of_draft(draft, references)
        for _ in range(TRIES):
            try:
                with transaction.atomic():
                    return _add(draft, columns, now)
            except _AnotherRow:
                continue
        raise ItemsBeingAdded(name=Batch.objects.get(pk=draft["batch_id"]).name)


def _add(draft: Changes, columns: Mapping[str, Any], now: dt.datetime) -> Added:
    batch_id = draft["batch_id"]
    # The item is locked before its batch, as everywhere: so it is looked for twice.
    seen = _same(batch_id, columns) if draft.get("top_up") else None
    hold_ids_in_order(BatchItem, [] if seen is None else [seen.pk])
    batch = open_batches([batch_id])[batch_id]
    there = _same(batch_id, columns) if draft.get("top_up") else None
    if (there and there.pk) != (seen and seen.pk):
        raise _AnotherRow
    quantity = columns["quantity"]
    if there is not None:
        if there.quantity + quantity > MAX_PIECES:
            raise ValueRefused(
                fields={"qty": [f"the row would hold more than {MAX_PIECES} pieces"]}
            )
        BatchItem.objects.filter(pk=there.pk).update(
            quantity=F("quantity") + quantity, updated_at=now
        )
        return Added(there.pk, batch.pk, quantity, is_topped_up=True)
    item = BatchItem.objects.create(owner_id=batch.owner_id, batch=batch, **columns)
    return Added(item.pk, batch.pk, quantity, is_topped_up=False)


@transaction.atomic
def edit_item(
    *,
    item: BatchItem,
    changes: Changes,
    by: Any,
    now: dt.datetime,
    override_reason: str = "",
) -> None:
    """Change an item; where it is stowed, its stock follows.

    Another quantity moves the difference; another lot, condition, price or location moves
    the pieces to a row that agrees. Raises Invalid, BatchIsArchived, LocationFull,
    NotEnoughInStock; nothing changed. The caller has locked the item.
    """
    changes = completed(item, changes)
    references = References(owner=item.owner, rows=[changes], now=now)
    changed = changed_columns(item, changes, references)
    open_batches([item.batch_id])
    if not changed:
        return
    if item.is_stowed:
        changed |= carry_to_stock(
            item=item, changed=changed, by=by, now=now, override_reason=override_reason
        )
    BatchItem.objects.filter(pk=item.pk).update(**changed, updated_at=now)


@transaction.atomic
def delete_item(*, item: BatchItem, stock: StockToo, by: Any, now: dt.datetime) -> None:
    """Delete an item. Of a stowed one the caller says whether the stock goes too.

    Raises ItemIsStowed, ItemIsListed, BatchIsArchived, NotEnoughInStock; nothing deleted.
    """
    locked = lock_in_order(BatchItem.objects.filter(pk=item.pk))
    open_batches([item.batch_id])
    if not locked:
        return
    item = locked[0]
    open_listings = in_open_listings(BatchItem.objects.filter(pk=item.pk))
    check_deletable(item, stock, may_be_listed=item.pk in open_listings)
    if item.is_stowed and stock is StockToo.OUT:
        for refusal in take_back(owner=item.owner, items={0: item}, by=by, now=now).values():
            raise refusal
    item.delete()


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
        identity = {}  # the same lot: what its file called it stays
    if identity and item.extra:
        # What the file called the type is gone with the old lot; foreign tags stay.
        identity["extra"] = {k: v for k, v in item.extra.items() if k not in _TYPE_IN_EXTRA}
    columns = _columns(changes) | identity
    changed = {name: value for name, value in columns.items() if getattr(item, name) != value}
    if changed and item.is_listed:
        changed["is_changed_since_listing"] = True
    return changed


def completed(item: BatchItem, changes: Changes) -> Changes:
    """Return `changes` with what they leave unsaid of the identity."""
    return merged_identity(
        changes,
        lot=item.lot,
        raw={
            "item_type": TYPE_OF_LETTER.get(item.raw_item_type, ItemType.PART).value,
            "item_number": item.raw_item_number,
            "item_name": item.raw_item_name,
            "color_id": item.raw_color_id,
        },
    )


def _same(batch_id: int, columns: Mapping[str, Any]) -> BatchItem | None:
    """Return the newest row that more of the same would top up. 1 query."""
    identity = (
        Q(lot_id=columns["lot_id"])
        if columns["lot_id"] is not None
        else Q(
            lot=None,
            raw_item_type=columns["raw_item_type"],
            raw_item_number=columns["raw_item_number"],
            raw_color_id=columns["raw_color_id"],
        )
    )
    agree: dict[str, Any] = {
        name: columns.get(name, getattr(_DEFAULTS, name))
        for name in ("condition", "sub_condition", "price", "stockroom")
    }
    if columns.get("location_id") is not None:
        agree["location_id"] = columns["location_id"]
    found: BatchItem | None = (
        BatchItem.objects.filter(identity, batch_id=batch_id, is_stowed=False, **agree)
        .order_by("-pk")
        .first()
    )
    return found


def _columns(row: Changes) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name in PLAIN}

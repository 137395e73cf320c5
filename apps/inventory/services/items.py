"""Make, edit and delete single rows of stock."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.core.concurrency import claim
from apps.core.errors import Invalid
from apps.inventory.models import CauseKind, InventoryItem, Reason
from apps.inventory.rules.stacking import remarks_in
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import (
    Loads,
    catalogue_weights,
    insert_items,
    piece_grams_of,
    refusal_of_location,
)
from apps.inventory.services.edits import LARGEST_QUANTITY, StockEdit, edit_rows
from apps.inventory.services.errors import ItemGone, ItemHoldsPieces
from apps.locations.models import Location
from apps.locations.services import rooms
from apps.locations.services.errors import LocationGone


@transaction.atomic
def create_item(
    *,
    owner: Any,
    fields: Mapping[str, Any],
    quantity: int,
    location_id: int | None,
    by: Any,
    now: dt.datetime,
    note: str = "",
    override_reason: str = "",
) -> InventoryItem:
    """Make a row of its own, even where another agrees with it. Raises LocationFull, LocationGone.

    8 queries.
    """
    _check(fields, quantity)
    row = InventoryItem(owner=owner, **fields)
    grams = piece_grams_of(row, catalogue_weights([row.lot_id]))
    locations = rooms.locked(owner=owner, location_ids=[location_id] if location_id else [])
    remarks = row.remarks
    if location_id is not None:
        location = locations.get(location_id)
        if location is None:
            raise LocationGone
        remarks = remarks_in(row.remarks, was="", becomes=location.name)
        loads = Loads()
        loads.add(location_id, quantity, grams)
        _take(loads, locations, quantity, grams, location_id, bool(override_reason))
    pk = insert_items(owner=owner, rows=[(row, location_id, quantity, grams, remarks)], now=now)[0]
    if quantity:
        why = Why(by, now, Reason.EDIT, CauseKind.PERSON, note or override_reason)
        record([Entry(pk, quantity, None, location_id)], why)
    made: InventoryItem = InventoryItem.objects.get(pk=pk)
    return made


@transaction.atomic
def edit_item(
    *,
    item: InventoryItem,
    changes: Mapping[str, Any],
    by: Any,
    now: dt.datetime,
    note: str = "",
    override_reason: str = "",
    seen_at: dt.datetime | None = None,
) -> None:
    """Change fields of a row; `quantity` and `location_id` go through the ledger.

    A new location gets the whole row, merged with nothing. What a file called the lot is
    forgotten when it becomes another. Raises Invalid, ItemGone, LocationFull, LocationGone,
    and Conflict when the row changed since `seen_at`.
    """
    _check(changes, changes.get("quantity"))
    edit = StockEdit(
        item_id=item.pk,
        changes={name: value for name, value in changes.items() if name != "quantity"},
        quantity=changes.get("quantity"),
        seen_at=seen_at,
        note=note,
        override_reason=override_reason,
    )
    for refusal in edit_rows(owner=item.owner, edits={0: edit}, by=by, now=now).values():
        raise refusal


def delete_item(*, item: InventoryItem, now: dt.datetime) -> None:
    """Hide a row that holds nothing; its ledger stays. Raises ItemHoldsPieces, ItemGone. 1 query."""
    rows = InventoryItem.objects.filter(pk=item.pk)
    if claim(rows, where={"quantity": 0}, set={"deleted_at": now, "updated_at": now}):
        return
    there = rows.first()
    if there is None:
        raise ItemGone
    raise ItemHoldsPieces(quantity=there.quantity)


def _take(
    loads: Loads,
    locations: dict[int, Location],
    quantity: int,
    grams: Any,
    location_id: int,
    override: bool,
) -> None:
    if not quantity:
        return
    refusal = refusal_of_location(locations[location_id], quantity, grams, override=override)
    if refusal is not None:
        raise refusal
    rooms.take_rooms(loads=loads.by_location, override=override)


def _check(fields: Mapping[str, Any], quantity: int | None) -> None:
    problems: dict[str, list[str]] = {}
    if quantity is not None and not 0 <= quantity <= LARGEST_QUANTITY:
        problems["quantity"] = [f"must be from 0 to {LARGEST_QUANTITY}"]
    if (fields.get("price") or 0) < 0:
        problems["price"] = ["must be 0 or more"]
    if problems:
        raise Invalid(fields=problems)

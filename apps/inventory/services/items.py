"""Make, edit and delete single rows of stock."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from apps.core.concurrency import claim
from apps.core.errors import Conflict, Invalid
from apps.inventory.models import LOT_COLUMNS, CauseKind, InventoryItem, Reason
from apps.inventory.rules.stacking import remarks_in
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import (
    Loads,
    catalogue_weights,
    count_in,
    insert_items,
    lock_stock,
    piece_grams_of,
    refusal_of_location,
)
from apps.inventory.services.errors import ItemGone, ItemHoldsPieces
from apps.locations.models import Location
from apps.locations.services import rooms
from apps.locations.services.errors import LocationGone

PLAIN: Final = frozenset(LOT_COLUMNS)
LARGEST_QUANTITY: Final = 2_147_483_647
# What a file called a lot says nothing about another one.
FORGOTTEN: Final[dict[str, Any]] = {
    "raw_item_type": "",
    "raw_item_number": "",
    "raw_item_name": "",
    "raw_color_id": None,
    "raw_color_name": "",
    "raw_category_id": None,
    "raw_category_name": "",
}


@transaction.atomic
def create_item(
    *,
    owner: Any,
    fields: Mapping[str, Any],
    quantity: int,
    location_id: int | None,
    by: Any,
    now: dt.datetime,
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
        why = Why(by, now, Reason.EDIT, CauseKind.PERSON, override_reason)
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
) -> InventoryItem:
    """Change fields of a row; `quantity` and `location_id` go through the ledger.

    A new location gets the whole row, merged with nothing. What a file called the lot is
    forgotten when it becomes another. Raises Invalid, ItemGone, LocationFull, LocationGone,
    and Conflict when the row changed since `seen_at`. 9 queries at most.
    """
    quantity = changes.get("quantity")
    fields = {key: value for key, value in changes.items() if key in PLAIN}
    if unknown := set(changes) - PLAIN - {"quantity", "location_id"}:
        raise Invalid(fields={name: ["cannot be changed"] for name in sorted(unknown)})
    _check(fields, quantity)
    items, locations = lock_stock(
        owner=item.owner, item_ids=[item.pk], location_ids=[changes.get("location_id")]
    )
    row = items.get(item.pk)
    if row is None:
        raise ItemGone
    if seen_at is not None and row.updated_at != seen_at:
        raise Conflict
    if "lot_id" in fields and fields["lot_id"] != row.lot_id:
        fields |= FORGOTTEN
    was, had, old_grams = row.location_id, row.quantity, row.piece_grams
    to = changes.get("location_id", was)
    if to is not None and to not in locations:
        raise LocationGone
    for name, value in fields.items():
        setattr(row, name, value)
    if to != was and "remarks" not in fields:
        row.remarks = remarks_in(
            row.remarks, was=_name(locations, was), becomes=_name(locations, to)
        )
    row.location_id = to
    row.quantity = had if quantity is None else quantity
    if "unit_weight_grams" in fields or "lot_id" in fields:
        row.piece_grams = piece_grams_of(row, catalogue_weights([row.lot_id]))
    _count(row, was, had, old_grams, locations, override=bool(override_reason))
    written = {*fields, "remarks", "location_id", "quantity", "piece_grams"}
    # Not save(): `updated_at` is the instant of the act, not the clock's.
    InventoryItem.objects.filter(pk=row.pk).update(
        updated_at=now, **{name: getattr(row, name) for name in written}
    )
    _book(row, was, had, by, now, note or override_reason)
    row.updated_at = now
    return row


def delete_item(*, item: InventoryItem, now: dt.datetime) -> None:
    """Hide a row that holds nothing; its ledger stays. Raises ItemHoldsPieces, ItemGone. 1 query."""
    rows = InventoryItem.objects.filter(pk=item.pk)
    if claim(rows, where={"quantity": 0}, set={"deleted_at": now, "updated_at": now}):
        return
    there = rows.first()
    if there is None:
        raise ItemGone
    raise ItemHoldsPieces(quantity=there.quantity)


def _count(
    row: InventoryItem,
    was: int | None,
    had: int,
    old_grams: Any,
    locations: dict[int, Location],
    *,
    override: bool,
) -> None:
    """Count the row out of where it was and into where it is, if that has the room."""
    loads = Loads()
    loads.add(was, -had, old_grams)
    loads.add(row.location_id, row.quantity, row.piece_grams)
    if was is not None:
        count_in(locations[was], -had, old_grams)
    grows = row.location_id != was or row.quantity > had or row.piece_grams != old_grams
    if row.location_id is not None and row.quantity and grows:
        refusal = refusal_of_location(
            locations[row.location_id], row.quantity, row.piece_grams, override=override
        )
        if refusal is not None:
            raise refusal
    rooms.change_rooms(loads=loads.leaving())
    if coming := loads.coming():
        rooms.take_rooms(loads=coming, override=override)


def _book(
    row: InventoryItem, was: int | None, had: int, by: Any, now: dt.datetime, note: str
) -> None:
    is_here = row.location_id
    if is_here != was and had:
        moved = [Entry(row.pk, -had, was, is_here), Entry(row.pk, had, was, is_here)]
        record(moved, Why(by, now, Reason.MOVE, CauseKind.PERSON, note))
    delta = row.quantity - had
    if delta:
        entry = (
            Entry(row.pk, delta, None, is_here)
            if delta > 0
            else Entry(row.pk, delta, is_here, None)
        )
        record([entry], Why(by, now, Reason.EDIT, CauseKind.PERSON, note))


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
    if fields.get("price", 0) < 0:
        problems["price"] = ["must be 0 or more"]
    if problems:
        raise Invalid(fields=problems)


def _name(locations: dict[int, Location], pk: int | None) -> str:
    return "" if pk is None else locations[pk].name

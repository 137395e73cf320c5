"""Split a row: move part of its pieces to a new row with another price, condition or location."""

import copy
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.core.errors import Conflict, Invalid
from apps.inventory.models import CauseKind, InventoryItem, Reason
from apps.inventory.rules.stacking import remarks_in
from apps.inventory.services._images import Images
from apps.inventory.services._ledger import Why, reasons
from apps.inventory.services._stock import (
    catalogue_weights,
    lock_stock,
    piece_grams_of,
    refusal_of_location,
)
from apps.inventory.services._work import NewRow, StockWork
from apps.inventory.services.acts import begin_act, keep
from apps.inventory.services.edits import EDITABLE
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.locations.models import Location
from apps.locations.services.errors import LocationGone
from apps.lots.models import ActKind, KeptAct


@dataclass(frozen=True, slots=True)
class Split:
    """The new row, and the act that undoes the split."""

    item_id: int
    act: KeptAct


@transaction.atomic
def split_item(
    *,
    item: InventoryItem,
    quantity: int,
    changes: Mapping[str, Any],
    by: User,
    now: dt.datetime,
    note: str = "",
    override_reason: str = "",
    seen_at: dt.datetime | None = None,
) -> Split:
    """Carry `quantity` pieces of a row into a new one that differs from it in `changes`.

    `note` is for the ledger; only `override_reason` passes the limits of a location. The new row is
    another listing unless it differs in its location alone. Raises Invalid, ItemGone, Conflict,
    NotEnoughInStock, LocationFull, LocationGone.
    """
    fields = {name: value for name, value in changes.items() if name != "location_id"}
    if unknown := fields.keys() - EDITABLE:
        raise Invalid(fields={name: ["cannot be changed"] for name in sorted(unknown)})
    if quantity < 1:
        raise Invalid(fields={"quantity": ["must be at least 1"]})
    items, locations = lock_stock(
        owner=item.owner, item_ids=[item.pk], location_ids=[changes.get("location_id")]
    )
    row = items.get(item.pk)
    if row is None:
        raise ItemGone
    if seen_at is not None and row.updated_at != seen_at:
        raise Conflict
    if quantity >= row.quantity:
        raise NotEnoughInStock(have=row.quantity, wanted=quantity + 1)
    to = changes.get("location_id", row.location_id)
    if to is not None and to not in locations:
        raise LocationGone
    made = _new_row(row, fields, to, quantity, locations)
    if to is not None and to != row.location_id:
        refusal = refusal_of_location(
            locations[to], quantity, made.piece_grams, override=bool(override_reason)
        )
        if refusal is not None:
            raise refusal
    note = reasons(note, override_reason)
    act = begin_act(owner=row.owner, kind=ActKind.SPLIT, by=by, note=note)
    why = Why(by, now, Reason.SPLIT, CauseKind.ACT, note)
    work = StockWork(row.owner, now, images=Images())
    work.see(row)
    work.loads.add(row.location_id, -quantity, row.piece_grams)
    work.loads.add(to, quantity, made.piece_grams)
    work.make(made)
    work.book(why, row, -quantity, row.location_id, to, act.pk)
    work.book(why, made, quantity, row.location_id, to, act.pk)
    row.quantity -= quantity
    work.change(row)
    work.write()
    keep(act, work.kept())
    return Split(made.pk, act)


def _new_row(
    row: InventoryItem,
    fields: Mapping[str, Any],
    to: int | None,
    quantity: int,
    locations: Mapping[int, Location],
) -> NewRow:
    carried = to != row.location_id
    part = _part_of(row, fields, carried=carried)
    grams = row.piece_grams
    if fields.keys() & {"lot_id", "unit_weight_grams"}:
        grams = piece_grams_of(part, catalogue_weights([part.lot_id]))
    if carried and "remarks" not in fields:
        was = "" if row.location_id is None else locations[row.location_id].name
        becomes = "" if to is None else locations[to].name
        part.remarks = remarks_in(row.remarks, was=was, becomes=becomes)
    return NewRow(part, to, part.remarks, grams, quantity)


def _part_of(row: InventoryItem, fields: Mapping[str, Any], *, carried: bool) -> InventoryItem:
    part = copy.copy(row)
    for name, value in fields.items():
        setattr(part, name, value)
    if "marketplace_lot_id" not in fields and (fields or not carried):
        part.marketplace_lot_id = None
    return part

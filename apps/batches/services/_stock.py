"""Changes of the stock that follow from an edit of a stowed item."""

import datetime as dt
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Count, Max, Sum

from apps.accounts.models import User
from apps.batches.models import BatchItem
from apps.core.errors import DomainError, StateConflict
from apps.inventory.models import CauseKind, Reason
from apps.inventory.services.edits import StockEdit, edit_rows, hold_stock
from apps.inventory.services.errors import ItemGone
from apps.inventory.services.stow import StowLine, TakeLine, stow_into, take_out
from apps.lots.models import LOT_COLUMNS

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


# What of an item its stock follows when it changes.
FOLLOWED_BY_STOCK: Final = frozenset(LOT_COLUMNS) | {"location_id", "quantity"}


class StockRowGone(StateConflict):
    message = "The stock row of this item was deleted, so its stock cannot follow."


@dataclass(frozen=True, kw_only=True, slots=True)
class Carried:
    """An item, the columns that it gets, and why limits may be passed."""

    item: BatchItem
    changed: dict[str, Any]
    override_reason: str = ""


class _Row(NamedTuple):
    """The state of a stock row, and whether it holds pieces other than the item's."""

    location_id: int | None
    is_shared: bool


def carry_many(
    *, owner: User, carried: Mapping[int, Carried], by: User, now: dt.datetime
) -> dict[int, DomainError]:
    """Apply the changes of stowed items to their stock. Return by key why some cannot change.

    A stock row that holds only the pieces of one item is edited in place. If it also holds other
    pieces, the item's pieces move to another row, which is added to its changes. Refused changes
    (StockRowGone, LocationFull, NotEnoughInStock) change nothing and do not stop the others.
    """
    carried = {
        key: one
        for key, one in carried.items()
        if one.item.is_stowed and FOLLOWED_BY_STOCK & one.changed.keys()
    }
    if not carried:
        return {}
    refused: dict[int, DomainError] = {}
    rows = _stock_rows(one for one in carried.values() if _CARRIED & one.changed.keys())
    in_place: dict[int, StockEdit] = {}
    apart: dict[int, Carried] = {}
    for key, one in carried.items():
        if not _CARRIED & one.changed.keys():
            in_place[key] = _edit_of(one, is_shared=True)
            continue
        row = rows.get(one.item.inventory_item_id or 0)
        if row is None:
            refused[key] = StockRowGone()
        elif row.is_shared and APART & one.changed.keys():
            apart[key] = one
        else:
            in_place[key] = _edit_of(one, is_shared=row.is_shared)
    if apart:
        # Once for all that follows: parts that lock one after the other could wait in a circle.
        hold_stock_of(
            owner=owner,
            items=[one.item for one in carried.values()],
            location_ids=[one.changed.get("location_id") for one in carried.values()],
        )
    not_in_place = edit_rows(
        owner=owner,
        edits=in_place,
        by=by,
        now=now,
        cause_kind=CauseKind.BATCH_ITEM,
        more=Reason.STOW,
        fewer=Reason.REMOVE,
    )
    for key, why in not_in_place.items():
        refused[key] = StockRowGone() if isinstance(why, ItemGone) else why
    return refused | _put_apart(owner, apart, rows, by, now)


def hold_stock_of(
    *, owner: User, items: Iterable[BatchItem], location_ids: Iterable[int | None] = ()
) -> None:
    """Lock the stock rows of items, and the locations that they are in or go to."""
    found = list(items)
    hold_stock(
        owner=owner,
        item_ids=[item.inventory_item_id for item in found if item.inventory_item_id],
        location_ids=[*location_ids, *(item.location_id for item in found)],
    )


def take_back(
    *, owner: User, items: Mapping[int, BatchItem], by: User, now: dt.datetime
) -> dict[int, DomainError]:
    """Take the pieces of stowed items out of stock; return why some stay."""
    lines = {
        key: TakeLine(item_id=item.inventory_item_id or 0, quantity=item.quantity, cause_id=item.pk)
        for key, item in items.items()
        if item.quantity
    }
    if not lines:
        return {}
    keys = {line.cause_id: key for key, line in lines.items()}
    taken = take_out(owner=owner, lines=list(lines.values()), by=by, now=now)
    return {
        keys[refused.line.cause_id]: (
            StockRowGone() if isinstance(refused.refusal, ItemGone) else refused.refusal
        )
        for refused in taken.refused
    }


_CARRIED: Final = frozenset(LOT_COLUMNS) | {"location_id"}


def _edit_of(one: Carried, *, is_shared: bool) -> StockEdit:
    """Return the edit of an item's stock row. A shared row keeps its fields."""
    changes = (
        {}
        if is_shared
        else {name: value for name, value in one.changed.items() if name in _CARRIED}
    )
    return StockEdit(
        item_id=one.item.inventory_item_id or 0,
        changes=changes,
        delta=one.changed.get("quantity", one.item.quantity) - one.item.quantity,
        cause_id=one.item.pk,
        override_reason=one.override_reason,
    )


class _SomeRefused(Exception):
    """Rolls back the rows split off beside refused ones."""


def _put_apart(
    owner: User, apart: dict[int, Carried], rows: Mapping[int, _Row], by: User, now: dt.datetime
) -> dict[int, DomainError]:
    """Move the pieces of each item to a row that matches the changed item.

    After a refusal the others are tried again without it, since it changes the free capacity.
    """
    all_refused: dict[int, DomainError] = {}
    while apart:
        try:
            with transaction.atomic():
                went, refused = _try_apart(owner, apart, rows, by, now)
                if refused:
                    raise _SomeRefused
        except _SomeRefused:
            all_refused |= refused
            apart = {key: one for key, one in apart.items() if key not in refused}
            continue
        for key, columns in went.items():
            apart[key].changed.update(columns)
        break
    return all_refused


def _try_apart(
    owner: User, apart: Mapping[int, Carried], rows: Mapping[int, _Row], by: User, now: dt.datetime
) -> tuple[dict[int, dict[str, Any]], dict[int, DomainError]]:
    refused = take_back(
        owner=owner, items={key: one.item for key, one in apart.items()}, by=by, now=now
    )
    if refused:
        return {}, refused
    went: dict[int, dict[str, Any]] = {}
    # One call for each reason that limits are passed with; most have none.
    by_reason: dict[str, dict[int, StowLine]] = {}
    for key, one in apart.items():
        line = _line_of(one, rows)
        if line is not None:
            by_reason.setdefault(one.override_reason, {})[key] = line
    for reason, lines in by_reason.items():
        keys = {line.cause_id: key for key, line in lines.items()}
        stowed = stow_into(
            owner=owner, lines=list(lines.values()), by=by, now=now, override_reason=reason
        )
        for here in stowed.stowed:
            went[keys[here.line.cause_id]] = {
                "inventory_item_id": here.item_id,
                "location_id": here.line.location_id,
            }
        refused |= {keys[not_in.line.cause_id]: not_in.refusal for not_in in stowed.refused}
    return went, refused


def _line_of(one: Carried, rows: Mapping[int, _Row]) -> StowLine | None:
    """Return the stow line of the changed item, None if it has no pieces or no location."""
    becomes = copy(one.item)
    for name, value in one.changed.items():
        setattr(becomes, name, value)
    stood = rows[one.item.inventory_item_id or 0].location_id
    location_id = one.changed.get("location_id", stood) or one.item.location_id
    if becomes.quantity == 0 or location_id is None:
        return None
    return StowLine(
        fields=becomes,
        location_id=location_id,
        quantity=becomes.quantity,
        cause_id=becomes.pk,
        returning=min(one.item.quantity, becomes.quantity) if location_id == stood else 0,
    )


def _stock_rows(carried: Iterable[Carried]) -> dict[int, _Row]:
    """Return the stock rows that these items' pieces are in.

    A row is shared when it holds pieces that did not come from the item alone.
    """
    ids = {one.item.inventory_item_id for one in carried} - {None}
    if not ids:
        return {}
    found = (
        BatchItem.objects.filter(
            inventory_item_id__in=ids, is_stowed=True, inventory_item__deleted_at=None
        )
        .order_by()
        .values_list("inventory_item_id")
        .annotate(
            location=Max("inventory_item__location_id"),
            held=Max("inventory_item__quantity"),
            items=Count("pk"),
            pieces=Sum("quantity"),
        )
    )
    return {
        pk: _Row(location, is_shared=items > 1 or held != pieces)
        for pk, location, held, items, pieces in found
    }

"""Reverse movements: return removed pieces and remove added ones, where their rows are now."""

import datetime as dt
from collections.abc import Collection, Mapping

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.core.errors import DomainError, StateConflict
from apps.inventory.models import InventoryItem, Movement, Reason
from apps.inventory.services._ledger import Why
from apps.inventory.services._stock import (
    count_in,
    lock_stock,
    refusal_of_location,
    refusal_of_promised,
)
from apps.inventory.services._work import StockWork
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.locations.models import Location


class TakenBackAlready(StateConflict):
    message = "This was taken back already."


def hold_rows_of_returns(
    *,
    owner: User,
    item_ids: Collection[int],
    now: dt.datetime,
    location_ids: Collection[int | None] = (),
) -> dict[int, int | None]:
    """Lock rows that get pieces back, with locations. Return the location of each row.

    A sold-out row that was deleted since is shown again: its pieces have come back.
    """
    items, _ = lock_stock(
        owner=owner, item_ids=item_ids, location_ids=location_ids, with_deleted=True
    )
    InventoryItem.with_deleted.filter(pk__in=items, deleted_at__isnull=False).update(
        deleted_at=None, updated_at=now
    )
    return {pk: item.location_id for pk, item in items.items()}


def put_back(
    *,
    owner: User,
    movement_ids: Collection[int],
    by: User,
    now: dt.datetime,
    override_reason: str = "",
) -> int:
    """Book the reverse of movements that removed pieces. Return the number of pieces returned.

    All pieces return to the rows they came from, in the current locations of these rows, or none
    does. Raises TakenBackAlready, ItemGone, LocationFull.
    """
    removed = Movement.objects.owned_by(owner).filter(delta__lt=0)
    return _reverse(owner, removed, movement_ids, by, now, override_reason)


def pull_back(*, owner: User, movement_ids: Collection[int], by: User, now: dt.datetime) -> int:
    """Book the reverse of movements that added pieces. Return the number of pieces removed.

    All pieces leave the rows they were added to, in the current locations of these rows, or none
    does. Emptied rows remain at 0. Raises TakenBackAlready, ItemGone, NotEnoughInStock.
    """
    added = Movement.objects.owned_by(owner).filter(delta__gt=0)
    return -_reverse(owner, added, movement_ids, by, now)


@transaction.atomic
def _reverse(
    owner: User,
    movements: QuerySet[Movement],
    movement_ids: Collection[int],
    by: User,
    now: dt.datetime,
    override_reason: str = "",
) -> int:
    """Book the reverse of these movements. Return the number of pieces that rows get."""
    booked = list(movements.filter(pk__in=movement_ids).order_by("pk"))
    if len(booked) != len(set(movement_ids)):
        raise ItemGone
    items, locations = lock_stock(owner=owner, item_ids={move.item_id for move in booked})
    if Movement.objects.filter(reverses__in=movement_ids).exists():
        raise TakenBackAlready
    work = StockWork(owner, now)
    for move in booked:
        item = items.get(move.item_id)
        if item is None:
            raise ItemGone
        refusal = _refusal(item, -move.delta, locations, override=bool(override_reason))
        if refusal is not None:
            raise refusal
        why = Why(by, now, Reason.UNDO, move.cause_kind, override_reason)
        work.add(why, item, -move.delta, move.cause_id, move.pk)
    work.write()
    return -sum(move.delta for move in booked)


def _refusal(
    item: InventoryItem, delta: int, locations: Mapping[int, Location], *, override: bool
) -> DomainError | None:
    """Count the pieces into the row's location, or return why the row cannot get or lose them."""
    if item.quantity + delta < 0:
        return NotEnoughInStock(have=item.quantity, wanted=-delta)
    if item.location_id is None or delta < 0:
        return refusal_of_promised(item, -delta)
    location = locations[item.location_id]
    refusal = refusal_of_location(location, delta, item.piece_grams, override=override)
    if refusal is None:
        count_in(location, delta, item.piece_grams)
    return refusal

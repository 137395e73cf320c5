"""Reverse movements: return removed pieces and remove added ones, where their rows are now."""

import datetime as dt
from collections.abc import Collection
from typing import Any

from django.db import transaction

from apps.core.errors import DomainError, ErrorCode
from apps.inventory.models import Movement, Reason
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import (
    Loads,
    add_quantities,
    count_in,
    lock_stock,
    refusal_of_location,
    refusal_of_promised,
)
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.locations.services import rooms


class TakenBackAlready(DomainError):
    code = ErrorCode.CONFLICT
    message = "This was taken back already."


@transaction.atomic
def put_back(
    *,
    owner: Any,
    movement_ids: Collection[int],
    by: Any,
    now: dt.datetime,
    override_reason: str = "",
) -> int:
    """Book the reverse of movements that removed pieces. Return the number of pieces returned.

    All pieces return to the rows they came from, in the current locations of these rows, or none
    does. Raises TakenBackAlready, ItemGone, LocationFull.
    """
    taken = list(
        Movement.objects.owned_by(owner).filter(pk__in=movement_ids, delta__lt=0).order_by("pk")
    )
    if len(taken) != len(set(movement_ids)):
        raise ItemGone
    items, locations = lock_stock(owner=owner, item_ids={move.item_id for move in taken})
    if Movement.objects.filter(reverses__in=movement_ids).exists():
        raise TakenBackAlready
    loads = Loads()
    entries: dict[tuple[str, int | None], list[Entry]] = {}
    deltas: dict[int, int] = {}
    for move in taken:
        item = items.get(move.item_id)
        if item is None:
            raise ItemGone
        if item.location_id is not None:
            location = locations[item.location_id]
            refusal = refusal_of_location(
                location, -move.delta, item.piece_grams, override=bool(override_reason)
            )
            if refusal is not None:
                raise refusal
            count_in(location, -move.delta, item.piece_grams)
        loads.add(item.location_id, -move.delta, item.piece_grams)
        deltas[item.pk] = deltas.get(item.pk, 0) - move.delta
        entries.setdefault((move.cause_kind, move.cause_id), []).append(
            Entry(item.pk, -move.delta, None, item.location_id, move.cause_id, move.pk)
        )
    add_quantities(list(deltas.items()), now)
    rooms.take_rooms(loads=loads.by_location, override=bool(override_reason))
    for (cause_kind, _), some in entries.items():
        record(some, Why(by, now, Reason.UNDO, cause_kind, override_reason))
    return sum(deltas.values())


@transaction.atomic
def pull_back(*, owner: Any, movement_ids: Collection[int], by: Any, now: dt.datetime) -> int:
    """Book the reverse of movements that added pieces. Return the number of pieces removed.

    All pieces leave the rows they were added to, in the current locations of these rows, or none
    does. Emptied rows remain at 0. Raises TakenBackAlready, ItemGone, NotEnoughInStock.
    """
    put = list(
        Movement.objects.owned_by(owner).filter(pk__in=movement_ids, delta__gt=0).order_by("pk")
    )
    if len(put) != len(set(movement_ids)):
        raise ItemGone
    items, _ = lock_stock(owner=owner, item_ids={move.item_id for move in put})
    if Movement.objects.filter(reverses__in=movement_ids).exists():
        raise TakenBackAlready
    loads = Loads()
    entries: dict[str, list[Entry]] = {}
    deltas: dict[int, int] = {}
    for move in put:
        item = items.get(move.item_id)
        if item is None:
            raise ItemGone
        if item.quantity < move.delta:
            raise NotEnoughInStock(have=item.quantity, wanted=move.delta)
        refusal = refusal_of_promised(item, move.delta)
        if refusal is not None:
            raise refusal
        item.quantity -= move.delta
        loads.add(item.location_id, -move.delta, item.piece_grams)
        deltas[item.pk] = deltas.get(item.pk, 0) - move.delta
        entries.setdefault(move.cause_kind, []).append(
            Entry(item.pk, -move.delta, item.location_id, None, move.cause_id, move.pk)
        )
    add_quantities(list(deltas.items()), now)
    rooms.change_rooms(loads=loads.by_location)
    for cause_kind, some in entries.items():
        record(some, Why(by, now, Reason.UNDO, cause_kind))
    return -sum(deltas.values())

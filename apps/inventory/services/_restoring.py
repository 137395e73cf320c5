"""Restores rows of stock. Shared by the undo of an act and the undo of an import."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from apps.accounts.models import User
from apps.inventory.models import InventoryItem, Movement, Reason
from apps.inventory.services._ledger import Why
from apps.inventory.services._stock import Loads
from apps.inventory.services._work import StockWork
from apps.inventory.services.promises import forget_uncounted
from apps.locations.models import Location
from apps.locations.rules.fit import why_no_room
from apps.locations.services.errors import LocationGone
from apps.locations.services.rooms import location_full
from apps.lots.services.images import values_of

Image = Mapping[str, Any]


def restore_rows(
    *,
    owner: User,
    items: Mapping[int, InventoryItem],
    locations: Mapping[int, Location],
    images: Mapping[int, Image | None],
    cause: tuple[str, int],
    by: User,
    now: dt.datetime,
    strict: bool,
) -> None:
    """Restore locked rows to their `images`. None hides a row that the act made.

    Reverses the movements of `cause` and balances later movements of a row. With `strict`, raises
    LocationFull and LocationGone; otherwise limits are ignored, and a row whose location was
    deleted gets none.
    """
    kind, cause_id = cause
    movements = _movements(cause, images.keys())
    why = Why(by, now, Reason.UNDO, kind)
    work = StockWork(owner, now)
    for pk, image in images.items():
        row = items[pk]
        was, had = row.location_id, row.quantity
        work.loads.add(was, -had, row.piece_grams)
        # A row that the act made is hidden; its movements stay.
        hidden = {"quantity": 0, "deleted_at": now}
        becomes = hidden if image is None else values_of(InventoryItem, image)
        for name, value in becomes.items():
            setattr(row, name, value)
        if row.location_id is not None and row.location_id not in locations:
            if strict:
                raise LocationGone
            row.location_id = None
        work.loads.add(row.location_id, row.quantity, row.piece_grams)
        work.change(row, "location_id", *becomes)
        for delta, from_id, to_id, reverses_id in _reversed(row, was, had, movements.get(pk, [])):
            work.book(why, row, delta, from_id, to_id, cause_id, reverses_id)
    if strict:
        _check_room(work.loads, locations)
    if gone := [pk for pk, image in images.items() if image is None]:
        forget_uncounted(item_ids=gone)
    work.write()


def _check_room(loads: Loads, locations: Mapping[int, Location]) -> None:
    for pk, load in sorted(loads.coming().items()):
        reasons = why_no_room(locations[pk], pieces=load.pieces, grams=load.grams)
        if reasons:
            raise location_full(locations[pk], reasons)


def _movements(cause: tuple[str, int], item_ids: Collection[int]) -> dict[int, list[Movement]]:
    """Return the movements of a cause on these rows, the last first."""
    found: dict[int, list[Movement]] = {}
    kind, pk = cause
    booked = Movement.objects.filter(cause_kind=kind, cause_id=pk, item_id__in=list(item_ids))
    for movement in booked.exclude(reason=Reason.UNDO).order_by("-pk"):
        found.setdefault(movement.item_id, []).append(movement)
    return found


def _reversed(
    row: InventoryItem, was: int | None, had: int, movements: list[Movement]
) -> Iterator[tuple[int, int | None, int | None, int | None]]:
    """Yield the reverse of each movement, and one more where others moved the row since.

    Each is `(delta, from, to, reversed movement)`. The row had `had` pieces in the location `was`.
    """
    missing = row.quantity - had
    for movement in movements:
        missing += movement.delta
        yield -movement.delta, movement.to_location_id, movement.from_location_id, movement.pk
    if missing > 0:
        yield missing, None, row.location_id, None
    elif missing < 0:
        yield missing, was, None, None

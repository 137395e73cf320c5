"""Restores rows of stock. Shared by the undo of an act and the undo of an import."""

import datetime as dt
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from apps.accounts.models import User
from apps.core.bulk import instant_text, plain, update_rows
from apps.inventory.models import InventoryItem, Movement, Reason
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import Loads
from apps.inventory.services.promises import forget_uncounted, mend
from apps.locations.models import Location
from apps.locations.services import rooms
from apps.locations.services.errors import LocationGone

Image = Mapping[str, Any]


def put_back(
    *,
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
    names = {name for image in images.values() for name in image or ("deleted_at",)}
    columns = sorted(names | {"quantity", "location_id"})
    movements = _movements(cause, images.keys())
    stamp = instant_text(now)
    quantities: dict[int, int] = {}
    loads, entries, writes = Loads(), list[Entry](), list[tuple[Any, ...]]()
    for pk, image in images.items():
        item = items[pk]
        # What the act made is gone again; its ledger stays behind it.
        becomes: dict[str, Any] = dict(image or {"quantity": 0, "deleted_at": stamp})
        place = becomes.setdefault("location_id", item.location_id)
        if place is not None and place not in locations:
            if strict:
                raise LocationGone
            place = becomes["location_id"] = None
        quantity = becomes.setdefault("quantity", item.quantity)
        quantities[pk] = quantity
        loads.add(item.location_id, -item.quantity, item.piece_grams)
        loads.add(place, quantity, _grams(becomes, item))
        entries += _reversed(item, place, quantity, movements.get(pk, []), cause[1])
        values = [
            becomes[name] if name in becomes else plain(getattr(item, name)) for name in columns
        ]
        writes.append((pk, *values, stamp))
    update_rows(InventoryItem, (*columns, "updated_at"), writes)
    record(entries, Why(by, now, Reason.UNDO, cause[0]))
    _release(items, [pk for pk, image in images.items() if image is None], quantities, now)
    if not strict:
        rooms.change_rooms(loads=loads.by_location)
        return
    rooms.change_rooms(loads=loads.leaving())
    if coming := loads.coming():
        rooms.take_rooms(loads=coming)


def _release(
    items: Mapping[int, InventoryItem],
    gone: Collection[int],
    quantities: Mapping[int, int],
    now: dt.datetime,
) -> None:
    """Move promises from rows that hold fewer pieces now, and forget those of rows that are gone."""
    if gone:
        forget_uncounted(item_ids=gone)
    short = []
    for pk, quantity in quantities.items():
        if items[pk].promised > quantity:
            items[pk].quantity = quantity
            short.append(items[pk])
    if short:
        mend(owner=short[0].owner, items=short, now=now)


def _movements(cause: tuple[str, int], item_ids: Collection[int]) -> dict[int, list[Movement]]:
    """Return the movements of a cause on these rows, the last first."""
    found: dict[int, list[Movement]] = {}
    kind, pk = cause
    booked = Movement.objects.filter(cause_kind=kind, cause_id=pk, item_id__in=list(item_ids))
    for movement in booked.exclude(reason=Reason.UNDO).order_by("-pk"):
        found.setdefault(movement.item_id, []).append(movement)
    return found


def _reversed(
    item: InventoryItem,
    place: int | None,
    quantity: int,
    movements: list[Movement],
    cause_id: int,
) -> list[Entry]:
    """Return the reverse of each movement, and one more where others moved the row since."""
    entries = [
        Entry(
            item.pk,
            -movement.delta,
            movement.to_location_id,
            movement.from_location_id,
            cause_id,
            movement.pk,
        )
        for movement in movements
    ]
    missing = quantity - item.quantity - sum(entry.delta for entry in entries)
    if missing:
        from_id, to_id = (None, place) if missing > 0 else (item.location_id, None)
        entries.append(Entry(item.pk, missing, from_id, to_id, cause_id))
    return entries


def _grams(becomes: Image, item: InventoryItem) -> Decimal | None:
    if "piece_grams" not in becomes:
        return item.piece_grams
    text = becomes["piece_grams"]
    return None if text is None else Decimal(text)

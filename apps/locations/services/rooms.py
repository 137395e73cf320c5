"""Counters of a location's contents. Called by every change of the stock, in its transaction."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Q, Sum

from apps.accounts.models import User
from apps.core.bulk import add_to_rows, update_rows
from apps.core.concurrency import hold_ids_in_order, lock_in_order
from apps.locations.models import Location
from apps.locations.rules.fit import Reason
from apps.locations.services.errors import LocationFull

COUNTERS = ("item_count", "stored_weight")


class Load(NamedTuple):
    """Pieces, and their weight together in grams (0 if unknown)."""

    pieces: int
    grams: Decimal


EMPTY = Load(0, Decimal(0))


def locked(*, owner: User, location_ids: Iterable[int]) -> dict[int, Location]:
    """Lock the owner's locations in order; those that are not there are left out."""
    rows = lock_in_order(Location.objects.owned_by(owner).filter(pk__in=set(location_ids)))
    return {row.pk: row for row in rows}


def hold(*, location_ids: Iterable[int]) -> None:
    """Lock these locations, of any owner, until the transaction ends."""
    hold_ids_in_order(Location, location_ids)


def change_rooms(*, loads: Mapping[int, Load]) -> None:
    """Count loads in (or, negative, out) of the counters; limits are the caller's."""
    rows = [(pk, *load) for pk, load in sorted(loads.items()) if load != EMPTY]
    add_to_rows(Location, COUNTERS, rows)


def set_rooms(*, loads: Sequence[tuple[int, int, Decimal]]) -> None:
    """Set the counters of `(location id, pieces, grams)`: the repair of check_ledger."""
    update_rows(Location, COUNTERS, [(pk, pieces, str(grams)) for pk, pieces, grams in loads])


def location_full(location: Location, reasons: Sequence[Reason]) -> LocationFull:
    """Return the refusal of a location."""
    return LocationFull(
        location_id=location.pk,
        name=location.name,
        reasons=reasons,
        unweighed=_unweighed_in(location),
    )


def _unweighed_in(location: Location) -> int:
    if location.max_total_weight is None:
        return 0
    kept: dict[str, Any] = location.__dict__
    if "_unweighed" not in kept:
        unknown = Q(items__piece_grams=None, items__quantity__gt=0)
        found = Location.objects.filter(unknown, pk=location.pk).aggregate(n=Sum("items__quantity"))
        kept["_unweighed"] = found["n"] or 0
    return int(kept["_unweighed"])

"""Counters of a location's contents. Called by every change of the stock, in its transaction."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, Sum

from apps.core.bulk import add_to_rows, update_rows
from apps.core.concurrency import hold_ids_in_order, lock_in_order
from apps.locations.models import Location
from apps.locations.rules.fit import LimitKind, Reason, why_not_fit
from apps.locations.services.errors import LocationFull, LocationGone

COUNTERS = ("item_count", "stored_weight")
# A person's override passes the numbers, never the mark.
NOT_MARKED = "NOT is_full"
IN_LIMITS = (
    "NOT is_full"
    " AND (max_item_count IS NULL OR item_count + {item_count} <= max_item_count)"
    " AND (max_total_weight IS NULL OR stored_weight + {stored_weight} <= stored_weight"
    " OR ROUND(stored_weight + {stored_weight}, 4) <= max_total_weight)"
)
COUNTED = {LimitKind.IS_FULL, LimitKind.MAX_ITEM_COUNT, LimitKind.MAX_TOTAL_WEIGHT}


class Load(NamedTuple):
    """Pieces, and their weight together in grams (0 if unknown)."""

    pieces: int
    grams: Decimal

    def plus(self, pieces: int, grams: Decimal) -> "Load":
        return Load(self.pieces + pieces, self.grams + grams)


EMPTY = Load(0, Decimal(0))


class _SomeDidNotFit(Exception):
    """Rolls the counters of those that did back."""


def locked(*, owner: Any, location_ids: Iterable[int]) -> dict[int, Location]:
    """Lock the owner's locations in order; those that are not there are left out."""
    rows = lock_in_order(Location.objects.owned_by(owner).filter(pk__in=set(location_ids)))
    return {row.pk: row for row in rows}


def hold(*, location_ids: Iterable[int]) -> None:
    """Lock these locations, of any owner, until the transaction ends."""
    hold_ids_in_order(Location, location_ids)


def take_rooms(*, loads: Mapping[int, Load], override: bool = False) -> None:
    """Count these loads into their locations if each has the room, with one conditional UPDATE.

    Raises LocationFull or LocationGone for the first that has not, nothing counted.
    `override` passes all limits but
    the mark. Concurrent callers lock first (`locked`), so that they meet in one order.
    """
    rows = [(pk, load.pieces, load.grams) for pk, load in sorted(loads.items())]
    where = NOT_MARKED if override else IN_LIMITS
    try:
        with transaction.atomic():
            if add_to_rows(Location, COUNTERS, rows, where=where) != len(rows):
                raise _SomeDidNotFit
    except _SomeDidNotFit:
        raise _refusal(loads, override) from None


def change_rooms(*, loads: Mapping[int, Load]) -> None:
    """Count loads in (or, negative, out) whatever the limits: a BSX file is the truth."""
    rows = [(pk, *load) for pk, load in sorted(loads.items()) if load != EMPTY]
    add_to_rows(Location, COUNTERS, rows)


def set_rooms(*, loads: Sequence[tuple[int, int, Decimal]]) -> None:
    """Set the counters of `(location id, pieces, grams)`: the repair of check_ledger."""
    update_rows(Location, COUNTERS, [(pk, pieces, str(grams)) for pk, pieces, grams in loads])


def _refusal(loads: Mapping[int, Load], override: bool) -> LocationFull | LocationGone:
    there = Location.objects.in_bulk(list(loads))
    for pk, load in sorted(loads.items()):
        row = there.get(pk)
        if row is None:
            return LocationGone()
        grams = load.grams / load.pieces if load.pieces else None
        reasons = [
            reason
            for reason in why_not_fit(row, pieces=load.pieces, piece_grams=grams)
            if reason.limit in COUNTED and not (override and reason.can_override)
        ]
        if reasons:
            return location_full(row, reasons)
    return LocationGone()


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

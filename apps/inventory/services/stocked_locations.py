"""Changes to a location together with its contents."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.core.concurrency import hold_ids_in_order
from apps.core.errors import StateConflict, ValueRefused
from apps.inventory.models import InventoryItem, Stocktake, StocktakeState
from apps.inventory.selectors.contents import conflict_rows
from apps.inventory.services.acts import begin_act
from apps.inventory.services.moves import MoveLine, MoveResult, move_items
from apps.locations.models import Location
from apps.locations.services import locations
from apps.locations.services.errors import LocationGone, LocationNotEmpty
from apps.lots.models import ActKind, KeptAct

MOST_LISTED: Final = 500


class StocktakeOpen(StateConflict):
    """The location has an open stocktake with counts, so it cannot be merged into another."""

    message = "A stocktake of {name} is open. Apply or discard it, then merge."


@transaction.atomic
def rename_or_edit_location(
    *, location: Location, changes: Mapping[str, Any], now: dt.datetime
) -> Location:
    """Edit a location; Remarks that named it follow its new name. Raises Invalid."""
    was = Location.objects.values_list("name", flat=True).get(pk=location.pk)
    edited = locations.edit_location(location=location, changes=changes)
    if edited.name != was:
        InventoryItem.objects.filter(location=edited, remarks=was).update(
            remarks=edited.name, updated_at=now
        )
    return edited


def _hold_plans_for(ids: Sequence[int]) -> None:
    """Lock rows other than stock that name the locations, such as planned batch items.

    All writers lock items before locations.
    """
    for model, name in locations.kinds_that_name_locations():
        if model._meta.app_label != InventoryItem._meta.app_label:
            named = model._base_manager.filter(**{f"{name}__in": ids})
            hold_ids_in_order(model, named.values_list("pk", flat=True))


@transaction.atomic
def delete_location(*, location: Location) -> None:
    """Delete an empty location. Raises LocationNotEmpty with its contents, LocationGone."""
    if not delete_locations(owner=location.owner_id, ids=[location.pk]):
        raise LocationGone


@transaction.atomic
def delete_locations(*, owner: User | int, ids: Sequence[int]) -> int:
    """Delete empty locations, all or none. Return the number deleted; missing ones are skipped.

    Raises LocationNotEmpty with the contents of the first that is not empty. Rows at 0 lose the
    location; the ledger keeps its id.
    """
    _hold_plans_for(ids)
    try:
        return locations.delete_locations(owner=owner, ids=ids)
    except LocationNotEmpty:
        filled = Location.objects.owned_by(owner).filter(pk__in=ids, item_count__gt=0)
        location = filled.order_by("pk").first()
        if location is None:
            raise
        rows, lots = conflict_rows(location=location, limit=MOST_LISTED)
        raise LocationNotEmpty(name=location.name, lots=lots, data=rows) from None


@transaction.atomic
def merge_locations(
    *,
    location: Location,
    into: Location,
    by: User,
    now: dt.datetime,
    override_reason: str = "",
) -> MoveResult:
    """Move the contents of a location into another, and delete it. Raises LocationFull, Invalid,
    StocktakeOpen. The ledger is not changed and keeps the location's name.

    Items planned for it and its rows at 0 are assigned to the other location, so that
    recommendations still find it.
    """
    if location.pk == into.pk:
        raise ValueRefused(fields={"into": ["must be another location"]})
    _hold_plans_for([location.pk])
    counting = Stocktake.objects.filter(location=location, state=StocktakeState.OPEN)
    if counting.filter(counts__isnull=False).exists():
        raise StocktakeOpen(name=location.name)
    counting.delete()
    result = _carry(location=location, to=into, by=by, now=now, override_reason=override_reason)
    sold_out = InventoryItem.with_deleted.filter(location=location)
    sold_out.filter(remarks=location.name).update(remarks=into.name)
    sold_out.update(location=into, updated_at=now)
    locations.point_to(location=location, instead=into, now=now)
    locations.delete_location(location=location)
    return result


@transaction.atomic
def move_all(
    *,
    location: Location,
    to: Location | None,
    by: User,
    now: dt.datetime,
    override_reason: str = "",
) -> tuple[MoveResult, KeptAct]:
    """Carry everything in a location to another (None: to none), as one act that can be undone.

    Raises LocationFull. Statements constant per 500 rows.
    """
    act = begin_act(owner=location.owner, kind=ActKind.MOVE, by=by, note=override_reason)
    result = _carry(
        location=location, to=to, by=by, now=now, override_reason=override_reason, act=act
    )
    return result, act


def _carry(
    *,
    location: Location,
    to: Location | None,
    by: User,
    now: dt.datetime,
    override_reason: str,
    act: KeptAct | None = None,
) -> MoveResult:
    rows = InventoryItem.objects.owned_by(location.owner).at(location).in_stock()
    lines = [
        MoveLine(item_id=pk, to_location_id=to.pk if to else None)
        for pk in rows.order_by("pk").values_list("pk", flat=True)
    ]
    return move_items(
        owner=location.owner,
        lines=lines,
        by=by,
        now=now,
        override_reason=override_reason,
        act=act,
    )

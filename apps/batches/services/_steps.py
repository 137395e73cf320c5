"""One step of an operation, on items that the caller has locked: at most 500 a transaction."""

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models import Case, F, OuterRef, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.batches.rules.states import why_not_mark_listed, why_not_remove, why_not_stow
from apps.batches.selectors import wanted_of
from apps.batches.services._stock import FOLLOWED_BY_STOCK
from apps.batches.services.batches import in_open_listings
from apps.batches.services.items import StockToo
from apps.batches.services.operations import ItemResults, keep_failures
from apps.core.bulk import instant_text, update_rows
from apps.core.errors import DomainError
from apps.inventory.selectors.destinations import recommend_for_many
from apps.inventory.selectors.planned import planned_loads
from apps.inventory.services.stow import StowLine, StowResult, TakeLine, stow_into, take_out
from apps.locations.models import Location
from apps.locations.rules.fit import LimitKind, Reason, available_item_count, available_weight
from apps.locations.services.errors import LocationFull
from apps.locations.services.locations import LIMITS
from apps.locations.services.rooms import location_full
from apps.lots.services.images import changed_row, deleted_row

NO_PLACE: Final = "No bin is planned and none is recommended: choose one."
NEW_AGAIN: Final[dict[str, Any]] = {
    "is_stowed": False,
    "stowed_at": None,
    "inventory_item_id": None,
    "failure": "",
}
# A deleted item whose pieces left the stock with it names its row there, yet is not stowed.
TAKEN_OUT: Final[dict[str, Any]] = {"is_stowed": False, "stowed_at": None}
# An undo does not remove listed pieces from the stock.
LISTED: Final = ("is_listed", "is_listed_pending")
HELD_BACK: Final = "Nothing was stowed, because another item was refused."


def stow(
    *,
    batch: Batch,
    items: Sequence[BatchItem],
    location_id: int | None,
    override_reason: str,
    is_atomic: bool,
    by: User,
    now: dt.datetime,
) -> ItemResults:
    """Stow the items that can be; with `is_atomic` all of them or none."""
    results = ItemResults()
    ready = []
    for item in items:
        reason = why_not_stow(
            is_stowed=item.is_stowed,
            quantity=item.quantity,
            location=item.location.name if item.location is not None else "",
        )
        if reason is None:
            ready.append(item)
        else:
            results.refuse(item, reason)
    places = _places(batch, ready, location_id)
    for item in ready:
        if item.pk not in places:
            results.refuse(item, NO_PLACE)
    lines = [
        StowLine(fields=item, location_id=places[item.pk], quantity=item.quantity, cause_id=item.pk)
        for item in ready
        if item.pk in places
    ]
    by_id = {item.pk: item for item in items}
    if is_atomic:
        _stow_all_or_none(batch, lines, by_id, results, override_reason, by, now)
    else:
        result = _stow(batch, lines, override_reason, by, now)
        _take_over(result, by_id, results, now)
    # An item that was already stowed has not failed, so it gets no failure.
    refused = {one["id"]: one["reason"] for one in results.failed}
    keep_failures(
        {pk: why for pk, why in refused.items() if not by_id[pk].is_stowed},
        pending="is_stowed_pending",
    )
    return results


def remove(
    *,
    batch: Batch,
    items: Sequence[BatchItem],
    stock: StockToo,
    by: User,
    now: dt.datetime,
) -> ItemResults:
    """Take stowed items out of stock: they are new again. New ones are to be deleted.

    `stock` is to delete the stowed ones too; KEEP leaves their pieces in stock. Keeping the
    results as an act deletes the items.
    """
    results = ItemResults()
    gone, out = _removable(items, stock, results)
    lines = [
        TakeLine(item_id=item.inventory_item_id or 0, quantity=item.quantity, cause_id=item.pk)
        for item in out.values()
        if item.quantity
    ]
    movements: dict[int | None, int] = {}
    if lines:
        result = take_out(owner=batch.owner, lines=lines, by=by, now=now)
        movements = {taken.line.cause_id: taken.movement_id for taken in result.taken}
        for refused in result.refused:
            item = out.pop(refused.line.cause_id or 0)
            results.refuse(item, refused.refusal)
    if stock is StockToo.OUT:
        gone |= out.keys()
        BatchItem.objects.filter(pk__in=movements).update(**TAKEN_OUT)
    else:
        BatchItem.objects.filter(pk__in=list(out)).update(**NEW_AGAIN, updated_at=now)
    results.done = sorted({*out, *gone})
    for item in items:
        if item.pk in gone:
            image = deleted_row(item, *(TAKEN_OUT if item.pk in movements else ()))
        elif item.pk in out:
            image = changed_row(item, NEW_AGAIN, beside=FOLLOWED_BY_STOCK)
        else:
            continue
        if item.pk in movements:
            image["movement"] = movements[item.pk]
        results.images.append(image)
    return results


def _removable(
    items: Sequence[BatchItem], stock: StockToo, results: ItemResults
) -> tuple[set[int], dict[int, BatchItem]]:
    """Return the items to delete, and those whose pieces leave the stock. Refuse the others."""
    gone: set[int] = set()
    out: dict[int, BatchItem] = {}
    open_listings = in_open_listings(BatchItem.objects.filter(pk__in=[item.pk for item in items]))
    for item in items:
        reason = why_not_remove(
            is_listed=item.is_listed,
            is_listed_pending=item.is_listed_pending,
            may_be_listed=item.pk in open_listings,
        )
        leaves = item.is_stowed and stock is not StockToo.KEEP
        if reason is None and leaves and item.quantity and not item.inventory_item_id:
            reason = "Its stock row was deleted."
        if reason is not None:
            results.refuse(item, reason)
        elif leaves:
            out[item.pk] = item
        else:
            gone.add(item.pk)
    return gone, out


def mark(*, items: Sequence[BatchItem], listed: bool, now: dt.datetime) -> ItemResults:
    """Set or remove the mark of items that they are for sale."""
    results = ItemResults()
    changed = {
        "is_listed": listed,
        "listed_at": now if listed else None,
        "is_listed_pending": False,
        "is_changed_since_listing": False,
        "failure": "",
    }
    for item in items:
        reason = why_not_mark_listed(
            is_stowed=item.is_stowed, is_listed=item.is_listed, listed=listed
        )
        if reason is None:
            results.done.append(item.pk)
            results.images.append(changed_row(item, changed))
        else:
            results.refuse(item, reason)
    BatchItem.objects.filter(pk__in=results.done).update(**changed, updated_at=now)
    return results


def _places(batch: Batch, items: Sequence[BatchItem], location_id: int | None) -> dict[int, int]:
    """Return item id -> location id: the one for all, the planned one, the recommended one."""
    if location_id is not None:
        return {item.pk: location_id for item in items}
    places = {item.pk: item.location_id for item in items if item.location_id is not None}
    homeless = wanted_of(item for item in items if item.location_id is None)
    if homeless:
        planned = planned_loads(owner=batch.owner)
        places |= recommend_for_many(owner=batch.owner, wanted=homeless, planned=planned)
    left = [item.pk for item in items if item.pk not in places]
    if left and (place := _place_of_its_own(batch, set(places.values()))) is not None:
        places |= dict.fromkeys(left, place)
    return places


def _place_of_its_own(batch: Batch, given: set[int]) -> int | None:
    """Return a location without limits that holds nothing but this batch's pieces, if any.

    It takes what it is given, also what no rule would put together. One that this act puts
    something into comes first, then one that has pieces of the batch, then an empty one.
    """
    own = (
        BatchItem.objects.filter(batch=batch, is_stowed=True, location=OuterRef("pk"))
        .order_by()
        .values("location")
        .annotate(pieces=Sum("quantity"))
        .values("pieces")
    )
    found: int | None = (
        Location.objects.owned_by(batch.owner)
        .filter(is_full=False, exclude_from_recommendations=False)
        .filter(**dict.fromkeys(LIMITS))
        .annotate(own=Coalesce(Subquery(own), 0))
        .filter(item_count=F("own"))
        .order_by(
            Case(When(pk__in=given, then=Value(0)), default=Value(1)), "-own", "sort_key", "pk"
        )
        .values_list("pk", flat=True)
        .first()
    )
    return found


def _stow(
    batch: Batch, lines: Sequence[StowLine], override_reason: str, by: User, now: dt.datetime
) -> StowResult:
    if not lines:
        return StowResult()
    return stow_into(
        owner=batch.owner, lines=lines, by=by, now=now, override_reason=override_reason
    )


def _stow_all_or_none(
    batch: Batch,
    lines: Sequence[StowLine],
    by_id: Mapping[int, BatchItem],
    results: ItemResults,
    override_reason: str,
    by: User,
    now: dt.datetime,
) -> None:
    held_back = [by_id[line.cause_id or 0] for line in lines]
    refusals: dict[int, DomainError] = {}
    if not results.failed:
        try:
            with transaction.atomic():
                result = _stow(batch, lines, override_reason, by, now)
                if result.refused:
                    raise _Refused(result)
                _take_over(result, by_id, results, now)
                return
        except _Refused as refused:
            refusals = _refusals_in_sum(refused.result)
    for item in held_back:
        results.refuse(item, refusals.get(item.pk, HELD_BACK))


class _Refused(Exception):
    """Rolls back the items stowed beside a refused line."""

    def __init__(self, result: StowResult) -> None:
        super().__init__()
        self.result = result


def _refusals_in_sum(result: StowResult) -> dict[int, DomainError]:
    """Return item id -> reason for all items of each location that refused one of them.

    The service checked each line after the lines before it. Since none is stowed, the reasons
    name the sum of all lines instead.
    """
    full = {
        line.line.location_id: line.refusal
        for line in reversed(result.refused)
        if isinstance(line.refusal, LocationFull)
    }
    rooms = Location.objects.in_bulk(list(full))
    told = {refused.line.cause_id or 0: refused.refusal for refused in result.refused}
    meant = [one.line for one in result.stowed] + [one.line for one in result.refused]
    for pk, refusal in full.items():
        in_sum = location_full(
            rooms[pk], [_in_sum(rooms[pk], reason, pk, result) for reason in refusal.reasons]
        )
        told |= {line.cause_id or 0: in_sum for line in meant if line.location_id == pk}
    return told


def _in_sum(room: Location, reason: Reason, pk: int, result: StowResult) -> Reason:
    if reason.limit is LimitKind.MAX_ITEM_COUNT:
        left = Decimal(max(available_item_count(room) or 0, 0))
    elif reason.limit is LimitKind.MAX_TOTAL_WEIGHT:
        left = max(available_weight(room) or Decimal(0), Decimal(0))
    else:
        return reason
    wanted = sum(
        (
            same.wanted
            for one in result.refused
            if one.line.location_id == pk and isinstance(one.refusal, LocationFull)
            for same in one.refusal.reasons
            if same.limit is reason.limit
        ),
        start=left - reason.room,
    )
    return Reason(reason.limit, left, wanted)


def _take_over(
    result: StowResult, by_id: Mapping[int, BatchItem], results: ItemResults, now: dt.datetime
) -> None:
    """Write into the items where they went."""
    stamp = instant_text(now)
    update_rows(
        BatchItem,
        (
            "inventory_item_id",
            "location_id",
            "is_stowed",
            "is_stowed_pending",
            "failure",
            "stowed_at",
            "updated_at",
        ),
        [
            (one.line.cause_id, one.item_id, one.line.location_id, True, False, "", stamp, stamp)
            for one in result.stowed
        ],
    )
    for one in result.stowed:
        item = by_id[one.line.cause_id or 0]
        results.done.append(item.pk)
        changed = {
            "inventory_item_id": one.item_id,
            "location_id": one.line.location_id,
            "is_stowed": True,
            "failure": "",
            "stowed_at": now,
        }
        image = changed_row(item, changed, beside=(*FOLLOWED_BY_STOCK, *LISTED))
        results.images.append(image | {"movement": one.movement_id})
    results.weight_unknown += [line.cause_id or 0 for line in result.weight_unknown]
    for refused in result.refused:
        item = by_id[refused.line.cause_id or 0]
        results.refuse(item, refused.refusal)

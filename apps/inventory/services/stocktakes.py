"""Count a location by hand: start, count, review and apply. A count can be resumed later."""

import copy
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.catalog.selectors.same_lots import same_lots
from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import claim, lock_in_order
from apps.core.errors import Invalid, StateConflict, UnknownReference
from apps.inventory.models import (
    CauseKind,
    InventoryItem,
    Reason,
    Stocktake,
    StocktakeCount,
    StocktakeState,
)
from apps.inventory.rules.stacking import Stacks, remarks_in, stack_key
from apps.inventory.services._images import Images
from apps.inventory.services._ledger import Why
from apps.inventory.services._stock import catalogue_weights, lock_stock, piece_grams_of
from apps.inventory.services._work import NewRow, StockWork
from apps.inventory.services.acts import begin_act, keep
from apps.inventory.services.edits import LARGEST_QUANTITY
from apps.locations.models import Location
from apps.lots.models import ActKind, KeptAct

AT_ONCE: Final = 500
KEEP: Final = "keep"
MISSING: Final = "missing"


class StocktakeClosed(StateConflict):
    message = "This stocktake was {state} already."


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The count of a row, or of a lot without a row. None removes a count."""

    counted: int | None
    item_id: int | None = None
    lot_id: int | None = None
    condition: str = "U"


def start_stocktake(*, owner: User, location: Location) -> Stocktake:
    """Return the location's open stocktake, begun now if there is none."""
    try:
        with transaction.atomic():
            return Stocktake.objects.create(owner=owner, location=location)
    except IntegrityError:
        return Stocktake.objects.get(location=location, state=StocktakeState.OPEN)


@transaction.atomic
def record_counts(*, stocktake: Stocktake, counts: Sequence[Count], now: dt.datetime) -> None:
    """Store counts, replacing earlier counts of the same rows. The stock does not change.

    Raises Invalid for rows in other locations and for lots missing from the catalogue, and
    StocktakeClosed.
    """
    if not 1 <= len(counts) <= AT_ONCE:
        raise Invalid(fields={"counts": [f"must be 1 to {AT_ONCE}"]})
    _hold_open(stocktake)
    seen = dict(
        InventoryItem.objects.owned_by(stocktake.owner)
        .at(stocktake.location_id)
        .filter(pk__in=[one.item_id for one in counts if one.item_id is not None])
        .values_list("pk", "quantity")
    )
    _check(counts, seen, stocktake.owner)
    before = {
        (row.item_id, row.lot_id if row.item_id is None else None, row.condition): row.pk
        for row in StocktakeCount.objects.filter(stocktake=stocktake)
    }
    conditions = {key[0]: key[2] for key in before if key[0] is not None}
    gone: list[int] = []
    changed: dict[int, tuple[Any, ...]] = {}
    new: dict[tuple[Any, ...], StocktakeCount] = {}
    for one in counts:
        condition = conditions.get(one.item_id, one.condition) if one.item_id else one.condition
        key = (one.item_id, None if one.item_id else one.lot_id, condition)
        pk = before.get(key)
        if one.counted is None:
            new.pop(key, None)
            if pk is not None:
                gone.append(pk)
        elif pk is not None:
            changed[pk] = (pk, one.counted, seen.get(one.item_id or 0, 0), instant_text(now))
        else:
            new[key] = StocktakeCount(
                stocktake=stocktake,
                item_id=one.item_id,
                lot_id=None if one.item_id else one.lot_id,
                condition=condition,
                counted=one.counted,
                seen=seen.get(one.item_id or 0, 0),
                counted_at=now,
            )
    StocktakeCount.objects.filter(pk__in=gone).delete()
    update_rows(StocktakeCount, ("counted", "seen", "counted_at"), list(changed.values()))
    StocktakeCount.objects.bulk_create(new.values())
    Stocktake.objects.filter(pk=stocktake.pk).update(updated_at=now)


@transaction.atomic
def apply_stocktake(
    *, stocktake: Stocktake, uncounted: str, note: str, by: User, now: dt.datetime
) -> KeptAct | None:
    """Book the differences. Return the act that can undo them, None if there are none.

    Uncounted rows stay, or are set to 0 if `uncounted` is MISSING. Movements after a row was
    counted are not differences. Rows that left the location are skipped. The location's limits
    are not checked, since the pieces were counted there. Raises Invalid, StocktakeClosed.
    """
    if uncounted not in (KEEP, MISSING):
        raise Invalid(fields={"uncounted": [f"must be {KEEP} or {MISSING}"]})
    _hold_open(stocktake)
    counts = list(StocktakeCount.objects.filter(stocktake=stocktake))
    here = InventoryItem.objects.owned_by(stocktake.owner).at(stocktake.location_id)
    ids = set(here.values_list("pk", flat=True))
    items, locations = lock_stock(
        owner=stocktake.owner, item_ids=ids, location_ids=[stocktake.location_id]
    )
    act = begin_act(owner=stocktake.owner, kind=ActKind.COUNT, by=by, note=note)
    why = Why(by, now, Reason.COUNT, CauseKind.ACT, note)
    booking = _Booking(stocktake, items, locations, act, why)
    booking.differences(counts, uncounted)
    booking.found([count for count in counts if count.item_id is None and count.counted])
    moved = booking.write()
    if moved:
        keep(act, booking.kept())
    else:
        act.delete()
    done = Stocktake.objects.filter(pk=stocktake.pk)
    done.update(
        state=StocktakeState.APPLIED,
        note=note,
        applied_at=now,
        updated_at=now,
        act=act if moved else None,
    )
    return act if moved else None


def discard_stocktake(*, stocktake: Stocktake, now: dt.datetime) -> None:
    """End a stocktake with nothing booked. Raises StocktakeClosed."""
    rows = Stocktake.objects.filter(pk=stocktake.pk)
    closing = {"state": StocktakeState.DISCARDED, "updated_at": now}
    if not claim(rows, where={"state": StocktakeState.OPEN}, set=closing):
        raise StocktakeClosed(state=rows.values_list("state", flat=True).get())


class _Booking(StockWork):
    """Differences worked out on locked rows, then written at once."""

    def __init__(
        self,
        stocktake: Stocktake,
        items: Mapping[int, InventoryItem],
        locations: Mapping[int, Location],
        act: KeptAct,
        why: Why,
    ) -> None:
        super().__init__(stocktake.owner, why.now, images=Images())
        self.why = why
        self.location = locations[stocktake.location_id]
        self.items = {
            pk: row for pk, row in items.items() if row.location_id == stocktake.location_id
        }
        self.act = act

    def differences(self, counts: Sequence[StocktakeCount], uncounted: str) -> None:
        counted = {count.item_id: count for count in counts if count.item_id is not None}
        for pk, row in sorted(self.items.items()):
            count = counted.get(pk)
            if count is not None:
                self._count(row, max(count.counted - count.seen, -row.quantity))
            elif uncounted == MISSING:
                self._count(row, -row.quantity)

    def found(self, counts: Sequence[StocktakeCount]) -> None:
        """Add lots that were found but not expected to a matching row here, or to a new row.

        A new row takes price and texts from the owner's newest row of the lot.
        """
        lots = [count.lot_id for count in counts]
        same = same_lots(lots)
        weights = catalogue_weights(lots)
        known: dict[tuple[Any, ...], InventoryItem] = {}
        if lots:
            elsewhere = InventoryItem.objects.owned_by(self.owner).filter(lot_id__in=same)
            for row in elsewhere.order_by("pk"):
                known[(same.get(row.lot_id or 0), row.condition)] = row
        rows = Stacks[InventoryItem]()
        for _, row in sorted(self.items.items()):
            rows.add(stack_key(row, same=same), row)
        for count in counts:
            like = known.get((same.get(count.lot_id or 0), count.condition))
            fields = copy.copy(like) if like else InventoryItem()
            fields.lot_id, fields.condition = count.lot_id, count.condition
            fields.marketplace_lot_id = None
            fields.remarks = remarks_in("", was="", becomes=self.location.name)
            there = rows.find(stack_key(fields, same=same), fields.price)
            if there is not None:
                self._count(there, count.counted)
            else:
                grams = piece_grams_of(fields, weights)
                new = NewRow(fields, self.location.pk, fields.remarks, grams)
                self.make(new)
                self.add(self.why, new, count.counted, self.act.pk)

    def _count(self, row: InventoryItem, delta: int) -> None:
        delta = min(delta, LARGEST_QUANTITY - row.quantity)
        if delta:
            self.see(row)
            self.add(self.why, row, delta, self.act.pk)


def _hold_open(stocktake: Stocktake) -> None:
    """Lock the stocktake; raise StocktakeClosed unless it is open."""
    (row,) = lock_in_order(Stocktake.objects.filter(pk=stocktake.pk))
    if row.state != StocktakeState.OPEN:
        raise StocktakeClosed(state=row.state)


def _check(counts: Sequence[Count], here: Mapping[int, int], owner: User) -> None:
    problems: dict[str, list[str]] = {}
    unknown: dict[str, list[str]] = {}
    lots = {one.lot_id for one in counts if one.item_id is None and one.lot_id is not None}
    visible = Lot.objects.visible_to(owner).filter(pk__in=lots)
    known = set(visible.values_list("pk", flat=True)) if lots else set()
    for index, one in enumerate(counts):
        if one.counted is not None and not 0 <= one.counted <= LARGEST_QUANTITY:
            problems[f"counts.{index}.counted"] = [f"must be from 0 to {LARGEST_QUANTITY}"]
        if (one.item_id is None) == (one.lot_id is None):
            problems[f"counts.{index}"] = ["must name either item_id or lot_id"]
        elif one.item_id is not None and one.item_id not in here:
            unknown[f"counts.{index}.item_id"] = ["is not in this location"]
        elif one.item_id is None and one.lot_id not in known:
            unknown[f"counts.{index}.lot_id"] = ["is not in the catalogue"]
    if problems:
        raise Invalid(fields=problems | unknown)
    if unknown:
        raise UnknownReference(fields=unknown)

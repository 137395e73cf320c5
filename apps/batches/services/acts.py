"""Acts on the items of batches: kept, and taken back."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.batches.models import ITEM_COLUMNS, ActKind, Batch, BatchAct, BatchItem
from apps.batches.selectors import activity_of
from apps.batches.services._stock import FOLLOWED_BY_STOCK, Carried, carry_many
from apps.batches.services.batches import BatchIsArchived, BatchIsBusy, in_open_listings
from apps.batches.services.items import ItemMayBeListed
from apps.core.bulk import insert_rows, plain, write_changes
from apps.core.concurrency import lock_ids_in_order
from apps.inventory.services.returns import pull_back, put_back
from apps.locations.models import Location
from apps.lots.services.acts import RowsChangedSince, Undo, changed_since, claim_undo
from apps.lots.services.images import Kept, is_as_left, values_of

_NEW: Final = BatchItem()
_Locked = tuple[Mapping[int, BatchItem], Mapping[int, Batch]]


def act_of(
    batch_id: int,
    kind: ActKind,
    rows: Sequence[Kept],
    *,
    owner: User,
    by: User,
    note: str = "",
    batches: Sequence[Kept] = (),
) -> BatchAct:
    """Return an act, not yet stored, that keeps these rows for its undo."""
    count = len(rows)
    return BatchAct(
        owner=owner,
        batch_id=batch_id,
        kind=kind,
        note=note or f"{count:,} {'lot' if count == 1 else 'lots'} {kind.label}",
        item_count=count,
        rows=list(rows),
        batches=list(batches),
        by=by,
    )


@transaction.atomic
def undo_act(*, act: BatchAct, by: User, now: dt.datetime) -> BatchAct:
    """Restore all items and batches to their state before the act, or none of them.

    The stock of stowed items is restored too: removed pieces return to their rows, and added
    pieces leave theirs. Raises ActUndone, RowsChangedSince, BatchIsArchived, BatchIsBusy,
    ItemMayBeListed, LocationFull, NotEnoughInStock; then nothing is changed.
    """
    # Items, batches, and only then the act: deleting a batch locks in that order.
    items = lock_ids_in_order(
        BatchItem, [row["id"] for row in act.rows if row["after"] is not None]
    )
    batches = _opened(act)
    claim_undo(act, now=now)
    busy = activity_of(owner=act.owner, batch_ids=[act.batch_id]).get(act.batch_id, {})
    if busy.keys() - {"isExporting"}:
        raise BatchIsBusy(name=batches[act.batch_id].name)
    _UndoAct(act, (items, batches), by, now).at_once()
    return act


class _UndoAct(Undo[BatchAct, _Locked]):
    """Gives items and batches back what they had; stock follows stowed items."""

    def __init__(self, act: BatchAct, locked: _Locked, by: User, now: dt.datetime) -> None:
        self.act = act
        self.locked = locked
        self.by = by
        self.now = now

    def chunks(self) -> Sequence[BatchAct]:
        return [self.act]

    def nouns(self, chunk: BatchAct) -> tuple[str, str]:
        return "item", "items"

    def ids(self, chunk: BatchAct) -> Collection[int]:
        return [row["id"] for row in chunk.rows]

    def lock(self, chunk: BatchAct) -> _Locked:
        return self.locked  # before the act itself

    def changed(self, chunk: BatchAct, locked: _Locked) -> list[int]:
        return changed_since(chunk.rows, locked[0])

    def restore(self, act: BatchAct, locked: _Locked, left: Collection[int]) -> None:
        items, batches = locked
        _check_batches(act, batches)
        edited = {
            row["id"]: values_of(BatchItem, row["before"])
            for row in act.rows
            if row["before"] is not None and row["after"] is not None
        }
        forget_places_that_are_gone(act.owner, edited.values())
        _carry_back(act, items, edited, self.by, self.now)
        if movements := [row["movement"] for row in act.rows if "movement" in row]:
            if act.kind == ActKind.STOW:
                _check_not_offered(items)
                pull_back(owner=act.owner, movement_ids=movements, by=self.by, now=self.now)
            else:
                put_back(owner=act.owner, movement_ids=movements, by=self.by, now=self.now)
        write_changes(BatchItem, edited.items(), now=self.now)
        insert_images(act.owner, [row["before"] for row in act.rows if row["after"] is None])
        made = [row["id"] for row in act.rows if row["before"] is None]
        BatchItem.objects.filter(pk__in=made).delete()
        for row in act.batches:
            if row["before"] is None:
                _delete_if_empty(row["id"])
            else:
                write_changes(Batch, [(row["id"], values_of(Batch, row["before"]))], now=self.now)


def _opened(act: BatchAct) -> dict[int, Batch]:
    """Lock the batches that the act is about. One that the act itself archived may be so."""
    ids = {act.batch_id, *(row["id"] for row in act.batches)}
    for row in act.rows:
        for image in (row["before"], row["after"]):
            ids |= {(image or {}).get("batch_id", act.batch_id)}
    found = lock_ids_in_order(Batch, ids)
    archived = {row["id"] for row in act.batches if row["after"].get("is_archived")}
    for batch in found.values():
        if batch.is_archived and batch.pk not in archived:
            raise BatchIsArchived(name=batch.name)
    return found


def _check_batches(act: BatchAct, batches: Mapping[int, Batch]) -> None:
    for row in act.batches:
        batch = batches.get(row["id"])
        if row["before"] is None:
            continue
        if not is_as_left(batch, row["after"]):
            noun = "batch was" if batch is None else f"batch, “{batch.name}”, was"
            raise RowsChangedSince(count=1, noun=noun, data=[])
    gone = {
        row["before"]["batch_id"]
        for row in act.rows
        if row["before"] and row["before"].get("batch_id", act.batch_id) not in batches
    }
    if gone:
        raise RowsChangedSince(count=len(gone), noun="batch was deleted, or", data=[])


def _check_not_offered(items: Mapping[int, BatchItem]) -> None:
    """Refuse items that may be for sale on the marketplace. Raises ItemMayBeListed."""
    if in_open_listings(BatchItem.objects.filter(pk__in=list(items))):
        raise ItemMayBeListed


def _carry_back(
    act: BatchAct,
    items: Mapping[int, BatchItem],
    edited: dict[int, dict[str, Any]],
    by: User,
    now: dt.datetime,
) -> None:
    carried = {}
    for pk, changed in edited.items():
        if items[pk].is_stowed and changed.get("is_stowed", True):
            if FOLLOWED_BY_STOCK & changed.keys():
                # Looked up again: the former row may now hold pieces of other items.
                changed.pop("inventory_item_id", None)
            carried[pk] = Carried(item=items[pk], changed=changed)
    refused = carry_many(owner=act.owner, carried=carried, by=by, now=now)
    for refusal in refused.values():
        raise refusal


def _delete_if_empty(pk: int) -> None:
    """Delete a batch that the act made, unless something else came into it."""
    if not BatchItem.objects.filter(batch_id=pk).exists():
        Batch.objects.filter(pk=pk).delete()


def insert_images(owner: User, images: Iterable[Kept]) -> None:
    """Insert items as they were, with the ids that they had."""
    # A column that is younger than the image is as it is in a new row.
    new = {name: getattr(_NEW, name) for name in ITEM_COLUMNS}
    rows = [new | values_of(BatchItem, image) for image in images]
    if not rows:
        return
    forget_places_that_are_gone(owner, rows)
    columns = ("id", *ITEM_COLUMNS)
    insert_rows(BatchItem, columns, [[plain(row[name]) for name in columns] for row in rows])


def forget_places_that_are_gone(owner: User, rows: Collection[Kept]) -> None:
    """Clear planned locations that were deleted since, as their deleting does."""
    wanted = {row["location_id"] for row in rows if row.get("location_id") is not None}
    if not wanted:
        return
    there = set(Location.objects.owned_by(owner).filter(pk__in=wanted).values_list("pk", flat=True))
    for row in rows:
        if row.get("location_id") is not None and row["location_id"] not in there:
            row["location_id"] = None

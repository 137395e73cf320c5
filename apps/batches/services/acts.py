"""Acts on the items of batches: kept, and taken back."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.db import models, transaction
from django.db.models import Q

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem, KeptPhoto
from apps.batches.selectors import activity_of
from apps.batches.services._stock import FOLLOWED_BY_STOCK, Carried, carry_many
from apps.batches.services.batches import BatchIsArchived, BatchIsBusy, in_open_listings
from apps.batches.services.items import ItemMayBeListed
from apps.core.bulk import update_rows, write_changes
from apps.core.concurrency import lock_ids_in_order, lock_in_order
from apps.inventory.services.returns import pull_back, put_back
from apps.locations.models import Location
from apps.lots.models import ActChunk, ActKind, KeptAct
from apps.lots.services.acts import RowsChangedSince, changed_since, claim_undo, refuse_changed
from apps.lots.services.images import Kept, is_as_left, values_of

ITEMS: Final = "batches.BatchItem"
BATCHES: Final = "batches.Batch"


def keep_acts(
    kind: ActKind,
    rows: Mapping[int, Sequence[Kept]],
    *,
    owner: User,
    by: User,
    note: str = "",
    batches: Sequence[Kept] = (),
) -> list[KeptAct]:
    """Keep rows as an act of each batch that can be undone, and delete those that it deletes.

    `batches` are rows of batches that the one act changed too. Photos of deleted items go for good.
    """
    acts = KeptAct.objects.bulk_create(
        KeptAct(
            owner=owner,
            batch_id=batch_id,
            kind=kind,
            note=note or _note(kind, len(some)),
            row_count=len(some),
            by=by,
        )
        for batch_id, some in rows.items()
    )
    kept = list(zip(acts, rows.values(), strict=True))
    chunks = [
        ActChunk(act=act, number=0, table=ITEMS, rows=list(some)) for act, some in kept if some
    ]
    if batches:
        chunks.append(ActChunk(act=acts[0], number=1, table=BATCHES, rows=list(batches)))
    ActChunk.objects.bulk_create(chunks)
    gone = [(row["id"], act.pk) for act, some in kept for row in some if row["after"] is None]
    if gone:
        KeptPhoto.objects.filter(item__in=[pk for pk, _ in gone]).delete()
        update_rows(BatchItem, ("deleted_in_id",), gone)
    return acts


def _note(kind: ActKind, count: int) -> str:
    if kind is ActKind.EDIT:
        return f"{count:,} {'item' if count == 1 else 'items'} changed"
    return f"{count:,} {'lot' if count == 1 else 'lots'} {kind.label}"


def acts_named(batch_id: int, act_ids: Collection[int]) -> models.QuerySet[KeptAct]:
    """Return the acts of a batch with these ids, or with the ids that 0.2.0 gave them."""
    named = Q(pk__in=act_ids) | Q(former_id__in=act_ids)
    return KeptAct.objects.filter(named, batch_id=batch_id)


def rows_of(act: KeptAct, table: str = ITEMS) -> list[Kept]:
    """Return the rows of a table that an act keeps."""
    chunks = ActChunk.objects.filter(act=act, table=table).order_by("number")
    return [row for rows in chunks.values_list("rows", flat=True) for row in rows]


@transaction.atomic
def undo_act(*, act: KeptAct, by: User, now: dt.datetime) -> KeptAct:
    """Restore all items and batches to their state before the act, or none of them.

    The stock of stowed items is restored too: removed pieces return to their rows, and added
    pieces leave theirs. Items that were brought back since stay. Raises ActUndone,
    RowsChangedSince, BatchIsArchived, BatchIsBusy, ItemMayBeListed, LocationFull,
    NotEnoughInStock; then nothing is changed.
    """
    assert act.batch_id is not None
    rows, of_batches = rows_of(act), rows_of(act, BATCHES)
    # Items, batches, and only then the act: deleting a batch locks in that order.
    named = BatchItem.with_deleted.filter(pk__in=[row["id"] for row in rows])
    items = {item.pk: item for item in lock_in_order(named)}
    there = {pk: item for pk, item in items.items() if item.deleted_in_id is None}
    batches = _opened(act, items, rows, of_batches)
    claim_undo(act, now=now)
    busy = activity_of(owner=act.owner, batch_ids=[act.batch_id]).get(act.batch_id, {})
    if busy.keys() - {"isExporting"}:
        raise BatchIsBusy(name=batches[act.batch_id].name)
    gone = [row["id"] for row in rows if row["id"] not in items]
    refuse_changed(sorted({*gone, *changed_since(rows, there)}), ("item", "items"))
    _check_batches(act, rows, of_batches, batches)
    _restore(act, [row for row in rows if row["after"] or row["id"] not in there], items, by, now)
    for row in of_batches:
        if row["before"] is None:
            _delete_if_empty(row["id"])
        else:
            write_changes(Batch, [(row["id"], values_of(Batch, row["before"]))], now=now)
    return act


def _restore(
    act: KeptAct, rows: Sequence[Kept], items: Mapping[int, BatchItem], by: User, now: dt.datetime
) -> None:
    """Give locked items back what they had; stock follows stowed ones."""
    edited = {row["id"]: values_of(BatchItem, row["before"]) for row in rows if row["before"]}
    _forget_places_that_are_gone(act.owner, edited.values())
    _carry_back(act, items, edited, by, now)
    if movements := [row["movement"] for row in rows if "movement" in row]:
        if act.kind == ActKind.STOW:
            _check_not_offered(items)
            pull_back(owner=act.owner, movement_ids=movements, by=by, now=now)
        else:
            put_back(owner=act.owner, movement_ids=movements, by=by, now=now)
    BatchItem.with_deleted.filter(deleted_in=act).update(deleted_in=None)
    write_changes(BatchItem, edited.items(), now=now)
    BatchItem.objects.filter(pk__in=[row["id"] for row in rows if row["before"] is None]).delete()


def _opened(
    act: KeptAct, items: Mapping[int, BatchItem], rows: Sequence[Kept], of_batches: Sequence[Kept]
) -> dict[int, Batch]:
    """Lock the batches that the act is about. One that the act itself archived may be so."""
    ids = {act.batch_id, *(row["id"] for row in of_batches)}
    ids |= {item.batch_id for item in items.values()}
    ids |= {(row["before"] or {}).get("batch_id", act.batch_id) for row in rows}
    found = lock_ids_in_order(Batch, ids)
    archived = {row["id"] for row in of_batches if row["after"].get("is_archived")}
    for batch in found.values():
        if batch.is_archived and batch.pk not in archived:
            raise BatchIsArchived(name=batch.name)
    return found


def _check_batches(
    act: KeptAct,
    rows: Sequence[Kept],
    of_batches: Sequence[Kept],
    batches: Mapping[int, Batch],
) -> None:
    for row in of_batches:
        batch = batches.get(row["id"])
        if row["before"] is None:
            continue
        if not is_as_left(batch, row["after"]):
            noun = "batch was" if batch is None else f"batch, “{batch.name}”, was"
            raise RowsChangedSince(count=1, noun=noun, data=[])
    gone = {
        row["before"]["batch_id"]
        for row in rows
        if row["before"] and row["before"].get("batch_id", act.batch_id) not in batches
    }
    if gone:
        raise RowsChangedSince(count=len(gone), noun="batch was deleted, or", data=[])


def _check_not_offered(items: Mapping[int, BatchItem]) -> None:
    """Refuse items that may be for sale on the marketplace. Raises ItemMayBeListed."""
    if in_open_listings(BatchItem.objects.filter(pk__in=list(items))):
        raise ItemMayBeListed


def _carry_back(
    act: KeptAct,
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


def _forget_places_that_are_gone(owner: User, rows: Collection[Kept]) -> None:
    """Clear planned locations that were deleted since, as their deleting does."""
    wanted = {row["location_id"] for row in rows if row.get("location_id") is not None}
    if not wanted:
        return
    there = set(Location.objects.owned_by(owner).filter(pk__in=wanted).values_list("pk", flat=True))
    for row in rows:
        if row.get("location_id") is not None and row["location_id"] not in there:
            row["location_id"] = None

"""Undo an act on a batch's items."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.batches.models import ActKind, Batch, BatchAct, BatchItem
from apps.batches.selectors import activity_of
from apps.batches.services._deleted import forget_places_that_are_gone, insert_images
from apps.batches.services._stock import FOLLOWED_BY_STOCK, Carried, carry_many
from apps.batches.services._writing import image_of, value_of, write_items
from apps.batches.services.batches import BatchIsArchived, BatchIsBusy, in_open_listings
from apps.batches.services.items import ItemMayBeListed
from apps.core.concurrency import lock_ids_in_order
from apps.inventory.services.returns import pull_back, put_back
from apps.lots.services.acts import RowsChangedSince, changed_since, claim_undo, refuse_changed


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
    _check_as_left(act, items, batches)
    edited = {
        row["id"]: {name: value_of(BatchItem, name, kept) for name, kept in row["before"].items()}
        for row in act.rows
        if row["before"] is not None and row["after"] is not None
    }
    forget_places_that_are_gone(act.owner, edited.values())
    _carry_back(act, items, edited, by, now)
    if movements := [row["movement"] for row in act.rows if "movement" in row]:
        if act.kind == ActKind.STOW:
            _check_not_offered(items)
            pull_back(owner=act.owner, movement_ids=movements, by=by, now=now)
        else:
            put_back(owner=act.owner, movement_ids=movements, by=by, now=now)
    write_items(((items[pk], changed) for pk, changed in edited.items()), now)
    insert_images(act.owner, [row["before"] for row in act.rows if row["after"] is None])
    made = [row["id"] for row in act.rows if row["before"] is None]
    BatchItem.objects.filter(pk__in=made).delete()
    for row in act.batches:
        if row["before"] is None:
            _delete_if_empty(row["id"])
        else:
            before = {name: value_of(Batch, name, kept) for name, kept in row["before"].items()}
            Batch.objects.filter(pk=row["id"]).update(**before, updated_at=now)
    return act


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


def _check_as_left(
    act: BatchAct, items: Mapping[int, BatchItem], batches: Mapping[int, Batch]
) -> None:
    refuse_changed(changed_since(act.rows, items, image_of), one="item", many="items")
    for row in act.batches:
        batch = batches.get(row["id"])
        if row["before"] is None:
            continue
        if batch is None or image_of(batch, row["after"]) != row["after"]:
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
    stowed = {}
    for pk, changed in edited.items():
        stays = items[pk].is_stowed and changed.get("is_stowed", True)
        if stays and FOLLOWED_BY_STOCK & changed.keys():
            # The stock row is looked up again: the former row may now hold pieces of other items.
            changed.pop("inventory_item_id", None)
            stowed[pk] = Carried(item=items[pk], changed=changed)
    if not stowed:
        return
    result = carry_many(owner=act.owner, carried=stowed, by=by, now=now)
    for refusal in result.refused.values():
        raise refusal
    for pk, columns in result.columns.items():
        edited[pk] |= columns


def _delete_if_empty(pk: int) -> None:
    """Delete a batch that the act made, unless something else came into it."""
    if not BatchItem.objects.filter(batch_id=pk).exists():
        Batch.objects.filter(pk=pk).delete()

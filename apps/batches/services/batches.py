"""Make, edit, archive and delete batches."""

import datetime as dt
from collections.abc import Collection
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.batches.selectors import activity_of
from apps.core.concurrency import claim, hold_ids_in_order, lock_ids_in_order
from apps.core.errors import NotFound, StateConflict
from apps.sources.models import Source

TRIES: Final = 5

EDITABLE = frozenset(
    {"name", "description", "source", "cost_total", "gross_weight_grams", "foreign_count"}
)


class BatchIsArchived(StateConflict):
    """Archived batches are read-only until they are restored."""

    message = "The batch “{name}” is archived. Restore it to change it."


class BatchIsBusy(StateConflict):
    """A job works on the batch; its items are not pulled from under it."""

    message = "The batch “{name}” is being worked on. Wait for it or cancel it first."


class ItemsBeingAdded(StateConflict):
    """Others kept adding items; nothing was changed."""

    message = "Others are adding to the batch “{name}” right now. Please try again."


class ListingNotKnown(StateConflict):
    """The outcome of a listing of these items is unknown. They are kept until it is known."""

    message = (
        "{lots} of the batch “{name}” may be for sale already: the marketplace did not answer. "
        "List them again, which asks the store; then delete the batch."
    )


class BatchNotEmpty(StateConflict):
    message = (
        "The batch “{name}” has {lots} lots. Type its name to delete it with them; "
        "what is stowed stays in stock."
    )


def create_batch(
    *,
    owner: User,
    name: str,
    description: str = "",
    source: Source | None = None,
    cost_total: Decimal | None = None,
    gross_weight_grams: Decimal | None = None,
    foreign_count: int | None = None,
) -> Batch:
    """Make an empty batch."""
    return Batch.objects.create(
        owner=owner,
        name=name,
        description=description,
        source=source,
        cost_total=cost_total,
        gross_weight_grams=gross_weight_grams,
        foreign_count=foreign_count,
    )


@transaction.atomic
def edit_batch(*, batch: Batch, changes: dict[str, Any]) -> Batch:
    """Change some of a batch's own fields. Raises BatchIsArchived, nothing changed."""
    if unknown := set(changes) - EDITABLE:
        raise ValueError(f"not fields of a batch: {sorted(unknown)}")
    batch = open_batch(batch)
    for field, value in changes.items():
        setattr(batch, field, value)
    batch.save(update_fields=[*changes, "updated_at"])
    return batch


def archive_batch(*, batch: Batch, now: dt.datetime) -> None:
    """Make a batch read-only and take it off the default list; once is enough."""
    claim(
        Batch.objects.filter(pk=batch.pk),
        where={"is_archived": False},
        set={"is_archived": True, "archived_at": now, "updated_at": now},
    )


def restore_batch(*, batch: Batch, now: dt.datetime) -> None:
    """Bring an archived batch back; once is enough."""
    claim(
        Batch.objects.filter(pk=batch.pk),
        where={"is_archived": True},
        set={"is_archived": False, "archived_at": None, "updated_at": now},
    )


class _ItemsCame(Exception):
    """Items were added between our look and our lock."""


def delete_batch(*, batch: Batch, typed_name: str = "") -> None:
    """Delete an empty batch, or one whose name was typed. Stowed pieces remain in stock.

    Raises BatchNotEmpty, BatchIsArchived, BatchIsBusy, ListingNotKnown, ItemsBeingAdded; then
    nothing is deleted.
    """
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                return _delete(batch, typed_name)
        except _ItemsCame:
            continue
    raise ItemsBeingAdded(name=batch.name)


def _delete(batch: Batch, typed_name: str) -> None:
    items = BatchItem.with_deleted.filter(batch=batch)
    ids = set(items.values_list("pk", flat=True))
    hold_ids_in_order(BatchItem, ids)
    batch = open_batches([batch.pk], to_delete=True)[batch.pk]
    acts = dict(items.values_list("pk", "deleted_in"))
    if acts.keys() - ids:
        raise _ItemsCame
    there = [pk for pk, act_id in acts.items() if act_id is None]
    if there and typed_name != batch.name:
        raise BatchNotEmpty(name=batch.name, lots=len(there))
    flags = activity_of(owner=batch.owner, batch_ids=[batch.pk]).get(batch.pk, {})
    if flags.keys() - {"isExporting"} or items.filter(is_listed_pending=True).exists():
        raise BatchIsBusy(name=batch.name)
    if unknown := in_open_listings(items):
        lots = f"{len(unknown)} lot{'' if len(unknown) == 1 else 's'}"
        raise ListingNotKnown(lots=lots, name=batch.name)
    items.delete()
    batch.delete()


def in_open_listings(items: QuerySet[Any]) -> set[int]:
    """Return which of these items are in a listing whose outcome is not known yet.

    `listing_lines` leads to `listings`, the app above, which names its lines' items by it.
    """
    open_ones = items.order_by().filter(listing_lines__is_open=True)
    return set(open_ones.values_list("pk", flat=True))


def open_batches(batch_ids: Collection[int], *, to_delete: bool = False) -> dict[int, Batch]:
    """Lock batches and return them as they are now, inside the caller's transaction.

    Everything that changes a batch's items comes through here, after it has locked the
    items, so that nothing lands in a batch that is being archived. Raises
    BatchIsArchived, and NotFound for a batch that is gone.
    """
    found = lock_ids_in_order(Batch, batch_ids, to_delete=to_delete)
    if len(found) != len(set(batch_ids)):
        raise NotFound
    for batch in found.values():
        if batch.is_archived:
            raise BatchIsArchived(name=batch.name)
    return found


def open_batch(batch: Batch) -> Batch:
    """Lock one batch, as `open_batches` does."""
    return open_batches([batch.pk])[batch.pk]

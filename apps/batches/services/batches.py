"""Make, edit, archive and delete batches."""

import datetime as dt
from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.batches.models import Batch, BatchItem
from apps.core.concurrency import claim, lock_ids_in_order
from apps.core.errors import DomainError, ErrorCode, NotFound
from apps.sources.models import Source

EDITABLE = frozenset(
    {"name", "description", "source", "cost_total", "gross_weight_grams", "foreign_count"}
)


class BatchIsArchived(DomainError):
    """Archived batches are read-only until they are restored."""

    code = ErrorCode.CONFLICT
    status = 409
    message = "The batch “{name}” is archived. Restore it to change it."


class BatchNotEmpty(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = (
        "The batch “{name}” has {lots} lots. Type its name to delete it with them; "
        "what is stowed stays in stock."
    )


def create_batch(
    *,
    owner: Any,
    name: str,
    description: str = "",
    source: Source | None = None,
    cost_total: Decimal | None = None,
    gross_weight_grams: Decimal | None = None,
    foreign_count: int | None = None,
) -> Batch:
    """Make an empty batch. 1 query."""
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
    """Change some of a batch's own fields. Raises BatchIsArchived, nothing changed. 2 queries."""
    if unknown := set(changes) - EDITABLE:
        raise ValueError(f"not fields of a batch: {sorted(unknown)}")
    batch = open_batch(batch)
    for field, value in changes.items():
        setattr(batch, field, value)
    batch.save(update_fields=[*changes, "updated_at"])
    return batch


def archive_batch(*, batch: Batch, now: dt.datetime) -> None:
    """Make a batch read-only and take it off the default list; once is enough. 1 query."""
    claim(
        Batch.objects.filter(pk=batch.pk),
        where={"is_archived": False},
        set={"is_archived": True, "archived_at": now, "updated_at": now},
    )


def restore_batch(*, batch: Batch, now: dt.datetime) -> None:
    """Bring an archived batch back; once is enough. 1 query."""
    claim(
        Batch.objects.filter(pk=batch.pk),
        where={"is_archived": True},
        set={"is_archived": False, "archived_at": None, "updated_at": now},
    )


@transaction.atomic
def delete_batch(*, batch: Batch, typed_name: str = "") -> None:
    """Delete an empty batch, or one whose name was typed; what is stowed stays in stock.

    Raises BatchNotEmpty, BatchIsArchived; nothing deleted.
    """
    batch = open_batch(batch)
    lots = BatchItem.objects.filter(batch=batch).count()
    if lots and typed_name != batch.name:
        raise BatchNotEmpty(name=batch.name, lots=lots)
    BatchItem.objects.filter(batch=batch).delete()
    batch.delete()


def open_batches(batch_ids: Collection[int]) -> dict[int, Batch]:
    """Lock batches and return them as they are now, inside the caller's transaction. 1 query.

    Everything that changes a batch's items comes through here, after it has locked the
    items, so that nothing lands in a batch that is being archived. Raises
    BatchIsArchived, and NotFound for a batch that is gone.
    """
    found = lock_ids_in_order(Batch, batch_ids)
    if len(found) != len(set(batch_ids)):
        raise NotFound
    for batch in found.values():
        if batch.is_archived:
            raise BatchIsArchived(name=batch.name)
    return found


def open_batch(batch: Batch) -> Batch:
    """Lock one batch, as `open_batches` does. 1 query."""
    return open_batches([batch.pk])[batch.pk]

"""Deleted items of batches: stored with all their values and restored from them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from apps.batches.models import ActKind, Batch, BatchAct, BatchItem
from apps.batches.services._writing import COLUMNS, plain_of, value_of, whole_image
from apps.batches.services.batches import BatchIsArchived
from apps.core.bulk import insert_rows
from apps.core.concurrency import lock_ids_in_order, lock_in_order
from apps.core.errors import DomainError
from apps.locations.models import Location

# Acts that are searched for deleted items: a page undoes its last ones.
MOST_ACTS: Final = 500
_NEW: Final = BatchItem()


def keep_deleted(*, owner: Any, items: Sequence[BatchItem], by: Any) -> None:
    """Keep items that were just deleted, an act for each batch."""
    by_batch: defaultdict[int, list[BatchItem]] = defaultdict(list)
    for item in items:
        by_batch[item.batch_id].append(item)
    BatchAct.objects.bulk_create(
        BatchAct(
            owner=owner,
            batch_id=batch_id,
            kind=ActKind.REMOVE,
            note=f"{len(some):,} {'lot' if len(some) == 1 else 'lots'} {ActKind.REMOVE.label}",
            item_count=len(some),
            rows=[{"id": one.pk, "before": whole_image(one), "after": None} for one in some],
            by=by,
        )
        for batch_id, some in by_batch.items()
    )


def bring_back(
    *, owner: Any, ids: Collection[int], now: dt.datetime
) -> tuple[set[int], dict[int, DomainError]]:
    """Bring deleted items back with their ids; return which, and why others stay away.

    An item whose pieces left the stock with it comes back only by undoing its act.
    """
    if not ids:
        return set(), {}
    found = _acts_of(owner, ids)
    # Batches before acts, as undoing locks them.
    batches = lock_ids_in_order(Batch, {act.batch_id for act in found})
    images: dict[int, dict[str, Any]] = {}
    closed: dict[int, DomainError] = {}
    for act in lock_in_order(BatchAct.objects.filter(pk__in=[one.pk for one in found])):
        batch = batches.get(act.batch_id)
        if batch is None or act.undone_at is not None:
            continue
        mine = {row["id"]: row["before"] for row in act.rows if row["id"] in ids and _is_whole(row)}
        if batch.is_archived:
            closed |= dict.fromkeys(mine, BatchIsArchived(name=batch.name))
            continue
        images |= mine
        left = [row for row in act.rows if row["id"] not in mine]
        if not left:
            BatchAct.objects.filter(pk=act.pk).update(undone_at=now)
        elif mine:
            # A restored item is not restored again with the others.
            BatchAct.objects.filter(pk=act.pk).update(rows=left, item_count=len(left))
    insert_images(owner, images.values())
    return set(images), closed


def insert_images(owner: Any, images: Iterable[dict[str, Any]]) -> None:
    """Insert items as they were, with the ids that they had."""
    rows = [
        # A column that is younger than the image is as it is in a new row.
        {
            name: value_of(BatchItem, name, image[name]) if name in image else getattr(_NEW, name)
            for name in ("id", *COLUMNS)
        }
        for image in images
    ]
    if not rows:
        return
    forget_places_that_are_gone(owner, rows)
    insert_rows(
        BatchItem,
        ("id", *COLUMNS),
        [[plain_of(name, row[name]) for name in ("id", *COLUMNS)] for row in rows],
    )


def forget_places_that_are_gone(owner: Any, rows: Any) -> None:
    """Clear planned locations that were deleted since, as their deleting does."""
    wanted = {row.get("location_id") for row in rows} - {None}
    if not wanted:
        return
    there = set(Location.objects.owned_by(owner).filter(pk__in=wanted).values_list("pk", flat=True))
    for row in rows:
        if row.get("location_id") is not None and row["location_id"] not in there:
            row["location_id"] = None


def _is_whole(row: dict[str, Any]) -> bool:
    return row["after"] is None and "movement" not in row


def _acts_of(owner: Any, ids: Collection[int]) -> list[BatchAct]:
    """Return the newest acts that deleted these items."""
    acts = BatchAct.objects.owned_by(owner).filter(kind=ActKind.REMOVE, undone_at=None)
    missing = set(ids)
    found = []
    for act in acts.order_by("-pk")[:MOST_ACTS].iterator(chunk_size=20):
        deleted = missing & {row["id"] for row in act.rows if _is_whole(row)}
        if deleted:
            found.append(act)
            missing -= deleted
        if not missing:
            break
    return found

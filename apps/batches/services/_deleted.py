"""Deleted items of batches: stored with all their values and restored from them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, Final

from apps.batches.models import ActKind, Batch, BatchAct, BatchItem
from apps.batches.services.acts import act_of, insert_images
from apps.batches.services.batches import BatchIsArchived
from apps.core.concurrency import lock_ids_in_order, lock_in_order
from apps.core.errors import DomainError
from apps.lots.services.images import Kept, deleted_row

# Acts that are searched for deleted items: a page undoes its last ones.
MOST_ACTS: Final = 500


def keep_deleted(*, owner: Any, items: Sequence[BatchItem], by: Any) -> None:
    """Keep items that were just deleted, an act for each batch."""
    gone: defaultdict[int, list[Kept]] = defaultdict(list)
    for item in items:
        gone[item.batch_id].append(deleted_row(item))
    BatchAct.objects.bulk_create(
        act_of(batch_id, ActKind.REMOVE, rows, owner=owner, by=by)
        for batch_id, rows in gone.items()
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
    images: dict[int, Kept] = {}
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

"""Adds items of a file to a batch and merges them with equal items there."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.batches.models import IN_STATE, Batch, BatchItem
from apps.batches.rules.states import ItemState
from apps.batches.services.acting import MOST, TooManyItems
from apps.batches.services.arranging import Consolidation, consolidate_batch
from apps.batches.services.batches import open_batches
from apps.batches.services.selection import Chosen
from apps.catalog.selectors.same_lots import same_lots
from apps.core.errors import DomainError
from apps.exchange.bsx_around import joined
from apps.inventory.rules.consolidation import group_key

# Items with different planned locations are not merged, so that no plan is lost.
_HOW: Final = Consolidation(also_agree=("location",))
_READ: Final = ("pk", "lot_id", "condition", "sub_condition", "status", "quantity", "location_id")


def join_batch(
    *,
    batch: Batch,
    into: int,
    header: dict[str, Any],
    consolidate: bool,
    by: User,
    now: dt.datetime,
) -> dict[str, Any]:
    """Move the items of a hidden batch to another batch. Return the result for the job.

    With `consolidate`, items equal to new items there are merged with them. If the merge is
    refused, the items remain separate and `not_consolidated` holds the reason. Raises
    BatchIsArchived, and NotFound if the other batch was deleted since.
    """
    alike = _alike(batch, into) if consolidate else []
    BatchItem.objects.filter(batch=batch).update(batch=into, updated_at=now)
    there = open_batches([into])[into]
    there.bsx_header = joined(there.bsx_header, header)
    there.save(update_fields=["bsx_header"])
    batch.delete()
    told: dict[str, Any] = {"batch_id": there.pk, "name": there.name}
    if alike:
        told |= _consolidated(there, alike, by, now)
    return told


def _alike(batch: Batch, into: int) -> list[int]:
    """Return the new items of both batches that equal one of the other."""
    mine = BatchItem.objects.filter(batch=batch, lot_id__isnull=False)
    same = same_lots(mine.order_by().values_list("lot_id", flat=True).distinct())
    theirs = BatchItem.objects.filter(IN_STATE[ItemState.NEW], batch=into, lot_id__among=same)
    brought, there = _keys(mine, same), _keys(theirs, same)
    both = set(brought.values()) & set(there.values())
    return [pk for pk, key in (there | brought).items() if key in both]


def _keys(rows: QuerySet[Any], same: Mapping[int, int]) -> dict[int, tuple[Any, ...]]:
    found = rows.order_by().values_list(*_READ, named=True)
    keys = {row.pk: (group_key(row, same), row.location_id) for row in found.iterator()}
    return {pk: key for pk, key in keys.items() if key[0] is not None}


def _consolidated(batch: Batch, alike: list[int], by: User, now: dt.datetime) -> dict[str, Any]:
    try:
        if len(alike) > MOST:
            raise TooManyItems(most=f"{MOST:,}", count=f"{len(alike):,}")
        acted = consolidate_batch(
            batch=batch,
            chosen=Chosen(item_ids=tuple(alike)),
            how=_HOW,
            dry_run=False,
            by=by,
            now=now,
        )
    except DomainError as refusal:
        return {"not_consolidated": refusal.text}
    reasons = {row["reason"]: None for row in acted.plan.failed}
    return {
        "consolidated": len(acted.plan.removed),
        "act_id": None if acted.act is None else acted.act.pk,
        **({"not_consolidated": " ".join(reasons)} if reasons else {}),
    }

"""What is read of batches beside their own columns: figures, status, what runs."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, Final

from django.db.models import (
    Count,
    DecimalField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce

from apps.batches.models import IN_STATE, Batch, BatchItem
from apps.batches.rules.states import BatchStatus, Figures, ItemState, state_of
from apps.core.jobs.models import Job
from apps.core.money import MONEY, money

# The kinds of jobs that work on a batch, and the flag that each raises while it runs.
# A job names its batch in `payload["batch_id"]`, or several in `batch_ids`. Exports are
# written by the app above.
FLAG_OF_KIND: Final = {
    "batches.stow_items": "isStowing",
    "batches.remove_items": "isRemoving",
    "batches.mark_listed": "isListing",
    "batches.list_items": "isListing",
    "batches.settle_listings": "isListing",
    "batches.plan_store_sync": "isUpdating",
    "batches.apply_store_sync": "isUpdating",
    "batches.edit_items": "isUpdating",
    "exports.write_file": "isExporting",
}
FLAGS: Final = ("isStowing", "isListing", "isExporting", "isRemoving", "isUpdating")

_VALUE = DecimalField(**{**MONEY, "max_digits": 24})


def figures_of(batch_ids: Collection[int]) -> dict[int, Figures]:
    """Return the sums of each of the batches; one without items is left out. 1 query."""
    sums: dict[int, dict[str, Any]] = defaultdict(lambda: {"total_value": Decimal(0)})
    rows = (
        BatchItem.objects.filter(batch_id__in=batch_ids)
        .order_by()
        .values("batch_id", "is_stowed", "is_listed")
        .annotate(
            lots=Count("pk"),
            items=Sum("quantity"),
            value=Sum(F("quantity") * F("price"), output_field=_VALUE),
        )
    )
    for row in rows:
        state = state_of(is_stowed=row["is_stowed"], is_listed=row["is_listed"])
        of_batch = sums[row["batch_id"]]
        of_batch[f"{state}_lots"] = row["lots"]
        of_batch[f"{state}_items"] = row["items"] or 0
        of_batch["total_value"] += money(row["value"] or 0)
    return {batch_id: Figures(**values) for batch_id, values in sums.items()}


def activity_of(*, owner: Any, batch_ids: Collection[int]) -> dict[int, set[str]]:
    """Return which progress flags are up for each batch: a job works on it. 1 query."""
    wanted = set(batch_ids)
    found: dict[int, set[str]] = defaultdict(set)
    running = Job.objects.owned_by(owner).unfinished().filter(kind__in=list(FLAG_OF_KIND))
    for kind, payload in running.values_list("kind", "payload"):
        for batch_id in wanted.intersection(payload.get("batch_ids") or [payload.get("batch_id")]):
            found[batch_id].add(FLAG_OF_KIND[kind])
    return found


def in_status(batches: QuerySet[Batch], status: BatchStatus) -> QuerySet[Batch]:
    """Return the batches with this status. Up to three index probes a batch."""
    has = {state: _has(IN_STATE[state]) for state in ItemState}
    conditions = {
        BatchStatus.EMPTY: ~_has(Q()),
        BatchStatus.NEW: has[ItemState.NEW] & ~has[ItemState.STOWED] & ~has[ItemState.LISTED],
        BatchStatus.IN_PROGRESS: has[ItemState.NEW]
        & (has[ItemState.STOWED] | has[ItemState.LISTED]),
        BatchStatus.STOWED: ~has[ItemState.NEW] & has[ItemState.STOWED],
        BatchStatus.LISTED: ~has[ItemState.NEW] & ~has[ItemState.STOWED] & has[ItemState.LISTED],
    }
    return batches.filter(conditions[status])


def _has(condition: Q) -> Q:
    # The owner, lest PostgreSQL read everybody's items; both states, lest SQLite take the
    # index of the owner's items for a batch's.
    condition = condition or Q(is_listed__in=(False, True))
    items = BatchItem.objects.filter(condition, batch=OuterRef("pk"), owner=OuterRef("owner"))
    return Q(Exists(items))


def worth(
    batches: QuerySet[Batch], *, least: Decimal | None = None, most: Decimal | None = None
) -> QuerySet[Batch]:
    """Return the batches whose items are worth so much; both ends count in. One sum a batch."""
    items = BatchItem.objects.filter(batch=OuterRef("pk"), owner=OuterRef("owner")).order_by()
    value = (
        items.values("batch")
        .annotate(value=Sum(F("quantity") * F("price"), output_field=_VALUE))
        .values("value")
    )
    valued = batches.alias(worth=Coalesce(Subquery(value), Decimal(0), output_field=_VALUE))
    if least is not None:
        valued = valued.filter(worth__gte=least)
    return valued if most is None else valued.filter(worth__lte=most)


def pieces_in(batch: Batch) -> int:
    """Return how many pieces a batch holds. 1 query, from an index."""
    total = BatchItem.objects.filter(batch=batch).aggregate(pieces=Sum("quantity"))["pieces"]
    return int(total or 0)


def last_added(*, row: Mapping[str, Any], quantity: int, at: dt.datetime) -> dict[str, Any]:
    """Return what the browser keeps of the last item added, from the item's row. 2 queries."""
    batch = Batch.objects.get(pk=row["batch_id"])
    return {
        "batchId": batch.pk,
        "batchName": batch.name,
        "totalItemsAdded": pieces_in(batch),
        "quantity": quantity,
        "itemName": row["item_name"],
        "itemNumber": row["item_number"],
        "itemType": row["item_type"],
        "colorName": row["color_name"],
        "colorHtml": row["color_html"],
        "timestamp": at,
    }

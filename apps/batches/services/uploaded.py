"""Items whose pieces were put up for sale in another way than by a listing of ours."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.services.operations import MAX_FAILED_KEPT, named, record_operation
from apps.batches.services.selection import locked_rows
from apps.core.bulk import instant_text, update_rows
from apps.inventory.services.after_import import Marked

_AT_ONCE: Final = 5_000
_COLUMNS: Final = ("is_listed", "listed_at", "marketplace_lot_id", "failure", "updated_at")


def mark_uploaded(
    *, batch: Batch, lot_ids: Sequence[int], until: dt.datetime, by: User, now: dt.datetime
) -> None:
    """Mark as listed the items of a batch, stowed `until` then, that wait in rows of these lots.

    Call inside a transaction.
    """
    done: list[BatchItem] = []
    for start in range(0, len(lot_ids), _AT_ONCE):
        some = lot_ids[start : start + _AT_ONCE]
        waiting = BatchItem.objects.filter(
            batch=batch, inventory_item__marketplace_lot_id__in=some, stowed_at__lte=until
        )
        done += _marked(waiting, now)
    _record(done, by)


class UploadedItems:
    """Marks the items that an import of the store finds there."""

    def mark(
        self, *, owner: User, items: Mapping[int, int], by: User, now: dt.datetime
    ) -> list[Marked]:
        """Mark items that still wait; `items` are the pieces of each. Return those marked."""
        found = BatchItem.objects.owned_by(owner).filter(
            pk__in=list(items), inventory_item__marketplace_lot_id__isnull=False
        )
        done = _marked(found, now, pieces=items)
        _record(done, by)
        return [(item.pk, item.marketplace_lot_id) for item in done]

    def unmark(
        self, *, owner: User, marked: Sequence[Marked], at: dt.datetime, by: User, now: dt.datetime
    ) -> None:
        """Let items wait again that were marked `at` this instant and not marked since."""
        before = dict(marked)
        found = BatchItem.objects.owned_by(owner).filter(
            pk__in=list(before), is_listed=True, listed_at=at
        )
        items = locked_rows(found)
        stamp = instant_text(now)
        update_rows(
            BatchItem,
            (*_COLUMNS, "is_changed_since_listing"),
            [(item.pk, False, None, before[item.pk], "", stamp, False) for item in items],
        )
        _record(items, by)


def _marked(
    rows: QuerySet[Any], now: dt.datetime, *, pieces: Mapping[int, int] | None = None
) -> list[BatchItem]:
    """Mark those of the items that wait, and return them as they were."""
    waiting = rows.filter(is_stowed=True, is_listed=False, is_listed_pending=False)
    lots = dict(waiting.values_list("pk", "inventory_item__marketplace_lot_id"))
    items = [
        item
        for item in locked_rows(
            BatchItem.objects.filter(
                pk__in=lots, is_stowed=True, is_listed=False, is_listed_pending=False
            )
        )
        if pieces is None or item.quantity == pieces[item.pk]
    ]
    stamp = instant_text(now)
    update_rows(
        BatchItem, _COLUMNS, [(item.pk, True, stamp, lots[item.pk], "", stamp) for item in items]
    )
    return items


def _record(items: Sequence[BatchItem], by: User) -> None:
    """Write into the logs of their batches what was marked."""
    of_batch: defaultdict[int, list[BatchItem]] = defaultdict(list)
    for item in items:
        of_batch[item.batch_id].append(item)
    for batch in Batch.objects.filter(pk__in=of_batch).order_by("pk"):
        some = of_batch[batch.pk]
        record_operation(
            batch=batch,
            kind=OperationKind.MARK_LISTED,
            done=len(some),
            failed=[],
            items=named(some[:MAX_FAILED_KEPT]),
            by=by,
        )

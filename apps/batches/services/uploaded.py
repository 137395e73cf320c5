"""Items whose pieces were put up for sale by a file that their owner uploaded."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.services.operations import keep_named, record_operation
from apps.batches.services.selection import locked_rows
from apps.core.bulk import instant_text, update_rows

_AT_ONCE: Final = 5_000


def mark_uploaded(
    *, batch: Batch, lot_ids: Sequence[int], until: dt.datetime, by: Any, now: dt.datetime
) -> None:
    """Mark as listed the items of a batch, stowed `until` then, that wait in rows of these lots.

    Call inside a transaction.
    """
    stamp = instant_text(now)
    done = 0
    kept: list[dict[str, Any]] = []
    for start in range(0, len(lot_ids), _AT_ONCE):
        some = lot_ids[start : start + _AT_ONCE]
        waiting = BatchItem.objects.filter(
            batch=batch,
            inventory_item__marketplace_lot_id__in=some,
            is_stowed=True,
            is_listed=False,
            is_listed_pending=False,
            stowed_at__lte=until,
        )
        lots = dict(waiting.values_list("pk", "inventory_item__marketplace_lot_id"))
        items = locked_rows(BatchItem.objects.filter(pk__in=lots, is_listed=False))
        update_rows(
            BatchItem,
            ("is_listed", "listed_at", "marketplace_lot_id", "failure", "updated_at"),
            [(item.pk, True, stamp, lots[item.pk], "", stamp) for item in items],
        )
        done += len(items)
        keep_named(kept, items)
    if done:
        record_operation(
            batch=batch, kind=OperationKind.MARK_LISTED, done=done, failed=[], items=kept, by=by
        )

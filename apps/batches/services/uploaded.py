"""Items whose pieces were put up for sale by a file that their owner uploaded."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from more_itertools import map_reduce

from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.services.operations import keep_named, record_operation
from apps.batches.services.selection import locked_rows
from apps.core.bulk import instant_text, update_rows

_AT_ONCE: Final = 5_000


def mark_uploaded(
    *, owner: Any, lot_ids: Sequence[int], until: dt.datetime, by: Any, now: dt.datetime
) -> None:
    """Mark as listed the items stowed `until` then that wait in rows of these lots.

    Call inside a transaction.
    """
    stamp = instant_text(now)
    done: Counter[int] = Counter()
    kept: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for start in range(0, len(lot_ids), _AT_ONCE):
        some = lot_ids[start : start + _AT_ONCE]
        waiting = BatchItem.objects.owned_by(owner).filter(
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
        for batch_id, of_batch in map_reduce(items, attrgetter("batch_id")).items():
            done[batch_id] += len(of_batch)
            keep_named(kept[batch_id], of_batch)
    for batch in Batch.objects.filter(pk__in=list(done)).order_by("pk"):
        record_operation(
            batch=batch,
            kind=OperationKind.MARK_LISTED,
            done=done[batch.pk],
            failed=[],
            items=kept[batch.pk],
            by=by,
        )

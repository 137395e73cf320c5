"""What is told, and when a call that failed is made again."""

import datetime as dt
import random
from typing import Final

ORDER_RECEIVED: Final = "order.received"
ORDER_CHANGED: Final = "order.changed"
STOCK_CHANGED: Final = "stock.changed"
BATCH_LISTED: Final = "batch.listed"
SYNC_FAILED: Final = "sync.failed"
JOB_FINISHED: Final = "job.finished"
EVENTS: Final = (
    *(ORDER_RECEIVED, ORDER_CHANGED, STOCK_CHANGED),
    *(BATCH_LISTED, SYNC_FAILED, JOB_FINISHED),
)
#: Minutes between the calls of one that fails.
_PAUSES: Final = (1, 2, 5, 10, 20, 40, 60, 120, 180)
_JITTER: Final = 0.2
#: After so long of failures a delivery is given up and a webhook is stopped.
PATIENCE: Final = dt.timedelta(days=1)


def pause_after(failures: int) -> dt.timedelta:
    """Return how long to wait after so many failures in a row, a fifth more or less."""
    minutes = _PAUSES[min(failures, len(_PAUSES)) - 1]
    return dt.timedelta(minutes=minutes * random.uniform(1 - _JITTER, 1 + _JITTER))

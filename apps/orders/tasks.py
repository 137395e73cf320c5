"""The jobs of orders: read the store's orders and send it their progress."""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.orders.services import forgetting, pulling, telling


@job_handler(pulling.KIND)
def pull_orders(run: JobRun, *, order_ids: list[int], **_: Any) -> None:
    pulling.run_pull(run=run, order_ids=order_ids, clock=now)


@job_handler(telling.KIND)
def tell_marketplace(run: JobRun, *, order_id: int, **_: Any) -> None:
    telling.run_tell(run=run, order_id=order_id, clock=now)


@job_handler("orders.forget_old_buyers", every=dt.timedelta(days=1))
def forget_old_buyers(run: JobRun, **_: Any) -> None:
    forgetting.forget_old_buyers(now=now())
    with run.finish():
        pass

"""Jobs of webhooks: calls, and looking each minute for those that are due."""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.webhooks.services.events import DELIVER
from apps.webhooks.services.sending import deliver, start_all_due


@job_handler(DELIVER)
def deliver_to_webhook(run: JobRun, *, webhook_id: int, **_: Any) -> None:
    deliver(run, webhook_id=webhook_id, clock=now)


@job_handler("webhooks.look_for_due", every=dt.timedelta(minutes=1))
def look_for_due(run: JobRun, **_: Any) -> None:
    with run.finish():
        start_all_due(now=now())

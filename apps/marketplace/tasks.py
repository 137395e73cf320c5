"""The jobs that ask the marketplace."""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.marketplace.services import getting, refreshes, wants


@job_handler(refreshes.KIND)
def refresh_prices(run: JobRun, *, lot_ids: list[int], currency: str, **_: Any) -> None:
    refreshes.refresh_lots(run=run, lot_ids=lot_ids, currency=currency, clock=now)


def _stopped(run: JobRun, reason: str, **_: Any) -> dict[str, Any]:
    return getting.tidy_up_prices(run, reason)


@job_handler(wants.KIND, stopped=_stopped)
def get_prices(run: JobRun, **_: Any) -> None:
    getting.get_prices(run=run, clock=now)


@job_handler(refreshes.VALUABLE_KIND, every=dt.timedelta(hours=refreshes.HOURS))
def refresh_valuable(run: JobRun, **_: Any) -> None:
    refreshes.want_valuable_prices(now=now())

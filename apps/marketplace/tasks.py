"""The jobs that ask the marketplace."""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.marketplace.services import refreshes


@job_handler(refreshes.KIND)
def refresh_prices(
    run: JobRun, *, lot_ids: list[int], currency: str, is_unasked: bool = False, **_: Any
) -> None:
    refreshes.refresh_lots(
        run=run, lot_ids=lot_ids, currency=currency, is_unasked=is_unasked, clock=now
    )


@job_handler(refreshes.VALUABLE_KIND, every=dt.timedelta(hours=refreshes.HOURS))
def refresh_valuable(run: JobRun, **_: Any) -> None:
    refreshes.start_valuable_refreshes(now=now())

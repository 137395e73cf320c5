"""The job that refreshes listings."""

from collections.abc import Sequence
from typing import Any

from apps.auctions.services import searches
from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


@job_handler(searches.KIND)
def refresh_listings(run: JobRun, shown: Sequence[int] = (), **_: Any) -> None:
    searches.refresh_all(run=run, clock=now, shown=shown)

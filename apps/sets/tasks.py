"""Job handlers of the sets."""

from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.sets.services import builds


@job_handler(builds.KIND)
def find_buildable(run: JobRun, **_: Any) -> None:
    builds.run_search(run=run, now=now())

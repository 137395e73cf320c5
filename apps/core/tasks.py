"""Jobs of the core: deleting expired rows and stray files."""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.idempotency.once import forget_old_answers
from apps.core.jobs.dispatch import forget_old_jobs
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.core.jobs.stray_files import forget_stray_files
from apps.core.throttling import forget_past_windows


@job_handler("core.forget_past", every=dt.timedelta(hours=1))
def run_forget_past(run: JobRun, **_: Any) -> None:
    """Delete old stored answers, rate windows that have ended and ended jobs without an owner."""
    with run.finish():
        forget_old_answers(now=now())
        forget_past_windows(now=now())
        forget_old_jobs(now=now())


@job_handler("core.forget_stray_files", every=dt.timedelta(days=1))
def run_forget_stray_files(run: JobRun, **_: Any) -> None:
    """Delete stored files of jobs that no row and no job names."""
    gone = forget_stray_files(now=now())
    with run.finish(result={"files": gone}):
        pass

"""Run a job in this process and report its progress. Management commands use this."""

import datetime as dt
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.db.models.functions import Now

from apps.core.jobs.dispatch import JobFinished, cancel_job, is_final
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.run import JobRun, progressed
from apps.core.jobs.runner import run_job
from apps.core.jobs.takeover import running_here

Tell = Callable[[int, int | None, str], None]
POLL_SECONDS = 0.5


def run_in_foreground(*, job: Job, tell: Tell) -> Job:
    """Run `job` here and return it after its end; calls `tell(done, total, message)` at each step.

    Where a worker took it first, follow that worker's progress instead. Ctrl+C cancels
    the job, lets its handler tidy up and is raised again.
    """

    def heard(sender: object, *, run: JobRun, **_: Any) -> None:
        if run.job.pk == job.pk:
            tell(run.done, run.total, run.message)

    progressed.connect(heard)
    try:
        with running_here():
            is_mine = run_job(job.pk)
        if not is_mine:
            _follow(job, tell)
    except KeyboardInterrupt:
        _stop(job)
        raise
    finally:
        progressed.disconnect(heard)
    job.refresh_from_db()
    return job


def _follow(job: Job, tell: Tell) -> None:
    while True:
        job.refresh_from_db()
        tell(job.done, job.total, job.message)
        if is_final(job):
            return
        time.sleep(POLL_SECONDS)


def _stop(job: Job) -> None:
    """Run the interrupted job once more with its cancellation asked: it ends at its first fence."""
    with suppress(JobFinished):
        cancel_job(job=job)
    Job.objects.filter(pk=job.pk, state=JobState.RUNNING).update(
        lease_until=Now() - dt.timedelta(seconds=1)
    )
    run_job(job.pk)

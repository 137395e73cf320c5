"""The Celery tasks: one for each kind of job, by its name, and beat's, which starts due jobs.

An operator sees `exports.export_items` or `inventory.sync_bsx` in Celery's own tools. Each gets
the id of a job row and runs it; the row is the truth.
"""

import logging
from typing import Any

from celery import Task, shared_task

from apps.core.clock import now
from apps.core.jobs.dispatch import dispatch_waiting, start_due_jobs
from apps.core.jobs.registry import kinds
from apps.core.jobs.run import stopping
from apps.core.jobs.runner import run_job
from apps.core.jobs.sender import ANY_KIND, send_job

logger = logging.getLogger(__name__)

HOUR = 3600


def run_and_send_next(job_id: str, **_: Any) -> None:
    """Run a job; its end makes room for the next one of its owner.

    A worker that stops sends none: in its own queue a job would wait until it counts as lost.
    """
    if not run_job(job_id) or stopping.is_set():
        return
    try:
        dispatch_waiting(send_job)
    except Exception as problem:  # noqa: BLE001  (the broker or the database; the reaper repeats)
        logger.warning("could not send the next job: %s", problem)


def _task(name: str) -> Task:
    made: Task = shared_task(name=name, acks_late=True, time_limit=HOUR)(run_and_send_next)
    return made


run_job_task = _task(ANY_KIND)
TASKS = {kind: _task(kind) for kind in kinds()}


@shared_task(name="core.start_due_jobs")
def start_due_jobs_task() -> None:
    """Start the periodic jobs that are due, and send lost jobs again."""
    start_due_jobs(now=now())
    dispatch_waiting(send_job)

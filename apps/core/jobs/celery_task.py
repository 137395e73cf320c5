"""The Celery tasks: one gets the id of a job row and runs it, beat's looks what is due."""

from typing import Any

from celery import shared_task

from apps.core.clock import now
from apps.core.jobs.dispatch import dispatch_waiting, start_due_jobs
from apps.core.jobs.runner import run_job

HOUR = 3600


@shared_task(name="core.run_job", acks_late=True, time_limit=HOUR)
def run_job_task(job_id: str, **_: Any) -> None:
    run_job(job_id)


@shared_task(name="core.start_due_jobs")
def start_due_jobs_task() -> None:
    """Start the periodic jobs whose time has come, and send again what was lost."""
    start_due_jobs(now=now())
    dispatch_waiting(lambda job_id: run_job_task.apply_async((job_id,)))

"""The one Celery task: it gets the id of a job row and runs it."""

from typing import Any

from celery import shared_task

from apps.core.jobs.runner import run_job

HOUR = 3600


@shared_task(name="core.run_job", acks_late=True, time_limit=HOUR)
def run_job_task(job_id: str, **_: Any) -> None:
    run_job(job_id)

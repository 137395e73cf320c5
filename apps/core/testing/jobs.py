"""Run job rows in a test through the real claim, fence and checkpoint code."""

from typing import Any

from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.runner import run_job


def run_jobs() -> list[Job]:
    """Run every queued job, also those that they start; return them as they ended."""
    ran: list[Job] = []
    while (job := Job.objects.filter(state=JobState.QUEUED).order_by("created_at").first()) and (
        run_job(job.pk)
    ):
        job.refresh_from_db()
        ran.append(job)
    return ran


def run_twice(*, owner: object, kind: str, payload: dict[str, Any]) -> Job:
    """Run a job, then deliver it again as if the first worker had died at the very end."""
    job = start_job(owner=owner, kind=kind, payload=payload)
    run_job(job.pk)
    Job.objects.filter(pk=job.pk).update(
        state=JobState.QUEUED, token=None, lease_until=None, finished_at=None
    )
    run_job(job.pk)
    job.refresh_from_db()
    return job

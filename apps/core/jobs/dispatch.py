"""From the row to a worker: start a job, and bring up again what was lost."""

import datetime as dt
import logging
import uuid
from functools import partial
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now

from apps.core.concurrency import claim
from apps.core.errors import Conflict, DomainError, ErrorCode
from apps.core.jobs.models import FINAL_STATES, Job, JobState
from apps.core.jobs.runner import claimable, give_up_lost_jobs

logger = logging.getLogger(__name__)

# A queued job that no worker took for this long is dispatched again.
STALE_AFTER = dt.timedelta(seconds=15)


class JobFinished(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "This job has already ended ({state})."


def start_job(
    *,
    owner: Any,
    kind: str,
    payload: dict[str, Any],
    key: str | None = None,
    total: int | None = None,
) -> Job:
    """Write the job's row in the transaction of its cause; it starts after the commit.

    With a `key` used before, return the job that this key started. A broker that
    does not answer costs the caller nothing: the reaper dispatches the row.
    """
    try:
        with transaction.atomic():
            job = Job.objects.create(
                owner=owner, kind=kind, payload=payload, total=total, key=key or str(uuid.uuid4())
            )
    except IntegrityError:
        return Job.objects.get(owner=owner, key=key)
    transaction.on_commit(partial(dispatch, job.pk), robust=True)
    return job


def dispatch(job_id: uuid.UUID) -> None:
    """Hand the job to the broker; embedded, the worker's own poller finds the row."""
    if not settings.REDIS_URL:
        return
    from apps.core.jobs.celery_task import run_job_task

    now_sent = Job.objects.filter(pk=job_id).update(dispatched_at=Now())
    try:
        run_job_task.delay(str(job_id))
    except Exception as problem:  # noqa: BLE001  (any broker failure; the reaper repeats)
        logger.warning("broker did not take job %s: %s", job_id, problem)
        if now_sent:
            Job.objects.filter(pk=job_id).update(dispatched_at=None)


def dispatch_waiting(send: Any) -> int:
    """Send what is waiting or was lost, each at most once per 15 s; return how many.

    Every worker's reaper calls this; the conditional UPDATE lets one of them send.
    """
    give_up_lost_jobs()
    undelivered = Q(dispatched_at=None) | Q(dispatched_at__lt=Now() - STALE_AFTER)
    sent = 0
    waiting = Job.objects.filter(claimable()).filter(undelivered).order_by("created_at")
    for job_id in list(waiting.values_list("pk", flat=True)[:100]):
        rows = Job.objects.filter(pk=job_id).filter(undelivered)
        if claim(rows, where=claimable(), set={"dispatched_at": Now()}):
            send(str(job_id))
            sent += 1
    return sent


def cancel_job(*, job: Job) -> None:
    """Ask a job to stop: at once when it waits, after the present chunk when it runs.

    Raises JobFinished.
    """
    rows = Job.objects.filter(pk=job.pk)
    if claim(
        rows,
        where={"state": JobState.QUEUED},
        set={
            "state": JobState.CANCELLED,
            "message": "Cancelled.",
            "finished_at": Now(),
            "updated_at": Now(),
        },
    ):
        return
    if claim(
        rows,
        where={"state": JobState.RUNNING},
        set={"cancel_requested": True, "updated_at": Now()},
    ):
        return
    job.refresh_from_db()
    if job.state != JobState.CANCELLED:
        raise JobFinished(state=job.state)


def retry_job(*, job: Job) -> None:
    """Queue a failed or cancelled job again, from its checkpoint. Raises Conflict."""
    if not claim(
        Job.objects.filter(pk=job.pk),
        where={"state__in": [JobState.FAILED, JobState.CANCELLED]},
        set={
            "state": JobState.QUEUED,
            "attempts": 0,
            "token": None,
            "cancel_requested": False,
            "dispatched_at": None,
            "not_before": None,
            "finished_at": None,
            "message": "",
            "updated_at": Now(),
        },
    ):
        raise Conflict
    transaction.on_commit(partial(dispatch, job.pk), robust=True)


def is_final(job: Job) -> bool:
    return job.state in FINAL_STATES

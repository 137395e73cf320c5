"""Create job rows, hand them to workers, and requeue jobs that a broker or worker lost."""

import datetime as dt
import logging
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import Now, RowNumber

from apps.core.concurrency import after_commit, claim
from apps.core.errors import DomainError, ErrorCode, StateConflict
from apps.core.jobs.models import FINAL_STATES, Job, JobState, JobSubject
from apps.core.jobs.registry import periods
from apps.core.jobs.runner import claimable, end_job, give_up_lost_jobs
from apps.core.jobs.sender import send_soon

logger = logging.getLogger(__name__)

# A queued job that no worker took for this long is dispatched again.
STALE_AFTER = dt.timedelta(seconds=15)
KEPT_FOR = dt.timedelta(days=7)
# How many jobs of one person the workers get at a time; the others of that person wait in the
# rows, so that nobody else waits behind them.
SHARE = 2
# How many unfinished jobs one person may have.
MOST_UNFINISHED = 50


class JobFinished(StateConflict):
    message = "This job has already ended ({state})."


class JobNotStopped(StateConflict):
    message = "Only a failed or cancelled job can be tried again; this one is {state}."


class TooManyJobs(DomainError):
    code = ErrorCode.RATE_LIMITED
    message = (
        "You have {count} jobs that are not done yet. Wait until some of them are, "
        "or cancel those you do not need."
    )
    retry_after = 30


def start_job(
    *,
    owner: Any,
    kind: str,
    payload: dict[str, Any],
    key: str | None = None,
    total: int | None = None,
    follows: bool = False,
    about: Mapping[str, Iterable[int]] | None = None,
) -> Job:
    """Write the job's row in the transaction of its cause; it starts after the commit.

    `about` names its subjects, as `{"batch": [5]}`: `Job.objects.about` finds it by them.

    With a `key` used before, return the job that this key started. A broker that does not answer
    costs the caller nothing: the reaper dispatches the row. Raises TooManyJobs, unless the job
    `follows` from something that is done already.
    """
    if owner is not None and not follows:
        _refuse_too_many(owner, key)
    try:
        with transaction.atomic():
            job = Job.objects.create(
                owner=owner, kind=kind, payload=payload, total=total, key=key or str(uuid.uuid4())
            )
            if about:
                JobSubject.objects.bulk_create(
                    JobSubject(job=job, what=what, subject_id=pk)
                    for what, ids in about.items()
                    for pk in ids
                )
    except IntegrityError:
        started = Job.objects.filter(owner=owner, key=key).first() if key else None
        if started is None:
            raise
        return started
    after_commit(dispatch, job.pk)
    return job


def _refuse_too_many(owner: Any, key: str | None) -> None:
    unfinished = Job.objects.unfinished().filter(owner=owner)
    count = unfinished.count()
    if count < MOST_UNFINISHED:
        return
    if key is None or not Job.objects.filter(owner=owner, key=key).exists():
        raise TooManyJobs(count=count)


def dispatch(job_id: uuid.UUID) -> None:
    """Hand the job to the broker, unless its owner has a share of the workers already.

    Embedded, the worker's own poller finds the row.
    """
    if not settings.REDIS_URL:
        return
    job = Job.objects.filter(pk=job_id).values("owner_id", "kind").first()
    if job is None or _underway([job["owner_id"]]).get(job["owner_id"], 0) >= SHARE:
        return
    Job.objects.filter(pk=job_id).update(dispatched_at=Now())
    send_soon(job["kind"], str(job_id))


def dispatch_waiting(send: Callable[[str, str], Any]) -> int:
    """Send waiting and lost jobs, person by person in turn; return how many were sent.

    `send(kind, job_id)` gets each at most once per 15 s, and no more than SHARE of a person
    that no worker has done. Every worker's reaper calls this, and every job that ends; the
    conditional UPDATE lets one of them send.
    """
    give_up_lost_jobs()
    undelivered = Q(dispatched_at=None) | Q(dispatched_at__lt=Now() - STALE_AFTER)
    turn = Window(RowNumber(), partition_by=F("owner_id"), order_by=F("created_at").asc())
    busy = _handed_out(least=SHARE).values("owner_id")
    may_go = Q(dispatched_at__isnull=False) | Q(owner=None) | ~Q(owner_id__in=busy)
    waiting = Job.objects.filter(claimable()).filter(undelivered).filter(may_go)
    rows = (
        waiting.annotate(turn=turn)
        .order_by("turn", "created_at")
        .values_list("pk", "kind", "owner_id", "dispatched_at")
    )
    found = list(rows[:100])
    underway = _underway({owner_id for _, _, owner_id, _ in found}) if found else {}
    sent = 0
    for job_id, kind, owner_id, dispatched_at in found:
        is_new = dispatched_at is None and owner_id is not None
        if is_new and underway.get(owner_id, 0) >= SHARE:
            continue
        one = Job.objects.filter(pk=job_id).filter(undelivered)
        if claim(one, where=claimable(), set={"dispatched_at": Now()}):
            underway[owner_id] = underway.get(owner_id, 0) + is_new
            send(kind, str(job_id))
            sent += 1
    return sent


def _handed_out(*, least: int = 1) -> QuerySet[Any, Any]:
    """Return how many jobs of each person a worker has, or will be handed next, where so many."""
    handed = Q(state=JobState.QUEUED, dispatched_at__isnull=False)
    running = Q(state=JobState.RUNNING, lease_until__gte=Now())
    rows = Job.objects.unfinished().filter(handed | running, owner__isnull=False)
    return rows.values("owner_id").annotate(count=Count("pk")).filter(count__gte=least)


def _underway(owner_ids: Iterable[int | None]) -> dict[int, int]:
    """Return what `_handed_out` counts for these people."""
    rows = _handed_out().filter(owner_id__in=[pk for pk in owner_ids if pk is not None])
    return {row["owner_id"]: row["count"] for row in rows}


def start_due_jobs(*, now: dt.datetime) -> int:
    """Start the periodic jobs whose period has begun, each once over all workers.

    Return how many this call started.
    """
    begun = 0
    for kind, every in periods().items():
        key = f"{kind}@{int(now.timestamp() // every.total_seconds())}"
        if not Job.objects.filter(owner=None, key=key).exists():
            start_job(owner=None, kind=kind, payload={}, key=key)
            begun += 1
    return begun


def cancel_job(*, job: Job) -> None:
    """Ask a job to stop: at once when it waits, after the present chunk when it runs.

    Raises JobFinished.
    """
    rows = Job.objects.filter(pk=job.pk)
    waiting = rows.filter(state=JobState.QUEUED)
    if end_job(waiting, kind=job.kind, state=JobState.CANCELLED, message="Cancelled."):
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
    """Queue a failed or cancelled job again, from its checkpoint.

    Raises JobNotStopped, TooManyJobs.
    """
    if job.owner_id is not None and job.state in FINAL_STATES:
        _refuse_too_many(job.owner_id, None)
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
        job.refresh_from_db()
        raise JobNotStopped(state=job.state)
    after_commit(dispatch, job.pk)


def retry_jobs(*, jobs: QuerySet[Job]) -> tuple[int, int]:
    """Queue those that failed or were cancelled, as many as may wait; return how many, and how many
    were left alone."""
    return _each(jobs, retry_job, (JobNotStopped, TooManyJobs))


def cancel_jobs(*, jobs: QuerySet[Job]) -> tuple[int, int]:
    """Ask those to stop that have not ended; return how many, and how many were left alone."""
    return _each(jobs, cancel_job, JobFinished)


def _each(
    jobs: QuerySet[Job],
    act: Callable[..., None],
    refusal: type[DomainError] | tuple[type[DomainError], ...],
) -> tuple[int, int]:
    done = left = 0
    for job in jobs.order_by("created_at"):
        try:
            with transaction.atomic():
                act(job=job)
            done += 1
        except refusal:
            left += 1
    return done, left


def forget_old_jobs(*, now: dt.datetime) -> int:
    """Delete jobs without an owner that ended over a week ago. Return how many."""
    ended = Job.objects.filter(owner=None, state__in=FINAL_STATES)
    return ended.filter(finished_at__lt=now - KEPT_FOR).delete()[0]


def is_final(job: Job) -> bool:
    return job.state in FINAL_STATES

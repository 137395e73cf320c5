"""Claim a job, run its handler and store the result."""

import datetime as dt
import logging
import traceback
import uuid

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Now

from apps.core.clock import now
from apps.core.errors import DomainError
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.registry import Handler, UnknownJobKind, handler_for, tidier_for
from apps.core.jobs.run import (
    JobCancelled,
    JobFenced,
    JobInterrupted,
    JobRun,
    Pause,
    TryLater,
    job_ended,
    lease_end,
    storable,
)
from apps.core.ownership import acting_person, acting_program, note_acting
from apps.core.redaction import redacted
from apps.core.storage import StorageAway, storage_problem

logger = logging.getLogger(__name__)

MAX_TROUBLE = 4_000
PATIENCE = dt.timedelta(days=1)
#: No job waits longer: one that would is of a clock that was set back since.
LONGEST_WAIT = dt.timedelta(days=2)
LOST = "The worker was stopped {attempts} times while doing this."


def claimable() -> Q:
    """Return the condition under which a worker may take a job."""
    due = Q(not_before=None) | Q(not_before__lte=Now()) | Q(not_before__gt=Now() + LONGEST_WAIT)
    waiting = Q(state=JobState.QUEUED) & due
    lost = Q(state=JobState.RUNNING, lease_until__lt=Now())
    return (waiting | lost) & Q(attempts__lt=MAX_ATTEMPTS)


def run_job(job_id: uuid.UUID | str) -> bool:
    """Run the job if it can be claimed. Return whether this call ran it.

    A second delivery of the same job finds nothing to claim.
    """
    token = uuid.uuid4()
    claimed = (
        Job.objects.filter(pk=job_id)
        .filter(claimable())
        .update(
            state=JobState.RUNNING,
            token=token,
            lease_until=lease_end(),
            attempts=F("attempts") + 1,
            started_at=Now(),
            # The message gave the reason of the wait.
            message=Case(
                When(not_before=None, then=F("message")),
                default=Value(""),
                output_field=Job._meta.get_field("message"),
            ),
            not_before=None,
            # This delivery is used up: should the lease run out, another is due at once.
            dispatched_at=None,
            updated_at=Now(),
        )
    )
    if claimed != 1:
        return False
    job = Job.objects.select_related("owner", "by").filter(pk=job_id, token=token).first()
    if job is None:
        return False  # its owner was deleted in this very moment
    run = JobRun(job, token)
    person, program = acting_person(), acting_program()
    note_acting(job.by_id, program=job.program)
    try:
        handler_for(job.kind)(run, **job.payload)
        if not run.finished:
            with run.finish():
                pass
    except JobFenced:
        logger.warning("job %s was taken over by another worker", job_id)
    except JobCancelled:
        _end(run, JobState.CANCELLED, message="Cancelled.")
    except JobInterrupted:
        _give_back(run)
    except DomainError as refusal:
        _end(run, JobState.FAILED, message=refusal.text)
    except Pause as pause:
        _give_back(run, message=storable(str(pause)), not_before=pause.until)
    except TryLater as problem:
        _try_again(run, problem, told=str(problem), until_back=problem.until_back)
    except (OperationalError, InterfaceError) as problem:
        is_full = storage_problem(problem) is not None
        told = "The server's disk is full" if is_full else "The database did not answer"
        _try_again(run, problem, told=told)
    except UnknownJobKind:
        _end(run, JobState.FAILED, message=f"Nothing here can run jobs of kind {job.kind}.")
    except Exception as problem:
        known = storage_problem(problem)
        if isinstance(known, StorageAway):
            _try_again(run, problem, told=known.text)
            return True
        logger.exception("job %s (%s) failed", job_id, job.kind)
        text = known.text if known is not None else "Something went wrong on the server."
        _end(run, JobState.FAILED, message=text, trouble=_trace(problem))
    finally:
        note_acting(person, program=program)
    return True


def _trace(problem: BaseException) -> str:
    """Return the end of the traceback, without what looks like a secret."""
    lines = "".join(traceback.format_exception(problem))
    return redacted(lines[-MAX_TROUBLE:])


def _end(run: JobRun, state: JobState, *, message: str, trouble: str = "") -> None:
    end_job(
        Job.objects.filter(pk=run.job.pk, token=run.token, state=JobState.RUNNING),
        kind=run.job.kind,
        state=state,
        message=message,
        trouble=storable(trouble),
        failed=storable(run.failed),
        failed_count=run.failed_count,
    )


def end_job(
    rows: QuerySet[Job], *, kind: str, state: JobState, message: str, **also: object
) -> bool:
    """End the one job of `rows` without success; return False if it no longer exists.

    What jobs of its `kind` leave behind is tidied up in the same transaction, so that it is done
    once however often the job is delivered.
    """
    tidy = tidier_for(kind)
    with transaction.atomic():
        job = rows.first()
        ended = rows.update(
            state=state,
            message=storable(message),
            lease_until=None,
            finished_at=Now(),
            updated_at=Now(),
            **also,
        )
        if ended and job is not None:
            job_ended(job=job, state=state, message=storable(message))
            if tidy is not None:
                _tidy_up(job, tidy, message)
    return bool(ended)


def _tidy_up(job: Job, tidy: Handler, reason: str) -> None:
    """Run the clean-up of a job that ended; its errors do not keep the job from ending."""
    job.refresh_from_db(from_queryset=Job.objects.select_related("owner", "by"))
    run = JobRun(job, job.token or uuid.uuid4())
    try:
        with transaction.atomic():
            result = tidy(run, reason, **job.payload)
    except (OperationalError, InterfaceError):
        raise  # all of it is tried again
    except DomainError:
        return  # its subject was deleted
    except Exception:
        logger.exception("job %s (%s) could not be tidied up", job.pk, job.kind)
        return
    Job.objects.filter(pk=job.pk).update(
        checkpoint=run.state,
        failed=storable(run.failed),
        failed_count=run.failed_count,
        result=result or {},
    )


def _give_back(run: JobRun, **also: object) -> None:
    """Put an interrupted job back into the queue; this attempt does not count."""
    Job.objects.filter(pk=run.job.pk, token=run.token, state=JobState.RUNNING).update(
        state=JobState.QUEUED,
        token=None,
        lease_until=None,
        dispatched_at=None,
        attempts=F("attempts") - 1,
        updated_at=Now(),
        **also,
    )


def _try_again(run: JobRun, problem: Exception, *, told: str, until_back: bool = False) -> None:
    logger.warning("job %s will be tried again: %s", run.job.pk, problem)
    attempts, age = run.job.attempts, now() - run.job.created_at
    is_patient = until_back and age < PATIENCE
    if attempts >= MAX_ATTEMPTS and not is_patient:
        message = f"{told} ({attempts} attempts)."
        _end(run, JobState.FAILED, message=message, trouble=_trace(problem))
        return
    # The longer it has waited, the longer it waits: a quarter as long again, at most a minute.
    pause = min(max(int(age.total_seconds()) // 4, 2), 60) if is_patient else 2**attempts
    Job.objects.filter(pk=run.job.pk, token=run.token, state=JobState.RUNNING).update(
        state=JobState.QUEUED,
        token=None,
        lease_until=None,
        dispatched_at=None,
        # An attempt without an answer does not count.
        attempts=F("attempts") - 1 if is_patient else F("attempts"),
        message=storable(f"{told.rstrip('.')}. Trying again."),
        trouble=storable(_trace(problem)),
        not_before=Now() + dt.timedelta(seconds=pause),
        updated_at=Now(),
    )


def give_up_lost_jobs() -> int:
    """Fail the jobs whose workers died five times; return how many."""
    lost = Job.objects.filter(
        state=JobState.RUNNING, lease_until__lt=Now(), attempts__gte=MAX_ATTEMPTS
    )
    # Even an UPDATE of no row takes SQLite's write lock, and this runs four times a second.
    told = LOST.format(attempts=MAX_ATTEMPTS)
    return sum(
        end_job(lost.filter(pk=pk), kind=kind, state=JobState.FAILED, message=told)
        for pk, kind in list(lost.values_list("pk", "kind")[:100])
    )

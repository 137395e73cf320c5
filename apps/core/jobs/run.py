"""The state of a running job: progress, checkpoint, fence and cancellation."""

import copy
import datetime as dt
import logging
import mmap
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models.functions import Now
from django.db.models.sql import Query
from django.dispatch import Signal
from more_itertools import constrained_batches

from apps.core.errors import DomainError
from apps.core.hooks import Hook
from apps.core.jobs.models import Job, JobState
from apps.core.prepared import Prepared, Slot, update_of

MAX_FAILED_KEPT = 1_000
logger = logging.getLogger(__name__)
Row = TypeVar("Row")
#: What a job reads anew in each of its transactions.
Clock = Callable[[], dt.datetime]


@Hook
def job_ended(*, job: Job, state: str, message: str) -> None:
    """Called in the transaction in which a job ends."""


# Sent with `run` after each piece of work that was committed.
progressed = Signal()


class Stopping:
    """Whether this worker was asked to stop: its jobs go back to the queue then.

    One byte that the processes forked from this one share: Celery tells only the first of
    them. It has no lock that a killed process could leave taken.
    """

    def __init__(self) -> None:
        self._byte = mmap.mmap(-1, 1)

    def is_set(self) -> bool:
        return self._byte[0] != 0

    def set(self) -> None:
        self._byte[0] = 1

    def clear(self) -> None:
        self._byte[0] = 0


stopping = Stopping()


class JobCancelled(Exception):
    """The person asked to stop; what earlier chunks committed stays."""


class JobFenced(Exception):
    """Another worker owns the job now; this one must change nothing more."""


class JobInterrupted(Exception):
    """This worker is stopping; another worker resumes from the checkpoint."""


class TryLater(Exception):
    """A service that the job needs does not answer. The job is tried five times in all.

    `until_back` retries for up to a day, at most a minute apart. The person
    sees the text while the job waits, and if the last attempt fails too.
    """

    def __init__(self, text: str, *, until_back: bool = False) -> None:
        super().__init__(text)
        self.until_back = until_back


class Pause(Exception):
    """The job resumes at `until`. This attempt does not count. The text gives the reason."""

    def __init__(self, text: str, *, until: dt.datetime) -> None:
        super().__init__(text)
        self.until = until


class JobFailed(DomainError):
    """The job cannot continue. The message gives the reason to the person."""

    message = "{reason}"


class JobRun:
    """One attempt at a job, held by the worker that claimed it.

    `state` is the checkpoint: a chunk's changes to it are saved with that chunk, so
    that the next attempt resumes from there after a kill. `failed` collects
    items that could not be done (the first 1,000 are kept, all are counted).
    """

    def __init__(self, job: Job, token: uuid.UUID) -> None:
        self.job = job
        self.token = token
        self.state: dict[str, Any] = copy.deepcopy(job.checkpoint)
        self.failed: list[Any] = list(job.failed)
        self.failed_count = job.failed_count
        self.done: int = job.done
        self.total: int | None = job.total
        self.message: str = job.message
        self.finished = False

    @property
    def owner(self) -> Any:
        return self.job.owner

    @property
    def by(self) -> Any:
        """Return who began it."""
        return self.job.by or self.job.owner

    def fail_item(self, item: object) -> None:
        """Record an item that could not be done, e.g. `{"id": 7, "reason": "…"}`."""
        self.failed_count += 1
        if len(self.failed) < MAX_FAILED_KEPT:
            self.failed.append(item)

    @contextmanager
    def chunk(
        self, *, done: int | None = None, total: int | None = None, message: str | None = None
    ) -> Iterator[None]:
        """Open the transaction of one piece of work: rows, progress and lease together.

        It begins with the fenced UPDATE. Raises JobCancelled, JobFenced or JobInterrupted before
        the piece is done. `done` is the count that holds once this piece is committed; the body may
        also set `self.done`.
        """
        before = (
            copy.deepcopy(self.state),
            list(self.failed),
            self.failed_count,
            self.done,
            self.total,
            self.message,
        )
        try:
            with transaction.atomic():
                self._fence(interruptible=True)
                if total is not None:
                    self.total = total
                if message is not None:
                    self.message = message
                yield
                if done is not None:
                    self.done = done
                self._save()
        except BaseException:
            (
                self.state,
                self.failed,
                self.failed_count,
                self.done,
                self.total,
                self.message,
            ) = before
            raise
        progressed.send(sender=type(self), run=self)

    def in_chunks(
        self,
        rows: Sequence[Row],
        *,
        size: int,
        message: str,
        act: Callable[[Sequence[Row]], int],
        weigh: Callable[[Row], int] | None = None,
    ) -> int:
        """Let `act` do `rows`, `size` a transaction, from where an attempt before this stopped.

        `act` returns how many of its rows it did; returns the sum. The checkpoint keeps it
        as `items`, beside `next`. With `weigh` a row counts for as many. Raises what `chunk` raises.
        """
        count = weigh or (lambda _: 1)
        while (start := self.state.get("next", 0)) < len(rows):
            rest = islice(rows, start, None)
            some = next(constrained_batches(rest, size, get_len=count, strict=False))
            with self.chunk(done=start + len(some), message=message):
                self.state["items"] = self.state.get("items", 0) + act(some)
                self.state["next"] = start + len(some)
        return int(self.state.get("items", 0))

    def beat(
        self,
        *,
        done: int | None = None,
        message: str | None = None,
        lease_seconds: int | None = None,
    ) -> None:
        """Renew the lease and report progress in the middle of reading.

        `lease_seconds` is for a step that reports nothing for longer than a lease.
        """
        if done is not None:
            self.done = done
        if message is not None:
            self.message = message
        with transaction.atomic():
            self._fence(interruptible=True, lease_seconds=lease_seconds)
        progressed.send(sender=type(self), run=self)

    @contextmanager
    def kept_alive(self) -> Iterator[None]:
        """Renew the lease from a thread during one call that takes longer than a lease.

        The job of a killed worker is free after one lease, however long its call may take.
        """
        over = threading.Event()
        keeper = threading.Thread(
            target=self._renew_until, args=(over,), name=f"lease of {self.job.pk}", daemon=True
        )
        keeper.start()
        try:
            yield
        finally:
            over.set()
            keeper.join()

    def _renew_until(self, over: threading.Event) -> None:
        mine = Job.objects.filter(pk=self.job.pk, token=self.token, state=JobState.RUNNING)
        try:
            while not over.wait(settings.JOB_LEASE_SECONDS / 3):
                try:
                    mine.update(lease_until=lease_end())
                except OperationalError:  # a busy database: the next try comes before the end
                    logger.warning("the lease of job %s was not renewed", self.job.pk)
        finally:
            connection.close()

    @contextmanager
    def finish(self, *, result: dict[str, Any] | None = None) -> Iterator[None]:
        """Open the last transaction, which commits its effects together with `succeeded`."""
        with transaction.atomic():
            self._fence()
            yield
            self._save()
            Job.objects.filter(pk=self.job.pk, token=self.token).update(
                state=JobState.SUCCEEDED,
                result=result or {},
                finished_at=Now(),
                lease_until=None,
            )
            job_ended(job=self.job, state=JobState.SUCCEEDED, message=storable(self.message))
        self.finished = True
        progressed.send(sender=type(self), run=self)

    def _fence(self, *, interruptible: bool = False, lease_seconds: int | None = None) -> None:
        if interruptible and stopping.is_set():
            raise JobInterrupted
        held = _HELD.update(
            lease_seconds or settings.JOB_LEASE_SECONDS,
            id=self.job.pk,
            token=self.token,
            done=self.done,
            message=storable(self.message),
        )
        if held == 1:
            return
        if Job.objects.filter(pk=self.job.pk, token=self.token, state=JobState.RUNNING).exists():
            raise JobCancelled
        raise JobFenced

    def _save(self) -> None:
        _SAVED.update(
            self.total is not None,
            id=self.job.pk,
            token=self.token,
            total=self.total,
            done=self.done,
            message=storable(self.message),
            checkpoint=self.state,
            failed=storable(self.failed),
            failed_count=self.failed_count,
        )


def _held(seconds: int, *, id: Slot, token: Slot, done: Slot, message: Slot, **_: Slot) -> Query:
    mine = Job.objects.filter(pk=id, token=token, state=JobState.RUNNING, cancel_requested=False)
    lease = lease_end(seconds)
    return update_of(mine, lease_until=lease, updated_at=Now(), done=done, message=message)


def _saved(has_total: bool, *, id: Slot, token: Slot, total: Slot, **slots: Slot) -> Query:
    mine = Job.objects.filter(pk=id, token=token)
    names = ("done", "message", "checkpoint", "failed", "failed_count")
    kept = {name: slots[name] for name in names}
    return update_of(mine, total=total if has_total else None, updated_at=Now(), **kept)


_FIELDS: Final = {field.name: field for field in Job._meta.concrete_fields}
_HELD: Final = Prepared(_held, **_FIELDS)
_SAVED: Final = Prepared(_saved, **_FIELDS)


def storable(value: object) -> Any:
    """Return `value` without NULs, which PostgreSQL refuses in text and JSON alike."""
    if isinstance(value, str):
        return value.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value


def lease_end(seconds: int | None = None) -> Any:
    """Return the end of a lease that begins now, on the database's clock."""
    return Now() + dt.timedelta(seconds=seconds or settings.JOB_LEASE_SECONDS)

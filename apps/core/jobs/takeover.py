"""In embedded mode, a worker that starts resumes the jobs of a killed worker at once.

Without this the jobs would wait half a minute, until their leases expire. Each process that
runs jobs on this machine's database locks a file beside it. The system releases the lock even
after SIGKILL, so a worker that gets an exclusive lock is the only one alive.
"""

import datetime as dt
import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import signals
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from apps.core.jobs.models import Job, JobState

logger = logging.getLogger(__name__)

_held: list[int] = []


def is_alone_here() -> bool:
    """Return whether this machine runs all the jobs: a database that is a file, and no broker."""
    return not settings.REDIS_URL and connection.vendor == "sqlite"


def take_over() -> int:
    """Make the jobs of workers that died claimable now; return how many.

    None while another worker, or a command that runs a job, is alive. This process counts
    as a living worker until it ends.
    """
    if not is_alone_here():
        return 0
    lock = _open()
    _held.append(lock)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(lock, fcntl.LOCK_SH)
        return 0
    try:
        # The dead worker's queue is lost with it.
        Job.objects.filter(state=JobState.QUEUED).update(dispatched_at=None)
        return Job.objects.filter(state=JobState.RUNNING).update(
            lease_until=Now() - dt.timedelta(seconds=1)
        )
    finally:
        fcntl.flock(lock, fcntl.LOCK_SH)


@contextmanager
def running_here() -> Iterator[None]:
    """Keep a worker that starts from taking over what this process does."""
    if not is_alone_here():
        yield
        return
    lock = _open()
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


def _open() -> int:
    return os.open(f"{connection.settings_dict['NAME']}.worker", os.O_RDWR | os.O_CREAT, 0o600)


@signals.worker_ready.connect
def take_over_at_start(**_: Any) -> None:
    try:
        if count := take_over():
            logger.warning("taking over %s jobs of a worker that died", count)
    except DatabaseError as problem:
        # Their leases will run out.
        logger.warning("could not take over what a worker left: %s", problem)

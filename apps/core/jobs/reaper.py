"""The thread in every worker that feeds it from the job rows.

Embedded it is the only feeder; in production it sends again the jobs that the broker lost.
"""

import logging
import os
import signal
import threading
import time
from types import FrameType
from typing import Any, Final

from celery import signals
from django.conf import settings
from django.db import DatabaseError, connections

from apps.core.clock import now
from apps.core.jobs.celery_task import send_job
from apps.core.jobs.dispatch import dispatch_waiting, start_due_jobs
from apps.core.jobs.keeper import KEEPER
from apps.core.jobs.run import stopping

logger = logging.getLogger(__name__)

STOPPING_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
# How often a worker looks whether a periodic job is due.
DUE_SECONDS = 60
# How long a worker that stops waits for the end of a look, which may wait for a broker.
LAST_LOOK_SECONDS = 2


class Reaper(threading.Thread):
    """Looks for work every `JOB_POLL_SECONDS` until stopped."""

    def __init__(self) -> None:
        super().__init__(name="job-reaper", daemon=True)
        self._stopping = threading.Event()
        self._looked_at = -float(DUE_SECONDS)

    def stop(self) -> None:
        self._stopping.set()

    def run(self) -> None:
        while not self._stopping.is_set():
            if is_left_alone():
                logger.warning("who keeps this worker is gone: ending")
                os.kill(os.getpid(), signal.SIGTERM)
                break
            try:
                self._start_due()
                dispatch_waiting(send_job)
            except DatabaseError as problem:
                logger.warning("reaper: the database does not answer: %s", problem)
                connections.close_all()
            except Exception:
                logger.exception("reaper: could not dispatch")
                connections.close_all()
            finally:
                # A forked pool process must never inherit this thread's connection.
                if settings.REDIS_URL:
                    connections.close_all()
            self._stopping.wait(settings.JOB_POLL_SECONDS)
        connections.close_all()

    def _start_due(self) -> None:
        if time.monotonic() - self._looked_at >= DUE_SECONDS:
            start_due_jobs(now=now())
            self._looked_at = time.monotonic()


def is_left_alone() -> bool:
    """Return whether the process that keeps this worker has died."""
    keeper = os.environ.get(KEEPER)
    return keeper is not None and os.getppid() != int(keeper)


_running: list[Reaper] = []


@signals.worker_ready.connect
def start_reaper(**_: Any) -> None:
    reaper = Reaper()
    _running.append(reaper)
    reaper.start()


@signals.worker_ready.connect
def stop_once(**_: Any) -> None:
    """Take one signal to stop, and ignore those after it.

    The group and the keeper both send one. A second one within the handling of the first would
    wait for ever for a lock that the first holds: of Celery's own, as it tells of the end.
    """
    handlers = {number: signal.getsignal(number) for number in STOPPING_SIGNALS}

    def stop(number: int, frame: FrameType | None) -> None:
        for each in STOPPING_SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        handler = handlers[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in STOPPING_SIGNALS:
        signal.signal(number, stop)


@signals.worker_process_init.connect
def outlive_the_signal(**_: Any) -> None:
    """Leave SIGTERM to the first process, which tells the others through `stopping`.

    systemd and honcho send it to the whole group: a pool process that dies of it loses its
    chunk and one of the job's five attempts.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@signals.worker_shutting_down.connect
def stop_reaper(**_: Any) -> None:
    """Start no more jobs, and return running ones to the queue at their next chunk.

    In this order: a look that has begun would send a job that comes back to this worker again.
    """
    while _running:
        reaper = _running.pop()
        reaper.stop()
        reaper.join(LAST_LOOK_SECONDS)
    stopping.set()

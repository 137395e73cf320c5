"""The thread that hands jobs to the broker, so that no request waits for one.

A broker that accepts connections and never answers holds a sender for seconds; a
request must not pay for that. What this thread loses, the reaper sends again.
"""

import atexit
import logging
import queue
import threading
import time

from celery import current_app

from apps.core.jobs.registry import kinds

logger = logging.getLogger(__name__)

# How long a process that ends, such as a command, waits for the broker.
LAST_WAIT_SECONDS = 1.0
# For a row whose kind has no handler: it fails with that reason.
ANY_KIND = "core.run_job"

_waiting: queue.Queue[tuple[str, str]] = queue.Queue()
_starting = threading.Lock()
_thread: threading.Thread | None = None


def send_job(kind: str, job_id: str) -> None:
    """Hand a job to the broker under the name of its kind."""
    current_app.send_task(kind if kind in kinds() else ANY_KIND, (job_id,))


def send_soon(kind: str, job_id: str) -> None:
    """Send the job's id to the broker from the thread of this process. Never blocks."""
    global _thread
    _waiting.put((kind, job_id))
    with _starting:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_send_all, name="job-sender", daemon=True)
            _thread.start()


def _send_all() -> None:
    waiting = _waiting
    while True:
        kind, job_id = waiting.get()
        try:
            send_job(kind, job_id)
        except Exception as problem:  # noqa: BLE001  (any broker failure; the reaper repeats)
            logger.warning("broker did not take job %s: %s", job_id, problem)
        finally:
            waiting.task_done()


@atexit.register
def _send_the_rest() -> None:
    deadline = time.monotonic() + LAST_WAIT_SECONDS
    while _waiting.unfinished_tasks and time.monotonic() < deadline:
        time.sleep(0.02)

"""Keeps a worker running: one that ended by itself is started again.

A Celery worker ends when its broker restarts twice within seconds, and when it is killed for
its memory. Imports nothing but the standard library, so that what only waits stays small.

    python -m apps.core.jobs.keeper COMMAND…
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

# The worker looks for this process and ends when it is gone (`reaper.py`).
KEEPER: Final = "BRICKSTOW_KEEPER"
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
# What ran for so long has recovered: the next pause is the first one again.
HEALTHY_SECONDS: Final = 60.0


class Keeper:
    """Starts `command` and starts it again, after a longer pause each time, until asked to end."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        pause: Callable[[threading.Event, float], Any] = threading.Event.wait,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = list(command)
        self._pause = pause
        self._clock = clock
        self._asked = threading.Event()
        self._worker: subprocess.Popen[bytes] | None = None

    def end(self, *_: Any) -> None:
        """Ask the worker to finish its chunk and end, and do not start it again.

        SIGTERM, also for Ctrl+C: a terminal sends SIGINT to both, and a second one would have
        Celery drop its job.
        """
        self._asked.set()
        worker = self._worker
        if worker is not None and worker.poll() is None:
            worker.send_signal(signal.SIGTERM)

    def run(self) -> int:
        """Keep the worker until `end`; return its exit code, 0 when the signal ended it."""
        pause = FIRST_PAUSE
        while not self._asked.is_set():
            began = self._clock()
            code = self._once()
            if self._asked.is_set():
                return max(code, 0)
            lasted = self._clock() - began
            if lasted >= HEALTHY_SECONDS:
                pause = FIRST_PAUSE
            sys.stderr.write(
                f"The worker ended by itself ({_said(code)}) after {lasted:.0f} s; "
                f"starting it again in {pause:g} s.\n"
            )
            sys.stderr.flush()
            self._pause(self._asked, pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        return 0

    def _once(self) -> int:
        environment = {**os.environ, KEEPER: str(os.getpid())}
        self._worker = subprocess.Popen(self._command, env=environment)
        if self._asked.is_set():  # between the look and the start
            self._worker.send_signal(signal.SIGTERM)
        return self._worker.wait()


def kept_worker(*, has_broker: bool, concurrency: int = 3) -> list[str]:
    """Return the command that keeps a Celery worker running, for the root folder of the project.

    A process of its own for each job where there is a broker; embedded, threads share the
    in-memory transport with the poller that feeds it.
    """
    celery = [sys.executable, "-m", "celery", "--quiet", "-A", "bricks", "worker"]
    quiet = ["--loglevel", "warning", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    pool = ["--pool", "prefork" if has_broker else "threads", "--concurrency", str(concurrency)]
    limits = ["--max-tasks-per-child", "50"] if has_broker else []
    return [sys.executable, "-m", "apps.core.jobs.keeper", *celery, *quiet, *pool, *limits]


def _said(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def main(command: Sequence[str]) -> int:
    """Keep `command` running until SIGTERM or SIGINT."""
    keeper = Keeper(command)
    signal.signal(signal.SIGTERM, keeper.end)
    signal.signal(signal.SIGINT, keeper.end)
    return keeper.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

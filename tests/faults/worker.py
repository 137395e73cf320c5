"""A worker of the real app with its own folder and database, and a look at what it does."""

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from django.db import connection

from apps.core.jobs.dispatch import start_job
from tests.e2e.app import RunningApp
from tests.faults.counting.apps import FAR, KIND

CHUNKS = 30
PAUSE_SECONDS = 0.03
STOPPED = "T"
START = """
from apps.core.jobs.dispatch import start_job
from tests.faults.counting.apps import KIND
print(start_job(owner=None, kind=KIND, payload={}).pk.hex)
"""


class Worker:
    """A worker process with a database of its own, seen from outside through SQL."""

    def __init__(
        self, folder: Path, unblocked: Callable[[], AbstractContextManager[Any]], **environment: str
    ) -> None:
        self.unblocked = unblocked
        self.app = RunningApp(
            folder,
            DJANGO_SETTINGS_MODULE="tests.faults.settings",
            JOB_LEASE_SECONDS="4",  # longer than any chunk takes on a busy machine
            LOG_LEVEL="INFO",
            WEB_CONCURRENCY="1",
            **environment,
        )
        self.database = folder / "brickstow.sqlite3"

    def start_job(
        self,
        name: str,
        chunks: int = CHUNKS,
        holds: Sequence[int] = (),
        *,
        by_process: bool = False,
    ) -> str:
        """Start a job of these tests; return its id. `holds` are as in `count_slowly`.

        `by_process`, a process of the app starts it and hands it to the broker, which costs 2
        seconds of CPU; otherwise the worker finds its row.
        """
        payload = {"name": name, "chunks": chunks, "pause": PAUSE_SECONDS, "holds": list(holds)}
        if by_process:
            return self.app.manage("shell", "--no-imports", "-c", START.format(payload)).strip()
        with self.connected():
            return start_job(owner=None, kind=KIND, payload=payload).pk.hex

    def start_web(self) -> None:
        """Start the web server beside it, without the files of the pages, and wait for it."""
        (self.app.folder / "static").mkdir()
        self.app.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
        self.app.wait_until_ready()

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Let this process work in the database of the worker: to start another takes 2 seconds."""
        usual = connection.settings_dict["NAME"]
        connection.close()
        connection.settings_dict["NAME"] = str(self.database)
        try:
            with self.unblocked():
                yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = usual

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with sqlite3.connect(self.database, timeout=10) as connection:
            return connection.execute(sql, values).fetchall()

    def job(self, job_id: str) -> dict[str, Any]:
        names = (
            "state",
            "done",
            "attempts",
            "message",
            "checkpoint",
            "lease_until",
            "dispatched_at",
        )
        ((*values,),) = self.query(
            f"SELECT {', '.join(names)} FROM core_job WHERE id = ?",
            job_id,
        )
        return dict(zip(names, values, strict=True))

    def marks(self, name: str) -> dict[int, int]:
        rows = self.query("SELECT started, count FROM core_ratewindow WHERE key = ?", name)
        return {started - FAR: count for started, count in rows}

    def wait_for(self, condition: Callable[[], bool], what: str, seconds: float = 180) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return
            time.sleep(0.02)
        log = (self.app.folder / "worker.log").read_text()
        raise AssertionError(f"waited {seconds} s for {what}; the worker said:\n{log}")

    def wait_for_chunk(self, job_id: str, number: int) -> None:
        self.wait_for(lambda: self.job(job_id)["done"] >= number, f"chunk {number}")

    def wait_for_end(self, job_id: str, seconds: float = 180) -> None:
        ended = {"succeeded", "failed", "cancelled"}
        self.wait_for(lambda: self.job(job_id)["state"] in ended, "the job's end", seconds)

    def freeze(self, group: int) -> None:
        """Stop the processes of a group, and wait until each of their threads has stopped.

        A thread inside a system call ends that first: it may be the call that locks the database.
        """
        os.killpg(group, signal.SIGSTOP)
        self.wait_for(lambda: states_of(group) == {STOPPED}, "its threads to stop")

    def is_writing(self) -> bool:
        """Tell whether somebody is inside a transaction at this moment."""
        connection = sqlite3.connect(self.database, timeout=0.05, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return True
        finally:
            connection.close()
        return False


def states_of(group: int) -> set[str]:
    """Return the states of all threads of a process group, as in /proc."""
    found = set()
    for said in Path("/proc").glob("[0-9]*/task/*/stat"):
        with suppress(OSError):  # it has ended since
            state, _, its_group, *_ = said.read_text().rpartition(")")[2].split()
            if int(its_group) == group:
                found.add(state)
    return found


def once_each(chunks: int = CHUNKS) -> dict[int, int]:
    return dict.fromkeys(range(chunks + 1), 1)

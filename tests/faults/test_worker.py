"""The embedded worker as `make run` starts it, killed and stopped in the middle of a job."""

import json
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.app import RunningApp
from tests.faults.counting.apps import FAR

pytestmark = pytest.mark.faults

CHUNKS = 30
PAUSE_SECONDS = 0.03
START = """
from apps.core.jobs.dispatch import start_job
from tests.faults.counting.apps import KIND
job = start_job(
    owner=None, kind=KIND, payload={{"name": {name!r}, "chunks": {chunks}, "pause": {pause}}}
)
print(job.pk.hex)
"""


class Worker:
    """A worker process with a database of its own, seen from outside through SQL."""

    def __init__(self, folder: Path) -> None:
        self.app = RunningApp(
            folder,
            DJANGO_SETTINGS_MODULE="tests.faults.settings",
            JOB_LEASE_SECONDS="1",
            LOG_LEVEL="INFO",
        )
        self.database = folder / "brickstow.sqlite3"

    def start_job(self, name: str, chunks: int = CHUNKS) -> str:
        code = START.format(name=name, chunks=chunks, pause=PAUSE_SECONDS)
        return self.app.manage("shell", "--no-imports", "-c", code).strip()

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with sqlite3.connect(self.database, timeout=10) as connection:
            return connection.execute(sql, values).fetchall()

    def job(self, job_id: str) -> dict[str, Any]:
        names = ("state", "done", "attempts", "message", "checkpoint", "lease_until")
        ((*values,),) = self.query(
            f"SELECT {', '.join(names)} FROM core_job WHERE id = ?",
            job_id,
        )
        return dict(zip(names, values, strict=True))

    def marks(self, name: str) -> dict[int, int]:
        rows = self.query("SELECT started, count FROM core_ratewindow WHERE key = ?", name)
        return {started - FAR: count for started, count in rows}

    def wait_for(self, condition: Callable[[], bool], what: str, seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return
            time.sleep(0.02)
        log = (self.app.folder / "worker.log").read_text()
        raise AssertionError(f"waited {seconds} s for {what}; the worker said:\n{log}")

    def wait_for_chunk(self, job_id: str, number: int) -> None:
        self.wait_for(lambda: self.job(job_id)["done"] >= number, f"chunk {number}")

    def wait_for_end(self, job_id: str) -> None:
        ended = {"succeeded", "failed", "cancelled"}
        self.wait_for(lambda: self.job(job_id)["state"] in ended, "the job's end")

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


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Worker(tmp_path_factory.mktemp("migrated"))
    made.app.manage("migrate", "--noinput", "--verbosity", "0")
    return made.database


@pytest.fixture
def worker(tmp_path: Path, migrated: Path) -> Iterator[Worker]:
    shutil.copy(migrated, tmp_path)
    made = Worker(tmp_path)
    yield made
    for name in list(made.app.processes):
        made.app.kill(name)


def once_each(chunks: int = CHUNKS) -> dict[int, int]:
    return dict.fromkeys(range(chunks + 1), 1)


class TestWorker:
    def test_finishes_after_being_killed_again_and_again_with_each_effect_once(self, worker):
        job_id = worker.start_job("killed")

        for chunk in (3, 11, 20):
            worker.app.start_worker()
            worker.wait_for_chunk(job_id, chunk)
            worker.app.kill("worker")
        worker.app.start_worker()
        worker.wait_for_end(job_id)

        job = worker.job(job_id)
        assert (job["state"], job["done"], job["attempts"]) == ("succeeded", CHUNKS, 4)
        assert worker.marks("killed") == once_each()

    def test_gives_its_job_back_when_it_is_asked_to_stop(self, worker):
        job_id = worker.start_job("stopped", chunks=60)
        worker.app.start_worker()
        worker.wait_for_chunk(job_id, 5)

        process = worker.app.processes.pop("worker")
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=10)

        job = worker.job(job_id)
        assert (job["state"], job["attempts"], job["lease_until"]) == ("queued", 0, None)
        assert json.loads(job["checkpoint"])["next"] == job["done"] < 60
        worker.app.start_worker()
        worker.wait_for_end(job_id)
        assert worker.job(job_id)["state"] == "succeeded"
        assert worker.marks("stopped") == once_each(60)

    def test_changes_nothing_more_once_another_worker_took_its_job(self, worker):
        job_id = worker.start_job("frozen")
        worker.app.start_worker()
        worker.wait_for_chunk(job_id, 3)
        frozen = worker.app.processes.pop("worker")
        os.killpg(frozen.pid, signal.SIGSTOP)
        while worker.is_writing():  # frozen inside a transaction it would hold up everybody
            os.killpg(frozen.pid, signal.SIGCONT)
            time.sleep(0.01)
            os.killpg(frozen.pid, signal.SIGSTOP)
        done_when_frozen = worker.job(job_id)["done"]

        try:
            worker.app.start_worker()
            worker.wait_for_chunk(job_id, done_when_frozen + 3)
            os.killpg(frozen.pid, signal.SIGCONT)
            worker.wait_for_end(job_id)
            worker.wait_for(
                lambda: "was taken over" in (worker.app.folder / "worker.log").read_text(),
                "the frozen worker to notice",
            )
        finally:
            os.killpg(frozen.pid, signal.SIGKILL)
            frozen.wait()

        assert worker.job(job_id)["state"] == "succeeded"
        assert worker.marks("frozen") == once_each()

    def test_starts_a_waiting_job_within_a_second(self, worker):
        worker.app.start_worker()
        first = worker.start_job("first", chunks=1)
        worker.wait_for_end(first)

        second = worker.start_job("second", chunks=1)
        began = time.monotonic()
        worker.wait_for_end(second)

        assert worker.job(second)["state"] == "succeeded"
        assert time.monotonic() - began < 2

"""The worker of production: processes fed by Redis, both killed in the middle of a job."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.e2e.app import free_port
from tests.faults.worker import CHUNKS, Worker, once_each

pytestmark = pytest.mark.faults


class Server:
    """A Redis that keeps nothing on disk: what it knew dies with it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )
        client = redis.Redis.from_url(self.url)
        for _ in range(200):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.02)
        client.close()

    def kill(self) -> None:
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    made = Server(tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def worker(tmp_path: Path, migrated: Path, server: Server) -> Iterator[Worker]:
    shutil.copy(migrated, tmp_path)
    made = Worker(tmp_path, REDIS_URL=server.url, JOB_POLL_SECONDS="0.2")
    yield made
    for name in list(made.app.processes):
        made.app.kill(name)


class TestWorkerOnRedis:
    def test_takes_what_redis_hands_it(self, worker):
        worker.app.start_worker()
        first = worker.start_job("first", chunks=1)
        worker.wait_for_end(first)

        assert worker.job(first)["state"] == "succeeded"
        assert worker.marks("first") == once_each(1)

    def test_finishes_after_it_and_redis_were_killed(self, worker, server):
        job_id = worker.start_job("killed")
        worker.app.start_worker()
        worker.wait_for_chunk(job_id, 5)

        worker.app.kill("worker")
        server.kill()
        server.start()
        worker.app.start_worker()
        worker.wait_for_end(job_id)

        job = worker.job(job_id)
        assert (job["state"], job["done"], job["attempts"]) == ("succeeded", CHUNKS, 2)
        assert worker.marks("killed") == once_each()

    def test_runs_jobs_that_were_started_while_redis_was_away(self, worker, server):
        server.kill()
        job_id = worker.start_job("away")
        assert worker.job(job_id)["state"] == "queued"

        server.start()
        worker.app.start_worker()
        worker.query("UPDATE core_job SET dispatched_at = NULL WHERE id = ?", job_id)
        worker.wait_for_end(job_id)

        assert worker.marks("away") == once_each()

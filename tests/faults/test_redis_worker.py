"""The worker of production: processes fed by Redis, both killed in the middle of a job."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks._servers import Redis
from benchmarks.kills import descendants_of
from tests.faults.worker import CHUNKS, Worker, once_each

pytestmark = pytest.mark.faults


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Redis]:
    if not Redis.is_installed():
        pytest.skip("redis-server is not installed")
    made = Redis(tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def worker(
    tmp_path: Path, migrated_copy: Path, server: Redis, django_db_blocker
) -> Iterator[Worker]:
    made = Worker(tmp_path, django_db_blocker.unblock, REDIS_URL=server.url, JOB_POLL_SECONDS="0.2")
    shutil.copyfile(migrated_copy, made.database)
    yield made
    for name in list(made.app.processes):
        made.app.kill(name)


class TestWorkerOnRedis:
    def test_takes_what_redis_hands_it(self, worker):
        worker.app.start_worker()
        first = worker.start_job("first", chunks=1, by_process=True)
        worker.wait_for_end(first)

        assert worker.job(first)["state"] == "succeeded"
        assert worker.marks("first") == once_each(1)

    def test_finishes_after_it_and_redis_were_killed(self, worker, server):
        job_id = worker.start_job("killed", holds=[5])
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
        job_id = worker.start_job("away", by_process=True)
        assert worker.job(job_id)["state"] == "queued"

        server.start()
        worker.app.start_worker()
        worker.query("UPDATE core_job SET dispatched_at = NULL WHERE id = ?", job_id)
        worker.wait_for_end(job_id)

        assert worker.marks("away") == once_each()

    def test_is_started_again_when_it_ends_by_itself(self, worker):
        """As it does where Redis restarts twice within seconds: nobody else starts it again."""
        worker.app.start_worker()
        worker.wait_for_end(worker.start_job("before", chunks=1))
        keeper = worker.app.processes["worker"].pid

        for process in descendants_of(keeper):
            os.kill(process, signal.SIGKILL)
        job_id = worker.start_job("after", chunks=1)
        worker.wait_for_end(job_id)

        assert worker.job(job_id)["state"] == "succeeded"
        assert worker.app.processes["worker"].poll() is None

    def test_ends_when_what_keeps_it_was_killed(self, worker):
        worker.app.start_worker()
        worker.wait_for_end(worker.start_job("before", chunks=1))
        keeper = worker.app.processes["worker"].pid
        (celery, *_) = descendants_of(keeper)

        os.kill(keeper, signal.SIGKILL)
        worker.app.processes.pop("worker").wait()

        worker.wait_for(lambda: not Path(f"/proc/{celery}").exists(), "the worker to end")

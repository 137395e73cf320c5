"""The embedded worker as `make run` starts it, killed and stopped in the middle of a job."""

import json
import os
import signal
import time

import pytest

from apps.core.jobs.dispatch import STALE_AFTER
from tests.faults.worker import CHUNKS, once_each

pytestmark = pytest.mark.faults


class TestWorker:
    def test_finishes_after_being_killed_again_and_again_with_each_effect_once(self, worker):
        kills = (3, 14)
        job_id = worker.start_job("killed", holds=kills)

        for chunk in kills:
            worker.app.start_worker()
            worker.wait_for_chunk(job_id, chunk)
            worker.app.kill("worker")
        worker.app.start_worker()
        worker.wait_for_end(job_id)

        job = worker.job(job_id)
        assert (job["state"], job["done"], job["attempts"]) == ("succeeded", CHUNKS, 3)
        assert worker.marks("killed") == once_each()

    def test_gives_its_job_back_when_it_is_asked_to_stop(self, worker):
        job_id = worker.start_job("stopped", holds=[5])
        worker.app.start_worker()
        worker.wait_for_chunk(job_id, 5)

        process = worker.app.processes.pop("worker")
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=90)

        job = worker.job(job_id)
        assert (job["state"], job["attempts"], job["lease_until"]) == ("queued", 0, None)
        assert job["dispatched_at"] is None, "the next worker takes it at once"
        assert json.loads(job["checkpoint"])["next"] == job["done"] == 5
        worker.app.start_worker()
        worker.wait_for_end(job_id)
        assert worker.job(job_id)["state"] == "succeeded"
        assert worker.marks("stopped") == once_each()

    def test_changes_nothing_more_once_another_worker_took_its_job(self, worker):
        job_id = worker.start_job("frozen", holds=[3, 6])
        worker.app.start_worker()
        worker.wait_for_chunk(job_id, 3)
        frozen = worker.app.processes.pop("worker")
        worker.freeze(frozen.pid)
        while worker.is_writing():  # frozen inside a transaction it would hold up everybody
            os.killpg(frozen.pid, signal.SIGCONT)
            time.sleep(0.01)
            worker.freeze(frozen.pid)

        try:
            worker.app.start_worker()
            worker.wait_for_chunk(job_id, 6)
            os.killpg(frozen.pid, signal.SIGCONT)
            worker.wait_for(
                lambda: "was taken over" in (worker.app.folder / "worker.log").read_text(),
                "the frozen worker to notice",
            )
            worker.app.kill("worker")
            worker.app.start_worker()
            worker.wait_for_end(job_id)
        finally:
            os.killpg(frozen.pid, signal.SIGKILL)
            frozen.wait()

        assert worker.job(job_id)["state"] == "succeeded"
        assert worker.marks("frozen") == once_each()

    def test_starts_a_job_without_waiting_for_the_reapers_second_try(self, worker):
        worker.app.start_worker()
        first = worker.start_job("first", chunks=1)
        worker.wait_for_end(first)

        second = worker.start_job("second", chunks=1)
        worker.wait_for_end(second)

        assert worker.job(second)["state"] == "succeeded"
        ((waited,),) = worker.query(
            "SELECT julianday(started_at) - julianday(created_at) FROM core_job WHERE id = ?",
            second,
        )
        assert waited * 24 * 3600 < STALE_AFTER.total_seconds()

import pytest

from apps.core.jobs import registry
from apps.core.jobs.dispatch import cancel_job, start_job
from apps.core.jobs.foreground import run_in_foreground
from apps.core.jobs.models import JobState

KIND = "core.count_in_test"


@pytest.fixture
def handler():
    """Register a handler of this test's own kind, and take it away again."""

    def register(function):
        registry.job_handler(KIND)(function)

    yield register
    registry._kinds.pop(KIND, None)


@pytest.mark.django_db
class TestRunInForeground:
    def test_runs_the_job_and_tells_each_step(self, ann, handler):
        @handler
        def count(run, **_):
            for done in (1, 2):
                with run.chunk(done=done, total=2, message=f"step {done}"):
                    pass

        told = []
        job = start_job(owner=ann, kind=KIND, payload={})

        ended = run_in_foreground(job=job, tell=lambda *step: told.append(step))

        assert ended.state == JobState.SUCCEEDED
        assert told == [(1, 2, "step 1"), (2, 2, "step 2"), (2, 2, "step 2")]

    def test_follows_a_job_that_has_already_ended(self, ann, handler):
        handler(lambda run, **_: None)
        job = start_job(owner=ann, kind=KIND, payload={})
        cancel_job(job=job)
        told = []

        ended = run_in_foreground(job=job, tell=lambda *step: told.append(step))

        assert ended.state == JobState.CANCELLED
        assert told == [(0, None, "Cancelled.")]

    def test_ctrl_c_cancels_and_lets_the_handler_tidy_up(self, ann, handler):
        visits = []

        @handler
        def interrupted(run, **_):
            visits.append("began")
            with run.chunk():
                visits.append("worked")
                raise KeyboardInterrupt

        job = start_job(owner=ann, kind=KIND, payload={})

        with pytest.raises(KeyboardInterrupt):
            run_in_foreground(job=job, tell=lambda *_: None)

        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
        assert visits == ["began", "worked", "began"]

import os
import uuid

import pytest
from django.db import connection

from apps.core.clock import now
from apps.core.jobs import takeover
from apps.core.jobs.dispatch import dispatch_waiting
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.run import lease_end
from apps.core.jobs.runner import claimable
from apps.core.jobs.takeover import running_here, take_over

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _let_go():
    """Give up what a worker of a test holds until its process ends."""
    yield
    while takeover._held:
        os.close(takeover._held.pop())


@pytest.fixture
def running(ann):
    """A job whose worker has half a minute left to tell of itself."""
    job = Job.objects.create(
        owner=ann, kind="core.any", state=JobState.RUNNING, token=uuid.uuid4(), attempts=1
    )
    Job.objects.update(lease_until=lease_end())
    return job


def is_claimable(job):
    return Job.objects.filter(claimable(), pk=job.pk).exists()


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="several machines may run jobs of this database"
)
class TestTakeOver:
    def test_makes_the_jobs_of_a_dead_worker_claimable_at_once(self, running):
        assert not is_claimable(running)

        assert take_over() == 1

        assert is_claimable(running)

    def test_hands_out_at_once_what_waited_in_the_queue_of_a_dead_worker(self, ann):
        job = Job.objects.create(owner=ann, kind="core.any", dispatched_at=now())

        take_over()

        sent = []
        dispatch_waiting(lambda kind, pk: sent.append(pk))
        assert sent == [str(job.pk)]

    def test_leaves_jobs_alone_while_another_worker_is_alive(self, running):
        assert take_over() == 1
        Job.objects.update(lease_until=lease_end())

        assert take_over() == 0

        assert not is_claimable(running)

    def test_leaves_jobs_alone_while_a_command_runs_one(self, running):
        with running_here():
            assert take_over() == 0

        assert not is_claimable(running)

    def test_takes_over_once_the_command_has_ended(self, running):
        with running_here():
            pass

        assert take_over() == 1

    def test_leaves_finished_and_waiting_jobs_as_they_are(self, running):
        Job.objects.update(state=JobState.QUEUED, lease_until=None)

        assert take_over() == 0

        running.refresh_from_db()
        assert (running.state, running.lease_until) == (JobState.QUEUED, None)

    def test_is_left_to_the_leases_where_a_broker_feeds_several_workers(self, running, settings):
        settings.REDIS_URL = "redis://127.0.0.1:1/0"

        assert take_over() == 0

        assert not is_claimable(running)


def test_a_database_that_others_reach_is_left_to_the_leases():
    assert takeover.is_alone_here() == (connection.vendor == "sqlite")

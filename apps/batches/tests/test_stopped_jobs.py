"""What a job leaves that is cancelled or fails: said once, and nothing stays pending for ever.

A job may end where no handler runs: cancelled while it waits, or given up after five kills.
"""

import datetime as dt

import pytest
from django.db import OperationalError

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.services import stowing
from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import StowOptions, stow_items
from apps.batches.tests.factories import make_batch, make_item, make_location
from apps.core.clock import now
from apps.core.jobs import runner
from apps.core.jobs.dispatch import cancel_job
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.runner import give_up_lost_jobs, run_job

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """SIGKILL, as far as one process can play it."""


def log_of(batch):
    rows = BatchOperation.objects.filter(batch=batch).order_by("pk")
    return list(rows.values_list("kind", "item_count", "message"))


def lose_lease():
    Job.objects.update(lease_until=now() - dt.timedelta(days=365))


def killed_five_times(job, monkeypatch, where, name, *, once=lambda: True):
    """Deliver the job until its worker has died in `where.name`, `once` it may, as often as it may."""
    real = getattr(where, name)

    def die(*args, **kwargs):
        if once():
            raise Killed
        return real(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(where, name, die)
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(Killed):
                run_job(job.pk)
            lose_lease()
    assert give_up_lost_jobs() == 1
    job.refresh_from_db()


@pytest.fixture
def few(ann, monkeypatch):
    """A batch of three new items, which already are too many for one request."""
    monkeypatch.setattr(stowing, "AT_ONCE", 2)
    batch, place = make_batch(ann), make_location(ann, "A-01")
    for _ in range(3):
        make_item(batch, location=place)
    return batch


def stow(batch):
    options = StowOptions()
    return stow_items(batch=batch, chosen=Chosen(), options=options, by=batch.owner, now=now()).job


class TestStowing:
    def test_that_is_killed_as_it_is_cancelled_is_logged_once(self, few, monkeypatch):
        job = stow(few)
        Job.objects.filter(pk=job.pk).update(cancel_requested=True)
        real = runner.end_job

        def die_after(*rows, **also):
            with monkeypatch.context():
                real(*rows, **also)
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(runner, "end_job", die_after)
            with pytest.raises(Killed):
                run_job(job.pk)
        lose_lease()
        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
        assert log_of(few) == [("stow", 0, "Cancelled.")]

    def test_that_is_killed_before_its_end_is_written_has_no_line_yet(self, few, monkeypatch):
        job = stow(few)
        Job.objects.filter(pk=job.pk).update(cancel_requested=True)

        def die(*_, **__):
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(runner, "end_job", die)
            with pytest.raises(Killed):
                run_job(job.pk)

        assert log_of(few) == []

    def test_cancelled_while_it_waits_lets_its_items_go(self, few):
        job = stow(few)

        cancel_job(job=job)

        assert not BatchItem.objects.filter(is_stowed_pending=True).exists()
        assert log_of(few) == [("stow", 0, "Cancelled.")]
        job.refresh_from_db()
        assert job.result == {"batch_id": few.pk, "item_count": 0, "failed_count": 0}

    def test_given_up_after_five_kills_lets_its_items_go(self, few, monkeypatch):
        job = stow(few)

        killed_five_times(job, monkeypatch, stowing, "stow")

        assert job.state == JobState.FAILED
        assert not BatchItem.objects.filter(is_stowed_pending=True).exists()
        assert log_of(few) == [("stow", 0, "The worker was stopped 5 times while doing this.")]

    def test_whose_database_stays_away_lets_its_items_go(self, few, monkeypatch):
        job = stow(few)

        def away(*_, **__):
            raise OperationalError("gone")

        with monkeypatch.context() as patched:
            patched.setattr(stowing, "stow", away)
            for _ in range(MAX_ATTEMPTS):
                Job.objects.update(not_before=None)
                run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert not BatchItem.objects.filter(is_stowed_pending=True).exists()

    def test_of_a_batch_that_was_deleted_just_ends(self, few):
        job = stow(few)
        Job.objects.filter(pk=job.pk).update(payload=job.payload | {"batch_id": 0})

        cancel_job(job=job)

        job.refresh_from_db()
        assert (job.state, job.result) == (JobState.CANCELLED, {})

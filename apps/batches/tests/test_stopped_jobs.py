"""What a job leaves that is cancelled or fails: said once, and nothing stays pending for ever.

A job may end where no handler runs: cancelled while it waits, or given up after five kills.
"""

import datetime as dt

import pytest
from django.db import OperationalError

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.services import stowing
from apps.batches.services.listing import SETTLE_KIND
from apps.batches.services.store_sync import start_apply, start_plan
from apps.batches.services.stowing import Chosen, StowOptions, stow_items
from apps.batches.tests.factories import make_batch, make_item, make_location
from apps.batches.tests.listing import items_of, list_items, look_again, start, stowed
from apps.core.clock import now
from apps.core.jobs import runner
from apps.core.jobs.dispatch import cancel_job, retry_job
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.runner import give_up_lost_jobs, run_job
from apps.core.testing.jobs import run_jobs
from apps.marketplace.models import Listing, ListingState, SyncState
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """SIGKILL, as far as one process can play it."""


def log_of(batch):
    rows = BatchOperation.objects.filter(batch=batch).order_by("pk")
    return list(rows.values_list("kind", "item_count", "message"))


def lose_lease():
    Job.objects.update(lease_until=now() - dt.timedelta(days=365))


def killed_five_times(job, monkeypatch, where, name):
    """Deliver the job until its worker has died in `where.name` as often as it may."""

    def die(*_, **__):
        raise Killed

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


class TestListing:
    def test_cancelled_while_it_waits_lets_its_items_go(self, store, connected):
        batch = stowed(connected, 2)
        job = start(batch)

        cancel_job(job=job)

        assert not any(item.is_listed_pending for item in items_of(batch))
        assert log_of(batch)[-1] == ("list", 0, "Cancelled.")

    def test_cancelled_while_it_waits_can_be_tried_again(self, store, connected):
        batch = stowed(connected, 2)
        job = start(batch)
        cancel_job(job=job)

        retry_job(job=job)
        run_jobs()

        assert all(item.is_listed for item in items_of(batch))
        assert not any(item.is_listed_pending for item in items_of(batch))

    def test_given_up_after_five_kills_lets_go_what_was_surely_not_sent(
        self, store, connected, monkeypatch
    ):
        batch = stowed(connected, 2)
        job = start(batch)

        killed_five_times(job, monkeypatch, BrickLinkStore, "_once")

        first, second = items_of(batch)
        assert (first.is_listed_pending, second.is_listed_pending) == (True, False)
        assert (job.result["item_count"], job.result["unknown_count"]) == (0, 1)
        states = Listing.objects.order_by("pk").values_list("state", flat=True)
        assert list(states) == [ListingState.SENDING, ListingState.REJECTED]
        assert Job.objects.get(kind=SETTLE_KIND).state == JobState.QUEUED

    def test_that_failed_tells_how_far_it_came(self, store, connected, settings):
        batch = stowed(connected, 3, quantity=2)
        settings.MARKETPLACE_DAILY_CALLS = 2

        job = list_items(batch)

        assert job.state == JobState.FAILED
        listed = sum(item.is_listed for item in items_of(batch))
        assert job.result["batch_id"] == batch.pk
        assert job.result["item_count"] == listed
        assert job.result["created"] == listed
        assert 0 < listed < 3

    def test_whose_second_look_is_cancelled_lets_its_items_go(self, store, connected):
        batch = stowed(connected, 6)
        list_items(stowed(connected, 1, first=2001, place="B-01"))
        failing(store, "before", method="POST")
        list_items(batch)
        [waiting] = Job.objects.filter(kind=SETTLE_KIND, state=JobState.QUEUED)
        assert any(item.is_listed_pending for item in items_of(batch))

        cancel_job(job=waiting)

        assert not any(item.is_listed_pending for item in items_of(batch))
        waiting.refresh_from_db()
        assert waiting.failed_count == 6
        assert {one["outcome"] for one in waiting.failed} == {"unknown"}
        assert log_of(batch)[-1][2] == "Cancelled."
        look_again()
        list_items(batch)
        assert all(item.is_listed for item in items_of(batch))


class TestSync:
    def test_cancelled_while_it_waits_makes_way_for_another(self, store, connected):
        list_items(stowed(connected, 1))
        sync = start_plan(owner=connected, batch=None, now=now())

        cancel_job(job=Job.objects.get(pk=sync.job_id))

        sync.refresh_from_db()
        assert (sync.state, sync.reason) == (SyncState.CANCELLED, "Cancelled.")
        again = start_plan(owner=connected, batch=None, now=now())
        run_jobs()
        again.refresh_from_db()
        assert again.state == SyncState.PLANNED

    def test_given_up_after_five_kills_is_over(self, store, connected, monkeypatch):
        batch = stowed(connected, 1)
        list_items(batch)
        sync = start_plan(owner=connected, batch=batch, now=now())
        run_jobs()
        sync.refresh_from_db()
        start_apply(sync=sync, confirm_removals=None, leave_out=[])

        killed_five_times(Job.objects.get(pk=sync.job_id), monkeypatch, BrickLinkStore, "lots")

        sync.refresh_from_db()
        told = "The worker was stopped 5 times while doing this."
        assert (sync.state, sync.reason) == (SyncState.FAILED, told)
        assert log_of(batch)[-1] == ("sync", 0, told)

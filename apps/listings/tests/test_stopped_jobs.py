"""What a job of listing or syncing leaves that is cancelled or fails."""

import pytest

from apps.batches.tests.test_stopped_jobs import killed_five_times, log_of
from apps.core.clock import now
from apps.core.jobs.dispatch import cancel_job, retry_job
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.listings.models import Listing, ListingState, SyncState
from apps.listings.services._item_course import SETTLE_KIND
from apps.listings.services.store_sync import start_apply, start_plan
from apps.listings.tests.listing import items_of, list_items, look_again, start, stowed
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db


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

        killed_five_times(job, monkeypatch, BrickLinkStore, "_once", once=Listing.objects.exists)

        first, second = items_of(batch)
        assert (first.is_listed_pending, second.is_listed_pending) == (True, False)
        assert (job.result["item_count"], job.result["unknown_count"]) == (0, 1)
        states = Listing.objects.order_by("pk").values_list("state", flat=True)
        assert list(states) == [ListingState.SENDING, ListingState.REJECTED]
        assert Job.objects.get(kind=SETTLE_KIND).state == JobState.QUEUED

    def test_that_failed_tells_how_far_it_came(self, store, connected, settings):
        batch = stowed(connected, 3, quantity=2)
        settings.MARKETPLACE_DAILY_CALLS = 3

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

        killed_five_times(Job.objects.get(pk=sync.job_id), monkeypatch, BrickLinkStore, "each_lot")

        sync.refresh_from_db()
        told = "The worker was stopped 5 times while doing this."
        assert (sync.state, sync.reason) == (SyncState.FAILED, told)
        assert log_of(batch)[-1] == ("sync", 0, told)

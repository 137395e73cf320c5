"""Operators see which jobs are dead and why, and have them tried again through the service."""

import uuid

import pytest
from django.contrib.auth.models import Group
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.runner import run_job

pytestmark = pytest.mark.django_db
LISTED = "/admin/core/job/"


def member(make_user, name, group):
    user = make_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def operator(make_user):
    return member(make_user, "olga", "Operator")


@pytest.fixture
def viewer(make_user):
    return member(make_user, "vera", "Viewer")


@pytest.fixture
def dead(ann):
    """A job that failed for a reason."""
    job = start_job(owner=ann, kind="nobody.does_this", payload={"batch_id": 7})
    run_job(job.pk)
    Job.objects.filter(pk=job.pk).update(
        trouble="Traceback …\nKeyError: 'weight'", failed=[{"id": 3, "reason": "too heavy"}]
    )
    Job.objects.filter(pk=job.pk).update(failed_count=1)
    job.refresh_from_db()
    return job


def detail(job):
    return reverse("admin:core_job_change", args=[job.pk])


def chosen(action, *jobs):
    return {"action": action, "_selected_action": [str(job.pk) for job in jobs]}


class TestJobList:
    def test_tells_which_jobs_are_dead_and_why(self, viewer, ann, dead):
        waiting = start_job(owner=ann, kind="core.waits", payload={})

        page = viewer.get(LISTED, {"standing": "dead"}).content.decode()

        assert "Nothing here can run jobs of kind nobody.does_this." in page
        assert detail(waiting) not in page

    @pytest.mark.parametrize(
        ("standing", "also"),
        [
            ("stuck", {"state": JobState.RUNNING, "token": uuid.uuid4(), "lease_until": Now()}),
            ("waiting", {"state": JobState.QUEUED, "created_at": "2026-01-01T00:00Z"}),
            ("partly", {"state": JobState.SUCCEEDED, "failed_count": 2}),
        ],
    )
    def test_finds_jobs_by_their_standing(self, viewer, ann, standing, also):
        found, other = (start_job(owner=ann, kind=f"core.{n}", payload={}) for n in "ab")
        Job.objects.filter(pk=found.pk).update(**also)

        page = viewer.get(LISTED, {"standing": standing}).content.decode()

        assert detail(found) in page
        assert detail(other) not in page


class TestJobPage:
    def test_shows_reason_trouble_and_the_items_that_failed(self, viewer, dead):
        page = viewer.get(detail(dead)).content.decode()

        assert "Nothing here can run jobs" in page
        assert "KeyError: &#x27;weight&#x27;" in page
        assert "too heavy" in page

    def test_asks_for_itself_again_until_the_job_has_ended(self, viewer, ann, dead):
        waiting = start_job(owner=ann, kind="core.waits", payload={})

        assert viewer.get(detail(waiting)).headers["Refresh"] == "2"
        assert "Refresh" not in viewer.get(detail(dead)).headers

    def test_offers_its_buttons_to_operators_only(self, viewer, operator, dead):
        assert "Try again" in operator.get(detail(dead)).content.decode()
        assert "Try again" not in viewer.get(detail(dead)).content.decode()


class TestRetry:
    def test_queues_the_chosen_jobs_again_and_tells_of_the_rest(self, operator, ann, dead):
        waiting = start_job(owner=ann, kind="core.waits", payload={})

        page = operator.post(LISTED, chosen("retry", dead, waiting), follow=True)

        dead.refresh_from_db()
        assert (dead.state, dead.attempts, dead.message) == (JobState.QUEUED, 0, "")
        assert "1 job queued again; 1 left alone" in page.content.decode()

    def test_is_done_by_the_button_of_a_job(self, operator, dead):
        page = operator.post(f"{LISTED}{dead.pk}/steer/retry/", follow=True)

        dead.refresh_from_db()
        assert dead.state == JobState.QUEUED
        assert "1 job queued again." in page.content.decode()

    def test_needs_more_than_looking(self, viewer, dead):
        viewer.post(LISTED, chosen("retry", dead))
        assert viewer.post(f"{LISTED}{dead.pk}/steer/retry/").status_code == 403

        dead.refresh_from_db()
        assert dead.state == JobState.FAILED

    def test_is_no_matter_of_following_a_link(self, operator, dead):
        assert operator.get(f"{LISTED}{dead.pk}/steer/retry/").status_code == 405

        dead.refresh_from_db()
        assert dead.state == JobState.FAILED


class TestCancel:
    def test_ends_a_waiting_job(self, operator, ann):
        waiting = start_job(owner=ann, kind="core.waits", payload={})

        operator.post(f"{LISTED}{waiting.pk}/steer/cancel/")

        waiting.refresh_from_db()
        assert waiting.state == JobState.CANCELLED

    def test_asks_a_running_job_to_stop(self, operator, ann):
        running = start_job(owner=ann, kind="core.works", payload={})
        Job.objects.filter(pk=running.pk).update(state=JobState.RUNNING, token=uuid.uuid4())

        operator.post(LISTED, chosen("cancel", running))

        running.refresh_from_db()
        assert (running.state, running.cancel_requested) == (JobState.RUNNING, True)

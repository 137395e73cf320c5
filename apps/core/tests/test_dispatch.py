"""From the row to a worker, also when the broker loses it, refuses it or never answers."""

import datetime as dt
import gc
import os
import socket
import time
from pathlib import Path
from queue import Queue

import pytest
from django.db import transaction
from django.db.models.functions import Now
from kombu import pools
from kombu.exceptions import OperationalError

from apps.core.clock import now
from apps.core.jobs import dispatch as dispatching
from apps.core.jobs import sender
from apps.core.jobs.celery_task import run_job_task
from apps.core.jobs.dispatch import (
    MOST_UNFINISHED,
    SHARE,
    TooManyJobs,
    cancel_job,
    dispatch_waiting,
    forget_old_jobs,
    retry_job,
    retry_jobs,
    start_due_jobs,
    start_job,
)
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.reaper import Reaper
from apps.core.testing.jobs import run_jobs
from apps.core.testing.threads import at_once
from bricks.celery import app as celery_app

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _embedded(settings):
    """Unless a test says otherwise, nothing is sent to a broker after the commit."""
    settings.REDIS_URL = ""


class Sent(list):
    """The ids that were sent, in their order."""

    def send(self, kind, job_id):
        self.append(job_id)


@pytest.fixture
def sent():
    return Sent()


def waiting(owner, **also) -> Job:
    job = start_job(owner=owner, kind="x", payload={})
    if also:
        Job.objects.filter(pk=job.pk).update(**also)
    return job


def ago(seconds):
    return Now() - dt.timedelta(seconds=seconds)


class TestDispatchWaiting:
    def test_sends_a_waiting_job_once(self, ann, sent):
        job = waiting(ann)

        assert dispatch_waiting(sent.send) == 1
        assert dispatch_waiting(sent.send) == 0

        assert sent == [str(job.pk)]

    def test_sends_it_again_after_fifteen_seconds(self, ann, sent):
        job = waiting(ann, dispatched_at=ago(14))

        assert dispatch_waiting(sent.send) == 0
        Job.objects.update(dispatched_at=ago(16))
        assert dispatch_waiting(sent.send) == 1

        assert sent == [str(job.pk)]

    def test_sends_a_job_whose_worker_died_at_once(self, ann, sent, job_kind):
        job = waiting(ann)
        dispatch_waiting(sent.send)
        sent.clear()

        def die(run):
            raise SystemExit

        Job.objects.filter(pk=job.pk).update(kind=job_kind(die))
        with pytest.raises(SystemExit):
            run_job_task.run(str(job.pk))
        assert dispatch_waiting(sent.send) == 0, "its lease still runs"
        Job.objects.filter(pk=job.pk).update(lease_until=ago(1))

        assert dispatch_waiting(sent.send) == 1

        assert sent == [str(job.pk)]

    @pytest.mark.parametrize(
        "also",
        [
            {"state": "succeeded"},
            {"state": "failed"},
            {"state": "cancelled"},
            {"not_before": Now() + dt.timedelta(hours=1)},
            {"attempts": MAX_ATTEMPTS},
        ],
        ids=str,
    )
    def test_leaves_alone_what_nobody_may_claim(self, ann, sent, also):
        waiting(ann, **also)

        assert dispatch_waiting(sent.send) == 0

    def test_sends_the_oldest_first(self, ann, sent):
        jobs = [waiting(None) for _ in range(3)]
        Job.objects.filter(pk=jobs[2].pk).update(created_at=now() - dt.timedelta(days=1))

        dispatch_waiting(sent.send)

        assert sent == [str(jobs[2].pk), str(jobs[0].pk), str(jobs[1].pk)]

    def test_gives_up_what_its_workers_died_of(self, ann, sent):
        job = waiting(
            ann,
            state="running",
            token=Job.objects.model().key,
            attempts=MAX_ATTEMPTS,
            lease_until=ago(1),
        )

        assert dispatch_waiting(sent.send) == 0

        job.refresh_from_db()
        assert job.state == JobState.FAILED

    @pytest.mark.django_db(transaction=True)
    def test_lets_one_of_eight_reapers_send(self, ann, sent):
        jobs = {str(waiting(None).pk) for _ in range(5)}

        counts = at_once(lambda _: dispatch_waiting(sent.send), threads=8)

        assert sum(counts) == 5
        assert set(sent) == jobs
        assert len(sent) == 5


class TestTurns:
    def test_hand_out_a_share_of_one_person_at_a_time(self, ann, sent):
        jobs = [waiting(ann) for _ in range(SHARE + 3)]

        dispatch_waiting(sent.send)
        dispatch_waiting(sent.send)

        assert sent == [str(job.pk) for job in jobs[:SHARE]]

    def test_go_from_person_to_person(self, ann, bo, sent):
        anns = [waiting(ann) for _ in range(MOST_UNFINISHED)]
        bos = [waiting(bo) for _ in range(3)]

        dispatch_waiting(sent.send)

        assert (
            sent
            == [str(job.pk) for pair in zip(anns, bos, strict=False) for job in pair][: 2 * SHARE]
        )

    def test_count_what_a_worker_is_doing(self, ann, sent):
        for _ in range(SHARE):
            waiting(
                ann,
                state=JobState.RUNNING,
                token="0" * 32,
                lease_until=Now() + dt.timedelta(hours=1),
            )
        waiting(ann)

        assert dispatch_waiting(sent.send) == 0

    def test_come_again_when_a_job_ends(self, ann, job_kind, sent):
        kind = job_kind(lambda run: None)
        jobs = [start_job(owner=ann, kind=kind, payload={}) for _ in range(SHARE + 1)]
        dispatch_waiting(sent.send)

        run_job_task.run(str(jobs[0].pk))

        jobs[-1].refresh_from_db()
        assert jobs[-1].dispatched_at is not None

    def test_of_everybody_come_behind_a_hundred_that_must_wait(self, ann, bo, sent):
        blocked = [waiting(ann) for _ in range(SHARE)]
        Job.objects.update(dispatched_at=Now())
        Job.objects.bulk_create(Job(owner=ann, kind="x", payload={}) for _ in range(150))
        job = waiting(bo)

        dispatch_waiting(sent.send)

        assert sent == [str(job.pk)]
        assert len(blocked) == SHARE

    def test_hold_for_what_goes_to_the_broker_after_the_commit(
        self, ann, settings, monkeypatch, django_capture_on_commit_callbacks
    ):
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        handed: list[str] = []
        monkeypatch.setattr(dispatching, "send_soon", lambda kind, job_id: handed.append(job_id))

        with django_capture_on_commit_callbacks(execute=True):
            jobs = [waiting(ann) for _ in range(SHARE + 1)]

        assert handed == [str(job.pk) for job in jobs[:SHARE]]


class TestManyJobsOfOnePerson:
    def test_are_refused_beyond_the_limit_and_others_are_not(self, ann, bo):
        for _ in range(MOST_UNFINISHED):
            waiting(ann)

        with pytest.raises(TooManyJobs, match=f"{MOST_UNFINISHED} jobs"):
            waiting(ann)

        assert Job.objects.filter(owner=ann).count() == MOST_UNFINISHED
        assert waiting(bo)

    def test_are_refused_when_they_are_tried_again(self, ann):
        ended = [waiting(ann, state=JobState.CANCELLED) for _ in range(3)]
        for _ in range(MOST_UNFINISHED - 1):
            waiting(ann)

        assert retry_jobs(jobs=Job.objects.filter(state=JobState.CANCELLED)) == (1, 2)
        with pytest.raises(TooManyJobs):
            retry_job(job=Job.objects.get(pk=ended[2].pk))
        assert Job.objects.unfinished().filter(owner=ann).count() == MOST_UNFINISHED

    def test_are_counted_while_they_are_not_done(self, ann):
        for _ in range(MOST_UNFINISHED):
            waiting(ann, state=JobState.SUCCEEDED)

        assert waiting(ann)

    def test_take_what_follows_from_an_act_and_what_was_asked_before(self, ann):
        asked = start_job(owner=ann, kind="x", payload={}, key="once")
        for _ in range(MOST_UNFINISHED - 1):
            waiting(ann)

        assert start_job(owner=ann, kind="x", payload={}, key="once") == asked
        assert start_job(owner=ann, kind="x", payload={}, follows=True)

    def test_answer_429_with_the_time_to_wait(self, ann, api):
        for _ in range(MOST_UNFINISHED):
            waiting(ann)

        answer = api(ann).post("/api/backups")

        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "30")
        assert answer.json()["error"]["code"] == "RATE_LIMITED"
        assert "cancel those you do not need" in answer.json()["message"]


class TestCelerysNames:
    @pytest.mark.parametrize("name", ["exports.export_items", "inventory.sync_bsx"])
    def test_are_those_of_the_jobs(self, name):
        assert celery_app.tasks[name].name == name

    def test_are_one_for_each_kind(self):
        from apps.core.jobs.registry import kinds

        registered = {kind for kind in kinds() if not kind.startswith("test")}
        assert registered - set(celery_app.tasks) == set()


class TestStartDueJobs:
    def test_starts_each_kind_once_a_period(self, job_kind, sent):
        kind = job_kind(lambda run: None, every=dt.timedelta(hours=1))
        noon = dt.datetime(2026, 1, 31, 12, 0, tzinfo=dt.UTC)

        for minutes in (0, 1, 59, 60, 61):
            start_due_jobs(now=noon + dt.timedelta(minutes=minutes))

        assert Job.objects.filter(kind=kind, owner=None).count() == 2

    @pytest.mark.django_db(transaction=True)
    def test_starts_it_once_in_eight_workers(self, job_kind):
        kind = job_kind(lambda run: None, every=dt.timedelta(hours=1))
        instant = now()

        at_once(lambda _: start_due_jobs(now=instant), threads=8)

        assert Job.objects.filter(kind=kind).count() == 1

    def test_runs_the_real_ones(self):
        start_due_jobs(now=now())

        ran = run_jobs()

        assert {job.kind for job in ran} >= {
            "core.forget_past",
            "accounts.forget_expired_grants",
        }
        assert {job.state for job in ran} == {JobState.SUCCEEDED}


class TestForgetOldJobs:
    def test_keeps_what_people_started_and_what_is_new(self, ann):
        old = now() - dt.timedelta(days=8)
        kept = [
            Job.objects.create(owner=ann, kind="x", state="succeeded", finished_at=old),
            Job.objects.create(owner=None, kind="x", state="succeeded", finished_at=now()),
            Job.objects.create(owner=None, kind="x", state="queued"),
        ]
        Job.objects.create(owner=None, kind="x", state="succeeded", finished_at=old)

        assert forget_old_jobs(now=now()) == 1

        assert set(Job.objects.all()) == set(kept)


@pytest.fixture
def broker_at(settings):
    """Make Celery speak to this address for the test."""
    before = celery_app.conf.broker_url, dict(celery_app.conf.broker_transport_options)

    def use(url):
        settings.REDIS_URL = url
        celery_app.conf.broker_url = url
        celery_app.conf.broker_transport_options = {
            "socket_timeout": 2,
            "socket_connect_timeout": 2,
        }
        forget_connections()

    def forget_connections():
        pools.reset()
        celery_app._pool = None
        celery_app.amqp._producer_pool = None

    yield use
    celery_app.conf.broker_url, celery_app.conf.broker_transport_options = before
    forget_connections()


@pytest.mark.django_db(transaction=True)
class TestABrokerThatIsAway:
    @pytest.mark.parametrize("how", ["closed port", "black hole"])
    def test_costs_the_request_nothing(self, how, broker_at, api, ann, sent):
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            if how == "black hole":  # connections are made, and nothing ever answers
                listening.listen()
            broker_at(f"redis://127.0.0.1:{listening.getsockname()[1]}/0")
            job = waiting(ann, state=JobState.FAILED)

            answer = api(ann).post(f"/api/jobs/{job.pk}/retry")

            assert (answer.status_code, answer.json()["data"][0]["state"]) == (200, "queued")
            if how == "black hole":  # answered while the broker still is silent
                assert sender._waiting.unfinished_tasks
            Job.objects.update(dispatched_at=ago(16))
            dispatch_waiting(sent.send)
            assert sent == [str(job.pk)]

    def test_sends_nothing_of_a_cause_that_was_taken_back(self, ann, broker_at, monkeypatch):
        broker_at("redis://127.0.0.1:1/0")
        monkeypatch.setattr(sender, "_waiting", Queue())  # without what a test before left

        with transaction.atomic():
            waiting(ann)
            transaction.set_rollback(True)

        assert Job.objects.count() == 0
        assert sender._waiting.empty()


class TestABrokerThatRefuses:
    @pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not list them")
    def test_leaves_no_file_open(self, broker_at):
        broker_at("redis://127.0.0.1:1/0")
        gc.disable()
        try:
            before = os.listdir("/proc/self/fd")
            for number in range(5):
                with pytest.raises(OperationalError):
                    sender.send_job("a.kind", f"{number}")
            after = os.listdir("/proc/self/fd")
        finally:
            gc.enable()

        assert len(after) <= len(before)


@pytest.mark.django_db(transaction=True)
class TestReaper:
    def test_survives_a_broker_that_refuses(self, ann, broker_at, caplog, settings):
        job = waiting(ann)
        broker_at("redis://127.0.0.1:1/0")
        settings.JOB_POLL_SECONDS = 0.01
        reaper = Reaper()
        reaper.start()

        deadline = time.monotonic() + 60
        while "could not dispatch" not in caplog.text and time.monotonic() < deadline:
            reaper.join(0.02)
        assert "could not dispatch" in caplog.text
        alive = reaper.is_alive()
        reaper.stop()
        reaper.join(60)

        assert alive
        assert not reaper.is_alive()
        job.refresh_from_db()
        assert job.state == JobState.QUEUED

    def test_starts_nothing_of_a_job_that_was_cancelled(self, ann, sent):
        cancel_job(job=waiting(ann))

        assert dispatch_waiting(sent.send) == 0

"""A job from its row to its end: claim, fence, checkpoint, cancel, retry, give back."""

import datetime as dt
import logging
import threading
import uuid

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from apps.core.clock import now
from apps.core.jobs import run as run_module
from apps.core.jobs.dispatch import (
    JobFinished,
    JobNotStopped,
    cancel_job,
    cancel_jobs,
    is_final,
    retry_job,
    retry_jobs,
    start_job,
)
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.registry import UnknownJobKind, handler_for, job_handler
from apps.core.jobs.run import MAX_FAILED_KEPT, JobFailed, JobFenced, JobRun, Pause, TryLater
from apps.core.jobs.runner import give_up_lost_jobs, run_job
from apps.core.testing.jobs import run_jobs, run_twice
from apps.core.testing.threads import at_once
from apps.core.throttling import RateWindow

pytestmark = pytest.mark.django_db


def mark(number: int) -> None:
    """Leave an effect that can be counted."""
    RateWindow.objects.create(key="effect", started=RateWindow.objects.count(), count=number)


def marks() -> list[int]:
    return list(
        RateWindow.objects.filter(key="effect").order_by("started").values_list("count", flat=True)
    )


def count_to_five(run: JobRun, **_: object) -> None:
    for number in range(run.state.get("next", 0), 5):
        with run.chunk(done=number + 1, total=5, message=f"step {number}"):
            mark(number)
            run.state["next"] = number + 1


def started(owner, kind, **payload) -> Job:
    return start_job(owner=owner, kind=kind, payload=payload)


def lose_lease(job: Job) -> None:
    """As if the worker had died and its lease run out."""
    Job.objects.filter(pk=job.pk).update(lease_until=Now() - dt.timedelta(seconds=1))


def claimed(job: Job) -> JobRun:
    """The job in the hands of a worker that is still at it."""
    token = uuid.uuid4()
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, token=token, attempts=1, lease_until=run_module.lease_end()
    )
    job.refresh_from_db()
    return JobRun(job, token)


class TestStartJob:
    def test_writes_a_row_that_waits(self, ann):
        job = start_job(owner=ann, kind="x.y", payload={"a": 1}, total=7)

        job.refresh_from_db()
        assert (job.owner, job.kind, job.payload, job.total) == (ann, "x.y", {"a": 1}, 7)
        assert (job.state, job.done, job.attempts) == (JobState.QUEUED, 0, 0)

    def test_returns_the_job_that_this_key_started(self, ann):
        first = start_job(owner=ann, kind="x", payload={"a": 1}, key="k")
        again = start_job(owner=ann, kind="x", payload={"a": 2}, key="k")

        assert again.pk == first.pk
        assert again.payload == {"a": 1}
        assert Job.objects.count() == 1

    def test_keeps_the_keys_of_two_people_apart(self, ann, bo):
        mine = start_job(owner=ann, kind="x", payload={}, key="k")
        theirs = start_job(owner=bo, kind="x", payload={}, key="k")

        assert mine.pk != theirs.pk

    @pytest.mark.parametrize("nobody", [True, False])
    @pytest.mark.django_db(transaction=True)
    def test_starts_one_when_eight_use_a_key_at_once(self, ann, nobody):
        owner = None if nobody else ann

        jobs = at_once(
            lambda _: start_job(owner=owner, kind="x", payload={}, key="k").pk, threads=8
        )

        assert len(set(jobs)) == 1
        assert Job.objects.count() == 1


class TestJobHandler:
    def test_refuses_a_second_handler_of_a_kind(self, job_kind):
        kind = job_kind(lambda run: None)

        with pytest.raises(ValueError, match=f"two handlers for jobs of kind {kind}"):
            job_handler(kind)(lambda run: None)

    def test_says_that_nobody_handles_a_kind(self):
        with pytest.raises(UnknownJobKind):
            handler_for("nobody.does_this")


class TestRunJob:
    def test_runs_it_to_its_end(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))

        assert run_job(job.pk) is True

        job.refresh_from_db()
        assert (job.state, job.done, job.total) == (JobState.SUCCEEDED, 5, 5)
        assert (job.message, job.attempts, job.lease_until) == ("step 4", 1, None)
        assert job.started_at is not None
        assert job.finished_at is not None
        assert is_final(job)
        assert marks() == [0, 1, 2, 3, 4]

    def test_gives_the_handler_its_payload(self, ann, job_kind):
        given = {}
        job = started(ann, job_kind(lambda run, **payload: given.update(payload)), a=1, b=[2])

        run_job(job.pk)

        assert given == {"a": 1, "b": [2]}

    def test_finds_nothing_to_do_the_second_time(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        run_job(job.pk)

        assert run_job(job.pk) is False

        assert marks() == [0, 1, 2, 3, 4]

    def test_finds_nothing_to_do_while_another_worker_has_it(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        claimed(job)

        assert run_job(job.pk) is False

        assert marks() == []

    @pytest.mark.parametrize("state", ["succeeded", "failed", "cancelled"])
    def test_leaves_ended_jobs_alone(self, ann, job_kind, state):
        job = started(ann, job_kind(count_to_five))
        Job.objects.filter(pk=job.pk).update(state=state)

        assert run_job(job.pk) is False

    def test_leaves_alone_what_is_not_due(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        Job.objects.filter(pk=job.pk).update(not_before=Now() + dt.timedelta(hours=1))

        assert run_job(job.pk) is False

    def test_says_nothing_of_a_job_that_is_not_there(self):
        assert run_job(uuid.uuid4()) is False

    @pytest.mark.django_db(transaction=True)
    def test_is_claimed_by_one_of_eight_workers(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))

        ran = at_once(lambda _: run_job(job.pk), threads=8)

        assert ran.count(True) == 1
        assert marks() == [0, 1, 2, 3, 4]

    @pytest.mark.django_db(transaction=True)
    def test_goes_to_one_of_eight_workers_after_its_lease_ran_out(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        claimed(job)
        lose_lease(job)

        ran = at_once(lambda _: run_job(job.pk), threads=8)

        assert ran.count(True) == 1
        assert marks() == [0, 1, 2, 3, 4]

    def test_tells_the_reason_of_a_refusal(self, ann, job_kind):
        def refuse(run):
            raise JobFailed(reason="The file is empty.")

        job = started(ann, job_kind(refuse))
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message) == (JobState.FAILED, "The file is empty.")

    def test_tells_nothing_of_a_mistake_and_records_it(self, ann, job_kind, caplog):
        def stumble(run):
            raise ZeroDivisionError("a detail")

        job = started(ann, job_kind(stumble))
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message) == (JobState.FAILED, "Something went wrong on the server.")
        assert "a detail" in caplog.text
        assert job.trouble.startswith("Traceback")
        assert "in stumble" in job.trouble
        assert job.trouble.rstrip().endswith("ZeroDivisionError: a detail")

    def test_keeps_no_secret_of_what_it_stumbled_over(self, ann, job_kind):
        def stumble(run):
            raise ValueError("password=hunter2 was refused")

        job = started(ann, job_kind(stumble))
        run_job(job.pk)

        job.refresh_from_db()
        assert "hunter2" not in job.trouble
        assert "was refused" in job.trouble

    def test_fails_what_nothing_can_run(self, ann):
        job = started(ann, "nobody.does_this")
        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert job.message == "Nothing here can run jobs of kind nobody.does_this."

    def test_runs_again_from_the_checkpoint_after_each_chunk_it_can_fail_in(self, ann, job_kind):
        failing = {"at": 0}

        def stumble(run, **_):
            for number in range(run.state.get("next", 0), 5):
                with run.chunk(done=number + 1, total=5):
                    mark(number)
                    run.state["next"] = number + 1
                    run.fail_item({"id": number})
                    if number == failing["at"]:
                        raise ZeroDivisionError

        job = started(ann, job_kind(stumble))
        for chunk in range(5):
            failing["at"] = chunk
            run_job(job.pk)
            job.refresh_from_db()

            assert (job.state, job.done) == (JobState.FAILED, chunk)
            assert job.failed == [{"id": number} for number in range(chunk)]
            assert marks() == list(range(chunk))
            retry_job(job=job)

        failing["at"] = None
        run_job(job.pk)
        job.refresh_from_db()
        assert (job.state, job.done, job.failed_count) == (JobState.SUCCEEDED, 5, 5)
        assert marks() == [0, 1, 2, 3, 4]

    def test_goes_on_from_the_checkpoint_after_a_lost_lease(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        run = claimed(job)
        for number in range(2):
            with run.chunk(done=number + 1):
                mark(number)
                run.state["next"] = number + 1
        lose_lease(job)

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.SUCCEEDED, 2)
        assert marks() == [0, 1, 2, 3, 4]

    @pytest.mark.parametrize("problem", [OperationalError, InterfaceError, TryLater])
    def test_tries_again_what_can_heal_five_times_in_all(self, ann, job_kind, problem):
        def ail(run):
            raise problem("The mail server is away")

        job = started(ann, job_kind(ail))
        for attempt in range(1, MAX_ATTEMPTS):
            assert run_job(job.pk) is True
            job.refresh_from_db()
            assert (job.state, job.attempts, job.token) == (JobState.QUEUED, attempt, None)
            waits = (job.not_before - job.updated_at).total_seconds()
            assert waits == pytest.approx(2**attempt, abs=0.1)
            assert run_job(job.pk) is False, "it is not due yet"
            Job.objects.filter(pk=job.pk).update(not_before=Now())

        run_job(job.pk)

        job.refresh_from_db()
        told = "The mail server is away" if problem is TryLater else "The database did not answer"
        assert (job.state, job.message) == (JobState.FAILED, f"{told} (5 attempts).")
        assert "The mail server is away" in job.trouble

    def test_waits_for_a_day_for_what_is_away_and_says_so(self, ann, job_kind):
        away = [True]

        def ask(run):
            if away[0]:
                raise TryLater("The store does not answer", until_back=True)

        job = started(ann, job_kind(ask))
        for _ in range(MAX_ATTEMPTS + 2):
            assert run_job(job.pk) is True
            job.refresh_from_db()
            assert (job.state, job.attempts) == (JobState.QUEUED, 0)
            assert job.message == "The store does not answer. Trying again."
            assert 2 <= (job.not_before - job.updated_at).total_seconds() <= 60
            Job.objects.filter(pk=job.pk).update(not_before=Now())
        away[0] = False

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message) == (JobState.SUCCEEDED, "")

    def test_gives_up_what_is_away_after_a_day(self, ann, job_kind):
        def ask(run):
            raise TryLater("The store does not answer", until_back=True)

        job = started(ann, job_kind(ask))
        Job.objects.filter(pk=job.pk).update(
            created_at=Now() - dt.timedelta(days=2), attempts=MAX_ATTEMPTS - 1
        )

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message) == (
            JobState.FAILED,
            "The store does not answer (5 attempts).",
        )

    def test_goes_on_by_itself_after_a_pause_of_any_length(self, ann, job_kind):
        waits = [True]
        tomorrow = now() + dt.timedelta(days=1)

        def work(run):
            if run.done == 0:
                with run.chunk(done=1):
                    pass
            if waits[0]:
                raise Pause("Today's calls are used.", until=tomorrow)

        job = started(ann, job_kind(work))
        assert run_job(job.pk) is True
        job.refresh_from_db()
        assert (job.state, job.attempts, job.done) == (JobState.QUEUED, 0, 1)
        assert (job.message, job.not_before) == ("Today's calls are used.", tomorrow)
        assert run_job(job.pk) is False, "it is not due yet"
        waits[0] = False
        Job.objects.filter(pk=job.pk).update(not_before=Now())

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message, job.done) == (JobState.SUCCEEDED, "", 1)

    def test_does_not_wait_for_a_clock_that_was_set_back(self, ann, job_kind):
        job = started(ann, job_kind(lambda run: None))
        Job.objects.filter(pk=job.pk).update(not_before=Now() + dt.timedelta(days=400))

        assert run_job(job.pk) is True

    def test_gives_up_a_job_whose_workers_died_five_times(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        claimed(job)
        Job.objects.filter(pk=job.pk).update(attempts=MAX_ATTEMPTS)
        lose_lease(job)

        assert run_job(job.pk) is False
        assert give_up_lost_jobs() == 1

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert job.message == "The worker was stopped 5 times while doing this."
        assert marks() == []

    def test_does_not_give_up_a_job_at_work(self, ann):
        job = started(ann, "x")
        claimed(job)
        Job.objects.filter(pk=job.pk).update(attempts=MAX_ATTEMPTS)

        assert give_up_lost_jobs() == 0

    def test_leaves_the_lease_on_the_databases_clock(self, ann, job_kind, settings):
        settings.JOB_LEASE_SECONDS = 90
        leases = []

        def look(run):
            with run.chunk():
                job = Job.objects.get()
                leases.append((job.lease_until - job.updated_at).total_seconds())

        run_job(started(ann, job_kind(look)).pk)

        assert leases == [pytest.approx(90, abs=0.01)]


class TestFence:
    def test_stops_a_worker_that_lost_its_job(self, ann):
        job = started(ann, "x")
        zombie = claimed(job)
        heir = claimed(job)

        with pytest.raises(JobFenced), zombie.chunk(done=9):
            mark(9)
        with pytest.raises(JobFenced):
            zombie.beat(done=9)
        with pytest.raises(JobFenced), zombie.finish(result={"by": "zombie"}):
            mark(9)

        with heir.finish(result={"by": "heir"}):
            mark(1)
        job.refresh_from_db()
        assert (job.state, job.done, job.result) == (JobState.SUCCEEDED, 0, {"by": "heir"})
        assert marks() == [1]

    def test_leaves_the_heir_alone_when_the_zombie_stumbles(self, ann, job_kind):
        def be_overtaken(run):
            claimed(run.job)
            raise ZeroDivisionError

        job = started(ann, job_kind(be_overtaken))
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message) == (JobState.RUNNING, "")

    def test_records_being_overtaken(self, ann, job_kind, caplog):
        def be_overtaken(run):
            claimed(run.job)
            with run.chunk():
                mark(9)

        with caplog.at_level(logging.WARNING):
            run_job(started(ann, job_kind(be_overtaken)).pk)

        assert "was taken over by another worker" in caplog.text
        assert marks() == []


class TestChunk:
    def test_commits_rows_progress_and_checkpoint_together(self, ann):
        job = started(ann, "x")
        run = claimed(job)

        with run.chunk(done=3, total=9, message="three"):
            mark(1)
            run.state["rows"] = [1, 2]
            run.fail_item({"id": 7, "reason": "unknown"})

        job.refresh_from_db()
        assert (job.done, job.total, job.message) == (3, 9, "three")
        assert (job.checkpoint, job.failed_count) == ({"rows": [1, 2]}, 1)
        assert job.failed == [{"id": 7, "reason": "unknown"}]

    def test_takes_everything_back_together(self, ann):
        job = started(ann, "x")
        run = claimed(job)
        with run.chunk(done=1, total=9, message="one"):
            run.state["rows"] = [1]

        def stumble():
            with run.chunk(done=2, total=8, message="two"):
                mark(2)
                run.state["rows"].append(2)
                run.fail_item({"id": 2})
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            stumble()

        assert (run.done, run.total, run.message) == (1, 9, "one")
        assert (run.state, run.failed, run.failed_count) == ({"rows": [1]}, [], 0)
        assert marks() == []

    def test_renews_the_lease(self, ann):
        job = started(ann, "x")
        run = claimed(job)
        Job.objects.filter(pk=job.pk).update(lease_until=Now() + dt.timedelta(seconds=1))

        with run.chunk():
            pass

        job.refresh_from_db()
        assert (job.lease_until - job.updated_at).total_seconds() == pytest.approx(30, abs=0.1)

    @pytest.mark.django_db(transaction=True)
    def test_costs_two_queries_in_one_transaction(self, ann):
        run = claimed(started(ann, "x"))

        with CaptureQueriesContext(connection) as captured, run.chunk(done=1):
            pass

        kinds = [query["sql"].split()[0] for query in captured.captured_queries]
        assert kinds == ["BEGIN", "UPDATE", "UPDATE", "COMMIT"]

    def test_keeps_the_first_thousand_failures_and_counts_all(self, ann):
        job = started(ann, "x")
        run = claimed(job)

        with run.chunk():
            for number in range(MAX_FAILED_KEPT + 5):
                run.fail_item({"id": number})

        job.refresh_from_db()
        assert len(job.failed) == MAX_FAILED_KEPT
        assert job.failed[-1] == {"id": MAX_FAILED_KEPT - 1}
        assert job.failed_count == MAX_FAILED_KEPT + 5

    def test_keeps_text_that_the_database_would_refuse(self, ann):
        job = started(ann, "x")
        run = claimed(job)

        with run.chunk(message="a\x00b"):
            run.fail_item({"re\x00mark": ["x\x00", 7, None]})

        job.refresh_from_db()
        assert job.message == "a\ufffdb"
        assert job.failed == [{"re\ufffdmark": ["x\ufffd", 7, None]}]


class TestBeat:
    def test_tells_progress_and_renews_the_lease(self, ann):
        job = started(ann, "x")
        run = claimed(job)
        Job.objects.filter(pk=job.pk).update(lease_until=Now() + dt.timedelta(seconds=1))

        run.beat(done=4, message="reading")

        job.refresh_from_db()
        assert (job.done, job.message) == (4, "reading")
        assert (job.lease_until - job.updated_at).total_seconds() == pytest.approx(30, abs=0.1)

    def test_takes_a_longer_lease_for_a_long_step(self, ann):
        job = started(ann, "x")

        claimed(job).beat(lease_seconds=600)

        job.refresh_from_db()
        assert (job.lease_until - job.updated_at).total_seconds() == pytest.approx(600, abs=0.1)


@pytest.mark.django_db(transaction=True)
class TestALongCall:
    def test_keeps_the_lease_of_its_job(self, ann, settings, monkeypatch):
        job = started(ann, "x")
        run = claimed(job)
        Job.objects.filter(pk=job.pk).update(lease_until=Now() - dt.timedelta(seconds=1))
        renewed = threading.Event()
        monkeypatch.setattr(
            run_module, "lease_end", lambda: (renewed.set(), Now() + dt.timedelta(hours=1))[1]
        )
        settings.JOB_LEASE_SECONDS = 0.003

        with run.kept_alive():
            assert renewed.wait(timeout=30)

        job.refresh_from_db()
        assert job.lease_until > now()

    def test_of_a_worker_that_lost_its_job_keeps_nothing(self, ann, settings, monkeypatch):
        job = started(ann, "x")
        run = claimed(job)
        Job.objects.filter(pk=job.pk).update(token=uuid.uuid4(), lease_until=None)
        tried = threading.Event()
        monkeypatch.setattr(run_module, "lease_end", lambda: (tried.set(), Now())[1])
        settings.JOB_LEASE_SECONDS = 0.003

        with run.kept_alive():
            assert tried.wait(timeout=30)

        job.refresh_from_db()
        assert job.lease_until is None


class TestFinish:
    def test_stands_or_falls_with_its_effects(self, ann):
        job = started(ann, "x")
        run = claimed(job)

        def stumble():
            with run.finish(result={"rows": 1}):
                mark(1)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            stumble()

        job.refresh_from_db()
        assert (job.state, job.result) == (JobState.RUNNING, {})
        assert marks() == []

    def test_is_not_undone_by_what_comes_after(self, ann, job_kind):
        def stumble_late(run):
            with run.finish(result={"rows": 1}):
                mark(1)
            raise ZeroDivisionError

        job = started(ann, job_kind(stumble_late))
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.result) == (JobState.SUCCEEDED, {"rows": 1})


class TestCancelJob:
    def test_ends_a_waiting_job_at_once(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))

        cancel_job(job=job)

        job.refresh_from_db()
        assert (job.state, job.message) == (JobState.CANCELLED, "Cancelled.")
        assert job.finished_at is not None
        assert run_job(job.pk) is False

    def test_stops_a_running_job_after_its_present_chunk(self, ann, job_kind):
        def be_cancelled(run):
            for number in range(5):
                with run.chunk(done=number + 1):
                    mark(number)
                if number == 1:
                    cancel_job(job=run.job)

        job = started(ann, job_kind(be_cancelled))
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.done, job.cancel_requested) == (JobState.CANCELLED, 2, True)
        assert marks() == [0, 1]

    def test_stops_a_job_whose_worker_died_before_it_begins_again(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        claimed(job)
        cancel_job(job=job)
        lose_lease(job)

        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
        assert marks() == []

    def test_may_be_asked_twice(self, ann):
        job = started(ann, "x")
        cancel_job(job=job)

        cancel_job(job=job)

    @pytest.mark.parametrize("state", ["succeeded", "failed"])
    def test_refuses_an_ended_job(self, ann, state):
        job = started(ann, "x")
        Job.objects.filter(pk=job.pk).update(state=state)

        with pytest.raises(JobFinished, match=state):
            cancel_job(job=job)

    def test_stops_many_and_leaves_alone_what_has_ended(self, ann):
        waiting, ended = started(ann, "x"), started(ann, "x")
        Job.objects.filter(pk=ended.pk).update(state=JobState.SUCCEEDED)

        assert cancel_jobs(jobs=Job.objects.all()) == (1, 1)

        waiting.refresh_from_db()
        ended.refresh_from_db()
        assert (waiting.state, ended.state) == (JobState.CANCELLED, JobState.SUCCEEDED)


class TestRetryJob:
    def test_refuses_a_job_that_has_not_stopped(self, ann):
        job = started(ann, "x")

        with pytest.raises(JobNotStopped, match="queued"):
            retry_job(job=job)

    def test_gives_a_cancelled_job_another_five_attempts(self, ann, job_kind):
        job = started(ann, job_kind(count_to_five))
        Job.objects.filter(pk=job.pk).update(
            state=JobState.CANCELLED, attempts=5, cancel_requested=True, checkpoint={"next": 3}
        )

        retry_job(job=job)
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.SUCCEEDED, 1)
        assert marks() == [3, 4]

    def test_tries_many_again_and_leaves_alone_what_has_not_stopped(self, ann, job_kind):
        kind = job_kind(count_to_five)
        stopped, waiting = started(ann, kind), started(ann, kind)
        Job.objects.filter(pk=stopped.pk).update(state=JobState.FAILED, attempts=5)

        assert retry_jobs(jobs=Job.objects.all()) == (1, 1)

        stopped.refresh_from_db()
        waiting.refresh_from_db()
        assert (stopped.state, stopped.attempts) == (JobState.QUEUED, 0)
        assert (waiting.state, waiting.message) == (JobState.QUEUED, "")


class TestStopping:
    @pytest.fixture(autouse=True)
    def _go_on_afterwards(self):
        yield
        run_module.stopping.clear()

    def test_gives_the_job_back_at_its_next_chunk(self, ann, job_kind):
        def be_stopped(run, **_):
            for number in range(run.state.get("next", 0), 5):
                with run.chunk(done=number + 1):
                    mark(number)
                    run.state["next"] = number + 1
                if number == 1:
                    run_module.stopping.set()

        job = started(ann, job_kind(be_stopped))
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.done, job.attempts) == (JobState.QUEUED, 2, 0)
        assert (job.token, job.lease_until, job.dispatched_at) == (None, None, None)

        run_module.stopping.clear()
        run_job(job.pk)
        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.SUCCEEDED, 1)
        assert marks() == [0, 1, 2, 3, 4]

    def test_lets_a_job_finish_that_is_at_its_end(self, ann, job_kind):
        def be_stopped(run):
            run_module.stopping.set()
            with run.finish():
                mark(1)

        job = started(ann, job_kind(be_stopped))
        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.SUCCEEDED


class TestRunTwice:
    def test_delivers_a_job_again_after_its_end(self, ann, job_kind):
        job = run_twice(owner=ann, kind=job_kind(count_to_five), payload={})

        assert (job.state, job.attempts) == (JobState.SUCCEEDED, 2)
        assert marks() == [0, 1, 2, 3, 4]


class TestRunJobs:
    def test_runs_what_jobs_start_too(self, ann, job_kind):
        job_kind(count_to_five, kind="core.second_of_this_test")

        def start_another(run):
            with run.finish():
                started(run.owner, "core.second_of_this_test")

        first = started(ann, job_kind(start_another))

        ran = run_jobs()

        assert [job.pk == first.pk for job in ran] == [True, False]
        assert marks() == [0, 1, 2, 3, 4]


class TestStopped:
    """What tidies up after a job that ends without success."""

    @pytest.fixture
    def told(self):
        return []

    @pytest.fixture
    def kind(self, job_kind, told):
        def stopped(run, reason, **payload):
            told.append((reason, run.job.state, run.state.get("next", 0), payload))
            run.fail_item({"id": 1})
            return {"item_count": run.state.get("next", 0)}

        return job_kind(count_to_five, stopped=stopped)

    def test_hears_of_one_that_is_cancelled_while_it_waits(self, ann, kind, told):
        job = started(ann, kind, a=1)

        cancel_job(job=job)

        job.refresh_from_db()
        assert told == [("Cancelled.", JobState.CANCELLED, 0, {"a": 1})]
        assert (job.result, job.failed, job.failed_count) == ({"item_count": 0}, [{"id": 1}], 1)

    def test_hears_of_one_that_is_given_up(self, ann, kind, told):
        job = started(ann, kind)
        claimed(job)
        Job.objects.filter(pk=job.pk).update(attempts=MAX_ATTEMPTS, checkpoint={"next": 3})
        lose_lease(job)

        assert give_up_lost_jobs() == 1

        assert told == [
            ("The worker was stopped 5 times while doing this.", JobState.FAILED, 3, {})
        ]

    def test_hears_nothing_of_one_that_succeeds(self, ann, kind, told):
        run_job(started(ann, kind).pk)

        assert told == []

    def test_that_stumbles_does_not_keep_the_job_from_ending(self, ann, job_kind, caplog):
        def stumble(run, reason, **_):
            mark(7)
            raise ValueError("a mistake")

        job = started(ann, job_kind(count_to_five, stopped=stumble))

        cancel_job(job=job)

        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
        assert marks() == []
        assert "could not be tidied up" in caplog.text

    def test_and_the_end_stand_or_fall_together(self, ann, job_kind):
        def away(run, reason, **_):
            mark(7)
            raise OperationalError("gone")

        job = started(ann, job_kind(count_to_five, stopped=away))

        with pytest.raises(OperationalError):
            cancel_job(job=job)

        job.refresh_from_db()
        assert (job.state, marks()) == (JobState.QUEUED, [])

import pytest
from django.db import IntegrityError, transaction

from apps.core.concurrency import after_commit, claim, lock_ids_in_order, lock_in_order, take
from apps.core.jobs.models import Job, JobState
from apps.core.testing.threads import at_once
from apps.core.throttling import RateWindow


@pytest.fixture
def bin_of_three(db):
    return RateWindow.objects.create(key="bin", started=0, count=3)


class TestAfterCommit:
    @pytest.mark.django_db(transaction=True)
    def test_what_fails_then_leaves_the_change_and_its_answer(self, ann, caplog):
        def fail(name):
            raise OSError(f"{name} is not there")

        with transaction.atomic():
            job = Job.objects.create(owner=ann, kind="x")
            after_commit(fail, "the file")

        assert Job.objects.filter(pk=job.pk).exists()
        assert "the file is not there" in caplog.text


class TestClaim:
    def test_changes_the_row_that_is_as_expected(self, ann):
        job = Job.objects.create(owner=ann, kind="x")

        won = claim(
            Job.objects.filter(pk=job.pk),
            where={"state": JobState.QUEUED},
            set={"state": JobState.CANCELLED},
        )

        assert won is True
        job.refresh_from_db()
        assert job.state == JobState.CANCELLED

    def test_changes_nothing_else(self, ann):
        job = Job.objects.create(owner=ann, kind="x", state=JobState.FAILED)

        won = claim(
            Job.objects.filter(pk=job.pk),
            where={"state": JobState.QUEUED},
            set={"state": JobState.CANCELLED},
        )

        assert won is False
        job.refresh_from_db()
        assert job.state == JobState.FAILED

    @pytest.mark.django_db(transaction=True)
    def test_lets_one_of_eight_win(self, ann):
        job = Job.objects.create(owner=ann, kind="x")

        won = at_once(
            lambda number: claim(
                Job.objects.filter(pk=job.pk),
                where={"state": JobState.QUEUED},
                set={"state": JobState.CANCELLED, "message": str(number)},
            ),
            threads=8,
        )

        job.refresh_from_db()
        assert won.count(True) == 1
        assert job.message == str(won.index(True))


class TestTake:
    def test_lowers_by_the_amount(self, bin_of_three):
        assert take(RateWindow.objects.filter(pk=bin_of_three.pk), field="count", amount=3)

        bin_of_three.refresh_from_db()
        assert bin_of_three.count == 0

    def test_never_goes_below_zero(self, bin_of_three):
        assert not take(RateWindow.objects.filter(pk=bin_of_three.pk), field="count", amount=4)

        bin_of_three.refresh_from_db()
        assert bin_of_three.count == 3

    @pytest.mark.django_db(transaction=True)
    def test_gives_the_last_three_to_three_of_eight(self, bin_of_three):
        rows = RateWindow.objects.filter(pk=bin_of_three.pk)

        taken = at_once(lambda _: take(rows.all(), field="count", amount=1), threads=8)

        bin_of_three.refresh_from_db()
        assert taken.count(True) == 3
        assert bin_of_three.count == 0


@pytest.mark.django_db(transaction=True)
class TestLockInOrder:
    def test_returns_the_rows_by_ascending_key(self):
        made = [RateWindow.objects.create(key=str(n), started=0) for n in range(5)]

        with transaction.atomic():
            rows = lock_in_order(RateWindow.objects.order_by("-pk"))

        assert rows == made

    def test_returns_a_mapping_of_those_that_exist(self):
        row = RateWindow.objects.create(key="a", started=0)

        with transaction.atomic():
            rows = lock_ids_in_order(RateWindow, [row.pk, row.pk + 1])

        assert rows == {row.pk: row}

    def test_loses_no_update_of_eight(self):
        row = RateWindow.objects.create(key="a", started=0)

        def read_and_write(_: int) -> None:
            with transaction.atomic():
                (locked,) = lock_in_order(RateWindow.objects.filter(pk=row.pk))
                locked.count += 1
                locked.save(update_fields=["count"])

        at_once(read_and_write, threads=8)

        row.refresh_from_db()
        assert row.count == 8

    def test_does_not_deadlock_when_asked_in_opposite_orders(self):
        made = [RateWindow.objects.create(key=str(n), started=0) for n in range(20)]
        orders = ["pk", "-pk"]

        def lock(number: int) -> int:
            with transaction.atomic():
                return len(lock_in_order(RateWindow.objects.order_by(orders[number % 2])))

        assert at_once(lock, threads=8) == [len(made)] * 8


class TestTheDatabase:
    def test_refuses_two_periodic_jobs_of_one_period(self, db):
        Job.objects.create(owner=None, kind="x", key="x@1")

        with pytest.raises(IntegrityError), transaction.atomic():
            Job.objects.create(owner=None, kind="x", key="x@1")

    def test_refuses_a_running_job_without_a_token(self, ann):
        with pytest.raises(IntegrityError), transaction.atomic():
            Job.objects.create(owner=ann, kind="x", state=JobState.RUNNING)

import datetime as dt

import pytest

from apps.batches.models import BatchItem, BatchOperation, OperationKind
from apps.batches.services import stowing
from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import OperationRunning, remove_items
from apps.batches.tests.factories import (
    NOON,
    in_location,
    list_all,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.catalog.tests.factories import make_lot
from apps.core.jobs.dispatch import cancel_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs, run_twice
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.lots.models import KeptAct

pytestmark = pytest.mark.django_db


@pytest.fixture
def many(ann):
    """A batch of 1,001 lots of one piece, planned for A-01: one more than a request does."""
    batch, place, lot = make_batch(ann), make_location(ann), make_lot()
    BatchItem.objects.bulk_create(
        BatchItem(owner=ann, batch=batch, lot=lot, quantity=1, location=place) for _ in range(1_001)
    )
    return batch


def log_of(batch):
    return list(
        BatchOperation.objects.filter(batch=batch)
        .order_by("pk")
        .values_list("kind", "outcome", "item_count", "failed_count", "message")
    )


def stow_by_api(api, batch, **body):
    response = api(batch.owner).post(f"/api/batches/{batch.pk}/stow", body, format="json")
    return response.json()["data"][0]


class TestStowJob:
    def test_stows_a_thousand_and_more(self, ann, many):
        operated = stow_all(many)

        assert operated.job.total == 1_001
        assert BatchItem.objects.filter(is_stowed_pending=True).count() == 1_001
        assert stock_of(ann) == []

        [job] = run_jobs()

        assert (job.state, job.done, job.result) == (
            JobState.SUCCEEDED,
            1_001,
            {
                "batch_id": many.pk,
                "item_count": 1_001,
                "failed_count": 0,
                "act_ids": list(KeptAct.objects.order_by("pk").values_list("pk", flat=True)),
            },
        )
        assert stock_of(ann) == [("A-01", 1_001)]
        assert not BatchItem.objects.filter(is_stowed_pending=True).exists()
        assert log_of(many) == [("stow", "success", 1_001, 0, "")]
        assert list(quantity_differences(owner=ann)) == []
        assert list(counter_differences(owner=ann)) == []

    def test_what_does_not_fit_is_told_and_the_rest_stowed(self, ann, many):
        place = make_location(ann, "B-01", max_item_count=1_000)
        BatchItem.objects.update(location=place)
        stow_all(many)

        [job] = run_jobs()

        assert (job.state, job.failed_count) == (JobState.SUCCEEDED, 1)
        assert job.failed[0]["reason"] == "B-01 takes 0 more pieces, not 1."
        assert log_of(many) == [("stow", "error", 1_000, 1, "")]
        assert not BatchItem.objects.filter(is_stowed_pending=True).exists()

    def test_a_second_one_is_refused_while_it_runs(self, many):
        first = stow_all(many)

        with pytest.raises(OperationRunning) as refused:
            stow_all(many)

        assert refused.value.data == [{"job_id": first.job.pk}]

    def test_cancelled_half_way_keeps_what_was_done_and_says_so(self, ann, many, monkeypatch):
        operated = stow_all(many)
        real = stowing.stow

        def cancel_after_this(**arguments):
            outcome = real(**arguments)
            cancel_job(job=operated.job)
            return outcome

        monkeypatch.setattr(stowing, "stow", cancel_after_this)
        run_job(operated.job.pk)

        operated.job.refresh_from_db()
        assert operated.job.state == JobState.CANCELLED
        assert stock_of(ann) == [("A-01", 500)]
        assert not BatchItem.objects.filter(is_stowed_pending=True).exists()
        assert log_of(many) == [("stow", "error", 500, 0, "Cancelled.")]

    def test_killed_half_way_goes_on_where_it_was(self, ann, many, monkeypatch):
        operated = stow_all(many)
        real, calls = stowing.stow, []

        def die_in_the_second(**arguments):
            calls.append(len(arguments["items"]))
            if len(calls) == 2:
                raise SystemExit
            return real(**arguments)

        monkeypatch.setattr(stowing, "stow", die_in_the_second)
        with pytest.raises(SystemExit):
            run_job(operated.job.pk)
        assert stock_of(ann) == [("A-01", 500)]
        Job.objects.update(lease_until=NOON - dt.timedelta(days=365))

        run_job(operated.job.pk)

        operated.job.refresh_from_db()
        assert operated.job.state == JobState.SUCCEEDED
        assert stock_of(ann) == [("A-01", 1_001)]
        assert log_of(many) == [("stow", "success", 1_001, 0, "")]

    @pytest.mark.parametrize("named", [True, False])
    def test_those_refused_are_stowed_again_and_no_other(self, ann, api, monkeypatch, named):
        monkeypatch.setattr(stowing, "AT_ONCE", 2)
        batch, full, free = (
            make_batch(ann),
            make_location(ann, is_full=True),
            make_location(ann, "B-01"),
        )
        chosen = [make_item(batch, location=full).pk for _ in range(3)]
        chosen.append(make_item(batch, location=free).pk)
        if named:
            make_item(batch, location=full)
        answer = stow_by_api(api, batch, items=chosen if named else "all")
        [job] = run_jobs()
        make_item(batch, location=full)

        again = stow_by_api(
            api, batch, items="all", refused_by=answer["job_id"], location_id=free.pk
        )
        [second] = run_jobs()

        assert (job.failed_count, second.total, str(second.pk)) == (3, 3, again["job_id"])
        stowed = BatchItem.objects.filter(batch=batch, is_stowed=True)
        assert sorted(stowed.values_list("pk", flat=True)) == chosen

    def test_those_refused_need_no_job_where_they_are_few(self, ann, api, monkeypatch):
        monkeypatch.setattr(stowing, "AT_ONCE", 2)
        batch, full, free = (
            make_batch(ann),
            make_location(ann, is_full=True),
            make_location(ann, "B-01"),
        )
        refused = make_item(batch, location=full).pk
        chosen = [refused, *(make_item(batch, location=free).pk for _ in range(2))]
        job_id = stow_by_api(api, batch, items=chosen)["job_id"]
        run_jobs()
        make_item(batch)

        again = stow_by_api(api, batch, items="all", refused_by=job_id, location_id=free.pk)

        assert (again["items"], again["failed"]) == ([refused], [])

    def test_of_a_cancelled_one_only_what_it_refused_is_stowed_again(self, ann, monkeypatch):
        monkeypatch.setattr(stowing, "AT_ONCE", 1)
        monkeypatch.setattr(stowing, "CHUNK", 1)
        batch, full = make_batch(ann), make_location(ann, is_full=True)
        items = [make_item(batch, location=full, failure="Once before.") for _ in range(2)]
        job = stow_all(batch).job
        real = stowing.stow

        def cancel_after_this(**arguments):
            cancel_job(job=job)
            return real(**arguments)

        monkeypatch.setattr(stowing, "stow", cancel_after_this)
        run_job(job.pk)

        again = stow_all(batch, make_location(ann, "B-01"), refused_by=job.pk)

        assert again.results.done == [items[0].pk]

    def test_of_another_batch_has_refused_nothing_here(self, ann, api, many):
        stow_all(many)
        [job] = run_jobs()
        other = make_batch(ann)
        make_item(other)

        response = api(ann).post(
            f"/api/batches/{other.pk}/stow",
            {"items": "all", "refused_by": str(job.pk)},
            format="json",
        )

        error = response.json()["meta"]["error"]
        assert (response.status_code, error["code"]) == (400, "UNKNOWN_REFERENCE")
        assert not BatchItem.objects.filter(batch=other, is_stowed=True).exists()

    def test_delivered_twice_stows_once(self, ann, many):
        payload = {
            "batch_id": many.pk,
            "item_ids": None,
            "state": "new",
            "location_id": None,
            "override_reason": "",
        }

        run_twice(owner=ann, kind=stowing.JOB_KINDS[OperationKind.STOW], payload=payload)

        assert stock_of(ann) == [("A-01", 1_001)]
        assert in_location("A-01", ann) == 1_001


class TestOtherJobs:
    def test_mark_and_remove_a_thousand_and_more(self, ann, many):
        stow_all(many)
        run_jobs()

        list_all(many)
        [marked] = run_jobs()
        stowing.mark_listed(batch=many, chosen=Chosen(), listed=False, by=ann, now=NOON)
        run_jobs()
        remove_items(batch=many, chosen=Chosen(), by=ann, now=NOON)
        [removed] = run_jobs()

        assert (marked.state, removed.state) == (JobState.SUCCEEDED, JobState.SUCCEEDED)
        assert stock_of(ann) == []
        assert [entry[:3] for entry in log_of(many)] == [
            ("stow", "success", 1_001),
            ("markListed", "success", 1_001),
            ("markListed", "success", 1_001),
            ("remove", "success", 1_001),
        ]
        assert BatchItem.objects.filter(is_stowed=False).count() == 1_001

    def test_delivered_twice_removes_once(self, ann, many):
        stow_all(many)
        run_jobs()

        run_twice(
            owner=ann,
            kind=stowing.JOB_KINDS[OperationKind.REMOVE],
            payload={"batch_id": many.pk, "item_ids": None, "state": None},
        )

        # Each row is removed once: the second delivery must not delete it as a new one.
        assert stock_of(ann) == []
        assert BatchItem.objects.filter(is_stowed=False).count() == 1_001

    def test_of_a_batch_that_is_gone_fails_in_words(self, ann, many):
        operated = stow_all(many)
        BatchItem.objects.all().delete()
        BatchOperation.objects.all().delete()
        many.delete()

        run_job(operated.job.pk)

        operated.job.refresh_from_db()
        assert (operated.job.state, operated.job.message) == (
            JobState.FAILED,
            "The batch was deleted.",
        )

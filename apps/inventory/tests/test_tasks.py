"""The sync's jobs delivered twice, and cut off in the middle as a kill cuts them."""

import datetime as dt

import pytest
from django.db.models.functions import Now

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, InventorySync, Movement, SyncChunk, SyncState
from apps.inventory.services import _sync_apply, _sync_undo
from apps.inventory.services.bsx_sync import start_apply, start_undo
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.bsx_files import bsx, lot, preview, stock
from apps.inventory.tests.factories import make_stock, quantities

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """Ends a worker at once: no code catches it or cleans up."""


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr("apps.inventory.services._sync_preview.CHUNK", 2)


@pytest.fixture
def brick():
    return make_lot(make_item("3001"), make_color(5))


def kill_at(monkeypatch, kind, name, number):
    """Die in the transaction of the chunk with this number, after its rows were written."""
    original = getattr(kind, name)

    def act(*args, **also):
        result = original(*args, **also)
        chunks = [getattr(one, "chunk", one) for one in args]
        if any(isinstance(one, SyncChunk) and one.number == number for one in chunks):
            raise Killed
        return result

    monkeypatch.setattr(kind, name, act)


def let_the_lease_end(job_id):
    Job.objects.filter(pk=job_id).update(lease_until=Now() - dt.timedelta(seconds=1))


class TestApplySync:
    @pytest.mark.parametrize("number", [0, 1, 2])
    def test_goes_on_after_a_kill_with_exact_counts(self, ann, brick, monkeypatch, number):
        sync = preview(ann, bsx(*[lot(qty=n, Remarks="B-07") for n in range(1, 7)]))
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        with monkeypatch.context() as dying:
            kill_at(dying, _sync_apply.StockImporter, "apply", number)
            with pytest.raises(Killed):
                run_job(sync.job_id)
        assert len(quantities(ann)) == number * 2
        assert not run_job(sync.job_id), "its lease still holds"
        let_the_lease_end(sync.job_id)

        assert run_job(sync.job_id)

        sync.refresh_from_db()
        assert (sync.state, sync.applied_counts["created"]) == (SyncState.APPLIED, 6)
        assert [q for _, q in quantities(ann)] == [1, 2, 3, 4, 5, 6]
        assert Movement.objects.count() == 6
        assert check_ledger().is_sound

    @pytest.mark.parametrize("number", [0, 1])
    def test_goes_on_after_a_kill_with_lots_that_are_split(self, ann, brick, monkeypatch, number):
        content = bsx(*[lot(qty=n + 1, LotID=n, Remarks=f"B-1:{n};B-2:1") for n in range(1, 5)])
        sync = preview(ann, content, several_locations="ignore", split_quantities=True)
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        with monkeypatch.context() as dying:
            kill_at(dying, _sync_apply.StockImporter, "apply", number)
            with pytest.raises(Killed):
                run_job(sync.job_id)
        let_the_lease_end(sync.job_id)

        assert run_job(sync.job_id)

        rows = InventoryItem.objects.order_by("pk").values_list("location__name", "quantity")
        assert list(rows) == [row for n in range(1, 5) for row in (("B-1", n), ("B-2", 1))]
        assert check_ledger().is_sound

    def test_does_nothing_when_it_is_delivered_again(self, ann, brick):
        sync = preview(ann, bsx(*[lot(qty=n) for n in range(1, 7)]))
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        run_job(sync.job_id)
        before = stock(ann)
        Job.objects.filter(pk=sync.job_id).update(state=JobState.QUEUED, token=None)

        run_job(sync.job_id)

        assert stock(ann) == before
        assert Movement.objects.count() == 6
        sync.refresh_from_db()
        assert sync.state == SyncState.APPLIED

    def test_remembers_the_locations_it_made_across_a_kill(self, ann, brick, monkeypatch):
        sync = preview(ann, bsx(*[lot(qty=n, Remarks=f"B-{n}") for n in range(1, 7)]))
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        with monkeypatch.context() as dying:
            kill_at(dying, _sync_apply.StockImporter, "apply", 0)
            with pytest.raises(Killed):
                run_job(sync.job_id)
        let_the_lease_end(sync.job_id)

        run_job(sync.job_id)

        assert len(InventorySync.objects.get().made_location_ids) == 6


class TestUndoSync:
    def test_goes_on_after_a_kill_and_restores_the_stock(self, ann, brick, monkeypatch):
        make_stock(ann, brick, 9, condition="N")
        before = stock(ann)
        sync = preview(ann, bsx(*[lot(qty=n, Remarks="B-07") for n in range(1, 7)]))
        start_apply(sync=sync, confirm_zeroed=1, by=ann)
        run_jobs()
        start_undo(sync=sync, by=ann)
        with monkeypatch.context() as dying:
            kill_at(dying, _sync_undo.UndoSync, "end", 1)
            with pytest.raises(Killed):
                run_job(sync.job_id)
        let_the_lease_end(sync.job_id)

        run_job(sync.job_id)

        sync.refresh_from_db()
        assert sync.state == SyncState.UNDONE
        assert stock(ann) == before
        assert check_ledger().is_sound


class TestPreviewSync:
    def test_begins_anew_after_a_kill(self, ann, brick, monkeypatch):
        from apps.inventory.services import _sync_preview

        content = bsx(*[lot(qty=n) for n in range(1, 7)])
        planned = []
        original = _sync_preview.Preview._plan_piece

        def die_after_two(self, *args):
            original(self, *args)
            planned.append(1)
            if len(planned) == 2:
                raise Killed

        monkeypatch.setattr(_sync_preview, "CHUNKS_AT_ONCE", 1)
        with monkeypatch.context() as dying:
            dying.setattr(_sync_preview.Preview, "_plan_piece", die_after_two)
            with pytest.raises(Killed):
                preview(ann, content)
        sync = InventorySync.objects.get()
        assert sync.chunks.count() == 2
        let_the_lease_end(sync.job_id)

        run_job(sync.job_id)

        sync.refresh_from_db()
        assert (sync.state, sync.counts["created"], sync.chunks.count()) == ("previewed", 6, 3)
        assert not InventoryItem.objects.exists()

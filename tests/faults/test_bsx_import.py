"""A BSX import whose worker is killed with SIGKILL, again and again, and started anew."""

from pathlib import Path

import pytest
from django.core.files import File

from apps.accounts.models import Preferences, User
from apps.inventory.models import InventorySync
from apps.inventory.services.bsx_sync import SyncOptions, start_apply, start_sync
from apps.inventory.services.ledger_check import check_ledger
from benchmarks._store import write_file
from tests.faults.worker import Worker

pytestmark = [
    pytest.mark.faults,
    pytest.mark.long("imports 24,000 lots, long enough for a worker to be killed four times"),
]

LOTS = 24_000  # twelve chunks: long enough to be hit in the middle


def begin(file: Path) -> str:
    """Start an import of the file by a new user; return the id of the job that previews it."""
    user = User.objects.create_user("ann@example.org", None, name="Ann")
    Preferences.objects.create(user=user, currency="EUR")
    with file.open("rb") as opened:
        sync = start_sync(
            owner=user,
            file=File(opened),
            file_name="store.bsx",
            options=SyncOptions(),
            by=user,
        )
    return sync.job_id.hex


def apply() -> str:
    """Apply the import; return the id of the job that does it."""
    sync = InventorySync.objects.get()
    start_apply(sync=sync, confirm_zeroed=None, by=sync.owner)
    return sync.job_id.hex


def run_killed(worker: Worker, job_id: str, *, at: list[int]) -> None:
    """Let the worker take the job, come as far as each of `at` lots, and kill it there."""

    def has_come(*, attempt: int, done: int) -> bool:
        job = worker.job(job_id)
        # On a slow machine a job can be past the next mark before a worker has taken it again.
        return job["state"] == "succeeded" or (job["attempts"] >= attempt and job["done"] >= done)

    for attempt, done in enumerate(at, start=1):
        worker.app.start_worker()
        worker.wait_for(
            lambda attempt=attempt, done=done: has_come(attempt=attempt, done=done),
            f"{done} done",
            seconds=120,
        )
        worker.app.kill("worker")
    worker.app.start_worker()
    worker.wait_for(lambda: worker.job(job_id)["state"] != "running", "the end", seconds=120)
    worker.app.kill("worker")


class TestBsxImport:
    def test_ends_with_every_lot_once_however_often_it_is_killed(
        self, worker: Worker, tmp_path: Path, settings
    ) -> None:
        settings.MEDIA_ROOT = worker.app.folder / "media"
        file = tmp_path / "store.bsx"
        write_file(file, LOTS)
        size = file.stat().st_size

        with worker.connected():
            preview = begin(file)
        run_killed(worker, preview, at=[size // 3])
        assert worker.job(preview)["state"] == "succeeded", worker.job(preview)
        with worker.connected():
            applying = apply()
        run_killed(worker, applying, at=[3_000, 8_000, 13_000])

        job = worker.job(applying)
        assert (job["state"], job["done"]) == ("succeeded", LOTS)
        assert job["attempts"] >= 4
        sums = (
            "SELECT COUNT(*), COUNT(DISTINCT marketplace_lot_id), SUM(quantity) "
            "FROM inventory_inventoryitem"
        )
        ((rows, listings, pieces),) = worker.query(sums)
        ((movements, booked),) = worker.query("SELECT COUNT(*), SUM(delta) FROM inventory_movement")
        ((counted,),) = worker.query("SELECT SUM(item_count) FROM locations_location")
        assert (rows, listings, movements) == (LOTS, LOTS, LOTS)
        assert pieces == booked == counted
        with worker.connected():
            assert check_ledger(owner=None).is_sound

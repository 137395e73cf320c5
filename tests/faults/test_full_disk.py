"""Disks that really have no room: small file systems, filled to their last block."""

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.core.clock import now
from apps.core.jobs.dispatch import retry_job
from apps.core.jobs.models import Job
from apps.exports.services.exports import ExportOptions, start_export
from tests.faults.worker import Worker

pytestmark = [
    pytest.mark.faults,
    pytest.mark.long("starts processes of the app, and fills a disk to its last block"),
]

KIB = 1024
MIB = 1024 * KIB
LOTS = 2_000  # their file is larger than a small disk
FULL = "The server's disk is full, so nothing was kept. Please tell its operator."


@pytest.fixture
def small_disk() -> Iterator[Callable[[Path, int], None]]:
    """`small_disk(folder, size)` makes the folder a file system of so many bytes."""
    mounted: list[Path] = []

    def mount(folder: Path, size: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            pytest.skip("this system has no mount")
        if done.returncode:
            pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
        mounted.append(folder)

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def start_large_export() -> str:
    """Start an export of a new batch of LOTS items; return the job's id."""
    owner = User.objects.create_user("ann@example.org", None, name="Ann")
    batch = Batch.objects.create(owner=owner, name="Attic")
    BatchItem.objects.bulk_create(
        BatchItem(owner=owner, batch=batch, raw_item_type="P", raw_item_number=f"x{n}", quantity=1)
        for n in range(LOTS)
    )
    export = start_export(owner=owner, batch=batch, options=ExportOptions(), now=now())
    return export.job_id.hex


def fill(ballast: Path) -> None:
    """Take what is left of a disk, to its last block."""
    with ballast.open("wb", buffering=0) as out, suppress(OSError):
        while True:
            out.write(bytes(4 * KIB))


def ask(worker: Worker, token: str, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(
        f"{worker.app.url}/api/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.loads(refusal.read())


class TestFilesWithoutRoom:
    def test_end_an_export_in_words_and_leave_nothing_until_there_is_room(
        self, worker: Worker, tmp_path: Path, small_disk
    ):
        media = tmp_path / "media"
        small_disk(media, 64 * KIB)
        with worker.connected():
            job_id = start_large_export()

        worker.app.start_worker()
        worker.wait_for_end(job_id)

        job = worker.job(job_id)
        assert (job["state"], job["message"]) == ("failed", FULL)
        # What was begun goes once it is written that the job failed.
        worker.wait_for(lambda: not any(map(Path.is_file, media.rglob("*"))), "its file to go")

        subprocess.run(["mount", "-o", f"remount,size={4 * MIB}", str(media)], check=True)
        with worker.connected():
            retry_job(job=Job.objects.get(pk=job_id))
        worker.wait_for(lambda: worker.job(job_id)["state"] == "succeeded", "the second try")

        (kept,) = [path for path in media.rglob("*") if path.is_file()]
        assert kept.read_text().count("<Item>") == LOTS


class TestDatabaseWithoutRoom:
    def test_refuses_what_cannot_be_kept_and_goes_on_where_it_was(
        self, worker: Worker, tmp_path: Path, small_disk
    ):
        small = tmp_path / "small"
        small_disk(small, 32 * MIB)
        (small / worker.database.name).write_bytes(worker.database.read_bytes())
        small_worker = Worker(
            small, worker.unblocked, TMPDIR=str(tmp_path), MAX_UPLOAD_BYTES=str(MIB)
        )
        app = small_worker.app
        session = json.loads(app.manage("issue_tokens", "ann@example.org", "--create", "Ann"))
        token = session["accessToken"]
        try:
            small_worker.start_web()
            ballast = small / "ballast"
            fill(ballast)
            # What the write-ahead log still has room for is used up by and by.
            for number in range(2_000):
                status, said = ask(small_worker, token, "sources", {"name": f"Flea {number}"})
                if status != 201:
                    break

            assert (status, said["error"]["code"]) == (503, "SERVICE_UNAVAILABLE")
            assert said["message"] == FULL
            status, told = ask(small_worker, token, "sources?page_size=1")
            assert (status, told["meta"]["pagination"]["total_items"]) == (200, number)

            ballast.unlink()
            status, _ = ask(small_worker, token, "sources", {"name": f"Flea {number}"})
            assert status == 201
        finally:
            app.stop()

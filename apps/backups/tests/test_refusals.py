"""A zip that is broken, foreign, newer, a bomb or tampered with is refused, and nothing is done."""

import datetime as dt
import io
import json
import uuid
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage

from apps.backups.services._archive import BackupRefused
from apps.backups.services.restores import start_restore
from apps.backups.tests.factories import (
    backup_of,
    changed,
    everything_of,
    head_changed,
    make_store,
    restored,
    rows_changed,
    zip_of,
)
from apps.core.errors import UploadTooLarge
from apps.core.jobs.dispatch import cancel_job, retry_job
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.runner import give_up_lost_jobs, run_job

pytestmark = pytest.mark.django_db


@pytest.fixture
def content(ann):
    make_store(ann)
    return zip_of(backup_of(ann))


def zipped(**parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "."), text)
    return out.getvalue()


def bomb():
    return zipped(backup__json="{}", rows=b"0" * (300 * 1024 * 1024))


def flagged_as_encrypted(content):
    broken = bytearray(content)
    place = broken.find(b"PK\x01\x02")
    while place >= 0:
        broken[place + 8] |= 1
        place = broken.find(b"PK\x01\x02", place + 4)
    return bytes(broken)


class TestAtOnce:
    @pytest.mark.parametrize(
        ("make", "said"),
        [
            (lambda whole: b"", "This is no zip file, or a broken one."),
            (lambda whole: b"<BrickStoreXML/>", "This is no zip file, or a broken one."),
            (lambda whole: whole[: len(whole) // 2], "This is no zip file, or a broken one."),
            (lambda whole: zipped(readme__txt="hello"), "This zip is no backup of Brickstow: it"),
            (lambda whole: zipped(backup__json="{}"), "This zip is no backup of Brickstow."),
            (lambda whole: zipped(backup__json="[" * 5000), "A line of this backup cannot be"),
            (lambda whole: head_changed(whole, product="BrickStore"), "This zip is no backup of"),
            (lambda whole: head_changed(whole, format=2), "This backup is of format 2; this"),
            (lambda whole: head_changed(whole, counts={"spaceships": 1}), "It holds spaceships"),
            (lambda whole: head_changed(whole, counts=None), "backup.json does not say how many"),
            (lambda whole: bomb(), "Unpacked this would be 300 MiB; no backup is so large."),
            (flagged_as_encrypted, "This zip is encrypted."),
        ],
        ids=[
            "empty",
            "a BSX file",
            "cut off",
            "foreign",
            "no head",
            "deep",
            "another product",
            "newer",
            "unknown rows",
            "no counts",
            "bomb",
            "encrypted",
        ],
    )
    def test_is_refused_and_kept_nowhere(self, bo, content, settings, make, said):
        before = files_in(settings.MEDIA_ROOT)

        with pytest.raises(BackupRefused) as refused:
            start_restore(owner=bo, file=ContentFile(make(content)), file_name="x.zip")

        assert refused.value.text.startswith(said), refused.value.text
        assert refused.value.text.endswith("Nothing was changed.")
        assert not Job.objects.filter(owner=bo).exists()
        assert files_in(settings.MEDIA_ROOT) == before

    def test_is_refused_when_it_is_larger_than_an_upload_may_be(self, bo, content, settings):
        settings.MAX_UPLOAD_BYTES = len(content) - 1

        with pytest.raises(UploadTooLarge):
            start_restore(owner=bo, file=ContentFile(content), file_name="x.zip")


def set_to(name, value):
    def change(row):
        row[name] = value

    return change


def one_more(row):
    if row["deleted_at"] is None:
        row["quantity"] += 1


class TestRowByRow:
    @pytest.mark.parametrize(
        ("table", "change", "said"),
        [
            ("inventory_items", set_to("quantity", -1), "inventory_items, line 1: quantity "),
            ("inventory_items", set_to("quantity", "many"), "inventory_items, line 1: quantity "),
            ("inventory_items", one_more, "The quantities of this backup do not"),
            ("inventory_items", set_to("price", "NaN"), "inventory_items, line 1: price "),
            ("inventory_items", set_to("price", {}), "inventory_items, line 1: price is no plain"),
            ("inventory_items", set_to("condition", "X"), "inventory_items, line 1: condition"),
            ("inventory_items", set_to("retain", "yes"), "inventory_items, line 1: retain is nei"),
            ("inventory_items", set_to("remarks", "a\x00b"), "inventory_items, line 1: remarks "),
            ("inventory_items", set_to("extra", {"a": "\x00"}), "inventory_items, line 1: extra "),
            ("inventory_items", set_to("lot_id", 10**6), "inventory_items, line 1: lot_id names a"),
            ("inventory_items", set_to("location_id", 10**6), "inventory_items, line 1: location"),
            ("inventory_items", set_to("id", 5), "inventory_items has the id 5 twice."),
            ("inventory_items", set_to("owner_id", 1), "inventory_items, line 1: owner_id is not"),
            ("inventory_items", set_to("id", 2**70), "inventory_items, line 1: id "),
            ("movements", set_to("delta", 0), "This backup contradicts itself"),
            ("movements", set_to("item_id", 10**6), "movements, line 1: item_id names a row that"),
            ("movements", set_to("created_at", "2026-01-01T00:00:00"), "movements, line 1: crea"),
            ("locations", set_to("name", "A-1"), "This backup contradicts itself"),
            ("locations", set_to("name", "x" * 101), "locations, line 1: name "),
            ("locations", set_to("name", None), "locations, line 1: name is missing."),
            ("locations", set_to("item_count", 3), "The quantities of this backup do not add up."),
            ("lots", set_to("number", 3), "lots, line 1: a name is missing."),
            ("preferences", set_to("currency", "XXX"), "preferences, line 1: currency"),
            ("person", set_to("units", "stone"), "person, line 1: units"),
        ],
    )
    def test_is_refused_with_nothing_half_done(self, bo, content, table, change, said):
        before = everything_of(bo)

        job = restored(bo, rows_changed(content, table, change))

        assert job.state == JobState.FAILED
        assert job.message.startswith(said), job.message
        assert job.message.endswith("Nothing was changed.")
        assert everything_of(bo) == before

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"rows/batches.jsonl": None}, "This backup is not whole: rows/batches.jsonl is"),
            ({"rows/batches.jsonl": ""}, "This backup is not whole: 1 batches are told of, 0 are"),
            ({"rows/batches.jsonl": "{"}, "A line of this backup cannot be read."),
            ({"rows/batches.jsonl": "[1]\n"}, "batches, line 1 is no row."),
            ({"rows/batches.jsonl": " " * (4 * 2**20)}, "rows/batches.jsonl is larger than it"),
        ],
    )
    def test_is_refused_when_a_part_is_not_whole(self, bo, content, changes, said):
        job = restored(bo, changed(content, changes))

        assert (job.state, job.message[: len(said)]) == (JobState.FAILED, said)

    def test_is_refused_when_bits_have_changed(self, bo, content):
        place = content.index(b"rows/movements.jsonl") + 60
        broken = content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :]

        job = restored(bo, broken)

        assert job.state == JobState.FAILED
        assert job.message.endswith("Nothing was changed.")

    def test_takes_rows_of_an_older_version_that_lack_a_field(self, ann, bo, content):
        def forget(row):
            del row["is_full"]

        job = restored(bo, rows_changed(content, "locations", forget))

        assert job.state == JobState.SUCCEEDED, job.message
        assert everything_of(bo)["locations"] == everything_of(ann)["locations"]


class FullDisk(FileSystemStorage):
    """The kernel's own full disk."""

    def _save(self, name, content):
        with open("/dev/full", "wb", buffering=0) as out:
            out.write(content.read())
        return name


class TestWithoutRoom:
    def test_the_backup_fails_and_says_so(self, ann, settings):
        backend = f"{__name__}.{FullDisk.__name__}"
        settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend}}

        backup = backup_of(ann)

        assert (backup.job.state, backup.file.name) == (JobState.FAILED, "")
        assert backup.job.message.startswith("The server's disk is full")
        assert json.dumps(backup.counts) == "{}"


def files_in(folder):
    return sorted(str(path) for path in folder.rglob("*") if path.is_file())


class TestStopping:
    def test_a_restore_that_waits_takes_the_kept_zip_along(
        self, bo, content, django_capture_on_commit_callbacks
    ):
        job = start_restore(owner=bo, file=ContentFile(content), file_name="mine.zip")
        kept = job.payload["file"]
        assert default_storage.exists(kept)

        with django_capture_on_commit_callbacks(execute=True):
            cancel_job(job=job)

        assert not default_storage.exists(kept)

    def test_a_restore_that_is_given_up_can_be_tried_again(
        self, bo, content, django_capture_on_commit_callbacks
    ):
        job = start_restore(owner=bo, file=ContentFile(content), file_name="mine.zip")
        Job.objects.filter(pk=job.pk).update(
            state=JobState.RUNNING,
            token=uuid.uuid4(),
            attempts=MAX_ATTEMPTS,
            lease_until=dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
        )

        with django_capture_on_commit_callbacks(execute=True):
            assert give_up_lost_jobs() == 1
        retry_job(job=job)
        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.SUCCEEDED, job.message

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
from apps.catalog.models import Lot
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
            (lambda whole: zipped(backup__json="[" * 5000), "backup.json: Expected JSON."),
            (lambda whole: head_changed(whole, product="BrickStore"), "This zip is no backup of"),
            (lambda whole: head_changed(whole, format=3), "This backup is of format 3; this"),
            (lambda whole: head_changed(whole, counts={"spaceships": 1}), "It holds spaceships"),
            (lambda whole: head_changed(whole, counts=None), "backup.json does not say how many"),
            (lambda whole: head_changed(whole, counts={"movements": 10**7}), "It has more than 3,"),
            (lambda whole: head_changed(whole, counts={"lots": 10**6}), "It has more than 300,000"),
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
            "too many rows",
            "too many lots",
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


def deep(levels):
    value = {"a": 1}
    for _ in range(levels):
        value = {"base": [value]}
    return value


def one_more(row):
    if row["deleted_at"] is None:
        row["quantity"] += 1


class TestRowByRow:
    @pytest.mark.parametrize(
        ("table", "field", "value", "said"),
        [
            ("inventory_items", "quantity", -1, "Ensure this value is greater than"),
            ("inventory_items", "quantity", "many", "“many” value must be an integer"),
            ("inventory_items", "price", "NaN", "“NaN” value must be a decimal"),
            ("inventory_items", "price", {}, "is no plain value"),
            ("inventory_items", "condition", "X", "'X' is none of its values"),
            ("inventory_items", "retain", "yes", "is neither true nor false"),
            ("inventory_items", "remarks", "a\x00b", "holds a character that cannot be stored"),
            ("inventory_items", "remarks", "a\x1bb", "Control characters cannot be kept"),
            ("inventory_items", "sale", 101, "Ensure this value is less than or equal to 100"),
            ("inventory_items", "marker_color", "red", "This value does not match"),
            ("inventory_items", "date_added", "9999-12-31T23:59:59Z", "Expected a date from 1900"),
            ("inventory_items", "extra", {"a": "\x00"}, "holds a character that cannot be stored"),
            ("inventory_items", "extra", [], "Invalid data. Expected a dictionary"),
            ("inventory_items", "extra", {"base": 3}, "base: Expected a list of items"),
            ("inventory_items", "extra", {"extra": [["a\x1b", "b"]]}, "is not plain data without"),
            ("inventory_items", "extra", deep(40), "is not plain data without control characters"),
            ("inventory_items", "lot_id", 10**6, "names a row that is not there"),
            ("inventory_items", "location_id", 10**6, "names a row that is not there"),
            ("inventory_items", "owner_id", 1, "is not known here"),
            ("inventory_items", "id", 2**70, "Ensure this value is less than or equal to"),
            ("movements", "item_id", 10**6, "names a row that is not there"),
            ("movements", "created_at", "2026-01-01T00:00:00", "is an instant without its zone"),
            ("movements", "created_at", "9999-12-31T23:59:59Z", "Expected a date from 1900-01-01"),
            ("movements", "note", "\x07", "Control characters cannot be kept"),
            ("locations", "name", "x" * 101, "Ensure this value has at most 100 characters"),
            ("locations", "name", "", "This field may not be blank"),
            ("locations", "name", None, "is missing"),
            ("locations", "description", "a\x08", "Control characters cannot be kept"),
            ("sources", "name", " ", "This field may not be blank"),
            ("batches", "bsx_header", ["changelog_id"], "Invalid data. Expected a dictionary"),
            ("batches", "bsx_header", {"extra_blocks": ["%"]}, "extra_blocks: 0: This value does"),
            ("batches", "image_url", "javascript:alert(1)", "Expected an address that begins"),
            ("batches", "image_url", "ftp://example.org/a.png", "Expected an address that begins"),
            ("batch_operations", "failed", {"id": 1}, "Expected a list of items"),
            ("lots", "number", 3, "Expected text of at most 64 characters"),
            ("lots", "item_type", "SPACESHIP", "Expected a type of item, such as PART"),
            ("lots", "color_id", 2**31, "Expected an id"),
            ("preferences", "currency", "XXX", "'XXX' is none of its values"),
            ("preferences", "last_sold_recent_days", 0, "Ensure this value is greater than"),
            ("preferences", "inventory_views", {"name": "x"}, "Expected a list of items"),
            ("preferences", "inventory_views", [{"name": "x"}], "0: query: This field is required"),
            ("person", "units", "st", "'st' is none of its values"),
            ("person", "time_zone", "Mars/Olympus", "is not a time zone, such as Europe/Berlin"),
            ("person", "zip_code", "<>", "takes letters, digits, spaces and hyphens"),
        ],
    )
    def test_names_the_file_the_line_and_the_field(self, bo, content, table, field, value, said):
        before = everything_of(bo)
        lots = Lot.objects.count()

        job = restored(bo, rows_changed(content, table, set_to(field, value)))

        assert job.state == JobState.FAILED
        assert job.message.startswith(f"rows/{table}.jsonl, line 1, {field}: {said}"), job.message
        assert job.message.endswith("Nothing was changed.")
        assert everything_of(bo) == before
        assert Lot.objects.count() == lots

    @pytest.mark.parametrize(
        ("table", "change", "said"),
        [
            ("inventory_items", one_more, "The quantities of this backup do not add up."),
            (
                "inventory_items",
                set_to("id", 5),
                "rows/inventory_items.jsonl, line 2, id: is there",
            ),
            ("movements", set_to("delta", 0), "rows/movements.jsonl, line 1, delta: contradicts"),
            ("locations", set_to("name", "A-1"), "rows/locations.jsonl, line 2, "),
            ("locations", set_to("item_count", 3), "The quantities of this backup do not add up."),
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
            ({"rows/batches.jsonl": ""}, "This backup is incomplete: it says 1 batches, 0 are"),
            ({"rows/batches.jsonl": "{"}, "rows/batches.jsonl, line 1: Expected JSON."),
            ({"rows/batches.jsonl": "[1]\n"}, "rows/batches.jsonl, line 1: Expected an object."),
            ({"rows/batches.jsonl": '{"id": NaN}'}, "rows/batches.jsonl, line 1: Expected JSON."),
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

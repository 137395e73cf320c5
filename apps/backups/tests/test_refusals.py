"""A zip that is broken, foreign, newer or a bomb is refused; bad rows in a sound one are left out."""

import datetime as dt
import io
import json
import uuid
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.test import override_settings

from apps.accounts.tests.factories import make_user
from apps.backups.services._archive import BackupRefused
from apps.backups.services.restores import NOTE, start_restore
from apps.backups.tests.factories import (
    backup_of,
    changed,
    everything_of,
    head_changed,
    make_store,
    pieces_of,
    restored,
    rows_changed,
    zip_of,
)
from apps.core.errors import UploadTooLarge
from apps.core.jobs.dispatch import cancel_job, retry_job
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.runner import give_up_lost_jobs, run_job
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.services.ledger_check import check_ledger

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ann(rows_of_module):
    """The owner, with a store that no test here changes."""
    owner = make_user("ann")
    make_store(owner)
    return owner


@pytest.fixture(scope="module")
def content(ann, tmp_path_factory):
    with override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("media")):
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


ROW_CASES = [
    ("inventory_items", "quantity", -1, "Ensure this value is greater than"),
    ("inventory_items", "quantity", "many", "“many” value must be an integer"),
    ("inventory_items", "condition", "X", "'X' is none of its values"),
    ("inventory_items", "retain", "yes", "is neither true nor false"),
    ("inventory_items", "sale", 101, "Ensure this value is less than or equal to 100"),
    ("inventory_items", "lot_id", 10**6, "names a row that is not there"),
    ("inventory_items", "id", 2**70, "is no id"),
    ("inventory_items", "id", "5", "is no id"),
    ("inventory_items", "id", 0, "is no id"),
    ("inventory_items", "id", -3, "is no id"),
    ("movements", "item_id", 10**6, "names a row that is not there"),
    ("movements", "created_at", "2026-01-01T00:00:00", "is an instant without its zone"),
    ("movements", "created_at", "9999-12-31T23:59:59Z", "Expected a date from 1900-01-01"),
    ("locations", "name", "x" * 101, "Ensure this value has at most 100 characters"),
    ("locations", "name", "", "This field may not be blank"),
    ("locations", "name", None, "is missing"),
    ("sources", "name", " ", "This field may not be blank"),
    ("lots", "number", 3, "Expected text of at most 64 characters"),
    ("lots", "item_type", "SPACESHIP", "Expected a type of item, such as PART"),
    ("lots", "color_id", 2**31, "Expected an id"),
]
VALUE_CASES = [
    ("inventory_items", "price", "NaN", "“NaN” value must be a decimal"),
    ("inventory_items", "price", {}, "is no plain value"),
    ("inventory_items", "remarks", "a\x00b", "holds a character that cannot be stored"),
    ("inventory_items", "remarks", "a\x1bb", "Control characters cannot be kept"),
    ("inventory_items", "marker_color", "red", "This value does not match"),
    ("inventory_items", "date_added", "9999-12-31T23:59:59Z", "Expected a date from 1900"),
    ("inventory_items", "extra", {"a": "\x00"}, "holds a character that cannot be stored"),
    ("inventory_items", "extra", [], "Invalid data. Expected a dictionary"),
    ("inventory_items", "extra", {"base": 3}, "base: Expected a list of items"),
    ("inventory_items", "extra", {"extra": [["a\x1b", "b"]]}, "is not plain data without"),
    ("inventory_items", "extra", deep(40), "is not plain data without control characters"),
    ("inventory_items", "location_id", 10**6, "names a row that is not there"),
    ("inventory_items", "owner_id", 1, "is not known here"),
    ("movements", "note", "\x07", "Control characters cannot be kept"),
    ("locations", "description", "a\x08", "Control characters cannot be kept"),
    ("batches", "bsx_header", ["changelog_id"], "Invalid data. Expected a dictionary"),
    ("batches", "bsx_header", {"extra_blocks": ["%"]}, "extra_blocks: 0: This value does"),
    ("batches", "image_url", "javascript:alert(1)", "Expected an address that begins"),
    ("batches", "image_url", "ftp://example.org/a.png", "Expected an address that begins"),
    ("batch_operations", "failed", {"id": 1}, "Expected a list of items"),
    ("preferences", "currency", "XXX", "'XXX' is none of its values"),
    ("preferences", "last_sold_recent_days", 0, "Ensure this value is greater than"),
    ("preferences", "inventory_views", {"name": "x"}, "Expected a list of items"),
    ("preferences", "inventory_views", [{"name": "x"}], "0: query: This field is required"),
    ("person", "units", "st", "'st' is none of its values"),
    ("person", "time_zone", "Mars/Olympus", "is not a time zone, such as Europe/Berlin"),
    ("person", "zip_code", "<>", "takes letters, digits, spaces and hyphens"),
]


def one_of_each_field(cases):
    """The cases in groups that one backup can hold: no field twice in the row."""
    groups = []
    for case in cases:
        for group in groups:
            if all(case[:2] != other[:2] for other in group):
                group.append(case)
                break
        else:
            groups.append([case])
    return groups


GROUPS = [([case], "row") for case in ROW_CASES]
GROUPS += [(group, "value") for group in one_of_each_field(VALUE_CASES)]


class TestRowByRow:
    @pytest.mark.parametrize(("cases", "what"), GROUPS)
    def test_leaves_out_what_cannot_be_restored_and_names_file_line_and_field(
        self, bo, content, cases, what
    ):
        broken = content
        for table, field, value, _ in cases:
            broken = rows_changed(broken, table, set_to(field, value), only=slice(1))

        job = restored(bo, broken)

        assert job.state == JobState.SUCCEEDED, job.message
        for table, field, _, said in cases:
            reasons = [
                one["reason"]
                for one in job.failed
                if one["name"].startswith(f"rows/{table}.jsonl, line 1")
            ]
            told = [one for one in reasons if one.startswith((f"{field}: {said}", said))]
            assert len(told) == 1, (table, field, said, reasons)
            assert told[0].endswith(f"The {what} was left out.")
            if table in job.result["counts"]:
                left = job.result["counts"][table]
                assert left == count_of(content, table) - (what == "row")
        assert check_ledger(owner=bo).is_sound

    def test_loses_nothing_but_the_row_and_its_parts(self, ann, bo, content):
        job = restored(
            bo, rows_changed(content, "inventory_items", set_to("sale", 101), only=slice(1))
        )

        whole, left = everything_of(ann), everything_of(bo)
        first = whole["inventory_items"][0]
        assert left["inventory_items"] == [{**row} for row in whole["inventory_items"][1:]]
        assert len(job.failed) == job.failed_count == 1 + parts_of_the_first_row(content)
        assert {"names a row that is not there or was left out. The row was left out."} == {
            one["reason"].split(": ", 1)[1] for one in job.failed[1:]
        }
        assert "3001" in job.failed[0]["name"]
        # Batch items name the row that they were stowed into by a number that outlives it.
        changed = {"inventory_items", "movements", "promises", "locations", "batch_items"}
        same = whole.keys() - changed
        assert {name: left[name] for name in same} == {name: whole[name] for name in same}
        assert pieces_of(bo) == pieces_of(ann) - first["quantity"]
        assert check_ledger(owner=bo).is_sound

    def test_keeps_a_lot_without_the_date_that_it_cannot_have(self, ann, bo, content):
        change = set_to("date_added", "0001-01-01T00:00:00Z")

        job = restored(bo, rows_changed(content, "inventory_items", change))

        kept, whole = everything_of(bo), everything_of(ann)
        assert kept == {
            **whole,
            "inventory_items": [{**row, "date_added": None} for row in whole["inventory_items"]],
        }
        assert job.failed_count == len(whole["inventory_items"])

    def test_keeps_lots_whose_bin_is_left_out_without_a_bin(self, ann, bo, content):
        restored(bo, rows_changed(content, "locations", set_to("name", ""), only=slice(1)))

        assert pieces_of(bo) == pieces_of(ann)
        assert {row["location_id"] for row in everything_of(bo)["inventory_items"]} == {
            None,
            "locations 0",
            "locations 1",
        }

    @pytest.mark.parametrize(
        ("table", "change"),
        [
            ("inventory_items", one_more),
            ("movements", set_to("delta", 0)),
            ("movements", set_to("created_at", "0001-01-01T00:00:00Z")),
        ],
    )
    def test_books_what_the_movements_that_are_there_do_not_explain(
        self, ann, bo, content, table, change
    ):
        job = restored(bo, rows_changed(content, table, change, only=slice(1)))

        row = InventoryItem.objects.owned_by(bo).order_by("pk").first()
        booked = Movement.objects.filter(item=row).order_by("pk").last()
        assert (booked.reason, booked.note) == ("edit", NOTE)
        assert job.failed[-1]["name"] == f"Inventory row {row.pk}"
        assert job.failed[-1]["reason"].startswith("Its movements in the backup make ")
        assert row.quantity == InventoryItem.objects.owned_by(ann).order_by("pk")[0].quantity + (
            table == "inventory_items"
        )
        assert check_ledger(owner=bo).is_sound

    def test_counts_the_pieces_of_a_bin_again(self, ann, bo, content):
        restored(bo, rows_changed(content, "locations", set_to("item_count", 3)))

        assert everything_of(bo)["locations"] == everything_of(ann)["locations"]

    @pytest.mark.parametrize(
        ("table", "change", "said"),
        [
            ("inventory_items", set_to("id", 5), "id: is there twice. "),
            ("locations", set_to("name", "A-1"), "Contradicts itself or another row"),
        ],
    )
    def test_takes_one_of_rows_that_contradict_each_other(self, bo, content, table, change, said):
        job = restored(bo, rows_changed(content, table, change))

        assert job.state == JobState.SUCCEEDED, job.message
        assert job.result["counts"][table] == 1
        assert any(one["reason"].startswith(said) for one in job.failed), job.failed
        assert check_ledger(owner=bo).is_sound

    @pytest.mark.parametrize("line", ["{", "[1]", '{"id": NaN}'])
    def test_leaves_out_a_line_that_is_no_object(self, bo, content, line):
        job = restored(bo, changed(content, {"rows/batches.jsonl": f"{line}\n"}))

        assert job.state == JobState.SUCCEEDED, job.message
        assert job.failed[0] == {
            "id": None,
            "name": "rows/batches.jsonl, line 1",
            "reason": "Expected a JSON object. The row was left out.",
        }

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"rows/batches.jsonl": None}, "This backup is not whole: rows/batches.jsonl is"),
            ({"rows/batches.jsonl": ""}, "This backup is incomplete: it says 1 batches, 0 are"),
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


def count_of(content, table):
    archive = zipfile.ZipFile(io.BytesIO(content))
    return len(archive.read(f"rows/{table}.jsonl").splitlines())


def parts_of_the_first_row(content):
    archive = zipfile.ZipFile(io.BytesIO(content))
    rows = [json.loads(line) for line in archive.read("rows/inventory_items.jsonl").splitlines()]
    parts = (
        json.loads(line)
        for table in ("movements", "promises")
        for line in archive.read(f"rows/{table}.jsonl").splitlines()
    )
    return sum(part["item_id"] == rows[0]["id"] for part in parts)


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

from decimal import Decimal

import pytest
from django.core.files.storage import default_storage

from apps.batches.models import BatchItem
from apps.batches.rules import ItemState
from apps.batches.tests.factories import (
    list_all,
    make_batch,
    make_item,
    make_location,
    stow_all,
)
from apps.catalog.models import Item
from apps.catalog.tests.factories import make_category, make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.jobs.dispatch import cancel_job
from apps.core.jobs.kept_file import NotWrittenYet, delete_written
from apps.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from apps.core.jobs.run import JobRun
from apps.core.jobs.runner import give_up_lost_jobs, run_job
from apps.core.testing.queries import count_queries
from apps.exports.models import Export, ExportKind
from apps.exports.services import _lots
from apps.exports.services.exports import (
    NOTHING_CHOSEN,
    NOTHING_WRITABLE,
    ExportOptions,
    NothingWritten,
    open_file,
    start_export,
)
from apps.exports.tests.factories import NOON, content_of, export_of, lots_in

pytestmark = pytest.mark.django_db


def brick(color_id=5):
    item = Item.objects.filter(number="3001").first() or make_catalogue_item(
        "3001", "Brick 2 x 4", category=make_category()
    )
    return make_lot(item, make_color(color_id))


class TestWriteExport:
    def test_writes_a_batch_as_brickstore_does(self, ann):
        batch = make_batch(ann)
        make_item(batch, quantity=3, price="0.125", lot=brick(), condition="N", remarks="A-01")

        export = export_of(ann, batch)

        assert export.job.state == JobState.SUCCEEDED
        assert (export.row_count, export.failed, export.file_name) == (
            1,
            [],
            "Summer lot 2026-11-21.bsx",
        )
        assert content_of(export).decode() == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            "<BrickStoreXML>\n"
            ' <Inventory Currency="EUR">\n'
            "  <Item>\n"
            "   <ItemID>3001</ItemID>\n"
            "   <ItemTypeID>P</ItemTypeID>\n"
            "   <ColorID>5</ColorID>\n"
            "   <ItemName>Brick 2 x 4</ItemName>\n"
            "   <ItemTypeName>Part</ItemTypeName>\n"
            "   <ColorName>Red</ColorName>\n"
            "   <CategoryID>5</CategoryID>\n"
            "   <CategoryName>Brick</CategoryName>\n"
            "   <Status>I</Status>\n"
            "   <Qty>3</Qty>\n"
            "   <Price>0.125</Price>\n"
            "   <Condition>N</Condition>\n"
            "   <Remarks>A-01</Remarks>\n"
            "  </Item>\n"
            " </Inventory>\n"
            "</BrickStoreXML>\n"
        )

    def test_keeps_the_order_and_tells_progress(self, ann):
        batch = make_batch(ann)
        for quantity in (5, 1, 9):
            make_item(batch, quantity=quantity)

        export = export_of(ann, batch)

        assert [lot.quantity for lot in lots_in(export)] == [5, 1, 9]
        assert (export.job.done, export.job.total) == (3, 3)
        assert export.job.result == {
            "export_id": export.pk,
            "batch_id": batch.pk,
            "row_count": 3,
            "file_name": export.file_name,
        }

    def test_tells_what_cannot_be_written_and_writes_the_rest(self, ann):
        batch = make_batch(ann)
        good = make_item(batch, lot=brick())
        nameless = make_item(batch, raw_item_number="", raw_item_type="U")
        own = make_item(
            batch,
            lot=make_lot(make_catalogue_item("UNSORTED", "Unsorted", "UNSORTED_LOT", origin="O")),
        )
        foreign = make_item(batch, lot=make_lot(color=make_color(10_042, "Odd")))

        export = export_of(ann, batch)

        assert export.job.state == JobState.SUCCEEDED
        assert export.failed == [
            {"id": nameless.pk, "reason": "It has no item number.", "name": "?"},
            {
                "id": own.pk,
                "reason": (
                    "UNSORTED is a number of this catalogue's own; BrickStore does not know it."
                ),
                "name": "Unsorted (UNSORTED)",
            },
            {
                "id": foreign.pk,
                "reason": "Its colour (10042) has no BrickLink number.",
                "name": f"Odd Brick 2 x 4 ({foreign.lot.item.number})",
            },
        ]
        assert (export.failed_count, export.row_count) == (3, 1)
        assert [lot.quantity for lot in lots_in(export)] == [good.quantity]

    def test_writes_an_unknown_item_as_its_file_had_it(self, ann):
        batch = make_batch(ann)
        make_item(
            batch,
            raw_item_type="P",
            raw_item_number="x999",
            raw_item_name="Mystery",
            raw_color_id=4,
            raw_color_name="Orange",
        )

        [lot] = lots_in(export_of(ann, batch))

        assert (lot.item_number, lot.item_name, lot.color_id, lot.color_name) == (
            "x999",
            "Mystery",
            4,
            "Orange",
        )

    def test_says_what_was_rounded(self, ann):
        batch = make_batch(ann)
        item = make_item(batch, price="0.1234", lot=brick())

        bsx = export_of(ann, batch)
        upload = export_of(ann, batch, kind=ExportKind.MASS_UPLOAD)

        assert (lots_in(bsx)[0].price, bsx.notices) == (Decimal("0.1234"), [])
        assert upload.notices == [
            {"id": item.pk, "field": "PRICE", "message": "PRICE 0.1234 was rounded to 0.123."}
        ]

    def test_can_be_narrowed(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch, quantity=1)
        stow_all(batch, place)
        list_all(batch)
        make_item(batch, quantity=2)
        stow_all(batch, place)
        make_item(batch, quantity=3)
        empty = make_item(batch, quantity=0)

        def quantities(**options):
            return [lot.quantity for lot in lots_in(export_of(ann, batch, **options))]

        assert quantities() == [1, 2, 3, 0]
        assert quantities(state=ItemState.LISTED) == [1]
        assert quantities(state=ItemState.STOWED) == [2]
        assert quantities(state=ItemState.NEW) == [3, 0]
        assert quantities(include_zero_quantity=False) == [1, 2, 3]
        assert quantities(item_ids=(empty.pk,)) == [0]

    def test_the_form_for_bricksync_has_a_doctype_and_no_currency(self, ann):
        batch = make_batch(ann)
        make_item(batch)

        text = content_of(export_of(ann, batch, compatible=True)).decode()

        assert "<!DOCTYPE BrickStoreXML>" in text
        assert "<Inventory>" in text

    def test_writes_the_inventory(self, ann, bo):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch, quantity=4)
        stow_all(batch, place)
        strange = make_batch(bo)
        make_item(strange, quantity=99)
        stow_all(strange, make_location(bo))

        export = export_of(ann)

        assert [(lot.quantity, lot.remarks) for lot in lots_in(export)] == [(4, "A-01")]
        assert export.file_name == "Inventory 2026-11-21.bsx"

    def test_of_nothing_leaves_no_file_and_says_why(self, ann):
        empty = make_batch(ann)
        export = export_of(ann, empty)

        assert (export.job.state, export.job.message) == (JobState.SUCCEEDED, NOTHING_CHOSEN)
        assert (export.row_count, export.written_at) == (0, None)
        assert not default_storage.exists("exports")
        with pytest.raises(NothingWritten, match="no lot is chosen"):
            open_file(export=export)

    def test_of_lots_that_no_file_can_hold_names_each_and_leaves_no_file(self, ann):
        batch = make_batch(ann)
        nameless = make_item(batch, raw_item_number="", raw_item_type="U")

        export = export_of(ann, batch)

        assert (export.job.message, export.job.done) == (NOTHING_WRITABLE, 1)
        assert export.failed == [
            {"id": nameless.pk, "reason": "It has no item number.", "name": "?"}
        ]
        assert (export.failed_count, bool(export.file)) == (1, False)

    def test_says_again_what_an_imported_file_said_beside_its_lots(self, ann):
        batch = make_batch(
            ann,
            bsx_header={
                "changelog_id": 4711,
                "root_attributes": [["a", "b"]],
                "inventory_attributes": [["c", "d"]],
                "extra_blocks": ["PE9yZGVyPjE8L09yZGVyPg=="],
            },
        )
        make_item(batch)

        text = content_of(export_of(ann, batch)).decode()

        assert '<BrickStoreXML a="b">' in text
        assert '<Inventory Currency="EUR" BrickLinkChangelogId="4711" c="d">' in text
        assert " <Order>1</Order>\n" in text

    def test_costs_a_query_more_for_2000_lots_only(self, ann):
        batch, lot = make_batch(ann), brick()

        def queries():
            return count_queries(lambda: export_of(ann, batch))[0]

        make_item(batch, lot=lot)
        few = queries()
        BatchItem.objects.bulk_create(
            BatchItem(owner=ann, batch=batch, lot=lot, quantity=1) for _ in range(1_900)
        )

        assert queries() == few


class TestSecondAttempt:
    def test_begins_anew_and_leaves_one_file(self, ann, monkeypatch):
        batch = make_batch(ann)
        make_item(batch, quantity=3, lot=brick())
        make_item(batch, raw_item_number="", raw_item_type="U")
        export = start_export(owner=ann, batch=batch, options=ExportOptions(), now=NOON)
        real = JobRun.finish

        def die(self, **_):
            raise SystemExit

        monkeypatch.setattr(JobRun, "finish", die)
        with pytest.raises(SystemExit):
            run_job(export.job_id)
        monkeypatch.setattr(JobRun, "finish", real)
        Job.objects.update(lease_until=NOON.replace(year=2020))

        run_job(export.job_id)

        export.refresh_from_db()
        assert (export.row_count, export.failed_count) == (1, 1)
        assert len(default_storage.listdir("exports")[1]) == 1

    def test_removes_the_file_that_a_killed_worker_left(self, ann, monkeypatch):
        batch = make_batch(ann)
        make_item(batch)
        export = start_export(owner=ann, batch=batch, options=ExportOptions(), now=NOON)
        real = default_storage.save

        def save_and_die(name, content):
            real(name, content)
            raise SystemExit

        monkeypatch.setattr(default_storage, "save", save_and_die)
        with pytest.raises(SystemExit):
            run_job(export.job_id)
        monkeypatch.undo()
        [left] = default_storage.listdir("exports")[1]
        Job.objects.update(lease_until=NOON.replace(year=2020))

        run_job(export.job_id)

        [kept] = default_storage.listdir("exports")[1]
        assert kept != left

    def test_given_up_after_five_kills_leaves_no_file(
        self, ann, monkeypatch, django_capture_on_commit_callbacks
    ):
        batch = make_batch(ann)
        make_item(batch)
        export = start_export(owner=ann, batch=batch, options=ExportOptions(), now=NOON)
        real = default_storage.save

        def save_and_die(name, content):
            real(name, content)
            raise SystemExit

        monkeypatch.setattr(default_storage, "save", save_and_die)
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(SystemExit):
                run_job(export.job_id)
            Job.objects.update(lease_until=NOON.replace(year=2020))
        monkeypatch.undo()
        assert len(default_storage.listdir("exports")[1]) == 1

        with django_capture_on_commit_callbacks(execute=True):
            assert give_up_lost_jobs() == 1

        assert default_storage.listdir("exports")[1] == []

    def test_delivered_twice_gives_the_same_file(self, ann):
        batch = make_batch(ann)
        make_item(batch)
        export = export_of(ann, batch)
        first = content_of(export)
        Job.objects.update(state=JobState.QUEUED, token=None, lease_until=None, finished_at=None)

        run_job(export.job_id)

        export.refresh_from_db()
        assert content_of(export) == first
        assert Export.objects.count() == 1
        assert len(default_storage.listdir("exports")[1]) == 1


class TestStopping:
    def test_cancelled_in_the_middle_leaves_no_file(self, ann, monkeypatch):
        batch = make_batch(ann)
        for _ in range(3):
            make_item(batch)
        export = start_export(owner=ann, batch=batch, options=ExportOptions(), now=NOON)
        monkeypatch.setattr(_lots, "PAGE", 1)
        real = JobRun.beat

        def cancel_at_the_second(run, *, done=None, message=None):
            if done == 2:
                cancel_job(job=export.job)
            real(run, done=done, message=message)

        monkeypatch.setattr(JobRun, "beat", cancel_at_the_second)

        run_job(export.job_id)

        export.refresh_from_db()
        export.job.refresh_from_db()
        assert (export.job.state, export.job.done) == (JobState.CANCELLED, 1)
        assert not export.file
        with pytest.raises(NotWrittenYet):
            open_file(export=export)

    def test_a_deleted_batch_ends_the_job_in_words(self, ann):
        batch = make_batch(ann)
        export = start_export(owner=ann, batch=batch, options=ExportOptions(), now=NOON)
        batch.delete()

        run_job(export.job_id)

        job = Job.objects.get()
        assert (job.state, job.message) == (JobState.FAILED, "The batch was deleted.")


class TestDeleteExport:
    def test_takes_its_file_along(self, ann, django_capture_on_commit_callbacks):
        batch = make_batch(ann)
        make_item(batch)
        export = export_of(ann, batch)
        assert len(default_storage.listdir("exports")[1]) == 1

        with django_capture_on_commit_callbacks(execute=True):
            delete_written(export)

        assert not Export.objects.exists()
        assert default_storage.listdir("exports")[1] == []

    def test_stops_the_job_that_still_writes_it(self, ann):
        export = start_export(owner=ann, batch=make_batch(ann), options=ExportOptions(), now=NOON)

        delete_written(export)

        assert Job.objects.get().state == JobState.CANCELLED

import datetime as dt
from decimal import Decimal

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.accounts.models import Preferences
from apps.accounts.services.users import preferences_of
from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.services import _import_joining
from apps.batches.services.acts import undo_act
from apps.batches.services.batches import BatchIsArchived, archive_batch, restore_batch
from apps.batches.services.bsx_import import ImportOptions, start_import
from apps.batches.services.stowing import JOB_KINDS
from apps.batches.tests.bsx import bsx, item, upload
from apps.batches.tests.factories import NOON, make_batch, make_item, make_location, stow_all
from apps.catalog.models import ElementCode, Lot
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.errors import Invalid
from apps.core.jobs.dispatch import cancel_job, retry_job, start_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.run import progressed
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.exchange.bsx_reader import read_bsx
from apps.exchange.tests.test_any_file import xlsx
from apps.inventory.models import ChannelLot, InventorySync
from apps.inventory.selectors import bsx_lots_of
from apps.inventory.selectors.syncs import sync_rows
from apps.inventory.services import _sync_preview
from apps.inventory.services.bsx_sync import SyncOptions, start_apply, start_preview, start_undo
from apps.inventory.services.errors import (
    CurrencyDiffers,
    NothingToImport,
    RowsChangedSince,
    StockChangedSince,
    SyncNotReady,
)
from apps.inventory.tests.bsx_files import apply, cancelled_when, preview, sync_file, undo
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.lots.models import KeptAct

pytestmark = pytest.mark.django_db


@pytest.fixture
def red_brick():
    return make_lot(make_catalogue_item("3001", "Brick 2 x 4"), make_color(5))


def start(
    owner,
    content,
    *,
    called="",
    into=None,
    consolidate=False,
    shows_warnings=False,
    **reading,
):
    """Start an import; `reading` are options of how the file is read. Return it."""
    return start_import(
        owner=owner,
        file=upload(content),
        file_name="Summer lot.bsx",
        options=ImportOptions(
            name=called,
            into=into,
            consolidate=consolidate,
            shows_warnings=shows_warnings,
            reading=SyncOptions(
                **{"create_locations": False, "several_locations": "ignore", **reading}
            ),
        ),
        by=owner,
    )


def imported(owner, content, **options):
    """Return the job of an import after it ran."""
    job = start(owner, content, **options).job
    run_jobs()
    job.refresh_from_db()
    return job


def of_0_2_0(owner, content, **payload):
    """Return a job that 0.2.0 began, with its hidden batch."""
    batch = Batch.objects.create(owner=owner, name="Attic", is_ready=False)
    return Job.objects.create(
        owner=owner,
        kind="batches.import_bsx",
        payload={
            "batch_id": batch.pk,
            "into": None,
            "consolidate": False,
            "file": default_storage.save("batch_imports/20250101.bsx", ContentFile(content)),
            "file_name": "attic.bsx",
            "remarks_mean": "locations",
            "several_locations": "ignore",
            "split_quantities": False,
            "rate": "0.5",
            "repair": False,
            **payload,
        },
        checkpoint={"read": 500, "lots": 500},
        done=500,
    )


def import_of(job):
    return InventorySync.objects.get(job=job)


def files_kept():
    return default_storage.listdir("bsx_syncs")[1]


class TestAnyFile:
    @pytest.mark.parametrize(
        "content",
        [
            b"Teilenummer;Farbe;Menge;Preis;Zustand;Fach\n3001;5;10;0,15;N;A-01\n",
            b"<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR>"
            b"<QTY>10</QTY><PRICE>0.15</PRICE><CONDITION>N</CONDITION><REMARKS>A-01</REMARKS>"
            b"</ITEM></INVENTORY>",
            xlsx(
                ["Part", "Color", "Qty", "Price", "Bin", "Cond"], [3001, 5, 10, 0.15, "A-01", "N"]
            ),
        ],
        ids=["csv", "mass upload", "xlsx"],
    )
    def test_becomes_a_batch(self, ann, red_brick, content):
        job = imported(ann, content, create_locations=True)

        assert (job.state, job.result["lots"]) == ("succeeded", 1)
        (row,) = BatchItem.objects.all()
        assert (row.lot, row.quantity, row.price) == (red_brick, 10, Decimal("0.15"))
        assert (row.condition, row.location.name) == ("N", "A-01")
        assert files_kept() == []

    def test_of_changes_says_where_it_belongs(self, ann):
        job = imported(ann, b"<INVENTORY><ITEM><LOTID>1</LOTID><QTY>2</QTY></ITEM></INVENTORY>")

        assert job.state == "failed"
        assert "import it on the inventory page" in job.message
        assert not Batch.objects.exists()

    def test_whose_number_column_was_not_understood_waits_to_be_told(self, ann):
        content = "Wzór;Name;Color;Qty\n3001;Brick 2 x 4;Red;2\n".encode()
        job = imported(ann, content)
        assert not Batch.objects.exists()

        sync = import_of(job)
        columns = ["item_number", "item_name", "color", "quantity"]
        start_preview(sync=sync, options=SyncOptions(table={"columns": columns}), by=ann)
        run_jobs()
        apply(InventorySync.objects.get())

        assert BatchItem.objects.get().raw_item_number == "3001"

    def test_without_a_quantity_waits_to_be_told_which_column_it_is(self, ann, red_brick):
        job = imported(ann, b"Part,Color,Price\n3001,5,0.20\n")

        sync = import_of(job)
        assert (job.state, sync.state, "batch_id" in job.result) == (
            "succeeded",
            "previewed",
            False,
        )
        [row] = sync_rows(sync=sync, kind="unreadable", offset=0, limit=9).rows
        assert row["reason"] == "The file does not say how many there are."
        assert not Batch.objects.exists()

    @pytest.mark.parametrize(
        ("content", "missing"),
        [
            (b"Part,Color,Price\n3001,5,0.20\n", "no column holds the quantity"),
            (b"Color,Qty,Price\nRed,2,0.20\nBlack,3,0.10\n", "no column holds the item"),
            (bsx(item(qty=-1)), "each of them was refused"),
        ],
    )
    def test_without_an_item_to_make_is_not_applied(self, ann, red_brick, content, missing):
        sync = import_of(imported(ann, content))

        with pytest.raises(NothingToImport, match=missing):
            start_apply(sync=sync, confirm_zeroed=None, by=ann)

        assert not Batch.objects.exists()

    def test_whose_colour_numbers_the_catalogue_does_not_know_asks_whose_they_are(
        self, ann, red_brick
    ):
        make_color(86)
        job = imported(ann, b"Part,Color,Qty,Condition\n3001,5,4,U\n3001,86,2,U\n3001,86,7,N\n")

        told = {one["code"]: one["message"] for one in import_of(job).warnings}
        assert told["whose_numbers"] == (
            "The catalogue does not know 3001 in colour 86 and 1 more lots in theirs: were these "
            "LEGO's or Rebrickable's numbers?"
        )
        assert "BrickLink's" in told["color_numbers"]
        assert not Batch.objects.exists()

    def test_whose_colour_numbers_are_known_is_told_whose_they_were_taken_for(self, ann, red_brick):
        job = imported(ann, b"Part,Color,Qty,Condition\n3001,5,4,U\n")

        assert [one["code"] for one in import_of(job).warnings] == ["color_numbers"]
        assert BatchItem.objects.get().lot == red_brick

    def test_by_element_ids_has_the_numbers_of_their_items(self, ann, red_brick):
        ElementCode.objects.create(code="300121", lot=red_brick)
        number = red_brick.item.number

        imported(ann, f"Element ID,Qty\n300121,4\n{number},1\n".encode())

        rows = BatchItem.objects.order_by("pk").values_list("raw_item_number", "raw_color_id")
        assert list(rows) == [(number, red_brick.color_id), (number, None)]
        assert BatchItem.objects.order_by("pk")[0].lot == red_brick

    def test_is_read_as_the_inventory_page_corrected_its_like(self, ann):
        content = b"What,Which,Qty\nRed,??3001,4\n"
        preview(ann, content, table={"columns": ["item_name", "item_number", "quantity"]})

        assert imported(ann, content).result["lots"] == 1
        assert BatchItem.objects.get().raw_item_number == "??3001"

    def test_that_is_a_part_of_a_store_tells_nothing_of_the_store(self, ann, red_brick):
        imported(ann, b"Part,Color,Qty,LotID\n3001,5,4,77\n")

        assert BatchItem.objects.get().marketplace_lot_id == 77
        assert not ChannelLot.objects.exists()


class TestImport:
    def test_makes_an_item_of_each_lot(self, ann, red_brick):
        job = imported(ann, bsx(item(), item(qty=7, price="0.5", condition="U")))

        batch = Batch.objects.get()
        assert job.state == JobState.SUCCEEDED
        sync = import_of(job)
        assert (job.result["batch_id"], job.result["sync_id"]) == (batch.pk, sync.pk)
        assert (sync.currency, sync.counts["lots"], sync.counts["pieces"]) == ("EUR", 2, 10)
        assert sync.counts["value"] == "3.88"
        assert (batch.name, batch.is_ready, batch.owner) == ("Summer lot", True, ann)
        assert list(
            BatchItem.objects.order_by("pk").values_list("lot", "quantity", "price", "condition")
        ) == [
            (red_brick.pk, 3, Decimal("0.1250"), "N"),
            (red_brick.pk, 7, Decimal("0.5000"), "U"),
        ]
        assert (job.done, job.total) == (2, 2)
        assert files_kept() == []

    def test_joins_the_items_of_a_batch(self, ann, red_brick):
        batch = make_batch(ann, "Attic")
        there = make_item(batch, lot=red_brick)

        job = imported(ann, bsx(item(qty=7)), into=batch)

        assert (job.result["batch_id"], job.result["name"]) == (batch.pk, "Attic")
        assert list(Batch.objects.all()) == [batch]
        assert list(batch.items.order_by("pk").values_list("quantity", flat=True)) == [
            there.quantity,
            7,
        ]
        assert files_kept() == []

    def test_says_what_the_file_loses_by_joining_another_one(self, ann, red_brick):
        gui = '<GuiState Application="BrickStore" Version="2"><ColumnLayout>{}</ColumnLayout></GuiState>'
        imported(ann, bsx(item(), after=gui.format("a")))
        batch = Batch.objects.get()

        job = imported(ann, bsx(item(qty=7), after=gui.format("b")), into=batch)

        [told] = import_of(job).warnings
        assert told["code"] == "lost_in_joining"
        assert told["message"].startswith("GuiState of the file is not kept")

    def test_warns_that_a_tag_of_bins_no_longer_fits_its_lot(self, ann, red_brick):
        told = '{"remarks": "A-01", "bins": [{"bin": "A-01", "Qty": "2"}]}'
        content = bsx(item(qty=7, more=f"<BrickstowBins>{told}</BrickstowBins>"))

        job = imported(ann, content)

        [warning] = sync_rows(sync=import_of(job), kind="warnings", offset=0, limit=9).rows
        assert (warning["index"], warning["field"]) == (0, "BrickstowBins")
        assert warning["message"].startswith("The lot was changed since BrickstowBins was written")

    def test_leaves_equal_items_of_the_batch_apart(self, ann, red_brick):
        batch = make_batch(ann)
        make_item(batch, lot=red_brick, condition="N", quantity=5)

        job = imported(ann, bsx(item(qty=7)), into=batch)

        assert sorted(batch.items.values_list("quantity", flat=True)) == [5, 7]
        assert "consolidated" not in job.result

    def test_consolidates_with_equal_new_items_there_where_that_is_wanted(self, ann, red_brick):
        batch = make_batch(ann)
        blue = make_lot(red_brick.item, make_color(7))
        there = make_item(batch, lot=red_brick, condition="N", quantity=5, price=Decimal("0.1"))
        used = make_item(batch, lot=red_brick, condition="U", quantity=2)
        apart = [make_item(batch, lot=blue, condition="N", quantity=1) for _ in range(2)]

        job = imported(
            ann, bsx(item(qty=15, price="0.2"), item(qty=4, color=11)), into=batch, consolidate=True
        )

        rows = set(batch.items.values_list("quantity", "price", "condition"))
        assert (20, Decimal("0.1750"), "N") in rows
        assert batch.items.count() == 5  # the blue ones, equal before, were not meant
        assert {used.pk, *(item.pk for item in apart)} < set(
            batch.items.values_list("pk", flat=True)
        )
        assert job.result["consolidated"] == 1
        undo_act(act=KeptAct.objects.get(pk=job.result["act_id"]), by=ann, now=NOON)
        there.refresh_from_db()
        assert (there.quantity, batch.items.count()) == (5, 6)

    def test_consolidates_with_nothing_in_a_condition_that_was_not_understood(
        self, ann, api, red_brick
    ):
        batch = make_batch(ann)
        for condition, text in (("U", ""), ("N", ""), ("?", "B")):
            make_item(batch, lot=red_brick, condition=condition, condition_text=text, quantity=1)

        imported(ann, bsx(item(qty=10, condition="B")), into=batch, consolidate=True)

        rows = batch.items.order_by("pk").values_list("quantity", "condition", "condition_text")
        assert list(rows) == [(1, "U", ""), (1, "N", ""), (1, "?", "B"), (10, "?", "B")]
        api(ann).patch(f"/api/batchItems/{batch.items.last().pk}", {"condition": "U"})
        assert rows.last() == (10, "U", "")

    def test_consolidates_with_nothing_that_is_stowed_or_planned_elsewhere(self, ann, red_brick):
        batch = make_batch(ann)
        make_item(batch, lot=red_brick, condition="N", quantity=5)
        stow_all(batch, make_location(ann, "A-01"))
        make_item(
            batch, lot=red_brick, condition="N", quantity=6, location=make_location(ann, "B-01")
        )

        job = imported(ann, bsx(item(qty=7)), into=batch, consolidate=True)

        assert sorted(batch.items.values_list("quantity", flat=True)) == [5, 6, 7]
        assert "consolidated" not in job.result

    def test_joins_and_says_why_nothing_was_consolidated(self, ann, red_brick, monkeypatch):
        monkeypatch.setattr(_import_joining, "MOST", 1)
        batch = make_batch(ann)
        make_item(batch, lot=red_brick, condition="N", quantity=5)

        job = imported(ann, bsx(item(qty=7)), into=batch, consolidate=True)

        assert job.state == JobState.SUCCEEDED
        assert sorted(batch.items.values_list("quantity", flat=True)) == [5, 7]
        assert job.result["not_consolidated"] == "At most 1 items at once, not 2. Choose fewer."

    def test_consolidates_with_no_batch_that_was_not_named(self, ann, api):
        answer = api(ann).post(
            "/api/batches/importBsx",
            {"file": upload(bsx(item())), "consolidate": True},
            format="multipart",
        )

        assert answer.status_code == 400
        assert not Job.objects.exists()

    def test_joins_no_batch_that_is_archived(self, ann, red_brick):
        batch = make_batch(ann, "Attic")
        archive_batch(batch=batch, now=NOON)

        with pytest.raises(BatchIsArchived):
            start(ann, bsx(item()), into=batch)

        assert not Job.objects.exists()
        assert not default_storage.exists("bsx_syncs")

    @pytest.mark.parametrize(
        ("meanwhile", "reason"),
        [
            (lambda batch: archive_batch(batch=batch, now=NOON), "“Attic” is archived"),
            (lambda batch: batch.delete(), "The batch was deleted meanwhile."),
        ],
    )
    def test_leaves_nothing_where_the_batch_is_closed_meanwhile(
        self, ann, red_brick, meanwhile, reason
    ):
        batch = make_batch(ann, "Attic")
        job = start(ann, bsx(item()), into=batch).job
        meanwhile(batch)

        run_jobs()

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert reason in job.message
        assert not BatchItem.objects.exists()
        assert not Batch.objects.filter(is_ready=False).exists()

    def test_joins_no_batch_of_somebody_else(self, ann, bo, api, red_brick):
        batch = make_batch(bo)

        answer = api(ann).post(
            "/api/batches/importBsx",
            {"file": upload(bsx(item())), "into": batch.pk},
            format="multipart",
        )

        assert answer.status_code == 404
        assert not Job.objects.exists()

    def test_appears_only_when_it_is_whole(self, ann, api, red_brick, monkeypatch):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        seen = set()

        def look(run):
            rows = api(ann).get("/api/batches").json()["data"]
            items = api(ann).get("/api/batchItems").json()["data"]
            seen.add((BatchItem.objects.count(), len(rows), len(items)))
            return False

        with cancelled_when(look):
            imported(ann, bsx(item(), item(), item()))

        assert {(1, 0, 0), (2, 0, 0), (3, 0, 0)} < seen
        assert len(api(ann).get("/api/batches").json()["data"]) == 1
        assert len(api(ann).get("/api/batchItems").json()["data"]) == 3

    def test_into_a_batch_appears_there_only_when_it_is_whole(
        self, ann, api, red_brick, monkeypatch
    ):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        batch = make_batch(ann)
        make_item(batch, lot=red_brick, quantity=5)
        seen = set()

        def look(run):
            [row] = api(ann).get("/api/batches").json()["data"]
            items = api(ann).get("/api/batchItems").json()["data"]
            seen.add((BatchItem.objects.count(), row["batch_item_item_count"], len(items)))
            return False

        with cancelled_when(look):
            imported(ann, bsx(item(), item(), item()), into=batch)

        assert seen == {(1, 5, 1), (2, 5, 1), (3, 5, 1), (4, 5, 1), (4, 14, 4)}

    def test_keeps_what_the_catalogue_does_not_know(self, ann):
        job = imported(ann, bsx(item("x999", color=4321)))

        kept = BatchItem.objects.get()
        assert (kept.lot_id, kept.raw_item_number, kept.raw_color_id) == (None, "x999", 4321)
        assert import_of(job).counts["unknown"] == 1

    def test_names_a_known_colour_whose_name_the_file_leaves_out(self, ann, red_brick):
        imported(ann, bsx(item("x999").replace("<ColorName>Red</ColorName>", "")))

        kept = BatchItem.objects.get()
        assert (kept.lot_id, kept.raw_color_id, kept.raw_color_name) == (None, 5, "Red")

    def test_makes_the_lot_of_a_pair_nobody_has_seen(self, ann, red_brick):
        make_color(11)

        imported(ann, bsx(item(color=11)))

        lot = Lot.objects.get(color_id=11)
        assert (lot.item_id, lot.is_known) == (red_brick.item_id, False)
        assert BatchItem.objects.get().lot_id == lot.pk

    def test_says_which_lots_it_refused(self, ann, red_brick):
        job = imported(ann, bsx(item(qty=-2), item(), item(price="cheap")))

        assert job.state == JobState.SUCCEEDED
        assert [one["context"].split(",")[0] for one in job.failed] == ["lot 1", "lot 3"]
        assert job.failed_count == 2
        assert job.failed[0]["error"] == "Qty is -2; expected 0 or more."
        assert "cheap" in job.failed[1]["error"]
        assert BatchItem.objects.count() == 1

    def test_tells_what_was_odd(self, ann, red_brick):
        job = imported(ann, bsx(item(more="<Sale>none</Sale>")))

        assert import_of(job).counts["warnings"] == 1
        assert BatchItem.objects.count() == 1

    def test_carries_every_field_and_foreign_tags(self, ann, red_brick):
        more = (
            "<SubCondition>C</SubCondition><Bulk>2</Bulk><Sale>10</Sale><Cost>0.05</Cost>"
            "<Comments>public</Comments><Remarks>B-07</Remarks><Reserved>bob</Reserved>"
            "<LotID>77</LotID><TQ1>5</TQ1><TP1>0.1</TP1><Retain/><Stockroom>B</Stockroom>"
            "<TotalWeight>6.9</TotalWeight><MarkerText>m</MarkerText>"
            "<MarkerColor>#FF0000</MarkerColor><DateAdded>2022-05-20T18:41:31Z</DateAdded>"
            '<OwlID>1-2</OwlID><DifferenceBaseValues Qty="9"/>'
        )
        content = bsx(item(more=more))

        imported(ann, content)

        [given] = read_bsx(upload(content))
        [(_, kept)] = bsx_lots_of(BatchItem.objects.all())
        assert kept == given

    def test_remembers_what_stands_beside_the_lots(self, ann):
        imported(ann, bsx(item(), after="<Order><OrderID>5</OrderID></Order>"))

        header = Batch.objects.get().bsx_header
        assert (header["file_name"], header["currency"]) == ("Summer lot.bsx", "EUR")
        assert len(header["extra_blocks"]) == 1

    def test_takes_the_name_that_was_typed(self, ann):
        imported(ann, bsx(item()), called="  Evening ")

        assert Batch.objects.get().name == "Evening"


class TestRemarks:
    content = bsx(
        item(more="<Remarks>A-01</Remarks>"),
        item(more="<Remarks> B-01 </Remarks>"),
        item(more="<Remarks>two\nlines</Remarks>"),
        item(),
    )

    def planned(self):
        return list(BatchItem.objects.order_by("pk").values_list("location__name", flat=True))

    def test_name_the_locations_that_are_there(self, ann):
        make_location(ann, "A-01")

        imported(ann, self.content)

        assert self.planned() == ["A-01", None, None, None]
        assert Location.objects.count() == 1

    def test_make_the_missing_locations_when_asked(self, ann, bo):
        make_location(ann, "A-01")
        make_location(bo, "B-01")

        job = imported(ann, self.content, create_locations=True)

        assert self.planned() == ["A-01", "B-01", None, None]
        assert import_of(job).new_locations == ["B-01"]
        assert Location.objects.filter(owner=ann).count() == 2

    def test_mean_nothing_when_so_asked(self, ann):
        make_location(ann, "A-01")

        imported(ann, self.content, reads_remarks=False)

        assert self.planned() == [None, None, None, None]


class TestSeveralLocations:
    content = bsx(
        item(qty=20, more="<Remarks>B-07:12;C-01:8</Remarks>"),
        item(qty=4, more="<Remarks>B-07 / C-01</Remarks>"),
        item(qty=1, more="<Remarks>D-02</Remarks>"),
    )

    def rows(self):
        rows = BatchItem.objects.order_by("pk")
        return list(rows.values_list("location__name", "quantity", "remarks"))

    def test_are_ignored_and_none_is_made(self, ann):
        imported(ann, self.content, create_locations=True, several_locations="ignore")

        assert self.rows() == [
            (None, 20, "B-07:12;C-01:8"),
            (None, 4, "B-07 / C-01"),
            ("D-02", 1, "D-02"),
        ]
        assert Location.objects.count() == 1

    def test_are_asked_about_before_anything_is_made(self, ann):
        job = imported(ann, self.content, create_locations=True, several_locations="")

        sync = import_of(job)
        [told] = sync.warnings
        assert (sync.state, "batch_id" in job.result) == ("previewed", False)
        assert (told["lots"], told["divisible"]) == (2, 1)
        assert not Batch.objects.exists()
        assert not Location.objects.exists()

        start_preview(
            sync=sync,
            options=SyncOptions(several_locations="first", split_quantities=True),
            by=ann,
        )
        run_jobs()
        assert not Batch.objects.exists()  # a person looks at what the answer comes to
        apply(InventorySync.objects.get())
        assert [place for place, *_ in self.rows()] == ["B-07", "C-01", "B-07", "D-02"]

    def test_are_not_asked_about_where_there_are_none(self, ann):
        content = bsx(item(more="<Remarks>D-02</Remarks>"))

        imported(ann, content, create_locations=True, several_locations="")

        assert self.rows() == [("D-02", 3, "D-02")]

    def test_are_not_asked_about_where_remarks_are_only_remarks(self, ann):
        imported(ann, self.content, reads_remarks=False, several_locations="")

        assert [place for place, *_ in self.rows()] == [None, None, None]

    def test_lie_in_the_first(self, ann):
        imported(ann, self.content, create_locations=True, several_locations="first")

        assert self.rows()[:2] == [("B-07", 20, "B-07:12;C-01:8"), ("B-07", 4, "B-07 / C-01")]
        assert not Location.objects.filter(name="C-01").exists()

    def test_are_one_name(self, ann):
        imported(ann, self.content, create_locations=True, several_locations="whole")

        assert [place for place, *_ in self.rows()] == ["B-07:12;C-01:8", "B-07 / C-01", "D-02"]

    def test_split_a_lot_that_says_how_many_lie_where(self, ann):
        job = imported(
            ann,
            self.content,
            create_locations=True,
            several_locations="first",
            split_quantities=True,
        )

        assert self.rows() == [
            ("B-07", 12, "B-07"),
            ("C-01", 8, "C-01"),
            ("B-07", 4, "B-07 / C-01"),
            ("D-02", 1, "D-02"),
        ]
        assert import_of(job).counts["pieces"] == 25


class TestCurrency:
    def test_of_an_account_without_amounts_becomes_the_files(self, ann):
        imported(ann, bsx(item(), currency="USD"))

        assert preferences_of(user=ann).currency == "USD"
        assert BatchItem.objects.get().price == Decimal("0.1250")

    @pytest.mark.parametrize("currency", ["USD", ""], ids=["named", "none means USD"])
    def test_another_one_is_asked_about(self, ann, currency):
        make_stock(ann)
        job = imported(ann, bsx(item(), currency=currency))

        sync = import_of(job)
        told = sync.warnings[-1]
        assert (told["file_currency"], told["store_currency"]) == ("USD", "EUR")
        assert preferences_of(user=ann).currency == "EUR"
        assert not Batch.objects.exists()
        with pytest.raises(CurrencyDiffers):
            apply(sync)

    def test_relabelled_amounts_stay(self, ann):
        make_stock(ann)
        imported(ann, bsx(item(), currency="USD"), currency_action="relabel")

        assert BatchItem.objects.get().price == Decimal("0.1250")

    def test_converted_amounts_are_multiplied(self, ann):
        make_stock(ann)
        imported(
            ann,
            bsx(item(more="<Cost>0.05</Cost>"), currency="USD"),
            currency_action="convert",
            rate="0.9",
        )

        kept = BatchItem.objects.get()
        assert (kept.price, kept.cost) == (Decimal("0.1125"), Decimal("0.0450"))


class TestRefusedFiles:
    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"PK\x03\x04 a zip",
            b"<!DOCTYPE html><html><body>Not found</body></html>",
            b"<Wrong><Inventory/></Wrong>",
            b'<?xml version="1.0"?><!DOCTYPE BrickStoreXML [<!ENTITY a "b">]>'
            b"<BrickStoreXML><Inventory/></BrickStoreXML>",
        ],
    )
    def test_at_once_where_the_head_tells(self, ann, content):
        with pytest.raises(Invalid) as refused:
            start(ann, content)

        assert list(refused.value.fields) == ["file"]
        assert not Batch.objects.exists()
        assert not Job.objects.exists()

    def test_later_where_only_the_end_tells_and_nothing_stays(self, ann, monkeypatch):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        content = bsx(item(), item())[:-60]

        job = imported(ann, content)

        assert job.state == JobState.FAILED
        assert job.message
        assert not Batch.objects.exists()
        assert not BatchItem.objects.exists()

    def test_repaired_when_asked(self, ann):
        job = imported(ann, bsx(item(), item())[:-60], repair=True)

        assert (job.state, job.result["lots"]) == (JobState.SUCCEEDED, 1)


class TestStopping:
    def test_cancelled_leaves_no_batch_and_can_be_tried_again(self, ann, monkeypatch):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        content = bsx(*(item(more=f"<Remarks>A-0{n}</Remarks>") for n in range(1, 4)))
        job = start(ann, content, create_locations=True).job

        with cancelled_when(lambda run: BatchItem.objects.count() == 2):
            run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
        assert import_of(job).state == "cancelled"
        assert not Batch.objects.exists()
        assert not BatchItem.objects.exists()
        assert not Location.objects.exists()

        retry_job(job=job)
        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.SUCCEEDED
        assert BatchItem.objects.count() == 3

    @pytest.mark.parametrize(
        "content",
        [
            bsx(*(item(qty=n, price="bad" if n == 3 else "1") for n in range(1, 8))),
            b"Part;Color;Qty;Price\n"
            + b"".join(b"3001;5;%d;%s\n" % (n, b"bad" if n == 3 else b"1") for n in range(1, 8)),
        ],
        ids=["bsx", "csv"],
    )
    def test_killed_in_the_middle_goes_on_and_counts_are_exact(self, ann, monkeypatch, content):
        monkeypatch.setattr(_sync_preview, "CHUNK", 2)
        job = start(ann, content).job

        def die(*, run, **_):
            if BatchItem.objects.count() == 3:
                raise SystemExit

        progressed.connect(die)
        try:
            with pytest.raises(SystemExit):
                run_job(job.pk)
        finally:
            progressed.disconnect(die)
        assert BatchItem.objects.count() == 3
        Job.objects.update(lease_until=NOON - dt.timedelta(days=365))

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.failed_count) == (JobState.SUCCEEDED, 1)
        assert (job.result["lots"], import_of(job).counts["pieces"]) == (6, 25)
        assert sorted(BatchItem.objects.values_list("quantity", flat=True)) == [1, 2, 4, 5, 6, 7]

    def test_cancelled_leaves_the_batch_that_it_was_to_join(self, ann, red_brick, monkeypatch):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        batch = make_batch(ann)
        there = make_item(batch, lot=red_brick, condition="N", quantity=5)
        job = start(ann, bsx(item(), item(qty=7)), into=batch, consolidate=True).job

        with cancelled_when(lambda run: BatchItem.objects.count() == 3):
            run_job(job.pk)

        assert list(BatchItem.objects.values_list("pk", "quantity")) == [(there.pk, 5)]
        assert list(Batch.objects.all()) == [batch]

    def test_killed_before_it_joins_a_batch_goes_on(self, ann, red_brick, monkeypatch):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        batch = make_batch(ann)
        there = make_item(batch, lot=red_brick, condition="N", quantity=5)
        job = start(ann, bsx(item(qty=6), item("3003", qty=7)), into=batch, consolidate=True).job

        def die(run):
            if BatchItem.objects.count() == 3 and run.job.attempts == 1:
                raise SystemExit

        with pytest.raises(SystemExit), cancelled_when(die):
            run_job(job.pk)
        Job.objects.update(lease_until=NOON - dt.timedelta(days=365))
        run_job(job.pk)

        assert sorted(batch.items.values_list("quantity", flat=True)) == [7, 11]
        undo(import_of(job))  # which asks nothing: nobody changed what the import merged
        assert list(BatchItem.objects.values_list("pk", "quantity")) == [(there.pk, 5)]

    def test_cancelled_before_it_is_applied_is_cancelled(self, ann, red_brick):
        sync = import_of(imported(ann, bsx(item(more="<Sale>none</Sale>")), shows_warnings=True))
        cancel_job(job=start_apply(sync=sync, confirm_zeroed=None, by=ann).job)

        sync.refresh_from_db()
        assert (sync.state, sync.problem) == ("cancelled", "")
        assert sync.file

    def test_cancelled_at_its_end_forgets_what_the_store_has(self, ann, red_brick):
        job = start(ann, bsx(item(more="<LotID>77</LotID>"))).job

        with cancelled_when(lambda run: ChannelLot.objects.exists()):
            run_job(job.pk)

        assert import_of(job).state == "cancelled"
        assert not ChannelLot.objects.exists()

    def test_of_a_former_attempt_leaves_the_present_one_alone(self, ann, red_brick, monkeypatch):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        job = start(ann, bsx(item(), item()), shows_warnings=True).job
        cancel_job(job=job)
        sync = start_preview(sync=import_of(job), options=SyncOptions(), by=ann)
        run_job(sync.job_id)
        sync.refresh_from_db()
        applying = start_apply(sync=sync, confirm_zeroed=None, by=ann).job

        def retry(run):
            if run.job.pk == applying.pk and BatchItem.objects.count() == 1:
                job.refresh_from_db()
                retry_job(job=job)
                run_job(job.pk)
            return False

        with cancelled_when(retry):
            run_job(applying.pk)

        assert Job.objects.get(pk=job.pk).state == JobState.FAILED
        assert Batch.objects.get().items.count() == 2

    def test_delivered_twice_imports_once(self, ann):
        job = imported(ann, bsx(item(), item()))
        Job.objects.update(state=JobState.QUEUED, token=None, lease_until=None, finished_at=None)

        run_job(job.pk)

        assert (Batch.objects.count(), BatchItem.objects.count()) == (1, 2)

    def test_a_file_that_was_given_up_is_deleted_at_the_next_import(self, ann):
        given_up = import_of(imported(ann, bsx(item(), item())[:-60]))
        assert len(files_kept()) == 1
        assert given_up.counts["can_repair"]

        imported(ann, bsx(item()), called="Next")

        assert list(Batch.objects.values_list("name", flat=True)) == ["Next"]
        assert files_kept() == []
        given_up.refresh_from_db()
        assert not given_up.counts["can_repair"]
        with pytest.raises(SyncNotReady):
            start_preview(sync=given_up, options=SyncOptions(repair=True), by=ann)

    @pytest.mark.parametrize("means", ["nothing", "existing_locations", "locations"])
    def test_a_job_of_0_2_0_goes_on_from_the_beginning(self, ann, red_brick, means):
        content = bsx(item(more="<Remarks>A-01</Remarks>"), item(qty=7), currency="USD")
        job = of_0_2_0(ann, content, remarks_mean=means)
        make_item(Batch.objects.get(), lot=red_brick, quantity=99)
        file = job.payload["file"]

        run_job(job.pk)

        job.refresh_from_db()
        made = Batch.objects.get()
        assert (job.state, job.result["batch_id"]) == (JobState.SUCCEEDED, made.pk)
        rows = made.items.order_by("pk").values_list("quantity", "price", "location__name")
        place = "A-01" if means == "locations" else None
        assert list(rows) == [(3, Decimal("0.0625"), place), (7, Decimal("0.0625"), None)]
        assert (made.name, default_storage.exists(file)) == ("Attic", False)

    @pytest.mark.parametrize(
        ("answer", "place"), [("first", "B-07"), ("ignore", None), ("ask", None)]
    )
    def test_a_job_of_0_2_0_was_told_what_several_locations_mean(
        self, ann, red_brick, answer, place
    ):
        content = bsx(item(more="<Remarks>B-07;C-01</Remarks>"), currency="USD")
        job = of_0_2_0(ann, content, several_locations=answer)

        run_job(job.pk)

        assert BatchItem.objects.get().location == (place and Location.objects.get(name=place))


class TestPreview:
    def test_waits_where_a_value_was_read_otherwise_if_that_is_to_be_shown(self, ann, red_brick):
        content = bsx(item(more="<Sale>none</Sale>"))

        job = imported(ann, content, shows_warnings=True)

        sync = import_of(job)
        assert (sync.state, sync.counts["warnings"], "batch_id" in job.result) == (
            "previewed",
            1,
            False,
        )
        assert not Batch.objects.exists()
        apply(sync)
        assert BatchItem.objects.get().quantity == 3

    def test_does_not_wait_where_nothing_is_odd(self, ann, red_brick):
        imported(ann, bsx(item()), shows_warnings=True)

        assert BatchItem.objects.count() == 1

    def test_tells_what_joins_items_that_are_there(self, ann, red_brick):
        batch = make_batch(ann)
        make_item(batch, lot=red_brick, condition="N", quantity=5)
        content = bsx(item(qty=15), item(condition="U", more="<Sale>none</Sale>"))

        job = imported(ann, content, into=batch, consolidate=True, shows_warnings=True)

        counts = import_of(job).counts
        assert (counts["created"], counts["joined"]) == (2, 1)
        assert batch.items.count() == 1

    def test_is_made_anew_where_the_account_has_another_currency_since(self, ann, red_brick):
        make_stock(ann)
        content = bsx(item(more="<Sale>none</Sale>"))
        imported(ann, content, shows_warnings=True, currency_action="relabel")
        Preferences.objects.filter(user=ann).update(currency="USD")

        with pytest.raises(StockChangedSince):
            apply(InventorySync.objects.get())

        assert not Batch.objects.exists()

    def test_of_an_account_without_amounts_takes_the_currency_of_its_file(self, ann, red_brick):
        job = imported(
            ann, bsx(item(more="<Sale>none</Sale>"), currency="USD"), shows_warnings=True
        )

        apply(import_of(job))

        assert preferences_of(user=ann).currency == "USD"

    def test_does_not_hold_up_an_import_into_the_stock(self, ann, red_brick):
        start(ann, bsx(item()))

        preview(ann, bsx(item()))

        assert set(InventorySync.objects.values_list("target", "state")) == {
            ("batch", "applied"),
            ("stock", "previewed"),
        }


class TestUndo:
    def test_takes_the_batch_away(self, ann, red_brick):
        content = bsx(item(more="<Remarks>A-01</Remarks><LotID>77</LotID>"), item("3003"))
        job = imported(ann, content, create_locations=True)
        assert ChannelLot.objects.exists()

        sync = undo(import_of(job))

        assert sync.state == "undone"
        assert not Batch.objects.exists()
        assert not BatchItem.objects.exists()
        assert not Location.objects.exists()
        assert not ChannelLot.objects.exists()

    def test_leaves_the_items_that_were_there(self, ann, red_brick):
        batch = make_batch(ann)
        there = make_item(batch, lot=red_brick, condition="N", quantity=5, price=Decimal("0.125"))
        job = imported(ann, bsx(item(qty=15), item("3003")), into=batch, consolidate=True)
        assert batch.items.count() == 2

        undo(import_of(job))

        assert list(batch.items.values_list("pk", "quantity")) == [(there.pk, 5)]

    def test_asks_about_items_that_changed_since(self, ann, red_brick):
        job = imported(ann, bsx(item(), item(qty=7)))
        sync, edited = import_of(job), BatchItem.objects.get(quantity=7)
        BatchItem.objects.filter(pk=edited.pk).update(quantity=8, updated_at=NOON)

        with pytest.raises(RowsChangedSince) as refused:
            undo(sync)
        assert [row["id"] for row in refused.value.data] == [edited.pk]

        undo(sync, rows_changed_since="mine")
        assert list(BatchItem.objects.values_list("quantity", flat=True)) == [8]
        assert Batch.objects.count() == 1

    @pytest.mark.parametrize("choice", ["mine", "theirs"])
    @pytest.mark.parametrize("there", [5, 50], ids=["into the new item", "into the item there"])
    def test_leaves_merged_items_as_they_are_where_one_changed_since(
        self, ann, red_brick, there, choice
    ):
        batch = make_batch(ann)
        make_item(batch, lot=red_brick, condition="N", quantity=there, price=Decimal("0.125"))
        content = bsx(item(qty=15), item("3003"))
        sync = import_of(imported(ann, content, into=batch, consolidate=True))
        merged = batch.items.get(quantity=there + 15)
        BatchItem.objects.filter(pk=merged.pk).update(quantity=99, updated_at=NOON)

        sync = undo(sync, rows_changed_since=choice)

        assert sync.state == "undone"
        assert list(batch.items.values_list("pk", "quantity")) == [(merged.pk, 99)]
        assert sync.job.result["kept"] == 1

    def test_is_refused_while_its_batch_is_archived(self, ann, red_brick):
        sync = import_of(imported(ann, bsx(item())))
        archive_batch(batch=Batch.objects.get(), now=NOON)

        with pytest.raises(SyncNotReady):
            start_undo(sync=sync, by=ann)

        assert BatchItem.objects.count() == 1

    def test_leaves_a_batch_that_was_archived_meanwhile(self, ann, red_brick):
        sync = import_of(imported(ann, bsx(item())))
        start_undo(sync=sync, by=ann)
        archive_batch(batch=Batch.objects.get(), now=NOON)
        run_jobs()

        sync.refresh_from_db()
        assert sync.state == "applied"
        assert Batch.objects.get().items.count() == 1

    def test_leaves_an_empty_batch_that_another_job_works_on(self, ann, red_brick):
        sync = import_of(imported(ann, bsx(item())))
        start_undo(sync=sync, by=ann)
        busy = start_job(
            owner=ann,
            kind=JOB_KINDS[OperationKind.STOW],
            payload={},
            about={"batch": [Batch.objects.get().pk]},
        )
        run_job(Job.objects.exclude(pk=busy.pk).get(kind="batches.undo_import").pk)

        sync.refresh_from_db()
        assert sync.state == "undone"
        assert Batch.objects.count() == 1

    def test_keeps_what_the_store_has_of_lots_that_are_still_here(self, ann, red_brick):
        lots = (item(qty=n, more=f"<LotID>{70 + n}</LotID>") for n in (1, 2, 3))
        sync = import_of(imported(ann, bsx(*lots)))
        make_stock(ann, red_brick, marketplace_lot_id=71)
        BatchItem.objects.filter(quantity=2).update(comments="mine", updated_at=NOON)

        undo(sync, rows_changed_since="mine")

        told = ChannelLot.objects.values_list("marketplace_lot_id", flat=True)
        assert sorted(told) == [71, 72]

    def test_keeps_a_location_where_other_items_are_planned(self, ann, red_brick):
        content = bsx(item(more="<Remarks>A-01</Remarks>"))
        first = import_of(imported(ann, content, create_locations=True))
        imported(ann, content, create_locations=True)

        undo(first)

        assert BatchItem.objects.get().location.name == "A-01"

    def test_of_the_stock_keeps_a_location_where_items_are_planned(self, ann, red_brick):
        sync = sync_file(ann, bsx(item(more="<Remarks>A-01</Remarks>")))
        make_item(make_batch(ann), lot=red_brick, location=Location.objects.get())

        undo(sync)

        assert BatchItem.objects.get().location.name == "A-01"

    def test_that_was_cancelled_leaves_the_import_as_it_was(self, ann, red_brick):
        sync = import_of(imported(ann, bsx(item(), item(qty=7))))
        job = start_undo(sync=sync, by=ann).job
        cancel_job(job=job)

        sync.refresh_from_db()
        assert (sync.state, sync.problem) == ("applied", "")
        with pytest.raises(SyncNotReady):
            apply(sync)
        assert undo(sync).state == "undone"
        assert not BatchItem.objects.exists()

    def test_that_was_refused_says_why_and_can_be_tried_again(self, ann, red_brick):
        batch = make_batch(ann, "Attic")
        make_item(batch, lot=red_brick, condition="N", quantity=5, price=Decimal("0.125"))
        sync = import_of(imported(ann, bsx(item(qty=15)), into=batch, consolidate=True))
        start_undo(sync=sync, by=ann)
        archive_batch(batch=batch, now=NOON)
        run_jobs()

        sync.refresh_from_db()
        assert (sync.state, sync.problem) == (
            "applied",
            "The batch “Attic” is archived. Restore it to change it.",
        )
        restore_batch(batch=batch, now=NOON)
        retry_job(job=sync.job)
        run_jobs()
        sync.refresh_from_db()
        assert (sync.state, sync.problem) == ("undone", "")

    def test_that_stopped_half_way_goes_on_but_is_not_applied_again(
        self, ann, red_brick, monkeypatch
    ):
        monkeypatch.setattr(_sync_preview, "CHUNK", 1)
        sync = import_of(imported(ann, bsx(item(), item(qty=7))))
        with cancelled_when(lambda run: BatchItem.objects.count() == 1):
            undo(sync)

        sync.refresh_from_db()
        assert sync.state == "cancelled"
        with pytest.raises(SyncNotReady):
            apply(sync)
        assert undo(sync).state == "undone"
        assert not BatchItem.objects.exists()

    @pytest.mark.parametrize("choice", ["mine", "theirs"])
    def test_keeps_stowed_items_whose_pieces_are_in_the_stock(self, ann, red_brick, choice):
        job = imported(ann, bsx(item()))
        batch = Batch.objects.get()
        stow_all(batch, make_location(ann, "A-01"))

        undo(import_of(job), rows_changed_since=choice)

        assert [row.is_stowed for row in batch.items.all()] == [True]


class TestApi:
    URL = "/api/batches/importBsx"

    def post(self, client, content, **fields):
        return client.post(self.URL, {"file": upload(content), **fields}, format="multipart")

    def test_answers_with_the_job(self, ann, api, red_brick):
        response = self.post(api(ann), bsx(item()), name="Evening")

        assert response.status_code == 202
        assert response.json()["data"][0]["kind"] == "batches.import_bsx"
        run_jobs()
        [row] = api(ann).get("/api/batches").json()["data"]
        assert (row["name"], row["batch_item_item_count"]) == ("Evening", 3)

    def test_asks_at_the_preview_and_is_applied_with_the_answer(self, ann, api):
        make_stock(ann)
        client = api(ann)
        content = bsx(item(more="<Remarks>B-07;C-01</Remarks>"), currency="USD")

        self.post(
            client, content, remarks_mean="locations", several_locations="ask", name="Evening"
        )
        run_jobs()

        [sync] = client.get("/api/inventorySyncs?target=batch").json()["data"]
        assert (sync["target"], sync["batch_id"], sync["state"]) == ("batch", None, "previewed")
        assert [one["code"] for one in sync["warnings"]] == [
            "currency_differs",
            "several_locations",
        ]
        url = f"/api/inventorySyncs/{sync['id']}"
        assert client.post(f"{url}/apply", {}, format="json").status_code == 409
        answers = {"currency_action": "convert", "rate": "0.8", "several_locations": "first"}
        client.post(f"{url}/preview", answers, format="json")
        run_jobs()
        assert client.post(f"{url}/apply", {}, format="json").status_code == 202
        run_jobs()

        made = BatchItem.objects.get()
        assert (made.location.name, made.price, made.batch.name) == (
            "B-07",
            Decimal("0.1000"),
            "Evening",
        )
        [sync] = client.get("/api/inventorySyncs").json()["data"]
        assert (sync["state"], sync["batch_id"]) == ("applied", made.batch_id)

    def test_previews_again_as_before_but_for_what_is_sent(self, ann, api):
        content = bsx(item(more="<Remarks>B-07;C-01</Remarks><Sale>none</Sale>"))
        sync = import_of(
            imported(
                ann,
                content,
                several_locations="first",
                split_quantities=True,
                shows_warnings=True,
                reads_remarks=False,
                bins={"B-07": False},
                covers="part",
            )
        )
        before = sync.options

        answer = api(ann).post(
            f"/api/inventorySyncs/{sync.pk}/preview", {"repair": True}, format="json"
        )

        assert answer.status_code == 202
        sync.refresh_from_db()
        assert sync.options == {**before, "repair": True}

    def test_previewed_again_keeps_a_question_that_was_not_answered(self, ann, api):
        content = bsx(item(more="<Remarks>B-07;C-01</Remarks>"))
        sync = import_of(imported(ann, content, several_locations="", create_locations=True))

        api(ann).post(f"/api/inventorySyncs/{sync.pk}/preview", {"repair": True}, format="json")

        sync.refresh_from_db()
        assert not sync.options["is_several_decided"]

    def test_takes_a_rate_that_is_no_number_back_to_its_field(self, ann, api):
        response = self.post(api(ann), bsx(item()), currency_action="convert")

        assert "rate" in response.json()["meta"]["error"]["fields"]

    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"several_locations": "both"}, "several_locations"),
            ({"remarks_mean": "bins"}, "remarks_mean"),
            ({"currency_action": "guess"}, "currency_action"),
            ({"rate": "-1"}, "rate"),
            ({"name": "x" * 201}, "name"),
        ],
    )
    def test_bad_input_names_the_field(self, ann, api, fields, field):
        response = self.post(api(ann), bsx(item()), **fields)

        assert response.status_code == 400
        assert field in response.json()["meta"]["error"]["fields"]

    def test_refuses_what_is_no_bsx_file(self, ann, api):
        response = self.post(api(ann), b"PK\x03\x04")

        assert response.status_code == 400
        assert "file" in response.json()["meta"]["error"]["fields"]

    def test_wants_a_file(self, ann, api):
        response = api(ann).post(self.URL, {}, format="multipart")

        assert "file" in response.json()["meta"]["error"]["fields"]

    def test_refuses_what_is_too_large(self, ann, api, settings):
        settings.MAX_UPLOAD_BYTES = 100

        assert self.post(api(ann), bsx(item())).status_code in {400, 413}
        assert not Job.objects.exists()

    def test_the_same_upload_twice_makes_one_batch(self, ann, api):
        for _ in range(2):
            response = api(ann).post(
                self.URL,
                {"file": upload(bsx(item()))},
                format="multipart",
                headers={"Idempotency-Key": "k"},
            )
            assert response.status_code == 202
        run_jobs()

        assert Batch.objects.count() == 1


class TestRealFiles:
    @pytest.mark.parametrize(
        ("path", "lots"),
        [
            ("bsx/brickstock-2017-31-lots.bsx", 31),
            ("bsx/brickstock-2018-hand-edited-7-lots.bsx", 7),
            ("bsx/brickstore-2026-base-values-29-lots.bsx", 29),
            ("bsx/store-2022-eur-2524-lots.bsx", 2_524),
        ],
    )
    def test_come_back_lot_by_lot(self, ann, shared_data, path, lots):
        content = shared_data(path).read_bytes()

        job = imported(ann, content, currency_action="relabel")

        given = list(read_bsx(upload(content)))
        kept = [lot for _, lot in bsx_lots_of(BatchItem.objects.all())]
        assert job.result["lots"] == len(given) == lots
        assert kept == given

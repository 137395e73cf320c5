import datetime as dt
from decimal import Decimal

import pytest
from django.core.files.storage import default_storage

from apps.accounts.services.users import preferences_of
from apps.batches.models import Batch, BatchAct, BatchItem
from apps.batches.services import _bsx_filling, _bsx_joining
from apps.batches.services.acts import undo_act
from apps.batches.services.batches import BatchIsArchived, archive_batch
from apps.batches.services.bsx_import import (
    LOST_IN_JOINING,
    CurrencyAction,
    CurrencyDiffers,
    ImportOptions,
    RemarksMean,
    RemarksOptions,
    SeveralInRemarks,
    start_import,
    summarise_file,
)
from apps.batches.tests.bsx import bsx, item, upload
from apps.batches.tests.factories import NOON, make_batch, make_item, make_location, stow_all
from apps.catalog.models import ElementCode, Lot
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.errors import Invalid
from apps.core.jobs.dispatch import cancel_job, retry_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.exchange.bsx_reader import read_bsx
from apps.exchange.tests.test_any_file import xlsx
from apps.inventory.models import ReceivedLot
from apps.inventory.selectors import bsx_lots_of
from apps.inventory.tests.bsx_files import preview
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.locations.rules.several import SeveralLocations

pytestmark = pytest.mark.django_db


@pytest.fixture
def red_brick():
    return make_lot(make_catalogue_item("3001", "Brick 2 x 4"), make_color(5))


def start(owner, content, name="Summer lot.bsx", **options):
    return start_import(
        owner=owner,
        file=upload(content, name),
        file_name=name,
        options=ImportOptions(**options),
        now=NOON,
    )


def imported(owner, content, **options):
    job = start(owner, content, **options)
    run_jobs()
    job.refresh_from_db()
    return job


def files_kept():
    return default_storage.listdir("batch_imports")[1]


class TestAnyFile:
    @pytest.mark.parametrize(
        "content",
        [
            b"Teilenummer;Farbe;Menge;Preis;Zustand;Fach\n3001;5;10;0,15;N;A-01\n",
            b"<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR>"
            b"<QTY>10</QTY><PRICE>0.15</PRICE><CONDITION>N</CONDITION><REMARKS>A-01</REMARKS>"
            b"</ITEM></INVENTORY>",
            xlsx(["Part", "Color", "Qty", "Price", "Bin"], [3001, 5, 10, 0.15, "A-01"]),
        ],
        ids=["csv", "mass upload", "xlsx"],
    )
    def test_becomes_a_batch(self, ann, red_brick, content):
        job = imported(ann, content, remarks=RemarksOptions(mean=RemarksMean.LOCATIONS))

        assert (job.state, job.result["lots"], job.result["currency"]) == ("succeeded", 1, "EUR")
        (row,) = BatchItem.objects.all()
        assert (row.lot, row.quantity, row.price) == (red_brick, 10, Decimal("0.15"))
        assert (row.condition, row.location.name) == ("N", "A-01")
        assert files_kept() == []

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"Foo,Bar\nx,y\nz,w\n", "number or name"),
            (b"Part,Color,Price\n3001,5,0.20\n", "the quantity"),
            (b"<INVENTORY><ITEM><LOTID>1</LOTID><QTY>2</QTY></ITEM></INVENTORY>", "changes lots"),
        ],
    )
    def test_that_makes_no_batch_says_where_it_belongs(self, ann, content, says):
        with pytest.raises(Invalid) as refused:
            start(ann, content)
        (message,) = refused.value.fields["file"]
        assert says in message
        assert "inventory page" in message
        assert not Batch.objects.exists()

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
        assert not ReceivedLot.objects.exists()


class TestImport:
    def test_makes_an_item_of_each_lot(self, ann, red_brick):
        job = imported(ann, bsx(item(), item(qty=7, price="0.5", condition="U")))

        batch = Batch.objects.get()
        assert job.state == JobState.SUCCEEDED
        assert job.result == {
            "batch_id": batch.pk,
            "name": "Summer lot",
            "currency": "EUR",
            "lots": 2,
            "pieces": 10,
            "unknown": 0,
            "new_locations": [],
            "warnings": [],
            "warning_count": 0,
        }
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

        lost = {"item": None, "field": "GuiState", "message": LOST_IN_JOINING}
        assert (job.result["warnings"], job.result["warning_count"]) == ([lost], 1)

    def test_warns_that_a_tag_of_bins_no_longer_fits_its_lot(self, ann, red_brick):
        told = '{"remarks": "A-01", "bins": [{"bin": "A-01", "Qty": "2"}]}'
        content = bsx(item(qty=7, more=f"<BrickstowBins>{told}</BrickstowBins>"))

        job = imported(ann, content)

        [warning] = job.result["warnings"]
        assert (warning["item"], warning["field"]) == (1, "BrickstowBins")
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
        undo_act(act=BatchAct.objects.get(pk=job.result["act_id"]), by=ann, now=NOON)
        there.refresh_from_db()
        assert (there.quantity, batch.items.count()) == (5, 6)

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
        monkeypatch.setattr(_bsx_joining, "MOST", 1)
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
        assert files_kept() == []

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
        job = start(ann, bsx(item()), into=batch)
        meanwhile(batch)

        run_jobs()

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert reason in job.message
        assert not BatchItem.objects.exists()
        assert not Batch.objects.filter(is_ready=False).exists()
        assert files_kept() == []

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
        monkeypatch.setattr(_bsx_filling, "CHUNK", 1)
        seen = []
        real = _bsx_filling.resolve_as_named

        def look(identities, **also):
            rows = api(ann).get("/api/batches").json()["data"]
            items = api(ann).get("/api/batchItems").json()["data"]
            seen.append((len(rows), len(items)))
            return real(identities, **also)

        monkeypatch.setattr(_bsx_filling, "resolve_as_named", look)

        imported(ann, bsx(item(), item(), item()))

        assert seen == [(0, 0), (0, 0), (0, 0)]
        assert len(api(ann).get("/api/batches").json()["data"]) == 1
        assert len(api(ann).get("/api/batchItems").json()["data"]) == 3

    def test_keeps_what_the_catalogue_does_not_know(self, ann):
        job = imported(ann, bsx(item("x999", color=4321)))

        kept = BatchItem.objects.get()
        assert (kept.lot_id, kept.raw_item_number, kept.raw_color_id) == (None, "x999", 4321)
        assert job.result["unknown"] == 1

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
        assert [(one["id"], one["name"]) for one in job.failed] == [
            (1, "Red Brick 2 x 4 (3001)"),
            (3, "Red Brick 2 x 4 (3001)"),
        ]
        assert job.failed[0]["reason"] == "Qty is -2; expected 0 or more."
        assert "cheap" in job.failed[1]["reason"]
        assert BatchItem.objects.count() == 1

    def test_tells_what_was_odd(self, ann, red_brick):
        job = imported(
            ann,
            bsx(item(more="<Status>?</Status>"), currency=""),
            rate=Decimal(1),
            currency_action=CurrencyAction.CONVERT,
        )

        assert job.result["warning_count"] == len(job.result["warnings"]) > 0
        assert {warning["item"] for warning in job.result["warnings"]} == {None, 1}

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
        imported(ann, bsx(item()), name="  Evening ")

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

        job = imported(ann, self.content, remarks=RemarksOptions(mean=RemarksMean.LOCATIONS))

        assert self.planned() == ["A-01", "B-01", None, None]
        assert job.result["new_locations"] == ["B-01"]
        assert Location.objects.filter(owner=ann).count() == 2

    def test_mean_nothing_when_so_asked(self, ann):
        make_location(ann, "A-01")

        imported(ann, self.content, remarks=RemarksOptions(mean=RemarksMean.NOTHING))

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

    def remarks(self, several, mean=RemarksMean.LOCATIONS, splits=False):
        return RemarksOptions(mean=mean, several=SeveralLocations(several), splits=splits)

    def test_are_ignored_and_none_is_made(self, ann):
        imported(ann, self.content, remarks=self.remarks("ignore"))

        assert self.rows() == [
            (None, 20, "B-07:12;C-01:8"),
            (None, 4, "B-07 / C-01"),
            ("D-02", 1, "D-02"),
        ]
        assert Location.objects.count() == 1

    def test_are_asked_about_before_anything_is_kept(self, ann):
        with pytest.raises(SeveralInRemarks) as refused:
            start(ann, self.content, remarks=self.remarks("ask"))

        [data] = refused.value.data
        assert (data["several_locations"]["lots"], data["several_locations"]["divisible"]) == (2, 1)
        assert not Batch.objects.exists()
        assert not Job.objects.exists()
        assert not default_storage.exists("batch_imports")

    def test_are_not_asked_about_where_there_are_none(self, ann):
        content = bsx(item(more="<Remarks>D-02</Remarks>"))

        imported(ann, content, remarks=self.remarks("ask"))

        assert self.rows() == [("D-02", 3, "D-02")]

    def test_are_not_asked_about_where_remarks_are_only_remarks(self, ann):
        imported(ann, self.content, remarks=self.remarks("ask", mean=RemarksMean.NOTHING))

        assert [place for place, *_ in self.rows()] == [None, None, None]

    def test_lie_in_the_first(self, ann):
        imported(ann, self.content, remarks=self.remarks("first"))

        assert self.rows()[:2] == [("B-07", 20, "B-07:12;C-01:8"), ("B-07", 4, "B-07 / C-01")]
        assert not Location.objects.filter(name="C-01").exists()

    def test_are_one_name(self, ann):
        imported(ann, self.content, remarks=self.remarks("whole"))

        assert [place for place, *_ in self.rows()] == ["B-07:12;C-01:8", "B-07 / C-01", "D-02"]

    def test_split_a_lot_that_says_how_many_lie_where(self, ann):
        job = imported(ann, self.content, remarks=self.remarks("first", splits=True))

        assert self.rows() == [
            ("B-07", 12, "B-07"),
            ("C-01", 8, "C-01"),
            ("B-07", 4, "B-07 / C-01"),
            ("D-02", 1, "D-02"),
        ]
        assert (job.result["lots"], job.result["pieces"]) == (4, 25)

    def test_are_read_alike_before_and_after_a_kill(self, ann, monkeypatch):
        """Locations that the import makes must not make names of what was none before."""
        monkeypatch.setattr(_bsx_filling, "CHUNK", 1)
        content = bsx(
            *(item(more=f"<Remarks>{text}</Remarks>") for text in ("Tan", "Lime", "Tan; Lime"))
        )
        job = start(ann, content, remarks=self.remarks("first"))
        real, calls = _bsx_filling.resolve_as_named, []

        def die_in_the_third(identities, **also):
            calls.append(1)
            if len(calls) == 3:
                raise SystemExit
            return real(identities, **also)

        monkeypatch.setattr(_bsx_filling, "resolve_as_named", die_in_the_third)
        with pytest.raises(SystemExit):
            run_job(job.pk)
        Job.objects.update(lease_until=NOON - dt.timedelta(days=365))

        run_job(job.pk)

        assert [place for place, *_ in self.rows()] == ["Tan", "Lime", "Tan; Lime"]


class TestCurrency:
    def test_of_an_account_without_amounts_becomes_the_files(self, ann):
        imported(ann, bsx(item(), currency="USD"))

        assert preferences_of(user=ann).currency == "USD"
        assert BatchItem.objects.get().price == Decimal("0.1250")

    def test_another_one_is_asked_about(self, ann):
        make_stock(ann)
        with pytest.raises(CurrencyDiffers) as refused:
            start(ann, bsx(item(), currency="USD"))

        assert refused.value.data == [{"file_currency": "USD", "store_currency": "EUR"}]
        assert preferences_of(user=ann).currency == "EUR"
        assert not Batch.objects.exists()
        assert not Job.objects.exists()

    def test_none_means_usd(self, ann):
        with pytest.raises(CurrencyDiffers):
            start(ann, bsx(item(), currency=""))

    def test_relabelled_amounts_stay(self, ann):
        imported(ann, bsx(item(), currency="USD"), currency_action=CurrencyAction.RELABEL)

        assert BatchItem.objects.get().price == Decimal("0.1250")

    def test_converted_amounts_are_multiplied(self, ann):
        imported(
            ann,
            bsx(item(more="<Cost>0.05</Cost>"), currency="USD"),
            currency_action=CurrencyAction.CONVERT,
            rate=Decimal("0.9"),
        )

        kept = BatchItem.objects.get()
        assert (kept.price, kept.cost) == (Decimal("0.1125"), Decimal("0.0450"))

    def test_converting_needs_a_rate(self, ann):
        with pytest.raises(Invalid) as refused:
            start(ann, bsx(item(), currency="USD"), currency_action=CurrencyAction.CONVERT)

        assert "rate" in refused.value.fields


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
        monkeypatch.setattr(_bsx_filling, "CHUNK", 1)
        content = bsx(item(), item())[:-60]

        job = imported(ann, content)

        assert job.state == JobState.FAILED
        assert job.message
        assert not Batch.objects.exists()
        assert not BatchItem.objects.exists()
        assert files_kept() == []

    def test_repaired_when_asked(self, ann):
        job = imported(ann, bsx(item(), item())[:-60], repair=True)

        assert (job.state, job.result["lots"]) == (JobState.SUCCEEDED, 1)


class TestStopping:
    def test_cancelled_leaves_neither_batch_nor_file(self, ann, monkeypatch):
        monkeypatch.setattr(_bsx_filling, "CHUNK", 1)
        job = start(ann, bsx(item(), item(), item()))
        real = _bsx_filling.resolve_as_named

        def cancel(identities, **also):
            cancel_job(job=job)
            return real(identities, **also)

        monkeypatch.setattr(_bsx_filling, "resolve_as_named", cancel)

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.done) == (JobState.CANCELLED, 1)
        assert not Batch.objects.exists()
        assert not BatchItem.objects.exists()
        assert files_kept() == []

        retry_job(job=job)
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message) == (
            JobState.FAILED,
            "The uploaded file is no longer here. Please upload it again.",
        )

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
        monkeypatch.setattr(_bsx_filling, "CHUNK", 2)
        job = start(ann, content)
        real, calls = _bsx_filling.resolve_as_named, []

        def die_in_the_third(identities, **also):
            calls.append(1)
            if len(calls) == 3:
                raise SystemExit
            return real(identities, **also)

        monkeypatch.setattr(_bsx_filling, "resolve_as_named", die_in_the_third)
        with pytest.raises(SystemExit):
            run_job(job.pk)
        assert BatchItem.objects.count() == 3
        Job.objects.update(lease_until=NOON - dt.timedelta(days=365))

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.failed_count) == (JobState.SUCCEEDED, 1)
        assert (job.result["lots"], job.result["pieces"]) == (6, 25)
        assert sorted(BatchItem.objects.values_list("quantity", flat=True)) == [1, 2, 4, 5, 6, 7]

    def test_delivered_twice_imports_once(self, ann):
        job = imported(ann, bsx(item(), item()))
        Job.objects.update(state=JobState.QUEUED, token=None, lease_until=None, finished_at=None)

        run_job(job.pk)

        assert (Batch.objects.count(), BatchItem.objects.count()) == (1, 2)

    def test_what_was_given_up_is_swept_at_the_next_import(self, ann):
        left = start(ann, bsx(item()))
        Job.objects.filter(pk=left.pk).update(state=JobState.FAILED)
        assert len(files_kept()) == 1

        imported(ann, bsx(item()), name="Next")

        assert list(Batch.objects.values_list("name", flat=True)) == ["Next"]
        assert files_kept() == []


class TestSummariseFile:
    def test_tells_what_would_happen_and_changes_nothing(self, ann, red_brick):
        make_location(ann, "A-01")
        content = bsx(
            item(more="<Remarks>A-01</Remarks>"),
            item("x999", more="<Remarks>B-01</Remarks>"),
            item(qty=-1),
        )

        summary = summarise_file(
            owner=ann,
            file=upload(content),
            options=ImportOptions(remarks=RemarksOptions(mean=RemarksMean.LOCATIONS)),
            now=NOON,
        )

        assert (summary.currency, summary.lots, summary.pieces, summary.unknown) == (
            "EUR",
            2,
            6,
            1,
        )
        assert [one["id"] for one in summary.refused] == [3]
        assert summary.new_locations == ["B-01"]
        assert not Batch.objects.exists()
        assert Location.objects.count() == 1


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

    def test_asks_about_another_currency(self, ann, api):
        make_stock(ann)
        response = self.post(api(ann), bsx(item(), currency="USD"))

        assert response.status_code == 409
        assert response.json()["data"] == [{"file_currency": "USD", "store_currency": "EUR"}]

        response = self.post(
            api(ann), bsx(item(), currency="USD"), currency_action="convert", rate="0.9"
        )
        assert response.status_code == 202

    def test_asks_about_several_locations_where_told_to(self, ann, api):
        content = bsx(item(more="<Remarks>B-07;C-01</Remarks>"))
        fields = {"remarks_mean": "locations"}

        response = self.post(api(ann), content, **fields, several_locations="ask")

        assert response.status_code == 409
        [data] = response.json()["data"]
        assert data["several_locations"] == {
            "lots": 1,
            "divisible": 0,
            "separators": [";"],
            "examples": [
                {
                    "remarks": "B-07;C-01",
                    "quantity": 3,
                    "locations": ["B-07", "C-01"],
                    "quantities": [],
                }
            ],
        }
        response = self.post(api(ann), content, **fields, several_locations="first")
        assert response.status_code == 202
        run_jobs()
        assert BatchItem.objects.get().location.name == "B-07"

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

        job = imported(ann, content, currency_action=CurrencyAction.RELABEL)

        given = list(read_bsx(upload(content)))
        kept = [lot for _, lot in bsx_lots_of(BatchItem.objects.all())]
        assert job.result["lots"] == len(given) == lots
        assert kept == given

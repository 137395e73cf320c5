"""Each kind of file, as the program that takes it wants it."""

import csv
import io
import zipfile

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.exchange.bricklink_rows import in_batches
from apps.exchange.bricklink_update import LotChange, read_mass_update
from apps.exchange.bricklink_upload import read_mass_upload
from apps.exchange.bricklink_wanted import read_wanted_list
from apps.exports.models import ExportKind
from apps.exports.services.exports import NOTHING_DIFFERS
from apps.exports.tests.factories import NOON, content_of, export_of, lots_in
from apps.exports.tests.test_services import brick
from apps.inventory.selectors import bsx_lots_of
from apps.inventory.services.received import receive, values_of
from apps.inventory.tests.factories import make_stock
from apps.inventory.tests.test_imported_again import imported, stock

pytestmark = pytest.mark.django_db


def changes_in(export):
    return list(read_mass_update(io.BytesIO(content_of(export))))


def cells_in(export):
    return list(csv.DictReader(io.StringIO(content_of(export).decode("utf-8-sig"))))


@pytest.fixture
def batch(ann):
    return make_batch(ann)


@pytest.fixture
def lot(db):
    return brick()


class TestMassUpload:
    def test_names_item_colour_and_price(self, ann, batch, lot):
        make_item(batch, quantity=3, price="0.125", lot=lot, condition="N")

        export = export_of(ann, batch, kind=ExportKind.MASS_UPLOAD)

        assert (export.file_name, export.row_count) == ("Summer lot upload 2026-11-21.xml", 1)
        [read] = read_mass_upload(io.BytesIO(content_of(export)))
        assert (read.item_number, read.color_id, read.quantity, str(read.price)) == (
            "3001",
            5,
            3,
            "0.125",
        )

    def test_leaves_out_excluded_lots_and_says_so(self, ann, batch, lot):
        excluded = make_item(batch, lot=lot, status="X")
        make_item(batch, lot=lot, price="1")

        export = export_of(ann, batch, kind=ExportKind.MASS_UPLOAD)

        assert export.row_count == 1
        assert [(one["id"], one["reason"]) for one in export.failed] == [
            (excluded.pk, "The lot is excluded.")
        ]

    def test_is_a_zip_of_files_that_bricklink_takes_at_once(self, ann, batch, lot, monkeypatch):
        monkeypatch.setattr(in_batches, "__defaults__", (2,))
        for number in range(5):
            make_item(batch, lot=lot, price="1", remarks=f"bin {number}")
        excluded = make_item(batch, lot=lot, status="X")

        export = export_of(ann, batch, kind=ExportKind.MASS_UPLOAD)

        assert export.file_name == "Summer lot upload 2026-11-21.zip"
        with zipfile.ZipFile(io.BytesIO(content_of(export))) as archive:
            parts = {
                name: [one.remarks for one in read_mass_upload(io.BytesIO(archive.read(name)))]
                for name in archive.namelist()
            }
        assert parts == {
            "part 001.xml": ["bin 0", "bin 1"],
            "part 002.xml": ["bin 2", "bin 3"],
            "part 003.xml": ["bin 4"],
        }
        assert export.row_count == 5
        assert [one["id"] for one in export.failed] == [excluded.pk]


class TestMassUpdate:
    def test_sends_the_chosen_fields_of_lots_that_bricklink_knows(self, ann, batch, lot):
        make_item(batch, lot=lot, marketplace_lot_id=71, price="0.5", remarks="A-01")
        unknown = make_item(batch, lot=lot)

        export = export_of(
            ann, batch, kind=ExportKind.MASS_UPDATE, update_fields=("price", "remarks")
        )

        [change] = changes_in(export)
        assert (change.marketplace_lot_id, str(change.price), change.remarks) == (
            71,
            "0.500",
            "A-01",
        )
        assert (change.quantity, change.comments) == (None, None)
        assert [(one["id"], one["reason"]) for one in export.failed] == [
            (
                unknown.pk,
                "It has no BrickLink lot id, so BrickLink cannot know which lot changes.",
            )
        ]

    def test_sends_what_differs_from_the_base_values_and_nothing_of_the_rest(self, ann, batch, lot):
        make_item(
            batch,
            lot=lot,
            marketplace_lot_id=71,
            quantity=5,
            extra={"base": [["Qty", "3"]]},
        )
        make_item(batch, lot=lot, marketplace_lot_id=72)

        export = export_of(ann, batch, kind=ExportKind.MASS_UPDATE)

        assert changes_in(export) == [LotChange(marketplace_lot_id=71, quantity_change=2)]
        assert export.failed == []

    def test_of_lots_that_are_as_bricklink_knows_them_says_so(self, ann, batch, lot):
        make_item(batch, lot=lot, marketplace_lot_id=72, quantity=3)
        receive(
            owner=ann, lots={72: values_of(next(bsx_lots_of(BatchItem.objects.all()))[1])}, now=NOON
        )

        export = export_of(ann, batch, kind=ExportKind.MASS_UPDATE)

        assert (export.job.message, bool(export.file)) == (NOTHING_DIFFERS, False)

    def test_says_of_which_lots_it_is_not_known_what_bricklink_has(self, ann, batch, lot):
        item = make_item(batch, lot=lot, marketplace_lot_id=72, quantity=3)

        export = export_of(ann, batch, kind=ExportKind.MASS_UPDATE)

        assert not export.file
        assert export.job.message.endswith("Of 1 lot it is not known what BrickLink has.")
        assert [(one["id"], one["field"]) for one in export.notices] == [(item.pk, "LOTID")]


class TestWantedList:
    def test_wishes_for_the_quantity_at_most_at_the_price(self, ann, batch, lot):
        make_item(batch, lot=lot, quantity=4, price="0.2", condition="N")

        export = export_of(ann, batch, kind=ExportKind.WANTED_LIST, wanted_list_id="77")

        [wish] = read_wanted_list(io.BytesIO(content_of(export)))
        assert (wish.item_number, wish.color_id, wish.min_quantity, wish.condition) == (
            "3001",
            5,
            4,
            "N",
        )
        assert (str(wish.max_price), wish.wanted_list_id) == ("0.200", "77")

    def test_names_the_rows_that_are_left_out(self, ann, batch, lot):
        make_item(batch, lot=lot, price="1")
        excluded = make_item(batch, lot=lot, status="X")

        export = export_of(ann, batch, kind=ExportKind.WANTED_LIST)

        assert [one["id"] for one in export.failed] == [excluded.pk]


class TestCsv:
    def test_has_the_chosen_columns_in_their_order(self, ann, batch, lot):
        make_item(batch, lot=lot, quantity=3, remarks="=1+1")
        stow_all(batch, make_location(ann))

        export = export_of(
            ann,
            batch,
            kind=ExportKind.CSV,
            columns=("location_name", "item_number", "quantity", "remarks"),
        )

        assert export.file_name == "Summer lot 2026-11-21.csv"
        assert cells_in(export) == [
            {
                "location_name": "A-01",
                "item_number": "3001",
                "quantity": "3",
                "remarks": "'=1+1",
            }
        ]

    def test_has_the_columns_of_other_programs_and_the_currency(self, ann, batch, lot):
        make_item(batch, lot=lot, extra={"extra": [["Shelf", "top", None]]})
        make_item(batch, lot=lot, extra={"extra": [["OwlID", "7", None]]})

        export = export_of(ann, batch, kind=ExportKind.CSV)

        told = [(row["Shelf"], row["OwlID"], row["currency"]) for row in cells_in(export)]
        assert told == [("top", "", "EUR"), ("", "7", "EUR")]
        assert export.notices == []

    def test_tells_what_it_does_not_hold(self, ann, batch, lot):
        make_item(batch, lot=lot, extra={"base": [["Qty", "4"]]})
        make_item(batch, lot=lot, extra={"extra": [["Box", "", "<Box><A/></Box>"]]})

        export = export_of(ann, batch, kind=ExportKind.CSV)

        messages = [notice["message"] for notice in export.notices]
        assert [message.split()[:2] for message in messages] == [["A", "table"], ["Box", "of"]]

    def test_leaves_nothing_out(self, ann, batch, lot):
        make_item(batch, raw_item_number="", raw_item_type="U", raw_item_name="Rest")

        export = export_of(ann, batch, kind=ExportKind.CSV)

        assert (export.row_count, export.failed) == (1, [])
        assert cells_in(export)[0]["item_name"] == "Rest"


class TestRemarksTemplate:
    def test_is_filled_for_each_lot(self, ann, batch, lot):
        make_item(batch, lot=lot, remarks="scratched")
        stow_all(batch, make_location(ann))

        export = export_of(ann, batch, remarks_template="{location} {remarks} ({number})")

        assert [one.remarks for one in lots_in(export)] == ["A-01 scratched (3001)"]

    def test_leaves_no_double_blank_where_a_field_is_empty(self, ann, batch, lot):
        make_item(batch, lot=lot)

        export = export_of(ann, batch, remarks_template="{location} {remarks} x")

        assert [one.remarks for one in lots_in(export)] == ["x"]


class TestIncompleteLots:
    def test_may_be_left_out(self, ann, batch, lot):
        make_item(batch, lot=lot)
        make_item(batch, raw_item_number="xyz1", raw_item_type="P", raw_item_name="Odd")

        whole = export_of(ann, batch)
        known = export_of(ann, batch, include_incomplete=False)

        assert [one.item_number for one in lots_in(whole)] == ["3001", "xyz1"]
        assert [one.item_number for one in lots_in(known)] == ["3001"]


class TestConditionsThatWereNotUnderstood:
    @pytest.mark.parametrize(
        "kind",
        [ExportKind.BSX, ExportKind.MASS_UPLOAD, ExportKind.MASS_UPDATE, ExportKind.WANTED_LIST],
    )
    def test_are_left_out_with_the_reason(self, ann, batch, lot, kind):
        make_item(
            batch, lot=lot, price="1", marketplace_lot_id=7, condition="?", condition_text="B"
        )
        make_item(batch, lot=lot, price="1", marketplace_lot_id=8, condition="U")

        export = export_of(ann, batch, kind=kind, include_listed=True, update_fields=("price",))

        assert export.row_count == 1
        assert "“B” was not understood" in export.failed[0]["reason"]

    def test_keep_their_text_in_a_table(self, ann, batch, lot):
        make_item(batch, lot=lot, condition="?", condition_text="B")

        [cells] = cells_in(export_of(ann, batch, kind=ExportKind.CSV))
        assert cells["condition"] == "B"

    def test_come_back_by_a_table_as_they_went(self, ann, bo, api, lot):
        for text in ("", "gebraucht?", "B"):
            make_stock(ann, lot, 10, condition="?", condition_text=text)
        before = stock(ann)
        table = content_of(export_of(ann, kind=ExportKind.CSV))

        again = imported(api(ann), table, name="x.csv", covers="whole")
        imported(api(bo), table, name="x.csv")

        assert (stock(ann), again["counts"]["changed"]) == (before, 0)
        assert stock(bo) == before

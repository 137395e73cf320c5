"""What goes to the store: lots that it has, lots in several bins, and what it last received."""

import io
import re
from decimal import Decimal

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.batches.tests.factories import make_location as make_batch_location
from apps.catalog.tests.factories import make_category, make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.jobs.models import JobState
from apps.exchange.bricklink_update import LotChange, read_mass_update
from apps.exchange.bricklink_upload import read_mass_upload
from apps.exports.models import ExportKind
from apps.exports.services._update import ELSEWHERE, NO_PRICE
from apps.exports.services.exports import NOTHING_DIFFERS, ExportOptions, preview_export
from apps.exports.services.uploads import NotToConfirm, confirm_upload
from apps.exports.tests.factories import NOON, content_of, export_of, lots_in
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.tests.bsx_files import bsx, lot, sync_file, undo
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db


@pytest.fixture
def brick(db):
    item = make_catalogue_item("3001", "Brick 2 x 4", category=make_category())
    make_lot(item, make_color(7))
    return make_lot(item, make_color(5))


def update_of(owner, **options):
    return export_of(owner, kind=ExportKind.MASS_UPDATE, **options)


def changes_in(export):
    return list(read_mass_update(io.BytesIO(content_of(export))))


def row(lot_id):
    return InventoryItem.objects.get(marketplace_lot_id=lot_id)


STORE = (lot(qty=10, price="0.100", LotID=71, Remarks="B-07"), lot(color=7, qty=4, LotID=72))


class TestMassUpdateOfAnImportedStore:
    def test_is_empty_while_nothing_changed(self, ann, brick):
        sync_file(ann, bsx(*STORE))

        export = update_of(ann)

        assert (export.job.state, export.job.message) == (JobState.SUCCEEDED, NOTHING_DIFFERS)
        assert export.notices == []

    def test_sends_exactly_what_differs(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=13, price="0.2500")

        [change] = changes_in(update_of(ann))

        assert (change.marketplace_lot_id, change.quantity_change, str(change.price)) == (
            71,
            3,
            "0.250",
        )
        assert (change.remarks, change.comments, change.cost) == (None, None, None)

    def test_deletes_what_ran_out_and_what_is_nothing_here_any_more(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=0)
        InventoryItem.objects.filter(marketplace_lot_id=72).update(marketplace_lot_id=None)

        assert changes_in(update_of(ann)) == [
            LotChange(marketplace_lot_id=71, is_deleted=True),
            LotChange(marketplace_lot_id=72, is_deleted=True),
        ]

    def test_leaves_lots_of_a_store_elsewhere_out_and_says_so(self, ann, brick):
        first, gone = 10**12 + 71, 10**12 + 72
        sync_file(
            ann,
            bsx(
                lot(qty=10, price="0.100", LotID=first),
                lot(color=7, qty=4, LotID=gone),
                lot(color=7, qty=4, LotID=73, Remarks="B-08"),
            ),
        )
        InventoryItem.objects.filter(marketplace_lot_id__in=[first, 73]).update(quantity=13)
        InventoryItem.objects.filter(marketplace_lot_id=gone).update(marketplace_lot_id=None)

        export = update_of(ann)

        assert changes_in(export) == [LotChange(marketplace_lot_id=73, quantity_change=9)]
        assert ELSEWHERE in [one["reason"] for one in export.failed]

    def test_compares_with_the_base_values_of_the_file(self, ann, brick):
        sync_file(
            ann,
            bsx(lot(qty=10, LotID=71).replace("</Item>", '<DifferenceBaseValues Qty="8"/></Item>')),
        )

        assert changes_in(update_of(ann)) == [LotChange(marketplace_lot_id=71, quantity_change=2)]

    @pytest.mark.parametrize("options", [{}, {"update_fields": ("price",)}])
    def test_says_that_a_price_cannot_be_taken_away(self, ann, brick, options):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(price=None)

        export = update_of(ann, **options)

        assert [(one["field"], one["message"]) for one in export.notices] == [("PRICE", NO_PRICE)]

    def test_a_second_import_is_the_new_base(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=13)
        more = (lot(qty=13, price="0.100", LotID=71, Remarks="B-07"), STORE[1])

        sync_file(ann, bsx(*more))

        assert update_of(ann).job.message == NOTHING_DIFFERS

    def test_of_an_import_that_was_undone_nothing_is_known(self, ann, brick):
        undo(sync_file(ann, bsx(*STORE)))

        assert not ChannelLot.objects.exists()
        assert not update_of(ann).file

    def test_leaves_out_pieces_that_wait_to_be_listed(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        there = row(71)
        for topped_up in (there, row(72)):
            add_waiting(ann, topped_up)

        assert update_of(ann).job.message == NOTHING_DIFFERS
        InventoryItem.objects.filter(pk=there.pk).update(price="0.2500")
        [change] = changes_in(update_of(ann))
        assert (change.marketplace_lot_id, change.quantity_change) == (71, None)

    def test_deletes_what_ran_out_but_for_pieces_that_wait_to_be_listed(self, ann, brick):
        sync_file(ann, bsx(STORE[0]))
        add_waiting(ann, row(71))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=3)

        assert changes_in(update_of(ann)) == [LotChange(marketplace_lot_id=71, is_deleted=True)]

    def test_does_not_shrink_a_lot_whose_waiting_pieces_the_store_has(self, ann, brick):
        sync_file(ann, bsx(lot(qty=13, price="0.100", LotID=71)))
        add_waiting(ann, row(71), more=0)
        InventoryItem.objects.update(price="0.2500")

        [change] = changes_in(update_of(ann))

        assert (change.quantity_change, str(change.price)) == (None, "0.250")


def add_waiting(owner, stocked, more=3):
    """Stow three pieces of a batch into a row of the stock; they are not listed yet."""
    batch = make_batch(owner)
    make_item(batch, 3, lot=stocked.lot, is_stowed=True, stowed_at=NOON, inventory_item=stocked)
    InventoryItem.objects.filter(pk=stocked.pk).update(quantity=stocked.quantity + more)
    return batch


def bases_in(export):
    return {one.marketplace_lot_id: dict(one.base) for one in lots_in(export)}


class TestBaseValuesOfABsx:
    """Whoever opens the file sees what differs from the store: what a mass update would send."""

    def test_are_what_the_store_last_received(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        before = bases_in(export_of(ann))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=13, price="0.2500")
        make_stock(ann, brick, 5)

        assert before == {71: {}, 72: {}}
        assert bases_in(export_of(ann)) == {71: {"Qty": "10", "Price": "0.100"}, 72: {}, None: {}}

    def test_end_when_the_upload_is_confirmed(self, ann, brick):
        mine = STORE[0].replace("</Item>", '<DifferenceBaseValues Qty="8" Reserved="Bo"/></Item>')
        sync_file(ann, bsx(mine))
        before = bases_in(export_of(ann))
        ChannelLot.objects.update(received_at=NOON)

        confirm_upload(export=update_of(ann), by=ann, now=NOON)

        assert before == {71: {"Qty": "8", "Reserved": "Bo"}}
        assert bases_in(export_of(ann)) == {71: {"Reserved": "Bo"}}

    def test_of_a_lot_in_two_bins_are_of_all_its_pieces(self, ann, brick):
        sync_file(ann, bsx(STORE[0]))
        first = row(71)
        first.quantity = 6
        first.save()
        make_stock(
            ann, brick, 7, make_location(ann, "C-01"), marketplace_lot_id=71, price=first.price
        )

        [base] = bases_in(export_of(ann)).values()

        assert base["Qty"] == "10"

    def test_of_a_batch_are_those_of_its_file(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        batch = make_batch(ann)
        make_item(batch, lot=brick, marketplace_lot_id=71)

        assert bases_in(export_of(ann, batch=batch)) == {71: {}}


class TestConfirmUpload:
    def test_makes_what_was_sent_the_new_base(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=13, price="0.2500")
        ChannelLot.objects.update(received_at=NOON)
        export = update_of(ann)
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=14)

        assert confirm_upload(export=export, by=ann, now=NOON) == 1

        assert changes_in(update_of(ann)) == [LotChange(marketplace_lot_id=71, quantity_change=1)]

    def test_frees_rows_whose_lots_were_deleted(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=0)
        ChannelLot.objects.update(received_at=NOON)

        confirm_upload(export=update_of(ann), by=ann, now=NOON)

        assert list(ChannelLot.objects.values_list("marketplace_lot_id", flat=True)) == [72]
        assert not InventoryItem.objects.filter(marketplace_lot_id=71).exists()

    def test_is_done_once_and_for_mass_updates_only(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=13)
        export = update_of(ann)
        confirm_upload(export=export, by=ann, now=NOON)

        for wrong in (export, export_of(ann)):
            with pytest.raises(NotToConfirm):
                confirm_upload(export=wrong, by=ann, now=NOON)

    def test_marks_the_pieces_of_its_own_batch_as_listed(self, ann, brick):
        sync_file(ann, bsx(STORE[0]))
        mine, other = add_waiting(ann, row(71)), add_waiting(ann, row(71))
        ChannelLot.objects.update(received_at=NOON)
        export = update_of(ann, batch=mine)

        confirm_upload(export=export, by=ann, now=NOON)

        assert [one.quantity_change for one in changes_in(export)] == [3]
        assert (mine.items.get().is_listed, other.items.get().is_listed) == (True, False)

    @pytest.mark.parametrize("of_batch", [False, True], ids=["inventory", "batch"])
    def test_marks_no_pieces_that_the_file_does_not_send(self, ann, brick, of_batch):
        sync_file(ann, bsx(lot(qty=13 if of_batch else 10, price="0.100", LotID=71)))
        batch = add_waiting(ann, row(71), more=0 if of_batch else 3)
        InventoryItem.objects.update(price="0.2500")
        batch.items.update(price="0.2500")
        ChannelLot.objects.update(received_at=NOON)
        export = update_of(ann, batch=batch if of_batch else None)

        confirm_upload(export=export, by=ann, now=NOON)

        assert [str(one.price) for one in changes_in(export)] == ["0.250"]
        assert not batch.items.get().is_listed

    def test_by_its_route(self, ann, bo, api, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(quantity=13)
        url = f"/api/exports/{update_of(ann).pk}/uploaded"

        assert api(bo).post(url).status_code == 404
        first = api(ann).post(url)
        assert (first.status_code, first.json()["data"][0]["uploadedAt"] is not None) == (200, True)
        assert api(ann).post(url).status_code == 409


class TestTwoBins:
    @pytest.fixture
    def stock(self, ann, brick):
        here, there = make_location(ann, "B-07"), make_location(ann, "C-01")
        return [
            make_stock(ann, brick, 12, here, marketplace_lot_id=71, remarks="B-07"),
            make_stock(ann, brick, 1, marketplace_lot_id=72, remarks=""),
            make_stock(
                ann, brick, 8, there, marketplace_lot_id=71, remarks="heavy", cost=Decimal("0.0123")
            ),
        ]

    def test_are_one_item_in_each_file(self, ann, stock):
        [whole, other] = lots_in(export_of(ann))
        upload = export_of(ann, kind=ExportKind.MASS_UPLOAD, include_listed=True)
        sent = list(read_mass_upload(io.BytesIO(content_of(upload))))

        assert (whole.marketplace_lot_id, whole.quantity) == (71, 20)
        assert (other.marketplace_lot_id, other.quantity) == (72, 1)
        assert [one.quantity for one in sent] == [20, 1]
        assert whole.remarks == "B-07; C-01 heavy"

    def test_come_back_by_our_own_import(self, ann, bo, stock):
        content = content_of(export_of(ann))

        sync_file(bo, content)

        rows = InventoryItem.objects.owned_by(bo).order_by("pk")
        assert [
            (one.location and one.location.name, one.quantity, one.remarks, str(one.cost))
            for one in rows
        ] == [
            ("B-07", 12, "B-07", "0.0000"),
            ("C-01", 8, "heavy", "0.0123"),
            (None, 1, "", "0.0000"),
        ]
        assert all(one.extra == {} for one in rows)
        assert content_of(export_of(bo)) == content

    def test_are_as_they_were_when_imported_over_themselves(self, ann, stock):
        sync = sync_file(ann, content_of(export_of(ann)))

        assert sync.counts["created"] == sync.counts["changed"] == sync.counts["zeroed"] == 0

    def test_are_one_change_of_the_sum(self, ann, stock):
        sync_file(ann, content_of(export_of(ann)))
        InventoryItem.objects.filter(pk=stock[2].pk).update(quantity=11)

        [change] = changes_in(update_of(ann))

        assert (change.marketplace_lot_id, change.quantity_change) == (71, 3)


class TestPromisedPieces:
    """The store does not count pieces any more that its buyers have ordered."""

    def test_are_in_no_file_for_the_store(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=71).update(promised=4)

        lots = lots_in(export_of(ann))
        [change] = changes_in(update_of(ann))

        assert {one.marketplace_lot_id: one.quantity for one in lots} == {71: 6, 72: 4}
        assert (change.marketplace_lot_id, change.quantity_change) == (71, -4)


class TestMassUpload:
    def test_leaves_out_what_the_store_has_and_says_how_many(self, ann, brick):
        sync_file(ann, bsx(*STORE, lot(qty=5, price="0.300")))

        export = export_of(ann, kind=ExportKind.MASS_UPLOAD)

        sent = list(read_mass_upload(io.BytesIO(content_of(export))))
        assert [one.quantity for one in sent] == [5]
        assert (export.listed_count, export.failed_count) == (2, 0)
        assert export.job.message == "2 lots were left out, for BrickLink has them already."

    def test_sends_them_again_when_asked_to(self, ann, brick):
        sync_file(ann, bsx(*STORE))

        export = export_of(ann, kind=ExportKind.MASS_UPLOAD, include_listed=True)

        assert (export.row_count, export.listed_count) == (2, 0)

    def test_of_them_alone_is_no_file_and_no_failure(self, ann, brick):
        sync_file(ann, bsx(*STORE))

        export = export_of(ann, kind=ExportKind.MASS_UPLOAD)

        assert (export.job.state, bool(export.file)) == (JobState.SUCCEEDED, False)
        assert "2 lots were left out" in export.job.message

    @pytest.mark.parametrize("kind", [ExportKind.MASS_UPLOAD, ExportKind.WANTED_LIST])
    def test_and_wanted_list_leave_out_made_up_items(self, ann, brick, kind):
        own = make_catalogue_item("MINE-1", "Mine", origin="O")
        make_lot(own, make_color(5))
        sync_file(ann, bsx(lot(), lot("nope"), lot("MINE-1")))

        export = export_of(ann, kind=kind)

        assert export.row_count == 1
        assert [one["reason"] for one in export.failed] == [
            "The catalogue does not know nope, so BrickLink may not either.",
            "MINE-1 is a number of this catalogue's own; BrickStore does not know it.",
        ]
        assert export_of(ann, kind=kind, include_unknown=True).row_count == 2


class TestRemarksCarryTheLocation:
    def test_unless_switched_off(self, ann, brick):
        place = make_location(ann, "B-07")
        for remarks in ("B-07", "b-07, light wear", "light wear"):
            make_stock(ann, brick, 1, place, remarks=remarks)

        assert [one.remarks for one in lots_in(export_of(ann))] == [
            "B-07",
            "b-07, light wear",
            "B-07 light wear",
        ]
        assert [one.remarks for one in lots_in(export_of(ann, carry_location=False))] == [
            "B-07",
            "b-07, light wear",
            "light wear",
        ]

    def test_and_come_back_as_they_were(self, ann, bo, brick):
        make_stock(ann, brick, 1, make_location(ann, "B-07"), remarks="light wear")

        sync_file(bo, content_of(export_of(ann)))

        [row] = InventoryItem.objects.owned_by(bo)
        assert (row.location.name, row.remarks, row.extra) == ("B-07", "light wear", {})

    def test_are_received_as_the_file_had_them(self, ann, bo, brick):
        for lot_id, name in ((71, "B-07"), (72, "B-08"), (72, "C-01")):
            place = make_location(ann, name)
            make_stock(ann, brick, 2, place, remarks=f"in {lot_id}", marketplace_lot_id=lot_id)

        sync_file(bo, content_of(export_of(ann)))

        received = ChannelLot.objects.owned_by(bo).order_by("marketplace_lot_id")
        assert list(received.values_list("remarks", flat=True)) == [
            "B-07 in 71",
            "B-08 in 72; C-01 in 72",
        ]
        assert update_of(bo).job.message == NOTHING_DIFFERS
        assert bases_in(export_of(bo)) == {71: {}, 72: {}}
        plain = changes_in(update_of(bo, carry_location=False))
        assert [(one.marketplace_lot_id, one.remarks) for one in plain] == [
            (71, "in 71"),
            (72, "in 72"),
        ]

    def test_of_a_lot_that_was_listed_without_its_bin_are_a_change(self, ann, brick):
        place = make_location(ann, "B-07")
        sync_file(ann, bsx(lot(LotID=71, Remarks="light wear")))
        InventoryItem.objects.update(location=place)

        assert bases_in(export_of(ann)) == {71: {"Remarks": "light wear"}}
        assert [one.remarks for one in changes_in(update_of(ann))] == ["B-07 light wear"]


class TestNothingWritten:
    def test_where_every_item_failed_the_export_failed(self, ann, api):
        batch = make_batch(ann)
        make_item(batch, raw_item_number="", raw_item_type="U")

        export = export_of(ann, batch)

        assert export.job.state == JobState.FAILED
        assert (export.failed_count, len(export.failed)) == (1, 1)
        shown = api(ann).get(f"/api/exports/{export.pk}").json()["data"][0]
        assert (shown["state"], shown["failed_count"], shown["file_url"]) == ("failed", 1, None)


class TestPreviewOfLosses:
    def test_tells_every_lot_whose_price_loses_a_decimal(self, ann, brick):
        for number in range(9):
            make_stock(ann, brick, 1, price=Decimal(f"0.100{number}"))

        found = preview_export(
            owner=ann, batch=None, options=ExportOptions(), now=NOON, kind=ExportKind.MASS_UPLOAD
        )

        assert (found.row_count, found.notice_count, len(found.notices)) == (9, 8, 8)

    def test_of_a_mass_update_counts_and_shows_what_differs(self, ann, brick):
        sync_file(ann, bsx(*STORE))
        InventoryItem.objects.filter(marketplace_lot_id=72).update(quantity=9)

        found = preview_export(
            owner=ann, batch=None, options=ExportOptions(), now=NOON, kind=ExportKind.MASS_UPDATE
        )

        assert found.row_count == 1
        assert re.search("<LOTID>72</LOTID><QTY>.5</QTY>", found.sample)


class TestABatchWhoseStoreWasImported:
    """The stock's rows know their lots by the import, the batch's items do not."""

    @pytest.fixture
    def batch(self, ann, brick):
        place = make_batch_location(ann)
        make_stock(ann, brick, 10, place, marketplace_lot_id=71, remarks=place.name)
        sync_file(ann, content_of(export_of(ann)))
        batch = make_batch(ann)
        make_item(batch, quantity=3, price="0.100", lot=brick, condition="U", remarks=place.name)
        stow_all(batch, place)
        return batch

    def test_updates_the_lot_with_what_the_stock_has_of_it(self, ann, batch):
        export = export_of(ann, batch, kind=ExportKind.MASS_UPDATE)

        assert changes_in(export) == [LotChange(marketplace_lot_id=71, quantity_change=3)]
        shown = preview_export(
            owner=ann, batch=batch, options=ExportOptions(), now=NOON, kind=ExportKind.MASS_UPDATE
        )
        assert ("<LOTID>71</LOTID>" in shown.sample, shown.row_count) == (True, 1)

    def test_is_not_uploaded_a_second_time(self, ann, batch):
        upload = export_of(ann, batch, kind=ExportKind.MASS_UPLOAD)

        assert (upload.row_count, upload.listed_count) == (0, 1)
        assert "1 lot" in upload.job.message


def test_a_mass_upload_leaves_out_items_that_were_marked_as_listed(ann, brick):
    batch = make_batch(ann)
    make_item(batch, quantity=3, lot=brick)
    stow_all(batch, make_batch_location(ann))
    BatchItem.objects.update(is_listed=True, listed_at=NOON)
    make_item(batch, quantity=2, lot=brick)

    upload = export_of(ann, batch, kind=ExportKind.MASS_UPLOAD)
    whole = export_of(ann, batch, kind=ExportKind.MASS_UPLOAD, include_listed=True)

    assert (upload.row_count, upload.listed_count) == (1, 1)
    assert (whole.row_count, whole.listed_count) == (2, 0)

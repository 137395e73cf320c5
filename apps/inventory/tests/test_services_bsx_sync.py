from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Preferences
from apps.catalog.rules.pricing import PriceBy, PriceRule, Repricing
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.errors import Invalid, UploadTooLarge
from apps.core.jobs.dispatch import cancel_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import progressed
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, InventorySync, Movement, Promise, Reason, SyncState
from apps.inventory.selectors.syncs import sync_rows
from apps.inventory.services import acts, bsx_sync
from apps.inventory.services.bsx_sync import SyncOptions, start_apply, start_preview, start_sync
from apps.inventory.services.errors import (
    ConfirmAnotherStore,
    ConfirmZeroed,
    CurrencyDiffers,
    RowsChangedSince,
    StockChangedSince,
    SyncNotReady,
    SyncRunning,
)
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.promises import Want, promise, take_promises_back
from apps.inventory.services.reprice import reprice_items
from apps.inventory.services.stow import TakeLine, take_out
from apps.inventory.tests.bsx_files import (
    apply,
    bsx,
    cancelled_when,
    lot,
    preview,
    stock,
    sync_file,
    undo,
)
from apps.inventory.tests.factories import NOON, adjust_quantity, make_stock, quantities
from apps.locations.models import Location
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal
REAL = "bsx/store-2022-eur-2524-lots.bsx"


@pytest.fixture
def brick():
    """3001 in Red and Blue, 2.5 g each."""
    item = make_item("3001", weight_grams=D("2.500"))
    make_lot(item, make_color(7))
    return make_lot(item, make_color(5))


def counts(sync, *names):
    return tuple(sync.counts[name] for name in names)


def rows(sync, kind):
    return sync_rows(sync=sync, kind=kind, offset=0, limit=100).rows


class TestPreview:
    def test_changes_nothing_of_the_stock(self, ann, brick):
        make_stock(ann, brick, 5)
        before = stock(ann)

        preview(ann, bsx(lot(qty=9), lot(color=7, Remarks="B-07")))

        assert stock(ann) == before
        assert not Location.objects.exists()
        assert Movement.objects.count() == 1

    def test_counts_what_would_happen(self, ann, brick):
        same = make_stock(ann, brick, 5, marketplace_lot_id=1)
        make_stock(ann, brick, 5, marketplace_lot_id=2)
        make_stock(ann, brick, 5, marketplace_lot_id=3, condition="N")
        assert same.remarks == ""

        sync = preview(
            ann,
            bsx(
                lot(qty=5, LotID=1),
                lot(qty=7, LotID=2, Comments="two more"),
                lot(color=7, qty=1, Remarks="B-07"),
                lot("9999x", qty=3, Remarks="B-07"),
                lot(qty=-4),
            ),
        )

        assert sync.state == SyncState.PREVIEWED
        assert sync.counts == {
            "lots": 5,
            "pieces": 16,
            "value": "1.60",
            "created": 1,
            "changed": 1,
            "zeroed": 1,
            "unchanged": 1,
            "unreadable": 1,
            "unknown": 1,
            "unknown_created": 1,
            "unknown_changed": 0,
            "unknown_conditions": 0,
            "warnings": sync.counts["warnings"],
            "in_stock": 3,
            "new_locations": 1,
            "matched_locations": 0,
            "left_out_names": 0,
            "ignored_remarks": 0,
            "listed_lots": 3,
            "listed_lots_there": 2,
            "lots_with_id": 2,
            "to_confirm": 1,
            "uploaded": 0,
        }
        assert sync.new_locations == ["B-07"]

    def test_tells_changes_field_by_field(self, ann, brick):
        bin_ = make_location(ann, "A-1")
        make_stock(ann, brick, 5, bin_, marketplace_lot_id=2)

        sync = preview(ann, bsx(lot(qty=7, price="0.250", LotID=2, Remarks="B-07", Sale=10)))

        assert rows(sync, "changed")[0]["changes"] == {
            "quantity": {"before": 5, "after": 7},
            "location": {"before": "A-1", "after": "B-07"},
            "price": {"before": "0.1000", "after": "0.2500"},
            "remarks": {"before": "A-1", "after": "B-07"},
            "sale": {"before": 0, "after": 10},
        }

    def test_names_the_row_that_cannot_be_read(self, ann, brick):
        sync = preview(ann, bsx(lot(), lot(qty=-4, LotID=77)))

        row = rows(sync, "unreadable")[0]
        assert row["reason"] == "Qty is -4; expected 0 or more."
        assert (row["index"], row["line"], row["quantity"]) == (1, 5, -4)
        assert sync.job.failed == [
            {
                "error": "Qty is -4; expected 0 or more.",
                "context": "lot 2, line 5: 3001 Red, LotID 77",
            }
        ]

    def test_says_of_a_lot_that_is_not_taken_only_why(self, ann, brick):
        sync = sync_file(ann, bsx(lot(qty=-4, Cost="cheap"), lot("", Cost="cheap"), lot(Cost="x")))

        assert counts(sync, "lots", "created", "unreadable", "unknown") == (3, 1, 2, 0)
        assert [(row["index"], row["field"]) for row in rows(sync, "warnings")] == [(2, "Cost")]
        assert [row["reason"] for row in rows(sync, "unreadable")] == [
            "Qty is -4; expected 0 or more.",
            "ItemID, ItemName, Remarks and Comments are empty; expected one that names the lot.",
        ]
        assert InventoryItem.objects.count() == 1

    def test_leaves_the_row_of_an_unreadable_lot_alone(self, ann, brick):
        make_stock(ann, brick, 5, marketplace_lot_id=77)

        sync = sync_file(ann, bsx(lot(qty="1,234.5", LotID=77)))

        assert counts(sync, "unreadable", "zeroed") == (1, 0)
        assert quantities(ann) == [(None, 5)]

    def test_says_of_what_it_left_out_why_when_it_is_applied(self, ann, brick):
        sync = sync_file(ann, bsx(lot(), lot(qty=-4)))

        assert sync.job.kind == bsx_sync.APPLY_KIND
        assert sync.job.failed == [
            {"error": "Qty is -4; expected 0 or more.", "context": "lot 2, line 5: 3001 Red"}
        ]

    def test_takes_no_locations_from_remarks_when_told_so(self, ann, brick):
        known = make_location(ann, "A-1")

        sync = sync_file(
            ann,
            bsx(lot(Remarks="A-1"), lot(color=7, Remarks="look twice")),
            create_locations=False,
        )

        assert sync.counts["new_locations"] == 0
        assert list(Location.objects.values_list("name", flat=True)) == ["A-1"]
        assert quantities(ann) == [(None, 1), (known.name, 1)]
        assert InventoryItem.objects.get(location=None).remarks == "look twice"

    def test_finds_former_and_other_spellings_of_items(self, ann):
        made = make_lot(make_item("3001pb01"), make_color(5))

        sync_file(ann, bsx(lot("3001PB01")))

        assert InventoryItem.objects.get().lot == made

    def test_makes_lots_that_nobody_saw_in_that_colour(self, ann, brick):
        make_color(11)

        sync = preview(ann, bsx(lot(color=11)))
        assert sync.counts["unknown"] == 0
        apply(sync)

        made = InventoryItem.objects.get().lot
        assert (made.item_id, made.color_id, made.is_known) == (brick.item_id, 11, False)
        assert sync_file(ann, bsx(lot(color=11))).counts["unchanged"] == 1

    def test_can_be_made_again_with_other_options(self, ann, brick):
        sync = preview(ann, bsx(lot(Remarks="B-07")))

        start_preview(sync=sync, options=SyncOptions(create_locations=False), by=ann)
        run_jobs()

        sync.refresh_from_db()
        assert (sync.state, sync.counts["new_locations"]) == (SyncState.PREVIEWED, 0)
        assert sync.chunks.count() == 1

    def test_fails_with_the_reason_and_offers_repair_of_a_cut_file(self, ann, brick):
        whole = bsx(lot(), lot(color=7), lot(color=7, condition="N"))
        cut = whole[: whole.rindex(b"<Item>") + 20]

        sync = preview(ann, cut)
        assert (sync.state, sync.counts) == (SyncState.FAILED, {"can_repair": True})
        assert sync.job.message == sync.problem != ""
        start_preview(sync=sync, options=SyncOptions(repair=True), by=ann)
        run_jobs()

        sync.refresh_from_db()
        assert (sync.state, sync.counts["lots"]) == (SyncState.PREVIEWED, 2)
        assert sync.header["is_truncated"] is True

    def test_pages_through_rows_of_one_kind(self, ann, brick, monkeypatch):
        monkeypatch.setattr("apps.inventory.services._sync_preview.CHUNK", 3)
        sync = preview(ann, bsx(*[lot(qty=n) for n in range(1, 9)]))

        page = sync_rows(sync=sync, kind="created", offset=2, limit=4)

        assert sync.chunks.count() == 3
        assert (page.total, [row["quantity"] for row in page.rows]) == (8, [3, 4, 5, 6])


class TestUploads:
    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"PK\x03\x04" + b"\0" * 200, "zip"),
            (b"<!DOCTYPE html><html><body>Log in</body></html>", "web page"),
            (b"<Other/>", "root <Other>"),
            (b"", "empty"),
            (b"just text", "XML"),
            (
                b'<?xml version="1.0"?><!DOCTYPE BrickStoreXML [<!ENTITY a "b">'
                b'<!ENTITY c "&a;&a;&a;">]><BrickStoreXML><Inventory>&c;</Inventory>'
                b"</BrickStoreXML>",
                "entit",
            ),
        ],
        ids=["zip", "html", "root", "empty", "text", "bomb"],
    )
    def test_refuses_what_is_no_bsx_file_at_once(self, ann, content, says):
        with pytest.raises(Invalid) as refused:
            preview(ann, content)

        assert says.lower() in refused.value.fields["file"][0].lower()
        assert not InventorySync.objects.exists()
        assert not Job.objects.exists()

    def test_refuses_a_file_beyond_the_limit(self, ann, settings):
        settings.MAX_UPLOAD_BYTES = 100

        with pytest.raises(UploadTooLarge):
            preview(ann, bsx(lot()))

        assert not InventorySync.objects.exists()

    def test_keeps_the_file_under_a_name_of_its_own(self, ann, brick):
        content = bsx(lot())

        sync = preview(ann, content, name="../../etc/passwd.bsx")

        assert sync.file.name.startswith("bsx_syncs/")
        assert "passwd" not in sync.file.name
        with sync.file.open("rb") as kept:
            assert kept.read() == content


class TestApply:
    def test_makes_rows_with_all_fields_of_the_file(self, ann, brick):
        sync = sync_file(
            ann,
            bsx(
                lot(
                    qty=4,
                    price="0.123",
                    condition="N",
                    Cost="0.050",
                    Bulk=2,
                    Sale=20,
                    Comments="a &amp; b",
                    Remarks="B-07",
                    Reserved="bo",
                    LotID=275213741,
                    TQ1=10,
                    TP1="0.100",
                    Retain="",
                    Stockroom="B",
                    Status="E",
                    TotalWeight="10.8",
                    MarkerText="look",
                    MarkerColor="#ff0000",
                    DateAdded="2021-12-13T00:00:00Z",
                    OwlID="123-45",
                )
            ),
        )

        row = InventoryItem.objects.get()
        assert sync.state == SyncState.APPLIED
        assert sync.applied_counts["created"] == 1
        assert (row.lot, row.quantity, row.price, row.cost) == (brick, 4, D("0.123"), D("0.05"))
        assert (row.condition, row.bulk, row.sale, row.comments) == ("N", 2, 20, "a & b")
        assert (row.location.name, row.remarks, row.reserved) == ("B-07", "B-07", "bo")
        assert (row.marketplace_lot_id, row.tq1, row.tp1) == (275213741, 10, D("0.1"))
        assert (row.retain, row.stockroom, row.status) == (True, "B", "E")
        assert (row.unit_weight_grams, row.piece_grams) == (D("2.7"), D("2.7"))
        assert (row.marker_text, row.marker_color) == ("look", "#ff0000")
        assert row.date_added.isoformat() == "2021-12-13T00:00:00+00:00"
        assert row.extra["extra"] == [["OwlID", "123-45", None]]
        movement = Movement.objects.get()
        assert (movement.delta, movement.reason, movement.cause_id) == (4, Reason.IMPORT, sync.pk)
        row.location.refresh_from_db()
        assert (row.location.item_count, row.location.stored_weight) == (4, D("10.8"))
        assert check_ledger().is_sound

    def test_changes_nothing_the_second_time(self, ann, brick):
        content = bsx(
            lot(qty=3, LotID=5, Remarks="B-07"), lot(color=7, OwlID="1"), lot("nope"), lot(), lot()
        )
        sync_file(ann, content)
        before, booked = stock(ann), Movement.objects.count()

        again = sync_file(ann, content)

        assert counts(again, "created", "changed", "zeroed", "unchanged", "unknown") == (
            0,
            0,
            0,
            4,
            1,
        )
        assert (stock(ann), Movement.objects.count()) == (before, booked)

    def test_keeps_lots_that_the_catalogue_does_not_know(self, ann):
        sync_file(ann, bsx(lot("x99", ItemName="Odd thing", ColorName="Mauve", color=321)))

        row = InventoryItem.objects.get()
        assert (row.lot, row.is_incomplete) == (None, True)
        assert (row.raw_item_number, row.raw_item_name) == ("x99", "Odd thing")
        assert (row.raw_color_id, row.raw_color_name) == (321, "Mauve")

    def test_zeroes_what_the_file_lacks_and_deletes_nothing(self, ann, brick):
        bin_ = make_location(ann, "A-1")
        gone = make_stock(ann, brick, 5, bin_, condition="N")

        sync_file(ann, bsx(lot(qty=2)))

        gone.refresh_from_db()
        assert (gone.quantity, gone.location, gone.deleted_at) == (0, bin_, None)
        assert gone.movements.order_by("id").last().delta == -5
        bin_.refresh_from_db()
        assert bin_.item_count == 0
        assert check_ledger().is_sound

    def test_wants_the_number_of_zeroed_lots_beyond_a_tenth(self, ann, brick):
        for n in range(9):
            make_stock(ann, brick, 1, marketplace_lot_id=n + 1)
        few = bsx(*[lot(LotID=n + 1) for n in range(8)])

        sync = preview(ann, few)
        with pytest.raises(ConfirmZeroed) as refused:
            apply(sync)
        with pytest.raises(ConfirmZeroed):
            apply(sync, confirm_zeroed=2)
        assert quantities(ann) == [(None, 1)] * 9
        apply(sync, confirm_zeroed=1)

        assert refused.value.data == [{"zeroed": 1, "in_stock": 9}]
        assert quantities(ann) == [(None, 0)] + [(None, 1)] * 8

    def test_suspects_another_store_where_half_of_the_lot_ids_are_not_there(self, ann, brick):
        for n in range(5):
            make_stock(ann, brick, 1, marketplace_lot_id=n + 1)
        before = stock(ann)

        # As many lots of the same part: all would match, and take the other store's ids on.
        sync = preview(ann, bsx(*[lot(LotID=n + 4) for n in range(5)]))

        assert (sync.counts["listed_lots"], sync.counts["listed_lots_there"]) == (5, 2)
        assert (sync.counts["zeroed"], sync.counts["to_confirm"]) == (0, 3)
        (warning,) = (one for one in sync.warnings if one["code"] == "another_store")
        assert warning["message"].startswith("The file names 2 of your store's 5 lots.")
        for wrong in (None, 0, 5):
            with pytest.raises(ConfirmAnotherStore):
                apply(sync, confirm_zeroed=wrong)
        assert stock(ann) == before
        sync = apply(sync, confirm_zeroed=3)
        assert sync.state == "applied"
        assert stock(ann) != before
        undo(sync)
        assert stock(ann) == before

    def test_suspects_nothing_where_half_are_there_or_the_file_names_none(self, ann, brick):
        for n in range(4):
            make_stock(ann, brick, 1, marketplace_lot_id=n + 1)
        half = bsx(*[lot(LotID=n + 3) for n in range(4)])
        without_ids = bsx(*[lot() for _ in range(4)])

        for content in (half, without_ids):
            sync = preview(ann, content)
            assert (sync.counts["zeroed"], sync.counts["to_confirm"]) == (0, 0)
            assert "another_store" not in {one["code"] for one in sync.warnings}
            assert apply(sync).state == "applied"
            InventoryItem.objects.order_by("pk").update(marketplace_lot_id=F("pk"))

    def test_zeroes_up_to_a_tenth_without_asking(self, ann, brick):
        for n in range(10):
            make_stock(ann, brick, 1, marketplace_lot_id=n + 1)

        apply(preview(ann, bsx(*[lot(LotID=n + 1) for n in range(9)])))

        assert quantities(ann) == [(None, 0)] + [(None, 1)] * 9

    def test_carries_a_lot_to_the_bin_that_remarks_name(self, ann, brick):
        old = make_location(ann, "A-1")
        row = make_stock(ann, brick, 5, old, marketplace_lot_id=1)

        sync_file(ann, bsx(lot(qty=7, LotID=1, Remarks="B-07")))

        row.refresh_from_db()
        assert (row.location.name, row.quantity) == ("B-07", 7)
        moved = list(row.movements.order_by("id").values_list("delta", "to_location__name"))
        assert moved == [(5, "A-1"), (-5, "B-07"), (7, "B-07")]
        assert check_ledger().is_sound

    def test_leaves_a_lot_where_it_is_when_remarks_name_no_bin(self, ann, brick):
        row = make_stock(ann, brick, 5, make_location(ann, "A-1"), marketplace_lot_id=1)

        sync_file(ann, bsx(lot(qty=6, LotID=1)))

        row.refresh_from_db()
        assert (row.location.name, row.quantity, row.remarks) == ("A-1", 6, "")

    def test_matches_duplicate_lot_ids_each_once(self, ann, brick):
        content = bsx(lot(qty=1, LotID=9), lot(qty=2, LotID=9, color=7), lot(qty=3, LotID=9))

        first = sync_file(ann, content)
        again = sync_file(ann, content)

        assert first.counts["created"] == 3
        assert first.counts["warnings"] >= 2
        assert again.counts["unchanged"] == 3

    def test_tells_bins_that_are_over_their_limits_and_imports_all_the_same(self, ann, brick):
        make_location(ann, "B-07", max_item_count=3)

        sync = sync_file(ann, bsx(lot(qty=10, Remarks="B-07")))

        assert [(row["name"], row["item_count"]) for row in sync.over_limits] == [("B-07", 10)]
        assert quantities(ann) == [("B-07", 10)]

    def test_refuses_when_a_job_priced_its_last_rows_after_the_preview(
        self, ann, brick, monkeypatch
    ):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        monkeypatch.setattr(acts, "CHUNK", 1)
        rows = [make_stock(ann, brick, 5, marketplace_lot_id=lot_id) for lot_id in (1, 2)]
        how = Repricing(by=PriceBy.FIXED, price=Decimal("0.75"), rule=PriceRule())
        ids = [row.pk for row in rows]
        job = reprice_items(owner=ann, item_ids=ids, how=how, by=ann, now=now())
        found = []

        def between(*, run, **_):
            if run.job.pk == job.pk and run.done == 1 and not found:
                found.append(None)
                found[:] = [preview(ann, bsx(lot(qty=5, LotID=1), lot(qty=5, LotID=2)))]

        progressed.connect(between)
        run_jobs()
        progressed.disconnect(between)

        with pytest.raises(StockChangedSince):
            start_apply(sync=found[0], confirm_zeroed=None, by=ann)

    def test_refuses_when_the_stock_changed_since_the_preview(self, ann, brick):
        row = make_stock(ann, brick, 5, marketplace_lot_id=1)
        sync = preview(ann, bsx(lot(qty=9, LotID=1)))
        adjust_quantity(owner=ann, item_id=row.pk, delta=1, by=ann, now=NOON)

        with pytest.raises(StockChangedSince):
            apply(sync)

        assert quantities(ann) == [(None, 6)]

    def test_cannot_be_applied_twice(self, ann, brick):
        sync = sync_file(ann, bsx(lot()))

        with pytest.raises(SyncNotReady):
            apply(sync)

    def test_leaves_the_stock_of_others_alone(self, ann, bo, brick):
        theirs = make_stock(bo, brick, 5, marketplace_lot_id=1)

        sync_file(ann, bsx(lot(qty=9, LotID=1)))

        theirs.refresh_from_db()
        assert theirs.quantity == 5
        assert quantities(ann) == [(None, 9)]


class TestSales:
    def booked(self, owner):
        rows = Movement.objects.filter(item__owner=owner).exclude(reason=Reason.UNDO)
        return sorted(rows.values_list("reason", "item__location__name", "delta"))

    def test_are_what_is_in_no_row_of_the_lot_any_more(self, ann, brick, monkeypatch):
        monkeypatch.setattr("apps.inventory.services._sync_preview.CHUNK", 1)
        where = [("A-1", 10), ("A-2", 10), ("A-3", 10)]
        other = {"number": "3001", "color": 5, "condition": "N"}
        first = [lot(qty=qty, Remarks=name, LotID=n) for n, (name, qty) in enumerate(where, 1)]
        sync_file(ann, bsx(*first, lot(**other, qty=4, Remarks="A-4", LotID=9)))
        was = self.booked(ann)

        # Of the used pieces, 10 + 4 left and 6 were added to A-2: 8 were sold. The new pieces
        # have no such addition.
        now_there = [
            lot(qty=6, Remarks="A-1", LotID=1),
            lot(qty=16, Remarks="A-2", LotID=2),
            lot(**other, qty=1, Remarks="A-4", LotID=9),
        ]
        sync = sync_file(ann, bsx(*now_there))

        new = self.booked(ann)
        for one in was:
            new.remove(one)
        assert new == [
            ("import", "A-2", 6),
            ("import", "A-3", -6),
            ("sale", "A-1", -4),
            ("sale", "A-3", -4),
            ("sale", "A-4", -3),
        ]
        assert check_ledger(owner=ann).is_sound

        undo(sync)

        assert check_ledger(owner=ann).is_sound
        assert sorted(
            InventoryItem.objects.owned_by(ann).values_list("location__name", "quantity")
        ) == [*where, ("A-4", 4)]
        assert Movement.objects.filter(reason=Reason.SALE, reversed_by=None).count() == 0


class TestPromises:
    """Pieces promised to orders while an import waits for its turn."""

    @pytest.fixture
    def promised(self, ann, brick):
        """A row of 5 pieces; what applies a file after 4 of them were promised."""
        row = make_stock(ann, brick, 5)

        def apply_after(*lots):
            sync = preview(ann, bsx(*lots))
            start_apply(sync=sync, confirm_zeroed=sync.counts["zeroed"], by=ann)
            promise_of(row, 4)
            run_jobs()
            return sync

        return row, apply_after

    def test_are_no_more_than_the_pieces_that_a_file_leaves(self, promised):
        row, apply_after = promised

        apply_after(lot(qty=1))

        row.refresh_from_db()
        assert (row.quantity, row.promised) == (1, 1)
        assert Promise.objects.get().quantity == 1

    def test_go_to_another_row_of_the_lot(self, ann, brick, promised):
        row, apply_after = promised
        other = make_stock(ann, brick, 9, price=D("0.2000"))

        apply_after(lot(qty=1), lot(qty=9, price="0.200"))

        row.refresh_from_db()
        other.refresh_from_db()
        assert [(each.quantity, each.promised) for each in (row, other)] == [(1, 1), (9, 3)]
        held = Promise.objects.order_by("item_id").values_list("item_id", "quantity")
        assert list(held) == [(row.pk, 1), (other.pk, 3)]

    def test_go_to_no_row_of_the_condition_that_a_file_gives_their_row(self, ann, brick):
        row = make_stock(ann, brick, 5, marketplace_lot_id=7)
        new = make_stock(ann, brick, 9, condition="N", marketplace_lot_id=8)
        used = make_stock(ann, brick, 9, price=D("0.2000"), marketplace_lot_id=9)
        sync = preview(
            ann,
            bsx(
                lot(qty=1, condition="N", LotID=7),
                lot(qty=9, condition="N", LotID=8),
                lot(qty=2, price="0.200", LotID=9),
            ),
        )
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        promise_of(row, 4)

        run_jobs()

        held = Promise.objects.order_by("item_id").values_list("item_id", "quantity")
        assert list(held) == [(row.pk, 1), (used.pk, 2)]
        new.refresh_from_db()
        assert new.promised == 0

    def test_do_not_join_uncounted_pieces_of_another_row(self, ann, brick, promised):
        row, apply_after = promised
        other = make_stock(ann, brick, 9, price=D("0.2000"))
        promise_of(other, 2, is_out=True)

        apply_after(lot(qty=1), lot(qty=9, price="0.200"))

        other.refresh_from_db()
        assert other.promised == 3
        take_promises_back(owner=ann, line_ids=[1], now=NOON)
        for each in (row, other):
            each.refresh_from_db()
            assert each.promised == 0

    def test_end_with_a_row_that_the_file_lacks(self, promised):
        row, apply_after = promised

        apply_after(lot(color=7, qty=2))

        row.refresh_from_db()
        assert (row.quantity, row.promised) == (0, 0)
        assert not Promise.objects.exists()

    def test_follow_the_undo_of_an_import(self, ann, brick):
        row = make_stock(ann, brick, 2)
        sync = sync_file(ann, bsx(lot(qty=9)))
        promise_of(row, 6)

        undo(sync, rows_changed_since="theirs")

        row.refresh_from_db()
        assert (row.quantity, row.promised) == (2, 2)
        assert Promise.objects.get().quantity == 2

    def test_are_not_read_where_enough_pieces_are_left(self, ann, brick):
        make_stock(ann, brick, 5)
        kept = make_stock(ann, brick, 5, condition="N")
        promise_of(kept, 4)
        sync = preview(ann, bsx(lot(qty=1), lot(qty=1, condition="N")))
        start_apply(sync=sync, confirm_zeroed=None, by=ann)

        with CaptureQueriesContext(connection) as sent:
            run_jobs()

        read = f'FROM "{Promise._meta.db_table}"'
        # The lock asks whether there are any.
        assert not [one for one in sent if read in one["sql"] and "EXISTS" not in one["sql"]]
        kept.refresh_from_db()
        assert (kept.quantity, kept.promised) == (5, 4)


def promise_of(row, pieces, *, is_out=False):
    want = Want(line_id=1, quantity=pieces, lot_id=row.lot_id, item_id=row.pk, is_out=is_out)
    promise(owner=row.owner, wants=[want], now=NOON)


class TestCurrency:
    def test_is_asked_for_when_the_file_has_another(self, ann, brick):
        make_stock(ann, brick, 1)
        before = stock(ann)

        sync = preview(ann, bsx(lot(), currency="USD"))

        assert "currency_differs" in [warning["code"] for warning in sync.warnings]
        with pytest.raises(CurrencyDiffers) as refused:
            apply(sync)
        assert refused.value.data == [{"file_currency": "USD", "store_currency": "EUR"}]
        assert stock(ann) == before

    def test_is_adopted_by_an_account_without_amounts(self, ann, brick):
        make_stock(ann, brick, 0, price=None)

        sync = preview(ann, bsx(lot(price="1.000"), currency="GBP"))

        (warning,) = sync.warnings
        assert warning["code"] == "currency_adopted"
        assert "it will use GBP" in warning["message"]
        assert Preferences.objects.get(user=ann).currency == "EUR"
        apply(sync)
        assert Preferences.objects.get(user=ann).currency == "GBP"
        assert D("1.0000") in InventoryItem.objects.values_list("price", flat=True)

    def test_is_asked_for_when_amounts_came_after_the_preview(self, ann, brick):
        sync = preview(ann, bsx(lot(), currency="GBP"))
        make_stock(ann, brick, 1)

        with pytest.raises(CurrencyDiffers):
            apply(sync)

        assert Preferences.objects.get(user=ann).currency == "EUR"

    @pytest.mark.parametrize("currency", ["", "XXX"])
    def test_is_not_adopted_where_it_is_none(self, ann, brick, currency):
        sync = preview(ann, bsx(lot(), currency=currency))

        with pytest.raises(CurrencyDiffers):
            apply(sync)

        assert Preferences.objects.get(user=ann).currency == "EUR"

    def test_counts_as_dollars_when_missing_and_says_so(self, ann, brick):
        Preferences.objects.filter(user=ann).update(currency="USD")

        sync = sync_file(ann, bsx(lot(), currency=""))

        assert sync.currency == "USD"
        assert [warning["code"] for warning in sync.warnings] == ["missing_currency"]

    def test_is_converted_at_the_typed_rate(self, ann, brick):
        content = bsx(lot(price="1.000", Cost="0.333", TP1="0.900"), currency="USD")

        sync_file(ann, content, currency_action="convert", rate="0.9215")

        row = InventoryItem.objects.get()
        assert (row.price, row.cost, row.tp1) == (D("0.9215"), D("0.3069"), D("0.8294"))

    def test_is_relabelled_without_touching_amounts(self, ann, brick):
        sync_file(ann, bsx(lot(price="1.000"), currency="USD"), currency_action="relabel")

        assert InventoryItem.objects.get().price == D("1.0000")

    def test_stops_the_sync_when_told_so(self, ann, brick):
        make_stock(ann, brick, 1)
        sync = preview(ann, bsx(lot(), currency="USD"))

        start_preview(sync=sync, options=SyncOptions(currency_action="stop"), by=ann)

        assert sync.state == SyncState.CANCELLED
        with pytest.raises(SyncNotReady):
            apply(sync)

    @pytest.mark.parametrize("rate", ["", "0", "-1", "nan", "1,5", "1e9"])
    def test_wants_a_rate_above_zero(self, rate):
        with pytest.raises(Invalid):
            SyncOptions.read({"currency_action": "convert", "rate": rate})


class TestUndo:
    def test_restores_the_stock_to_the_piece(self, ann, brick):
        bin_ = make_location(ann, "A-1")
        make_stock(ann, brick, 5, bin_, marketplace_lot_id=1, comments="old")
        make_stock(ann, brick, 8, bin_, condition="N")
        before = stock(ann)
        sync = sync_file(
            ann,
            bsx(
                lot(qty=9, LotID=1, Remarks="B-07", Comments="new", price="0.500"),
                lot(color=7, qty=3, Remarks="B-07"),
                lot("what"),
            ),
        )
        assert stock(ann) != before

        undo(sync)

        assert sync.state == SyncState.UNDONE
        assert stock(ann) == before
        assert list(Location.objects.values_list("name", "item_count")) == [("A-1", 13)]
        assert check_ledger().is_sound
        assert Movement.objects.filter(reason=Reason.UNDO).count() == 5

    def test_keeps_the_ledger_of_rows_that_are_gone_again(self, ann, brick):
        sync = sync_file(ann, bsx(lot(qty=3)))

        undo(sync)

        gone = InventoryItem.with_deleted.get()
        assert gone.deleted_at is not None
        assert list(gone.movements.order_by("id").values_list("delta", flat=True)) == [3, -3]
        assert not InventoryItem.objects.exists()

    def test_lets_the_same_file_be_imported_again(self, ann, brick):
        content = bsx(lot(qty=3, Remarks="B-07"))
        undo(sync_file(ann, content))

        again = sync_file(ann, content)

        assert again.counts["created"] == 1
        assert quantities(ann) == [("B-07", 3)]

    def test_shows_rows_changed_since_and_waits_for_a_choice(self, ann, brick):
        sync = sync_file(ann, bsx(lot(qty=3, LotID=1), lot(color=7, qty=4, LotID=2)))
        touched = InventoryItem.objects.get(marketplace_lot_id=1)
        adjust_quantity(owner=ann, item_id=touched.pk, delta=-1, by=ann, now=NOON)
        before = stock(ann)

        with pytest.raises(RowsChangedSince) as refused:
            undo(sync)

        assert [row["id"] for row in refused.value.data] == [touched.pk]
        assert stock(ann) == before

    def test_keeps_mine_and_puts_back_the_rest(self, ann, brick):
        sync = sync_file(ann, bsx(lot(qty=3, LotID=1), lot(color=7, qty=4, LotID=2)))
        touched = InventoryItem.objects.get(marketplace_lot_id=1)
        adjust_quantity(owner=ann, item_id=touched.pk, delta=-1, by=ann, now=NOON)

        undo(sync, rows_changed_since="mine")

        assert quantities(ann) == [(None, 2)]
        assert sync.job.result["kept"] == 1
        assert check_ledger().is_sound

    def test_puts_back_theirs_too(self, ann, brick):
        row = make_stock(ann, brick, 5, marketplace_lot_id=1)
        sync = sync_file(ann, bsx(lot(qty=9, LotID=1)))
        take_out(owner=ann, lines=[TakeLine(item_id=row.pk, quantity=2)], by=ann, now=NOON)

        undo(sync, rows_changed_since="theirs")

        assert quantities(ann) == [(None, 5)]
        assert list(row.movements.order_by("id").values_list("delta", flat=True)) == [
            5,
            4,
            -2,
            -4,
            2,
        ]
        assert check_ledger().is_sound

    def test_decides_row_by_row(self, ann, brick):
        sync = sync_file(ann, bsx(lot(qty=3, LotID=1), lot(color=7, qty=4, LotID=2)))
        one = InventoryItem.objects.get(marketplace_lot_id=1)
        two = InventoryItem.objects.get(marketplace_lot_id=2)
        for row in (one, two):
            adjust_quantity(owner=ann, item_id=row.pk, delta=10, by=ann, now=NOON)

        undo(sync, rows={one.pk: "mine", two.pk: "theirs"})

        assert quantities(ann) == [(None, 13)]
        assert check_ledger().is_sound

    def test_leaves_made_locations_that_are_in_use(self, ann, brick):
        sync = sync_file(ann, bsx(lot(qty=3, Remarks="B-07"), lot(color=7, Remarks="B-08")))
        make_stock(ann, brick, 1, Location.objects.get(name="B-07"), condition="N")

        undo(sync)

        assert list(Location.objects.values_list("name", "item_count")) == [("B-07", 1)]

    def test_is_refused_where_nothing_was_applied(self, ann, brick):
        with pytest.raises(SyncNotReady):
            undo(preview(ann, bsx(lot())))


class TestOneAtATime:
    def test_a_second_sync_is_refused_with_the_running_job(self, ann, bo, brick):
        content = bsx(lot())
        first = start_sync(
            owner=ann,
            file=SimpleUploadedFile("a.bsx", content),
            file_name="a.bsx",
            options=SyncOptions(),
            by=ann,
        )

        with pytest.raises(SyncRunning) as refused:
            preview(ann, content)
        other = preview(bo, content)

        assert refused.value.data[0]["id"] == first.job.pk
        assert refused.value.data[0]["sync_id"] == first.pk
        assert InventorySync.objects.owned_by(ann).count() == 1
        assert other.state == SyncState.PREVIEWED

    def test_a_cancelled_preview_makes_room(self, ann, brick):
        first = start_sync(
            owner=ann,
            file=SimpleUploadedFile("a.bsx", bsx(lot())),
            file_name="a.bsx",
            options=SyncOptions(),
            by=ann,
        )
        cancel_job(job=first.job)

        second = preview(ann, bsx(lot()))

        first.refresh_from_db()
        assert (first.state, second.state) == (SyncState.CANCELLED, SyncState.PREVIEWED)

    def test_a_cancelled_import_can_be_undone_or_finished(self, ann, brick, monkeypatch):
        monkeypatch.setattr("apps.inventory.services._sync_preview.CHUNK", 2)
        sync = preview(ann, bsx(*[lot(qty=n) for n in range(1, 7)]))
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        with cancelled_when(lambda run: run.done >= 4):
            job = run_jobs()[0]
        assert (job.state, job.done, job.total) == ("cancelled", 4, 6)
        assert [q for _, q in quantities(ann)] == [1, 2, 3, 4]

        undo(sync)

        assert (sync.state, quantities(ann)) == (SyncState.UNDONE, [])
        assert check_ledger().is_sound

    def test_a_cancelled_import_goes_on_where_it_stopped(self, ann, brick, monkeypatch):
        monkeypatch.setattr("apps.inventory.services._sync_preview.CHUNK", 2)
        sync = preview(ann, bsx(*[lot(qty=n) for n in range(1, 7)]))
        start_apply(sync=sync, confirm_zeroed=None, by=ann)
        with cancelled_when(lambda run: run.done >= 4):
            run_jobs()

        apply(sync)

        assert sync.state == SyncState.APPLIED
        assert [q for _, q in quantities(ann)] == [1, 2, 3, 4, 5, 6]
        assert sync.applied_counts["created"] == 6


class TestTheRealStore:
    @pytest.mark.long("imports a real store of 2,524 lots three times, and undoes two")
    def test_comes_in_again_unchanged_and_goes_out_to_the_piece(self, ann, brick, shared_data):
        content = shared_data(REAL).read_bytes()
        make_stock(ann, brick, 5, make_location(ann, "old"), comments="was here")
        before = stock(ann)

        first = sync_file(ann, content)
        assert counts(first, "lots", "created", "unknown_created", "unreadable") == (
            2524,
            1,
            2523,
            0,
        )
        assert first.counts["new_locations"] == Location.objects.count() - 1
        assert "several_locations" not in {warning["code"] for warning in first.warnings}
        assert check_ledger().is_sound
        imported = stock(ann)

        again = sync_file(ann, content)
        assert counts(again, "unknown_created", "changed", "zeroed", "unchanged") == (0, 0, 0, 1)
        assert stock(ann) == imported

        edited = content.replace(b"<Qty>4</Qty>", b"<Qty>5</Qty>", 7).replace(
            b"<Price>0.072</Price>", b"<Price>0.080</Price>", 3
        )
        change = sync_file(ann, edited)
        assert change.counts["unknown_changed"] >= 7
        assert undo(change).state == SyncState.UNDONE
        assert stock(ann) == imported

        undo(first)
        assert stock(ann) == before
        assert list(Location.objects.values_list("name", flat=True)) == ["old"]
        assert check_ledger().is_sound

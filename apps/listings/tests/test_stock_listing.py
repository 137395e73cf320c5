"""Listing rows of stock and taking them off sale: real jobs, real HTTP, and never twice."""

from decimal import Decimal
from functools import partial

import pytest
from django.db.models import Sum

from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.tests.factories import list_all, make_batch, make_item, make_location, stow_all
from apps.core.clock import now
from apps.core.jobs.dispatch import cancel_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.listings.models import Listing
from apps.listings.services.listing import (
    NothingToList,
    NothingToUnlist,
    start_stock_listing,
    start_unlisting,
)
from apps.listings.tests.listing import (
    calls_of,
    items_of,
    let_a_minute_pass,
    list_items,
    look_again,
    lots_of,
    part,
    start,
    stock_of_store,
)
from apps.listings.tests.test_listing_kills import journal, killer, steps, undone
from apps.listings.tests.test_services_store_sync import differing, plan
from apps.locations.models import Location
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db
__all__ = ["journal", "killer"]

OPEN = ["planned", "sending", "unknown"]


def row_of(owner, number=3001, quantity=5, place="A-01", **also):
    """A row of stock that is not for sale."""
    location, lot = owner_place(owner, place), also.pop("lot", None) or part(number)
    if also.get("price"):
        also["price"] = Decimal(also["price"])
    return make_stock(owner, lot, quantity, location, condition="U", **also)


def owner_place(owner, name):
    found = Location.objects.filter(owner=owner, name=name).first()
    return found or make_location(owner, name)


def begin(owner, rows, stockroom="", *, unlist=False):
    ids = [row.pk for row in rows]
    starter = start_unlisting if unlist else start_stock_listing
    return starter(owner=owner, row_ids=ids, stockroom=stockroom, now=now()).job


def put_up(owner, rows, stockroom=""):
    """List and run; return the job as it ended."""
    job = begin(owner, rows, stockroom)
    run_jobs()
    job.refresh_from_db()
    return job


def take_off(owner, rows, stockroom="A"):
    """Unlist and run; return the job as it ended."""
    job = begin(owner, rows, stockroom, unlist=True)
    run_jobs()
    job.refresh_from_db()
    return job


def change_lot(store, owner, lot, **fields):
    """Change a lot in the store, to values of any kind."""
    stock_of_store(store, owner).change(lot["inventory_id"], lambda one: {**one, **fields})


def again(row):
    row.refresh_from_db()
    return row


def agree(store, owner):
    """Every lot of the store is ours, with our pieces and in our stockroom; nothing is open."""
    there = {
        lot["inventory_id"]: (lot["quantity"], lot.get("stock_room_id", ""))
        for lot in lots_of(store, owner)
    }
    listed = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__isnull=False)
    rows = listed.values("marketplace_lot_id", "stockroom").annotate(all=Sum("quantity"))
    here = {row["marketplace_lot_id"]: (row["all"], row["stockroom"]) for row in rows}
    assert here == there
    assert len(rows) == len(here)
    assert not Listing.objects.filter(state__in=OPEN).exists()
    assert not BatchItem.objects.filter(is_listed_pending=True).exists()
    assert set(differing(plan(owner))) <= {"same", "not_listed"}


class TestListing:
    def test_puts_a_row_up_with_quantity_price_and_place(self, store, connected):
        row = row_of(connected, quantity=7, price="0.1250", comments="a (b)", remarks="A-01")

        job = put_up(connected, [row])

        (lot,) = lots_of(store, connected)
        assert job.state == JobState.SUCCEEDED
        assert job.result == {
            "unlists": False,
            "item_count": 1,
            "failed_count": 0,
            "unknown_count": 0,
            "created": 1,
            "topped_up": 0,
            "moved": 0,
            "calls": 2,  # the store read, the lot put up
            "settle_job_id": None,
        }
        assert (lot["item"]["no"], lot["color_id"], lot["quantity"]) == ("3001", 5, 7)
        assert (lot["unit_price"], lot["description"]) == ("0.1250", "a (b)")
        assert lot["remarks"].startswith("A-01 #b")
        assert (again(row).marketplace_lot_id, row.stockroom) == (lot["inventory_id"], "")
        assert (row.quantity, row.remarks) == (7, "A-01")
        assert job.message == "1 listed, 0 failed"
        agree(store, connected)

    def test_leaves_out_pieces_that_are_promised_to_buyers(self, store, connected):
        row = row_of(connected, quantity=7)
        InventoryItem.objects.filter(pk=row.pk).update(promised=3)

        put_up(connected, [row])

        (lot,) = lots_of(store, connected)
        assert lot["quantity"] == 4

    def test_puts_many_up_in_few_calls(self, store, connected):
        rows = [row_of(connected, number) for number in range(3001, 3061)]

        job = put_up(connected, rows)

        assert len(lots_of(store, connected)) == 60
        assert job.done == job.total == job.result["item_count"] == 60
        assert calls_of(store, "POST") == 2
        agree(store, connected)

    def test_goes_into_a_stockroom(self, store, connected):
        row = row_of(connected)

        put_up(connected, [row], "B")

        assert lots_of(store, connected)[0]["stock_room_id"] == again(row).stockroom == "B"
        agree(store, connected)

    def test_goes_where_the_row_says(self, store, connected):
        rows = [row_of(connected, 3001, stockroom="C"), row_of(connected, 3002)]

        put_up(connected, rows, None)

        rooms = {
            lot["item"]["no"]: lot.get("stock_room_id", "") for lot in lots_of(store, connected)
        }
        assert rooms == {"3001": "C", "3002": ""}

    def test_makes_one_lot_of_rows_that_agree(self, store, connected):
        rows = [
            row_of(connected, 3001, 4, "A-01", remarks="blue box"),
            row_of(connected, 3001, 6, "A-02", remarks="blue box"),
        ]

        job = put_up(connected, rows)

        (lot,) = lots_of(store, connected)
        assert lot["quantity"] == 10
        assert {again(row).marketplace_lot_id for row in rows} == {lot["inventory_id"]}
        assert (job.result["item_count"], job.result["created"]) == (2, 1)
        agree(store, connected)

    def test_goes_on_top_of_a_lot_that_agrees(self, store, connected):
        first = row_of(connected, 3001, 4, "A-01", remarks="blue box")
        put_up(connected, [first], "B")
        second = row_of(connected, 3001, 6, "A-02", remarks="blue box")

        job = put_up(connected, [second], "B")

        (lot,) = lots_of(store, connected)
        assert (lot["quantity"], job.result["topped_up"]) == (10, 1)
        assert (again(second).marketplace_lot_id, second.stockroom) == (lot["inventory_id"], "B")
        agree(store, connected)


class TestWhatIsForSaleAlready:
    def test_is_told_and_not_sent(self, store, connected):
        old, new = row_of(connected, 3001), row_of(connected, 3002)
        put_up(connected, [old])

        job = put_up(connected, [old, new])

        assert [(one["id"], one["reason"]) for one in job.failed] == [
            (old.pk, "It is for sale already.")
        ]
        assert (job.result["item_count"], job.done, job.total) == (1, 2, 2)
        assert [lot["quantity"] for lot in lots_of(store, connected)] == [5, 5]
        agree(store, connected)

    def test_is_refused_at_once_where_it_is_all(self, store, connected):
        row = row_of(connected)
        put_up(connected, [row])
        made = calls_of(store, "")

        with pytest.raises(NothingToList):
            begin(connected, [row])
        assert (calls_of(store, ""), Job.objects.count()) == (made, 1)

    def test_is_not_put_up_by_two_jobs_one_after_the_other(self, store, connected):
        row = row_of(connected)
        first, second = begin(connected, [row]), begin(connected, [row])

        run_jobs()

        assert len(lots_of(store, connected)) == calls_of(store, "POST") == 1
        first.refresh_from_db()
        second.refresh_from_db()
        assert sorted(job.result["item_count"] for job in (first, second)) == [0, 1]
        agree(store, connected)

    @pytest.mark.parametrize("count", [1, 6])
    def test_is_not_put_up_by_a_job_in_the_middle_of_another(
        self, store, connected, monkeypatch, count
    ):
        rows = [row_of(connected, 3001 + n) for n in range(count)]
        first, second = begin(connected, rows), begin(connected, rows)
        real, met = BrickLinkStore.call, []

        def call(self, kind, method, path, **also):
            if method == "POST" and not met:
                met.append(True)
                run_job(second.pk)
            return real(self, kind, method, path, **also)

        monkeypatch.setattr(BrickLinkStore, "call", call)
        run_job(first.pk)

        second.refresh_from_db()
        assert {one["outcome"] for one in second.failed} == {"unknown"}
        assert len(second.failed) == count
        assert len(lots_of(store, connected)) == count
        assert calls_of(store, "POST") == 1
        agree(store, connected)

    def test_is_not_doubled_where_it_was_marked_by_hand(self, store, connected):
        batch = make_batch(connected)
        make_item(batch, lot=part(3001), location=owner_place(connected, "A-01"))
        stow_all(batch)
        list_all(batch)

        job = put_up(connected, [InventoryItem.objects.get()])

        assert "marked as listed in a batch" in job.failed[0]["reason"]
        assert lots_of(store, connected) == []

    def test_is_not_doubled_where_the_store_has_it_untied(self, store, connected):
        row = row_of(connected, remarks="A-01")
        put_up(connected, [row])
        InventoryItem.objects.update(marketplace_lot_id=None)

        job = put_up(connected, [row])

        (lot,) = lots_of(store, connected)
        assert f"such a lot already ({lot['inventory_id']})" in job.failed[0]["reason"]
        assert differing(plan(connected)) == {"linked": 1}

    def test_is_not_doubled_where_the_store_has_it_untied_and_unreadable(self, store, connected):
        row, other = row_of(connected, remarks="A-01"), row_of(connected, 3002)
        put_up(connected, [row])
        InventoryItem.objects.update(marketplace_lot_id=None)
        (lot,) = lots_of(store, connected)
        change_lot(store, connected, lot, sale_rate="12.5")

        job = put_up(connected, [row, other])

        (failed,) = job.failed
        assert failed["id"] == row.pk
        assert f"Lot {lot['inventory_id']} of the store may be this one" in failed["reason"]
        assert "sale_rate is “12.5”" in failed["reason"]
        assert [one["item"]["no"] for one in lots_of(store, connected)] == ["3001", "3002"]

    def test_is_not_put_up_where_a_lot_of_the_store_may_be_any(self, store, connected):
        row, tied = row_of(connected, 3002), row_of(connected, remarks="A-01")
        put_up(connected, [tied])
        (lot,) = lots_of(store, connected)
        change_lot(store, connected, lot, item={"type": "PART", "name": "Brick"})
        InventoryItem.objects.filter(pk=tied.pk).update(marketplace_lot_id=None)

        job = put_up(connected, [row])

        assert "no is missing" in job.failed[0]["reason"]
        assert len(lots_of(store, connected)) == 1

        InventoryItem.objects.filter(pk=tied.pk).update(marketplace_lot_id=lot["inventory_id"])
        assert put_up(connected, [row]).failed_count == 0


class TestBatchItems:
    """Pieces of batch items that wait in a row: neither doubled nor lost."""

    @pytest.fixture
    def batch(self, connected):
        """Three pieces of an item that waits, on top of five loose ones."""
        row_of(connected, 3001, 5, remarks="A-01")
        batch = make_batch(connected)
        place = owner_place(connected, "A-01")
        make_item(batch, quantity=3, lot=part(3001), location=place, condition="U")
        stow_all(batch)
        return batch

    def test_are_listed_with_their_row(self, store, connected, batch):
        row = InventoryItem.objects.get()

        job = put_up(connected, [row])

        (lot,) = lots_of(store, connected)
        (item,) = items_of(batch)
        assert (lot["quantity"], job.result["item_count"], job.done) == (8, 1, 1)
        assert (item.is_listed, item.is_listed_pending) == (True, False)
        assert item.marketplace_lot_id == lot["inventory_id"]
        assert (item.listed_at is not None, item.is_changed_since_listing) == (True, False)
        log = BatchOperation.objects.get(batch=batch, kind="list")
        assert (log.outcome, log.item_count) == ("success", 1)
        assert log.items == [{"id": item.pk, "name": item.shown_name}]
        agree(store, connected)

    def test_go_on_top_of_a_row_that_is_for_sale(self, store, connected, batch):
        row = InventoryItem.objects.get()
        put_up(connected, [row])
        more = make_batch(connected, "More")
        place = row.location
        make_item(more, quantity=4, lot=part(3001), location=place, condition="U")
        stow_all(more)

        job = put_up(connected, [again(row)])

        (lot,) = lots_of(store, connected)
        assert (lot["quantity"], again(row).quantity) == (12, 12)
        assert (job.result["topped_up"], items_of(more)[0].is_listed) == (1, True)
        agree(store, connected)

    def test_come_out_of_the_stockroom_with_their_row_in_one_call(self, store, connected, batch):
        row = InventoryItem.objects.get()
        put_up(connected, [row])
        take_off(connected, [row])
        more = make_batch(connected, "More")
        make_item(
            more, quantity=4, lot=part(3001), location=row.location, condition="U", stockroom="A"
        )
        stow_all(more)
        assert InventoryItem.objects.get().quantity == 12

        job = put_up(connected, [row])

        (lot,) = lots_of(store, connected)
        assert (lot["quantity"], lot["is_stock_room"]) == (12, False)
        assert (job.result["moved"], calls_of(store, "PUT")) == (1, 2)
        assert items_of(more)[0].is_listed
        agree(store, connected)

    def test_that_their_batch_lists_are_left_to_it(self, store, connected, batch):
        row = InventoryItem.objects.get()
        start(batch)
        begin(connected, [row])

        run_jobs()

        (lot,) = lots_of(store, connected)
        assert (lot["quantity"], items_of(batch)[0].is_listed) == (8, True)
        agree(store, connected)

    def test_take_the_loose_pieces_of_their_row_along(self, store, connected, batch):
        job = list_items(batch)

        (lot,) = lots_of(store, connected)
        assert (lot["quantity"], job.result["item_count"], job.done) == (8, 1, 1)
        assert differing(plan(connected)) == {"same": 1}

    def test_that_their_batch_lists_later_find_nothing_to_do(self, store, connected, batch):
        row = InventoryItem.objects.get()
        job = begin(connected, [row])
        later = start(batch)

        run_job(job.pk)
        run_job(later.pk)

        (lot,) = lots_of(store, connected)
        assert lot["quantity"] == 8
        agree(store, connected)

    def test_of_an_archived_batch_stay(self, store, connected, batch):
        Batch.objects.update(is_archived=True, archived_at=now())
        row = InventoryItem.objects.get()

        put_up(connected, [row])

        assert [lot["quantity"] for lot in lots_of(store, connected)] == [5]
        assert not items_of(batch)[0].is_listed
        assert differing(plan(connected)) == {"same": 1}

    def test_are_told_why_they_are_refused(self, store, connected, batch):
        InventoryItem.objects.update(price=None)

        job = put_up(connected, [InventoryItem.objects.get()])

        assert [one["reason"] for one in job.failed] == [
            "It has no price: the marketplace takes none without one."
        ]
        (item,) = items_of(batch)
        assert (item.is_listed_pending, item.failure) == (False, job.failed[0]["reason"])
        assert lots_of(store, connected) == []


class TestUnlisting:
    def test_puts_the_lot_into_a_stockroom_and_keeps_all_of_it(self, store, connected):
        row = row_of(connected, quantity=7, comments="fine", remarks="A-01")
        put_up(connected, [row])
        (before,) = lots_of(store, connected)

        job = take_off(connected, [row])

        (after,) = lots_of(store, connected)
        kept = ("inventory_id", "quantity", "unit_price", "description", "date_created")
        assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
        assert (after["is_stock_room"], after["stock_room_id"]) == (True, "A")
        assert (again(row).stockroom, row.marketplace_lot_id) == ("A", before["inventory_id"])
        assert (row.quantity, job.result["item_count"], job.result["moved"]) == (7, 1, 1)
        assert job.message == "1 taken off sale, 0 failed"
        assert calls_of(store, "DELETE") == 0
        agree(store, connected)

    def test_is_taken_back_by_listing_the_same_lot(self, store, connected):
        row = row_of(connected, quantity=7)
        put_up(connected, [row])
        (before,) = lots_of(store, connected)
        take_off(connected, [row], "C")

        job = put_up(connected, [row])

        (after,) = lots_of(store, connected)
        assert after["inventory_id"] == before["inventory_id"]
        assert (after["is_stock_room"], after["quantity"]) == (False, 7)
        assert again(row).stockroom == ""
        assert (job.result["moved"], job.result["created"]) == (1, 0)
        agree(store, connected)

    def test_takes_a_lot_in_several_places_as_a_whole(self, store, connected):
        rows = [
            row_of(connected, 3001, 4, "A-01", remarks="blue box"),
            row_of(connected, 3001, 6, "A-02", remarks="blue box"),
        ]
        put_up(connected, rows)

        take_off(connected, rows[:1])

        assert [again(row).stockroom for row in rows] == ["A", "A"]
        agree(store, connected)

    def test_counts_all_rows_of_a_lot_that_were_chosen(self, store, connected, monkeypatch):
        monkeypatch.setattr("apps.listings.services._course.IN_ONE_CALL", 1)
        rows = [
            row_of(connected, 3001, 4, "A-01", remarks="blue box"),
            row_of(connected, 3001, 6, "A-02", remarks="blue box"),
        ]
        put_up(connected, rows)

        job = take_off(connected, rows)

        assert (job.result["item_count"], job.failed, calls_of(store, "PUT")) == (2, [], 2)
        assert job.done == 2

    def test_leaves_what_buyers_took_meanwhile_sold(self, store, connected):
        row = row_of(connected, quantity=7)
        put_up(connected, [row])
        stock_of_store(store, connected).sell(again(row).marketplace_lot_id, 2)

        take_off(connected, [row])

        assert [lot["quantity"] for lot in lots_of(store, connected)] == [5]
        assert differing(plan(connected)) == {"sold": 1}

    def test_tells_what_is_not_for_sale(self, store, connected):
        listed, never = row_of(connected, 3001), row_of(connected, 3002)
        hidden = row_of(connected, 3003)
        put_up(connected, [listed, hidden])
        take_off(connected, [hidden], "B")

        job = take_off(connected, [listed, never, hidden])

        assert {one["id"]: one["reason"] for one in job.failed} == {
            never.pk: "It is not for sale.",
            hidden.pk: "It is in stockroom B already, where buyers do not see it.",
        }
        with pytest.raises(NothingToUnlist):
            begin(connected, [listed, never, hidden], "A", unlist=True)

    def test_tells_of_a_lot_that_is_gone_from_the_store(self, store, connected):
        row, other = row_of(connected, quantity=7), row_of(connected, 3002)
        put_up(connected, [row, other])
        stock_of_store(store, connected).sell(again(row).marketplace_lot_id, 7)

        job = take_off(connected, [row])

        assert "no longer in the store" in job.failed[0]["reason"]
        assert again(row).stockroom == ""
        assert differing(plan(connected)) == {"gone": 1, "same": 1}

    def test_leaves_what_waits_in_the_row(self, store, connected):
        row = row_of(connected, quantity=5, remarks="A-01")
        put_up(connected, [row])
        batch = make_batch(connected)
        make_item(batch, quantity=3, lot=part(3001), location=row.location, condition="U")
        stow_all(batch)

        take_off(connected, [row])

        assert [lot["quantity"] for lot in lots_of(store, connected)] == [5]
        (item,) = items_of(batch)
        assert (item.is_listed, item.is_listed_pending) == (False, False)
        assert differing(plan(connected)) == {"same": 1}


class TestRefusals:
    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ({"price": None}, "It has no price: the marketplace takes none without one."),
            ({"status": "X"}, "It is excluded from uploads (status X)."),
            (
                {"reserved": "Bo"},
                "It is reserved for Bo: the marketplace would offer it to everybody.",
            ),
            ({"lot": lambda: part("3002", 999)}, "The marketplace refused: Invalid color: 999"),
        ],
    )
    def test_tell_the_reason_and_list_the_others(self, store, connected, given, reason):
        given = {key: value() if callable(value) else value for key, value in given.items()}
        bad = row_of(connected, 3002, **given)
        good = [row_of(connected, number) for number in range(4001, 4007)]

        job = put_up(connected, [*good, bad])

        assert [(one["id"], one["reason"], one["outcome"]) for one in job.failed] == [
            (bad.pk, reason, "rejected")
        ]
        assert job.failed[0]["name"]
        assert again(bad).marketplace_lot_id is None
        assert len(lots_of(store, connected)) == 6
        agree(store, connected)

    def test_hold_for_what_comes_out_of_a_stockroom(self, store, connected):
        row = row_of(connected)
        put_up(connected, [row], "A")
        InventoryItem.objects.update(reserved="Bo")

        job = put_up(connected, [row])

        assert job.failed[0]["reason"].startswith("It is reserved for Bo")
        assert lots_of(store, connected)[0]["is_stock_room"]


class TestUnknownOutcomes:
    """A call without an answer is settled by reading; it is never sent again."""

    @pytest.mark.parametrize("mode", ["after", "cut_after"])
    @pytest.mark.parametrize("count", [1, 6])
    def test_of_new_lots_are_found_in_the_store(self, store, connected, mode, count):
        rows = [row_of(connected, 3001 + n) for n in range(count)]
        failing(store, mode, method="POST", path="/inventories")

        job = put_up(connected, rows)

        assert (job.result["item_count"], calls_of(store, "POST")) == (count, 1)
        agree(store, connected)

    @pytest.mark.parametrize("count", [1, 6])
    def test_of_new_lots_that_did_nothing_are_told_after_a_second_look(
        self, store, connected, count
    ):
        put_up(connected, [row_of(connected, 2001)])
        rows = [row_of(connected, 3001 + n) for n in range(count)]
        failing(store, "cut_before", method="POST", path="/inventories")

        job = put_up(connected, rows)
        assert (job.result["item_count"], job.result["unknown_count"]) == (0, count)
        asked = begin(connected, rows)  # in the same minute: nothing is sent
        run_job(asked.pk)
        asked.refresh_from_db()
        assert {one["outcome"] for one in asked.failed} == {"unknown"}
        assert calls_of(store, "POST") == 1  # of the first row
        (look,) = look_again()

        assert str(look.pk) == job.result["settle_job_id"]
        assert {one["id"] for one in look.failed} == {row.pk for row in rows}
        assert {one["outcome"] for one in look.failed} == {"rejected"}
        put_up(connected, rows)
        assert len(lots_of(store, connected)) == 1 + count
        agree(store, connected)

    @pytest.mark.parametrize("mode", ["after", "cut_after"])
    def test_of_unlisting_are_seen_by_the_mark(self, store, connected, mode):
        row = row_of(connected)
        put_up(connected, [row])
        failing(store, mode, method="PUT")

        job = take_off(connected, [row])

        assert (job.result["item_count"], calls_of(store, "PUT")) == (1, 1)
        assert again(row).stockroom == "A"
        agree(store, connected)

    def test_of_unlisting_that_did_nothing_are_told_truly(self, store, connected):
        row = row_of(connected)
        put_up(connected, [row])
        failing(store, "cut_before", method="PUT")

        job = take_off(connected, [row])
        assert (job.result["unknown_count"], again(row).stockroom) == (1, "")
        (look,) = look_again()

        assert look.failed[0]["reason"].startswith(
            "The marketplace did not answer, and the lot in the store is as it was"
        )
        agree(store, connected)
        take_off(connected, [row])
        assert lots_of(store, connected)[0]["stock_room_id"] == again(row).stockroom == "A"

    def test_of_a_batch_item_that_went_along_let_it_go_in_the_end(self, store, connected):
        put_up(connected, [row_of(connected, 2001)])
        batch = make_batch(connected)
        make_item(batch, lot=part(3001), location=owner_place(connected, "A-01"))
        stow_all(batch)
        (row,) = InventoryItem.objects.filter(lot__item__number="3001")
        failing(store, "cut_before", method="POST", path="/inventories")

        put_up(connected, [row])
        assert items_of(batch)[0].is_listed_pending
        look_again()

        (item,) = items_of(batch)
        assert (item.is_listed, item.is_listed_pending) == (False, False)
        assert "looked for twice" in item.failure
        list_items(batch)
        agree(store, connected)


class TestStops:
    def test_before_a_closed_store(self, store, connected):
        put_up(connected, [row_of(connected, 2001)])
        stock_of_store(store, connected).is_closed = True
        row = row_of(connected, 3001)

        job = put_up(connected, [row])

        assert job.state == JobState.FAILED
        assert job.message.startswith("The store reads as empty, as a closed one does")
        assert len(lots_of(store, connected)) == 1
        assert again(row).marketplace_lot_id is None
        stock_of_store(store, connected).is_closed = False
        put_up(connected, [row])
        agree(store, connected)

    def test_where_no_calls_are_left_and_goes_on_when_tried_again(
        self, store, connected, settings, api
    ):
        rows = [row_of(connected, number) for number in range(3001, 3061)]
        settings.MARKETPLACE_DAILY_CALLS = 5  # of which 4 are for stock

        job = put_up(connected, rows)

        assert job.state == JobState.FAILED
        assert "of today's 5 calls are used" in job.message
        assert len(lots_of(store, connected)) == 50
        assert InventoryItem.objects.filter(marketplace_lot_id__isnull=False).count() == 50
        assert not Listing.objects.filter(state__in=OPEN).exists()
        settings.MARKETPLACE_DAILY_CALLS = 100
        assert api(connected).post(f"/api/jobs/{job.pk}/retry").status_code == 200
        run_jobs()
        job.refresh_from_db()
        assert (job.state, job.result["item_count"]) == (JobState.SUCCEEDED, 60)
        agree(store, connected)

    def test_where_the_secrets_are_refused(self, store, connected):
        batch = make_batch(connected)
        make_item(batch, lot=part(3001), location=owner_place(connected, "A-01"))
        stow_all(batch)
        failing(store, "unauthorized_in_200", method="POST", path="/inventories")

        job = put_up(connected, [InventoryItem.objects.get()])

        assert (job.state, lots_of(store, connected)) == (JobState.FAILED, [])
        assert not items_of(batch)[0].is_listed_pending
        assert not Listing.objects.filter(state__in=OPEN).exists()

    def test_when_it_is_cancelled(self, store, connected):
        row = row_of(connected)
        job = begin(connected, [row])

        cancel_job(job=job)
        run_jobs()

        assert lots_of(store, connected) == []
        put_up(connected, [row])
        agree(store, connected)


def listing_of_all_sorts(owner, store):
    """New lots, one with a batch item, one out of a stockroom, one with pieces on top."""
    hidden, shown = row_of(owner, 2001, remarks="A-01"), row_of(owner, 2002, remarks="A-01")
    put_up(owner, [hidden, shown])
    take_off(owner, [hidden])
    batch = make_batch(owner, "Killed")
    place = owner_place(owner, "A-01")
    new = [row_of(owner, number, number - 3000, remarks="A-01") for number in range(3001, 3007)]
    for number in (2002, 3001):
        make_item(batch, quantity=5, lot=part(number), location=place, condition="U")
    stow_all(batch)
    return [hidden, shown, *new], ""


def unlisting_of_some(owner, store):
    """Three lots, a call each."""
    rows = [row_of(owner, number) for number in (2001, 2002, 2003)]
    put_up(owner, rows)
    return rows, "A"


@pytest.mark.long("kills a listing of 16 steps at many")
@pytest.mark.parametrize("make", [listing_of_all_sorts, unlisting_of_some])
def test_killed_at_a_step_it_ends_as_if_it_had_not_been(
    store, journal, connected, killer, make, subtests
):
    rows, room = make(connected, store)
    unlist = room == "A"
    job = begin(connected, rows, room, unlist=unlist)

    for at in steps(18):  # one more than there are
        with subtests.test(step=at), undone(store, journal):
            if not killer.kills(partial(run_job, job.pk), at):
                assert at > 12, "there are fewer steps than there were"
                break
            assert at < 17, "there are more steps than are tried"

            run_job(job.pk)
            job.refresh_from_db()
            assert not [one for one in job.failed if "already" in one["reason"]]  # its own work
            let_a_minute_pass()
            run_jobs()
            try:
                begin(connected, rows, room, unlist=unlist)  # lots reported as missing
                let_a_minute_pass()
                run_jobs()
            except (NothingToList, NothingToUnlist):
                pass  # all was done

            rooms = {again(row).stockroom for row in rows}
            assert rooms == {room}
            assert all(row.marketplace_lot_id for row in rows)
            assert not BatchItem.objects.filter(is_listed=False).exists()
            agree(store, connected)

"""Listing through real jobs and real HTTP: what ends where, and never twice."""

import itertools

import pytest

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.core.clock import now
from apps.core.jobs.models import JobState
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.listings.models import Listing
from apps.listings.services import intents
from apps.listings.services.listing import ListedAlready
from apps.listings.tests.listing import (
    calls_of,
    items_of,
    list_items,
    look_again,
    lots_of,
    part,
    start,
    stock_of_store,
    stowed,
)
from apps.listings.tests.test_services_store_sync import differing, plan
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db


class TestListing:
    def test_puts_new_lots_up_with_quantity_price_and_place(self, store, connected):
        batch = stowed(connected, 1, quantity=7, price="0.1250", comments="a (b) & \"c\" 'd' <e>")

        job = list_items(batch)

        (lot,) = lots_of(store, connected)
        (item,) = items_of(batch)
        assert job.state == JobState.SUCCEEDED
        assert job.result == {
            "batch_id": batch.pk,
            "item_count": 1,
            "failed_count": 0,
            "unknown_count": 0,
            "created": 1,
            "topped_up": 0,
            "calls": 2,
            "settle_job_id": None,
        }
        assert (lot["item"]["no"], lot["color_id"]) == ("3001", 5)
        assert (lot["quantity"], lot["unit_price"], lot["new_or_used"]) == (7, "0.1250", "U")
        assert lot["description"] == "a (b) & \"c\" 'd' <e>"
        assert lot["remarks"].startswith("A-01 #b")
        assert not lot["is_stock_room"]
        assert (item.is_listed, item.is_listed_pending) == (True, False)
        assert item.marketplace_lot_id == lot["inventory_id"]
        assert item.listed_at is not None
        row = InventoryItem.objects.get()
        assert (row.marketplace_lot_id, row.quantity) == (lot["inventory_id"], 7)
        assert row.remarks == "A-01"

    def test_puts_many_up_in_one_call_and_reads_their_ids(self, store, connected):
        batch = stowed(connected, 60)

        job = list_items(batch)

        lots = {lot["item"]["no"]: lot["inventory_id"] for lot in lots_of(store, connected)}
        assert len(lots) == 60
        assert {i.lot.item.number: i.marketplace_lot_id for i in items_of(batch)} == lots
        assert job.result["calls"] == 5
        assert calls_of(store, "POST") == 2
        assert job.done == job.total == 60
        assert job.message == "60 listed, 0 failed"

    def test_is_not_doubled_where_the_store_has_it_untied(self, store, connected):
        batch = stowed(connected, 1)
        list_items(batch)
        InventoryItem.objects.update(marketplace_lot_id=None)
        BatchItem.objects.update(is_listed=False, listed_at=None, marketplace_lot_id=None)

        job = list_items(batch)

        (lot,) = lots_of(store, connected)
        assert f"such a lot already ({lot['inventory_id']})" in job.failed[0]["reason"]
        assert not any(item.is_listed_pending for item in items_of(batch))

    def test_goes_into_a_stockroom(self, store, connected):
        batch = stowed(connected, 2)

        list_items(batch, stockroom="B")

        rooms = [(lot["is_stock_room"], lot["stock_room_id"]) for lot in lots_of(store, connected)]
        assert rooms == [(True, "B")] * 2
        assert set(InventoryItem.objects.values_list("stockroom", flat=True)) == {"B"}

    def test_tops_up_with_a_delta_in_one_call(self, store, connected):
        first = stowed(connected, 1, quantity=4)
        list_items(first)
        (lot,) = lots_of(store, connected)
        stock_of_store(store, connected).sell(lot["inventory_id"], 1)
        more = make_batch(connected, "More")
        make_item(more, quantity=5, lot=part(3001), location=first.items.get().location)
        stow_all(more)

        job = list_items(more)

        (lot,) = lots_of(store, connected)
        assert lot["quantity"] == 3 + 5
        assert (job.result["topped_up"], job.result["created"], job.result["calls"]) == (1, 0, 1)
        assert more.items.get().marketplace_lot_id == lot["inventory_id"]

    def test_keeps_one_stock_row_for_all_pieces_of_a_lot(self, store, connected):
        first = stowed(connected, 1, quantity=4)
        list_items(first)
        more = make_batch(connected, "More")
        make_item(more, quantity=5, lot=part(3001), location=first.items.get().location)

        stow_all(more)

        row = InventoryItem.objects.get()
        (lot,) = lots_of(store, connected)
        assert (row.quantity, lot["quantity"]) == (9, 4)  # five are still to be listed
        assert differing(plan(connected)) == {"same": 1}
        list_items(more)
        (lot,) = lots_of(store, connected)
        assert (lot["inventory_id"], lot["quantity"]) == (row.marketplace_lot_id, 9)
        assert InventoryItem.objects.get().quantity == 9
        assert differing(plan(connected)) == {"same": 1}

    def test_makes_a_lot_of_its_own_at_another_price(self, store, connected):
        first = stowed(connected, 1, price="0.1000")
        list_items(first)
        more = make_batch(connected, "More")
        make_item(more, price="0.2000", lot=part(3001), location=first.items.get().location)
        stow_all(more)

        list_items(more)

        prices = sorted(lot["unit_price"] for lot in lots_of(store, connected))
        assert prices == ["0.1000", "0.2000"]

    def test_puts_items_of_one_stock_row_into_one_lot(self, store, connected):
        batch = make_batch(connected)
        place, lot = make_location(connected), part(3001)
        for quantity in (2, 3):
            make_item(batch, quantity=quantity, lot=lot, location=place)
        stow_all(batch)

        list_items(batch)

        (lot,) = lots_of(store, connected)
        assert lot["quantity"] == 5
        assert {item.marketplace_lot_id for item in items_of(batch)} == {lot["inventory_id"]}

    def test_makes_a_new_lot_where_the_old_one_was_sold_out(self, store, connected):
        first = stowed(connected, 1, quantity=4)
        list_items(first)
        (lot,) = lots_of(store, connected)
        stock_of_store(store, connected).sell(lot["inventory_id"], 4)
        more = make_batch(connected, "More")
        make_item(more, quantity=5, lot=part(3001), location=first.items.get().location)
        stow_all(more)

        job = list_items(more)

        (new,) = lots_of(store, connected)
        assert (new["quantity"], job.result["created"]) == (5, 1)
        assert more.items.get().marketplace_lot_id == new["inventory_id"] != lot["inventory_id"]

    def test_is_pending_until_it_is_known(self, store, connected):
        batch = stowed(connected, 1)

        start(batch)

        assert items_of(batch)[0].is_listed_pending
        with pytest.raises(ListedAlready):
            start(batch)

    def test_is_written_into_the_log(self, store, connected):
        batch = stowed(connected, 3)
        BatchItem.objects.filter(pk=items_of(batch)[0].pk).update(price=None)
        InventoryItem.objects.filter(lot__item__number="3001").update(price=None)

        list_items(batch)

        operation = BatchOperation.objects.get(batch=batch, kind="list")
        assert (operation.outcome, operation.item_count, operation.failed_count) == ("error", 2, 1)
        listed = [item.pk for item in items_of(batch) if item.is_listed]
        assert [row["id"] for row in operation.items] == listed
        assert operation.items[0]["name"] == "Red Brick 2 x 4 (3002)"


class TestRefusals:
    """Each row that cannot be listed says why; the others are."""

    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ({"price": None}, "It has no price: the marketplace takes none without one."),
            (
                {"lot": lambda: part("3002", 10_007)},
                "The marketplace has no such colour: choose one of its own.",
            ),
            (
                {"lot": lambda: part("10-1", 0, item_type="SET")},
                "Say first whether the set is complete, incomplete or sealed.",
            ),
            (
                {"lot": lambda: part("nothing", 5)},
                "The marketplace has no such item or lot: The resource you requested does not exist.",
            ),
            ({"lot": lambda: part("3002", 999)}, "The marketplace refused: Invalid color: 999"),
            ({"status": "X"}, "It is excluded from uploads (status X)."),
            (
                {"comments": "x" * 256},
                "Its comments are longer than 255 characters.",
            ),
        ],
    )
    @pytest.mark.parametrize("others", [1, 8])
    def test_tell_the_reason(self, store, connected, given, reason, others):
        batch = stowed(connected, others, first=4001)
        given = {key: value() if callable(value) else value for key, value in given.items()}
        bad = make_item(
            batch, **{"lot": part("3002"), "location": items_of(batch)[0].location, **given}
        )
        stow_all(batch)

        job = list_items(batch)

        (failed,) = job.failed
        assert (failed["id"], failed["reason"], failed["outcome"]) == (bad.pk, reason, "rejected")
        assert failed["name"]
        assert job.state == JobState.SUCCEEDED
        assert job.result["item_count"] == len(lots_of(store, connected)) == others
        bad.refresh_from_db()
        assert not bad.is_listed
        assert not bad.is_listed_pending
        assert bad.failure == reason
        assert {item.failure for item in items_of(batch) if item != bad} == {""}

    def test_are_forgotten_once_the_item_is_listed(self, store, connected):
        batch = stowed(connected, price=None)
        list_items(batch)
        BatchItem.objects.filter(batch=batch).update(price="0.1")
        InventoryItem.objects.update(price="0.1")

        list_items(batch)

        (item,) = items_of(batch)
        assert (item.is_listed, item.failure) == (True, "")

    def test_tell_of_an_array_that_was_stored_in_part(self, store, connected):
        stock_of_store(store, connected).refuses_in_part = True
        batch = stowed(connected, 8)
        make_item(batch, lot=part("3099", 999), location=items_of(batch)[0].location)
        stow_all(batch)

        job = list_items(batch)

        numbers = [lot["item"]["no"] for lot in lots_of(store, connected)]
        assert sorted(numbers) == [str(number) for number in range(3001, 3009)]
        assert job.failed_count == 1

    def test_tell_of_new_items(self, store, connected):
        batch = stowed(connected, 1)
        new = make_item(batch)

        job = list_items(batch, [item.pk for item in items_of(batch)])

        assert [(one["id"], one["reason"]) for one in job.failed] == [
            (new.pk, "It is not stowed yet.")
        ]
        assert job.done == job.total == 2


class TestARowThatIsGone:
    """Deleted between the choice of the items and their turn: reported, and the others are listed."""

    @pytest.mark.parametrize(("count", "at_look"), [(3, 1), (3, 2), (6, 1), (5, 1)])
    def test_is_told_and_the_others_go_on(self, store, connected, monkeypatch, count, at_look):
        batch = stowed(connected, count)
        item = items_of(batch)[1]
        drafts_of, looks = intents.drafts_of, itertools.count(1)

        def deleting(listings):
            if next(looks) != at_look:
                return drafts_of(listings)
            BatchItem.objects.filter(pk=item.pk).update(inventory_item=None)
            rows = InventoryItem.objects.filter(pk=item.inventory_item_id)
            rows.update(quantity=0, deleted_at=now())
            return drafts_of(listings)

        monkeypatch.setattr(intents, "drafts_of", deleting)
        job = list_items(batch)

        assert (job.state, job.result["item_count"]) == ("succeeded", count - 1)
        assert [(one["id"], one["reason"]) for one in job.failed] == [
            (item.pk, "Its stock row was deleted.")
        ]
        assert len(lots_of(store, connected)) == count - 1


class TestUnknownOutcomes:
    """A call without an answer is settled by reading; it is never sent again."""

    @pytest.mark.parametrize("mode", ["after", "cut_after"])
    @pytest.mark.parametrize("count", [1, 6])
    def test_are_found_in_the_store(self, store, connected, mode, count):
        batch = stowed(connected, count)
        failing(store, mode, method="POST", path="/inventories")

        job = list_items(batch)

        assert len(lots_of(store, connected)) == count
        assert job.result["item_count"] == count
        assert calls_of(store, "POST") == 1
        assert all(item.is_listed for item in items_of(batch))

    @pytest.mark.parametrize("mode", ["before", "cut_before", "html", "empty"])
    @pytest.mark.parametrize("count", [1, 6])
    def test_that_did_nothing_are_told_after_a_second_look(self, store, connected, mode, count):
        list_items(stowed(connected, 1, first=2001))
        batch = stowed(connected, count, place="A-02")
        failing(store, mode, method="POST", path="/inventories")

        job = list_items(batch)
        assert (job.result["item_count"], job.result["unknown_count"]) == (0, count)
        assert all(item.is_listed_pending for item in items_of(batch))
        (look,) = look_again()

        assert str(look.pk) == job.result["settle_job_id"]
        assert {one["outcome"] for one in look.failed} == {"rejected"}
        assert len(look.failed) == count
        assert not any(item.is_listed_pending for item in items_of(batch))
        assert len(lots_of(store, connected)) == 1
        list_items(batch)
        assert len(lots_of(store, connected)) == 1 + count

    @pytest.mark.parametrize("mode", ["after", "cut_after"])
    def test_of_a_top_up_are_seen_by_the_mark_even_when_pieces_are_sold(
        self, store, connected, mode
    ):
        first = stowed(connected, 1, quantity=4)
        list_items(first)
        more = make_batch(connected, "More")
        make_item(more, quantity=5, lot=part(3001), location=first.items.get().location)
        stow_all(more)
        failing(store, mode, method="PUT")

        job = list_items(more)

        assert [lot["quantity"] for lot in lots_of(store, connected)] == [9]
        assert (job.result["item_count"], calls_of(store, "PUT")) == (1, 1)

    def test_of_a_top_up_that_did_nothing_is_told(self, store, connected):
        first = stowed(connected, 1, quantity=4)
        list_items(first)
        more = make_batch(connected, "More")
        make_item(more, quantity=5, lot=part(3001), location=first.items.get().location)
        stow_all(more)
        failing(store, "cut_before", method="PUT")

        list_items(more)
        look_again()
        assert [lot["quantity"] for lot in lots_of(store, connected)] == [4]
        list_items(more)

        assert [lot["quantity"] for lot in lots_of(store, connected)] == [9]

    def test_of_a_closed_store_stop_everything(self, store, connected):
        batch = stowed(connected, 60)
        stock = stock_of_store(store, connected)
        stock.is_closed = True

        job = list_items(batch)

        assert job.state == JobState.FAILED
        assert job.message.startswith("The store reads as empty, as a closed one does")
        assert len(stock.all()) == 50
        pending = [item.is_listed_pending for item in items_of(batch)]
        assert pending == [True] * 50 + [False] * 10
        stock.is_closed = False
        look_again()
        list_items(batch)
        assert len(stock.all()) == 60
        assert all(item.is_listed for item in items_of(batch))

    def test_in_an_empty_store_are_settled_when_a_person_asks_again(self, store, connected):
        batch = stowed(connected, 1)
        failing(store, "cut_before", method="POST", path="/inventories")

        list_items(batch)
        (look,) = look_again()
        assert [one["outcome"] for one in look.failed] == ["unknown"]
        list_items(batch)

        assert len(lots_of(store, connected)) == 1
        assert items_of(batch)[0].is_listed


class TestStops:
    @pytest.mark.parametrize(
        ("mode", "words"),
        [("unauthorized_in_200", "registered for another address")],
    )
    def test_tell_why_and_go_on_when_tried_again(self, store, connected, mode, words, api):
        batch = stowed(connected, 3)
        failing(store, mode, method="POST", path="/inventories")

        job = list_items(batch)

        assert job.state == JobState.FAILED
        assert words in job.message
        assert not any(item.is_listed_pending for item in items_of(batch))
        assert lots_of(store, connected) == []
        assert api(connected).post(f"/api/jobs/{job.pk}/retry").status_code == 200
        assert all(item.is_listed for item in items_of(batch)) is False
        run_jobs()
        assert len(lots_of(store, connected)) == 3
        assert all(item.is_listed for item in items_of(batch))

    def test_wait_where_the_marketplace_wants_fewer_calls(self, store, connected):
        batch = stowed(connected, 3)
        failing(store, "throttled_bare", method="POST", path="/inventories")

        job = list_items(batch)
        assert job.state == JobState.QUEUED
        assert all(item.is_listed_pending for item in items_of(batch))
        look_again()

        assert len(lots_of(store, connected)) == 3

    def test_keep_what_no_calls_are_left_for(self, store, connected, settings):
        settings.MARKETPLACE_DAILY_CALLS = 4  # of which 3 are for stock
        batch = stowed(connected, 60)

        job = list_items(batch)

        assert job.state == JobState.FAILED
        assert "of today's 4 calls are used" in job.message
        assert len(lots_of(store, connected)) == 50
        assert sum(item.is_listed for item in items_of(batch)) == 50
        assert not any(item.is_listed_pending for item in items_of(batch))
        assert not Listing.objects.filter(state__in=["planned", "sending", "unknown"]).exists()

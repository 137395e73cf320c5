"""Sync with the store: the plan, what applying it does on both sides, and what stops it."""

import pytest

from apps.accounts.tests.factories import make_user
from apps.batches.models import Batch, BatchOperation
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import ChannelLot, InventoryItem, InventorySync, Movement
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.bsx_files import undo
from apps.inventory.tests.factories import adjust_quantity
from apps.listings.models import StoreSync
from apps.listings.rules.cycle import suspicion
from apps.listings.services.store_sync import SyncNotPlanned, SyncRunning, start_apply, start_plan
from apps.listings.tests.conftest import KeptStores
from apps.listings.tests.listing import (
    items_of,
    let_a_minute_pass,
    list_items,
    lots_of,
    part,
    stock_of_store,
    stowed,
)
from apps.listings.tests.test_listing_kills import journal, killer, steps, undone
from apps.listings.tests.test_store_pull import pulled
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db
__all__ = ["journal", "killer"]


def plan(user, batch=None):
    sync = start_plan(owner=user, batch=batch, now=now())
    run_jobs()
    sync.refresh_from_db()
    return sync


def apply(sync, confirm=None, leave_out=(), only=None):
    start_apply(sync=sync, confirm_removals=confirm, leave_out=leave_out, only=only)
    run_jobs()
    sync.refresh_from_db()
    return sync


def looked_again(sync):
    """The sync after its second look for a call without an answer."""
    let_a_minute_pass()
    run_jobs()
    sync.refresh_from_db()
    return sync


def differing(sync):
    return {kind: count for kind, count in sync.counts.items() if count and kind != "known"}


def rows_of(sync):
    return {row.kind: row for row in sync.rows.all()}


def stock_row(number):
    return InventoryItem.objects.get(lot__item__number=str(number))


def lot_id(number):
    return stock_row(number).marketplace_lot_id


def quantities(store, user):
    return {lot["item"]["no"]: lot["quantity"] for lot in lots_of(store, user)}


def move_to_unread(store, user, pieces, number):
    """Move pieces of 3001 to a lot of the store that cannot be read; its item where it has one."""
    stock = stock_of_store(store, user)
    there = stock.get(lot_id(3001))
    there["item"] = {**there["item"], "no": number}
    stock.add([{**there, "inventory_id": 1, "quantity": pieces, "sale_rate": "12.5"}])
    stock.sell(lot_id(3001), pieces)


def put_up(user):
    """Put five lots of ten pieces, 3001 to 3005, into stock and store; return their batch."""
    batch = stowed(user, 5, quantity=10)
    list_items(batch)
    return batch


@pytest.fixture(scope="class")
def stores(rows_of_class, store_server):
    """ann's store, which the tests of a class begin with, and the five lots."""
    kept = KeptStores(store_server)
    with kept.change():
        kept.user = make_user("ann")
        connect_demo_store(owner=kept.user, now=now())
        put_up(kept.user)
    return kept


@pytest.fixture
def listed(seller):
    """The batch of the five lots."""
    return Batch.objects.get()


def test_counts_stowed_pieces_that_wait_to_be_listed_as_not_there(store, ann):
    connect_demo_store(owner=ann, now=now())
    stowed(ann, 3, quantity=10)

    sync = plan(ann)

    assert differing(sync) == {"not_listed": 3}


class TestAnUnreadableLot:
    def test_is_neither_planned_nor_forgotten(self, store, seller, listed):
        bad = lot_id(3001)
        stock = stock_of_store(store, seller)
        stock.change(bad, lambda lot: {**lot, "quantity": "a few"})
        stock.sell(lot_id(3002), 4)

        sync = apply(plan(seller))

        assert differing(sync) == {"sold": 1, "same": 3}
        assert (stock_row(3001).quantity, lot_id(3001)) == (10, bad)
        assert ChannelLot.objects.filter(marketplace_lot_id=bad).exists()
        assert Job.objects.get(pk=sync.job_id).failed[0]["id"] == bad

    def test_is_left_out_where_it_was_planned(self, store, seller, listed):
        bad = lot_id(3001)
        InventoryItem.objects.filter(marketplace_lot_id=bad).update(price="0.9")
        sync = plan(seller)
        stock_of_store(store, seller).change(bad, lambda lot: {**lot, "quantity": "a few"})

        sync = apply(sync)

        assert (sync.rows.get().state, "a few" in sync.reason) == ("skipped", True)


class TestPiecesThatMoved:
    """A seller split or listed a lot anew, so that the store has it under another number."""

    @pytest.mark.parametrize("left", [6, 0], ids=["split", "listed anew"])
    def test_are_no_sale_and_stay_in_stock(self, store, seller, listed, left):
        stock = stock_of_store(store, seller)
        there = stock.get(lot_id(3001))
        stock.add([{**there, "inventory_id": 1, "quantity": 10 - left}])
        stock.sell(lot_id(3001), 10 - left)

        sync = plan(seller)

        assert differing(sync) == {"same": 4, "taken" if left else "gone": 1, "created": 1}
        apply(sync, confirm=None if left else 1)
        rows = InventoryItem.objects.filter(lot__item__number="3001", quantity__gt=0)
        assert sorted(rows.values_list("quantity", flat=True)) == ([4, 6] if left else [10])
        assert not Movement.objects.filter(reason="sale").exists()

    @pytest.mark.parametrize("left", [6, 0], ids=["split", "listed anew"])
    @pytest.mark.parametrize("item", ["3001", ""], ids=["known item", "unknown item"])
    def test_are_no_sale_where_the_pull_cannot_read_their_lot(
        self, store, seller, listed, left, item
    ):
        move_to_unread(store, seller, 10 - left, item)
        stock_of_store(store, seller).sell(lot_id(3002), 1)

        pulled(seller, confirm=None if left else 1)

        assert (stock_row(3001).quantity, stock_row(3002).quantity) == (left, 9)
        sales = Movement.objects.filter(reason="sale")
        assert [move.item.lot.item.number for move in sales] == (["3002"] if item else [])

    def test_are_told_from_sold_ones_by_pulling_the_store(self, store, seller, listed):
        stock = stock_of_store(store, seller)
        there = stock.get(lot_id(3001))
        stock.add([{**there, "inventory_id": 1, "quantity": 4}])
        stock.sell(lot_id(3001), 6)

        pulled(seller)

        rows = InventoryItem.objects.filter(lot__item__number="3001")
        assert sorted(rows.values_list("quantity", flat=True)) == [4, 4]
        sales = Movement.objects.filter(reason="sale")
        assert [move.delta for move in sales] == [-2]


class TestPlan:
    def test_finds_nothing_after_listing(self, store, seller, listed):
        sync = plan(seller)

        assert (sync.state, differing(sync)) == ("planned", {"same": 5})

    def test_tells_each_difference_and_changes_nothing(self, store, seller, listed):
        stock = stock_of_store(store, seller)
        stock.sell(lot_id(3001), 4)
        stock.sell(lot_id(3002), 10)
        for number, delta in ((3003, -3), (3004, -10)):
            adjust_quantity(
                owner=seller,
                item_id=stock_row(number).pk,
                delta=delta,
                by=seller,
                now=now(),
            )
        InventoryItem.objects.filter(pk=stock_row(3005).pk).update(price="0.7500", remarks="B-07")
        stock.add([{**stock.get(lot_id(3003)), "inventory_id": 1, "remarks": "elsewhere"}])
        before = (lots_of(store, seller), list(InventoryItem.objects.values()))

        sync = plan(seller)

        kinds = ("sold", "gone", "lowered", "removed", "changed")
        assert differing(sync) == dict.fromkeys(kinds, 1) | {"created": 1}
        told = {
            row.kind: (row.quantity_here, row.quantity_there, row.changes)
            for row in sync.rows.exclude(kind="created")
        }
        assert told == {
            "sold": (10, 6, []),
            "gone": (10, 0, []),
            "lowered": (7, 10, []),
            "removed": (0, 10, []),
            "changed": (
                10,
                10,
                [
                    {"field": "price", "here": "0.7500", "there": "0.1000"},
                    {"field": "remarks", "here": "B-07", "there": "A-01"},
                ],
            ),
        }
        assert before == (lots_of(store, seller), list(InventoryItem.objects.values()))

    def test_does_not_count_what_is_still_to_be_listed(self, store, seller, listed):
        more = make_batch(seller, "More")
        make_item(more, quantity=5, lot=part(3001), location=items_of(listed)[0].location)
        stow_all(more)

        assert differing(plan(seller)) == {"same": 5}

    def test_of_a_closed_store_fails(self, store, seller, listed):
        stock_of_store(store, seller).is_closed = True

        sync = plan(seller)

        assert sync.state == "failed"
        assert sync.reason.startswith("The store reads as empty, as a closed one does")

    def test_of_one_batch_looks_at_its_lots_only(self, store, seller, listed):
        other = stowed(seller, 1, first=5001, quantity=2, place="A-02")
        list_items(other)
        stock = stock_of_store(store, seller)
        stock.sell(lot_id(3001), 4)
        stock.sell(lot_id(5001), 1)

        sync = plan(seller, other)

        assert [row.name for row in sync.rows.all()] == ["Red Brick 2 x 4 (5001)"]
        assert not BatchOperation.objects.filter(batch=other, kind="sync").exists()

    def test_of_a_batch_that_agrees_with_the_store_is_in_its_log(self, store, seller, listed):
        plan(seller, listed)

        operation = BatchOperation.objects.get(batch=listed, kind="sync")
        assert (operation.outcome, operation.item_count) == ("success", 0)

    def test_of_a_batch_that_fails_is_in_its_log_with_the_reason(self, store, seller, listed):
        stock_of_store(store, seller).is_closed = True

        sync = plan(seller, listed)

        operation = BatchOperation.objects.get(batch=listed, kind="sync")
        assert (operation.outcome, operation.message) == ("error", sync.reason)

    def test_of_a_batch_that_differs_is_in_its_log_only_when_applied(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3001), 3)

        plan(seller, listed)

        assert not BatchOperation.objects.filter(batch=listed, kind="sync").exists()

    def test_is_one_at_a_time(self, store, seller, listed):
        sync = start_plan(owner=seller, batch=None, now=now())

        with pytest.raises(SyncRunning) as refused:
            start_plan(owner=seller, batch=None, now=now())

        assert refused.value.data == [{"id": sync.pk, "job_id": sync.job_id}]


class TestApply:
    def test_books_sales_as_such(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3001), 4)

        sync = apply(plan(seller))

        movement = Movement.objects.order_by("-pk")[0]
        assert (movement.delta, movement.reason) == (-4, "sale")
        assert (stock_row(3001).quantity, sync.state) == (6, "applied")
        assert sync.applied_at is not None
        assert differing(plan(seller)) == {"same": 5}

    def test_writes_price_and_texts_to_the_store_and_keeps_its_quantity(
        self, store, seller, listed
    ):
        InventoryItem.objects.filter(pk=stock_row(3005).pk).update(
            price="0.7500", remarks="B-07", comments='"fine" (mostly)'
        )

        apply(plan(seller))

        lot = stock_of_store(store, seller).get(lot_id(3005))
        assert (lot["unit_price"], lot["quantity"]) == ("0.7500", 10)
        assert lot["remarks"].startswith("B-07 #b")
        assert lot["description"] == '"fine" (mostly)'
        assert differing(plan(seller)) == {"same": 5}

    def test_lowers_what_is_more_at_the_market_by_a_delta(self, store, seller, listed):
        row = stock_row(3003)
        adjust_quantity(owner=seller, item_id=row.pk, delta=-3, by=seller, now=now())

        apply(plan(seller))

        assert quantities(store, seller)["3003"] == 7
        assert differing(plan(seller)) == {"same": 5}

    def test_wants_the_number_of_removals_typed(self, store, seller, listed):
        row = stock_row(3004)
        adjust_quantity(owner=seller, item_id=row.pk, delta=-10, by=seller, now=now())
        stock_of_store(store, seller).sell(lot_id(3002), 10)
        sync = plan(seller)

        for wrong in (None, 1, 3):
            with pytest.raises(Invalid):
                start_apply(sync=sync, confirm_removals=wrong, leave_out=())
        assert "3004" in quantities(store, seller)
        apply(sync, confirm=2)

        assert "3004" not in quantities(store, seller)
        assert stock_row(3002).quantity == 0
        assert differing(plan(seller)) == {"same": 3}

    def test_leaves_out_what_was_left_out(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3002), 10)
        sync = plan(seller)

        apply(sync, leave_out=[rows_of(sync)["gone"].pk])

        assert stock_row(3002).quantity == 10
        row = rows_of(sync)["gone"]
        assert (row.state, row.reason) == ("skipped", "Left out.")

    def test_finds_a_sale_again_that_was_left_out(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3001), 3)
        sync = plan(seller)

        apply(sync, leave_out=[rows_of(sync)["sold"].pk])

        again = plan(seller)
        assert differing(again) == {"sold": 1, "same": 4}
        assert (rows_of(again)["sold"].quantity_here, rows_of(again)["sold"].quantity_there) == (
            10,
            7,
        )

    def test_knows_what_the_store_has_after_a_sale(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3001), 3)
        apply(plan(seller))
        row = stock_row(3001)
        adjust_quantity(owner=seller, item_id=row.pk, delta=2, by=seller, now=now())

        assert differing(plan(seller)) == {"raised": 1, "same": 4}

    def test_skips_what_was_sold_since_the_plan(self, store, seller, listed):
        stock = stock_of_store(store, seller)
        stock.sell(lot_id(3001), 4)
        sync = plan(seller)
        stock.sell(lot_id(3001), 1)

        apply(sync)

        row = rows_of(sync)["sold"]
        assert row.state == "skipped"
        assert row.reason == (
            "Since the plan it changed at the market (5 there now, not 6): sync again."
        )
        assert stock_row(3001).quantity == 10
        job = Job.objects.get(pk=sync.job_id)
        assert [one["id"] for one in job.failed] == [row.pk]

    def test_skips_what_was_changed_here_since_the_plan(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3001), 4)
        sync = plan(seller)
        row = stock_row(3001)
        adjust_quantity(owner=seller, item_id=row.pk, delta=-4, by=seller, now=now())

        apply(sync)

        assert rows_of(sync)["sold"].reason == "It was changed here since the plan: sync again."
        assert stock_row(3001).quantity == 6

    def test_ties_lots_together_that_agree(self, store, seller, listed):
        was = lot_id(3001)
        InventoryItem.objects.filter(pk=stock_row(3001).pk).update(marketplace_lot_id=None)

        sync = plan(seller)
        assert differing(sync) == {"linked": 1, "same": 4}
        apply(sync)

        assert lot_id(3001) == was

    def test_happens_once(self, store, seller, listed):
        sync = apply(plan(seller))

        with pytest.raises(SyncNotPlanned):
            start_apply(sync=sync, confirm_removals=None, leave_out=())

    def test_of_a_batch_is_in_its_log(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3001), 4)

        sync = apply(plan(seller, listed))

        operation = BatchOperation.objects.get(batch=listed, kind="sync")
        assert (operation.outcome, operation.item_count) == ("success", 1)
        assert operation.items == [{"id": sync.rows.get().pk, "name": "Red Brick 2 x 4 (3001)"}]

    @pytest.mark.parametrize("mode", ["after", "cut_after"])
    def test_reads_what_became_of_a_call_without_an_answer(self, store, seller, listed, mode):
        row = stock_row(3003)
        adjust_quantity(owner=seller, item_id=row.pk, delta=-3, by=seller, now=now())
        sync = plan(seller)
        failing(store, mode, method="PUT")

        apply(sync)

        assert quantities(store, seller)["3003"] == 7
        assert rows_of(sync)["lowered"].state == "applied"

    def test_never_sends_a_delta_again(self, store, seller, listed):
        row = stock_row(3003)
        adjust_quantity(owner=seller, item_id=row.pk, delta=-3, by=seller, now=now())
        sync = plan(seller)
        failing(store, "cut_before", method="PUT")

        apply(sync)
        assert quantities(store, seller)["3003"] == 10
        assert rows_of(sync)["lowered"].state == "sending"

        looked_again(plan(seller))
        row = rows_of(sync)["lowered"]
        assert (row.state, row.reason) == (
            "skipped",
            "The marketplace did not confirm this change: the next sync checks it.",
        )
        assert quantities(store, seller)["3003"] == 10

    def test_of_a_store_that_was_closed_since_stops(self, store, seller, listed):
        stock_of_store(store, seller).sell(lot_id(3001), 4)
        sync = plan(seller)
        stock_of_store(store, seller).is_closed = True

        apply(sync)

        assert (sync.state, stock_row(3001).quantity) == ("failed", 10)


class TestAnotherStore:
    @pytest.fixture
    def emptied(self, store, seller, listed):
        """Delete all lots but one, as if this were another person's store."""
        stock = stock_of_store(store, seller)
        for number in (3001, 3002, 3003, 3004):
            stock.delete(lot_id(number))
        return plan(seller)

    def test_is_suspected_in_words(self, emptied):
        assert suspicion(emptied.counts).startswith("4 of the 5 lots that you have for sale")

    def test_is_not_suspected_of_a_store_that_sold_little(self):
        assert suspicion({"known": 10, "gone": 1}) == ""

    def test_does_only_what_was_chosen(self, seller, emptied):
        chosen = emptied.rows.get(marketplace_lot_id=lot_id(3002))

        apply(emptied, 1, only=[chosen.pk])

        held = [stock_row(number).quantity for number in range(3001, 3006)]
        assert held == [10, 0, 10, 10, 10]
        assert emptied.rows.filter(state="skipped").count() == 3

    def test_is_taken_back_with_the_lot_ids(self, seller, emptied):
        before = list(InventoryItem.objects.values_list("quantity", "marketplace_lot_id"))
        apply(emptied, 4)
        assert sum(InventoryItem.objects.values_list("quantity", flat=True)) == 10

        undo(InventorySync.objects.get(pk=emptied.import_id))

        assert list(InventoryItem.objects.values_list("quantity", "marketplace_lot_id")) == before
        assert check_ledger(owner=seller).is_sound


@pytest.mark.long("kills a sync of 37 steps at many")
def test_killed_at_a_step_it_agrees_after_another_sync(store, journal, ann, killer, subtests):
    connect_demo_store(owner=ann, now=now())
    put_up(ann)
    stock_of_store(store, ann).sell(lot_id(3001), 4)
    for number, delta in ((3003, -3), (3004, -10)):
        item = stock_row(number).pk
        adjust_quantity(owner=ann, item_id=item, delta=delta, by=ann, now=now())
    InventoryItem.objects.filter(pk=stock_row(3005).pk).update(price="0.7500")
    sync = plan(ann)
    start_apply(sync=sync, confirm_removals=1, leave_out=())

    for at in steps(39):  # one more than there are
        with subtests.test(step=at), undone(store, journal):
            is_killed = killer.kills(run_jobs, at)
            assert is_killed or at > 35, "there are fewer steps than there were"
            assert not is_killed or at < 38, "there are more steps than are tried"
            Job.objects.filter(state=JobState.RUNNING).update(
                state=JobState.QUEUED, lease_until=None
            )
            run_jobs()
            looked_again(sync)
            again = plan(ann)
            if again.counts["lowered"] or again.counts["removed"] or again.counts["changed"]:
                apply(again, confirm=again.counts["removed"] or None)

            there = {"3001": 6, "3002": 10, "3003": 7, "3005": 10}
            assert quantities(store, ann) == there
            here = InventoryItem.objects.filter(quantity__gt=0)
            assert dict(here.values_list("lot__item__number", "quantity")) == there
            assert StoreSync.objects.get(pk=sync.pk).state == "applied"
            assert Movement.objects.filter(reason="sale").count() == 1
            if not is_killed:
                break

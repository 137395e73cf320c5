"""Sync in one go: orders, what changed there, then ours; by a press or by schedule."""

import datetime as dt

import pytest

from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.catalog.models import Item
from apps.core.clock import now
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.registry import periods
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import (
    Channel,
    ChannelLot,
    FieldConflict,
    InventoryItem,
    InventorySync,
    Movement,
    Promise,
)
from apps.inventory.services.acts import undo_act
from apps.inventory.services.changes import changed_lot_ids, changed_lots
from apps.inventory.services.channels import channel_of_files
from apps.inventory.services.conflicts import QuestionSettled, settle_conflicts
from apps.inventory.services.edits import StockEdit, edit_rows
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.promises import Want, promise
from apps.inventory.services.received import sell_received
from apps.inventory.tests.factories import adjust_quantity
from apps.listings.models import StoreSchedule, StoreSync
from apps.listings.services import store_cycle, store_pull, store_sync
from apps.listings.services._last_reading import LastReading
from apps.listings.services._sending_changes import READ_AGAIN, SendingChanges
from apps.listings.services.store_sync import (
    PullFirst,
    SyncRunning,
    save_schedule,
    start_cycle,
    start_due_cycles,
)
from apps.listings.tests.factories import make_intent
from apps.listings.tests.listing import calls_of, part
from apps.listings.tests.test_store_pull import base_of, change, pulled, row_of, store_lot, stores
from apps.marketplace.models import CallDay
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db
__all__ = ["stores"]


@pytest.fixture
def full(stores, store, seller):
    """What it has."""
    return stores.stock(store)


def cycle(user, **also):
    sync = start_cycle(owner=user, now=now(), **also)
    run_jobs()
    sync.refresh_from_db()
    return sync


def later(sync):
    """The sync after the next attempt of its job."""
    Job.objects.filter(state=JobState.QUEUED).update(not_before=None)
    run_jobs()
    sync.refresh_from_db()
    return sync


def done(sync):
    return {name: count for name, count in sync.counts.items() if count and name != "calls"}


def there_of(full, number):
    return next(lot for lot in full.all() if lot["item"]["no"] == str(number))


def edit(number, **fields):
    InventoryItem.objects.filter(pk=row_of(number).pk).update(**fields)


def more(user, number, delta):
    adjust_quantity(owner=user, item_id=row_of(number).pk, delta=delta, by=user, now=now())


def test_wants_a_first_pull(store, ann):
    connect_demo_store(owner=ann, now=now())

    with pytest.raises(PullFirst):
        start_cycle(owner=ann, now=now())


class TestBothWays:
    def test_sends_what_changed_here_and_takes_what_changed_there(self, store, seller, full):
        edit(3001, price="0.2500", comments="Clean", tq1=10, tp1="0.2000", sale=5)
        more(seller, 3002, 4)
        full.sell(row_of(3002).marketplace_lot_id, 3)
        change(store, seller, row_of(3003).marketplace_lot_id, unit_price="0.5000")

        sync = cycle(seller)

        assert (sync.state, sync.reason) == ("applied", "")
        assert done(sync) == {"changed": 2, "sent": 2}
        sent = there_of(full, 3001)
        assert (sent["unit_price"], sent["description"], sent["sale_rate"]) == (
            "0.2500",
            "Clean",
            5,
        )
        assert (sent["tier_quantity1"], sent["tier_price1"]) == (10, "0.2000")
        assert (row_of(3002).quantity, there_of(full, 3002)["quantity"]) == (11, 11)
        assert str(row_of(3003).price) == "0.5000"
        assert changed_lots(owner=seller).lots == 0
        assert check_ledger(owner=seller).is_sound

    def test_reads_orders_and_store_once_and_calls_for_each_change(self, store, seller, full):
        edit(3001, price="0.2500")

        sync = cycle(seller)

        lot_id = row_of(3001).marketplace_lot_id
        assert store.calls == {
            "GET /orders": 1,
            "GET /inventories": 1,
            f"PUT /inventories/{lot_id}": 1,
        }
        assert sync.counts["calls"] == 3
        assert done(cycle(seller)) == {}
        assert calls_of(store, "PUT") == 1

    def test_is_quiet_about_a_condition_of_the_store_that_was_not_understood(
        self, store, seller, full
    ):
        change(store, seller, row_of(3001).marketplace_lot_id, new_or_used="as is")
        cycle(seller, is_scheduled=True)

        sync = cycle(seller, is_scheduled=True)

        assert (row_of(3001).condition, base_of(3001).condition) == ("U", "?")
        assert (done(sync), sync.is_quiet) == ({}, True)
        assert changed_lots(owner=seller).lots == 0

    def test_sends_pieces_as_a_delta(self, seller, full, monkeypatch):
        more(seller, 3001, 5)
        lot_id = row_of(3001).marketplace_lot_id
        send = SendingChanges.send

        def send_after_a_sale(self, kinds):
            full.sell(lot_id, 2)
            send(self, kinds)

        monkeypatch.setattr(SendingChanges, "send", send_after_a_sale)
        sync = cycle(seller)
        monkeypatch.setattr(SendingChanges, "send", send)

        assert (sync.state, there_of(full, 3001)["quantity"]) == ("applied", 13)
        assert done(cycle(seller)) == {"changed": 1}
        assert row_of(3001).quantity == 13
        assert Movement.objects.filter(reason="sale").count() == 1

    @pytest.mark.parametrize("price", ["0.1000", "0.2500"])
    def test_takes_off_no_waiting_pieces_that_the_store_has(self, seller, full, price):
        row = row_of(3001)
        make_item(
            make_batch(seller),
            10,
            lot=row.lot,
            is_stowed=True,
            stowed_at=now(),
            inventory_item=row,
        )
        edit(3001, price=price)

        cycle(seller)

        there = there_of(full, 3001)
        assert (there["quantity"], there["unit_price"]) == (10, price)

    def test_takes_off_sale_what_is_out_of_stock(self, store, seller, full):
        more(seller, 3001, -10)

        assert done(cycle(seller)) == {"removed": 1}

        assert [lot["item"]["no"] for lot in full.all()] == ["3002", "3003"]
        assert row_of(3001).marketplace_lot_id is None
        assert done(cycle(seller)) == {}

    def test_tells_what_a_call_cannot_change(self, store, seller, full):
        edit(3001, condition="N")

        sync = cycle(seller)

        assert done(sync) == {"not_sent": 1}
        assert "Its condition differs" in sync.rows.get().reason
        assert calls_of(store, "PUT") == 0

    def test_leaves_no_import_behind_where_nothing_changed_there(self, seller, full):
        before = InventorySync.objects.count()
        edit(3001, price="0.2500")

        cycle(seller)

        assert InventorySync.objects.count() == before

    def test_keeps_pieces_that_are_promised_where_a_price_changed_there(self, store, seller, full):
        row = row_of(3001)
        InventoryItem.objects.filter(pk=row.pk).update(promised=2)
        ChannelLot.objects.filter(marketplace_lot_id=row.marketplace_lot_id).update(quantity=8)
        full.sell(row.marketplace_lot_id, 2)
        change(store, seller, row.marketplace_lot_id, unit_price="0.5000")

        assert done(cycle(seller)) == {"changed": 1}

        row.refresh_from_db()
        assert (row.quantity, row.promised, str(row.price)) == (10, 2, "0.5000")


class TestAStoreThatReadsAsBefore:
    """The second of two syncs in which nothing differs does not compare lot by lot."""

    @pytest.fixture
    def compared(self, seller, full, monkeypatch):
        """Return a function that syncs and returns whether lots were compared."""
        seen = []
        busy_among = store_pull.busy_among
        monkeypatch.setattr(
            store_pull, "busy_among", lambda owner, lots: seen.append(1) or busy_among(owner, lots)
        )

        def run(**expected):
            seen.clear()
            sync = cycle(seller)
            assert (sync.state, done(sync)) == ("applied", expected)
            return bool(seen)

        return run

    def test_is_not_compared_again(self, compared):
        assert compared() is True
        assert compared() is False
        assert compared() is False
        assert InventorySync.objects.filter(state="previewing").count() == 0

    def test_is_sent_what_changed_here(self, store, compared):
        compared()
        edit(3001, price="0.2500")

        assert compared(sent=1) is False
        assert base_of(3001).price == row_of(3001).price
        assert compared() is True
        assert compared() is False

    def test_is_compared_once_it_sold(self, compared, full):
        compared()
        full.sell(there_of(full, 3001)["inventory_id"], 2)

        assert compared(changed=1) is True
        assert row_of(3001).quantity == 8
        assert compared() is True
        assert compared() is False

    def test_is_compared_once_another_item_stands_here(self, seller, compared):
        compared()
        row = row_of(3001)
        changes = {"lot_id": part(3009).pk}
        edit_rows(
            owner=seller,
            edits={row.pk: StockEdit(item_id=row.pk, changes=changes)},
            by=seller,
            now=now(),
        )

        sync = cycle(seller)

        assert "are another item now than here" in sync.reason

    def test_is_compared_once_a_day(self, seller, compared):
        compared()
        this_day = LastReading(channel_of_files(seller), now=now())
        this_day.is_known("answer")
        Channel.objects.update(seen=this_day.seen)

        assert LastReading(channel_of_files(seller), now=now()).is_known("answer")
        next_day = now() + dt.timedelta(days=1)
        assert not LastReading(channel_of_files(seller), now=next_day).is_known("answer")

    def test_is_compared_while_a_lot_is_being_listed(self, seller, compared):
        lot_id = row_of(3001).marketplace_lot_id
        intent = make_intent(seller, "sending", marketplace_lot_id=lot_id, quantity=5)
        compared()

        assert compared() is True
        intent.delete()
        assert compared() is True
        assert compared() is False


class TestConflicts:
    def both(self, store, user, rule):
        save_schedule(owner=user, minutes=None, conflicts=rule)
        edit(3001, price="0.7500")
        change(store, user, row_of(3001).marketplace_lot_id, unit_price="0.3000", my_cost="0.0500")
        return cycle(user)

    def test_mine_goes_to_the_store_and_is_listed_as_decided(self, store, seller, full):
        sync = self.both(store, seller, "mine")

        assert done(sync) == {"changed": 1, "conflicts": 1, "sent": 1}
        assert there_of(full, 3001)["unit_price"] == "0.7500"
        found = FieldConflict.objects.get()
        assert (found.field, found.before, found.here, found.there) == (
            "price",
            "0.1000",
            "0.7500",
            "0.3000",
        )
        assert (found.decision, found.by_rule) == ("mine", True)

    def test_theirs_is_taken(self, store, seller, full):
        self.both(store, seller, "theirs")

        assert str(row_of(3001).price) == "0.3000"
        assert there_of(full, 3001)["unit_price"] == "0.3000"
        assert FieldConflict.objects.get().decision == "theirs"

    def test_ask_writes_nothing_on_either_side_until_it_is_settled(self, store, seller, full):
        sync = self.both(store, seller, "ask")

        row = row_of(3001)
        assert (str(row.price), str(row.cost)) == ("0.7500", "0.0500")
        assert there_of(full, 3001)["unit_price"] == "0.3000"
        assert done(sync) == {"changed": 1, "conflicts": 1}
        assert changed_lots(owner=seller).lots == 0
        assert done(cycle(seller)) == {}
        assert FieldConflict.objects.get().decision == "open"
        assert calls_of(store, "PUT") == 0

    def test_ask_sends_other_fields_of_the_lot(self, store, seller, full):
        self.both(store, seller, "ask")
        edit(3001, comments="Clean")

        assert done(cycle(seller)) == {"sent": 1}
        assert there_of(full, 3001)["description"] == "Clean"
        assert there_of(full, 3001)["unit_price"] == "0.3000"

    def test_a_settled_question_goes_the_way_that_was_chosen(self, store, seller, full):
        self.both(store, seller, "ask")
        question = FieldConflict.objects.get()

        count, act = settle_conflicts(owner=seller, decisions={question.pk: "mine"}, now=now())

        assert (count, act) == (1, None)
        assert done(cycle(seller)) == {"sent": 1}
        assert there_of(full, 3001)["unit_price"] == "0.7500"
        with pytest.raises(QuestionSettled):
            settle_conflicts(owner=seller, decisions={question.pk: "theirs"}, now=now())

    def test_theirs_by_a_person_can_be_undone(self, store, seller, full):
        self.both(store, seller, "ask")
        question = FieldConflict.objects.get()

        _count, act = settle_conflicts(owner=seller, decisions={question.pk: "theirs"}, now=now())

        assert str(row_of(3001).price) == "0.3000"
        undo_act(act=act, by=seller, now=now())
        assert str(row_of(3001).price) == "0.7500"

    def test_a_question_is_closed_when_both_sides_agree(self, store, seller, full):
        self.both(store, seller, "ask")
        change(store, seller, row_of(3001).marketplace_lot_id, unit_price="0.7500")

        cycle(seller)

        assert FieldConflict.objects.get().decision == "agreed"


class TestDanger:
    def test_stops_at_a_closed_store_and_says_so(self, seller, full):
        full.is_closed = True

        sync = cycle(seller)

        assert (sync.state, "reads as empty" in sync.reason) == ("failed", True)
        assert sum(InventoryItem.objects.values_list("quantity", flat=True)) == 30
        assert not InventorySync.objects.filter(state="previewing").exists()

    @pytest.mark.parametrize("mode", ["half", "half_unsaid", "cut_before"])
    def test_stops_where_the_answer_breaks_off(self, mode, store, seller, full, no_pauses):
        failing(store, mode, times=3, path="/inventories")

        sync = cycle(seller)

        assert sync.state == "applying"
        assert Job.objects.get(pk=sync.job_id).message.endswith("Trying again.")
        assert done(later(sync)) == {}

    def test_stops_at_another_store_and_waits_for_the_person(self, seller, full):
        save_schedule(owner=seller, minutes=10, conflicts=None)
        for lot in full.all()[1:]:
            full.delete(lot["inventory_id"])

        sync = cycle(seller, is_scheduled=True)

        assert sync.state == "failed"
        assert sync.reason.startswith("The store has 1 of the 3 lots that you have for sale.")
        assert "Look at the import first" in sync.reason
        assert "confirm" not in sync.reason
        assert sum(InventoryItem.objects.values_list("quantity", flat=True)) == 30
        assert InventorySync.objects.get(pk=sync.import_id).state == "previewed"
        assert start_due_cycles(now=now() + dt.timedelta(hours=1)) == 0
        save_schedule(owner=seller, minutes=30, conflicts=None)
        assert StoreSchedule.objects.get().problem == ""

    def test_stops_at_a_lot_id_that_is_another_item_now(self, store, seller, full):
        lot_id = row_of(3001).marketplace_lot_id
        edit(3001, price="0.9000")
        change(store, seller, lot_id, item=store_lot(3002)["item"])

        sync = cycle(seller)

        assert f"another item now than here, such as lot {lot_id}" in sync.reason
        assert row_of(3001).marketplace_lot_id == lot_id
        assert calls_of(store, "PUT") == 0

    def test_goes_on_at_a_lot_whose_number_the_catalogue_moved(self, store, seller, full):
        Item.objects.filter(number="3001").update(replaced_by=part(3009).item)
        change(store, seller, row_of(3001).marketplace_lot_id, item=store_lot(3009)["item"])

        sync = cycle(seller)

        assert (sync.state, sync.reason) == ("applied", "")
        assert row_of(3001).quantity == 10

    def test_many_lots_leave_the_store_by_a_typed_count_only(self, store, seller, full):
        for number in range(3004, 3010):
            part(number)
        full.add([store_lot(number) for number in range(3004, 3010)])
        pulled(seller)
        for number in range(3002, 3010):
            more(seller, number, -10)

        sync = cycle(seller)

        assert (sync.state, sync.counts["to_confirm"]) == ("failed", 8)
        assert len(full.all()) == 9
        assert done(cycle(seller, confirm_removals=8)) == {"removed": 8}
        assert len(full.all()) == 1

    def test_goes_on_next_day_where_the_allowance_is_used_up_in_the_middle(
        self, store, seller, full, settings
    ):
        edit(3001, price="0.2000")
        edit(3002, price="0.2000")
        used = CallDay.objects.get()
        settings.MARKETPLACE_DAILY_CALLS = 1_000
        CallDay.objects.filter(pk=used.pk).update(total=897, lookup=897 - used.stock, guide=0)

        sync = cycle(seller)

        assert done(sync) == {"sent": 1, "not_sent": 1}
        assert "The day's calls are used up" in sync.rows.get(state="skipped").reason
        CallDay.objects.all().delete()
        assert done(cycle(seller)) == {"sent": 1}

    def test_asks_no_store_whose_calls_are_used_up(self, seller, full, settings):
        save_schedule(owner=seller, minutes=10, conflicts=None)
        settings.MARKETPLACE_DAILY_CALLS = 1

        assert start_due_cycles(now=now()) == 0

    def test_is_one_at_a_time(self, seller, full):
        start_cycle(owner=seller, now=now())

        with pytest.raises(SyncRunning):
            start_cycle(owner=seller, now=now())
        assert StoreSync.objects.count() == 1

    def test_sends_nothing_twice_that_was_refused(self, store, seller, full):
        edit(3001, price="0.0000")

        first = cycle(seller)
        again = cycle(seller, is_scheduled=True)

        assert done(first) == done(again) == {"not_sent": 1}
        assert again.rows.get().reason == first.rows.get().reason
        assert calls_of(store, "PUT") == 1


class TestBetween:
    """What happens here or there while a sync is at work."""

    def test_leaves_a_lot_alone_whose_listing_is_open(self, store, seller, full):
        lot_id = row_of(3001).marketplace_lot_id
        intent = make_intent(seller, "sending", marketplace_lot_id=lot_id, quantity=5)
        full.change(lot_id, lambda lot: {**lot, "quantity": 15, "remarks": intent.mark})

        assert done(cycle(seller)) == {}

        assert (row_of(3001).quantity, base_of(3001).quantity) == (10, 10)

    def test_books_an_order_once_that_comes_between_reading_and_applying(
        self, seller, full, monkeypatch
    ):
        lot_id = row_of(3001).marketplace_lot_id
        full.sell(lot_id, 2)
        take = store_cycle.apply_within

        def after_an_order(run, sync, **also):
            InventoryItem.objects.filter(marketplace_lot_id=lot_id).update(promised=2)
            sell_received(owner=seller, pieces={lot_id: 2}, now=now())
            return take(run, sync, **also)

        monkeypatch.setattr(store_cycle, "apply_within", after_an_order)
        cycle(seller)
        monkeypatch.setattr(store_cycle, "apply_within", take)

        assert done(cycle(seller)) == {}
        row = row_of(3001)
        assert (row.quantity, row.promised, base_of(3001).quantity) == (10, 2, 8)

    def test_promises_no_more_pieces_than_are_left_after_the_sales_there(
        self, seller, full, monkeypatch
    ):
        full.sell(row_of(3001).marketplace_lot_id, 7)
        take = store_cycle.apply_within

        left = []

        def after_a_promise(run, sync, **also):
            row = row_of(3001)
            want = Want(line_id=1, quantity=5, lot_id=row.lot_id, item_id=row.pk)
            promise(owner=seller, wants=[want], now=now())
            applied = take(run, sync, **also)
            left.append((row_of(3001).quantity, row_of(3001).promised))
            return applied

        monkeypatch.setattr(store_cycle, "apply_within", after_a_promise)
        cycle(seller)

        assert left == [(3, 3)]
        assert Promise.objects.get().quantity == 3

    def test_leaves_a_row_that_was_changed_since_the_preview(
        self, store, seller, full, monkeypatch
    ):
        change(store, seller, row_of(3001).marketplace_lot_id, unit_price="0.5000")
        take = store_cycle.apply_within

        def after_an_edit(run, sync, **also):
            more(seller, 3001, 4)
            return take(run, sync, **also)

        monkeypatch.setattr(store_cycle, "apply_within", after_an_edit)
        cycle(seller)
        monkeypatch.setattr(store_cycle, "apply_within", take)
        cycle(seller)

        row = row_of(3001)
        assert (row.quantity, str(row.price)) == (14, "0.5000")
        assert there_of(full, 3001)["quantity"] == 14


class TestAStoreThatIsAway:
    @pytest.fixture
    def away(self, settings, unused_address):
        """Take the store away, and bring it back when called."""
        there, settings.MARKETPLACE_URL = settings.MARKETPLACE_URL, unused_address
        return lambda: setattr(settings, "MARKETPLACE_URL", there)

    def test_is_waited_for_and_then_kept_in_step(self, seller, full, away):
        more(seller, 3001, 5)

        sync = cycle(seller)
        for _ in range(6):  # more often than a job is tried otherwise
            sync = later(sync)
        job = Job.objects.get(pk=sync.job_id)
        assert (sync.state, job.state) == ("applying", "queued")
        assert job.message == "The marketplace cannot be reached. Trying again."
        away()
        sync = later(sync)

        assert (sync.state, done(sync)) == ("applied", {"sent": 1})
        assert there_of(full, 3001)["quantity"] == 15

    def test_ends_a_sync_of_the_schedule_for_the_next_one(self, seller, full, away):
        more(seller, 3001, 5)

        sync = cycle(seller, is_scheduled=True)
        assert (sync.state, "The next sync tries again" in sync.reason) == ("failed", True)
        away()

        assert done(cycle(seller, is_scheduled=True)) == {"sent": 1}

    def test_in_the_middle_of_sending_gets_the_rest_when_it_is_back(
        self, store, seller, full, no_pauses
    ):
        for number in (3001, 3002):
            more(seller, number, 5)
        failing(store, "throttled_bare", method="PUT")

        sync = cycle(seller)
        assert sync.state == "applying"

        assert done(later(sync)) == {"sent": 2}

    def test_for_long_while_changes_are_sent_is_read_again(self, store, seller, full, no_pauses):
        more(seller, 3001, 5)
        failing(store, "throttled_bare", method="PUT")
        sync = cycle(seller)
        change(
            store, seller, row_of(3001).marketplace_lot_id, quantity=4
        )  # six were sold meanwhile
        job = Job.objects.get(pk=sync.job_id)
        an_hour_ago = (now() - dt.timedelta(hours=1)).isoformat()
        Job.objects.update(checkpoint={**job.checkpoint, "read_at": an_hour_ago})

        sync = later(sync)

        assert (sync.state, [row.reason for row in sync.rows.all()]) == ("applied", [READ_AGAIN])
        again = StoreSync.objects.latest("pk")
        assert (again.state, done(again)) == ("applied", {"changed": 1, "sent": 1})
        assert (row_of(3001).quantity, there_of(full, 3001)["quantity"]) == (9, 9)

    def test_that_refuses_the_secrets_stops_the_schedule(self, store, seller, full):
        save_schedule(owner=seller, minutes=10, conflicts=None)
        failing(store, "unauthorized_in_200")

        sync = cycle(seller, is_scheduled=True)

        assert sync.state == "failed"
        assert StoreSchedule.objects.get().problem == sync.reason != ""


class TestKills:
    @pytest.mark.parametrize("arrives", [True, False])
    def test_a_call_that_was_cut_off_is_found_by_its_mark(self, arrives, store, seller, full):
        more(seller, 3001, 5)
        failing(store, "cut_after" if arrives else "cut_before", path="/inventories/", method="PUT")

        sync = cycle(seller)

        if not arrives:
            assert there_of(full, 3001)["quantity"] == 10
            Job.objects.filter(state=JobState.QUEUED).update(not_before=None)
        else:
            assert done(sync) == {"sent": 1}
        again = cycle(seller)
        if again.state == "applying":
            Job.objects.filter(state=JobState.QUEUED).update(not_before=None)
            run_jobs()
            cycle(seller)
        assert (row_of(3001).quantity, there_of(full, 3001)["quantity"]) == (15, 15)
        assert base_of(3001).quantity == 15


class TestSchedule:
    def test_is_looked_at_by_workers_and_beat(self):
        assert periods()[store_sync.DUE_KIND] <= dt.timedelta(minutes=5)

    def test_begins_when_its_minutes_are_over(self, seller, full):
        save_schedule(owner=seller, minutes=10, conflicts=None)
        began = now()
        assert start_due_cycles(now=began) == 1
        run_jobs()

        assert start_due_cycles(now=began + dt.timedelta(minutes=5)) == 0
        assert start_due_cycles(now=began + dt.timedelta(minutes=10)) == 1

    def test_does_not_wait_for_a_clock_that_was_set_back(self, seller, full):
        save_schedule(owner=seller, minutes=60, conflicts=None)
        StoreSchedule.objects.update(started_at=now() + dt.timedelta(days=400))

        assert start_due_cycles(now=now()) == 1

    def test_is_off_at_first(self, seller, full):
        assert start_due_cycles(now=now()) == 0

    def test_sends_nothing_while_an_order_cannot_be_read(self, store, seller, full):
        save_schedule(owner=seller, minutes=10, conflicts=None)
        edit(3001, price="0.3000")
        orders = store.sellers.register(f"user-{seller.pk}").orders
        bad = orders.place(full, {row_of(3002).marketplace_lot_id: 2}, now=now())["order_id"]
        orders.place(full, {row_of(3003).marketplace_lot_id: 2}, now=now())
        orders.change(bad, now(), {"cost": {"subtotal": "a lot"}})

        first = cycle(seller, is_scheduled=True)
        again = cycle(seller, is_scheduled=True)

        assert (first.state, done(first)) == ("failed", {"orders": 1})
        assert first.reason.startswith(
            f"Order {bad} of the store cannot be read: subtotal is “a lot”: expected an amount. "
            "Nothing was taken or sent"
        )
        assert (calls_of(store, "PUT"), calls_of(store, "GET /inventories")) == (0, 0)
        assert there_of(full, 3001)["unit_price"] != "0.3000"
        assert again.reason == first.reason
        assert not StoreSchedule.objects.get().problem

        by_hand = cycle(seller)

        assert (by_hand.state, done(by_hand)["sent"]) == ("applied", 1)
        assert by_hand.reason.startswith(f"Order {bad} of the store cannot be read")
        assert Job.objects.get(pk=by_hand.job_id).failed[0]["id"] == bad

    def test_sends_nothing_to_a_lot_that_cannot_be_read(self, store, seller, full):
        save_schedule(owner=seller, minutes=10, conflicts=None)
        edit(3001, price="0.3000")
        edit(3002, price="0.4000")
        bad = row_of(3001).marketplace_lot_id
        change(store, seller, bad, quantity="a few")

        first = cycle(seller, is_scheduled=True)
        again = cycle(seller, is_scheduled=True)

        assert (first.state, done(first)) == ("applied", {"sent": 1, "not_sent": 1})
        assert first.reason == (
            f"Lot {bad} of the store cannot be read: quantity is “a few”: expected a whole number "
            "from 0 to 2,147,483,647."
        )
        assert there_of(full, 3001)["unit_price"] == "0.1000"
        assert there_of(full, 3002)["unit_price"] == "0.4000"
        assert (row_of(3001).quantity, row_of(3001).marketplace_lot_id) == (10, bad)
        assert (again.state, done(again)) == ("applied", {"not_sent": 1})

    def test_names_the_lots_that_it_cannot_take_and_leaves_them(self, store, seller, full):
        known = row_of(3001).marketplace_lot_id
        change(store, seller, known, unit_price="99999999.99999")
        (new,) = full.add([store_lot(3004, unit_price="99999999.99999")])
        before = full.all()

        sync = cycle(seller)

        assert (sync.state, done(sync), full.all()) == ("applied", {}, before)
        for lot_id in (known, new["inventory_id"]):
            assert f"Lot {lot_id} of the store cannot be taken: Price is" in sync.reason
        assert (str(row_of(3001).price), str(base_of(3001).price)) == ("0.1000", "0.1000")

    def test_keeps_one_line_of_history_where_nothing_happens(self, seller, full):
        save_schedule(owner=seller, minutes=10, conflicts=None)
        for _ in range(3):
            cycle(seller, is_scheduled=True)
        edit(3001, price="0.3000")
        cycle(seller, is_scheduled=True)
        cycle(seller, is_scheduled=True)

        quiet = list(StoreSync.objects.order_by("pk").values_list("is_quiet", flat=True))
        assert quiet == [True, False, True]


def test_changed_lots_counts_lots_in_several_bins_once(seller, full):
    assert changed_lot_ids(channel=channel_of_files(seller)) == set()
    edit(3001, price="0.5000")
    found = changed_lots(owner=seller)
    assert (found.lots, str(found.value)) == (1, "5.0000")


class TestApi:
    """The routes that the store's page and home read."""

    @pytest.fixture
    def client(self, api, seller, full):
        return api(seller)

    def data(self, answer, status=200):
        assert answer.status_code == status, answer.content
        return answer.json()["data"]

    def test_the_schedule_tells_how_it_stands(self, client, seller):
        edit(3001, price="0.5000")

        (row,) = self.data(
            client.patch("/api/marketplace/schedule", {"minutes": 30, "conflicts": "ask"})
        )

        assert (row["minutes"], row["conflicts"], row["problem"]) == (30, "ask", "")
        assert (row["changed_lots"], row["changed_value"], row["last"]) == (1, "5.0000", None)
        assert client.patch("/api/marketplace/schedule", {"minutes": 7}).status_code == 400

    def test_the_schedule_shows_a_sync_that_was_planned_first(self, client, seller, full):
        edit(3001, price="0.5000")
        sync = store_sync.start_plan(owner=seller, batch=None, now=now())
        run_jobs()
        store_sync.start_apply(sync=sync, confirm_removals=None)
        run_jobs()

        (row,) = self.data(client.get("/api/marketplace/schedule"))

        assert (row["last"]["id"], row["changed_lots"]) == (sync.pk, 0)

    def test_the_schedule_shows_a_comparison_that_found_no_difference(self, client, seller, full):
        sync = store_sync.start_plan(owner=seller, batch=None, now=now())
        run_jobs()

        (row,) = self.data(client.get("/api/marketplace/schedule"))

        assert (row["last"]["id"], row["last"]["state"]) == (sync.pk, "planned")

    def test_the_schedule_shows_no_comparison_that_waits_to_be_applied(self, client, seller, full):
        edit(3001, price="0.5000")
        store_sync.start_plan(owner=seller, batch=None, now=now())
        run_jobs()

        (row,) = self.data(client.get("/api/marketplace/schedule"))

        assert (row["last"], row["changed_lots"]) == (None, 1)

    def test_pieces_that_wait_to_be_listed_are_no_change(self, client, seller, full):
        """They are listed, not synced: the sync would send none of these lots."""
        edit(3001, price="0.5000")
        for number in (3002, 3003):
            row = row_of(number)
            also = {"condition": row.condition, "remarks": row.remarks, "comments": row.comments}
            item = make_item(
                make_batch(seller), quantity=4, price=str(row.price), lot=row.lot, **also
            )
            stow_all(item.batch, location=row.location)
        assert [row_of(number).quantity for number in (3002, 3003)] == [14, 14]

        (row,) = self.data(client.get("/api/marketplace/schedule"))
        assert row["changed_lots"] == 1
        listed = client.get("/api/inventoryItems", {"since_sync": "true"}).json()["data"]
        assert [one["item_number"] for one in listed] == ["3001"]
        assert done(cycle(seller)) == {"sent": 1}

    def test_an_edit_that_is_taken_back_is_no_change(self, client, seller, full):
        row, was = row_of(3001), str(row_of(3001).price)
        edit(3002, price="0.5000")
        for price in ("0.7500", was):
            body = {"update": [{"id": row.pk, "price": price}]}
            self.data(client.post("/api/inventoryItems/bulk", body, format="json"))

        (shown,) = self.data(client.get("/api/marketplace/schedule"))

        assert (str(row_of(3001).price), shown["changed_lots"]) == (was, 1)

    def test_one_press_sends_what_changed(self, client, seller, full):
        edit(3001, price="0.5000")

        (row,) = self.data(client.post("/api/marketplace/syncs/now", {}), 202)
        run_jobs()

        (row,) = self.data(client.get(f"/api/marketplace/syncs/{row['id']}"))
        assert (row["way"], row["state"], row["counts"]["sent"]) == ("cycle", "applied", 1)
        (shown,) = self.data(client.get("/api/marketplace/schedule"))
        assert (shown["changed_lots"], shown["last"]["id"]) == (0, row["id"])
        (change_,) = self.data(client.get(f"/api/marketplace/syncs/{row['id']}/rows"))
        assert change_["changes"] == [{"field": "price", "here": "0.5000", "there": "0.1000"}]

    def test_questions_are_listed_and_settled(self, store, client, seller):
        TestConflicts().both(store, seller, "ask")

        (row,) = self.data(client.get("/api/marketplace/conflicts", {"decision": "open"}))
        assert (row["field"], row["here"], row["there"]) == ("price", "0.7500", "0.3000")
        (done_,) = self.data(
            client.post("/api/marketplace/conflicts/settle", {"decision": "theirs"}, format="json")
        )

        assert done_["settled"] == 1
        assert str(row_of(3001).price) == "0.3000"
        undo = client.post(f"/api/inventoryActs/{done_['act_id']}/undo")
        assert undo.status_code == 200
        assert self.data(client.get("/api/marketplace/conflicts", {"decision": "open"})) == []

    def test_home_counts_them_by_their_money(self, client, seller):
        edit(3001, price="0.5000", updated_at=now())

        (home,) = self.data(client.get("/api/home"))
        before = {line["id"]: line for line in home["waiting"]}
        cycle(seller)
        (home,) = self.data(client.get("/api/home"))

        assert (before["unsent"]["count"], before["unsent"]["money"]) == (1, "5.0000")
        assert {"unsent", "sync"}.isdisjoint(line["id"] for line in home["waiting"])

"""One stock in two stores: tied and never doubled, and what either sold is taken off the other."""

import datetime as dt
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.batches.models import Batch
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.jobs.run import Pause
from apps.core.testing.jobs import run_jobs
from apps.exchange.lot_ids import IDS_OF_ONE
from apps.inventory.models import Channel, ChannelLot, InventoryItem, Movement, Promise
from apps.inventory.services.bsx_sync import start_undo
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import adjust_quantity, make_stock
from apps.listings.models import Listing, StoreSync
from apps.listings.selectors import last_reading
from apps.listings.services import _channels, store_cycle, store_pull
from apps.listings.services.sending import second_look_after
from apps.listings.services.store_sync import StorePaused, start_apply, start_plan
from apps.listings.tests.listing import list_items, part
from apps.listings.tests.test_store_pull import row_of, store_lot, told
from apps.listings.tests.two_channels import (
    draft,
    look_at_second,
    pieces_here,
    pieces_there,
    pull_second,
    put_up_there,
    sync,
)
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.services.connections import disconnect_store, pause_store
from apps.marketplace.tests.factories import failing
from apps.orders.models import Order

pytestmark = pytest.mark.django_db


def rows(user):
    found = InventoryItem.objects.owned_by(user).order_by("pk")
    return list(found.values_list("lot__item__number", "quantity", "price", "marketplace_lot_id"))


def plan_of(user, batch=None):
    plan = start_plan(owner=user, batch=batch, now=now())
    run_jobs()
    plan.refresh_from_db()
    return plan


class TestASecondStore:
    def test_is_connected_beside_the_first(self, seller, second):
        found = MarketplaceConnection.objects.owned_by(seller)

        assert {each.marketplace for each in found} == {"bricklink", "brickowl"}

    def test_is_tied_to_the_lots_that_agree_and_changes_none(self, seller, second):
        before = rows(seller)
        ids = put_up_there(seller, *map(draft, (3001, 3002, 3003)))

        pulled = pull_second(seller)

        assert rows(seller) == before
        tied = ChannelLot.objects.filter(channel__marketplace="brickowl")
        assert dict(tied.values_list("remote_lot_id", "marketplace_lot_id")) == {
            ids[number]: lot_id for number, _quantity, _price, lot_id in before
        }
        assert told(pulled) == {"unchanged": 3}
        assert (pulled.counts["tied"], [one["code"] for one in pulled.warnings]) == (3, ["tied"])

    def test_is_tied_where_only_price_and_bin_differ(self, seller, second):
        before = rows(seller)
        put_up_there(seller, draft(3001, price=Decimal("0.2000"), remarks="elsewhere"))

        pull_second(seller)

        assert rows(seller) == before
        assert ChannelLot.objects.filter(channel__marketplace="brickowl").count() == 1

    def test_gets_rows_for_what_only_it_has(self, seller, second):
        part(3009)
        put_up_there(seller, draft(3001), draft(3009, quantity=4))

        pull_second(seller)

        assert pieces_here(seller)["3009"] == 4
        assert InventoryItem.objects.count() == 4

    def test_is_undone_without_a_trace(self, seller, second):
        before = rows(seller)
        put_up_there(seller, *map(draft, (3001, 3002, 3003)))
        pulled = pull_second(seller)

        start_undo(sync=pulled, by=seller)
        run_jobs()

        assert rows(seller) == before
        assert not ChannelLot.objects.filter(channel__marketplace="brickowl").exists()

    def test_is_not_in_a_sync_before_it_was_pulled(self, seller, second):
        put_up_there(seller, draft(3001, quantity=3))

        ended = sync(seller)

        assert ended.state == "applied"
        assert ended.reason == "BrickOwl (demo): pull the store once. Until then it is left out."
        assert (pieces_there(second), pieces_here(seller)["3001"]) == ({"3001": 3}, 10)

    def test_is_sent_nothing_by_a_sync_before_a_plan_was_applied(self, seller, second):
        put_up_there(seller, draft(3001, quantity=3), draft(3002), draft(3003))
        pull_second(seller)

        ended = sync(seller)

        assert ended.reason.startswith("BrickOwl (demo): on Store, choose Compare with stock")
        assert (ended.counts["sent"], pieces_there(second)["3001"]) == (0, 3)

    def test_takes_part_in_syncs_once_a_plan_showed_no_difference(self, seller, second):
        put_up_there(seller, *map(draft, (3001, 3002, 3003)))
        pull_second(seller)
        look_at_second(seller)

        assert sync(seller).reason == ""

    def test_shows_in_a_plan_what_it_would_get_before_anything_is_sent(self, seller, second):
        put_up_there(seller, draft(3001, quantity=3), draft(3002), draft(3003))
        pull_second(seller)

        plan = start_plan(owner=seller, batch=None, now=now())
        run_jobs()

        (row,) = plan.rows.all()
        assert (row.kind, row.quantity_here, row.quantity_there) == ("raised", 10, 3)
        assert row.channel.marketplace == "brickowl"
        assert pieces_there(second)["3001"] == 3
        plan.refresh_from_db()
        start_apply(sync=plan, confirm_removals=None)
        run_jobs()
        assert pieces_there(second)["3001"] == 10


class TestAStoreThatNeedsAPlan:
    @pytest.fixture
    def fewer(self, seller, second):
        """Two lots of ten here, of which the second store has three each."""
        put_up_there(seller, draft(3001, quantity=3), draft(3002, quantity=3), draft(3003))
        pull_second(seller)

    def test_takes_part_in_syncs_once_a_whole_plan_was_applied(self, seller, second, fewer):
        plan = plan_of(seller)
        start_apply(sync=plan, confirm_removals=None)
        run_jobs()

        assert sync(seller).reason == ""

    def test_is_sent_what_a_person_left_out_by_no_sync(self, seller, second, fewer):
        plan = plan_of(seller)
        left = plan.rows.get(marketplace_lot_id=row_of(3001).marketplace_lot_id)
        start_apply(sync=plan, confirm_removals=None, leave_out=[left.pk])
        run_jobs()

        assert sync(seller).reason == ""
        assert pieces_there(second) == {"3001": 3, "3002": 10, "3003": 10}
        adjust_quantity(owner=seller, item_id=row_of(3001).pk, delta=-8, by=seller, now=now())
        sync(seller)
        assert pieces_there(second)["3001"] == 2

    def test_is_left_out_while_more_is_for_sale_there_than_here(self, seller, second):
        put_up_there(seller, draft(3001, quantity=13), draft(3002), draft(3003))
        pull_second(seller)
        plan = plan_of(seller)
        start_apply(sync=plan, confirm_removals=None, leave_out=[plan.rows.get().pk])
        run_jobs()

        assert sync(seller).reason.startswith("BrickOwl (demo): ")
        assert pieces_there(second)["3001"] == 13

    def test_is_left_out_after_a_plan_of_one_batch(self, seller, second, fewer):
        batch = Batch.objects.create(owner=seller, name="One")
        plan = plan_of(seller, batch)
        assert not plan.rows.exists()

        assert sync(seller).reason.startswith("BrickOwl (demo): ")

    def test_needs_no_more_than_that_the_plan_shows_nothing_of_it(self, seller, first, second):
        put_up_there(seller, draft(3001, quantity=6), draft(3002), draft(3003))
        pull_second(seller)
        adjust_quantity(owner=seller, item_id=row_of(3001).pk, delta=-4, by=seller, now=now())

        plan_of(seller)

        assert sync(seller).reason == ""

    def test_goes_on_needing_one_where_it_did_not_answer(self, owl, seller, second, fewer):
        failing(owl, "before", times=50)
        plan_of(seller)
        owl.failures.clear()

        assert sync(seller).reason.startswith("BrickOwl (demo): ")

    def test_is_sent_nothing_while_the_other_is_paused(self, seller, first, second):
        put_up_there(seller, draft(3001, quantity=3))
        pull_second(seller)
        pause_store(owner=seller, marketplace="bricklink", is_paused=True, now=now())

        sync(seller)

        assert pieces_there(second)["3001"] == 3


class TestALotThatAStoreLacks:
    @pytest.fixture
    def two_of_three(self, seller, second):
        """The second store has two of the three lots of the first."""
        put_up_there(seller, draft(3001), draft(3002))
        pull_second(seller)

    def test_is_shown_in_a_plan_and_put_up_once_that_is_applied(self, seller, second, two_of_three):
        before = rows(seller)

        plan = plan_of(seller)

        (row,) = plan.rows.all()
        assert (row.kind, row.quantity_here, row.quantity_there) == ("put_up", 10, 0)
        assert row.channel.marketplace == "brickowl"
        assert "3003" not in pieces_there(second)
        start_apply(sync=plan, confirm_removals=None)
        run_jobs()
        assert pieces_there(second) == {"3001": 10, "3002": 10, "3003": 10}
        assert rows(seller) == before
        assert ChannelLot.objects.filter(channel__marketplace="brickowl").count() == 3

    def test_fills_a_store_without_lots_by_a_plan(self, seller, second):
        plan = plan_of(seller)
        assert [row.kind for row in plan.rows.all()] == ["put_up"] * 3
        start_apply(sync=plan, confirm_removals=None)
        run_jobs()

        assert pieces_there(second) == {"3001": 10, "3002": 10, "3003": 10}
        assert sync(seller).reason == ""

    def test_is_counted_in_the_progress(self, seller, second):
        plan = plan_of(seller)
        applied = start_apply(sync=plan, confirm_removals=None)
        run_jobs()

        job = Job.objects.get(pk=applied.job_id)
        assert (job.done, job.total) == (3, 3)

    def test_that_a_person_left_out_is_put_up_by_no_sync(self, seller, second, two_of_three):
        plan = plan_of(seller)
        start_apply(sync=plan, confirm_removals=None, leave_out=[plan.rows.get().pk])
        run_jobs()

        ended = sync(seller)

        assert (ended.reason, ended.counts["put_up"]) == ("", 0)
        (row,) = plan_of(seller).rows.all()
        assert (row.kind, row.reason) == ("put_up", "Left out.")

    def test_that_has_no_counterpart_there_is_named_once(self, owl, seller, second, two_of_three):
        owl.catalogue.several["Part", "3003"] = []
        plan = plan_of(seller)
        start_apply(sync=plan, confirm_removals=None)
        run_jobs()

        row = plan.rows.get()
        assert (row.state, row.reason) == ("failed", "BrickOwl has no item with the number 3003.")
        assert sync(seller).counts["not_sent"] == 0
        assert not plan_of(seller).rows.exists()


@pytest.mark.usefixtures("tied")
class TestALotThatATiedStoreLacks:
    def test_is_put_up_by_a_sync_once_a_plan_was_applied(self, store, both, first, second):
        part(3009)
        first.add([store_lot(3009)])

        ended = sync(both)

        assert (ended.reason, ended.counts["put_up"]) == ("", 1)
        assert pieces_there(second)["3009"] == pieces_there(first)["3009"]
        assert sync(both).counts["put_up"] == 0

    def test_waits_for_a_plan_where_many_are_lacking(self, both, first, second):
        for number in range(3010, 3020):
            part(number)
            first.add([store_lot(number)])

        ended = sync(both)

        assert "10 lots are not for sale there" in ended.reason
        assert len(pieces_there(second)) == 3

    def test_waits_while_a_lot_there_may_be_it_and_cannot_be_read(self, both, first, second):
        for number in (3008, 3009):
            part(number)
            first.add([store_lot(number)])
        ids = put_up_there(both, draft(3008))
        second.change(ids["3008"] - IDS_OF_ONE, lambda lot: {**lot, "quantity": "many"})

        ended = sync(both)

        rows = ended.rows.filter(kind="put_up").order_by("marketplace_lot_id")
        assert [row.state for row in rows] == ["skipped", "applied"]
        assert "cannot be read" in rows[0].reason

    def test_that_sold_out_at_the_first_is_put_up_there_again(self, both, store, first, second):
        shop = store.sellers.register(f"user-{both.pk}")
        (lot,) = (lot for lot in first.all() if lot["item"]["no"] == "3001")
        shop.orders.place(first, {lot["inventory_id"]: 10}, now=now())
        sync(both)
        assert "3001" not in pieces_there(first)
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=6, by=both, now=now())

        sync(both)

        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 6
        assert check_ledger(owner=both).is_sound

    def test_is_listed_under_its_number_from_a_batch(self, both, first, second, buy_there):
        buy_there(3001, 10)
        sync(both)
        row = row_of(3001)
        number = row.marketplace_lot_id
        assert "3001" not in pieces_there(first)
        batch = make_batch(both)
        make_item(batch, lot=row.lot, location=row.location, quantity=5, price=row.price)
        stow_all(batch)

        list_items(batch)
        sync(both)

        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 5
        assert batch.items.get().is_listed
        assert row_of(3001).marketplace_lot_id == number

    @pytest.mark.parametrize("failure", ["cut_before", "cut_after"])
    def test_is_put_up_once_whatever_becomes_of_the_call(
        self, owl, both, first, second, no_pauses, failure
    ):
        part(3009)
        first.add([store_lot(3009)])
        failing(owl, failure, path="inventory/create")

        sync(both)
        Listing.objects.filter(channel__isnull=False, missed_at__isnull=False).update(
            missed_at=now() - second_look_after()
        )
        sync(both)

        (lot,) = (each for each in second.all() if each["number"] == "3009")
        (tied,) = ChannelLot.objects.filter(
            marketplace_lot_id=row_of(3009).marketplace_lot_id, channel__marketplace="brickowl"
        )
        assert (lot["quantity"], tied.quantity) == (10, 10)
        assert row_of(3009).marketplace_lot_id < IDS_OF_ONE < tied.remote_lot_id


@pytest.mark.usefixtures("tied")
class TestASync:
    def test_takes_what_the_second_store_sold_off_the_first(self, both, first, second, buy_there):
        buy_there(3001, 4)

        ended = sync(both)

        assert (ended.state, ended.reason) == ("applied", "")
        assert pieces_there(first)["3001"] == 6
        assert pieces_here(both)["3001"] == 6
        assert Order.objects.get().lines.get().quantity == 4
        assert check_ledger(owner=both).is_sound

    def test_takes_what_the_first_store_sold_off_the_second(self, store, both, first, second):
        shop = store.sellers.register(f"user-{both.pk}")
        (lot,) = (lot for lot in first.all() if lot["item"]["no"] == "3002")
        shop.orders.place(first, {lot["inventory_id"]: 3}, now=now())

        sync(both)

        assert (pieces_there(second)["3002"], pieces_here(both)["3002"]) == (7, 7)

    def test_sends_what_changed_here_to_both(self, both, first, second):
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=5, by=both, now=now())
        row = row_of(3002)
        row.price = "0.5000"
        row.save(update_fields=["price", "updated_at"])

        ended = sync(both)

        assert ended.counts["sent"] == 4
        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 15
        (owl_lot,) = (lot for lot in second.all() if lot["number"] == "3002")
        assert float(owl_lot["price"]) == 0.5

    @pytest.mark.parametrize("is_counted", [False, True])
    def test_sells_once_what_was_ordered_in_the_second_of_a_reading(
        self, both, first, second, buy_there, is_counted
    ):
        order = buy_there(3001, 4)
        placed = dt.datetime.fromtimestamp(int(order["order_time"]), dt.UTC)
        row = row_of(3001)
        there = ChannelLot.objects.filter(channel__marketplace="brickowl")
        there.filter(marketplace_lot_id=row.marketplace_lot_id).update(
            received_at=placed + dt.timedelta(milliseconds=500), quantity=6 if is_counted else 10
        )
        if is_counted:
            read_at = placed + dt.timedelta(milliseconds=600)
            Movement(
                item=row, delta=-4, reason="sale", cause_kind="sync", created_at=read_at
            ).save()
            InventoryItem.objects.filter(pk=row.pk).update(quantity=6)

        for _ in range(2):
            sync(both)

        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 6
        assert pieces_here(both)["3001"] == 6
        assert Promise.objects.get().quantity == 4

    def test_compares_neither_store_again_while_nothing_changed(self, both, owl, monkeypatch):
        sync(both)
        sync(both)
        compared = []
        monkeypatch.setattr(
            store_pull, "busy_among", lambda channel, lots: compared.append(channel) or set()
        )

        sync(both)

        assert compared == []

    def test_counts_what_it_did_with_each_store(self, both, buy_there):
        buy_there(3001, 4)
        adjust_quantity(owner=both, item_id=row_of(3002).pk, delta=5, by=both, now=now())

        ended = sync(both)

        told = [
            {name: n for name, n in one.items() if n and name != "channel_id"}
            for one in ended.counts["channels"]
        ]
        assert told == [{"lowered": 1, "raised": 1}, {"orders": 1, "raised": 1}]

    def test_that_found_nothing_sends_nothing(self, both, store, owl):
        sync(both)
        store.calls.clear()
        owl.calls.clear()

        ended = sync(both)

        assert (ended.counts["sent"], ended.counts["changed"]) == (0, 0)

    def test_reads_the_second_store_where_the_first_reads_as_before(self, both, second, buy_there):
        sync(both)

        assert sync(both).reason == ""
        buy_there(3001, 4)
        sync(both)
        assert pieces_here(both)["3001"] == 6

    def test_goes_on_without_a_store_that_does_not_answer(self, owl, both, first, buy_there):
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=-4, by=both, now=now())
        failing(owl, "before", times=50)

        ended = sync(both)

        assert ended.state == "applied"
        assert ended.reason.startswith("BrickOwl (demo): ")
        assert pieces_there(first)["3001"] == 6

    def test_raises_nothing_while_a_store_has_not_told_its_orders(self, owl, both, first, second):
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=5, by=both, now=now())
        failing(owl, "before", times=50)

        sync(both)

        assert pieces_there(first)["3001"] == 10
        owl.failures.clear()
        sync(both)
        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 15

    def test_fails_where_no_store_answers(self, store, owl, both):
        failing(store, "before", times=50)
        failing(owl, "before", times=50)

        sync(both)

        job = Job.objects.latest("created_at")
        assert job.state in ("queued", "failed")
        assert StoreSync.objects.latest("pk").state != "applied"

    def test_of_a_lot_that_only_one_store_no_longer_has_keeps_it_in_the_other(
        self, both, first, second
    ):
        (lot,) = (each for each in second.all() if each["number"] == "3001")
        second.delete(lot["inventory_id"])

        sync(both)

        assert row_of(3001).marketplace_lot_id is not None

    def test_waits_for_a_limit_per_minute_and_leaves_nothing(
        self, owl, both, first, second, monkeypatch
    ):
        monkeypatch.setattr(_channels, "A_MINUTE", dt.timedelta())
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=-4, by=both, now=now())
        failing(owl, "throttled_in_200", times=3)

        ended = sync(both)

        assert (ended.state, ended.reason, ended.counts["not_sent"]) == ("applied", "", 0)
        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 6

    def test_waits_for_a_limit_per_minute_while_lots_are_put_up(
        self, owl, seller, second, monkeypatch
    ):
        monkeypatch.setattr(_channels, "A_MINUTE", dt.timedelta())
        plan = plan_of(seller)
        start_apply(sync=plan, confirm_removals=None)
        failing(owl, "throttled_in_200", times=4)
        run_jobs()

        plan.refresh_from_db()
        assert (plan.state, plan.reason) == ("applied", "")
        assert pieces_there(second) == {"3001": 10, "3002": 10, "3003": 10}

    def test_is_as_old_as_its_reading_however_often_it_was_taken_up(self, both, monkeypatch):
        begin, taken_up = store_cycle._begin_sending, []

        def stop_once(*args):
            taken_up.append(now())
            if len(taken_up) == 1:
                raise Pause("Waiting", until=now())
            begin(*args)

        monkeypatch.setattr(store_cycle, "_begin_sending", stop_once)
        ended = sync(both)

        assert ended.state == "applied"
        assert all(
            one.read_at < taken_up[0] for one in Channel.objects.owned_by(both).order_by("pk")
        )

    def test_of_the_store_that_is_left_says_when_it_was_read(self, both):
        sync(both)
        disconnect_store(owner=both, marketplace="brickowl")
        before = now()

        sync(both)

        assert last_reading(both, marketplace="bricklink") > before


@pytest.mark.usefixtures("tied")
class TestAPausedStore:
    @pytest.fixture
    def paused(self, both):
        pause_store(owner=both, marketplace="brickowl", is_paused=True, now=now())
        return both

    def test_is_not_called_by_a_sync_which_says_so(self, owl, paused, first):
        adjust_quantity(owner=paused, item_id=row_of(3001).pk, delta=-4, by=paused, now=now())
        owl.calls.clear()

        ended = sync(paused)

        assert (ended.state, len(owl.calls)) == ("applied", 0)
        assert ended.reason == "BrickOwl (demo) is paused: syncs leave it out until you resume it."
        assert pieces_there(first)["3001"] == 6

    def test_may_have_sold_what_would_be_raised_elsewhere(self, paused, first):
        adjust_quantity(owner=paused, item_id=row_of(3001).pk, delta=5, by=paused, now=now())

        ended = sync(paused)

        assert pieces_there(first)["3001"] == 10
        assert ended.rows.get(kind="raised").reason.startswith("BrickOwl (demo) is paused")

    def test_is_left_out_of_plans(self, owl, paused):
        adjust_quantity(owner=paused, item_id=row_of(3001).pk, delta=-4, by=paused, now=now())
        owl.calls.clear()

        plan = start_plan(owner=paused, batch=None, now=now())
        run_jobs()

        plan.refresh_from_db()
        assert (plan.state, len(owl.calls)) == ("planned", 0)
        assert [row.channel.marketplace for row in plan.rows.all()] == ["bricklink"]
        assert plan.reason.startswith("BrickOwl (demo) is paused")

    def test_gets_what_changed_meanwhile_once_it_is_resumed(self, paused, first, second, buy_there):
        adjust_quantity(owner=paused, item_id=row_of(3001).pk, delta=5, by=paused, now=now())
        buy_there(3001, 4)
        sync(paused)
        pause_store(owner=paused, marketplace="brickowl", is_paused=False, now=now())

        ended = sync(paused)

        assert ended.reason == ""
        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 11
        assert pieces_here(paused)["3001"] == 11

    def test_counts_orders_of_the_other_once_after_a_sync_without_it(self, store, paused, first):
        sync(paused)
        shop = store.sellers.register(f"user-{paused.pk}")
        (lot,) = (lot for lot in first.all() if lot["item"]["no"] == "3002")
        shop.orders.place(first, {lot["inventory_id"]: 3}, now=now())

        sync(paused)
        sync(paused)

        assert pieces_here(paused)["3002"] == pieces_there(first)["3002"] == 7
        assert check_ledger(owner=paused).is_sound

    @pytest.mark.parametrize("start", ["cycle", "plan"])
    def test_is_refused_a_sync_where_all_are_paused(self, paused, start):
        pause_store(owner=paused, marketplace="bricklink", is_paused=True, now=now())

        with pytest.raises(StorePaused):
            sync(paused) if start == "cycle" else start_plan(owner=paused, batch=None, now=now())


@pytest.mark.usefixtures("tied")
class TestALotInEachStore:
    @pytest.fixture
    def lines(self, both, api):
        """`lines(3001)` is what each store has of the lot, by mark."""

        def of(number):
            answer = api(both).get(f"/api/marketplace/channelLots/{row_of(number).pk}")
            return {line["mark"]: line for line in answer.json()["data"]}

        return of

    def test_is_in_step_with_both(self, lines):
        found = lines(3001)

        assert {mark: (one["state"], one["quantity"]) for mark, one in found.items()} == {
            "BL": ("in_step", 10),
            "BO": ("in_step", 10),
        }
        assert found["BL"]["price"] == "0.1000"

    def test_costs_as_much_for_both_as_for_one(self, lines, both, django_assert_num_queries):
        with CaptureQueriesContext(connection) as of_both:
            lines(3001)
        disconnect_store(owner=both, marketplace="brickowl")

        with django_assert_num_queries(len(of_both)):
            assert len(lines(3001)) == 1

    def test_is_to_be_sent_where_it_differs(self, lines, both):
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=-4, by=both, now=now())

        assert [one["state"] for one in lines(3001).values()] == ["to_send", "to_send"]

    def test_is_held_back_where_the_store_is_paused(self, lines, both):
        pause_store(owner=both, marketplace="brickowl", is_paused=True, now=now())
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=5, by=both, now=now())
        sync(both)

        found = lines(3001)

        assert {mark: one["state"] for mark, one in found.items()} == {"BL": "held", "BO": "held"}
        assert {one["reason"] for one in found.values()} == {
            "BrickOwl (demo) is paused: syncs leave it out until you resume it."
        }

    def test_is_not_there_with_the_reason(self, lines, both, second):
        ChannelLot.objects.filter(
            channel__marketplace="brickowl", marketplace_lot_id=(row_of(3001).marketplace_lot_id)
        ).delete()

        found = lines(3001)

        assert (found["BO"]["state"], found["BO"]["quantity"]) == ("not_there", None)
        assert found["BO"]["reason"] == "The store has no lot of it."

    def test_has_an_address_at_a_real_marketplace_that_has_one(self, lines, settings):
        settings.MARKETPLACE_IS_DEMO = settings.BRICKOWL_IS_DEMO = False
        lot_id = row_of(3001).marketplace_lot_id

        found = lines(3001)

        assert found["BL"]["address"].endswith(f"={lot_id}")
        assert found["BO"]["address"] == ""

    def test_of_another_person_does_not_exist(self, api, bo, both):
        answer = api(bo).get(f"/api/marketplace/channelLots/{row_of(3001).pk}")

        assert answer.status_code == 404

    def test_is_of_no_store_where_none_is_connected(self, api, bo):
        row = make_stock(bo)

        assert api(bo).get(f"/api/marketplace/channelLots/{row.pk}").json()["data"] == []

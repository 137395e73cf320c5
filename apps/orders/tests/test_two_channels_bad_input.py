"""Two stores of one stock, and what goes wrong at one of them: the other one is not harmed."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import ChannelLot, InventoryItem, Promise
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import adjust_quantity, make_stock
from apps.listings.models import StoreSync
from apps.listings.services.store_pull import start_pull
from apps.listings.services.store_sync import start_cycle
from apps.listings.tests.listing import part
from apps.listings.tests.test_store_pull import row_of
from apps.listings.tests.two_channels import (
    SECOND,
    draft,
    pieces_here,
    pieces_there,
    pull_second,
    put_up_there,
    sync,
)
from apps.marketplace.models import ConnectionState, MarketplaceConnection
from apps.marketplace.services.connections import (
    connect_demo_store,
    disconnect_store,
    pause_store,
)
from apps.marketplace.tests.factories import failing
from apps.orders.models import Order, OrderLine
from apps.orders.services.picking import start_walk

pytestmark = pytest.mark.django_db


def test_an_id_that_both_stores_use_is_of_two_lots(seller, first, second):
    ids = put_up_there(seller, draft(3003), draft(3002), draft(3001))
    theirs = {lot["item"]["no"]: lot["inventory_id"] for lot in first.all()}
    # The first lot put up has the same number at both, and is of another item.
    assert {each["inventory_id"] for each in second.all()} == set(theirs.values())

    pull_second(seller)

    tied = ChannelLot.objects.filter(channel__marketplace=SECOND)
    assert dict(tied.values_list("marketplace_lot_id", "remote_lot_id")) == {
        theirs[number]: lot_id for number, lot_id in ids.items()
    }


def test_a_first_store_in_another_currency_is_refused_with_what_to_do(store, ann):
    part(3001)
    connect_demo_store(owner=ann, now=now())
    MarketplaceConnection.objects.update(is_demo=False)
    make_stock(ann, price=Decimal("0.1"), quantity=3)
    store.sellers.register(f"user-{ann.pk}").stock.currency = "GBP"

    pulled = start_pull(owner=ann, by=ann, now=now())
    run_jobs()

    pulled.job.refresh_from_db()
    assert pulled.job.state == "failed"
    assert "its prices in GBP, and your stock is in " in pulled.job.message
    assert InventoryItem.objects.count() == 1


@pytest.mark.usefixtures("tied")
class TestTwoStores:
    def test_an_order_of_a_lot_that_is_not_ours_takes_nothing_of_ours(
        self, store, both, first, second
    ):
        shop = store.sellers.register(f"user-{both.pk}")
        (lot,) = (lot for lot in first.all() if lot["item"]["no"] == "3001")
        shop.orders.place(first, {lot["inventory_id"]: 2}, now=now())
        (order,) = shop.orders.all()
        for line in order["batches"][0]:
            line["inventory_id"] = 499_999_999
            line["item"] = {**line["item"], "no": "9999"}
        first.change(lot["inventory_id"], lambda had: {**had, "quantity": 10})

        sync(both)

        line = OrderLine.objects.get()
        assert not Promise.objects.filter(line_id=line.pk).exists()
        assert pieces_here(both)["3002"] == pieces_there(second)["3002"] == 10
        assert check_ledger(owner=both).is_sound

    def test_a_key_withdrawn_in_the_middle_of_a_sync_ends_that_store_alone(
        self, owl, both, first, second
    ):
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=-4, by=both, now=now())
        failing(owl, "unauthorized_in_200", times=50, path="inventory/update")

        ended = sync(both)

        assert ended.reason.startswith("BrickOwl (demo): ")
        assert (pieces_there(first)["3001"], pieces_there(second)["3001"]) == (6, 10)
        found = MarketplaceConnection.objects.get(channel__marketplace=SECOND)
        assert found.state == ConnectionState.REFUSED
        owl.failures.clear()
        sync(both)
        assert pieces_there(second)["3001"] == 6

    def test_a_clock_that_was_set_back_sells_nothing_twice(self, both, first, second, buy_there):
        buy_there(3001, 4)
        sync(both)
        yesterday = now() - dt.timedelta(days=1)
        buy_there(3001, 2)
        start_cycle(owner=both, now=yesterday)
        run_jobs()

        sync(both)

        assert pieces_here(both)["3001"] == 4
        assert pieces_there(first)["3001"] == pieces_there(second)["3001"] == 4
        assert check_ledger(owner=both).is_sound

    def test_an_order_that_grows_at_its_store_while_it_is_picked_keeps_its_walk(
        self, store, both, first, second
    ):
        shop = store.sellers.register(f"user-{both.pk}")
        (lot,) = (lot for lot in first.all() if lot["item"]["no"] == "3001")
        placed = shop.orders.place(first, {lot["inventory_id"]: 4}, now=now())
        sync(both)
        order = Order.objects.get()
        walk = start_walk(owner=both, order_ids=[order.pk], now=now())
        shop.orders.add(first, placed["order_id"], {lot["inventory_id"]: 2}, now())

        sync(both)

        walk.refresh_from_db()
        assert walk.ended_at is None
        wanted = sum(line.to_pick for line in OrderLine.objects.filter(order=order))
        held = Promise.objects.filter(line_id__in=order.lines.values("pk"))
        assert wanted == sum(held.values_list("quantity", flat=True)) == 6
        assert pieces_there(second)["3001"] == pieces_here(both)["3001"] == 4
        assert check_ledger(owner=both).is_sound


@pytest.mark.usefixtures("tied")
class TestAStoreThatIsLeftWhileASyncWaits:
    """The second store's limit of calls a minute is used up: meanwhile a person takes it out."""

    @pytest.fixture(params=["disconnected", "paused"])
    def leave(self, request, both):
        def act():
            if request.param == "paused":
                pause_store(owner=both, marketplace=SECOND, is_paused=True, now=now())
            else:
                disconnect_store(owner=both, marketplace=SECOND)

        return act

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_ends_with_the_other_one(self, owl, both, first, second, leave, method):
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=-4, by=both, now=now())
        adjust_quantity(owner=both, item_id=row_of(3002).pk, delta=5, by=both, now=now())
        failing(owl, "throttled_in_200", method=method)
        start_cycle(owner=both, now=now())
        run_jobs()
        assert Job.objects.latest("created_at").state == "queued"
        leave()

        Job.objects.update(not_before=None)
        run_jobs()

        ended = StoreSync.objects.latest("pk")
        job = Job.objects.get(pk=ended.job_id)
        assert (ended.state, job.state) == ("applied", "succeeded"), (ended.reason, job.message)
        assert pieces_there(first)["3001"] == pieces_here(both)["3001"] == 6
        assert check_ledger(owner=both).is_sound
        again = sync(both)
        assert again.state == "applied"
        assert pieces_there(first) == {"3001": 6, "3002": pieces_there(first)["3002"], "3003": 10}

"""Orders of a store at BrickOwl: promised, picked and told as those of any other."""

import dataclasses
import datetime as dt

import pytest

from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.core.waiting import Asked
from apps.inventory.models import InventoryItem, Promise
from apps.inventory.services.ledger_check import check_ledger
from apps.listings.tests.test_stock_listing import put_up
from apps.listings.tests.test_stock_listing import row_of as make_row
from apps.listings.tests.test_store_cycle import cycle, done
from apps.listings.tests.test_store_pull import pulled, row_of
from apps.marketplace.providers import brickowl
from apps.marketplace.providers.brickowl_wire import LOT_IDS, ORDER_IDS
from apps.marketplace.services.connections import (
    NotConnected,
    connect_demo_store,
    connection_of,
    open_store,
)
from apps.orders.models import Order, OrderEvent, OrderIntent
from apps.orders.selectors.walks import stops_of
from apps.orders.services.handling import cancel_order, pack_order, ship_order
from apps.orders.services.messages import messages_of
from apps.orders.services.picking import pick_stop, start_walk
from apps.orders.services.pulling import read_store_orders
from apps.orders.services.telling import plan_step
from apps.orders.services.waiting import open_orders
from simulators.brickowl import orders as buyers

pytestmark = pytest.mark.django_db


class Shop:
    """ann's store at BrickOwl with three lots of ten pieces, which her stock has too."""

    def __init__(self, market, owner):
        self.owner = owner
        connect_demo_store(owner=owner, now=now(), marketplace="brickowl")
        self.seller = market.sellers.register(f"user-{owner.pk}")
        put_up(
            owner, [make_row(owner, number, 10, price="0.1000") for number in (3001, 3002, 3003)]
        )
        pulled(owner)

    def buy(self, number, pieces, *, after=0, **also):
        lot = LOT_IDS.theirs(row_of(number).marketplace_lot_id)
        soon = now() + dt.timedelta(seconds=after)
        return buyers.place(self.seller, {lot: pieces}, now=soon, **also)["order_id"]

    def there(self, number):
        return {lot["number"]: lot["quantity"] for lot in self.seller.stock.all()}[str(number)]

    def read(self):
        with open_store(connection_of(owner=self.owner), spend=lambda kind: None) as client:
            return read_store_orders(owner=self.owner, store=client, clock=now)


def order_elsewhere(owner):
    """An open order of the store at another marketplace that was connected before."""
    return Order.objects.create(
        owner=owner,
        channel="store",
        number="7",
        marketplace_order_id=7,
        state="paid",
        ordered_at=now(),
        changed_at=now(),
        currency="USD",
    )


@pytest.fixture
def shop(owl, ann):
    return Shop(owl, ann)


def here(number):
    row = row_of(number)
    return row.quantity, row.promised


class TestArrival:
    def test_promises_the_pieces_in_the_cycle_and_counts_none_as_missing(self, ann, shop):
        # Times have no fractions there: one of the same second may have come before the pull.
        number = shop.buy(3001, 4, after=1)

        sync = cycle(ann)

        order = Order.objects.get()
        assert (order.number, order.marketplace_order_id) == (str(number), ORDER_IDS.ours(number))
        assert (sync.state, done(sync)) == ("applied", {"orders": 1})
        assert (here(3001), shop.there(3001)) == ((10, 4), 6)

    def test_is_read_once_and_again_only_where_it_changed(self, shop):
        number = shop.buy(3001, 4, status_id=1)

        counts = [shop.read().count, shop.read().count]
        buyers.set_status(shop.seller, {"order_id": str(number), "status_id": "2"}, None)
        counts.append(shop.read().count)

        assert counts == [1, 0, 1]
        assert Order.objects.get().state == "paid"

    def test_frees_the_pieces_of_one_that_is_cancelled_there(self, ann, shop):
        number = shop.buy(3001, 4)
        cycle(ann)
        buyers.cancel(shop.seller, number, now())

        cycle(ann)

        assert Order.objects.get().state == "cancelled"
        assert (here(3001), shop.there(3001)) == ((10, 0), 10)
        assert not any(dataclasses.astuple(check_ledger(owner=ann)))

    def test_takes_nothing_again_that_a_pull_has_booked_before_orders_were_read(
        self, ann, shop, monkeypatch
    ):
        shop.buy(3001, 4)
        with monkeypatch.context() as before:
            before.setattr(brickowl.BrickOwlStore, "orders", lambda store, filed=False: [])
            pulled(ann)
        assert here(3001) == (6, 0)

        cycle(ann)

        row = InventoryItem.objects.get(lot__item__number="3001")
        promise = Promise.objects.get()
        assert (row.quantity, promise.quantity, promise.is_out) == (6, 4, True)
        assert shop.there(3001) == 6

    def test_knows_the_words_of_its_states(self, ann, api, shop):
        for status_id in (1, 7):  # payment submitted, on hold
            shop.buy(3001, 1, status_id=status_id)
        shop.read()

        rows = api(ann).get("/api/orders").json()["data"]
        (line,) = open_orders(Asked(owner=ann, currency="USD", now=now()))

        unknown = {row["status"]: row["is_status_unknown"] for row in rows}
        assert unknown == {"Payment Submitted": False, "On Hold": True}
        assert (line.count, line.note[:9]) == (1, "“On Hold”")

    def test_leaves_open_orders_of_the_marketplace_before_alone(self, ann, shop):
        old = order_elsewhere(ann)

        read = shop.read()

        assert (read.count, read.unread) == (0, [])
        old.refresh_from_db()
        assert old.state == "paid"


class TestHandling:
    def test_asks_and_tells_no_other_store_of_an_order(self, ann, shop):
        old = order_elsewhere(ann)

        plan_step(order=old, step="packed")
        with pytest.raises(NotConnected):
            messages_of(order=old, now=now())

        assert not OrderIntent.objects.exists()

    def test_tells_the_store_of_the_parcel(self, ann, shop):
        number = shop.buy(3001, 4)
        cycle(ann)
        order = Order.objects.get()
        walk = start_walk(owner=ann, order_ids=[order.pk], now=now())
        for stop in stops_of(walk=walk):
            picked = {tray["line_id"]: tray["quantity"] for tray in stop["trays"]}
            pick_stop(walk=walk, item_id=stop["item_id"], picked=picked, by=ann, now=now())
        pack_order(order=order, weighed_grams=None, now=now())
        ship_order(order=order, tracking_number="RR 1", now=now())
        run_jobs()

        told = shop.seller.orders.get(number)
        assert (told["status"], told["tracking_number"]) == ("Shipped", "RR 1")
        assert here(3001) == (6, 0)
        assert not any(dataclasses.astuple(check_ledger(owner=ann)))

    def test_says_that_an_order_is_cancelled_at_brickowl(self, ann, shop):
        shop.buy(3001, 4)
        cycle(ann)

        cancel_order(order=Order.objects.get(), tell_marketplace=True, by=ann, now=now())
        run_jobs()

        assert OrderIntent.objects.get().state == "refused"
        text = OrderEvent.objects.get(kind="refused").text
        assert "BrickOwl lets no app cancel an order: cancel it there." in text

"""Whoever changes an order and its pieces locks the order first, then the rows of stock."""

import pytest
from django.db import connection

from apps.core.clock import now
from apps.core.concurrency import lock_ids_in_order
from apps.core.testing.jobs import run_jobs
from apps.core.testing.threads import meet
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.services.bsx_sync import start_undo
from apps.inventory.tests.bsx_files import bsx, sync_file
from apps.inventory.tests.bsx_files import lot as file_lot
from apps.orders.models import Order
from apps.orders.selectors.walks import stops_of
from apps.orders.services.arrival import receive_order
from apps.orders.services.combining import combine, separate
from apps.orders.services.handling import cancel_order
from apps.orders.services.picking import pick_stop
from apps.orders.services.serving import serve_lacking
from apps.orders.tests.factories import make_order, make_walk, stock_in
from apps.orders.tests.test_arrival import line, lot, told

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite lets one write at a time: nobody waits"
    ),
]


def pick(owner, order, *, reason=""):
    """Return an act that picks the one stop of an order."""
    walk = make_walk(owner, order)
    (stop,) = stops_of(walk=walk)
    picked = {tray["line_id"]: 0 if reason else tray["quantity"] for tray in stop["trays"]}
    return lambda: pick_stop(
        walk=walk, item_id=stop["item_id"], picked=picked, by=owner, now=now(), reason=reason
    )


def cancel(owner, order):
    return lambda: cancel_order(order=order, tell_marketplace=False, by=owner, now=now())


def serve(owner, order):
    order.lines.update(quantity=4)
    return lambda: serve_lacking(owner=owner, now=now())


@pytest.mark.parametrize(
    "make",
    [pick, lambda *them: pick(*them, reason="not_found"), cancel, serve],
    ids=["pick", "fall short", "cancel", "serve"],
)
def test_an_order_is_locked_before_its_pieces(ann, make):
    row = stock_in(ann, "A-1", 5)
    order = make_order(ann, (row, 2))
    act = make(ann, order)

    meet(
        first=lambda: lock_ids_in_order(Order, [order.pk]),
        then=lambda: lock_ids_in_order(InventoryItem, [row.pk]),
        other=act,
    )


def test_an_order_that_is_read_again_is_locked_before_its_pieces(ann):
    there = lot("3001")
    row = stock_in(ann, "A-1", 9, lot=there, condition="U")
    order = receive_order(owner=ann, told=told(line(there, 2)), now=now()).order
    more = told(line(there, 4))

    meet(
        first=lambda: lock_ids_in_order(Order, [order.pk]),
        then=lambda: lock_ids_in_order(InventoryItem, [row.pk]),
        other=lambda: receive_order(owner=ann, told=more, now=now()),
    )

    row.refresh_from_db()
    assert row.promised == 4


@pytest.mark.parametrize("later", [InventoryItem, ChannelLot])
def test_an_order_is_locked_before_what_the_undo_of_an_import_takes_back(ann, later):
    sync = sync_file(ann, bsx(file_lot(qty=5, LotID=9, Remarks="A-1")))
    order = make_order(ann, (InventoryItem.objects.get(), 2))
    start_undo(sync=sync, by=ann)
    (held,) = later.objects.values_list("pk", flat=True)

    meet(
        first=lambda: lock_ids_in_order(Order, [order.pk]),
        then=lambda: lock_ids_in_order(later, [held]),
        other=run_jobs,
    )

    sync.refresh_from_db()
    assert (sync.state, sync.job.attempts) == ("undone", 1)


@pytest.fixture
def orders(ann):
    return [make_order(ann, buyer="Joan", address="1 Elm Street", country="US") for _ in range(3)]


def share(order, *others):
    stale = Order.objects.get(pk=order.pk)
    return lambda: combine(order=stale, order_ids=[one.pk for one in others], now=now())


def test_two_that_fill_a_parcel_at_once_make_one(orders):
    first, one, other = orders

    meet(first=share(one, other), then=lambda: None, other=share(one, first))

    parcels = dict(Order.objects.values_list("pk", "parcel"))
    assert parcels == {first.pk: None, one.pk: first.pk, other.pk: first.pk}


def test_a_parcel_that_grows_meanwhile_is_separated_whole(orders):
    first, one, other = orders
    share(one, other)()
    stale = Order.objects.get(pk=other.pk)

    meet(
        first=share(one, first),
        then=lambda: None,
        other=lambda: separate(order=stale, now=now()),
    )

    assert set(Order.objects.values_list("parcel", flat=True)) == {None}

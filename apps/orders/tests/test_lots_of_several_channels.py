"""Orders of a store that knows lots of the stock by other ids than the stock."""

import datetime as dt

import pytest

from apps.core.clock import now
from apps.exchange.lot_ids import IDS_OF_ONE
from apps.inventory.models import Promise
from apps.inventory.services.channels import channel_at, channel_of_files
from apps.inventory.services.received import receive, received_of
from apps.orders.services.arrival import receive_order
from apps.orders.tests.factories import stock_in
from apps.orders.tests.test_arrival import RECEIVED, free, line, lot, told

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

THERE = IDS_OF_ONE + 41
AN_ORDER_THERE = IDS_OF_ONE + 9


@pytest.fixture
def row(ann):
    """Five pieces in two stores, beside as many of the same lot that are for sale in one."""
    bricks = lot()
    stock_in(ann, "A-2", 5, bricks, marketplace_lot_id=8)
    row = stock_in(ann, "A-1", 5, bricks, marketplace_lot_id=7)
    early = now() - dt.timedelta(hours=1)
    receive(owner=ann, lots={7: RECEIVED, 8: RECEIVED}, now=early)
    another = channel_at(owner=ann, marketplace="brickowl", first_lot_id=IDS_OF_ONE + 1)
    receive(owner=ann, lots={7: RECEIVED}, now=early, channel_id=another.pk, remote_ids={7: THERE})
    return row


def pieces(ann):
    """What each channel is known to have of lot 7."""
    channels = {
        "files": channel_of_files(ann),
        "another": channel_at(owner=ann, marketplace="brickowl", first_lot_id=IDS_OF_ONE + 1),
    }
    return {
        name: received_of(owner=ann, lot_ids=[7], channel_id=channel.pk)[7]["quantity"]
        for name, channel in channels.items()
    }


def test_are_promised_of_the_lot_that_was_sold(ann, row):
    order = told(line(row.lot, 2, lot_id=THERE), order_id=AN_ORDER_THERE)

    receive_order(owner=ann, told=order, now=now())

    assert free(ann) == {"A-1": 3, "A-2": 5}


def test_are_subtracted_at_their_own_store_alone(ann, row):
    order = told(line(row.lot, 2, lot_id=THERE), order_id=AN_ORDER_THERE)

    receive_order(owner=ann, told=order, now=now())

    assert pieces(ann) == {"files": 5, "another": 3}


def test_that_the_other_store_was_read_later_is_not_that_it_counted_them(ann, row):
    receive(owner=ann, lots={7: RECEIVED}, now=now(), is_reading=True)
    order = told(
        line(row.lot, 2, lot_id=THERE),
        order_id=AN_ORDER_THERE,
        at=now() - dt.timedelta(minutes=5),
    )

    receive_order(owner=ann, told=order, now=now())

    assert not Promise.objects.get().is_out
    assert pieces(ann) == {"files": 5, "another": 3}


def test_from_before_the_reading_of_their_own_store_were_counted_by_it(ann, row):
    another = channel_at(owner=ann, marketplace="brickowl", first_lot_id=IDS_OF_ONE + 1)
    receive(owner=ann, lots={7: RECEIVED}, now=now(), channel_id=another.pk, is_reading=True)
    order = told(
        line(row.lot, 2, lot_id=THERE),
        order_id=AN_ORDER_THERE,
        at=now() - dt.timedelta(minutes=5),
    )

    receive_order(owner=ann, told=order, now=now())

    assert Promise.objects.get().is_out
    assert pieces(ann) == {"files": 5, "another": 5}

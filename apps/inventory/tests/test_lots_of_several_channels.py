"""A lot of the stock in two stores: one number here, an id at each, and what each last received."""

import pytest

from apps.exchange.lot_ids import IDS_OF_ONE
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.selectors.export import lots_with_places
from apps.inventory.services.changes import (
    changed_lot_ids,
    changed_lots,
    differences_of,
    in_changed_lots,
)
from apps.inventory.services.channels import (
    channel_at,
    channel_beside_others,
    channel_of_files,
    in_channel,
    numbers_of,
)
from apps.inventory.services.received import (
    forget,
    keep_sent,
    receive,
    received_of,
    sell_received,
    values_of,
)
from apps.inventory.tests.factories import NOON, make_stock

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

OTHER = IDS_OF_ONE + 1
THERE = OTHER + 40


@pytest.fixture
def files(ann):
    return channel_of_files(ann)


@pytest.fixture
def another(ann):
    return channel_at(owner=ann, marketplace="another", first_lot_id=OTHER)


@pytest.fixture
def row(ann, files, another):
    """Ten pieces of lot 7, which is lot 41 of another store."""
    row = make_stock(ann, quantity=10, price="0.10", marketplace_lot_id=7)
    both(row, files, another)
    return row


def both(row, files, another, *, remote_id=THERE):
    ((_pk, lot, _place),) = lots_with_places(InventoryItem.objects.filter(pk=row.pk))
    lots = {row.marketplace_lot_id: values_of(lot)}
    receive(owner=row.owner, lots=lots, now=NOON, channel_id=files.pk)
    remote_ids = {row.marketplace_lot_id: remote_id}
    receive(owner=row.owner, lots=lots, now=NOON, channel_id=another.pk, remote_ids=remote_ids)


def pieces_of(ann, channel, lot_id=7):
    return received_of(owner=ann, lot_ids=[lot_id], channel_id=channel.pk)[lot_id]["quantity"]


def edit(row, **fields):
    InventoryItem.objects.filter(pk=row.pk).update(**fields)


def test_each_store_has_an_id_of_its_own(row, files, another):
    lots = ChannelLot.objects.order_by("remote_lot_id")
    told = lots.values_list("channel", "marketplace_lot_id", "remote_lot_id")

    assert list(told) == [(files.pk, 7, 7), (another.pk, 7, THERE)]


def test_its_number_is_found_by_the_id_of_either(ann, bo, row):
    assert numbers_of(owner=ann, remote_ids=[7, THERE, 99]) == {THERE: 7}
    assert numbers_of(owner=bo, remote_ids=[THERE]) == {}


def test_keeps_its_id_there_when_it_is_received_again(ann, row, files, another):
    receive(
        owner=ann,
        lots={7: {**received_of(owner=ann, lot_ids=[7])[7], "quantity": 4}},
        now=NOON,
        channel_id=another.pk,
    )

    assert another.lots.get().remote_lot_id == THERE
    assert (pieces_of(ann, files), pieces_of(ann, another)) == (10, 4)


def test_a_file_is_received_by_the_channel_of_files(ann, row, files, another):
    lots = {7: {**received_of(owner=ann, lot_ids=[7])[7], "quantity": 3}}

    receive(owner=ann, lots=lots, now=NOON)

    assert (pieces_of(ann, files), pieces_of(ann, another)) == (3, 10)


def test_a_lot_of_another_store_that_files_name_is_received_by_their_channel(ann, files, another):
    row = make_stock(ann, quantity=5, marketplace_lot_id=THERE)
    ((_pk, lot, _place),) = lots_with_places(InventoryItem.objects.filter(pk=row.pk))
    for channel, remote_id in ((another, THERE), (files, 70)):
        receive(
            owner=ann,
            lots={THERE: values_of(lot)},
            now=NOON,
            channel_id=channel.pk,
            remote_ids={THERE: remote_id},
        )

    receive(owner=ann, lots={THERE: {**values_of(lot), "quantity": 2}}, now=NOON)

    assert (pieces_of(ann, files, THERE), pieces_of(ann, another, THERE)) == (2, 5)


def test_pieces_that_one_store_sold_are_a_difference_of_the_other(ann, row, files, another):
    edit(row, promised=4)
    sell_received(owner=ann, pieces={THERE: 4}, now=NOON)

    assert pieces_of(ann, another) == 6
    assert (changed_lot_ids(channel=another), changed_lot_ids(channel=files)) == (set(), {7})
    (found,) = differences_of(owner=ann, lot_ids=[7], waiting={}, channel_id=files.pk)
    assert (found.lot.quantity, found.received["quantity"]) == (6, 10)


def test_what_was_sent_to_one_store_is_still_a_difference_of_the_other(ann, row, files, another):
    edit(row, quantity=8)

    keep_sent(channel=files, lot_id=7, values={}, delta=-2, now=NOON)

    assert (changed_lot_ids(channel=files), changed_lot_ids(channel=another)) == (set(), {7})


def test_what_differs_in_both_counts_once_with_its_worth(ann, row):
    edit(row, quantity=8)

    found = changed_lots(owner=ann)

    assert (found.lots, str(found.value)) == (1, "0.8000")


def test_in_two_bins_it_differs_where_one_store_has_fewer(ann, files, another):
    first = make_stock(ann, quantity=6, marketplace_lot_id=7)
    make_stock(ann, first.lot, quantity=4, marketplace_lot_id=7, remarks=first.remarks)
    ((_pk, lot, _place), _other) = lots_with_places(InventoryItem.objects.all())
    for channel, pieces in ((files, 10), (another, 9)):
        receive(
            owner=ann,
            lots={7: {**values_of(lot), "quantity": pieces}},
            now=NOON,
            channel_id=channel.pk,
            remote_ids={7: THERE} if channel == another else {},
        )

    assert (changed_lot_ids(channel=files), changed_lot_ids(channel=another)) == (set(), {7})
    assert in_changed_lots(InventoryItem.objects.all(), owner=ann).count() == 2


def test_that_one_store_no_longer_has_is_in_the_other(ann, row, files, another):
    forget(owner=ann, channel_id=files.pk, lot_ids=[7])

    rows = InventoryItem.objects.owned_by(ann)
    assert list(rows.filter(in_channel(another))) == [row]
    assert not rows.filter(in_channel(files)).exists()


def test_a_row_of_a_file_is_in_the_channel_of_its_id(ann, files, another):
    row = make_stock(ann, marketplace_lot_id=7)
    make_stock(ann, marketplace_lot_id=None)

    rows = InventoryItem.objects.owned_by(ann)
    assert list(rows.filter(in_channel(files))) == [row]
    assert not rows.filter(in_channel(another)).exists()


def test_a_file_is_of_one_channel_where_two_have_lots(ann, files, another):
    row = make_stock(ann, marketplace_lot_id=7)
    assert channel_beside_others(ann) is None

    both(row, files, another)

    assert channel_beside_others(ann) == files

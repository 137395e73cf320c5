"""Which channel a lot is of: by its id, also where a file named it first."""

import pytest

from apps.exchange.lot_ids import IDS_OF_ONE
from apps.inventory.models import Channel, ChannelLot
from apps.inventory.selectors.export import lots_with_places
from apps.inventory.services.changes import changed_lot_ids, changed_lots
from apps.inventory.services.channels import channel_at, channel_of_files
from apps.inventory.services.received import receive, receive_rows, values_of
from apps.inventory.tests.factories import NOON, make_stock

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

OTHER = IDS_OF_ONE + 1


def received(owner, *lot_ids):
    row = make_stock(owner)
    ((_pk, lot, _place),) = lots_with_places(type(row).objects.filter(pk=row.pk))
    receive(owner=owner, lots=dict.fromkeys(lot_ids, values_of(lot)), now=NOON)


def names(owner):
    lots = ChannelLot.objects.owned_by(owner).order_by("marketplace_lot_id")
    return dict(lots.values_list("marketplace_lot_id", "channel__marketplace"))


def test_a_lot_is_of_the_channel_of_its_id(ann):
    channel_at(owner=ann, marketplace="another", first_lot_id=OTHER)

    received(ann, 7, IDS_OF_ONE, OTHER, 2 * IDS_OF_ONE, 2 * IDS_OF_ONE + 1)

    assert names(ann) == {
        7: "bricklink",
        IDS_OF_ONE: "bricklink",
        OTHER: "another",
        2 * IDS_OF_ONE: "another",
        2 * IDS_OF_ONE + 1: "bricklink",
    }


def test_rows_of_stock_are_received_by_the_channels_of_their_ids(ann):
    channel_at(owner=ann, marketplace="another", first_lot_id=OTHER)
    for lot_id in (7, OTHER):
        row = make_stock(ann, marketplace_lot_id=lot_id)

    rows = type(row).objects.owned_by(ann)
    receive_rows(owner=ann, rows=rows, shared=set(), now=NOON, sync_id=None)

    assert names(ann) == {7: "bricklink", OTHER: "another"}


def test_rows_of_files_are_received_where_there_is_no_other_channel(ann):
    row = make_stock(ann, marketplace_lot_id=7)

    rows = type(row).objects.owned_by(ann)
    receive_rows(owner=ann, rows=rows, shared=set(), now=NOON, sync_id=None)

    assert names(ann) == {7: "bricklink"}


def test_a_new_channel_has_the_lots_that_files_named_before(ann, bo):
    received(ann, 7, OTHER)
    received(bo, OTHER)

    channel_at(owner=ann, marketplace="another", first_lot_id=OTHER)

    assert (names(ann), names(bo)) == ({7: "bricklink", OTHER: "another"}, {OTHER: "bricklink"})


def test_a_channel_is_made_once_and_for_its_owner_only(ann, bo):
    first = channel_of_files(ann)

    assert channel_of_files(ann) == first
    assert channel_of_files(bo) != first
    assert Channel.objects.count() == 2


def test_a_lot_keeps_its_channel_when_it_is_received_again(ann):
    received(ann, OTHER)
    channel = channel_at(owner=ann, marketplace="another", first_lot_id=OTHER)

    received(ann, OTHER)

    assert ChannelLot.objects.get().channel == channel


def test_what_differs_is_told_of_one_channel(ann):
    another = channel_at(owner=ann, marketplace="another", first_lot_id=OTHER)
    for lot_id in (7, OTHER):
        row = make_stock(ann, marketplace_lot_id=lot_id)
    receive_rows(
        owner=ann, rows=type(row).objects.owned_by(ann), shared=set(), now=NOON, sync_id=None
    )

    type(row).objects.owned_by(ann).update(price=9)

    assert changed_lot_ids(channel=another) == {OTHER}
    assert changed_lot_ids(channel=channel_of_files(ann)) == {7}
    assert changed_lots(owner=ann).lots == 2

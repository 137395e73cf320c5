"""A store whose lots have the numbers of the stock, at every marketplace."""

from dataclasses import replace
from decimal import Decimal

import pytest

from apps.core.clock import now
from apps.inventory.services.received import receive
from apps.inventory.tests.factories import make_stock
from apps.listings.tests.listing import part
from apps.marketplace.providers.base import NotThere
from apps.marketplace.providers.lots import LotChange, LotDraft, UnreadLot
from apps.marketplace.services.connections import connect_demo_store, connection_of, open_store
from apps.orders.tests.test_arrival import RECEIVED

pytestmark = pytest.mark.django_db

#: A number that no lot of the demo stores has.
NUMBER = 77
DRAFT = LotDraft(
    item_type="PART",
    number="3001",
    color_id=5,
    condition="U",
    quantity=10,
    price=Decimal("0.1000"),
    remarks="A-01",
)


@pytest.fixture(params=["bricklink", "brickowl"])
def seller(request, store, owl, ann):
    """ann, connected to a store of one marketplace."""
    part(3001)
    connect_demo_store(owner=ann, now=now(), marketplace=request.param)
    return ann


@pytest.fixture
def client(seller):
    with open_store(connection_of(owner=seller), spend=lambda kind: None) as client:
        yield client


@pytest.fixture
def remote_id(client):
    return client.create_lot(DRAFT).lot_id


def tie(owner, number, remote_id):
    make_stock(owner, part(3001), 10, marketplace_lot_id=number)
    channel = connection_of(owner=owner).channel
    receive(
        owner=owner,
        lots={number: RECEIVED},
        now=now(),
        channel_id=channel.pk,
        remote_ids={number: remote_id},
    )


def test_reads_a_lot_that_is_not_tied_by_its_id_there(client, remote_id):
    assert [lot.lot_id for lot in client.lots()] == [remote_id]
    assert client.lot(remote_id).lot_id == remote_id


def test_reads_a_lot_by_its_number(seller, client, remote_id):
    tie(seller, NUMBER, remote_id)

    assert [lot.lot_id for lot in client.each_lot()] == [NUMBER]
    assert (client.lot(NUMBER).lot_id, client.lot(NUMBER).quantity) == (NUMBER, 10)


def test_changes_and_deletes_a_lot_by_its_number(seller, client, remote_id):
    tie(seller, NUMBER, remote_id)

    client.change_lot(NUMBER, LotChange(comments="", delta=-4))
    assert client.lot(NUMBER).quantity == 6
    client.delete_lot(NUMBER)

    with pytest.raises(NotThere):
        client.lot(NUMBER)


def test_keeps_a_lot_apart_whose_id_is_the_number_of_another_one(seller, client, remote_id):
    second = client.create_lot(replace(DRAFT, remarks="A-02")).lot_id
    tie(seller, remote_id, second)

    found = sorted(client.lots(), key=lambda lot: isinstance(lot, UnreadLot))

    assert [lot.lot_id for lot in found] == [remote_id, remote_id]
    assert (found[0].remarks, type(found[1])) == ("A-02", UnreadLot)

"""Files of a stock that is for sale in two stores: they name its lots by their own store's ids."""

import io

import pytest

from apps.exchange.bricklink_update import read_mass_update
from apps.exchange.lot_ids import IDS_OF_ONE
from apps.exports.models import ExportKind
from apps.exports.services.uploads import confirm_upload
from apps.exports.tests.factories import NOON, content_of, export_of, lots_in
from apps.exports.tests.test_store_files import STORE
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.services.channels import channel_at
from apps.inventory.services.received import receive, received_of
from apps.inventory.tests.bsx_files import bsx, lot, sync_file, undo
from apps.inventory.tests.factories import make_stock

pytestmark = pytest.mark.django_db

NUMBER = IDS_OF_ONE + 7


@pytest.fixture
def another(ann):
    """Lots 71 and 72 of a file; lot 71 has the number of another store, which has a third."""
    sync_file(ann, bsx(*STORE))
    another = channel_at(owner=ann, marketplace="another", first_lot_id=IDS_OF_ONE + 1)
    (values,) = received_of(owner=ann, lot_ids=[71]).values()
    make_stock(ann, quantity=3, marketplace_lot_id=NUMBER + 1)
    receive(owner=ann, lots=dict.fromkeys((NUMBER, NUMBER + 1), values), now=NOON)
    ChannelLot.objects.filter(marketplace_lot_id=71).update(
        marketplace_lot_id=NUMBER, remote_lot_id=71
    )
    InventoryItem.objects.filter(marketplace_lot_id=71).update(marketplace_lot_id=NUMBER)
    return another


def stock(ann):
    rows = InventoryItem.objects.owned_by(ann).order_by("pk")
    return list(rows.values_list("marketplace_lot_id", "quantity"))


def test_the_stock_as_a_file_names_them_so(ann, another):
    lots = lots_in(export_of(ann))

    assert [lot.marketplace_lot_id for lot in lots][:2] == [71, 72]


def test_that_file_changes_nothing(ann, another):
    before = stock(ann)

    sync_file(ann, content_of(export_of(ann)))

    assert stock(ann) == before
    assert another.lots.count() == 2


def test_a_file_of_the_store_leaves_what_only_the_other_one_has(ann, another):
    sync_file(ann, bsx(lot(qty=8, price="0.100", LotID=71, Remarks="B-07"), STORE[1]))

    assert stock(ann) == [(NUMBER, 8), (72, 4), (NUMBER + 1, 3)]
    theirs = received_of(owner=ann, lot_ids=[NUMBER], channel_id=another.pk)
    ours = received_of(owner=ann, lot_ids=[NUMBER])
    assert (theirs[NUMBER]["quantity"], ours[NUMBER]["quantity"]) == (10, 8)


def test_the_undo_of_a_file_brings_back_what_was(ann, another):
    before = stock(ann)
    sync = sync_file(ann, bsx(lot(qty=8, price="0.100", LotID=71, Remarks="B-07"), STORE[1]))

    undo(sync)

    assert stock(ann) == before
    assert another.lots.count() == 2


def test_an_update_sends_what_differs_in_their_store(ann, another):
    InventoryItem.objects.filter(marketplace_lot_id=NUMBER).update(quantity=13)

    export = export_of(ann, kind=ExportKind.MASS_UPDATE)

    (change,) = read_mass_update(io.BytesIO(content_of(export)))
    assert (change.marketplace_lot_id, change.quantity_change) == (71, 3)


def test_an_update_that_was_uploaded_is_received_by_their_store(ann, another):
    InventoryItem.objects.filter(marketplace_lot_id=NUMBER).update(quantity=13)
    export = export_of(ann, kind=ExportKind.MASS_UPDATE)

    confirm_upload(export=export, by=ann, now=NOON)

    theirs = received_of(owner=ann, lot_ids=[NUMBER], channel_id=another.pk)
    ours = received_of(owner=ann, lot_ids=[NUMBER])
    assert (theirs[NUMBER]["quantity"], ours[NUMBER]["quantity"]) == (10, 13)

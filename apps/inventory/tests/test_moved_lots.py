"""A table without prices that names the bin which a lot has left means that lot."""

from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.inventory.models import InventoryItem
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.tests.bsx_files import sync_file
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
TABLE = b"Part,Color,Qty,Condition,Remarks\n3001,5,7,N,A-01\n"


@pytest.fixture
def brick():
    return make_lot(make_item("3001"), make_color(5))


def stow(owner, brick, name, **also):
    return make_stock(owner, brick, 5, make_location(owner, name), condition="N", **also)


def move(owner, row, name):
    line = MoveLine(item_id=row.pk, to_location_id=make_location(owner, name).pk)
    move_items(owner=owner, lines=[line], by=owner, now=NOON)


class TestATableWithoutPrices:
    def test_that_names_the_bin_which_a_lot_left_doubles_it_not(self, ann, brick):
        row = stow(ann, brick, "A-01")
        move(ann, row, "B-02")
        InventoryItem.objects.update(price=Decimal("0.5"))

        sync_file(ann, TABLE)

        (row,) = InventoryItem.objects.filter(quantity__gt=0)
        assert (row.quantity, row.price) == (7, Decimal("0.5"))

    def test_that_names_another_bin_means_other_pieces(self, ann, brick):
        stow(ann, brick, "B-02")

        sync_file(ann, TABLE)

        assert quantities(ann) == [("A-01", 7), ("B-02", 5)]

    def test_that_names_a_bin_which_two_lots_left_means_neither(self, ann, brick):
        make_location(ann, "A-01")
        for name, price in (("B-02", "0.5"), ("B-03", "0.6")):
            row = stow(ann, brick, f"X-{name}", price=Decimal(price))
            InventoryItem.objects.filter(pk=row.pk).update(location=None)
            row.refresh_from_db()
            move(ann, row, name)

        sync_file(ann, TABLE)

        assert InventoryItem.objects.filter(quantity__gt=0).count() == 3

"""All writers lock batch items, then batches, then locations and stock, which prevents deadlocks."""

from decimal import Decimal

import pytest
from django.db import connection

from apps.batches.models import Batch, BatchItem
from apps.batches.services.acts import undo_act
from apps.batches.services.arranging import merge_batch
from apps.batches.services.batches import delete_batch, open_batches
from apps.batches.services.bulk import Removal, add_item, change_items
from apps.batches.services.items import StockToo
from apps.batches.tests.factories import NOON, make_batch, make_item, make_location, stow_all
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.catalog.tests.factories import make_lot
from apps.core.concurrency import lock_ids_in_order
from apps.core.testing.threads import meet
from apps.inventory.models import InventoryItem
from apps.inventory.services import bulk as stock_bulk
from apps.inventory.services.acts import undo_act as undo_stock_act
from apps.inventory.services.currency import change_currency
from apps.inventory.services.renumber import renumber_items
from apps.inventory.services.stocked_locations import delete_location, merge_locations
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.lots.models import KeptAct
from apps.lots.services.acts import ActUndone
from apps.lots.services.bulk import Edit

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite lets one write at a time: nobody waits"
    ),
]


def lock_item(item):
    return lambda: lock_ids_in_order(BatchItem, [item.pk])


def lock_batch(batch):
    return lambda: open_batches([batch.pk])


def lock_place(place):
    return lambda: lock_ids_in_order(Location, [place.pk])


class TestAgainstAnActOnItems:
    def test_topping_up(self, ann):
        batch, lot = make_batch(ann), make_lot()
        item = make_item(batch, quantity=1, lot=lot)
        draft = {"batch_id": batch.pk, "lot_id": lot.pk, "top_up": True, "price": Decimal("0.1")}

        meet(
            first=lock_item(item),
            then=lock_batch(batch),
            other=lambda: add_item(owner=ann, draft=draft, now=NOON),
        )

        item.refresh_from_db()
        assert item.quantity == 2

    def test_deleting_the_batch(self, ann):
        batch = make_batch(ann)
        item = make_item(batch)

        meet(
            first=lock_item(item),
            then=lock_batch(batch),
            other=lambda: delete_batch(batch=batch, typed_name=batch.name),
        )

        assert not Batch.objects.exists()

    def test_changing_many(self, ann):
        batch = make_batch(ann)
        item, lot = make_item(batch), make_lot()

        def change():
            change_items(
                owner=ann,
                create={0: {"batch_id": batch.pk, "lot_id": lot.pk}},
                update={0: Edit(item_id=item.pk, changes={"comments": "shiny"})},
                delete={},
                refused={},
                atomic=True,
                by=ann,
                now=NOON,
            )

        meet(first=lock_item(item), then=lock_batch(batch), other=change)

        item.refresh_from_db()
        assert (item.comments, BatchItem.objects.count()) == ("shiny", 2)

    def test_undoing_while_the_batch_is_deleted(self, ann):
        here, there = make_batch(ann, "Here"), make_batch(ann, "There")
        item = make_item(here)
        merge_batch(batch=here, to=there, dry_run=False, by=ann, now=NOON)
        act = KeptAct.objects.get()

        with pytest.raises(ActUndone):
            meet(
                first=lock_item(item),
                then=lambda: KeptAct.objects.all().delete(),
                other=lambda: undo_act(act=act, by=ann, now=NOON),
            )

    @pytest.mark.parametrize("ends", ["deleted", "merged"])
    def test_a_location_that_is_planned_goes(self, ann, ends):
        old, new = make_location(ann, "A-1"), make_location(ann, "A-2")
        item = make_item(make_batch(ann), location=old)

        def go():
            if ends == "deleted":
                delete_location(location=old)
            else:
                merge_locations(location=old, into=new, by=ann, now=NOON)

        meet(first=lock_item(item), then=lock_place(old), other=go)

        item.refresh_from_db()
        assert item.location_id == (None if ends == "deleted" else new.pk)


class TestAgainstAChangeOfTheCurrency:
    """A change of a stowed item holds the item, then its batch, then its row of stock."""

    @pytest.fixture
    def stowed(self, ann):
        batch = make_batch(ann, cost_total="9.00")
        item = make_item(batch, location=make_location(ann), price="0.1000")
        stow_all(batch)
        item.refresh_from_db()
        return item

    def dollars(self, ann):
        return change_currency(owner=ann, currency="USD", rate=Decimal("0.9"), by=ann, now=NOON)

    def test_multiplying_the_amounts(self, ann, stowed):
        meet(
            first=lock_item(stowed),
            then=lambda: lock_ids_in_order(InventoryItem, [stowed.inventory_item_id]),
            other=lambda: self.dollars(ann),
        )

        assert str(InventoryItem.objects.get().price) == "0.0900"

    @pytest.mark.parametrize("second", ["batch", "stock"])
    def test_taking_it_back(self, ann, stowed, second):
        self.dollars(ann)
        act = KeptAct.objects.latest("pk")

        meet(
            first=lock_item(stowed),
            then={
                "batch": lock_batch(stowed.batch),
                "stock": lambda: lock_ids_in_order(InventoryItem, [stowed.inventory_item_id]),
            }[second],
            other=lambda: undo_stock_act(act=act, by=ann, now=NOON),
        )

        assert str(InventoryItem.objects.get().price) == "0.1000"


class TestAgainstAnActOnStock:
    def test_changing_and_deleting_stowed_items(self, ann):
        low, high = make_location(ann, "A-1"), make_location(ann, "A-2")
        batch = make_batch(ann)
        edited, gone = make_item(batch, location=high), make_item(batch, location=low)
        stow_all(batch)

        def change():
            change_items(
                owner=ann,
                create={},
                update={0: Edit(item_id=edited.pk, changes={"quantity": 9})},
                delete={0: Removal(item_id=gone.pk, stock=StockToo.OUT)},
                refused={},
                atomic=True,
                by=ann,
                now=NOON,
            )

        meet(first=lock_place(low), then=lock_place(high), other=change)

        low.refresh_from_db()
        high.refresh_from_db()
        assert (low.item_count, high.item_count) == (0, 9)

    def test_making_and_changing_rows_of_stock(self, ann):
        low, high = make_location(ann, "A-1"), make_location(ann, "A-2")
        row, lot = make_stock(ann, quantity=3, location=low), make_lot()

        def change():
            stock_bulk.change_items(
                owner=ann,
                create={0: {"lot_id": lot.pk, "quantity": 2, "location_id": high.pk}},
                update={0: Edit(item_id=row.pk, changes={"quantity": 4})},
                delete={},
                refused={},
                atomic=True,
                by=ann,
                now=NOON,
            )

        meet(first=lock_place(low), then=lock_place(high), other=change)

        low.refresh_from_db()
        high.refresh_from_db()
        assert (low.item_count, high.item_count) == (4, 2)


class TestAnAddedRow:
    def test_does_not_wait_for_a_change_of_what_it_names(self, ann):
        batch, place = make_batch(ann), make_location(ann)

        meet(
            first=lambda: (lock_batch(batch)(), lock_place(place)()),
            then=lambda: None,
            other=lambda: make_item(batch, location=place),
        )

        assert BatchItem.objects.count() == 1


class TestChangedNumbers:
    """A row that another person edits first keeps that edit."""

    @pytest.mark.parametrize("table", ["stock", "batch"])
    def test_leave_what_was_edited_meanwhile(self, ann, table):
        new, other = make_catalogue_item("cty0001"), make_lot(make_catalogue_item("cty0002"))
        moved = make_lot(make_catalogue_item("cty001", replaced_by=new))
        row = make_stock(ann, moved) if table == "stock" else make_item(make_batch(ann), lot=moved)
        waiting = make_stock(ann, moved)
        edited = type(row).objects.filter(pk=row.pk)

        meet(
            first=lambda: edited.update(lot=other),
            then=lambda: None,
            other=lambda: renumber_items(owner=ann, by=ann, now=NOON),
        )

        row.refresh_from_db()
        waiting.refresh_from_db()
        assert (row.lot, waiting.lot.item) == (other, new)

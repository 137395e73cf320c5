"""A person with 100,000 rows of stock and sets to build."""

from typing import Any

ROWS = 100_000
OTHERS = 19_000


def fill_stock(lots: int) -> Any:
    """Write a catalogue of parts and 100,000 rows of stock of one user; return the user."""
    from benchmarks._many_rows import fill_users

    return fill_users(ROWS, OTHERS, lots=lots)


def make_set(number: str, lots: int) -> Any:
    """Write a set of the catalogue with so many lots, two pieces of each."""
    from apps.catalog.models import Component, Item, ItemInventory, Lot

    item = Item.objects.create(
        item_type="SET", number=number, number_key=number, name="A large set"
    )
    inventory = ItemInventory.objects.create(item=item, catalogue="B", has_components=True)
    ids = list(Lot.objects.order_by("pk").values_list("pk", flat=True)[:lots])
    assert len(ids) == lots
    Component.objects.bulk_create(
        [Component(inventory=inventory, lot_id=pk, quantity=2) for pk in ids], batch_size=1_000
    )
    return item

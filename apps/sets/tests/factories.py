"""The least rows of sets that a test needs."""

from apps.catalog.models import Component, ItemInventory
from apps.catalog.tests.factories import make_item, make_lot
from apps.sets.services import add_set


def make_set_item(number="10255-1", *, contents=None, name="Assembly Square"):
    """A set of the catalogue with so many pieces of each lot."""
    item = make_item(number, name=name, item_type="SET")
    inventory = ItemInventory.objects.create(item=item, catalogue="B", has_components=True)
    for lot, quantity in (contents or {make_lot(): 4}).items():
        Component.objects.create(inventory=inventory, lot=lot, quantity=quantity)
    return item


def make_user_set(owner, *, contents=None, number=""):
    """A set of the owner's; its catalogue item is made for it."""
    item = make_set_item(number, contents=contents)
    return add_set(owner=owner, number=item.number)

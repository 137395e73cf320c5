"""The least rows of sets that a test needs."""

from apps.catalog.models import Component, ItemInventory
from apps.catalog.tests.factories import make_item, make_lot
from apps.core.jobs.dispatch import start_job
from apps.sets.models import BuildableSet, BuildSearch
from apps.sets.services.builds import KIND
from apps.sets.services.sets import add_set


def make_set_item(number="10255-1", *, contents=None, name="Assembly Square"):
    """A set of the catalogue with so many pieces of each lot."""
    item = make_item(number, name=name, item_type="SET")
    make_contents(item, {make_lot(): 4} if contents is None else contents)
    return item


def make_contents(item, contents):
    """What BrickLink lists as the contents of an item."""
    inventory = ItemInventory.objects.create(item=item, catalogue="B", has_components=True)
    for lot, quantity in contents.items():
        Component.objects.create(inventory=inventory, lot=lot, quantity=quantity)
    return inventory


def make_user_set(owner, *, contents=None, number=""):
    """A set of the owner's; its catalogue item is made for it."""
    item = make_set_item(number, contents=contents)
    return add_set(owner=owner, number=item.number)


def make_buildable(owner):
    """A set that a search of the owner's found."""
    search = BuildSearch.objects.create(
        owner=owner,
        job=start_job(owner=owner, kind=KIND, payload={}),
        least_pieces=20,
        least_percent=50,
    )
    return BuildableSet.objects.create(
        found_by=search,
        item=make_item(item_type="SET"),
        pieces_required=100,
        pieces_in_stock=90,
        lots_missing=4,
        percent="90",
    )

"""The least batches that a test needs."""

import datetime as dt
from decimal import Decimal

from apps.batches.models import Batch, BatchItem
from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import StowOptions, mark_listed, stow_items
from apps.catalog.tests.factories import make_lot
from apps.locations.models import Location
from apps.locations.services.locations import create_location

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


def make_batch(owner, name="Summer lot", **also):
    """An empty batch."""
    return Batch.objects.create(owner=owner, name=name, **also)


def make_item(batch, quantity=3, price="0.1000", lot=None, **also):
    """A new item of a lot of its own, 0.10 a piece; None is no price."""
    if "raw_item_number" not in also:
        also["lot"] = lot or make_lot()
    return BatchItem.objects.create(
        owner=batch.owner, batch=batch, quantity=quantity, price=price and Decimal(price), **also
    )


def make_location(owner, name="A-01", **limits):
    """A location without limits unless some are given."""
    return create_location(owner=owner, fields={"name": name, **limits})


def stow_all(batch, location=None, now=NOON, **options):
    """Stow what is new in the batch."""
    return stow_items(
        batch=batch,
        chosen=Chosen(),
        options=StowOptions(location_id=location.pk if location else None, **options),
        by=batch.owner,
        now=now,
    )


def list_all(batch, now=NOON):
    """Mark what is stowed in the batch as listed."""
    return mark_listed(batch=batch, chosen=Chosen(), listed=True, by=batch.owner, now=now)


def stock_of(owner):
    """Return the stock as (location, quantity), without rows at 0."""
    from apps.inventory.models import InventoryItem

    return sorted(
        InventoryItem.objects.owned_by(owner)
        .filter(quantity__gt=0)
        .values_list("location__name", "quantity")
    )


def in_location(name, owner):
    return Location.objects.get(owner=owner, name=name).item_count

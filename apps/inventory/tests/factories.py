"""The least stock that a test needs, put there through the services."""

import datetime as dt
from decimal import Decimal

from apps.catalog.tests.factories import make_lot
from apps.inventory.models import InventoryItem
from apps.inventory.rules.bsx_fields import plain_values
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.services.edits import StockEdit, edit_rows
from apps.inventory.services.items import create_item
from apps.lots.services.images import values_of

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


def lot_fields(lot=None, **fields):
    """Lot fields as a batch item would give them."""
    fields.setdefault("price", Decimal("0.1000"))
    return InventoryItem(lot=lot or make_lot(), **fields)


def make_stock(owner, lot=None, quantity=5, location=None, now=NOON, **fields):
    """A row with a movement behind it."""
    fields.setdefault("price", Decimal("0.1000"))
    if "raw_item_number" not in fields:
        fields["lot_id"] = (lot or make_lot()).pk
    return create_item(
        owner=owner,
        fields=fields,
        quantity=quantity,
        location_id=location.pk if location else None,
        by=owner,
        now=now,
    )


def quantities(owner):
    """Return the stock as [(location name, quantity)], rows at 0 included."""
    return sorted(
        InventoryItem.objects.owned_by(owner).values_list("location__name", "quantity"),
        key=lambda row: (row[0] or "", row[1]),
    )


def adjust_quantity(*, owner, item_id, delta, by, now):
    """Add pieces to a row in its location, or remove some. Raises the refusal."""
    edits = {0: StockEdit(item_id=item_id, delta=delta)}
    for refusal in edit_rows(owner=owner, edits=edits, by=by, now=now).values():
        raise refusal


def columns_of(lot, *, rate=None):
    """The columns of a lot of a file as the model has them."""
    plain = dict(zip(FILE_COLUMNS, plain_values(lot, rate=rate), strict=True))
    return values_of(InventoryItem, plain)

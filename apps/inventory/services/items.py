"""Make, edit and delete single rows of stock: many of one."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from apps.accounts.models import User
from apps.inventory.models import InventoryItem
from apps.inventory.services.bulk import STOCK, Removal
from apps.lots.services.bulk import Edit


def create_item(
    *,
    owner: User,
    fields: Mapping[str, Any],
    quantity: int,
    location_id: int | None,
    by: User,
    now: dt.datetime,
) -> InventoryItem:
    """Make a row of its own, even where another agrees with it. Raises LocationFull, LocationGone."""
    draft = {**fields, "quantity": quantity, "location_id": location_id}
    made: InventoryItem = InventoryItem.objects.get(
        pk=STOCK.create_one(draft, owner=owner, by=by, now=now)
    )
    return made


def edit_item(
    *, item: InventoryItem, changes: Mapping[str, Any], by: User, now: dt.datetime
) -> None:
    """Change fields of a row; `quantity` and `location_id` go through the ledger.

    A new location gets the whole row, without a merge. A new lot clears the names that a file
    gave to the former one. Raises Invalid, ItemGone, LocationFull, LocationGone.
    """
    STOCK.edit_one(Edit(item_id=item.pk, changes=changes), owner=item.owner, by=by, now=now)


def delete_item(*, item: InventoryItem, by: User, now: dt.datetime) -> None:
    """Hide an empty row and keep its ledger. Raises ItemHoldsPieces, NotFound."""
    STOCK.delete_one(Removal(item_id=item.pk), owner=item.owner, by=by, now=now)

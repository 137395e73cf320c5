"""The lots of a person whose items have another number in the catalogue by now."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.db.models import Count, F, Q, QuerySet

from apps.catalog.models import Lot
from apps.core.natural import natural_key
from apps.inventory.models import InventoryItem

#: Their apps are above this one.
BATCH_ITEMS: Final = "batches.BatchItem"
ORDER_LINES: Final = "orders.OrderLine"
SET_PARTS: Final = "sets.SetRequirement"
#: Which rows get new numbers, "" are those of the stock; in the order in which they are locked.
RENUMBERED: Final = {
    ORDER_LINES: Q(quantity__gt=F("picked") + F("short")),
    BATCH_ITEMS: Q(),
    SET_PARTS: Q(),
    "": Q(),
}


@dataclass(slots=True)
class Renumbered:
    """An item with its old and new number, and how many lots still have the old one."""

    item_id: int
    item_type: str
    old_number: str
    new_number: str
    item_name: str
    lots: int = 0
    listed: int = 0
    batch_lots: int = 0


def rows_to_renumber(owner: Any, table: str = "") -> QuerySet[Any]:
    """Return the rows of stock, or of `table`, whose lot is of a replaced item."""
    model: Any = apps.get_model(table) if table else InventoryItem
    # The lots first: they are few, and each is a look into the index of rows by lot.
    moved = Lot.objects.filter(item__replaced_by__isnull=False).order_by()
    rows = model.objects.owned_by(owner).filter(RENUMBERED[table])
    return rows.filter(lot__in=moved.values("pk")).order_by()


def renumbered_items(*, owner: Any) -> list[Renumbered]:
    """Return the replaced items among the owner's lots, by their old number."""
    found: dict[int, Renumbered] = {}
    for table in ("", BATCH_ITEMS):
        for one, lots, listed in _counted(rows_to_renumber(owner, table)):
            item = found.setdefault(one.item_id, one)
            if table:
                item.batch_lots = lots
            else:
                item.lots, item.listed = lots, listed
    return sorted(found.values(), key=lambda one: (natural_key(one.old_number), one.item_id))


def _counted(rows: QuerySet[Any]) -> Iterator[tuple[Renumbered, int, int]]:
    item = "lot__item"
    columns = (f"{item}__item_type", f"{item}__number")
    successor = (f"{item}__replaced_by__number", f"{item}__replaced_by__name")
    counts = rows.values_list(f"{item}_id", *columns, *successor).annotate(
        lots=Count("pk"), listed=Count("marketplace_lot_id")
    )
    for *values, lots, listed in counts:
        yield Renumbered(*values), lots, listed

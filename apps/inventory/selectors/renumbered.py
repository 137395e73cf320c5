"""The lots of a person whose items have another number in the catalogue by now."""

from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.db.models import CharField, Count, F, Q, QuerySet, Value

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.catalog.selectors.same_lots import same_as_moved
from apps.core.natural import natural_key
from apps.core.prepared import Slot
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


#: The field of `Renumbered` that counts the rows of a table.
_COUNTS: Final = {
    "": "lots",
    BATCH_ITEMS: "batch_lots",
    SET_PARTS: "set_parts",
    ORDER_LINES: "order_lines",
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
    set_parts: int = 0
    order_lines: int = 0

    @property
    def rows(self) -> int:
        """Return how many rows get the new number."""
        return self.lots + self.batch_lots + self.set_parts + self.order_lines


def rows_to_renumber(owner: User | Slot, table: str = "") -> QuerySet[Any]:
    """Return the rows of stock, or of `table`, whose lot is of a replaced item."""
    model: Any = apps.get_model(table) if table else InventoryItem
    # The lots first: they are few, and each is a look into the index of rows by lot.
    moved = Lot.objects.filter(item__replaced_by__isnull=False).order_by()
    rows = model.objects.owned_by(owner).filter(RENUMBERED[table])
    return rows.filter(lot__in=moved.values("pk")).order_by()


def same_in_stock(*, owner: User) -> dict[int, int]:
    """Return `same_as_moved` of the moved lots that the owner has in stock."""
    return same_as_moved(Lot.objects.filter(pk__in=rows_to_renumber(owner).values("lot")))


def renumbered_items(*, owner: User) -> list[Renumbered]:
    """Return the replaced items among the owner's lots, by their old number."""
    found: dict[int, Renumbered] = {}
    first, *others = (_counted(owner, table) for table in RENUMBERED)
    for item_id, *names, table, rows, listed in first.union(*others, all=True):
        item = found.setdefault(item_id, Renumbered(item_id, *names))
        setattr(item, _COUNTS[table], rows)
        item.listed += listed
    return sorted(found.values(), key=lambda one: (natural_key(one.old_number), one.item_id))


def _counted(owner: User, table: str) -> QuerySet[Any]:
    item, successor = "lot__item", "lot__item__replaced_by"
    names = (f"{item}__item_type", f"{item}__number", f"{successor}__number", f"{successor}__name")
    return (
        rows_to_renumber(owner, table)
        .values_list(f"{item}_id", *names)
        .annotate(
            of_table=Value(table, CharField()),
            row_count=Count("pk"),
            listed_count=Value(0) if table else Count("marketplace_lot_id"),
        )
    )

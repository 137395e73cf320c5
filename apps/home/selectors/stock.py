"""What lies in stock: how much, worth what, of which type, how full the bins are."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, DecimalField, F, Max, Q, Sum
from django.db.models.functions import Coalesce

from apps.core.money import MONEY, money
from apps.home.rules import NEARLY_FULL_PERCENT
from apps.inventory.models import InventoryItem
from apps.locations.models import Location

_SUM: Final[dict[str, Any]] = {**MONEY, "max_digits": 24}
KEPT_SECONDS: Final = 600
_WORTH: Final = F("quantity") * F("price")


@dataclass(frozen=True, slots=True)
class StockOfType:
    """Rows, pieces and worth of one item type; '' is what the catalogue does not know."""

    item_type: str
    lots: int
    pieces: int
    value: Decimal


@dataclass(frozen=True, slots=True)
class Stock:
    """The stock by item type, and how many of its lots lie in more than one place."""

    by_type: list[StockOfType]
    spread_lots: int


def stock_now(*, owner: Any) -> Stock:
    """Return what is in stock. 1 query where nothing has changed since it was last asked, else 3.

    The mark tells a change as the preview of a sync does: by rows, pieces and the last writing.
    """
    mark = InventoryItem.objects.owned_by(owner).aggregate(
        rows=Count("pk"), pieces=Sum("quantity"), changed=Max("updated_at")
    )
    if not mark["rows"]:
        return Stock(by_type=[], spread_lots=0)
    changed = mark["changed"].timestamp()
    key = f"home.stock.{owner.pk}.{mark['rows']}.{mark['pieces']}.{changed}"
    found: Stock | None = cache.get(key)
    if found is None:
        found = Stock(by_type=stock_by_type(owner=owner), spread_lots=spread_lots(owner=owner))
        cache.set(key, found, KEPT_SECONDS)
    return found


def stock_by_type(*, owner: Any) -> list[StockOfType]:
    """Return the stock by item type, the most valuable first. 1 query."""
    rows = (
        InventoryItem.objects.owned_by(owner)
        .in_stock_listed()
        .order_by()
        .values(item_type=F("lot__item__item_type"))
        .annotate(
            lots=Count("pk"),
            pieces=Sum("quantity"),
            value=Sum(_WORTH, output_field=DecimalField(**_SUM)),
        )
    )
    found = [
        StockOfType(
            item_type=row["item_type"] or "",
            lots=row["lots"],
            pieces=row["pieces"],
            value=money(row["value"]),
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: (-one.value, one.item_type))


def spread_lots(*, owner: Any) -> int:
    """Return how many lots lie, in one condition, in more than one place. 1 query."""
    groups = (
        InventoryItem.objects.owned_by(owner)
        .in_stock_listed()
        .filter(lot__isnull=False)
        .order_by()
        .values("lot_id", "condition")
        .annotate(places=Count(Coalesce("location_id", 0), distinct=True))
        .filter(places__gt=1)
    )
    return int(groups.count())


def bins_in_use(*, owner: Any) -> dict[str, int]:
    """Return how many locations there are, and how many are over 90 % full. 1 query.

    By the limit that is nearest, of pieces or of weight; a person's "full" counts too.
    """
    percent = NEARLY_FULL_PERCENT
    nearly = (
        Q(is_full=True)
        | Q(max_item_count__gt=0, item_count__gt=F("max_item_count") * percent / 100)
        | Q(max_total_weight__gt=0, stored_weight__gt=F("max_total_weight") * percent / 100)
    )
    return Location.objects.owned_by(owner).aggregate(
        locations=Count("pk"), nearly_full=Count("pk", filter=nearly)
    )

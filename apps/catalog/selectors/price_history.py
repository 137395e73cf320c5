"""What a lot is and was worth: all its figures with their samples, and a year of days."""

import datetime as dt
from typing import Any, Final

from apps.catalog.models import PricePoint, PriceStat

DAYS: Final = 365
_PRESENT: Final = (
    "condition",
    "region",
    "avg_sold_price",
    "avg_inventory_price",
    "low_price",
    "sell_through",
    "sold_lots",
    "sold_quantity",
    "stock_lots",
    "stock_quantity",
)
_DAILY: Final = (
    "condition",
    "region",
    "day",
    "avg_sold_price",
    "avg_inventory_price",
    "low_price",
)


def price_history(*, lot_id: int, currency: str, today: dt.date) -> dict[str, Any]:
    """Return `figures` by condition and region, and `points` by day, oldest first. 2 queries."""
    mine = {"lot_id": lot_id, "currency": currency}
    figures = PriceStat.objects.filter(**mine).order_by("condition", "region")
    points = PricePoint.objects.filter(**mine, day__gt=today - dt.timedelta(days=DAYS))
    return {
        "lot_id": lot_id,
        "currency": currency,
        "figures": [
            {**row, "bricklinkSyncedAt": row.pop("synced_at")}
            for row in figures.values(*_PRESENT, "synced_at")
        ],
        "points": list(points.order_by("day", "condition", "region").values(*_DAILY)),
    }

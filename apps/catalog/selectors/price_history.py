"""The prices of a lot: all its figures with their samples, and a year of days."""

import datetime as dt
from typing import Any, Final

from apps.accounts.models import User
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
_STAMPS: Final = ("synced_at", "sold_synced_at", "asked_synced_at")
_DAILY: Final = (
    "condition",
    "region",
    "day",
    "avg_sold_price",
    "avg_inventory_price",
    "low_price",
)


def price_history(*, owner: User, lot_id: int, currency: str, today: dt.date) -> dict[str, Any]:
    """Return `figures` by condition and region, and `points` by day, oldest first."""
    mine = {"owner": owner, "lot_id": lot_id, "currency": currency}
    figures = PriceStat.objects.filter(**mine).order_by("condition", "region")
    points = PricePoint.objects.filter(**mine, day__gt=today - dt.timedelta(days=DAYS))
    return {
        "lot_id": lot_id,
        "currency": currency,
        "figures": [_present(row) for row in figures.values(*_PRESENT, *_STAMPS)],
        "points": list(points.order_by("day", "condition", "region").values(*_DAILY)),
    }


def _present(row: dict[str, Any]) -> dict[str, Any]:
    """Return figures for the wire. A count that was not requested is null: 0 is an answer."""
    synced_at, sold_at, asked_at = (row.pop(name) for name in _STAMPS)
    if sold_at is None:
        row["sold_lots"] = row["sold_quantity"] = None
    if asked_at is None:
        row["stock_lots"] = row["stock_quantity"] = None
    return {**row, "bricklinkSyncedAt": synced_at}

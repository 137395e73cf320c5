"""What was sold, by day and by category, and how long the walks took."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Count, DecimalField, ExpressionWrapper, F, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncDate

from apps.core.money import money
from apps.orders.models import OrderLine, PickWalk

Row = dict[str, Any]
DAYS: Final = 365
_AMOUNT: Final[DecimalField[Any, Any]] = DecimalField(max_digits=24, decimal_places=4)
_SECONDS: Final = 60


def _sold(owner: Any, currency: str, now: dt.datetime) -> QuerySet[OrderLine]:
    """Return the lines of a year of which pieces were picked and stayed with the buyer."""
    return (
        OrderLine.objects.owned_by(owner)
        .filter(
            order__ordered_at__gte=now - dt.timedelta(days=DAYS),
            order__currency=currency,
            picked__gt=F("returned"),
        )
        .order_by()
    )


_SUMS: Final = {
    "orders": Count("order", distinct=True),
    "pieces": Sum(F("picked") - F("returned")),
    "amount": Sum(
        ExpressionWrapper((F("picked") - F("returned")) * F("price"), output_field=_AMOUNT)
    ),
}


def _summed(rows: Any) -> Any:
    return rows.annotate(**_SUMS)


def sales_by_day(*, owner: Any, currency: str, zone: ZoneInfo, now: dt.datetime) -> list[Row]:
    """Return the days of a year on which something was ordered and picked, the newest first.

    Only sales in the person's currency; what came back is not sold.
    """
    days = _sold(owner, currency, now).values(day=TruncDate("order__ordered_at", tzinfo=zone))
    rows = _summed(days).order_by("-day")
    return [{**row, "day": row["day"].isoformat(), "amount": money(row["amount"])} for row in rows]


def sales_by_category(*, owner: Any, currency: str, now: dt.datetime) -> list[Row]:
    """Return what a year's sales brought by category of the catalogue, the most first."""
    category = Coalesce("lot__item__category__name", "lot__item__item_type")
    categories = _sold(owner, currency, now).values(category=category)
    rows = _summed(categories).annotate(lots=Count("pk")).order_by("-amount", "category")
    return [
        {**row, "category": row["category"] or "", "amount": money(row["amount"])} for row in rows
    ]


def walk_paces(*, owner: Any, most: int | None = None) -> Iterator[Row]:
    """Yield the ended walks on which a stop was made, the newest first."""
    rows = (
        PickWalk.objects.owned_by(owner)
        .filter(ended_at__isnull=False, stops_done__gt=0)
        .order_by("-pk")
        .annotate(count=Count("orders"))
        .values("id", "created_at", "ended_at", "stops_done", "count")
    )
    for row in rows[:most]:
        seconds = (row["ended_at"] - row["created_at"]).total_seconds()  # type: ignore[operator]
        minutes = Decimal(seconds) / _SECONDS
        yield {
            "id": row["id"],
            "startedAt": row["created_at"],
            "minutes": minutes.quantize(Decimal("0.1")),
            "orders": row["count"],
            "stops": row["stops_done"],
            "minutes_per_order": (minutes / row["count"]).quantize(Decimal("0.1"))
            if row["count"]
            else None,
        }

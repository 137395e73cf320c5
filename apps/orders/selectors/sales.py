"""Sales by day and by category, and the duration of walks."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Final, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import Count, DecimalField, ExpressionWrapper, F, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncDate

from apps.core.money import Digits, Total, money
from apps.orders.models import OrderLine, PickWalk
from apps.orders.rules.profit import refunded_share

DAYS: Final = 365
_AMOUNT: Final[DecimalField[Any, Any]] = DecimalField(max_digits=24, decimal_places=4)
_SECONDS: Final = 60


class SalesDayLine(TypedDict):
    day: dt.date
    orders: int
    pieces: int
    amount: Total


class SalesCategoryLine(TypedDict):
    category: Annotated[str, "empty: the catalogue does not know it"]
    orders: int
    lots: int
    pieces: int
    amount: Total


class WalkLine(TypedDict):
    """An ended pick walk."""

    id: int
    startedAt: dt.datetime
    minutes: Annotated[Decimal, Digits(12, 1)]
    orders: int
    stops: int
    minutes_per_order: Annotated[Decimal, Digits(12, 1)] | None


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


def refunded_shares(*, owner: Any, currency: str) -> dict[int, Decimal]:
    """Return by order which part of the price of its kept pieces was given back; 0 is left out."""

    def worth(pieces: Any) -> Any:
        return Sum(ExpressionWrapper(pieces * F("price"), output_field=_AMOUNT))

    rows = (
        OrderLine.objects.owned_by(owner)
        .filter(order__currency=currency, order__refunded__gt=0)
        .order_by()
        .values_list("order_id", "order__refunded")
        .annotate(back=worth(F("returned")), kept=worth(F("picked") - F("returned")))
    )
    shares = {
        pk: refunded_share(refunded=refunded, returned=back, kept=kept)
        for pk, refunded, back, kept in rows
    }
    return {pk: share for pk, share in shares.items() if share}


def _given_back(rows: Any, group: str, owner: Any, currency: str) -> dict[Any, Decimal]:
    """Return the refunded amount of each group of rows."""
    back: dict[Any, Decimal] = defaultdict(Decimal)
    if shares := refunded_shares(owner=owner, currency=currency):
        of_orders = _summed(rows.filter(order__in=shares).values(group, "order_id"))
        for key, pk, amount in of_orders.values_list(group, "order_id", "amount"):
            back[key] += amount * shares[pk]
    return back


def sales_by_day(
    *, owner: Any, currency: str, zone: ZoneInfo, now: dt.datetime
) -> list[SalesDayLine]:
    """Return the days of a year with picked orders, the newest first.

    Counts only sales in the person's currency, less refunds. Returned pieces are not sold.
    """
    sold = _sold(owner, currency, now).annotate(day=TruncDate("order__ordered_at", tzinfo=zone))
    back = _given_back(sold, "day", owner, currency)
    rows = _summed(sold.values("day")).order_by("-day")
    return [
        {
            "day": row["day"],
            "orders": row["orders"],
            "pieces": row["pieces"],
            "amount": money(row["amount"] - back[row["day"]]),
        }
        for row in rows
    ]


def sales_by_category(*, owner: Any, currency: str, now: dt.datetime) -> list[SalesCategoryLine]:
    """Return a year's sales by category of the catalogue, the highest first."""
    category = Coalesce("lot__item__category__name", "lot__item__item_type")
    sold = _sold(owner, currency, now).annotate(category=category)
    back = _given_back(sold, "category", owner, currency)
    rows = _summed(sold.values("category")).annotate(lots=Count("pk"))
    found: list[SalesCategoryLine] = [
        {
            "category": row["category"] or "",
            "orders": row["orders"],
            "lots": row["lots"],
            "pieces": row["pieces"],
            "amount": money(row["amount"] - back[row["category"]]),
        }
        for row in rows
    ]
    return sorted(found, key=lambda row: (-row["amount"], row["category"]))


def walk_paces(*, owner: Any, most: int | None = None) -> Iterator[WalkLine]:
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

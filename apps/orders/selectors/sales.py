"""Sales by day and by category, and the duration of walks."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Any, Final, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import (
    BooleanField,
    Case,
    Count,
    DecimalField,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, TruncDate

from apps.accounts.models import User
from apps.core.money import Digits, Total, money
from apps.inventory.models import CauseKind, Movement, Reason
from apps.marketplace.providers.known import MARKETPLACES
from apps.orders.models import OrderLine, PickWalk
from apps.orders.rules.profit import fees_of, refunded_share

DAYS: Final = 365
_AMOUNT: Final[DecimalField[Any, Any]] = DecimalField(max_digits=24, decimal_places=4)
_YES: Final = BooleanField()
_SECONDS: Final = 60
#: The pieces of a line that its buyer kept: what every report counts as sold of an order.
KEPT: Final = F("picked") - F("returned")


class SalesDayLine(TypedDict):
    day: Annotated[dt.date | None, "null: of orders without a date"]
    orders: int
    pieces: int
    amount: Total


class SalesCategoryLine(TypedDict):
    category: Annotated[str, "empty: the catalogue does not know it"]
    orders: int
    lots: int
    pieces: int
    amount: Total


class SalesChannelLine(TypedDict):
    marketplace: Annotated[str, "where it was sold; empty: by hand"]
    name: str
    orders: int
    pieces: int
    amount: Total
    fees: Annotated[Total, "by the person's percentage; none by hand"]


class WalkLine(TypedDict):
    """An ended pick walk."""

    id: int
    startedAt: dt.datetime
    minutes: Annotated[Decimal, Digits(12, 1)]
    orders: int
    stops: int
    minutes_per_order: Annotated[Decimal, Digits(12, 1)] | None


def _sold(owner: User, currency: str, now: dt.datetime) -> QuerySet[OrderLine]:
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
    "pieces": Sum(KEPT),
    "amount": Sum(ExpressionWrapper(KEPT * F("price"), output_field=_AMOUNT)),
}


def _summed(rows: QuerySet[Any]) -> Any:
    return rows.annotate(**_SUMS)


def refunded_shares(*, owner: User, currency: str) -> dict[int, Decimal]:
    """Return by order which part of the price of its kept pieces was given back; 0 is left out."""

    def worth(pieces: Any) -> Any:
        return Sum(ExpressionWrapper(pieces * F("price"), output_field=_AMOUNT))

    rows = (
        OrderLine.objects.owned_by(owner)
        .filter(order__currency=currency, order__refunded__gt=0)
        .order_by()
        .values_list("order_id", "order__refunded")
        .annotate(back=worth(F("returned")), kept=worth(KEPT))
    )
    shares = {
        pk: refunded_share(refunded=refunded, returned=back, kept=kept)
        for pk, refunded, back, kept in rows
    }
    return {pk: share for pk, share in shares.items() if share}


def _given_back(rows: QuerySet[Any], group: str, owner: User, currency: str) -> dict[Any, Decimal]:
    """Return the refunded amount of each group of rows."""
    back: dict[Any, Decimal] = defaultdict(Decimal)
    if shares := refunded_shares(owner=owner, currency=currency):
        of_orders = _summed(rows.filter(order__in=shares).values(group, "order_id"))
        for key, pk, amount in of_orders.values_list(group, "order_id", "amount"):
            back[key] += amount * shares[pk]
    return back


def day_of_order(zone: ZoneInfo, to: str = "") -> Case:
    """Return the day of an order, `to` which this is the way, as a column; null without a date."""
    day = Coalesce(f"{to}ordered_on", TruncDate(f"{to}ordered_at", tzinfo=zone))
    return Case(When(**{f"{to}is_dated": True}, then=day), default=None)


def sales_by_day(
    *, owner: User, currency: str, zone: ZoneInfo, now: dt.datetime
) -> list[SalesDayLine]:
    """Return the days of a year with picked orders, the newest first, then what has no date.

    Counts only sales in the person's currency, less refunds. Returned pieces are not sold.
    """
    sold = _sold(owner, currency, now).annotate(day=day_of_order(zone, "order__"))
    back = _given_back(sold, "day", owner, currency)
    rows = _summed(sold.values("day")).order_by(F("day").desc(nulls_last=True))
    return [
        {
            "day": row["day"],
            "orders": row["orders"],
            "pieces": row["pieces"],
            "amount": money(row["amount"] - back[row["day"]]),
        }
        for row in rows
    ]


def sold_by_type(
    *, owner: User, within_days: Sequence[int], now: dt.datetime
) -> dict[str, dict[int, int]]:
    """Return by item type how many pieces buyers kept of the orders of so many days, of any currency.

    Pieces that a sync found sold count too, where no order names them: those that were out of the
    stock before their order was picked are its pieces.
    """
    since = now - dt.timedelta(days=max(within_days))

    def within(at: str, sums: dict[str, Any]) -> dict[str, Any]:
        return {
            f"{name}_{days}": Coalesce(
                Sum(pieces, filter=Q(**{f"{at}__gte": now - dt.timedelta(days=days)})), 0
            )
            for name, pieces in sums.items()
            for days in within_days
        }

    lines = OrderLine.objects.owned_by(owner).filter(order__ordered_at__gte=since, picked__gt=0)
    of_orders: Any = (
        lines.order_by()
        .values(kind=F("lot__item__item_type"))
        .annotate(**within("order__ordered_at", {"kept": KEPT, "picked": F("picked")}))
    )
    sales = Movement.objects.filter(
        item__owner=owner, created_at__gte=since, reversed_by__isnull=True
    ).order_by()
    by_order = Q(cause_kind=CauseKind.ORDER)
    ordered_at = OrderLine.objects.filter(pk=OuterRef("cause_id")).values("order__ordered_at")
    sold_at = Case(When(by_order, then=Subquery(ordered_at)), default=F("created_at"))
    of_ledger: Any = (
        sales.annotate(sold_at=sold_at)
        .filter(Q(reason=Reason.SALE, delta__lt=0) | (Q(reason=Reason.RETURN) & ~by_order))
        .values(kind=F("item__lot__item__item_type"), of_order=ExpressionWrapper(by_order, _YES))
        .annotate(**within("sold_at", {"booked": -F("delta")}))
    )
    found: dict[str, Any] = defaultdict(lambda: defaultdict(int))
    for row in of_orders:
        found[row["kind"] or ""].update(row)
    for row in of_ledger:
        name = "booked" if row["of_order"] else "synced"
        for days in within_days:
            found[row["kind"] or ""][f"{name}_{days}"] += row[f"booked_{days}"]
    return {
        kind: {
            days: row[f"kept_{days}"]
            + max(row[f"synced_{days}"] - max(row[f"picked_{days}"] - row[f"booked_{days}"], 0), 0)
            for days in within_days
        }
        for kind, row in found.items()
    }


def sales_by_category(*, owner: User, currency: str, now: dt.datetime) -> list[SalesCategoryLine]:
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


def sales_by_channel(
    *, owner: User, currency: str, fee_percent: Decimal, now: dt.datetime
) -> list[SalesChannelLine]:
    """Return a year's sales by the marketplace of their orders, the highest first."""
    of_ids = [
        When(order__marketplace_order_id__range=info.ids, then=Value(info.id.value))
        for info in MARKETPLACES.values()
    ]
    sold = _sold(owner, currency, now)
    sold = sold.annotate(marketplace=Case(*of_ids, default=Value("")))
    back = _given_back(sold, "marketplace", owner, currency)
    found: list[SalesChannelLine] = []
    for row in _summed(sold.values("marketplace")):
        site = row["marketplace"]
        amount = row["amount"] - back[site]
        found.append(
            {
                "marketplace": site,
                "name": MARKETPLACES[site].real_name if site else "By hand",
                "orders": row["orders"],
                "pieces": row["pieces"],
                "amount": money(amount),
                "fees": money(fees_of(amount, percent=fee_percent, by_hand=not site)),
            }
        )
    return sorted(found, key=lambda row: (-row["amount"], row["name"]))


def walk_paces(*, owner: User, most: int | None = None) -> Iterator[WalkLine]:
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

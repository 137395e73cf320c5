"""Reports for deciding what to buy next: returns, pace, stock by age and value, sell-through."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Final, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import Case, ExpressionWrapper, F, Value, When
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.auctions.services.listings import buyer_options_of
from apps.core.money import Digits, Total, money
from apps.core.worth import WORTH, row_worth
from apps.home.rules import (
    AbcClass,
    StockedLot,
    classified,
    per_minute,
    share,
)
from apps.home.selectors.batches import (
    BatchSums,
    GivesBack,
    NotInValue,
    SourceSums,
    batch_sums,
    by_source,
)
from apps.home.selectors.profit import (
    BatchProfitLine,
    SourceProfitLine,
    profit_by_batch,
    profit_by_source,
    sold_of,
)
from apps.inventory.models import InventoryItem
from apps.inventory.rules.worth import AGE_BANDS
from apps.inventory.services.stock_figures import StockOfType, stock_by_type
from apps.orders.selectors.sales import (
    SalesCategoryLine,
    SalesChannelLine,
    SalesDayLine,
    WalkLine,
    sales_by_category,
    sales_by_channel,
    sales_by_day,
    sold_by_type,
    walk_paces,
)
from apps.recognition.models import StationSitting

MOST_BATCHES: Final = 200
MOST_SITTINGS: Final = 100
MOST_WALKS: Final = 100
SOLD_WITHIN_DAYS: Final = (30, 90, 365)
GRAMS_PER_KG: Final = 1000
_NOTHING: Final = Decimal(0)


class BatchLine(TypedDict):
    id: int
    name: str
    source_name: str
    createdAt: dt.datetime
    is_archived: bool
    lots: int
    pieces: int
    cost: Total | None
    value: Total
    lots_without_price: NotInValue
    gives_back: GivesBack
    cost_per_kg: Total | None
    cost_per_piece: Total | None


class SourceLine(TypedDict):
    id: int
    name: str
    batches: int
    pieces: int
    spent: Total
    value: Annotated[Total, "of batches whose cost is known"]
    lots_without_price: NotInValue
    gives_back: GivesBack


class SittingLine(TypedDict):
    id: int
    startedAt: dt.datetime
    minutes: int
    adds: int
    pieces: int
    undos: int
    per_minute: Annotated[Decimal, Digits(12, 1)] | None


# A word that Python keeps for itself.
_Class = TypedDict("_Class", {"class": Annotated[str, "A, B or C, by value"]})


class StockLine(_Class):
    age: str
    lots: int
    pieces: int
    value: Total
    lots_without_price: NotInValue


class SellThroughLine(TypedDict):
    item_type: Annotated[str, "empty: the catalogue does not know it"]
    stock_pieces: int
    sold_30: Annotated[int, "pieces that buyers kept of the orders of 30 days"]
    sold_90: int
    sold_365: int
    sell_through: Annotated[Total | None, "sold in a year ÷ (sold in a year + in stock)"]


class ReportsRow(TypedDict):
    """All reports. Of batches the newest 200, of sittings the newest 100; the files hold all."""

    currency: str
    batch_count: int
    batches: list[BatchLine]
    sources: list[SourceLine]
    profit: Annotated[list[BatchProfitLine], "the 200 that sold most"]
    source_profit: Annotated[list[SourceProfitLine], "over batches whose cost is known"]
    pace: list[SittingLine]
    stock: list[StockLine]
    sell_through: list[SellThroughLine]
    sales: Annotated[list[SalesDayLine], "a year, in the person's currency"]
    categories: list[SalesCategoryLine]
    channels: Annotated[list[SalesChannelLine], "of the same pieces"]
    walks: Annotated[list[WalkLine], "the newest 100"]


def reports(*, user: User, zone: ZoneInfo, now: dt.datetime) -> ReportsRow:
    """Return all reports: the newest 200 batches and 100 sittings; files hold all.

    Their days are those of `zone`.
    """
    currency = currency_of(user)
    batches = batch_sums(owner=user)
    sold = sold_of(user=user, currency=currency, batches=batches)
    stock = stock_by_type(owner=user)
    return {
        "currency": currency,
        "batch_count": len(batches),
        "batches": [batch_line(batch) for batch in batches[:MOST_BATCHES]],
        "sources": [source_line(source) for source in by_source(batches)],
        "profit": profit_by_batch(batches, sold)[:MOST_BATCHES],
        "source_profit": profit_by_source(batches, sold),
        "pace": list(pace(owner=user, most=MOST_SITTINGS)),
        "stock": stock_by_age_and_value(owner=user, stock=stock, now=now),
        "sell_through": sell_through(owner=user, stock=stock, now=now),
        "sales": sales_by_day(owner=user, currency=currency, zone=zone, now=now),
        "categories": sales_by_category(owner=user, currency=currency, now=now),
        "channels": channel_sales(user=user, currency=currency, now=now),
        "walks": list(walk_paces(owner=user, most=MOST_WALKS)),
    }


def channel_sales(*, user: User, currency: str, now: dt.datetime) -> list[SalesChannelLine]:
    """Return a year's sales by marketplace, and their fees by the person's percentage."""
    percent = buyer_options_of(user).fee_percent
    return sales_by_channel(owner=user, currency=currency, fee_percent=percent, now=now)


def batch_line(batch: BatchSums) -> BatchLine:
    """Return the report's line of a batch."""
    per_kg = None
    if batch.cost is not None and batch.grams:
        per_kg = money(batch.cost * GRAMS_PER_KG / batch.grams)
    return {
        "id": batch.id,
        "name": batch.name,
        "source_name": batch.source_name,
        "createdAt": batch.created_at,
        "is_archived": batch.is_archived,
        "lots": batch.all_lots,
        "pieces": batch.all_pieces,
        "cost": batch.cost,
        "value": money(batch.value),
        "lots_without_price": batch.lots_without_price,
        "gives_back": batch.gives_back,
        "cost_per_kg": per_kg,
        "cost_per_piece": money(batch.cost / batch.all_pieces)
        if batch.cost is not None and batch.all_pieces
        else None,
    }


def source_line(source: SourceSums) -> SourceLine:
    """Return the report's line of a source."""
    return {
        "id": source.id,
        "name": source.name,
        "batches": source.batches,
        "pieces": source.pieces,
        "spent": money(source.spent),
        "value": money(source.value),
        "lots_without_price": source.lots_without_price,
        "gives_back": source.gives_back,
    }


def pace(*, owner: User, most: int | None = None) -> Iterator[SittingLine]:
    """Yield the sittings at the station in which anything was added, newest first."""
    rows = (
        StationSitting.objects.owned_by(owner)
        .filter(pieces__gt=0)
        .order_by("-started_at", "-id")
        .values("id", "started_at", "acted_at", "adds", "pieces", "undos")
    )
    for row in rows[:most]:
        seconds = (row["acted_at"] - row["started_at"]).total_seconds()
        yield {
            "id": row["id"],
            "startedAt": row["started_at"],
            "minutes": round(seconds / 60),
            "adds": row["adds"],
            "pieces": row["pieces"],
            "undos": row["undos"],
            "per_minute": per_minute(row["pieces"], seconds),
        }


def stock_by_age_and_value(
    *, owner: User, stock: list[StockOfType], now: dt.datetime
) -> list[StockLine]:
    """Return rows, pieces and value of every pair of class and age.

    Streams the rows, the most valuable first, without keeping them.
    """
    rows = (
        InventoryItem.objects.owned_by(owner)
        .in_stock()
        .annotate(
            worth=ExpressionWrapper(row_worth(), output_field=WORTH),
            since=Coalesce("date_added", "created_at"),
            # Reading a number for each row takes half the time of reading an instant.
            band=Case(
                *(
                    When(since__lte=now - dt.timedelta(days=first), then=Value(band))
                    for band, (first, _) in reversed(list(enumerate(AGE_BANDS)))
                ),
                default=Value(0),
            ),
        )
        .order_by(F("worth").desc(nulls_last=True), "pk")
        .values_list("quantity", "worth", "band")
    )
    lots = (
        StockedLot(pieces=pieces, worth=value or _NOTHING, is_priced=value is not None, band=band)
        for pieces, value, band in rows.iterator(2_000)
    )
    total = sum((one.value for one in stock), Decimal(0))
    sums: dict[tuple[AbcClass, int], list[Any]] = {
        (name, band): [0, 0, Decimal(0), 0] for name in AbcClass for band in range(len(AGE_BANDS))
    }
    for lot, name in classified(lots, total=total):
        of_pair = sums[name, lot.band]
        of_pair[0] += 1
        of_pair[1] += lot.pieces
        of_pair[2] += lot.worth
        of_pair[3] += not lot.is_priced
    return [
        {
            "class": str(name),
            "age": AGE_BANDS[band][1],
            "lots": of_pair[0],
            "pieces": of_pair[1],
            "value": money(of_pair[2]),
            "lots_without_price": of_pair[3],
        }
        for (name, band), of_pair in sums.items()
    ]


def sell_through(
    *, owner: User, stock: list[StockOfType], now: dt.datetime
) -> list[SellThroughLine]:
    """Return the sold pieces by item type (`sold_by_type`), and their share of all there were."""
    sold = sold_by_type(owner=owner, within_days=SOLD_WITHIN_DAYS, now=now)
    in_stock = {one.item_type: one for one in stock}
    found: list[SellThroughLine] = []
    for item_type in sorted({*sold, *in_stock}):
        pieces = in_stock[item_type].pieces if item_type in in_stock else 0
        counts = [sold[item_type][days] if item_type in sold else 0 for days in SOLD_WITHIN_DAYS]
        if not (pieces or any(counts)):
            continue
        found.append(
            {
                "item_type": item_type,
                "stock_pieces": pieces,
                "sold_30": counts[0],
                "sold_90": counts[1],
                "sold_365": counts[2],
                "sell_through": share(counts[2], counts[2] + pieces),
            }
        )
    return sorted(found, key=lambda one: (-one["sold_365"], one["item_type"]))

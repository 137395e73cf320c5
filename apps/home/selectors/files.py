"""The reports as spreadsheets; texts that a spreadsheet would run are made harmless."""

import datetime as dt
import io
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.exchange.csv_cells import CsvWriter
from apps.home.selectors import reports
from apps.home.selectors.batches import batch_sums, by_source
from apps.home.selectors.profit import profit_by_batch, profit_by_source, sold_of
from apps.inventory.services.stock_figures import stock_by_type
from apps.orders.selectors import sales

Row = Mapping[str, Any]
_Rows = Callable[[User, dt.datetime, ZoneInfo], Iterable[Row]]


def _batches(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return (reports.batch_line(batch) for batch in batch_sums(owner=user))


def _sources(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return (reports.source_line(source) for source in by_source(batch_sums(owner=user)))


def _profit(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    batches = batch_sums(owner=user)
    return profit_by_batch(batches, sold_of(user=user, currency=currency_of(user), batches=batches))


def _source_profit(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    batches = batch_sums(owner=user)
    return profit_by_source(
        batches, sold_of(user=user, currency=currency_of(user), batches=batches)
    )


def _pace(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return reports.pace(owner=user)


def _stock(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    stock = stock_by_type(owner=user)
    return reports.stock_by_age_and_value(owner=user, stock=stock, now=now)


def _sell_through(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return reports.sell_through(owner=user, stock=stock_by_type(owner=user), now=now)


def _sales(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return sales.sales_by_day(owner=user, currency=currency_of(user), zone=zone, now=now)


def _categories(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return sales.sales_by_category(owner=user, currency=currency_of(user), now=now)


def _channels(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return reports.channel_sales(user=user, currency=currency_of(user), now=now)


def _walks(user: User, now: dt.datetime, zone: ZoneInfo) -> Iterable[Row]:
    return sales.walk_paces(owner=user)


_PROFIT: Final = ("pieces", "sold", "fees", "cost", "profit", "paid_back")

#: The rows of each report, and the columns of its file.
REPORTS: Final[dict[str, tuple[_Rows, tuple[str, ...]]]] = {
    "batches": (
        _batches,
        (
            "name",
            "source_name",
            "createdAt",
            "lots",
            "pieces",
            "cost",
            "value",
            "lots_without_price",
            "gives_back",
            "cost_per_kg",
            "cost_per_piece",
        ),
    ),
    "sources": (
        _sources,
        ("name", "batches", "pieces", "spent", "value", "lots_without_price", "gives_back"),
    ),
    "profit": (_profit, ("name", "source_name", *_PROFIT)),
    "source-profit": (_source_profit, ("name", *_PROFIT)),
    "pace": (_pace, ("startedAt", "minutes", "adds", "pieces", "undos", "per_minute")),
    "stock": (_stock, ("class", "age", "lots", "pieces", "value", "lots_without_price")),
    "sell-through": (
        _sell_through,
        ("item_type", "stock_pieces", "sold_30", "sold_90", "sold_365", "sell_through"),
    ),
    "sales": (_sales, ("day", "orders", "pieces", "amount")),
    "categories": (_categories, ("category", "orders", "lots", "pieces", "amount")),
    "channels": (_channels, ("name", "orders", "pieces", "amount", "fees")),
    "walks": (_walks, ("startedAt", "minutes", "orders", "stops", "minutes_per_order")),
}


def report_file(*, user: User, name: str, zone: ZoneInfo, now: dt.datetime) -> bytes:
    """Return a report as CSV, a head and all its rows; its days are those of `zone`.

    Raises KeyError.
    """
    rows, columns = REPORTS[name]
    out = io.BytesIO()
    writer = CsvWriter(out)
    writer.row(columns)
    for row in rows(user, now, zone):
        writer.row(row[column] for column in columns)
    return out.getvalue()

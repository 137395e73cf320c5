"""The books of a period as files: lists as CSV, and bookings for two packages of accounting."""

import datetime as dt
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, Final

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.books.rules.bookings import Booking, datev_file, to_cents, xero_file
from apps.books.rules.tax import TaxRule
from apps.books.selectors import (
    Period,
    SaleLine,
    invoices_of_orders,
    purchases,
    refunds,
    sale_lines,
    setting_of,
)
from apps.core.errors import Invalid
from apps.core.money import money
from apps.exchange.csv_cells import Cell, CsvWriter

_Rows = Callable[[User, Period], Iterable[Iterable[Cell]]]


def _money(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else money(amount)


def _sales(user: User, period: Period) -> Iterator[Iterable[Cell]]:
    for line in sale_lines(user=user, period=period):
        yield (
            *(line.day, line.order, line.channel, line.country),
            *(line.item_number, line.item_name, line.color_name, line.condition, line.pieces),
            *(_money(line.sold), _money(line.extras), _money(line.gross), _money(line.cost)),
            *(_money(line.margin), line.ruled.rule.value, line.ruled.country, line.ruled.percent),
            *(_money(line.tax), line.batch, line.bought_from),
        )


def _margins(user: User, period: Period) -> Iterator[Iterable[Cell]]:
    lines = [
        line for line in sale_lines(user=user, period=period) if line.ruled.rule == TaxRule.MARGIN
    ]
    numbers = _invoice_numbers(user, lines)
    for line in lines:
        yield (
            *(line.bought_on, line.bought_from, line.batch, _money(line.cost)),
            *(line.item_number, line.item_name, line.color_name, line.pieces),
            *(line.day, line.sold_to, line.order, numbers.get(line.order_id, "")),
            *(_money(line.gross), _money(line.margin), line.ruled.percent, _money(line.tax)),
        )


def _invoice_numbers(user: User, lines: Iterable[SaleLine]) -> dict[int, str]:
    rows = invoices_of_orders(owner=user, order_ids={line.order_id for line in lines})
    return dict(rows.order_by("pk").values_list("invoiced__order_id", "number"))


def _by_order(
    user: User, period: Period, amount_of: Callable[[SaleLine], Decimal]
) -> Iterator[Iterable[Cell]]:
    sums: dict[tuple[dt.date, str, str], Decimal] = defaultdict(Decimal)
    for line in sale_lines(user=user, period=period):
        sums[line.day, line.order, line.channel] += amount_of(line)
    for key, amount in sums.items():
        if amount:
            yield (*key, money(amount))


def _fees(user: User, period: Period) -> Iterable[Iterable[Cell]]:
    return _by_order(user, period, lambda line: line.fees)


def _shipping(user: User, period: Period) -> Iterable[Iterable[Cell]]:
    return _by_order(user, period, lambda line: line.extras)


def _refunds(user: User, period: Period) -> Iterator[Iterable[Cell]]:
    for row in refunds(user=user, period=period):
        yield row["day"], row["number"], money(row["total"]), money(row["refunded"])


def _purchases(user: User, period: Period) -> Iterator[Iterable[Cell]]:
    for row in purchases(user=user, period=period):
        yield row["day"], row["batch"], row["bought_from"] or "", _money(row["cost"])


_OF_ORDER: Final = ("day", "order", "channel", "amount")
#: The rows of each list, and its columns.
LISTS: Final[dict[str, tuple[_Rows, tuple[str, ...]]]] = {
    "sales": (
        _sales,
        (
            *("day", "order", "channel", "country", "item_number", "item_name", "color_name"),
            *("condition", "pieces", "sold", "extras", "gross", "cost", "margin", "rule"),
            *("rule_country", "percent", "tax", "batch", "bought_from"),
        ),
    ),
    "margin": (
        _margins,
        (
            *("bought_on", "bought_from", "batch", "cost", "item_number", "item_name"),
            *("color_name", "pieces", "sold_on", "sold_to", "order", "invoice", "sold_for"),
            *("difference", "percent", "tax"),
        ),
    ),
    "fees": (_fees, _OF_ORDER),
    "shipping": (_shipping, _OF_ORDER),
    "refunds": (_refunds, ("day", "order", "total", "refunded")),
    "purchases": (_purchases, ("day", "batch", "bought_from", "cost")),
}
#: Bookings: an order and rule, the fees of an order, or a purchase each.
BOOKINGS: Final = ("datev", "xero")
NAMES: Final = (*LISTS, *BOOKINGS)


def books_file(*, user: User, name: str, period: Period, now: dt.datetime) -> bytes:
    """Return a list as CSV with amounts of four places, or the bookings to the cent.

    Raises KeyError for another name, Invalid for a period that a layout cannot hold.
    """
    if name in BOOKINGS:
        rows = bookings(user=user, period=period)
        if name == "xero":
            return xero_file(rows)
        if period.first.year != period.last.year:
            raise Invalid(fields={"last": ["a batch of DATEV is of one year: end in the same"]})
        accounts: dict[str, str] = setting_of(user).accounts
        office = accounts.pop("datev_consultant"), accounts.pop("datev_client")
        return datev_file(
            rows,
            first=period.first,
            last=period.last,
            currency=currency_of(user),
            made_at=now.astimezone(period.zone),
            office=office,
            account_length=max(map(len, accounts.values())),
        )
    make, columns = LISTS[name]
    out = io.BytesIO()
    writer = CsvWriter(out)
    writer.row(columns)
    for row in make(user, period):
        writer.row(row)
    return out.getvalue()


def bookings(*, user: User, period: Period) -> list[Booking]:
    """Return the bookings of a period: sales, fees and purchases, each kind in sum to the cent."""
    accounts: dict[str, str] = setting_of(user).accounts
    cash = accounts["money"]
    sales: dict[tuple[dt.date, str, str], Decimal] = defaultdict(Decimal)
    fees: dict[tuple[dt.date, str], Decimal] = defaultdict(Decimal)
    for line in sale_lines(user=user, period=period):
        sales[line.day, line.order, line.ruled.rule.value] += line.gross
        fees[line.day, line.order] += line.fees
    kinds: dict[str, list[Booking]] = {
        "sales": [
            Booking(day, order, f"Sale, {rule}", amount, cash, accounts[f"sales_{rule}"])
            for (day, order, rule), amount in sales.items()
        ],
        "fees": [
            Booking(day, order, "Fees", amount, accounts["fees"], cash)
            for (day, order), amount in fees.items()
        ],
        "purchases": [
            Booking(row["day"], "", _bought(row), row["cost"], accounts["purchases"], cash)
            for row in purchases(user=user, period=period)
            if row["cost"] is not None
        ],
    }
    return [
        one
        for name, rows in kinds.items()
        for one in to_cents(
            rows, last=period.last, money=cash, rounding=accounts["rounding"], name=name
        )
    ]


def _bought(row: dict[str, Any]) -> str:
    return f"{row['batch']} ({row['bought_from']})" if row["bought_from"] else str(row["batch"])

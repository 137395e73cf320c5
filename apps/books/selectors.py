"""The figures of the books: sales by line with cost and tax, and what is missing.

Sales, fees and costs are those of the reports (`orders/selectors/profit.py`), of the orders of a
period. Sums are of exact amounts of four places; only bookings and invoices are to the cent.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncDate

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.auctions.services.listings import buyer_options_of
from apps.batches.models import Batch
from apps.batches.selectors import batch_rows, sums_by_state
from apps.books.models import BooksSetting, Invoice, InvoicedOrder, InvoiceKind
from apps.books.rules.tax import (
    CENT,
    Mode,
    ModeFrom,
    RateFrom,
    Ruled,
    TaxRule,
    TaxTable,
    tax_of,
)
from apps.core.money import Digits, Total, money
from apps.lots.models import LotCondition
from apps.orders.models import Order, OrderLine, OrderOrigin
from apps.orders.rules.papers import country_code
from apps.orders.selectors.profit import Paid, SoldSums, kept_lines, sold_parts
from apps.orders.selectors.sales import day_of_order

_NOTHING: Final = Decimal(0)
_PARTS: Final = ("shipping", "insurance", "fees")
Percent = Annotated[Decimal, Digits(5, 2)]


@dataclass(frozen=True, slots=True)
class Period:
    """The days of some books, both included, in a zone."""

    first: dt.date
    last: dt.date
    zone: ZoneInfo

    def of_orders(self, orders: QuerySet[Any], to: str = "") -> QuerySet[Any]:
        """Return the rows whose order, `to` which this is the way, is of the period."""
        rows = orders.annotate(day=day_of_order(self.zone, to))
        return rows.filter(day__range=(self.first, self.last))


@dataclass(frozen=True, slots=True)
class SaleLine:
    """Pieces of one batch that one line sold; without pieces, what an order brought beside them."""

    day: dt.date
    order_id: int
    order: str
    channel: str
    sold_to: str
    country: str
    item_number: str
    item_name: str
    color_name: str
    condition: str
    pieces: int
    sold: Decimal  # after discounts and refunds
    extras: Decimal  # its share of shipping, insurance and charges
    fees: Decimal
    cost: Decimal | None
    batch: str
    bought_from: str
    bought_on: dt.date | None
    ruled: Ruled

    @property
    def gross(self) -> Decimal:
        return self.sold + self.extras

    @property
    def margin(self) -> Decimal | None:
        return None if self.cost is None else self.gross - self.cost

    @property
    def tax(self) -> Decimal | None:
        return tax_of(self.ruled, gross=self.gross, cost=self.cost)


def setting_of(user: User) -> BooksSetting:
    """Return how a person's books are kept; the defaults where nothing was set."""
    return BooksSetting.objects.filter(user=user).first() or BooksSetting(user=user)


def table_of(setting: BooksSetting) -> TaxTable:
    """Return a person's modes and rates by day."""
    return TaxTable(
        [
            ModeFrom(
                dt.date.fromisoformat(one["since"]),
                Mode(one["mode"]),
                one["country"],
                one["uses_oss"],
            )
            for one in setting.modes
        ],
        [
            RateFrom(
                one["country"],
                dt.date.fromisoformat(one["since"]),
                Decimal(one["percent"]).quantize(CENT),
                is_own=True,
            )
            for one in setting.rates
        ],
    )


def added_vat(order: Order) -> Decimal:
    """Return the VAT that was charged on top of an order's prices; most contain it."""
    without = order.subtotal + order.shipping + order.insurance + order.fees + order.tax
    return (
        order.vat if order.vat and order.total == without - order.credit + order.vat else _NOTHING
    )


def rule_of_sale(order: Order, table: TaxTable, *, condition: str, day: dt.date) -> Ruled:
    """Return the rule of VAT of what an order of a day sold in a condition."""
    return table.rule_of(
        day=day,
        buyer_country=country_code(order.country),
        is_used=condition == LotCondition.USED,
        by_hand=order.channel == OrderOrigin.HAND and not order.country.strip(),
    )


def _extras_of(order: Order, *, kept: Decimal, returned: Decimal) -> Decimal:
    """Return what an order brought beside its pieces, less what was refunded of that.

    What is refunded beyond the returned pieces lowers the kept ones, in every report; of an order
    that came back whole it can only be of this.
    """
    extras = sum((getattr(order, name) for name in _PARTS), added_vat(order))
    beyond = _NOTHING if kept else max(order.refunded - returned, _NOTHING)
    return max(extras - beyond, _NOTHING)


def sale_lines(*, user: User, period: Period) -> list[SaleLine]:
    """Return the sales of a period in the person's currency, the first first."""
    currency = currency_of(user)
    table = table_of(setting_of(user))
    batches = {row["id"]: row for row in batch_rows(owner=user)}
    pieces: dict[int, int] = defaultdict(int)
    for row in sums_by_state(owner=user):
        pieces[row["batch_id"]] += row["pieces"] or 0
    lines = period.of_orders(kept_lines(owner=user, currency=currency), "order__")
    parts = list(
        sold_parts(
            owner=user,
            currency=currency,
            fee_percent=buyer_options_of(user).fee_percent,
            paid={pk: Paid(row["cost"], pieces[pk]) for pk, row in batches.items()},
            lines=lines,
        )
    )
    orders, kept, returned = _orders_with_pieces(user, currency, period)
    items = {
        row["pk"]: row
        for row in lines.values("pk", "item_number", "item_name", "color_name", "condition")
    }
    names = _names_of(user, orders.values())
    of_order: dict[int, list[Any]] = defaultdict(list)
    for part in parts:
        of_order[part.order_id].append(part)
    found = []
    for order in sorted(orders.values(), key=lambda one: (one.day, one.pk)):
        extras = _extras_of(order, kept=kept[order.pk], returned=returned[order.pk])
        own = sorted(of_order[order.pk], key=lambda one: (one.line_id, one.batch_id or 0))
        shares = _shares(extras, [part.sums.sold for part in own])
        for part, share in zip(own, shares, strict=True):
            batch = batches.get(part.batch_id)
            found.append(
                _line(
                    order,
                    items[part.line_id],
                    table,
                    names[order.pk],
                    part.sums,
                    share,
                    batch,
                    period,
                )
            )
        if not own and extras:
            found.append(_line(order, None, table, names[order.pk], None, extras, None, period))
    return found


def _orders_with_pieces(
    user: User, currency: str, period: Period
) -> tuple[dict[int, Any], dict[int, Decimal], dict[int, Decimal]]:
    """Return the orders of which pieces were picked, and the worth of the kept and the returned."""
    kept: dict[int, Decimal] = defaultdict(Decimal)
    returned: dict[int, Decimal] = defaultdict(Decimal)
    picked = OrderLine.objects.owned_by(user).filter(order__currency=currency, picked__gt=0)
    rows = period.of_orders(picked, "order__").order_by()
    for order_id, price, taken, back in rows.values_list("order_id", "price", "picked", "returned"):
        kept[order_id] += price * (taken - back)
        returned[order_id] += price * back
    orders = period.of_orders(Order.objects.owned_by(user)).filter(pk__in=rows.values("order_id"))
    return {order.pk: order for order in orders.order_by("pk")}, kept, returned


def _shares(amount: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Return an amount in exact parts by weight, evenly where nothing weighs; the last has the rest."""
    whole = sum(weights, _NOTHING)
    parts = [
        money(amount * weight / whole) if whole > 0 else money(amount / len(weights))
        for weight in weights[:-1]
    ]
    return [*parts, amount - sum(parts, _NOTHING)] if weights else []


def _names_of(user: User, orders: Iterable[Any]) -> dict[int, str]:
    """Return the buyers by order: of the invoice, where the order's own data was erased."""
    orders = list(orders)
    erased = [order.pk for order in orders if order.buyer_erased_at]
    rows = InvoicedOrder.objects.owned_by(user).filter(order_id__in=erased)
    on_invoice = dict(rows.values_list("order_id", "invoice__buyer"))
    return {
        order.pk: order.address_name
        or order.buyer
        or on_invoice.get(order.pk, "").partition("\n")[0]
        for order in orders
    }


def _line(
    order: Any,
    item: dict[str, Any] | None,
    table: TaxTable,
    sold_to: str,
    sums: SoldSums | None,
    extras: Decimal,
    batch: dict[str, Any] | None,
    period: Period,
) -> SaleLine:
    condition = item["condition"] if item else ""
    return SaleLine(
        day=order.day,
        order_id=order.pk,
        order=order.number,
        channel=order.channel,
        sold_to=sold_to,
        country=country_code(order.country),
        item_number=item["item_number"] if item else "",
        item_name=item["item_name"] if item else "",
        color_name=item["color_name"] if item else "",
        condition=condition,
        pieces=sums.pieces if sums else 0,
        sold=sums.sold if sums else _NOTHING,
        extras=extras,
        fees=sums.fees if sums else _NOTHING,
        cost=sums.cost if sums else _NOTHING,
        batch=batch["name"] if batch else "",
        bought_from=batch["source_name"] if batch else "",
        bought_on=batch["created_at"].astimezone(period.zone).date() if batch else None,
        ruled=rule_of_sale(order, table, condition=condition, day=order.day),
    )


class RuleSums(TypedDict):
    """The sales by one rule, country and rate."""

    rule: TaxRule
    country: Annotated[str, "whose rule it is"]
    percent: Percent | None
    lines: int
    pieces: int
    gross: Annotated[Total, "with shipping and charges, after discounts and refunds"]
    cost: Annotated[Total, "of the lines whose cost is known"]
    tax: Annotated[Total, "contained; of the lines where it can be worked out"]
    lines_without_cost: int
    lines_without_tax: Annotated[int, "not in the tax"]


class Missing(TypedDict):
    """What the sums leave out, or rest on no entry for."""

    sales_without_cost: int
    sales_without_source: Annotated[int, "by the margin scheme, bought from nobody that is named"]
    sales_without_country: Annotated[int, "whose rule of VAT is not known"]
    purchases_without_cost: int
    orders_without_date: Annotated[int, "in no period"]
    orders_in_other_currency: int
    has_tax_mode: Annotated[bool, "false: no tax is worked out"]


class BooksRow(TypedDict):
    """The books of a period."""

    currency: str
    first: dt.date
    last: dt.date
    orders: int
    pieces: int
    sold: Annotated[Total, "pieces, after discounts and refunds: as the reports"]
    extras: Annotated[Total, "shipping, insurance and charges that buyers paid"]
    refunds: Annotated[Total, "already off the sales"]
    fees: Annotated[Total, "by the person's percentage"]
    cost: Annotated[Total, "of the sales whose cost is known"]
    margin: Annotated[Total, "gross − cost, of the sales whose cost is known"]
    tax: Total
    purchases: Annotated[Total, "of the batches that came in the period"]
    rules: list[RuleSums]
    missing: Missing
    invoices: Annotated[int, "issued in the period"]


def books(*, user: User, period: Period) -> BooksRow:
    """Return the sums of a period, by rule, and what is missing in them."""
    lines = sale_lines(user=user, period=period)
    currency = currency_of(user)
    sold = [line for line in lines if line.pieces]
    bought = list(purchases(user=user, period=period))
    orders = Order.objects.owned_by(user)
    with_pieces = orders.filter(lines__picked__gt=F("lines__returned")).distinct()
    in_period = period.of_orders(orders)
    known = [line for line in sold if line.cost is not None]
    margins = [line for line in sold if line.ruled.rule == TaxRule.MARGIN]
    return {
        "currency": currency,
        "first": period.first,
        "last": period.last,
        "orders": len({line.order_id for line in sold}),
        "pieces": sum(line.pieces for line in sold),
        "sold": _sum(line.sold for line in lines),
        "extras": _sum(line.extras for line in lines),
        "refunds": _refunded(in_period, currency),
        "fees": _sum(line.fees for line in lines),
        "cost": _sum(line.cost for line in known),
        "margin": _sum(line.margin for line in known),
        "tax": _sum(line.tax for line in lines),
        "purchases": _sum(one["cost"] for one in bought),
        "rules": by_rule(lines),
        "missing": {
            "sales_without_cost": len(sold) - len(known),
            "sales_without_source": sum(not line.bought_from for line in margins),
            "sales_without_country": sum(line.ruled.rule == TaxRule.UNKNOWN for line in lines),
            "purchases_without_cost": sum(one["cost"] is None for one in bought),
            "orders_without_date": with_pieces.filter(is_dated=False).count(),
            "orders_in_other_currency": period.of_orders(with_pieces)
            .exclude(currency=currency)
            .count(),
            "has_tax_mode": bool(setting_of(user).modes),
        },
        "invoices": Invoice.objects.owned_by(user)
        .filter(issued_on__range=(period.first, period.last))
        .count(),
    }


def by_rule(lines: Iterable[SaleLine]) -> list[RuleSums]:
    """Return the sums by rule, country and rate, the most first."""
    groups: dict[Ruled, list[SaleLine]] = defaultdict(list)
    for line in lines:
        groups[line.ruled].append(line)
    found: list[RuleSums] = [
        {
            "rule": ruled.rule,
            "country": ruled.country,
            "percent": ruled.percent,
            "lines": len(some),
            "pieces": sum(line.pieces for line in some),
            "gross": _sum(line.gross for line in some),
            "cost": _sum(line.cost for line in some),
            "tax": _sum(line.tax for line in some),
            "lines_without_cost": sum(line.cost is None for line in some),
            "lines_without_tax": sum(line.tax is None for line in some),
        }
        for ruled, some in groups.items()
    ]
    return sorted(found, key=lambda row: (-row["gross"], row["rule"], row["country"]))


def _sum(amounts: Iterable[Decimal | None]) -> Decimal:
    return money(sum((one for one in amounts if one is not None), _NOTHING))


def _refunded(orders: QuerySet[Any], currency: str) -> Decimal:
    rows = orders.filter(currency=currency, refunded__gt=0)
    return money(rows.aggregate(sum=Coalesce(Sum("refunded"), _NOTHING))["sum"])


def refunds(*, user: User, period: Period) -> Iterator[dict[str, Any]]:
    """Yield the orders of a period of which money was given back."""
    rows = period.of_orders(Order.objects.owned_by(user)).filter(
        currency=currency_of(user), refunded__gt=0
    )
    yield from rows.order_by("day", "pk").values("day", "number", "currency", "total", "refunded")


def purchases(*, user: User, period: Period) -> Iterator[dict[str, Any]]:
    """Yield the batches that came in a period; what one without a cost cost is None."""
    rows = Batch.objects.owned_by(user).ready()
    rows = rows.annotate(day=TruncDate("created_at", tzinfo=period.zone))
    rows = rows.filter(day__range=(period.first, period.last)).order_by("day", "pk")
    yield from rows.values(
        "day", batch=F("name"), bought_from=F("source__name"), cost=F("cost_total")
    )


def invoices_of_orders(*, owner: User, order_ids: Iterable[int]) -> QuerySet[Any]:
    """Return the invoices of orders that no credit note cancels."""
    about = InvoicedOrder.objects.owned_by(owner).filter(order_id__in=list(order_ids))
    return Invoice.objects.owned_by(owner).filter(
        Q(pk__in=about.values("invoice")), kind=InvoiceKind.INVOICE, cancelled_by=None
    )

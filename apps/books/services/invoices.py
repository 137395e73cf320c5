"""Issue invoices and credit notes. Their numbers are one series without a gap."""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction

from apps.accounts.models import User
from apps.books.models import BooksSetting, Invoice, InvoicedOrder, InvoiceKind
from apps.books.rules.tax import WITH_TAX, Ruled, TaxRule, TaxTable, cents, shared_out, tax_in
from apps.books.selectors import (
    added_vat,
    invoices_of_orders,
    rule_of_sale,
    setting_of,
    table_of,
)
from apps.core.concurrency import lock_in_order
from apps.core.errors import StateConflict
from apps.core.money import money_text
from apps.orders.models import GONE_STATES, Order, OrderLine, OrderState
from apps.orders.rules.papers import Tongue, slip_money, tongue_of_buyer
from apps.orders.services.forgetting import months_before
from apps.orders.services.papers import Seller, address_of, orders_for

_MONTHS: Final = 12
_NOTHING: Final = Decimal(0)
#: Beside the pieces: what is on a slip, but for VAT that the prices contain.
_SUMS: Final = ("shipping", "insurance", "fees", "credit", "tax")
_SIGNS: Final = {"credit": -1}
_SAME: Final = ("currency", "buyer", "address_name", "address", "country")


class NotInvoiceable(StateConflict):
    message = "Order {number} cannot be on this invoice: {reason}."


class NotCreditable(StateConflict):
    message = "{number} cannot be cancelled: {reason}."


@transaction.atomic
def issue_invoice(
    *,
    owner: User,
    order_ids: Sequence[int],
    seller: Seller,
    tongue: Tongue,
    zone: ZoneInfo,
    now: dt.datetime,
) -> Invoice:
    """Issue one invoice of orders of one buyer; if just these have one, return that.

    Its rule, rate and sums are those of now, and are never worked out again. Raises NotFound,
    NotInvoiceable.
    """
    setting = _series_of(owner)
    orders = orders_for(owner=owner, order_ids=order_ids)
    if found := _same_invoice(owner, orders):
        return found
    _check(orders)
    table = table_of(setting)
    theirs = tongue_of_buyer(orders[0].country, ours=tongue)
    content = _content(orders, table, seller, theirs, zone)
    invoice = _next(
        setting,
        now=now,
        zone=zone,
        kind=InvoiceKind.INVOICE,
        buyer=address_of(orders[0]),
        currency=orders[0].currency,
        total=Decimal(content["total"]),
        content=content,
    )
    _name_orders(invoice, [order.pk for order in orders])
    return invoice


@transaction.atomic
def issue_invoices(
    *,
    owner: User,
    order_ids: Sequence[int],
    seller: Seller,
    tongue: Tongue,
    zone: ZoneInfo,
    now: dt.datetime,
) -> list[Invoice]:
    """Issue an invoice of each order; all of them, or none where one is refused.

    The invoice that an order has comes again. Raises NotFound, NotInvoiceable.
    """
    return [
        issue_invoice(owner=owner, order_ids=[pk], seller=seller, tongue=tongue, zone=zone, now=now)
        for pk in dict.fromkeys(order_ids)
    ]


@transaction.atomic
def cancel_invoice(*, invoice: Invoice, zone: ZoneInfo, now: dt.datetime) -> Invoice:
    """Issue the credit note of an invoice, with its number in the same series; return it.

    A second time it returns the same. Raises NotCreditable.
    """
    setting = _series_of(invoice.owner)
    if invoice.kind != InvoiceKind.INVOICE:
        raise NotCreditable(number=invoice.number, reason="it is a credit note")
    if found := Invoice.objects.owned_by(invoice.owner).filter(cancels=invoice).first():
        return found
    credit = _next(
        setting,
        now=now,
        zone=zone,
        kind=InvoiceKind.CREDIT,
        cancels=invoice,
        buyer=invoice.buyer,
        currency=invoice.currency,
        total=-invoice.total,
        content=invoice.content,
    )
    _name_orders(credit, list(invoice.invoiced.order_by("pk").values_list("order_id", flat=True)))
    return credit


def forget_old_invoices(*, now: dt.datetime) -> int:
    """Erase the buyers on invoices whose time is over; return on how many. Numbers and sums stay."""
    count = 0
    named = Invoice.objects.exclude(buyer="").order_by()
    for owner in User.objects.filter(pk__in=named.values("owner")).order_by("pk"):
        before = months_before(now, setting_of(owner).invoice_years * _MONTHS)
        rows = named.filter(owner=owner, issued_at__lt=before)
        count += rows.update(buyer="", updated_at=now)
    return count


def _series_of(owner: User) -> BooksSetting:
    """Return the setting, locked until the transaction ends: one number is given at a time."""
    BooksSetting.objects.get_or_create(user=owner)
    (setting,) = lock_in_order(BooksSetting.objects.filter(user=owner))
    return setting


def _next(setting: BooksSetting, *, now: dt.datetime, zone: ZoneInfo, **fields: Any) -> Invoice:
    rows = Invoice.objects.owned_by(setting.user_id).order_by("-serial")
    last = rows.values_list("serial", flat=True).first()
    serial = setting.first_serial if last is None else last + 1
    invoice: Invoice = Invoice.objects.create(
        owner_id=setting.user_id,
        serial=serial,
        number=f"{setting.invoice_prefix}{serial}",
        issued_at=now,
        issued_on=now.astimezone(zone).date(),
        **fields,
    )
    return invoice


def _name_orders(invoice: Invoice, order_ids: Sequence[int]) -> None:
    InvoicedOrder.objects.bulk_create(
        [InvoicedOrder(owner=invoice.owner, invoice=invoice, order_id=pk) for pk in order_ids]
    )


def _same_invoice(owner: User, orders: Sequence[Order]) -> Invoice | None:
    """Return the invoice of just these orders; raises NotInvoiceable where some are on another."""
    found = list(invoices_of_orders(owner=owner, order_ids=[order.pk for order in orders]))
    if not found:
        return None
    numbers = {order.pk: order.number for order in orders}
    on = list(found[0].invoiced.order_by("pk").values_list("order_id", flat=True))
    if len(found) == 1 and set(on) == set(numbers):
        invoice: Invoice = found[0]
        return invoice
    named = next((numbers[pk] for pk in on if pk in numbers), orders[0].number)
    raise NotInvoiceable(number=named, reason=f"it is on invoice {found[0].number}")


def _check(orders: Sequence[Order]) -> None:
    first = orders[0]
    for order in orders:
        reason = ""
        if order.state in (*GONE_STATES, OrderState.NEW):
            reason = f"it is {order.get_state_display().lower()}"
        elif any(getattr(order, name) != getattr(first, name) for name in _SAME):
            reason = f"its buyer or currency is not that of order {first.number}"
        elif order.buyer_erased_at:
            reason = "the buyer's data is erased"
        elif not order.is_dated:
            reason = (
                "its date is not known, and the rate of VAT is that of its day: on Orders, import "
                "its file again with a column Order Date"
            )
        if reason:
            raise NotInvoiceable(number=order.number, reason=reason)


def _content(
    orders: Sequence[Order], table: TaxTable, seller: Seller, tongue: Tongue, zone: ZoneInfo
) -> dict[str, Any]:
    """Return what is printed: lines, sums and taxes, as text, and the language."""
    lines = []
    weights: dict[Ruled, Decimal] = defaultdict(Decimal)
    sums: dict[str, Decimal] = defaultdict(Decimal)
    total = by_others = _NOTHING
    for order in orders:
        day = _day_of(order, zone)
        sent = missing = _NOTHING
        for line in OrderLine.objects.filter(order=order).order_by("pk"):
            pieces = max(line.quantity - line.short, 0)
            missing += line.price * line.short
            if not pieces:
                continue
            amount = line.price * pieces
            sent += amount
            weights[_rule_of(order, line, table, day)] += amount
            lines.append(
                {
                    "pieces": pieces,
                    "name": line.item_name,
                    "number": line.item_number,
                    "color": line.color_name,
                    "condition": line.condition,
                    "price": money_text(line.price),
                    "sum": money_text(amount),
                }
            )
        added = {name: _SIGNS.get(name, 1) * getattr(order, name) for name in _SUMS}
        added["vat"] = added_vat(order)
        due = slip_money(
            subtotal=order.subtotal,
            total=order.total,
            refunded=order.refunded,
            sent=sent,
            missing=missing,
        )
        added |= {"goods": due.sent, "refunded": -due.refunded}
        for name, amount in added.items():
            sums[name] += amount
        total += due.total or sum(added.values(), _NOTHING)
        by_others += order.tax
    if not lines:
        raise NotInvoiceable(number=orders[0].number, reason="none of its pieces is sent")
    owed = cents(total)
    # A sales tax is the marketplace's, which collects and pays it.
    shares = shared_out(owed - cents(by_others), weights)
    return {
        "language": str(tongue.locale),
        "seller": asdict(seller),
        "orders": [
            {"number": order.number, "day": _day_of(order, zone).isoformat()} for order in orders
        ],
        "lines": lines,
        "sums": {name: str(cents(amount)) for name, amount in sums.items() if cents(amount)},
        "total": str(owed),
        "taxes": [_tax_row(ruled, gross) for ruled, gross in shares.items()],
    }


def _day_of(order: Order, zone: ZoneInfo) -> dt.date:
    return order.ordered_on or order.ordered_at.astimezone(zone).date()


def _rule_of(order: Order, line: OrderLine, table: TaxTable, day: dt.date) -> Ruled:
    ruled = rule_of_sale(order, table, condition=line.condition, day=day)
    if ruled.rule == TaxRule.UNKNOWN:
        reason = (
            f"there is no rate of VAT for {ruled.country} on its day"
            if ruled.country
            else "its buyer's country is not known, so neither is whose VAT applies"
        )
        raise NotInvoiceable(number=order.number, reason=reason)
    return ruled


def _tax_row(ruled: Ruled, gross: Decimal) -> dict[str, str]:
    percent = ruled.percent or _NOTHING
    tax = cents(tax_in(gross, percent)) if ruled.rule in WITH_TAX else _NOTHING
    return {
        "rule": ruled.rule.value,
        "country": ruled.country,
        "percent": f"{percent.normalize():f}",
        "gross": str(gross),
        "net": str(gross - tax),
        "tax": str(cents(tax)),
    }

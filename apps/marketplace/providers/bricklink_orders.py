"""Orders in BrickLink's wire format. Pure."""

import datetime as dt
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from apps.exchange.conditions import condition_of
from apps.exchange.order_statuses import status_with_payment
from apps.marketplace.providers.answers import unescape
from apps.marketplace.providers.base import NoAnswer, Unreadable
from apps.marketplace.providers.bricklink_lots import COMPLETENESS, instant
from apps.marketplace.providers.orders import (
    LARGEST_ID,
    MOST_MONEY,
    MOST_PIECES,
    OrderAddress,
    OrderMessage,
    OrderMoney,
    OrderState,
    StoreOrder,
    StoreOrderHead,
    StoreOrderLine,
    UnreadOrder,
)

#: The statuses that a seller sets, by our names.
SET: Final = {
    OrderState.PAID: "PAID",
    OrderState.PACKED: "PACKED",
    OrderState.SHIPPED: "SHIPPED",
    OrderState.CANCELLED: "CANCELLED",
}
MOST_COLORS: Final = 100_000
_COMPLETENESS: Final = {theirs: ours for ours, theirs in COMPLETENESS.items()}
_BAD: Final = (KeyError, TypeError, ValueError, AttributeError)


class _Wrong(ValueError):
    """A value that is not what its place asks for."""


def read_heads(data: Any) -> list[StoreOrderHead | UnreadOrder]:
    """Return the orders of a list, those that cannot be read with the reason. Raises NoAnswer."""
    if data is None or data == {}:
        return []
    if not isinstance(data, list):
        raise NoAnswer("The marketplace sent no list of orders.")
    return [_head(row) for row in data]


def read_order(data: Any, items: Any) -> StoreOrder:
    """Return one order with its lines. Raises Unreadable with the reason."""
    try:
        payment = data.get("payment") or {}
        shipping = data.get("shipping") or {}
        status, paid = str(data["status"]), str(payment.get("status") or "")
        return StoreOrder(
            order_id=_whole(data, "order_id", least=1, most=LARGEST_ID),
            state=status_with_payment(status, paid),
            status=status,
            ordered_at=_moment(data, "date_ordered"),
            changed_at=_moment(data, "date_status_changed"),
            buyer=_text(data.get("buyer_name")),
            buyer_email=_text(data.get("buyer_email")),
            remarks=_text(data.get("remarks")),
            payment_status=paid,
            payment_method=_text(payment.get("method")),
            paid_at=instant(payment.get("date_paid")),
            shipping_method=_text(shipping.get("method")),
            tracking_number=_text(shipping.get("tracking_no")),
            address=_address(shipping.get("address") or {}),
            money=_money(data.get("cost") or {}),
            grams=_amount(data, "total_weight") or None,
            is_filed=data.get("is_filed") is True,
            lines=read_lines(items),
        )
    except _BAD as problem:
        raise Unreadable(_why(problem)) from problem


def read_lines(data: Any) -> tuple[StoreOrderLine, ...]:
    """Return the lines of all batches: items come as a list of lists. Raises Unreadable."""
    if data is None or data == {}:
        return ()
    if not isinstance(data, list):
        raise Unreadable("Its items are no list.")
    found: list[StoreOrderLine] = []
    for number, batch in enumerate(data):
        for row in batch if isinstance(batch, list) else [batch]:
            try:
                found.append(_line(row, number))
            except _BAD as problem:
                raise Unreadable(f"Item {len(found) + 1}: {_why(problem)}") from problem
    return tuple(found)


def read_messages(data: Any) -> list[OrderMessage]:
    """Return the messages of an order, as they were written."""
    return [
        OrderMessage(
            sent_at=instant(row.get("dateSent") or row.get("date_sent")),
            sender=_text(row.get("from")),
            subject=_text(row.get("subject")),
            text=_text(row.get("body")),
        )
        for row in (data if isinstance(data, list) else [])
        if isinstance(row, dict)
    ]


def _head(data: Any) -> StoreOrderHead | UnreadOrder:
    try:
        status = str(data["status"])
        paid = str((data.get("payment") or {}).get("status") or "")
        cost = data.get("cost") or {}
        return StoreOrderHead(
            order_id=_whole(data, "order_id", least=1, most=LARGEST_ID),
            state=status_with_payment(status, paid),
            status=status,
            changed_at=_moment(data, "date_status_changed"),
            payment_status=paid,
            pieces=_whole(data, "total_count"),
            lots=_whole(data, "unique_count"),
            is_filed=data.get("is_filed") is True,
            subtotal=_amount(cost, "subtotal") if cost.get("subtotal") else None,
        )
    except _BAD as problem:
        try:
            order_id = _whole(data, "order_id", least=1, most=LARGEST_ID)
        except _BAD:
            order_id = 0
        return UnreadOrder(order_id, _why(problem))


def _line(row: Any, batch: int) -> StoreOrderLine:
    item = row["item"]
    if row.get("quantity") is None:
        raise KeyError("quantity")
    return StoreOrderLine(
        lot_id=_whole(row, "inventory_id", most=LARGEST_ID) or None,
        item_type=str(item["type"]).upper(),
        number=str(item["no"]),
        name=_text(item.get("name")),
        color_id=_whole(row, "color_id", most=MOST_COLORS),
        color_name=_text(row.get("color_name")),
        condition=condition_of(str(row["new_or_used"])),
        completeness=_COMPLETENESS.get(str(row.get("completeness") or ""), ""),
        quantity=_whole(row, "quantity"),
        price=_amount(row, "unit_price_final", "unit_price"),
        batch=batch,
        comments=_text(row.get("description")),
        remarks=_text(row.get("remarks")),
        grams=_amount(row, "weight") or None,
    )


def _money(cost: Any) -> OrderMoney:
    return OrderMoney(
        currency=str(cost.get("currency_code") or ""),
        subtotal=_amount(cost, "subtotal"),
        shipping=_amount(cost, "shipping"),
        insurance=_amount(cost, "insurance"),
        fees=_amount(cost, "etc1") + _amount(cost, "etc2"),
        credit=_amount(cost, "credit") + _amount(cost, "coupon"),
        tax=_amount(cost, "salesTax_collected_by_BL"),
        vat=_amount(cost, "vat_amount"),
        total=_amount(cost, "final_total", "grand_total"),
    )


def _address(told: Any) -> OrderAddress:
    name = told.get("name")
    full = name.get("full") if isinstance(name, dict) else name
    parts = [told.get("address1"), told.get("address2")]
    parts.append(" ".join(str(told.get(key) or "") for key in ("postal_code", "city")).strip())
    parts.append(told.get("state"))
    lines = told.get("full") or "\n".join(str(part) for part in parts if part)
    return OrderAddress(
        name=_text(full), lines=_text(lines), country=_text(told.get("country_code"))
    )


def _text(value: Any) -> str:
    return "" if value is None else unescape(str(value))


def _whole(told: Any, name: str, *, least: int = 0, most: int = MOST_PIECES) -> int:
    """Return a whole number, 0 for none. Raises _Wrong for any other value or one out of bounds."""
    value = told.get(name)
    text = "0" if value in (None, "") else str(value)
    if not (text.isascii() and text.isdecimal() and least <= int(text[:20]) <= most):
        raise _Wrong(f"{name} is {_shown(value)}: expected a whole number from {least} to {most:,}")
    return int(text)


def _amount(told: Any, *names: str) -> Decimal:
    """Return the first amount that is present, 0 for none. Raises _Wrong."""
    for name in names:
        value = told.get(name)
        if not value:
            continue
        try:
            found = Decimal(str(value))
        except InvalidOperation:
            found = Decimal("NaN")
        if not found.is_finite() or abs(found) >= MOST_MONEY:
            raise _Wrong(f"{name} is {_shown(value)}: expected an amount")
        return found
    return Decimal()


def _moment(told: Any, name: str) -> dt.datetime:
    found = instant(told[name])
    if found is None:
        raise _Wrong(f"{name} is {_shown(told[name])}: expected a date and time")
    return found


def _shown(value: Any) -> str:
    return "missing" if value in (None, "") else f"“{str(value)[:30]}”"


def _why(problem: Exception) -> str:
    if isinstance(problem, KeyError):
        return f"{problem.args[0]} is missing."
    return f"{problem}." if isinstance(problem, _Wrong) else "It is not written as an order is."

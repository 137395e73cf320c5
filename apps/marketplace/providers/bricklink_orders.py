"""Orders in BrickLink's wire format. Pure."""

import datetime as dt
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from apps.marketplace.providers.base import NoAnswer
from apps.marketplace.providers.bricklink_lots import COMPLETENESS, instant
from apps.marketplace.providers.bricklink_wire import unescape
from apps.marketplace.providers.orders import (
    OrderAddress,
    OrderMessage,
    OrderMoney,
    OrderState,
    StoreOrder,
    StoreOrderHead,
    StoreOrderLine,
)

STATES: Final = {
    "PENDING": OrderState.NEW,
    "UPDATED": OrderState.NEW,
    "PROCESSING": OrderState.NEW,
    "READY": OrderState.NEW,
    "PAID": OrderState.PAID,
    "PACKED": OrderState.PACKED,
    "SHIPPED": OrderState.SHIPPED,
    "RECEIVED": OrderState.DONE,
    "COMPLETED": OrderState.DONE,
    "CANCELLED": OrderState.CANCELLED,
    "PURGED": OrderState.CANCELLED,
    "OCR": OrderState.PROBLEM,
    "NPB": OrderState.PROBLEM,
    "NPX": OrderState.PROBLEM,
    "NRS": OrderState.PROBLEM,
    "NSS": OrderState.PROBLEM,
}
PAID: Final = frozenset({"Received", "Completed"})
#: What a seller sets, by our word.
SET: Final = {
    OrderState.PAID: "PAID",
    OrderState.PACKED: "PACKED",
    OrderState.SHIPPED: "SHIPPED",
    OrderState.CANCELLED: "CANCELLED",
}
_COMPLETENESS: Final = {theirs: ours for ours, theirs in COMPLETENESS.items()}
_BAD: Final = (KeyError, TypeError, ValueError, AttributeError, InvalidOperation)


def state_of(status: str, payment: str) -> OrderState:
    """Return how far an order is; one that is paid for counts as paid whatever it is called.

    A word that BrickLink adds one day is a problem to look at, not a failure to read.
    """
    found = STATES.get(status.upper(), OrderState.PROBLEM)
    return OrderState.PAID if found == OrderState.NEW and payment in PAID else found


def read_heads(data: Any) -> list[StoreOrderHead]:
    """Return the orders of a list. Raises NoAnswer."""
    if data is None or data == {}:
        return []
    if not isinstance(data, list):
        raise NoAnswer("The marketplace sent no list of orders.")
    return [_head(row) for row in data]


def read_order(data: Any, items: Any) -> StoreOrder:
    """Return one order with its lines. Raises NoAnswer for what is none."""
    try:
        payment = data.get("payment") or {}
        shipping = data.get("shipping") or {}
        status, paid = str(data["status"]), str(payment.get("status") or "")
        return StoreOrder(
            order_id=int(data["order_id"]),
            state=state_of(status, paid),
            status=status,
            ordered_at=_needed(data["date_ordered"]),
            changed_at=_needed(data["date_status_changed"]),
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
            grams=_amount(data.get("total_weight")) or None,
            is_filed=data.get("is_filed") is True,
            lines=read_lines(items),
        )
    except _BAD as problem:
        raise NoAnswer("The marketplace sent an order that cannot be read.") from problem


def read_lines(data: Any) -> tuple[StoreOrderLine, ...]:
    """Return the lines of all batches: items come as a list of lists. Raises NoAnswer."""
    if data is None or data == {}:
        return ()
    if not isinstance(data, list):
        raise NoAnswer("The marketplace sent no list of items.")
    try:
        return tuple(
            _line(row, number)
            for number, batch in enumerate(data)
            for row in (batch if isinstance(batch, list) else [batch])
        )
    except _BAD as problem:
        raise NoAnswer("The marketplace sent an item that cannot be read.") from problem


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


def _head(data: Any) -> StoreOrderHead:
    try:
        status = str(data["status"])
        paid = str((data.get("payment") or {}).get("status") or "")
        return StoreOrderHead(
            order_id=int(data["order_id"]),
            state=state_of(status, paid),
            status=status,
            changed_at=_needed(data["date_status_changed"]),
            payment_status=paid,
            pieces=int(data.get("total_count") or 0),
            lots=int(data.get("unique_count") or 0),
            is_filed=data.get("is_filed") is True,
        )
    except _BAD as problem:
        raise NoAnswer("The marketplace sent an order that cannot be read.") from problem


def _line(row: Any, batch: int) -> StoreOrderLine:
    item = row["item"]
    lot_id = row.get("inventory_id")
    return StoreOrderLine(
        lot_id=int(lot_id) if lot_id else None,
        item_type=str(item["type"]).upper(),
        number=str(item["no"]),
        name=_text(item.get("name")),
        color_id=int(row.get("color_id") or 0),
        color_name=_text(row.get("color_name")),
        condition=str(row["new_or_used"]),
        completeness=_COMPLETENESS.get(str(row.get("completeness") or ""), ""),
        quantity=int(row["quantity"]),
        price=_amount(row.get("unit_price_final") or row.get("unit_price")),
        batch=batch,
        comments=_text(row.get("description")),
        remarks=_text(row.get("remarks")),
        grams=_amount(row.get("weight")) or None,
    )


def _money(cost: Any) -> OrderMoney:
    return OrderMoney(
        currency=str(cost.get("currency_code") or ""),
        subtotal=_amount(cost.get("subtotal")),
        shipping=_amount(cost.get("shipping")),
        insurance=_amount(cost.get("insurance")),
        fees=_amount(cost.get("etc1")) + _amount(cost.get("etc2")),
        credit=_amount(cost.get("credit")) + _amount(cost.get("coupon")),
        tax=_amount(cost.get("salesTax_collected_by_BL")),
        vat=_amount(cost.get("vat_amount")),
        total=_amount(cost.get("final_total") or cost.get("grand_total")),
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


def _amount(value: Any) -> Decimal:
    found = Decimal(str(value)) if value not in (None, "") else Decimal()
    if not found.is_finite():
        raise ValueError(value)
    return found


def _needed(value: Any) -> dt.datetime:
    found = instant(value)
    if found is None:
        raise ValueError(value)
    return found

"""Orders in BrickLink's wire format. Pure."""

from functools import partial
from typing import Any, Final

from apps.exchange.bsx_values import read_lot_id, read_quantity
from apps.exchange.conditions import condition_of
from apps.exchange.order_statuses import status_with_payment
from apps.marketplace.providers.answers import (
    WRONG,
    Answer,
    amount_from_0,
    flag,
    instant,
    moment,
    needed,
    text_of,
    type_of,
    whole,
    why_wrong,
)
from apps.marketplace.providers.base import NoAnswer, Unreadable
from apps.marketplace.providers.bricklink_lots import COMPLETENESS_HERE, color_of
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
_amount: Final = partial(amount_from_0, most=MOST_MONEY)
_id: Final = partial(whole, most=LARGEST_ID, read=read_lot_id)


def read_heads(data: object) -> list[StoreOrderHead | UnreadOrder]:
    """Return the orders of a list, those that cannot be read with the reason. Raises NoAnswer."""
    if data is None or data == {}:
        return []
    if not isinstance(data, list):
        raise NoAnswer("The marketplace sent no list of orders.")
    return [_head(row) for row in data]


def read_order(data: Answer, items: object) -> StoreOrder:
    """Return one order with its lines. Raises Unreadable with the reason."""
    try:
        payment = data.get("payment") or {}
        shipping = data.get("shipping") or {}
        status, paid = text_of(data["status"]), text_of(payment.get("status"))
        lines = read_lines(items)
        if not lines and (pieces := whole(data, "total_count", most=MOST_PIECES)):
            raise Unreadable(f"Its items were not sent: total_count is {pieces}.")
        return StoreOrder(
            order_id=_id(data, "order_id", least=1),
            state=status_with_payment(status, paid),
            status=status,
            ordered_at=moment(data, "date_ordered"),
            changed_at=moment(data, "date_status_changed"),
            buyer=text_of(data.get("buyer_name")),
            buyer_email=text_of(data.get("buyer_email")),
            remarks=text_of(data.get("remarks")),
            payment_status=paid,
            payment_method=text_of(payment.get("method")),
            paid_at=instant(payment, "date_paid"),
            shipping_method=text_of(shipping.get("method")),
            tracking_number=text_of(shipping.get("tracking_no")),
            address=_address(shipping.get("address") or {}),
            money=_money(data.get("cost") or {}),
            grams=_amount(data, "total_weight") or None,
            is_filed=flag(data, "is_filed"),
            lines=lines,
        )
    except WRONG as problem:
        raise Unreadable(why_wrong(problem)) from problem


def read_lines(data: object) -> tuple[StoreOrderLine, ...]:
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
            except WRONG as problem:
                raise Unreadable(f"Item {len(found) + 1}: {why_wrong(problem)}") from problem
    return tuple(found)


def read_messages(data: object) -> list[OrderMessage]:
    """Return the messages of an order, as they were written."""
    return [
        OrderMessage(
            sent_at=instant(row, "dateSent") or instant(row, "date_sent"),
            sender=text_of(row.get("from")),
            subject=text_of(row.get("subject")),
            text=text_of(row.get("body")),
        )
        for row in (data if isinstance(data, list) else [])
        if isinstance(row, dict)
    ]


def _head(data: Answer) -> StoreOrderHead | UnreadOrder:
    try:
        status = text_of(data["status"])
        paid = text_of((data.get("payment") or {}).get("status"))
        cost = data.get("cost") or {}
        return StoreOrderHead(
            order_id=_id(data, "order_id", least=1),
            state=status_with_payment(status, paid),
            status=status,
            changed_at=moment(data, "date_status_changed"),
            payment_status=paid,
            pieces=whole(data, "total_count", most=MOST_PIECES),
            lots=whole(data, "unique_count", most=MOST_PIECES),
            is_filed=flag(data, "is_filed"),
            subtotal=_amount(cost, "subtotal") if text_of(cost.get("subtotal")).strip() else None,
        )
    except WRONG as problem:
        try:
            order_id = _id(data, "order_id", least=1)
        except WRONG:
            order_id = 0
        return UnreadOrder(order_id, why_wrong(problem))


def _line(row: dict[str, Any], batch: int) -> StoreOrderLine:
    item = row["item"]
    item_type = type_of(item["type"])
    return StoreOrderLine(
        lot_id=_id(row, "inventory_id") or None,
        item_type=item_type,
        number=needed(item, "no"),
        name=text_of(item.get("name")),
        color_id=color_of(row, item_type),
        color_name=text_of(row.get("color_name")),
        condition=condition_of(text_of(row["new_or_used"])),
        completeness=COMPLETENESS_HERE.get(text_of(row.get("completeness")), ""),
        quantity=whole(row, "quantity", most=MOST_PIECES, read=read_quantity),
        price=_amount(row, "unit_price_final", "unit_price", is_needed=True),
        batch=batch,
        comments=text_of(row.get("description")),
        remarks=text_of(row.get("remarks")),
        grams=_amount(row, "weight") or None,
    )


def _money(cost: Answer) -> OrderMoney:
    return OrderMoney(
        currency=text_of(cost.get("currency_code")),
        subtotal=_amount(cost, "subtotal"),
        shipping=_amount(cost, "shipping"),
        insurance=_amount(cost, "insurance"),
        fees=_amount(cost, "etc1") + _amount(cost, "etc2"),
        credit=_amount(cost, "credit") + _amount(cost, "coupon"),
        tax=_amount(cost, "salesTax_collected_by_BL"),
        vat=_amount(cost, "vat_amount"),
        total=_amount(cost, "final_total", "grand_total"),
    )


def _address(told: dict[str, Any]) -> OrderAddress:
    name = told.get("name")
    full = name.get("full") if isinstance(name, dict) else name
    parts = [told.get("address1"), told.get("address2")]
    parts.append(" ".join(str(told.get(key) or "") for key in ("postal_code", "city")).strip())
    parts.append(told.get("state"))
    lines = told.get("full") or "\n".join(str(part) for part in parts if part)
    return OrderAddress(
        name=text_of(full), lines=text_of(lines), country=text_of(told.get("country_code"))
    )

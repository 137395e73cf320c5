"""Orders in BrickOwl's wire format. Pure.

Documented are the calls and the numbers of the states; the fields are those of answers that other
public clients recorded. Every value is a text, and times are Unix times.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from apps.exchange.bsx_values import read_quantity
from apps.exchange.colors import BRICKOWL
from apps.exchange.conditions import condition_of
from apps.exchange.order_statuses import OrderStatus as OrderState
from apps.exchange.order_statuses import read_status
from apps.marketplace.providers.answers import (
    WRONG,
    Answer,
    amount_from_0,
    needed,
    text_of,
    unix_time,
    whole,
    why_wrong,
)
from apps.marketplace.providers.base import NoAnswer, Unreadable
from apps.marketplace.providers.brickowl_wire import (
    COMPLETENESS_HERE,
    LOT_IDS,
    ORDER_IDS,
    UNKNOWN,
    Known,
    OwlColors,
    OwlItem,
    read_item,
)
from apps.marketplace.providers.known import IDS_OF_ONE
from apps.marketplace.providers.orders import (
    MOST_MONEY,
    MOST_PIECES,
    OrderAddress,
    OrderMoney,
    StoreOrder,
    StoreOrderHead,
    StoreOrderLine,
    UnreadOrder,
)

#: The states that a seller sets, by our names; an order is cancelled at BrickOwl alone.
SET: Final = {OrderState.PAID: "2", OrderState.PACKED: "4", OrderState.SHIPPED: "5"}
_amount: Final = partial(amount_from_0, most=MOST_MONEY)
_id: Final = partial(whole, least=1, most=IDS_OF_ONE)


def read_heads(data: object) -> list[StoreOrderHead | UnreadOrder]:
    """Return the orders of a list, those that cannot be read with the reason. Raises NoAnswer."""
    if data is None or data == {}:
        return []
    if not isinstance(data, list):
        raise NoAnswer("The marketplace sent no list of orders.")
    return [_head(row) for row in data]


def read_rows(data: object) -> list[dict[str, Any]]:
    """Return the items of an order as they were sent. Raises Unreadable for no list of them."""
    rows = [] if data is None or data == {} else data
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Unreadable("Its items are no list.")
    return rows


def lots_of(rows: list[dict[str, Any]]) -> set[int]:
    """Return our ids of the lots that items were taken from, but for those that cannot be read."""
    found = set()
    for row in rows:
        try:
            found.add(_lot_id(row))
        except WRONG:
            continue  # told when the item is read
    return {lot_id for lot_id in found if lot_id is not None}


def read_order(
    data: Answer,
    rows: list[dict[str, Any]],
    items: Mapping[str, OwlItem],
    colors: OwlColors,
    known: Known,
) -> StoreOrder:
    """Return one order with its lines. Raises Unreadable with the reason.

    `rows` are its items as they were sent, `items` those of the catalogue, `known` the stock.
    """
    lines = []
    for number, row in enumerate(rows, start=1):
        try:
            lines.append(_line(row, items, colors, known))
        except WRONG as problem:
            raise Unreadable(f"Item {number}: {why_wrong(problem)}") from problem
    try:
        pieces = whole(data, "total_quantity", most=MOST_PIECES)
        if pieces and not lines:
            raise Unreadable(f"Its items were not sent: total_quantity is {pieces}.")
        ordered_at = unix_time(data, "order_time")
        if ordered_at is None:
            raise KeyError("order_time")
        changed = (unix_time(data, name) for name in ("updated_time", "processed_time"))
        return StoreOrder(
            order_id=ORDER_IDS.ours(_id(data, "order_id")),
            state=_state(data),
            status=text_of(data["status"]),
            ordered_at=ordered_at,
            changed_at=next((moment for moment in changed if moment), ordered_at),
            buyer=text_of(data.get("customer_username")) or text_of(data.get("buyer_name")),
            buyer_email=text_of(data.get("customer_email")),
            remarks=text_of(data.get("buyer_note")),
            payment_method=text_of(data.get("payment_method_type")),
            shipping_method=text_of(data.get("ship_method_name")),
            tracking_number=text_of(data.get("tracking_number")),
            address=_address(data),
            money=_money(data),
            grams=_amount(data, "weight") or None,
            lines=tuple(lines),
        )
    except WRONG as problem:
        raise Unreadable(why_wrong(problem)) from problem


def _head(data: Answer) -> StoreOrderHead | UnreadOrder:
    try:
        return StoreOrderHead(
            order_id=ORDER_IDS.ours(_id(data, "order_id")),
            state=_state(data),
            status=text_of(data["status"]),
            changed_at=None,
            ordered_at=unix_time(data, "order_date"),
            payment_status="",
            pieces=whole(data, "total_quantity", most=MOST_PIECES),
            lots=whole(data, "total_lots", most=MOST_PIECES),
            is_filed=False,
            total=_amount(data, "base_order_total", is_needed=True),
        )
    except WRONG as problem:
        try:
            order_id = ORDER_IDS.ours(_id(data, "order_id"))
        except WRONG:
            order_id = 0
        return UnreadOrder(order_id, why_wrong(problem))


def _state(data: Answer) -> OrderState:
    state: OrderState | None = read_status(needed(data, "status"), site=BRICKOWL).value
    return state or OrderState.NEW  # its pieces are held until a person looks at it


def _lot_id(row: dict[str, Any]) -> int | None:
    theirs = whole(row, "lot_id", most=IDS_OF_ONE)
    return LOT_IDS.ours(theirs) if theirs else None


def _line(
    row: dict[str, Any], items: Mapping[str, OwlItem], colors: OwlColors, known: Known
) -> StoreOrderLine:
    lot_id = _lot_id(row)
    item = read_item(row, items, colors, known.get(lot_id or 0, UNKNOWN))
    written = text_of(row.get("full_con") or row["condition"])
    return StoreOrderLine(
        lot_id=lot_id,
        item_type=item.item_type,
        number=item.number,
        name=item.name or text_of(row.get("name")),
        color_id=item.color_id,
        color_name=item.color_name or text_of(row.get("color_name")),
        condition=condition_of(written),
        completeness=COMPLETENESS_HERE.get(written, ""),
        quantity=whole(row, "ordered_quantity", most=MOST_PIECES, read=read_quantity),
        price=_amount(row, "base_price", is_needed=True),
        comments=text_of(row.get("public_note")),
        remarks=text_of(row.get("personal_note")),
        grams=_amount(row, "weight") or None,
    )


def _money(data: Answer) -> OrderMoney:
    return OrderMoney(
        currency=text_of(data.get("base_currency")),
        subtotal=_amount(data, "sub_total"),
        shipping=_amount(data, "ship_total"),
        fees=_amount(data, "eu_duty"),
        credit=_amount(data, "coupon_discount"),
        tax=_amount(data, "tax_amount"),
        total=_amount(data, "base_order_total"),
    )


def _address(data: Answer) -> OrderAddress:
    def text(name: str) -> str:
        return text_of(data.get(f"ship_{name}")).strip()

    town = " ".join(filter(None, (text("post_code"), text("city"))))
    lines = (text("street_1"), text("street_2"), town, text("region"))
    return OrderAddress(
        name=" ".join(filter(None, (text("first_name"), text("last_name")))),
        lines="\n".join(filter(None, lines)),
        country=text("country_code"),
    )

"""The order endpoints: lists and items in the real API's format, and the changes of a seller."""

import re
from typing import Any

from simulators.store.endpoints import Call, endpoint
from simulators.store.inventories import escaped
from simulators.store.orders import PAYMENTS, escaped_in
from simulators.store.wire import Refusal

_OF_A_LIST = (
    "order_id",
    "date_ordered",
    "date_status_changed",
    "seller_name",
    "store_name",
    "buyer_name",
    "status",
    "total_count",
    "unique_count",
    "is_filed",
    "salesTax_collected_by_bl",
    "payment",
)
_SUMS = ("currency_code", "subtotal", "grand_total", "final_total")
_HIDDEN = ("batches", "messages")


@endpoint("GET", "/orders", query=("direction", "status", "filed"))
def list_orders(call: Call) -> Any:
    if call.query.get("direction", "in") not in {"in", "out"}:
        raise Refusal(400, "direction must be in or out")
    is_sale = call.query.get("direction", "in") == "in"
    call.seller.orders.welcome(call.seller.stock, call.now)
    words = [word for word in call.query.get("status", "").upper().split(",") if word]
    only = {word for word in words if not word.startswith("-")}
    without = {word[1:] for word in words if word.startswith("-")}
    is_filed = call.query.get("filed", "false") == "true"
    return [
        _told(call, {**{name: order[name] for name in _OF_A_LIST}, **_costs(order, _SUMS)})
        for order in call.seller.orders.all()
        if order["is_filed"] == is_filed
        and (order["seller_name"] == call.seller.name) == is_sale
        and order["status"] not in without
        and (not only or order["status"] in only)
    ]


@endpoint("GET", "/orders/<id>")
def one_order(call: Call) -> Any:
    order = call.seller.orders.get(_order_id(call))
    plain = {name: value for name, value in order.items() if name not in _HIDDEN}
    return _told(call, {**plain, **_costs(order, tuple(order["cost"]))})


@endpoint("GET", "/orders/<id>/items")
def items_of(call: Call) -> Any:
    order = call.seller.orders.get(_order_id(call))
    return _told(
        call,
        [
            [{name: value for name, value in line.items() if name != "lot"} for line in batch]
            for batch in order["batches"]
        ],
    )


@endpoint("GET", "/orders/<id>/messages")
def messages_of(call: Call) -> Any:
    return _told(call, call.seller.orders.get(_order_id(call))["messages"])


@endpoint(
    "PUT",
    "/orders/<id>",
    fields=(
        "remarks",
        "is_filed",
        "shipping.date_shipped",
        "shipping.tracking_no",
        "shipping.tracking_link",
        "shipping.method_id",
    ),
)
def change_order(call: Call) -> Any:
    body = call.body
    if not isinstance(body, dict):
        raise Refusal(400, "The body must be an order.")
    if not isinstance(body.get("is_filed", False), bool):
        raise Refusal(400, "is_filed must be true or false")
    number = body.get("shipping", {}).get("tracking_no", "")
    if not isinstance(number, str) or len(number) > 100:
        raise Refusal(400, "tracking_no is not a text of at most 100 characters")
    order_id = _order_id(call)
    call.seller.orders.change(order_id, call.now, body)
    return one_order(call)


@endpoint("PUT", "/orders/<id>/status", fields=("field", "value"), code=204)
def set_status(call: Call) -> Any:
    call.seller.orders.set_status(
        call.seller.stock, _order_id(call), _value(call, "status").upper(), call.now
    )
    return None


@endpoint("PUT", "/orders/<id>/payment_status", fields=("field", "value"), code=204)
def set_payment(call: Call) -> Any:
    value = _value(call, "payment_status")
    if value not in PAYMENTS:
        raise Refusal(400, f"Unknown payment status: {value}")
    call.seller.orders.change(_order_id(call), call.now, {"payment": {"status": value}})
    return None


def _value(call: Call, name: str) -> str:
    body = call.body
    if not isinstance(body, dict) or body.get("field") != name:
        raise Refusal(400, f"field must be {name}")
    if not isinstance(body.get("value"), str):
        raise Refusal(400, "value is missing")
    value: str = body["value"]
    return value


def _costs(order: Any, names: tuple[str, ...]) -> dict[str, Any]:
    cost = {name: order["cost"][name] for name in names}
    return {"cost": cost, "disp_cost": cost}


def _told(call: Call, value: Any) -> Any:
    return escaped_in(value, escaped, call.seller.stock.escapes)


def _order_id(call: Call) -> int:
    text = call.path["id"]
    if not re.fullmatch(r"\d{1,18}", text):
        raise Refusal(400, "order_id is not a number")
    return int(text)

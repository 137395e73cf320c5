"""The order endpoints: buyers take pieces of a seller's lots, who then sends what became of them.

The fields are those of recorded answers: every value is a text, and times are Unix times.
"""

import datetime as dt
import random
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulators.brickowl.catalogue import Catalogue
from simulators.brickowl.inventory import listed
from simulators.serving import clock
from simulators.store.orders import BUYERS, FIRST_BUYERS, Order
from simulators.store.sellers import Seller
from simulators.store.stock import Lot
from simulators.store.wire import Refusal

STATES = (
    "Pending",
    "Payment Submitted",
    "Payment Received",
    "Processing",
    "Processed",
    "Shipped",
    "Received",
    "On Hold",
    "Cancelled",
)
CANCELLED = STATES.index("Cancelled")
#: A seller sets all but the first and the last.
SETTABLE = range(1, CANCELLED)
MOST = 5_000
LIST = {"status", "order_time", "limit", "list_type", "sort_by"}
ONE = {"order_id"}
STATUS = {"order_id", "status_id"}
TRACKING = {"order_id", "tracking_id"}
NOTE = {"order_id", "note"}
SUCCESS = {"status": "success"}


def list_orders(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    """Return the orders of the store; the newest first, or those that changed last."""
    if query.get("list_type", "store") not in {"store", "customer"}:
        raise Refusal(400, "Invalid list_type")
    if query.get("sort_by", "created") not in {"created", "updated"}:
        raise Refusal(400, "Invalid sort_by")
    limit, since = _whole(query, "limit", 500), _whole(query, "order_time", 0)
    if not 1 <= limit <= MOST:
        raise Refusal(400, f"limit must be 1 to {MOST}")
    wanted = query.get("status")
    if wanted is not None and wanted not in {*STATES, *map(str, range(len(STATES)))}:
        raise Refusal(400, "Invalid status")
    if FIRST_BUYERS and not seller.orders.all():
        seed(seller, FIRST_BUYERS, clock())
    by = "updated_time" if query.get("sort_by") == "updated" else "order_time"
    found = [
        order
        for order in seller.orders.all()
        if int(order["order_time"]) >= since
        and wanted in {None, order["status"], order["status_id"]}
        and query.get("list_type") != "customer"
    ]
    found.sort(key=lambda order: (int(order[by]), order["order_id"]), reverse=True)
    return [
        {
            "order_id": str(order["order_id"]),
            "order_date": order["order_time"],
            **{name: order[name] for name in ("total_quantity", "total_lots", "base_order_total")},
            "status": order["status"],
            "status_id": order["status_id"],
        }
        for order in found[:limit]
    ]


def view(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    order = _order(seller, query)
    return {
        name: str(value) if name == "order_id" else value
        for name, value in order.items()
        if name != "items"
    }


def items(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    return [
        {name: value for name, value in item.items() if name != "lot"}
        for item in _order(seller, query)["items"]
    ]


def set_status(seller: Seller, form: dict[str, str], catalogue: Catalogue) -> Any:
    """Take the state that a seller sends; one that is cancelled stays so."""
    number = _whole(form, "status_id", -1)
    if number not in SETTABLE:
        raise Refusal(400, "Invalid status_id")
    order = _order(seller, form)
    if order["status_id"] == str(CANCELLED) or STATES[number] in seller.orders.refuses:
        raise Refusal(400, "The status of this order cannot be changed")
    _keep(seller, order, clock(), status=STATES[number], status_id=str(number))
    return SUCCESS


def tracking(seller: Seller, form: dict[str, str], catalogue: Catalogue) -> Any:
    if not form.get("tracking_id"):
        raise Refusal(400, "tracking_id is required")
    _keep(seller, _order(seller, form), clock(), tracking_number=form["tracking_id"])
    return SUCCESS


def note(seller: Seller, form: dict[str, str], catalogue: Catalogue) -> Any:
    _keep(seller, _order(seller, form), clock(), seller_note=form.get("note") or None)
    return SUCCESS


ENDPOINTS = {
    "order/list": ("GET", LIST, list_orders),
    "order/view": ("GET", ONE, view),
    "order/items": ("GET", ONE, items),
    "order/set_status": ("POST", STATUS, set_status),
    "order/tracking": ("POST", TRACKING, tracking),
    "order/note": ("POST", NOTE, note),
}


def place(
    seller: Seller,
    wanted: Mapping[int, int],
    *,
    now: dt.datetime,
    status_id: int = 2,
    buyer: int = 0,
) -> Order:
    """Let a buyer order pieces of lots, by their ids: all of them or none. Raises Refusal."""
    with seller.stock.lock:
        lots = [(seller.stock.get(lot_id), pieces) for lot_id, pieces in wanted.items()]
        for lot, pieces in lots:
            if not 0 < pieces <= lot["quantity"]:
                raise Refusal(400, f"The lot has {lot['quantity']} pieces")
        for lot, pieces in lots:
            seller.stock.sell(lot["inventory_id"], pieces)
    seconds = str(int(now.timestamp()))
    full, street, city, code, country = BUYERS[buyer % len(BUYERS)]
    first, _, last = full.rpartition(" ")
    lines = [_item(lot, pieces, number) for number, (lot, pieces) in enumerate(lots, start=1)]
    return seller.orders.put(
        _summed(
            {
                "order_id": seller.orders.next_id(),
                "order_time": seconds,
                "updated_time": seconds,
                "processed_time": None,
                "iso_order_time": now.isoformat(timespec="seconds"),
                "iso_processed_time": None,
                "store_id": "907",
                "ship_method_name": "Light Packet",
                "ship_method_id": "152381",
                "status": STATES[status_id],
                "status_id": str(status_id),
                "ship_total": "4.50",
                "eu_duty": "0.00",
                "buyer_note": "",
                "base_currency": seller.stock.currency,
                "payment_method_type": "stripe",
                "payment_currency": seller.stock.currency,
                "coupon_discount": "0.00",
                "tax_rate": "0",
                "tax_amount": "0",
                "tracking_number": None,
                "buyer_name": full,
                "combine_with": None,
                "refund_total": "0.00",
                "brickowl_fee": "0.113",
                "seller_note": None,
                "customer_email": f"buyer{buyer + 1}@example.com",
                "customer_username": f"buyer_{buyer + 1}",
                "message_count": "0",
                "ship_first_name": first,
                "ship_last_name": last,
                "ship_country_code": country,
                "ship_post_code": code,
                "ship_street_1": street,
                "ship_street_2": "",
                "ship_city": city,
                "ship_region": "",
                "items": lines,
            }
        )
    )


def cancel(seller: Seller, order_id: int, now: dt.datetime) -> Order:
    """Cancel an order as its buyer does; its pieces are for sale again where the store restocks."""
    order = seller.orders.get(order_id)
    if order["status_id"] == str(CANCELLED):
        return order
    for item in order["items"]:
        seller.orders.put_back(seller.stock, item["lot"], int(item["ordered_quantity"]))
    return _keep(seller, order, now, status=STATES[CANCELLED], status_id=str(CANCELLED))


def seed(seller: Seller, count: int, now: dt.datetime) -> list[Order]:
    """Place `count` orders. The same lots always give the same orders."""
    chance = random.Random(18)
    made = []
    for buyer in range(count):
        lots = [lot for lot in seller.stock.all() if lot["quantity"] and lot["for_sale"] == "1"]
        if not lots:
            break
        some = chance.sample(lots, min(len(lots), chance.randint(3, 6)))
        wanted = {lot["inventory_id"]: chance.randint(1, min(4, lot["quantity"])) for lot in some}
        made.append(place(seller, wanted, now=now, buyer=buyer))
    return made


def _item(lot: Lot, pieces: int, number: int) -> dict[str, Any]:
    told = listed(lot)
    color = lot["color_id"]
    return {
        "order_item_id": str(number),
        "image_small": "",
        "name": f"{lot['kind']} {lot['number']}",
        "type": lot["kind"],
        "color_name": "",
        "color_id": color or "0",
        "boid": told["boid"],
        "lot_id": told["lot_id"],
        "condition": told["con"],
        "full_con": told["full_con"],
        "ordered_quantity": str(pieces),
        "remaining_quantity": str(lot["quantity"] - pieces),
        "personal_note": lot["personal_note"],
        "public_note": lot["public_note"],
        "bl_lot_id": "0",
        "external_lot_ids": told["external_lot_ids"],
        "weight": "1.200",
        "base_price": told["final_price"],
        "lot": dict(lot),  # the lot at the time of the order, to restore it; never sent
    }


def _summed(order: Order) -> Order:
    lines = order["items"]
    pieces = sum(int(line["ordered_quantity"]) for line in lines)
    subtotal = sum(
        (Decimal(line["base_price"]) * int(line["ordered_quantity"]) for line in lines), Decimal()
    )
    total = subtotal + Decimal(order["ship_total"])
    return {
        **order,
        "sub_total": f"{subtotal:.2f}",
        "base_order_total": f"{total:.2f}",
        "payment_total": f"{total:.2f}",
        "total_quantity": str(pieces),
        "total_lots": str(len(lines)),
        "weight": f"{pieces * Decimal('1.2'):.3f}",
    }


def _order(seller: Seller, told: Mapping[str, str]) -> Order:
    order_id = _whole(told, "order_id", 0)
    try:
        return seller.orders.get(order_id)
    except Refusal:
        raise Refusal(404, "Invalid order_id") from None


def _keep(seller: Seller, order: Order, now: dt.datetime, **told: Any) -> Order:
    return seller.orders.put({**order, "updated_time": str(int(now.timestamp())), **told})


def _whole(told: Mapping[str, str], name: str, default: int) -> int:
    text = told.get(name)
    if text is None and default >= 0:
        return default
    if text is None or not text.isdecimal() or len(text) > 12:
        raise Refusal(400, f"{name} must be a whole number")
    return int(text)

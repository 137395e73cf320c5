"""The inventory endpoints: the fields that can be written, the refusals, the format of lots."""

import datetime as dt
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from simulators.store import catalogue
from simulators.store.endpoints import Call, endpoint
from simulators.store.stock import Lot
from simulators.store.wire import Refusal

MOST_IN_ONE = 500
LONGEST = 255
MISSING_TEXT = "String input must not be null"
TIERS = tuple(f"tier_{what}{n}" for n in (1, 2, 3) for what in ("quantity", "price"))
PLAIN = (
    "unit_price",
    "description",
    "remarks",
    "bulk",
    "is_retain",
    "is_stock_room",
    "stock_room_id",
    "my_cost",
    "sale_rate",
    *TIERS,
)
ONCE = ("item.no", "item.type", "color_id", "new_or_used", "completeness")


@endpoint("GET", "/inventories", query=("item_type", "status", "category_id", "color_id"))
def list_lots(call: Call) -> Any:
    stock = call.seller.stock
    if stock.is_closed:
        return []  # as the real one: a store on vacation reads as empty
    wanted = {
        "item_type": _filter(call.query.get("item_type", "").upper()),
        "color_id": _filter(call.query.get("color_id", "")),
        "status": _filter(call.query.get("status", "").upper()),
    }
    return [
        _told(lot, stock.escapes)
        for lot in stock.all()
        if wanted["item_type"](lot["item"]["type"])
        and wanted["color_id"](str(lot["color_id"]))
        and wanted["status"](_status(lot))
    ]


@endpoint("GET", "/inventories/<id>")
def one_lot(call: Call) -> Any:
    return _told(call.seller.stock.get(_lot_id(call)), call.seller.stock.escapes)


@endpoint("POST", "/inventories", fields=("quantity", *ONCE, *PLAIN), code=201)
def create_lots(call: Call) -> Any:
    stock = call.seller.stock
    if isinstance(call.body, dict):
        made = stock.add([created(call.body, call.now)])[0]
        return _told(made, stock.escapes)
    if not isinstance(call.body, list) or not 1 <= len(call.body) <= MOST_IN_ONE:
        raise Refusal(400, f"The body must be a lot, or 1 to {MOST_IN_ONE} of them.")
    rows: list[Lot] = []
    try:
        for body in call.body:
            if not isinstance(body, dict):
                raise Refusal(400, "A row is not a lot.")
            rows.append(created(body, call.now))
    except Refusal:
        if stock.refuses_in_part:
            stock.add(rows)
        raise
    stock.add(rows)
    return {}  # an array is answered without its lots: no ids


@endpoint("PUT", "/inventories/<id>", fields=("quantity", *PLAIN))
def change_lot(call: Call) -> Any:
    body = call.body
    if not isinstance(body, dict) or not isinstance(body.get("description"), str):
        raise Refusal(400, MISSING_TEXT)
    stock = call.seller.stock
    return _told(
        stock.change(_lot_id(call), lambda lot: _checked(_changed(lot, body))), stock.escapes
    )


@endpoint("DELETE", "/inventories/<id>", code=204)
def delete_lot(call: Call) -> Any:
    call.seller.stock.delete(_lot_id(call))
    return None


def _lot_id(call: Call) -> int:
    text = call.path["id"]
    if not re.fullmatch(r"\d{1,18}", text):
        raise Refusal(400, "inventory_id is not a number")
    return int(text)


def _filter(text: str) -> Any:
    """Return a test for a comma list; a leading minus excludes."""
    words = [word for word in text.split(",") if word]
    without = {word[1:] for word in words if word.startswith("-")}
    only = {word for word in words if not word.startswith("-")}
    return lambda value: value not in without and (not only or value in only)


def _status(lot: Lot) -> str:
    if lot["is_stock_room"]:
        return {"A": "S", "B": "B", "C": "C"}[lot["stock_room_id"]]
    return "Y" if lot["quantity"] else "N"


def created(body: Mapping[str, Any], now: dt.datetime) -> Lot:
    """Return the lot that a request describes. Raises Refusal."""
    item = body.get("item")
    if not isinstance(item, dict) or not all(
        isinstance(item.get(key), str) for key in ("no", "type")
    ):
        raise Refusal(400, "item.no or item.type is missing")
    known = catalogue.item(item["type"], item["no"])
    color_id = body.get("color_id", 0)
    color = catalogue.colours().get(color_id) if type(color_id) is int else None
    if color is None and color_id != 0:
        raise Refusal(400, f"Invalid color: {color_id}")
    quantity = body.get("quantity")
    if type(quantity) is not int or not 1 <= quantity <= 9_999_999:
        raise Refusal(400, "quantity is missing or not a number")
    if body.get("new_or_used") not in {"N", "U"}:
        raise Refusal(400, "new_or_used must be N or U")
    if "unit_price" not in body:
        raise Refusal(400, "unit_price is missing")
    lot: Lot = {
        "item": {**known, "name": f"{known['type'].title()} {known['no']}", "category_id": 5},
        "color_id": color_id,
        "color_name": color["color_name"] if color else "(Not Applicable)",
        "quantity": quantity,
        "new_or_used": body["new_or_used"],
        "unit_price": "0.0000",
        "bind_id": 0,
        "description": "",
        "remarks": "",
        "bulk": 1,
        "is_retain": False,
        "is_stock_room": False,
        "date_created": f"{now:%Y-%m-%dT%H:%M:%S}.000Z",
        "my_cost": "0.0000",
        "sale_rate": 0,
        **{name: "0.0000" if "price" in name else 0 for name in TIERS},
        "my_weight": "0.0000",
    }
    if known["type"] == "SET":
        if body.get("completeness") not in {"C", "B", "S"}:
            raise Refusal(400, "completeness must be C, B or S")
        lot["completeness"] = body["completeness"]
    elif "completeness" in body:
        raise Refusal(400, "completeness is for sets only")
    return _checked(_plain(lot, body))


def _changed(lot: Lot, body: Mapping[str, Any]) -> Lot:
    lot = _plain(lot, body)
    if "quantity" in body:
        delta = body["quantity"]
        if not isinstance(delta, str) or not re.fullmatch(r"[+-]\d{1,7}", delta):
            raise Refusal(400, "quantity must be a signed number: it is added")
        lot["quantity"] += int(delta)
    return lot


def _plain(lot: Lot, body: Mapping[str, Any]) -> Lot:
    """Return the lot with the fields that may be written at any time."""
    lot = dict(lot)
    given = [name for name in TIERS if name in body]
    if given and len(given) != len(TIERS):
        raise Refusal(400, "All six tier fields or none")
    for name in PLAIN:
        if name in body:
            lot[name] = _value(name, body[name])
    if not lot["is_stock_room"]:
        lot.pop("stock_room_id", None)
    elif lot.setdefault("stock_room_id", "A") not in {"A", "B", "C"}:
        raise Refusal(400, "stock_room_id must be A, B or C")
    return lot


def _value(name: str, value: Any) -> Any:
    if name in {"description", "remarks", "stock_room_id"}:
        if not isinstance(value, str) or len(value) > LONGEST:
            raise Refusal(400, f"{name} is not a text of at most {LONGEST} characters")
        return value
    if name in {"is_retain", "is_stock_room"}:
        if not isinstance(value, bool):
            raise Refusal(400, f"{name} must be true or false")
        return value
    if name in {"bulk", "sale_rate"} or name.startswith("tier_quantity"):
        if type(value) is not int or value < 0:
            raise Refusal(400, f"{name} must be a number")
        return value
    return _money(name, value)


def _money(name: str, value: Any) -> str:
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        raise Refusal(400, f"{name} must be a fixed point number") from None
    if not found.is_finite() or found < 0:
        raise Refusal(400, f"{name} must be a fixed point number")
    return f"{found:.4f}"


def _checked(lot: Lot) -> Lot:
    """Return the lot if the market sells such a one. Raises Refusal."""
    price = Decimal(lot["unit_price"])
    if price <= 0:
        raise Refusal(400, "unit_price must be more than 0")
    if lot["bulk"] < 1 or not 0 <= lot["sale_rate"] < 100:
        raise Refusal(400, "bulk must be at least 1 and sale_rate less than 100")
    if lot["quantity"] < 0:
        raise Refusal(400, "quantity would fall below 0")
    tiers = [(lot[f"tier_quantity{n}"], Decimal(lot[f"tier_price{n}"])) for n in (1, 2, 3)]
    used = [tier for tier in tiers if tier[0]]
    for (fewer, dearer), (more, cheaper) in zip([(0, price), *used], used, strict=False):
        if not (fewer < more and dearer > cheaper > 0):
            raise Refusal(400, "Tiers must rise in quantity and fall in price")
    return lot


def _told(lot: Lot, escapes: int) -> Lot:
    """Return a lot as answers hold it: texts escaped, as the real one does it."""
    told = {**lot, "item": dict(lot["item"])}
    for _ in range(escapes):
        told["description"] = escaped(told["description"])
        told["remarks"] = escaped(told["remarks"])
        told["item"]["name"] = escaped(told["item"]["name"])
    return told


def escaped(text: str) -> str:
    for sign, entity in {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        "(": "&#40;",
        ")": "&#41;",
    }.items():
        text = text.replace(sign, entity)
    return text

"""The inventory endpoints: the fields that may be written, their formats, and the answers."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from simulators.brickowl.catalogue import Catalogue, color_list
from simulators.store.sellers import Seller
from simulators.store.stock import Lot
from simulators.store.wire import Refusal

CONDITIONS = {
    *("new", "news", "newc", "newi"),
    *("usedc", "usedi", "usedn", "usedg", "useda", "other"),
}
FOR_SETS = {"news", "newc", "newi", "usedc", "usedi"}
CREATE = {"boid", "color_id", "quantity", "price", "condition", "external_id"}
IDENTIFIERS = {"lot_id", "external_id"}
UPDATE = {
    "absolute_quantity",
    "relative_quantity",
    "for_sale",
    "price",
    "sale_percent",
    "my_cost",
    "lot_weight",
    "personal_note",
    "public_note",
    "bulk_qty",
    "tier_price",
    "condition",
    "update_external_id_1",
}
LIST = {"type", "active_only", "external_id_1", "lot_id"}
SUCCESS = {"status": "success"}


def list_lots(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    """Return the lots; by default only those for sale with pieces."""
    if seller.stock.is_closed:
        return []
    only_active = _one_of(query, "active_only", {"0", "1"}, "1") == "1"
    wanted = {
        "kind": query.get("type"),
        "inventory_id": query.get("lot_id"),
        "external_id": query.get("external_id_1"),
    }
    return [
        listed(lot)
        for lot in seller.stock.all()
        if all(value is None or str(lot[name]) == value for name, value in wanted.items())
        and not (only_active and (lot["for_sale"] == "0" or lot["quantity"] == 0))
    ]


def create_lot(seller: Seller, form: dict[str, str], catalogue: Catalogue) -> Any:
    """Create a lot. It takes no texts; they follow with an update."""
    boid = _needed(form, "boid")
    kind, numbers = catalogue.get(boid)
    color = form.get("color_id")
    if color is None and kind == "Part":
        raise Refusal(400, "color_id is required for Parts")
    if color is not None and kind not in {"Part", "Gear", "Minibuild"}:
        raise Refusal(400, f"color_id is not allowed for {kind}")
    if color is not None and color not in color_list():
        raise Refusal(400, f"Invalid color_id: {color}")
    lot: Lot = {
        "boid": boid,
        "kind": kind,
        "number": numbers[0],
        "color_id": color or "",
        "quantity": _whole(_needed(form, "quantity"), "quantity", least=1),
        "is_retain": True,  # assumed: a lot that is sold out stays, with 0 pieces
        "price": _money(_needed(form, "price"), "price"),
        "condition": _condition(_needed(form, "condition"), kind),
        "external_id": form.get("external_id", ""),
        "for_sale": "1",
        "sale_percent": "0",
        "my_cost": None,
        "lot_weight": None,
        "personal_note": "",
        "public_note": "",
        "bulk_qty": None,
        "tier_price": "",
    }
    return {**SUCCESS, "lot_id": str(seller.stock.add([lot])[0]["inventory_id"])}


def update_lot(seller: Seller, form: dict[str, str], catalogue: Catalogue) -> Any:
    """Change a lot that is named by one identifier."""
    told = {name: value for name, value in form.items() if name not in IDENTIFIERS}
    if not told:
        raise Refusal(400, "At least one update field is required")
    if "absolute_quantity" in told and "relative_quantity" in told:
        raise Refusal(400, "Pass absolute_quantity or relative_quantity")
    seller.stock.change(_lot_id(seller, form), lambda lot: _changed(lot, told))
    return SUCCESS


def delete_lot(seller: Seller, form: dict[str, str], catalogue: Catalogue) -> Any:
    """Delete a lot that is named by one identifier."""
    seller.stock.delete(_lot_id(seller, form))
    return SUCCESS


def _lot_id(seller: Seller, form: dict[str, str]) -> int:
    named = [name for name in sorted(IDENTIFIERS) if name in form]
    if len(named) != 1:
        raise Refusal(400, "Pass one of lot_id and external_id")
    column = {"lot_id": "inventory_id", "external_id": "external_id"}[named[0]]
    found = [
        lot["inventory_id"] for lot in seller.stock.all() if str(lot[column]) == form[named[0]]
    ]
    if len(found) != 1:
        raise Refusal(400, "Invalid lot")  # assumed: 400, as for every wrong value
    return int(found[0])


def _changed(lot: Lot, told: dict[str, str]) -> Lot:
    lot = dict(lot)
    for name, value in told.items():
        if name == "absolute_quantity":
            lot["quantity"] = _whole(value, name, least=0)
        elif name == "relative_quantity":
            lot["quantity"] += _whole(value, name, least=-9_999_999)
            if lot["quantity"] < 0:
                raise Refusal(400, "relative_quantity takes more than there is")
        elif name == "for_sale":
            lot[name] = _one_of(told, name, {"0", "1"}, "1")
        elif name in {"price", "my_cost", "lot_weight"}:
            lot[name] = _money(value, name)
        elif name == "sale_percent":
            if not -95 <= _whole(value, name, least=-95) <= 95:
                raise Refusal(400, "sale_percent must be from -95 to 95")
            lot[name] = value
        elif name == "bulk_qty":
            lot[name] = str(_whole(value, name, least=2))
        elif name == "tier_price":
            lot[name] = "" if value == "remove" else _tiers(value)
        elif name == "condition":
            lot[name] = _condition(value, lot["kind"])
        elif name == "update_external_id_1":
            lot["external_id"] = value
        else:
            lot[name] = value
    return lot


def listed(lot: Lot) -> dict[str, Any]:
    """Return a lot as the real one lists it: every value is text."""
    base = Decimal(lot["price"])
    final = base * (100 - int(lot["sale_percent"])) / 100
    color = lot["color_id"]
    return {
        "lot_id": str(lot["inventory_id"]),
        "boid": f"{lot['boid']}-{color}" if color else lot["boid"],
        "type": lot["kind"],
        "con": "new" if lot["condition"].startswith("new") else "used",
        "full_con": lot["condition"],
        "qty": str(lot["quantity"]),
        "price": f"{final:.3f}",
        "base_price": lot["price"],
        "final_price": f"{final:.3f}",
        "sale_percent": lot["sale_percent"],
        "for_sale": lot["for_sale"],
        "bulk_qty": lot["bulk_qty"],
        "my_cost": lot["my_cost"],
        "lot_weight": lot["lot_weight"],
        "personal_note": lot["personal_note"],
        "public_note": lot["public_note"],
        "tier_price": [row.split(":") for row in lot["tier_price"].split(",") if row],
        # An empty one is answered as a list.
        "external_lot_ids": {"other": lot["external_id"]} if lot["external_id"] else [],
    }


def _needed(form: dict[str, str], name: str) -> str:
    if not form.get(name):
        raise Refusal(400, f"{name} is required")
    return form[name]


def _one_of(form: dict[str, str], name: str, allowed: set[str], default: str) -> str:
    value = form.get(name, default)
    if value not in allowed:
        raise Refusal(400, f"{name} must be one of {', '.join(sorted(allowed))}")
    return value


def _whole(text: str, name: str, *, least: int) -> int:
    if not re.fullmatch(r"[+-]?\d{1,7}", text) or int(text) < least:
        raise Refusal(400, f"{name} must be a whole number of at least {least}")
    return int(text)


def _money(text: str, name: str) -> str:
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal(-1)
    if not value.is_finite() or not 0 < value < 1_000_000:
        raise Refusal(400, f"{name} must be a positive number")
    return f"{value:.3f}"


def _tiers(text: str) -> str:
    rows = text.split(",")
    if len(rows) > 3 or not all(re.fullmatch(r"\d{1,6}:\d+(\.\d+)?", row) for row in rows):
        raise Refusal(400, "tier_price must be up to three of quantity:price")
    return text


def _condition(text: str, kind: str) -> str:
    if text not in CONDITIONS or (kind != "Set" and text in FOR_SETS):
        raise Refusal(400, f"Invalid condition: {text}")
    return text

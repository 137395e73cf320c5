"""Calls and answers in the marketplace's documented shape, typed anew; titles and ids are ours.

The same examples are played against the client and against the demo store, so that neither
drifts from the other unseen.
"""

TIERS = {f"tier_quantity{n}": 0 for n in (1, 2, 3)} | {
    f"tier_price{n}": "0.0000" for n in (1, 2, 3)
}
NEW_PART = {
    "item": {"no": "3001", "type": "PART"},
    "color_id": 5,
    "quantity": 12,
    "unit_price": "0.1234",
    "new_or_used": "U",
    "description": 'Small scratch (see photo) & "clean"',
    "remarks": "A12",
    "bulk": 1,
    "is_retain": False,
    "is_stock_room": True,
    "stock_room_id": "A",
    "my_cost": "0.0300",
    "sale_rate": 0,
    **TIERS,
}
NEW_SET = {
    **NEW_PART,
    "item": {"no": "7644-1", "type": "SET"},
    "color_id": 0,
    "quantity": 1,
    "unit_price": "89.0000",
    "completeness": "B",
}
CHANGE = {"quantity": "-2", "unit_price": "0.1100", "description": "", "remarks": "A12"}
CREATED = {
    "inventory_id": 400_000_001,
    "item": {"no": "3001", "name": "Brick 2 x 4", "type": "PART", "category_id": 5},
    "color_id": 5,
    "color_name": "Red",
    "quantity": 12,
    "new_or_used": "U",
    "unit_price": "0.1234",
    "bind_id": 0,
    "description": "Small scratch &#40;see photo&#41; &amp; &quot;clean&quot;",
    "remarks": "A12",
    "bulk": 1,
    "is_retain": False,
    "is_stock_room": True,
    "date_created": "2026-11-21T12:00:00.000Z",
    "my_cost": "0.0300",
    "sale_rate": 0,
    **TIERS,
    "my_weight": "0.0000",
    "stock_room_id": "A",
}
CREATED_SET = {
    **CREATED,
    "inventory_id": 400_000_002,
    "item": {"no": "7644-1", "name": "Aircraft", "type": "SET", "category_id": 34},
    "color_id": 0,
    "color_name": "(Not Applicable)",
    "quantity": 1,
    "unit_price": "89.0000",
    "completeness": "B",
}


def ok(code, data=None):
    """An answer that went well."""
    message = {200: "OK", 201: "OK_CREATED", 204: "OK_NO_CONTENT"}[code]
    meta = {"description": message, "message": message, "code": code}
    return {"meta": meta} if data is None else {"meta": meta, "data": data}


def bad(code, message, description):
    """An answer that says no."""
    return {"meta": {"description": description, "message": message, "code": code}}


NO_DESCRIPTION = bad(400, "PARAMETER_MISSING_OR_INVALID", "String input must not be null")
UNKNOWN_FIELD = bad(
    400, "PARAMETER_MISSING_OR_INVALID", "Unparseable value or field: [item.categoryID.]"
)
NOT_FOUND = bad(404, "RESOURCE_NOT_FOUND", "The resource you requested does not exist.")
NO_SUFFIX = bad(400, "PARAMETER_MISSING_OR_INVALID", "Invalid item sequence number: null")
# What is sent: method, path, body -> the answer.
PLAYED = [
    ("POST", "/inventories", NEW_PART, ok(201, CREATED)),
    ("POST", "/inventories", [NEW_PART, NEW_SET], ok(201, {})),
    ("GET", "/inventories", None, ok(200, [CREATED, CREATED_SET])),
    ("GET", "/inventories?item_type=SET", None, ok(200, [CREATED_SET])),
    ("GET", "/inventories/400000001", None, ok(200, CREATED)),
    (
        "PUT",
        "/inventories/400000001",
        CHANGE,
        ok(200, {**CREATED, "quantity": 10, "unit_price": "0.1100", "description": ""}),
    ),
    ("DELETE", "/inventories/400000001", None, ok(204)),
    ("PUT", "/inventories/400000001", {"quantity": "+1"}, NO_DESCRIPTION),
    (
        "POST",
        "/inventories",
        {**NEW_PART, "item": {**NEW_PART["item"], "categoryID": 5}},
        UNKNOWN_FIELD,
    ),
    ("GET", "/inventories/999", None, NOT_FOUND),
    ("POST", "/inventories", {**NEW_SET, "item": {"no": "7644", "type": "SET"}}, NO_SUFFIX),
]

"""Where a walk leads: stops in the natural order of bins, what each tray gets there."""

from collections.abc import Collection
from typing import Any

from apps.catalog.selectors.faces import item_image
from apps.inventory.models import InventoryItem, Promise
from apps.orders.models import OrderLine, PickWalk, WalkOrder

Row = dict[str, Any]


def stops_of(*, walk: PickWalk) -> list[Row]:
    """Return the stops that are left, by bin in natural order, those without a bin last. 2 queries."""
    trays = dict(WalkOrder.objects.filter(walk=walk).values_list("order_id", "tray"))
    return stops_for(owner_id=walk.owner_id, trays=trays)


def stops_for(*, owner_id: int, trays: dict[int, str]) -> list[Row]:
    """Return the stops of orders, each with its tray. 2 queries."""
    lines = {
        row["id"]: row
        for row in OrderLine.objects.filter(order_id__in=trays).values(
            "id", "order_id", "order__number", "remarks", "comments"
        )
    }
    found: dict[int, Row] = {}
    for one in _promises(owner_id, lines):
        stop = found.get(one["item_id"])
        if stop is None:
            stop = found[one["item_id"]] = _stop(one)
        line = lines[one["line_id"]]
        stop["quantity"] += one["quantity"]
        stop["trays"].append(
            {
                "line_id": line["id"],
                "order_id": line["order_id"],
                "order_number": line["order__number"],
                "tray": trays[line["order_id"]],
                "quantity": one["quantity"],
            }
        )
    for stop in found.values():
        stop["trays"].sort(key=lambda each: (len(each["tray"]), each["tray"], each["line_id"]))
    return list(found.values())


_ITEM = (
    "lot_id",
    "lot__item__item_type",
    "lot__item__number",
    "lot__item__name",
    "lot__item__image_url",
    "lot__item__origin",
    "lot__item__face",
    "lot__color_id",
    "lot__color__name",
    "lot__color__rgb",
    "raw_item_number",
    "raw_item_name",
    "raw_color_name",
    "condition",
    "quantity",
    "location_id",
    "location__name",
)


def _promises(owner_id: int, line_ids: Collection[int]) -> Any:
    rows = Promise.objects.filter(owner_id=owner_id, line_id__in=line_ids)
    return rows.order_by("item__location__sort_key", "item_id", "line_id").values(
        "line_id", "quantity", "item_id", *(f"item__{name}" for name in _ITEM)
    )


def _stop(one: Row) -> Row:
    def of(name: str) -> Any:
        return one[f"item__{name}"]

    image = ""
    if of("lot_id") is not None:
        image = (
            item_image(
                of("lot__item__item_type"),
                of("lot__item__number"),
                of("lot__item__image_url"),
                of("lot__item__origin"),
                of("lot__item__face"),
                of("lot__color_id"),
                of("lot__color__rgb"),
            )
            or ""
        )
    rgb = of("lot__color__rgb")
    return {
        "item_id": one["item_id"],
        "location_id": of("location_id"),
        "location_name": of("location__name") or "",
        "item_number": of("lot__item__number") or of("raw_item_number"),
        "item_name": of("lot__item__name") or of("raw_item_name"),
        "color_name": of("lot__color__name") or of("raw_color_name"),
        "color_html": f"#{rgb}" if rgb else "",
        "condition": of("condition"),
        "image_url": image,
        "in_bin": of("quantity"),
        "quantity": 0,
        "trays": [],
    }


def others_of(*, owner: Any, item_id: int) -> list[Row]:
    """Return the other rows of the same lot and condition that have free pieces. 2 queries."""
    row = InventoryItem.objects.owned_by(owner).filter(pk=item_id).first()
    if row is None or row.lot_id is None:
        return []
    others = (
        InventoryItem.objects.owned_by(owner)
        .filter(lot_id=row.lot_id, condition=row.condition, sub_condition=row.sub_condition)
        .exclude(pk=item_id)
        .with_free()
        .filter(free__gt=0)
        .order_by("location__sort_key", "pk")
    )
    return [
        {"item_id": pk, "location_name": name or "", "free": free}
        for pk, name, free in others.values_list("pk", "location__name", "free")[:20]
    ]

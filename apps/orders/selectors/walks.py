"""The stops of a walk in the natural order of bins, and the pieces for each tray."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db.models import F, QuerySet

from apps.catalog.selectors.faces import LOT_FACE, item_image
from apps.inventory.models import FREE, InventoryItem, Promise
from apps.orders.models import OrderLine, OrderState, PickWalk, WalkOrder

Row = dict[str, Any]
Kind = tuple[Any, ...]  # the lot, the condition and the sub-condition of a row
MOST_OTHERS: Final = 3


def stops_of(*, walk: PickWalk) -> list[Row]:
    """Return the stops that are left, by bin in natural order, those without a bin last."""
    orders = WalkOrder.objects.filter(walk=walk).exclude(order__state=OrderState.PROBLEM)
    trays = dict(orders.values_list("order_id", "tray"))
    return stops_for(owner_id=walk.owner_id, trays=trays)


def stops_for(*, owner_id: int, trays: dict[int, str]) -> list[Row]:
    """Return the stops of orders, each with its tray and the other bins that could serve."""
    lines = {
        row["id"]: row
        for row in _lines_of(trays).order_by("pk").values("id", "order_id", "order__number")
    }
    found: dict[int, Row] = {}
    kinds: dict[int, Kind] = {}
    for one in _promises(owner_id, trays):
        stop = found.get(one["item_id"])
        if stop is None:
            stop = found[one["item_id"]] = _stop(one)
            if one["item__lot_id"] is not None:
                kinds[one["item_id"]] = _kind_of(one)
        line = lines[one["line_id"]]
        stop["quantity"] += one["quantity"]
        if one["is_out"]:
            stop["in_bin"] += one["quantity"]  # they lie beside what the stock counts
        if stop["trays"] and stop["trays"][-1]["line_id"] == line["id"]:
            stop["trays"][-1]["quantity"] += one["quantity"]  # counted pieces, and uncounted ones
            continue
        stop["trays"].append(
            {
                "line_id": line["id"],
                "order_id": line["order_id"],
                "order_number": line["order__number"],
                "tray": trays[line["order_id"]],
                "quantity": one["quantity"],
            }
        )
    others = _others_of(owner_id, trays, kinds)
    for pk, stop in found.items():
        stop["others"] = others.get(pk, [])
        stop["trays"].sort(key=lambda each: (len(each["tray"]), each["tray"], each["line_id"]))
    return list(found.values())


_ITEM = (
    "lot_id",
    *LOT_FACE,
    "raw_item_number",
    "raw_item_name",
    "raw_color_name",
    "condition",
    "sub_condition",
    "quantity",
    "location_id",
    "location__name",
)


def _lines_of(order_ids: Collection[int]) -> QuerySet[OrderLine]:
    return OrderLine.objects.filter(order_id__in=order_ids).order_by()


def _promises(owner_id: int, order_ids: Collection[int]) -> Any:
    # The lines are named by their orders: thousands of ids take longer to send than to find.
    rows = Promise.objects.filter(owner_id=owner_id, line_id__in=_lines_of(order_ids).values("pk"))
    return rows.order_by("item__location__sort_key", "item_id", "line_id").values(
        "line_id", "quantity", "is_out", "item_id", *(f"item__{name}" for name in _ITEM)
    )


def _kind_of(one: Row) -> Kind:
    return one["item__lot_id"], one["item__condition"], one["item__sub_condition"]


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
        "others": [],
    }


def _others_of(
    owner_id: int, order_ids: Collection[int], kinds: Mapping[int, Kind]
) -> dict[int, list[Row]]:
    """Return by stop the other rows of its lot and condition with free pieces."""
    lots = Promise.objects.filter(
        owner_id=owner_id, line_id__in=_lines_of(order_ids).values("pk")
    ).order_by()
    rows = InventoryItem.objects.filter(
        owner_id=owner_id, lot_id__in=lots.values("item__lot_id"), quantity__gt=F("promised")
    ).order_by("location__sort_key", "pk")
    by_kind: dict[Kind, list[Row]] = defaultdict(list)
    for pk, name, free, *kind in rows.annotate(n=FREE).values_list(
        "pk", "location__name", "n", "lot_id", "condition", "sub_condition"
    ):
        by_kind[tuple(kind)].append({"item_id": pk, "location_name": name or "", "free": free})
    return {
        pk: [row for row in by_kind[kind] if row["item_id"] != pk][:MOST_OTHERS]
        for pk, kind in kinds.items()
        if kind in by_kind
    }

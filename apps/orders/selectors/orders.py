"""Orders as lists show them: sums of their lines, what the bins cannot serve, what waits."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from apps.catalog.selectors.faces import item_image
from apps.inventory.models import Promise
from apps.orders.models import OPEN_STATES, Order, OrderEvent, OrderLine, OrderState, WalkOrder

Row = dict[str, Any]
#: Days after which an order that was paid and not sent is overdue.
OVERDUE_DAYS: Final = 3


def sums_of(order_ids: Collection[int]) -> dict[int, Row]:
    """Return by order its pieces, what waits, and what nothing in stock serves. 4 queries."""
    found: dict[int, Row] = {
        pk: {
            "lots": 0,
            "pieces": 0,
            "picked": 0,
            "short": 0,
            "to_pick": 0,
            "lacking": 0,
            "differences": 0,
            "walk_id": None,
            "tray": "",
        }
        for pk in order_ids
    }
    lines = OrderLine.objects.filter(order_id__in=order_ids)
    line_orders = {}
    for pk, order_id, quantity, picked, short in lines.values_list(
        "pk", "order_id", "quantity", "picked", "short"
    ):
        row = found[order_id]
        row["lots"] += quantity > 0
        row["pieces"] += quantity
        row["picked"] += picked
        row["short"] += short
        row["to_pick"] += max(quantity - picked - short, 0)
        line_orders[pk] = order_id
    promised: dict[int, int] = defaultdict(int)
    held = Promise.objects.filter(line_id__in=line_orders).values_list("line_id", "quantity")
    for line_id, pieces in held:
        promised[line_orders[line_id]] += pieces
    events = OrderEvent.objects.filter(
        order_id__in=order_ids, is_difference=True, seen_at=None
    ).order_by()
    for order_id, n in (
        events.values("order_id").annotate(n=Count("pk")).values_list("order_id", "n")
    ):
        found[order_id]["differences"] = n
    walks = WalkOrder.objects.filter(order_id__in=order_ids, is_open=True)
    for order_id, walk_id, tray in walks.values_list("order_id", "walk_id", "tray"):
        found[order_id] |= {"walk_id": walk_id, "tray": tray}
    for pk, row in found.items():
        row["lacking"] = max(row["to_pick"] - promised[pk], 0)
    return found


def lines_of(*, order: Order) -> list[Row]:
    """Return the lines of an order with pictures and the bins that serve them. 2 queries."""
    places: dict[int, list[Row]] = defaultdict(list)
    held: dict[int, int] = defaultdict(int)
    rows = OrderLine.objects.filter(order=order).order_by("pk")
    ids = list(rows.values_list("pk", flat=True))
    promises = Promise.objects.filter(line_id__in=ids).order_by("item__location__sort_key", "pk")
    for line_id, item_id, quantity, name in promises.values_list(
        "line_id", "item_id", "quantity", "item__location__name"
    ):
        held[line_id] += quantity
        places[line_id].append(
            {"item_id": item_id, "location_name": name or "", "quantity": quantity}
        )
    found = []
    columns = (
        "id",
        "lot_id",
        "marketplace_lot_id",
        "item_type",
        "item_number",
        "item_name",
        "color_id",
        "color_name",
        "condition",
        "sub_condition",
        "quantity",
        "price",
        "remarks",
        "comments",
        "piece_grams",
        "picked",
        "short",
        "short_reason",
        "returned",
        "is_checked",
    )
    faces = ("number", "name", "item_type", "image_url", "origin", "face", "weight_grams")
    for row in rows.values(*columns, "lot__color__rgb", *(f"lot__item__{name}" for name in faces)):
        face = {name: row.pop(f"lot__item__{name}") for name in faces}
        rgb = row.pop("lot__color__rgb")
        image = None
        if row["lot_id"] is not None:
            image = item_image(
                face["item_type"],
                face["number"],
                face["image_url"],
                face["origin"],
                face["face"],
                row["color_id"],
                rgb,
            )
        waiting = max(row["quantity"] - row["picked"] - row["short"], 0)
        row |= {
            "image_url": image or "",
            "item_name": face["name"] or row["item_name"],
            "color_html": f"#{rgb}" if rgb else "",
            "piece_grams": face["weight_grams"] or row["piece_grams"],
            "to_pick": waiting,
            "lacking": max(waiting - held[row["id"]], 0),
            "places": places[row["id"]],
        }
        found.append(row)
    return found


def waiting_of(*, owner: Any, now: dt.datetime) -> Row:
    """Return how many orders wait for what, for Home. 2 queries."""
    overdue = Q(
        state__in=(OrderState.PAID, OrderState.PICKED, OrderState.PACKED),
        ordered_at__lt=now - dt.timedelta(days=OVERDUE_DAYS),
    )
    orders = Order.objects.owned_by(owner)
    counts: Row = orders.aggregate(
        to_pick=Count("pk", filter=Q(state=OrderState.PAID)),
        to_pack=Count("pk", filter=Q(state=OrderState.PICKED)),
        to_ship=Count("pk", filter=Q(state=OrderState.PACKED)),
        overdue=Count("pk", filter=overdue),
        open=Count("pk", filter=Q(state__in=OPEN_STATES)),
        total=Count("pk"),
    )
    lines = OrderLine.objects.filter(
        owner=owner, order__state=OrderState.PAID, quantity__gt=F("picked") + F("short")
    )
    pieces = lines.aggregate(n=Coalesce(Sum(F("quantity") - F("picked") - F("short")), 0))
    counts["pieces_to_pick"] = pieces["n"]
    return counts


def searched(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Narrow orders down to those that a text names: number, buyer, address, an item of it."""
    for word in text.split()[:8]:
        rows = rows.filter(
            Q(number__icontains=word)
            | Q(buyer__icontains=word)
            | Q(address_name__icontains=word)
            | Q(tracking_number__icontains=word)
            | Q(lines__item_number__iexact=word)
        ).distinct()
    return rows

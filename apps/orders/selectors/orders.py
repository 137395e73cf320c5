"""Orders for lists: sums of their lines, missing pieces, and counts of open work."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any, Final

from django.db.models import Count, DecimalField, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.catalog.selectors.faces import item_image
from apps.inventory.models import Promise
from apps.orders.models import (
    GONE_STATES,
    IN_HAND,
    OPEN_STATES,
    Order,
    OrderEvent,
    OrderLine,
    OrderState,
    WalkOrder,
)

Row = dict[str, Any]
#: Days after which an order that was paid and not sent is overdue.
OVERDUE_DAYS: Final = 3
#: Until it is packed, an order can share a parcel with others of its buyer.
COMBINABLE_STATES: Final = (OrderState.NEW, OrderState.PAID, OrderState.PICKED)
_SAME_BUYER: Final = ("channel", "currency", "buyer", "address_name", "address", "country")
GRAMS: Final[DecimalField[Any, Any]] = DecimalField(max_digits=14, decimal_places=4)


def sums_of(order_ids: Collection[int]) -> dict[int, Row]:
    """Return by order its pieces, the pieces to pick, and the pieces that the stock lacks."""
    found: dict[int, Row] = {
        pk: {
            "lots": 0,
            "pieces": 0,
            "picked": 0,
            "short": 0,
            "to_pick": 0,
            "lacking": 0,
            "expected_grams": None,
            "pieces_without_weight": 0,
            "differences": 0,
            "walk_id": None,
            "tray": "",
        }
        for pk in order_ids
    }
    lines = OrderLine.objects.filter(order_id__in=order_ids)
    line_orders = {}
    grams = Coalesce("lot__item__weight_grams", "piece_grams", output_field=GRAMS)
    for pk, order_id, state, quantity, picked, short, returned, weight in lines.values_list(
        "pk", "order_id", "order__state", "quantity", "picked", "short", "returned", grams
    ):
        row = found[order_id]
        row["lots"] += quantity > 0
        row["pieces"] += quantity
        row["picked"] += picked
        row["short"] += short
        row["to_pick"] += _waiting(state, quantity, picked, short)
        # The pieces in the parcel or, before picking, those that will be in it.
        sent = max(quantity - short - returned, 0)
        if weight is None:
            row["pieces_without_weight"] += sent
        else:
            row["expected_grams"] = (row["expected_grams"] or Decimal()) + weight * sent
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
    # A picked order remains in its tray until it is packed.
    in_trays = Q(is_open=True) | Q(order__state=OrderState.PICKED)
    walks = WalkOrder.objects.filter(in_trays, order_id__in=order_ids).order_by("pk")
    for order_id, walk_id, tray, is_open in walks.values_list(
        "order_id", "walk_id", "tray", "is_open"
    ):
        found[order_id] |= {"walk_id": walk_id if is_open else None, "tray": tray}
    for pk, row in found.items():
        if row["expected_grams"] is not None:
            row["expected_grams"] = row["expected_grams"].quantize(Decimal("0.01"))
        row["lacking"] = max(row["to_pick"] - promised[pk], 0)
    return found


def _waiting(state: str, quantity: int, picked: int, short: int) -> int:
    """Return the pieces of a line that are still to be picked, 0 if the order is not open."""
    return max(quantity - picked - short, 0) if state in OPEN_STATES else 0


def lines_of(*, order: Order) -> list[Row]:
    """Return the lines of an order with pictures and the bins that serve them."""
    return lines_of_many(orders=[order])[order.pk]


_LINE_COLUMNS: Final = (
    "id",
    "order_id",
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
_FACE: Final = ("number", "name", "item_type", "image_url", "origin", "face", "weight_grams")


def lines_of_many(*, orders: Sequence[Order]) -> dict[int, list[Row]]:
    """Return the lines of each order by its id, as `lines_of` does."""
    states = {order.pk: order.state for order in orders}
    lines = OrderLine.objects.filter(order_id__in=states)
    places = _places_of(lines)
    found: dict[int, list[Row]] = {pk: [] for pk in states}
    beside = ("lot__color__rgb", *(f"lot__item__{name}" for name in _FACE))
    for row in lines.order_by("pk").values(*_LINE_COLUMNS, *beside):
        order_id = row.pop("order_id")
        face = {name: row.pop(f"lot__item__{name}") for name in _FACE}
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
        here = list(places[row["id"]].values())
        waiting = _waiting(states[order_id], row["quantity"], row["picked"], row["short"])
        row |= {
            "image_url": image or "",
            "item_name": face["name"] or row["item_name"],
            "color_html": f"#{rgb}" if rgb else "",
            "piece_grams": face["weight_grams"] or row["piece_grams"],
            "to_pick": waiting,
            "lacking": max(waiting - sum(place["quantity"] for place in here), 0),
            "places": here,
        }
        found[order_id].append(row)
    return found


def _places_of(lines: QuerySet[OrderLine]) -> defaultdict[int, dict[int, Row]]:
    """Return by line and row of stock the pieces that it was promised, in the order of bins."""
    found: defaultdict[int, dict[int, Row]] = defaultdict(dict)
    promises = Promise.objects.filter(line_id__in=lines.values("pk"))
    for line_id, item_id, quantity, name in promises.order_by(
        "item__location__sort_key", "pk"
    ).values_list("line_id", "item_id", "quantity", "item__location__name"):
        none = {"item_id": item_id, "location_name": name or "", "quantity": 0}
        found[line_id].setdefault(item_id, none)["quantity"] += quantity
    return found


def parcels_of(orders: Sequence[Order]) -> list[list[Order]]:
    """Return the orders by parcel, each with all orders that are sent in it, the first one first."""
    heads = {order.parcel_id or order.pk for order in orders}
    together = Order.objects.filter(Q(pk__in=heads) | Q(parcel_id__in=heads)).order_by("pk")
    found: dict[int, list[Order]] = defaultdict(list)
    for order in together.exclude(state__in=GONE_STATES):
        found[order.parcel_id or order.pk].append(order)
    for order in orders:
        if order.state in GONE_STATES:
            found[-order.pk] = [order]
    return [
        found.pop(key)
        for order in orders
        for key in (-order.pk, order.parcel_id or order.pk)
        if key in found
    ]


def same_buyer(order: Order) -> QuerySet[Order]:
    """Return the other orders of the same buyer and address that are not packed yet."""
    if order.state not in COMBINABLE_STATES or not (order.buyer or order.address_name):
        return Order.objects.none()
    same = {name: getattr(order, name) for name in _SAME_BUYER}
    others = Order.objects.filter(owner=order.owner_id, state__in=COMBINABLE_STATES, **same)
    return others.exclude(pk=order.pk).order_by("ordered_at", "pk")


def sender_of(order: Order) -> int | None:
    """Return the id of who marked an order as shipped last; None where a marketplace did."""
    rows = OrderEvent.objects.filter(order=order, kind="shipped").order_by("-pk")
    return rows.values_list("by", flat=True).first()


def waiting_of(*, owner: User, now: dt.datetime) -> Row:
    """Return the number of orders waiting for each step, and the next order."""
    counts = open_counts(owner=owner, now=now)
    counts["pickable"] = pickable(owner=owner).count()
    orders = Order.objects.owned_by(owner)
    for name, state in (("next_to_pack", OrderState.PICKED), ("next_to_ship", OrderState.PACKED)):
        first = orders.filter(state=state).order_by("ordered_at", "pk")
        counts[name] = first.values_list("pk", flat=True).first()
    return counts


def open_counts(*, owner: User, now: dt.datetime) -> Row:
    """Return the number of orders waiting for each step, for Home."""
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


def pickable(*, owner: User) -> QuerySet[Order]:
    """Return the paid orders that have promised pieces and are in no walk, the oldest first."""
    promised = Promise.objects.filter(
        line_id__in=OrderLine.objects.filter(order=OuterRef(OuterRef("pk"))).values("pk")
    )
    in_walk = WalkOrder.objects.filter(order=OuterRef("pk"), is_open=True)
    rows = Order.objects.owned_by(owner).filter(Exists(promised), ~Exists(in_walk))
    return rows.filter(state=OrderState.PAID).order_by("ordered_at", "pk")


def in_tray(rows: QuerySet[Any], tray: str) -> QuerySet[Any]:
    """Filter orders by tray: those being picked into it, and those picked but not packed."""
    lies_there = Q(walks__is_open=True) | Q(state=OrderState.PICKED)
    return rows.filter(lies_there, walks__tray__iexact=tray).distinct()


def searched(
    rows: QuerySet[Any], text: str, *, owner: User, hides_buyers: bool = False
) -> QuerySet[Any]:
    """Narrow the owner's orders down to those that a text names: number, buyer, address, an item.

    With `hides_buyers` an order that is no longer in hand is not found by its buyer.
    """
    in_hand = Q(state__in=IN_HAND) if hides_buyers else Q()
    for word in text.split()[:8]:
        # Joined, PostgreSQL reads the lines of all owners.
        lines = OrderLine.objects.owned_by(owner).filter(item_number__iexact=word).order_by()
        rows = rows.filter(
            Q(number__icontains=word)
            | (Q(buyer__icontains=word) | Q(address_name__icontains=word)) & in_hand
            | Q(tracking_number__icontains=word)
            | Q(pk__in=lines.values("order"))
        )
    return rows

"""Papers as PDF: packing slips, pick lists, address labels and the cards of the trays."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from apps.accounts.models import User
from apps.catalog.rules.images import digest_of
from apps.core.errors import NotFound
from apps.inventory.models import InventoryItem
from apps.locations.rules.label_layouts import LAYOUTS, places
from apps.locations.services.labels import Print, print_cards
from apps.orders.models import Order, PickWalk, WalkOrder
from apps.orders.providers.paper_pdf import (
    Document,
    labels_pdf,
    pages_pdf,
    picture,
    side_by_side,
    table,
    text,
)
from apps.orders.rules.papers import Tongue, slip_money, tongue_of_buyer
from apps.orders.rules.states import CARDS, tray_name
from apps.orders.selectors.orders import lines_of_many, parcels_of, sums_of
from apps.orders.selectors.walks import stops_for
from apps.pictures.services.coloring import printed_pictures

MOST_ORDERS: Final = 200
_ROLL: Final = LAYOUTS["roll_62"]
_SUMS: Final = ("shipping", "insurance", "fees", "credit", "tax", "vat")
#: What the buyer did not pay.
_SIGNS: Final = {"credit": -1}


def orders_for(*, owner: User, order_ids: Sequence[int]) -> list[Order]:
    """Return the named orders in that order. Raises NotFound."""
    found = Order.objects.owned_by(owner).in_bulk(order_ids)
    if any(pk not in found for pk in order_ids):
        raise NotFound
    return [found[pk] for pk in dict.fromkeys(order_ids)]


def orders_of_walk(*, owner: User, walk_id: int) -> list[Order]:
    """Return the orders of a walk by tray. Raises NotFound."""
    if not PickWalk.objects.owned_by(owner).filter(pk=walk_id).exists():
        raise NotFound
    rows = WalkOrder.objects.filter(walk_id=walk_id).order_by("pk").select_related("order")
    return [row.order for row in rows]


@dataclass(frozen=True, slots=True)
class Seller:
    """The sender that packing slips name."""

    name: str
    address: str = ""
    vat_id: str = ""


def packing_slips(
    *, orders: Sequence[Order], seller: Seller, tongue: Tongue, zone: ZoneInfo
) -> bytes:
    """Return a packing slip for each parcel, on pages of its own, in its buyer's language.

    `tongue` is the seller's: of the paper, and where the buyer's country is not named.
    """
    parcels = parcels_of(orders)
    together = [order for parcel in parcels for order in parcel]
    sums = sums_of([order.pk for order in together])
    lines = lines_of_many(orders=together)
    documents = []
    for parcel in parcels:
        order = _as_one(parcel)
        theirs = tongue_of_buyer(order.country, ours=tongue)
        all_lines = [line for one in parcel for line in lines[one.pk]]
        weights = _weights([sums[one.pk] for one in parcel])
        slip = _slip(order, all_lines, weights, seller, theirs, zone)
        documents.append(Document(slip, f"{order.number} – {theirs.words['page']} {{page}}"))
    return pages_pdf(documents, title=tongue.words["packing_slip"], is_letter=tongue.is_letter)


def _as_one(parcel: Sequence[Order]) -> Order:
    """Return an order that stands for all of a parcel: their numbers and sums. It is not saved."""
    if len(parcel) == 1:
        return parcel[0]
    one = copy(parcel[0])
    one.number = ", ".join(order.number for order in parcel)
    for name in ("subtotal", "total", "refunded", *_SUMS):
        setattr(one, name, sum((getattr(order, name) for order in parcel), Decimal()))
    return one


def _weights(sums: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    grams = [one["expected_grams"] for one in sums if one["expected_grams"] is not None]
    return {
        "expected_grams": sum(grams, Decimal()) if grams else None,
        "pieces_without_weight": sum(one["pieces_without_weight"] for one in sums),
    }


def _ordered(order: Order, tongue: Tongue, zone: ZoneInfo) -> str:
    if not order.is_dated:
        return ""
    return tongue.day(order.ordered_on or order.ordered_at.astimezone(zone))


def _slip(
    order: Order,
    lines: Sequence[dict[str, Any]],
    sums: dict[str, Any],
    seller: Seller,
    tongue: Tongue,
    zone: ZoneInfo,
) -> list[Any]:
    words = tongue.words
    facts = [
        (words["order"], order.number),
        (words["ordered"], _ordered(order, tongue, zone)),
        (words["method"], order.shipping_method),
        (words["tracking"], order.tracking_number),
        (words["payment"], order.payment_method),
    ]
    sent = [(line, line["quantity"] - line["short"]) for line in lines if line["quantity"]]
    rows = [
        [
            text(tongue.count(pieces), 11, bold=True, right=True),
            text(f"{line['item_name']}\n{line['item_number']}"),
            text(line["color_name"]),
            text(words.get(line["condition"], line["condition"])),
            text(tongue.money(line["price"], order.currency), right=True),
            text(tongue.money(line["price"] * pieces, order.currency), right=True),
        ]
        for line, pieces in sent
        if pieces > 0
    ]
    head = [
        text(words["qty"], 8, right=True),
        *(text(words[name], 8) for name in ("item", "color", "condition")),
        *(text(words[name], 8, right=True) for name in ("each", "sum")),
    ]
    missing = [
        f"{tongue.count(line['short'])} × {line['item_name']} {line['color_name']}: "
        f"{tongue.money(line['price'] * line['short'], order.currency)}"
        for line in lines
        if line["short"]
    ]
    money = slip_money(
        subtotal=order.subtotal,
        total=order.total,
        refunded=order.refunded,
        sent=sum((line["price"] * max(pieces, 0) for line, pieces in sent), Decimal()),
        missing=sum((line["price"] * line["short"] for line in lines), Decimal()),
    )
    made = [
        *head_of(seller, words, title=f"{words['packing_slip']} {order.number}"),
        side_by_side(
            [
                [text(words["ship_to"], 8), text(address_of(order), 11)],
                [text(f"{name}: {value}") for name, value in facts if value],
            ],
            (95, 85),
        ),
        text(" ", 6),
        table(head, rows, (16, 78, 34, 18, 17, 17)),
        text(" ", 4),
    ]
    pieces = sum(count for _, count in sent)
    totals = [f"{words['pieces']}: {tongue.count(pieces)}"]
    if sums["expected_grams"] and not sums["pieces_without_weight"]:
        totals.append(f"{words['weight']}: {tongue.weight(sums['expected_grams'])}")
    parts = [(words["sum"], money.sent)]
    parts += [(words[name], _SIGNS.get(name, 1) * getattr(order, name)) for name in _SUMS]
    parts.append((words["refunded"], -money.refunded))
    totals += [f"{name}: {tongue.money(value, order.currency)}" for name, value in parts if value]
    made += [text(line, right=True) for line in totals]
    total = f"{words['total']}: {tongue.money(money.total, order.currency)}"
    made.append(text(total, 11, bold=True, right=True))
    if missing:
        made.append(text(words["short"], bold=True))
        made += [text(line) for line in missing]
    made += [text(" ", 6), text(words["thanks"])]
    return made


def head_of(seller: Seller, words: Mapping[str, str], *, title: str) -> list[Any]:
    """Return the head of slips and invoices: the seller, as far as he is named, and the title."""
    vat_id = f"{words['vat_id']}: {seller.vat_id}" if seller.vat_id else ""
    return [
        text(seller.name, 10),
        *(text(line, 8) for line in (seller.address, vat_id) if line),
        text(title, 16, bold=True),
        text(" ", 6),
    ]


def pick_list(
    *, orders: Sequence[Order], trays: dict[int, str] | None, owner: User, tongue: Tongue
) -> bytes:
    """Return the bins to go to in their natural order, with pictures and trays.

    Trays are those of the walk, else by the order of `orders`.
    """
    named = trays or {order.pk: tray_name(place) for place, order in enumerate(orders)}
    stops = stops_for(owner_id=owner.pk, trays=named)
    faces = dict(
        InventoryItem.objects.filter(pk__in=[stop["item_id"] for stop in stops])
        .exclude(lot=None)
        .values_list("pk", "lot__item__face")
    )
    colors = dict(InventoryItem.objects.filter(pk__in=faces).values_list("pk", "lot__color_id"))
    wanted = {pk: (digest_of(face), colors[pk] or 0) for pk, face in faces.items() if face}
    drawn = printed_pictures(set(wanted.values()))
    words = tongue.words
    rows = [
        [
            text(stop["location_name"] or words["no_bin"], 13, bold=True),
            picture(drawn.get(wanted[stop["item_id"]]) if stop["item_id"] in wanted else None),
            text(f"{stop['item_name']}\n{stop['item_number']}"),
            text(f"{stop['color_name']}\n{words.get(stop['condition'], stop['condition'])}"),
            text(
                "\n".join(
                    f"{tongue.count(one['quantity'])} → {one['tray']}" for one in stop["trays"]
                ),
                12,
                bold=True,
            ),
            text("☐", 14),
        ]
        for stop in stops
    ]
    head: list[Any] = [
        text(words["bin"], 8),
        "",
        *(text(words[name], 8) for name in ("item", "color", "tray", "taken")),
    ]
    titles = [f"{named[order.pk]}: {order.number}" for order in orders if order.pk in named]
    document = [
        text(words["pick_list"], 16, bold=True),
        text(f"{words['tray']} {', '.join(titles)}"),
        text(" ", 6),
        table(head, rows, (40, 14, 56, 32, 24, 14)),
    ]
    return pages_pdf(
        [Document(document, f"{words['page']} {{page}}")],
        title=words["pick_list"],
        is_letter=tongue.is_letter,
    )


def trays_of(*, walk_id: int) -> dict[int, str]:
    """Return the tray of each order of a walk."""
    return dict(WalkOrder.objects.filter(walk_id=walk_id).values_list("order_id", "tray"))


def address_labels(*, orders: Sequence[Order], layout: str, start: int = 1) -> bytes:
    """Return an address label for each parcel on paper of a layout; on a roll where it is too small."""
    orders = [parcel[0] for parcel in parcels_of(orders)]
    paper = LAYOUTS[layout]
    if not paper.takes_addresses:
        paper, start = _ROLL, 1
    wide, high = paper.width or 0, paper.height
    label = (paper.label_width or wide, paper.label_height)
    return labels_pdf(
        [
            (place.page, wide, high, place.left, place.top, *label, address_of(order))
            for place, order in zip(places(paper, len(orders), start=start), orders, strict=True)
        ]
    )


def tray_cards(*, layout: str) -> bytes:
    """Return the cards of the trays A to H: a letter to read from afar, and its code."""
    names = [tray_name(place) for place in range(CARDS)]
    return print_cards(cards=[(name, f"TRAY:{name}") for name in names], how=Print(layout=layout))


def address_of(order: Order) -> str:
    """Return whom a parcel goes to, line by line."""
    lines = [order.address_name or order.buyer, order.address, order.country]
    return "\n".join(line for line in lines if line).strip() or order.number

"""One search over everything a person has: parts with their bins, bins, batches, sets, sources."""

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypedDict

from django.db.models import (
    Case,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.batches.models import Batch
from apps.catalog.models import Color, Item
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.catalog.selectors import SearchHit, search_items
from apps.catalog.selectors.faces import item_image
from apps.core.natural import natural_key
from apps.inventory.models import InventoryItem
from apps.locations.models import Location
from apps.orders.models import IS_OPEN, Order, OrderLine, OrderState
from apps.orders.selectors.orders import searched
from apps.sets.models import OPEN_STATES, SetRequirement, SetState, UserSet
from apps.sources.models import Source

MOST_HITS: Final = 8
MOST_PARTS: Final = 8
COLORS_OF_THE_BEST: Final = 5  # of an item that is typed without a colour
MOST_BINS: Final = 4
MOST_ELSEWHERE: Final = 4
MOST_WORDS: Final = 8


@dataclass(slots=True)
class _Held:
    """The pieces in stock of an item in a colour, by bin: (id or None, name) -> pieces.

    `fullest` is the row with the most pieces: (pieces, id).
    """

    lot_id: int
    color_id: int
    bins: dict[tuple[int | None, str], int] = field(default_factory=dict)
    fullest: tuple[int, int] = (0, 0)

    @property
    def pieces(self) -> int:
        return sum(self.bins.values())


class FoundBin(TypedDict):
    location_id: Annotated[int | None, "null: in no bin"]
    name: str
    pieces: int


class FoundPart(TypedDict):
    """An item in a colour that is in stock, or an item that is not."""

    item_id: Annotated[int | None, "null: not in the catalogue"]
    lot_id: int | None
    row_id: Annotated[int | None, "of its row in stock with the most pieces"]
    item_type: str
    item_number: str
    item_name: str
    color_id: int | None
    color_name: str
    color_html: str
    image_url: str | None
    pieces: Annotated[int, "in stock"]
    bins: Annotated[list[FoundBin], "at most 4, the fullest first"]
    more_bins: Annotated[int, "bins that are not among `bins`"]


class FoundLocation(TypedDict):
    id: int
    name: str
    pieces: int
    most_pieces: Annotated[int | None, "null: no limit"]


class FoundBatch(TypedDict):
    id: int
    name: str
    is_archived: bool
    createdAt: dt.datetime


class FoundSet(TypedDict):
    id: int
    number: str
    name: str
    state: SetState
    lacks: Annotated[int, "pieces of the best part that it still needs"]


class FoundSource(TypedDict):
    id: int
    name: str


class FoundOrder(TypedDict):
    id: int
    number: str
    state: OrderState
    buyer: str


class FindRow(TypedDict):
    orders: list[FoundOrder]
    parts: list[FoundPart]
    locations: list[FoundLocation]
    batches: list[FoundBatch]
    sets: list[FoundSet]
    sources: list[FoundSource]


def find(*, user: User, text: str, hides_buyers: bool = False) -> FindRow:
    """Return what `text` finds, best first: of the best part, the orders and sets with it, too.

    A part is an item in a colour with its pieces in stock and its fullest bins; of an item that
    is not in stock, the item. At most 8 parts and 4 of each other kind; as many queries for many
    rows as for few.
    """
    words = text.split()[:MOST_WORDS]
    if not words:
        return {
            "orders": [],
            "parts": [],
            "locations": [],
            "batches": [],
            "sets": [],
            "sources": [],
        }
    hits = search_items(text, person=user, limit=MOST_HITS).hits
    parts = _parts(user, hits)
    best = hits[0] if hits else None
    return {
        "orders": _orders(user, text, best, hides_buyers),
        "parts": (parts + _unknown(user, words))[:MOST_PARTS],
        "locations": _locations(user, text.strip()),
        "batches": _batches(user, words),
        "sets": _sets(user, words, best),
        "sources": _sources(user, words),
    }


def _parts(user: User, hits: list[SearchHit]) -> list[FoundPart]:
    stock = (
        InventoryItem.objects.owned_by(user)
        .in_stock()
        .filter(lot__item_id__in=[hit.id for hit in hits])
        .order_by()
        .values_list(
            "pk",
            "quantity",
            "lot__item_id",
            "lot_id",
            "lot__color_id",
            "location_id",
            "location__name",
        )
    )
    of_item: dict[int, dict[int, _Held]] = defaultdict(dict)
    for pk, pieces, item_id, lot_id, color_id, location_id, name in stock:
        held = of_item[item_id].setdefault(lot_id, _Held(lot_id, color_id))
        place = (location_id, name or "")
        held.bins[place] = held.bins.get(place, 0) + pieces
        held.fullest = max(held.fullest, (pieces, pk))
    shown: list[tuple[SearchHit, _Held | None]] = []
    for rank, hit in enumerate(hits):
        lots = [one for one in of_item[hit.id].values() if hit.color_id in (None, one.color_id)]
        lots.sort(key=lambda one: (-one.pieces, one.color_id))
        most = COLORS_OF_THE_BEST if rank == 0 else 1
        shown += [(hit, held) for held in lots[:most]] or [(hit, None)]
    shown = shown[:MOST_PARTS]
    color_ids = {held.color_id if held else hit.color_id for hit, held in shown}
    colors = Color.objects.in_bulk([pk for pk in color_ids if pk])
    items = Item.objects.in_bulk([hit.id for hit, _ in shown])
    return [_part(hit, held, items[hit.id], colors) for hit, held in shown]


def _part(hit: SearchHit, held: _Held | None, item: Item, colors: dict[int, Color]) -> FoundPart:
    color = colors.get((held.color_id if held else hit.color_id) or 0)
    bins = held.bins if held else {}
    picture = (item.item_type, item.number, item.image_url, item.origin, item.face)
    paint = (color.pk, color.rgb) if color else ()
    fullest = sorted(bins.items(), key=lambda one: (-one[1], natural_key(one[0][1])))
    return {
        "item_id": hit.id,
        "lot_id": held.lot_id if held else None,
        "row_id": held.fullest[1] if held else None,
        "item_type": hit.item_type,
        "item_number": hit.number,
        "item_name": hit.name,
        "color_id": color.pk if color else None,
        "color_name": color.name if color else "",
        "color_html": f"#{color.rgb}" if color and color.rgb else "",
        "image_url": item_image(*picture, *paint),
        "pieces": held.pieces if held else 0,
        "bins": [
            {"location_id": pk, "name": name, "pieces": pieces}
            for (pk, name), pieces in fullest[:MOST_BINS]
        ],
        "more_bins": max(0, len(fullest) - MOST_BINS),
    }


def _unknown(user: User, words: list[str]) -> list[FoundPart]:
    """Return lots of the stock that are not in the catalogue."""
    rows = InventoryItem.objects.owned_by(user).in_stock().filter(lot=None)
    for word in words:
        rows = rows.filter(
            Q(raw_item_number__istartswith=word)
            | Q(raw_item_name__icontains=word)
            | Q(raw_color_name__icontains=word)
        )
    return [
        {
            "item_id": None,
            "lot_id": None,
            "row_id": row.pk,
            "item_type": TYPE_OF_LETTER.get(row.raw_item_type, ""),
            "item_number": row.raw_item_number,
            "item_name": row.raw_item_name,
            "color_id": None,
            "color_name": row.raw_color_name,
            "color_html": "",
            "image_url": None,
            "pieces": row.quantity,
            "bins": [
                {
                    "location_id": row.location_id,
                    "name": row.location.name if row.location else "",
                    "pieces": row.quantity,
                }
            ],
            "more_bins": 0,
        }
        for row in rows.select_related("location").order_by("-quantity", "pk")[:MOST_ELSEWHERE]
    ]


def _locations(user: User, text: str) -> list[FoundLocation]:
    """Return bins by name or code: the one of that name first, then those that begin so."""
    rows: Any = (
        Location.objects.owned_by(user)
        .filter(Q(name__icontains=text) | Q(code__iexact=text))
        .annotate(
            way=Case(
                When(Q(name__iexact=text) | Q(code__iexact=text), then=Value(0)),
                When(name__istartswith=text, then=Value(1)),
                default=Value(2),
                output_field=IntegerField(),
            )
        )
        .order_by("way", "sort_key", "pk")
        .values("id", "name", pieces=F("item_count"), most_pieces=F("max_item_count"))
    )
    return list(rows[:MOST_ELSEWHERE])


def _batches(user: User, words: list[str]) -> list[FoundBatch]:
    rows: Any = Batch.objects.owned_by(user).ready()
    for word in words:
        rows = rows.filter(name__icontains=word)
    rows = rows.order_by("is_archived", "-created_at", "-pk")
    return list(
        rows.values("id", "name", "is_archived", createdAt=F("created_at"))[:MOST_ELSEWHERE]
    )


def _of_part(best: SearchHit | None) -> Q:
    """Return the condition of a row with the lots of a part; none is 0."""
    if best is None or best.color_id is None:
        return Q(lot__item=best.id if best else 0)
    return Q(lot__item=best.id, lot__color=best.color_id)


def _orders(user: User, text: str, best: SearchHit | None, hides_buyers: bool) -> list[FoundOrder]:
    """Return orders by number, buyer or tracking number, then open ones with the part."""
    orders = Order.objects.owned_by(user)
    lines = OrderLine.objects.owned_by(user).filter(_of_part(best)).order_by()
    named = searched(orders, text, owner=user, hides_buyers=hides_buyers).order_by().values("pk")
    rows: Any = orders.filter(
        Q(pk__in=named) | Q(IS_OPEN, pk__in=lines.values("order")),
    ).annotate(
        is_named=Case(
            When(pk__in=named, then=Value(0)), default=Value(1), output_field=IntegerField()
        )
    )
    return [
        {"id": pk, "number": number, "state": state, "buyer": name or buyer}
        for pk, number, state, name, buyer in rows.order_by(
            "is_named", "-ordered_at", "-pk"
        ).values_list("pk", "number", "state", "address_name", "buyer")[:MOST_ELSEWHERE]
    ]


def _sets(user: User, words: list[str], best: SearchHit | None) -> list[FoundSet]:
    """Return sets by number and name, then open ones that lack the part."""
    needs = SetRequirement.objects.filter(
        _of_part(best),
        user_set=OuterRef("pk"),
        user_set__state__in=OPEN_STATES,
        quantity_on_hand__lt=F("quantity_required"),
    ).order_by()
    lacks: Any = needs.values("user_set").annotate(
        n=Sum(F("quantity_required") - F("quantity_on_hand"))
    )
    named = Q()
    for word in words:
        named &= Q(item__number__istartswith=word) | Q(item__name__icontains=word)
    rows: Any = (
        UserSet.objects.owned_by(user)
        .annotate(lacks=Coalesce(Subquery(lacks.values("n")), 0))
        .annotate(
            is_named=Case(When(named, then=Value(0)), default=Value(1), output_field=IntegerField())
        )
        .filter(Q(is_named=0) | Q(lacks__gt=0))
        .order_by("is_named", "-created_at", "-pk")
    )
    shown = rows.values("id", "state", "lacks", number=F("item__number"), name=F("item__name"))
    return list(shown[:MOST_ELSEWHERE])


def _sources(user: User, words: list[str]) -> list[FoundSource]:
    rows: Any = Source.objects.owned_by(user)
    for word in words:
        rows = rows.filter(name__icontains=word)
    shown = rows.order_by("name", "pk").values("id", "name")
    return list(shown[:MOST_ELSEWHERE])

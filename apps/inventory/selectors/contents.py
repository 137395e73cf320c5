"""The contents of locations."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

from django.db.models import (
    Count,
    Exists,
    F,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    Window,
)
from django.db.models.functions import Coalesce, RowNumber

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.catalog.selectors.faces import LOT_FACE, item_image
from apps.core.worth import known_worth, lots_without_price
from apps.inventory.models import InventoryItem, ItemQuerySet, Movement, Stocktake, StocktakeState
from apps.inventory.selectors.renumbered import same_in_stock
from apps.locations.models import Location

MOST_LOOK_ALIKES: Final = 20


@dataclass(frozen=True, slots=True)
class OwnedRow:
    """One row of the owner's stock of a lot."""

    item_id: int
    location_id: int | None
    location_name: str
    condition: str
    quantity: int
    price: Decimal | None


def owned_by_lot(*, owner: User, lot_ids: Iterable[int]) -> dict[int, list[OwnedRow]]:
    """Return lot id -> rows in stock, most pieces first."""
    rows = (
        InventoryItem.objects.owned_by(owner)
        .in_stock()
        .filter(lot_id__in=set(lot_ids))
        .order_by("-quantity", "pk")
        .values_list(
            "lot_id", "pk", "location_id", "location__name", "condition", "quantity", "price"
        )
    )
    found: dict[int, list[OwnedRow]] = {}
    for lot_id, pk, location_id, name, condition, quantity, price in rows:
        found.setdefault(lot_id, []).append(
            OwnedRow(pk, location_id, name or "", condition, quantity, price)
        )
    return found


def owned_rows(
    *, owner: User, lot_id: int | None = None, item_id: int | None = None
) -> list[dict[str, Any]]:
    """Return the owner's rows of a lot, or of an item in all colours."""
    rows = InventoryItem.objects.owned_by(owner).in_stock()
    if item_id is None:
        rows = rows.filter(lot_id=lot_id)
    else:
        # The item's lots first: they are few, and each is a look into inventoryitem_of_a_lot.
        rows = rows.filter(lot_id__in=Lot.objects.filter(item_id=item_id).values("pk"))
    return list(
        rows.order_by("-quantity", "pk").values(
            "lot_id",
            "location_id",
            "condition",
            "quantity",
            "price",
            item_id=F("pk"),
            color_id=F("lot__color_id"),
            location_name=F("location__name"),
        )
    )


def with_lot_count(locations: QuerySet[Location]) -> QuerySet[Location]:
    """Annotate `lot_count`: rows with pieces in each location. A subquery per row shown."""
    counted = (
        InventoryItem.objects.in_stock()
        .filter(location=OuterRef("pk"))
        .order_by()
        .values("location")
        .annotate(n=Count("pk"))
        .values("n")
    )
    return locations.annotate(lot_count=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def with_unknown_weight(locations: QuerySet[Location]) -> QuerySet[Location]:
    """Annotate `unknown_weight_count`."""
    return locations.annotate(unknown_weight_count=unknown_weight())


def unknown_weight() -> Coalesce:
    """Return the expression of the pieces in a location that its weight leaves out.

    A subquery per row shown, in inventoryitem_unweighed alone.
    """
    counted = (
        InventoryItem.objects.in_stock()
        .filter(location=OuterRef("pk"), piece_grams=None)
        .order_by()
        .values("location")
        .annotate(pieces=Sum("quantity"))
        .values("pieces")
    )
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def with_last_count(locations: QuerySet[Location]) -> QuerySet[Location]:
    """Annotate `last_counted_at`: when a stocktake of each was booked. A subquery per row shown."""
    counted = Stocktake.objects.filter(location=OuterRef("pk"), state=StocktakeState.APPLIED)
    return locations.annotate(
        last_counted_at=Subquery(counted.order_by("-pk").values("applied_at")[:1])
    )


def movements_of(*, location: Location) -> QuerySet[Movement]:
    """Return the movements into and out of a location, newest first.

    Both movements of a move name both locations; only the one that is this location's is returned.
    """
    here = Q(to_location=location.pk, delta__gt=0) | Q(from_location=location.pk, delta__lt=0)
    return Movement.objects.filter(here, item__owner=location.owner_id).order_by("-pk")


def look_alikes(*, location: Location) -> list[dict[str, Any]]:
    """Return the items that a location holds in several colours: at most 20, by number.

    Pieces of one shape in two colours are easily mixed up when picking.
    """
    rows = (
        InventoryItem.objects.at(location)
        .in_stock()
        .filter(lot__isnull=False)
        .order_by()
        .values("lot__item_id", "lot__color_id")
        .annotate(
            pieces=Sum("quantity"),
            number=Min("lot__item__number"),
            sort_key=Min("lot__item__sort_key"),
            name=Min("lot__item__name"),
            color=Min("lot__color__name"),
            rgb=Min("lot__color__rgb"),
        )
        .order_by("sort_key", "lot__item_id", "-pieces", "lot__color_id")
    )
    found = []
    for _, group in groupby(rows, key=lambda row: row["lot__item_id"]):
        colors = list(group)
        if len(colors) > 1:
            found.append(
                {
                    "item_number": colors[0]["number"],
                    "part_name": colors[0]["name"],
                    "colors": [
                        {
                            "color_name": row["color"],
                            "color_html": f"#{row['rgb']}" if row["rgb"] else "",
                            "quantity": row["pieces"],
                        }
                        for row in colors
                    ],
                }
            )
    return found[:MOST_LOOK_ALIKES]


def conflict_rows(*, location: Location, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Return the rows that prevent deleting a location: id, name, number, quantity."""
    rows = InventoryItem.objects.filter(location=location).in_stock()
    listed = rows.order_by("pk").values_list(
        "pk", "lot__item__name", "raw_item_name", "lot__item__number", "raw_item_number", "quantity"
    )[:limit]
    return [
        {"id": pk, "name": name or raw_name, "number": number or raw_number, "quantity": quantity}
        for pk, name, raw_name, number, raw_number, quantity in listed
    ], rows.count()


def unconsolidated(items: ItemQuerySet, *, owner: User) -> ItemQuerySet:
    """Return the owner's rows whose lot and condition are in another location as well.

    Uses the index inventoryitem_of_a_lot for each row; rows of moved numbers are compared here.
    """
    place = Coalesce("location", Value(0))
    elsewhere = (
        InventoryItem.objects.in_stock_listed()
        .filter(owner=OuterRef("owner"), lot=OuterRef("lot"), condition=OuterRef("condition"))
        .annotate(place=place)
        .exclude(place=OuterRef("place"))
    )
    same = same_in_stock(owner=owner)
    places: dict[tuple[int, str], set[int | None]] = defaultdict(set)
    moved = InventoryItem.objects.owned_by(owner).in_stock().filter(lot__in=same) if same else ()
    for row in moved:
        places[same[row.lot_id], row.condition].add(row.location_id)
    spread = [row.pk for row in moved if len(places[same[row.lot_id], row.condition]) > 1]
    is_spread = Exists(elsewhere) | Q(pk__in=spread) if spread else Exists(elsewhere)
    return items.in_stock_listed().annotate(place=place).filter(is_spread)


def worth_by_location(*, owner: User) -> dict[int, tuple[Decimal | None, int]]:
    """Return location id -> the worth of its contents, and how many of its lots have no price.

    The worth is None where no lot has a price.
    """
    rows = (
        InventoryItem.objects.owned_by(owner)
        .in_stock()
        .exclude(location=None)
        .order_by()
        .values_list("location")
        .annotate(worth=known_worth(), unpriced=lots_without_price())
    )
    return {location: (worth, unpriced) for location, worth, unpriced in rows}


#: Pictures of what lies in a location; more find no place on its drawer.
FACES: Final = 3


def faces_in(*, owner: User, ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Return location id -> what most pieces in it are, as pictures with their names."""
    rows = (
        InventoryItem.objects.owned_by(owner)
        .filter(location_id__in=ids, quantity__gt=0, lot__isnull=False)
        .annotate(
            place=Window(
                RowNumber(), partition_by="location_id", order_by=[F("quantity").desc(), "pk"]
            )
        )
        .filter(place__lte=FACES)
        .order_by("location_id", "place")
        .values_list("location_id", *LOT_FACE)
    )
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for place, kind, number, name, picture, origin, face, color_id, color, rgb in rows:
        found[place].append(
            {
                "item_type": kind,
                "part_name": name,
                "color_name": color,
                "color_html": f"#{rgb}" if rgb else "",
                "image_url": item_image(kind, number, picture, origin, face, color_id, rgb) or "",
            }
        )
    return found


def promised_in(*, owner: User, ids: Sequence[int]) -> dict[int, int]:
    """Return location id -> pieces in it that are promised to buyers; 0 is left out."""
    rows = InventoryItem.objects.owned_by(owner).filter(location_id__in=ids, promised__gt=0)
    return dict(rows.values_list("location_id").annotate(pieces=Sum("promised")))

"""Recommend bins for a lot: the input of the ranking rule, in few queries for any stock."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import (
    BooleanField,
    Case,
    Exists,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.accounts.models import Preferences
from apps.catalog.models import Item, Lot
from apps.core.natural import natural_key
from apps.inventory.models import InventoryItem
from apps.inventory.rules.ranking import Candidate, Rank, Ranked, rank_destinations
from apps.inventory.rules.recency import Recency, recency_of
from apps.inventory.selectors.contents import with_unknown_weight
from apps.inventory.selectors.planned import planned_loads
from apps.locations.models import Location
from apps.locations.rules.sizes import keeps_colors_apart
from apps.locations.services.capacity import learnt_limits
from apps.locations.services.rooms import EMPTY, Load

Row = dict[str, Any]
#: A category of more items is large: many locations hold something of it.
MANY_ITEMS: Final = 800
#: How many locations are looked into for each that is wanted of a large category.
LOOKED_INTO: Final = 3
_COLUMNS: Final = (
    "id",
    "name",
    "sort_key",
    "container_type_id",
    "container_type__name",
    "container_type__size_class",
    "item_count",
    "stored_weight",
    "unknown_weight_count",
    "max_item_count",
    "max_total_weight",
    "min_item_weight",
    "max_item_weight",
    "is_full",
    "exclude_from_recommendations",
)


@dataclass(frozen=True, slots=True)
class Destination:
    """A location to put a lot, in the names of the interface."""

    id: int
    name: str
    qty_on_hand: int
    lastSold: Recency
    lastSoldDate: dt.datetime | None
    recommended: bool
    reason: str
    available_item_count: int | None
    item_count: int
    max_item_count: int | None
    stored_weight: Decimal
    unknown_weight_count: int
    max_total_weight: Decimal | None
    inventory_container_type_name: str | None


@dataclass(slots=True)
class _Here:
    """The stock of an item in a location: rows of the lot, and pieces in other colours."""

    type_id: int | None
    size_class: str
    rows: int = 0
    same: int = 0
    other: int = 0
    other_colors: int = 0
    sold_at: dt.datetime | None = None


def recommend_destinations(
    *,
    owner: Any,
    lot_id: int,
    condition: str,
    now: dt.datetime,
    quantity: int = 1,
    limit: int = 10,
    near: str = "",
    allow_mixed: bool = False,
) -> list[Destination]:
    """Return where `quantity` of a lot may go, best first, each with its reason.

    Never a location that is excluded, full or unfit, or that has no room beside what is planned
    for it. `near` is the name of the last one chosen.
    """
    alike = Item.objects.filter(category_id=OuterRef("item__category_id")).order_by()
    lot = (
        Lot.objects.filter(pk=lot_id)
        .values_list(
            "item_id",
            "item__category_id",
            "item__category__name",
            "item__weight_grams",
            Exists(alike[MANY_ITEMS:]),
        )
        .first()
    )
    item_id, category_id, category, grams, is_large = lot or (None, None, "", None, False)
    recent_days, moderate_days = _thresholds(owner)
    found = _rows_of_the_item(owner, item_id, lot_id, condition)
    here = {pk: one for pk, one in found.items() if one.rows}
    learnt = learnt_limits(owner=owner)
    beside = {
        pk: keeps_colors_apart(one.size_class, learnt.get(one.type_id))
        for pk, one in found.items()
        if pk not in here
    }
    together = {pk for pk, keeps_apart in beside.items() if keeps_apart is False}
    apart = {pk for pk, keeps_apart in beside.items() if keeps_apart}
    # Those of the other condition may be passed over; so many more keep the answer whole.
    looked_at = limit + len(here)
    planned = planned_loads(owner=owner)
    fitting = _fitting(owner, quantity, grams).exclude(
        pk__in=_filled_by_plans(planned, quantity, grams)
    )
    neighbours = _roomiest_of_category(
        category_id,
        is_large=is_large,
        owner=owner,
        fitting=fitting.exclude(pk__in=apart),
        near=near,
        learnt=learnt,
        most=looked_at,
    )
    types = {one.type_id for one in here.values()} | set(neighbours.values())

    sold_at = {pk: one.sold_at for pk, one in found.items()}

    def rank(places: Mapping[int, Row]) -> list[Ranked]:
        candidates = [
            _candidate(
                row,
                found.get(row["id"]),
                has_category=row["id"] in neighbours,
                sold=recency_of(
                    sold_at.get(row["id"]),
                    now=now,
                    recent_days=recent_days,
                    moderate_days=moderate_days,
                ),
                type_matches=row["container_type_id"] in types,
                planned=planned.get(row["id"], EMPTY),
                learnt_limit=learnt.get(row["container_type_id"]),
            )
            for row in places.values()
        ]
        return rank_destinations(
            candidates,
            quantity=quantity,
            piece_grams=grams,
            category=category or "",
            allow_mixed=allow_mixed,
            near=natural_key(near) if near else "",
            limit=limit,
        )

    filled = {*here, *together, *neighbours}
    places = _read(Location.objects.owned_by(owner).filter(pk__among=filled))
    ranked = rank(places)
    if len(ranked) < limit or ranked[-1].rank >= Rank.EMPTY:
        cramped = {type_id for type_id, most in learnt.items() if most < quantity}
        empty = _empty(fitting, types, near, planned, cramped).values("pk")[:looked_at]
        places |= _read(Location.objects.filter(pk__in=empty))
        ranked = rank(places)
    return [
        _destination(
            one,
            places[one.candidate.id],
            sold_at=sold_at.get(one.candidate.id),
            is_first=index == 0,
        )
        for index, one in enumerate(ranked)
    ]


def _destination(
    found: Ranked, place: Row, *, sold_at: dt.datetime | None, is_first: bool
) -> Destination:
    one = found.candidate
    most = one.max_item_count
    return Destination(
        id=one.id,
        name=one.name,
        qty_on_hand=one.same_condition + one.other_condition,
        lastSold=one.last_sold,
        lastSoldDate=sold_at,
        recommended=is_first,
        reason=found.reason,
        available_item_count=None if most is None else max(most - one.item_count, 0),
        item_count=one.item_count,
        max_item_count=place["max_item_count"],
        stored_weight=one.stored_weight,
        unknown_weight_count=one.unknown_weight_count,
        max_total_weight=place["max_total_weight"],
        inventory_container_type_name=place["container_type__name"],
    )


def _read(places: QuerySet[Location]) -> dict[int, Row]:
    rows = with_unknown_weight(places.order_by()).values(*_COLUMNS)
    return {row["id"]: row for row in rows}


def _thresholds(owner: Any) -> tuple[int, int]:
    kept = (
        Preferences.objects.filter(user=owner)
        .values_list("last_sold_recent_days", "last_sold_moderate_days")
        .first()
    )
    return kept or (
        Preferences._meta.get_field("last_sold_recent_days").default,
        Preferences._meta.get_field("last_sold_moderate_days").default,
    )


def _rows_of_the_item(
    owner: Any, item_id: int | None, lot_id: int, condition: str
) -> dict[int, _Here]:
    """Return the locations of the lot and of its item in other colours, sold-out rows included."""
    # Filter by the item's lots: they are few, and the index inventoryitem_of_a_lot finds each.
    lots: Any = [lot_id] if item_id is None else Lot.objects.filter(item_id=item_id).values("pk")
    rows = (
        InventoryItem.objects.owned_by(owner)
        .filter(lot_id__in=lots, location__isnull=False)
        .order_by()
        .values_list(
            "location_id",
            "location__container_type_id",
            "location__container_type__size_class",
            "lot_id",
            "condition",
            "quantity",
            "date_last_sold",
        )
    )
    found: dict[int, _Here] = {}
    for pk, type_id, size_class, its_lot, its_condition, pieces, sold_at in rows:
        here = found.setdefault(pk, _Here(type_id, size_class or ""))
        if its_lot != lot_id:
            here.other_colors += pieces
            continue
        here.rows += 1
        here.sold_at = max(filter(None, (here.sold_at, sold_at)), default=None)
        if its_condition == condition:
            here.same += pieces
        else:
            here.other += pieces
    return {pk: here for pk, here in found.items() if here.rows or here.other_colors}


def _fitting(owner: Any, quantity: int, grams: Decimal | None) -> QuerySet[Location]:
    """Return the locations that take it. `why_not_fit` decides; this keeps the rest unread."""
    rows = Location.objects.owned_by(owner).filter(
        is_full=False, exclude_from_recommendations=False
    )
    rows = rows.filter(Q(max_item_count=None) | Q(max_item_count__gte=F("item_count") + quantity))
    if grams is not None:
        total = grams * quantity
        rows = rows.filter(
            Q(max_total_weight=None) | Q(max_total_weight__gte=F("stored_weight") + total),
            Q(min_item_weight=None) | Q(min_item_weight__lte=grams),
            Q(max_item_weight=None) | Q(max_item_weight__gte=grams),
        )
    return rows


def _filled_by_plans(
    planned: Mapping[int, Load], quantity: int, grams: Decimal | None
) -> list[int]:
    """Return the locations without room for it besides the planned lots."""
    limits = Location.objects.filter(pk__among=planned.keys()).values_list(
        "pk", "max_item_count", "item_count", "max_total_weight", "stored_weight"
    )
    return [
        pk
        for pk, most, count, heaviest, weight in (limits if planned else ())
        if (most is not None and most < count + planned[pk].pieces + quantity)
        or (
            grams is not None
            and heaviest is not None
            and heaviest < weight + planned[pk].grams + grams * quantity
        )
    ]


def _roomiest_of_category(
    category_id: int | None,
    *,
    is_large: bool,
    owner: Any,
    fitting: QuerySet[Location],
    near: str,
    learnt: Mapping[int | None, int],
    most: int,
) -> dict[int, int | None]:
    """Return location id -> container type id of those that hold something of the category.

    They are the `most` with most room. Of a large category the roomiest of all locations are asked
    first, for its lots are thousands. Else from its lots to the stock of them: location by
    location, a rare one would read all stock.
    """
    if category_id is None:
        return {}
    filled = fitting.filter(item_count__gt=0)
    room = (_limit(learnt) - F("item_count")).desc(nulls_first=True)
    order = (room, _is_behind(near), "sort_key", "pk")
    stock = InventoryItem.objects.owned_by(owner).in_stock_listed().order_by()

    def first(places: QuerySet[Location]) -> dict[int, int | None]:
        return dict(places.order_by(*order).values_list("pk", "container_type_id")[:most])

    found = {}
    if is_large:
        roomiest = filled.order_by(*order).values("pk")[: LOOKED_INTO * most]
        holding = stock.filter(location=OuterRef("pk"), lot__item__category_id=category_id)
        found = first(Location.objects.filter(Exists(holding), pk__in=roomiest))
    if len(found) < most:
        of_lots = stock.filter(lot__in=_lots_of_category(category_id))
        found = first(filled.filter(pk__in=of_lots.values("location")))
    return found


def _limit(learnt: Mapping[int | None, int]) -> F | Coalesce:
    """Return the expression of the own limit of a location, else the learnt one, else NULL."""
    whens = [
        When(
            Q(container_type_id=type_id) if type_id else Q(container_type_id=None), then=Value(most)
        )
        for type_id, most in learnt.items()
    ]
    own = F("max_item_count")
    return Coalesce(own, Case(*whens, output_field=IntegerField())) if whens else own


class _IsAnyOf(Func):
    """A column that equals one of an array: looked up by the column's index."""

    template = "%(expressions)s)"
    arg_joiner = " = ANY("
    output_field = BooleanField()


def _lots_of_category(category_id: int) -> QuerySet[Lot]:
    lots = Lot.objects.order_by()
    if connection.vendor != "postgresql":
        return lots.filter(item__category_id=category_id)
    # Joined to the category's items, PostgreSQL reads all half a million lots of a full catalogue.
    items = Item.objects.filter(category_id=category_id).order_by().values("pk")
    return lots.filter(_IsAnyOf(F("item_id"), ArraySubquery(items)))


def _empty(
    fitting: QuerySet[Location],
    types: set[int | None],
    near: str,
    planned: Mapping[int, Load],
    cramped: set[int | None],
) -> QuerySet[Location]:
    """Return the empty locations: those of a type that suits the lot first, then the nearest.

    Those of a type whose locations hold less than the lot (`cramped`) come behind, and those that
    something is planned for last.
    """
    rows = fitting.filter(item_count=0)
    on_its_way = [Case(When(pk__among=planned.keys(), then=Value(1)), default=0)] if planned else ()
    tight = Q(container_type_id__in=cramped - {None})
    if None in cramped:
        tight |= Q(container_type_id=None)
    by_room = [Case(When(tight, max_item_count=None, then=Value(1)), default=0)] if cramped else ()
    suiting = types - {None}
    # Without any the case would be a bare 1, by which PostgreSQL orders the first column.
    by_type = [Case(When(container_type_id__in=suiting, then=Value(0)), default=1)]
    return rows.order_by(
        *on_its_way, *by_room, *by_type if suiting else (), _is_behind(near), "sort_key", "pk"
    )


def _is_behind(near: str) -> Case:
    key = natural_key(near) if near else ""
    return Case(When(sort_key__gte=key, then=Value(0)), default=1)


def _candidate(
    row: Row,
    here: _Here | None,
    *,
    has_category: bool,
    type_matches: bool,
    sold: Recency,
    planned: Load,
    learnt_limit: int | None,
) -> Candidate:
    pieces, grams = row["max_item_count"], row["max_total_weight"]
    return Candidate(
        id=row["id"],
        name=row["name"],
        sort_key=row["sort_key"],
        item_count=row["item_count"],
        stored_weight=row["stored_weight"],
        unknown_weight_count=row["unknown_weight_count"],
        max_item_count=None if pieces is None else pieces - planned.pieces,
        max_total_weight=None if grams is None else grams - planned.grams,
        min_item_weight=row["min_item_weight"],
        max_item_weight=row["max_item_weight"],
        is_full=row["is_full"],
        is_excluded=row["exclude_from_recommendations"],
        same_condition=here.same if here else 0,
        other_condition=here.other if here else 0,
        lived_here=here is not None and here.rows > 0,
        other_colors=here.other_colors if here else 0,
        size_class=row["container_type__size_class"] or "",
        has_category=has_category,
        type_suits=type_matches,
        last_sold=sold,
        is_planned=planned != EMPTY,
        learnt_limit=None if learnt_limit is None else learnt_limit - planned.pieces,
    )

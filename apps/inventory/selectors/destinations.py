"""Recommend bins for lots: the input of the ranking rule, in few queries for any stock.

For one lot the database picks the locations to rank. For many all open locations are read once, and
each lot sees what the lots before it were given.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import nlargest, nsmallest
from typing import Any, Final, NamedTuple

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

from apps.accounts.models import Preferences, User
from apps.catalog.models import Item, Lot
from apps.core.natural import natural_key
from apps.inventory.models import InventoryItem
from apps.inventory.rules.ranking import (
    Candidate,
    Rank,
    Ranked,
    rank_destinations,
    room_left,
)
from apps.inventory.rules.recency import Recency, recency_of
from apps.inventory.selectors.contents import with_unknown_weight
from apps.inventory.selectors.planned import planned_loads
from apps.locations.models import Location
from apps.locations.rules.sizes import keeps_colors_apart
from apps.locations.services.capacity import learnt_limits
from apps.locations.services.rooms import EMPTY, Load

#: A category of more items is large: many locations hold something of it.
MANY_ITEMS: Final = 800
#: How many locations are looked into for each that is wanted of a large category.
LOOKED_INTO: Final = 3
#: How many are offered for one lot.
OFFERED: Final = 10
_COLUMNS: Final = (
    "id",
    "name",
    "sort_key",
    "container_type_id",
    "container_type__name",
    "container_type__size_class",
    "item_count",
    "stored_weight",
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


class Wanted(NamedTuple):
    """A quantity of a lot that needs a place; `grams` of a piece where it has its own weight."""

    lot_id: int
    condition: str
    quantity: int
    grams: Decimal | None = None


class _Kind(NamedTuple):
    """The properties of a lot that the ranking reads."""

    item_id: int | None
    category_id: int | None
    category: str
    grams: Decimal | None
    is_large: bool


_UNKNOWN: Final = _Kind(None, None, "", None, False)


@dataclass(slots=True)
class _Here:
    """The stock of an item in a location: pieces of each lot by condition, sold-out rows too."""

    type_id: int | None
    size_class: str
    lots: dict[int, dict[str, int]] = field(default_factory=dict)
    sold_at: dict[int, dt.datetime] = field(default_factory=dict)

    def other_colors(self, lot_id: int) -> int:
        """Return the pieces of the item in other colours."""
        return sum(sum(one.values()) for pk, one in self.lots.items() if pk != lot_id)


@dataclass(slots=True)
class _Place:
    """A location as it would be with all that was given to it so far."""

    id: int
    name: str
    sort_key: str
    type_id: int | None
    type_name: str | None
    size_class: str | None
    item_count: int
    stored_weight: Decimal
    max_item_count: int | None
    max_total_weight: Decimal | None
    min_item_weight: Decimal | None
    max_item_weight: Decimal | None
    is_full: bool
    is_excluded: bool
    unknown_weight_count: int = 0
    #: The pieces that places like it stay within.
    learnt_limit: int | None = None
    #: Meant for it and not in it: takes room, but the place is as empty as it is.
    planned: Load = EMPTY
    categories: set[int | None] = field(default_factory=set)

    @property
    def room(self) -> int:
        """The pieces that it takes by its own limit, else by the learnt one."""
        pieces = self.item_count + self.planned.pieces
        return room_left(self.max_item_count, self.learnt_limit, pieces)

    def takes(self, quantity: int, grams: Decimal | None) -> bool:
        """Whether its own limits allow so many more, beside what is planned for it."""
        if self.max_item_count is not None and self.room < quantity:
            return False
        if grams is None:
            return True
        most = self.max_total_weight
        return (
            (most is None or self.stored_weight + self.planned.grams + grams * quantity <= most)
            and (self.min_item_weight is None or self.min_item_weight <= grams)
            and (self.max_item_weight is None or self.max_item_weight >= grams)
        )

    def candidate(self, **also: Any) -> Candidate:
        pieces, grams, learnt = self.max_item_count, self.max_total_weight, self.learnt_limit
        return Candidate(
            id=self.id,
            name=self.name,
            sort_key=self.sort_key,
            item_count=self.item_count,
            stored_weight=self.stored_weight,
            unknown_weight_count=self.unknown_weight_count,
            max_item_count=None if pieces is None else pieces - self.planned.pieces,
            max_total_weight=None if grams is None else grams - self.planned.grams,
            min_item_weight=self.min_item_weight,
            max_item_weight=self.max_item_weight,
            is_full=self.is_full,
            is_excluded=self.is_excluded,
            size_class=self.size_class or "",
            is_planned=self.planned != EMPTY,
            learnt_limit=None if learnt is None else learnt - self.planned.pieces,
            **also,
        )


Places = dict[int, _Place]


def recommend_destinations(
    *,
    owner: Any,
    lot_id: int,
    condition: str,
    now: dt.datetime,
    quantity: int = 1,
    limit: int = OFFERED,
    near: str = "",
    allow_mixed: bool = False,
) -> list[Destination]:
    """Return where `quantity` of a lot may go, best first, each with its reason.

    Never a location that is excluded, full or unfit, or that has no room beside what is planned
    for it. `near` is the name of the last one chosen.
    """
    recent_days, moderate_days = _thresholds(owner)

    def recency(sold_at: dt.datetime | None) -> Recency:
        return recency_of(sold_at, now=now, recent_days=recent_days, moderate_days=moderate_days)

    finder = _OneFinder(owner, {lot_id}, planned_loads(owner=owner))
    finder.near = natural_key(near) if near else ""
    ranked = finder.rank(
        Wanted(lot_id, condition, quantity),
        limit=limit,
        looked_at=limit,
        allow_mixed=allow_mixed,
        recency=recency,
    )
    sold_at = finder.sold_at(lot_id)
    return [
        _destination(
            one,
            finder.known[one.candidate.id],
            sold_at=sold_at.get(one.candidate.id),
            is_first=index == 0,
        )
        for index, one in enumerate(ranked)
    ]


def recommend_for_many(
    *, owner: User, wanted: Mapping[int, Wanted], planned: Mapping[int, Load]
) -> dict[int, int]:
    """Return key -> location id: the first recommendation of `recommend_destinations` for each.

    Each lot of `wanted` is placed after the ones before it, and after what is `planned` for a
    location (by its id) and not in it yet. Lots that fit nowhere are skipped.
    """
    finder = _ManyFinder(owner, {one.lot_id for one in wanted.values()}, planned)
    chosen = {}
    for key, one in wanted.items():
        if best := finder.rank(one, limit=1, looked_at=OFFERED):
            chosen[key] = finder.give(best[0].candidate.id, one)
    return chosen


def _destination(
    found: Ranked, place: _Place, *, sold_at: dt.datetime | None, is_first: bool
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
        max_item_count=place.max_item_count,
        stored_weight=one.stored_weight,
        unknown_weight_count=one.unknown_weight_count,
        max_total_weight=place.max_total_weight,
        inventory_container_type_name=place.type_name,
    )


def _thresholds(owner: User) -> tuple[int, int]:
    kept = (
        Preferences.objects.filter(user=owner)
        .values_list("last_sold_recent_days", "last_sold_moderate_days")
        .first()
    )
    return kept or (
        Preferences._meta.get_field("last_sold_recent_days").default,
        Preferences._meta.get_field("last_sold_moderate_days").default,
    )


class _Finder:
    """Ranks the locations for lots; subclasses find the neighbours and the empty ones."""

    def __init__(self, owner: User, lot_ids: set[int], planned: Mapping[int, Load]) -> None:
        self.owner = owner
        self.planned = planned
        #: The sort key of the last one chosen.
        self.near = ""
        self.kinds = _kinds_of(lot_ids, is_large=self.is_large())
        self.learnt = learnt_limits(owner=owner)
        item_ids = {kind.item_id for kind in self.kinds.values() if kind.item_id is not None}
        self.stock = _stock_of(owner, item_ids)

    def rank(
        self,
        wanted: Wanted,
        *,
        limit: int,
        looked_at: int,
        allow_mixed: bool = False,
        recency: Callable[[dt.datetime | None], Recency] = lambda _: "unknown",
    ) -> list[Ranked]:
        """Return the best locations; `looked_at` of each kind are weighed against each other."""
        kind = self.kinds.get(wanted.lot_id, _UNKNOWN)
        if wanted.grams is not None:
            kind = kind._replace(grams=wanted.grams)
        there = self.stock[kind.item_id]
        homes = {pk for pk, here in there.items() if wanted.lot_id in here.lots}
        beside = {
            pk: keeps_colors_apart(here.size_class, self.learnt.get(here.type_id))
            for pk, here in there.items()
            if pk not in homes and here.other_colors(wanted.lot_id)
        }
        apart = {pk for pk, keeps_apart in beside.items() if keeps_apart}
        together = {pk for pk, keeps_apart in beside.items() if keeps_apart is False}
        # Those of the other condition may be passed over; so many more keep the answer whole.
        most = looked_at + len(homes)
        neighbours = self.neighbours(kind, wanted.quantity, apart, most)
        types = {there[pk].type_id for pk in homes} | set(neighbours.values())

        def candidate(place: _Place) -> Candidate:
            here = there.get(place.id)
            pieces = here.lots.get(wanted.lot_id, {}) if here else {}
            same = pieces.get(wanted.condition, 0)
            return place.candidate(
                same_condition=same,
                other_condition=sum(pieces.values()) - same,
                lived_here=place.id in homes,
                other_colors=here.other_colors(wanted.lot_id) if here else 0,
                has_category=place.id in neighbours,
                type_suits=place.type_id in types,
                last_sold=recency(here.sold_at.get(wanted.lot_id) if here else None),
            )

        def ranked(places: Iterable[_Place]) -> list[Ranked]:
            return rank_destinations(
                map(candidate, places),
                quantity=wanted.quantity,
                piece_grams=kind.grams,
                category=kind.category,
                allow_mixed=allow_mixed,
                near=self.near,
                limit=limit,
            )

        places = self.read({*homes, *together, *neighbours})
        found = ranked(places.values())
        if len(found) < limit or found[-1].rank >= Rank.EMPTY:
            places |= self.empty(kind, wanted.quantity, types, most)
            found = ranked(places.values())
        return found

    def is_large(self) -> Any:
        """Return the expression of whether the category of a lot is large."""
        return Value(False)

    def read(self, ids: Set[int]) -> Places:
        """Return those locations of the owner's."""
        raise NotImplementedError

    def neighbours(
        self, kind: _Kind, quantity: int, apart: Set[int], most: int
    ) -> dict[int, int | None]:
        """Return location id -> container type id of those that hold something of the category.

        They are the `most` with most room that take the quantity, without those `apart`.
        """
        raise NotImplementedError

    def empty(self, kind: _Kind, quantity: int, types: Set[int | None], most: int) -> Places:
        """Return the empty locations: those of a type that suits the lot first, then the nearest.

        Those of a type whose locations hold less than the lot come behind, and those that
        something is planned for last.
        """
        raise NotImplementedError


class _OneFinder(_Finder):
    """Has the database pick the locations, so that any stock costs few queries."""

    def __init__(self, owner: User, lot_ids: set[int], planned: Mapping[int, Load]) -> None:
        super().__init__(owner, lot_ids, planned)
        self.known: Places = {}
        self._fits: QuerySet[Location] | None = None

    def is_large(self) -> Any:
        alike = Item.objects.filter(category_id=OuterRef("item__category_id")).order_by()
        return Exists(alike[MANY_ITEMS:])

    def sold_at(self, lot_id: int) -> dict[int, dt.datetime | None]:
        """Return location id -> when the lot was last sold from it."""
        item_id = self.kinds.get(lot_id, _UNKNOWN).item_id
        return {pk: here.sold_at.get(lot_id) for pk, here in self.stock[item_id].items()}

    def read(self, ids: Set[int]) -> Places:
        return self._read(Location.objects.owned_by(self.owner).filter(pk__among=ids))

    def _read(self, rows: QuerySet[Location]) -> Places:
        columns = (*_COLUMNS, "unknown_weight_count")
        places = {
            row[0]: _Place(*row)
            for row in with_unknown_weight(rows.order_by()).values_list(*columns)
        }
        for place in places.values():
            place.learnt_limit = self.learnt.get(place.type_id)
            place.planned = self.planned.get(place.id, EMPTY)
        self.known |= places
        return places

    def neighbours(
        self, kind: _Kind, quantity: int, apart: Set[int], most: int
    ) -> dict[int, int | None]:
        # Of a large category the roomiest of all locations are asked first, for its lots are
        # thousands. Else from its lots to the stock of them: location by location, a rare one
        # would read all stock.
        if kind.category_id is None:
            return {}
        filled = self._fitting(quantity, kind.grams).exclude(pk__in=apart).filter(item_count__gt=0)
        room = (_limit(self.learnt) - F("item_count")).desc(nulls_first=True)
        order = (room, _is_behind(self.near), "sort_key", "pk")
        stock = InventoryItem.objects.owned_by(self.owner).in_stock_listed().order_by()

        def first(places: QuerySet[Location]) -> dict[int, int | None]:
            return dict(places.order_by(*order).values_list("pk", "container_type_id")[:most])

        found = {}
        if kind.is_large:
            roomiest = filled.order_by(*order).values("pk")[: LOOKED_INTO * most]
            holding = stock.filter(location=OuterRef("pk"), lot__item__category_id=kind.category_id)
            found = first(Location.objects.filter(Exists(holding), pk__in=roomiest))
        if len(found) < most:
            of_lots = stock.filter(lot__in=_lots_of_category(kind.category_id))
            found = first(filled.filter(pk__in=of_lots.values("location")))
        return found

    def empty(self, kind: _Kind, quantity: int, types: Set[int | None], most: int) -> Places:
        cramped = {type_id for type_id, limit in self.learnt.items() if limit < quantity}
        tight = Q(container_type_id__in=cramped - {None})
        if None in cramped:
            tight |= Q(container_type_id=None)
        # Without any the case would be a bare 1, by which PostgreSQL orders the first column.
        cases = [
            (bool(self.planned), When(pk__among=self.planned.keys(), then=Value(1)), 0),
            (bool(cramped), When(tight, max_item_count=None, then=Value(1)), 0),
            (bool(types - {None}), When(container_type_id__in=types - {None}, then=Value(0)), 1),
        ]
        order = [Case(when, default=Value(other)) for is_asked, when, other in cases if is_asked]
        rows = self._fitting(quantity, kind.grams).filter(item_count=0)
        picked = rows.order_by(*order, _is_behind(self.near), "sort_key", "pk").values("pk")[:most]
        return self._read(Location.objects.filter(pk__in=picked))

    def _fitting(self, quantity: int, grams: Decimal | None) -> QuerySet[Location]:
        """Return the locations that take it. `why_not_fit` decides; this keeps the rest unread."""
        if self._fits is not None:
            return self._fits
        rows = Location.objects.owned_by(self.owner).filter(
            is_full=False, exclude_from_recommendations=False
        )
        rows = rows.filter(
            Q(max_item_count=None) | Q(max_item_count__gte=F("item_count") + quantity)
        )
        if grams is not None:
            total = grams * quantity
            rows = rows.filter(
                Q(max_total_weight=None) | Q(max_total_weight__gte=F("stored_weight") + total),
                Q(min_item_weight=None) | Q(min_item_weight__lte=grams),
                Q(max_item_weight=None) | Q(max_item_weight__gte=grams),
            )
        self._fits = rows.exclude(pk__in=self._filled_by_plans(quantity, grams))
        return self._fits

    def _filled_by_plans(self, quantity: int, grams: Decimal | None) -> list[int]:
        """Return the locations without room for it besides the planned lots."""
        if not self.planned:
            return []
        places = self._read(Location.objects.filter(pk__among=self.planned.keys()))
        return [place.id for place in places.values() if not place.takes(quantity, grams)]


class _ManyFinder(_Finder):
    """Reads all open locations at once, and counts what it gives to them."""

    def __init__(self, owner: User, lot_ids: set[int], planned: Mapping[int, Load]) -> None:
        super().__init__(owner, lot_ids, planned)
        rows = Location.objects.owned_by(owner).filter(
            is_full=False, exclude_from_recommendations=False
        )
        self._places = {
            row[0]: _Place(*row) for row in rows.order_by("sort_key", "pk").values_list(*_COLUMNS)
        }
        for place in self._places.values():
            place.learnt_limit = self.learnt.get(place.type_id)
            place.planned = planned.get(place.id, EMPTY)
        categories = {kind.category_id for kind in self.kinds.values()}
        for category_id, location_id in _places_of_categories(owner, categories):
            if location_id in self._places:
                self._places[location_id].categories.add(category_id)

    def give(self, place_id: int, wanted: Wanted) -> int:
        """Count the lot in at the location that was chosen for it; return its id."""
        place, kind = self._places[place_id], self.kinds.get(wanted.lot_id, _UNKNOWN)
        grams = kind.grams if wanted.grams is None else wanted.grams
        place.item_count += wanted.quantity
        place.stored_weight += (grams or Decimal(0)) * wanted.quantity
        place.categories.add(kind.category_id)
        there = self.stock[kind.item_id]
        here = there.setdefault(place_id, _Here(place.type_id, place.size_class or ""))
        pieces = here.lots.setdefault(wanted.lot_id, {})
        pieces[wanted.condition] = pieces.get(wanted.condition, 0) + wanted.quantity
        self.near = place.sort_key
        return place_id

    def read(self, ids: Set[int]) -> Places:
        return {pk: self._places[pk] for pk in ids if pk in self._places}

    def neighbours(
        self, kind: _Kind, quantity: int, apart: Set[int], most: int
    ) -> dict[int, int | None]:
        if kind.category_id is None:
            return {}
        fitting = (
            place
            for place in self._places.values()
            if kind.category_id in place.categories
            and place.item_count
            and place.id not in apart
            and place.takes(quantity, kind.grams)
        )
        roomiest = nlargest(most, fitting, key=lambda place: place.room)
        return {place.id: place.type_id for place in roomiest}

    def empty(self, kind: _Kind, quantity: int, types: Set[int | None], most: int) -> Places:
        fitting = (
            place
            for place in self._places.values()
            if not place.item_count and place.takes(quantity, kind.grams)
        )
        nearest = nsmallest(
            most,
            fitting,
            key=lambda place: (
                place.planned != EMPTY,
                place.room < quantity,
                place.type_id not in types,
                place.sort_key < self.near,
                place.sort_key,
                place.id,
            ),
        )
        return {place.id: place for place in nearest}


def _kinds_of(lot_ids: set[int], *, is_large: Any) -> dict[int, _Kind]:
    rows = Lot.objects.filter(pk__in=lot_ids).values_list(
        "pk",
        "item_id",
        "item__category_id",
        "item__category__name",
        "item__weight_grams",
        is_large,
    )
    return {
        pk: _Kind(item_id, category_id, name or "", *rest)
        for pk, item_id, category_id, name, *rest in rows
    }


def _stock_of(owner: User, item_ids: Set[int]) -> defaultdict[int | None, dict[int, _Here]]:
    """Return item id -> location id -> its stock there in every colour, sold-out rows included."""
    # Filter by the items' lots: they are few, and the index inventoryitem_of_a_lot finds each.
    lots = Lot.objects.filter(item_id__in=item_ids).values("pk")
    rows = (
        InventoryItem.objects.owned_by(owner)
        .filter(lot_id__in=lots, location__isnull=False)
        .order_by()
        .values_list(
            "lot__item_id",
            "location_id",
            "location__container_type_id",
            "location__container_type__size_class",
            "lot_id",
            "condition",
            "quantity",
            "date_last_sold",
        )
    )
    found: defaultdict[int | None, dict[int, _Here]] = defaultdict(dict)
    for item_id, place_id, type_id, size_class, lot_id, condition, quantity, sold_at in rows:
        here = found[item_id].setdefault(place_id, _Here(type_id, size_class or ""))
        pieces = here.lots.setdefault(lot_id, {})
        pieces[condition] = pieces.get(condition, 0) + quantity
        if sold_at is not None:
            here.sold_at[lot_id] = max(here.sold_at.get(lot_id, sold_at), sold_at)
    return found


def _places_of_categories(owner: User, category_ids: set[int | None]) -> Iterable[tuple[int, int]]:
    """Return each category with each location that holds something of it."""
    wanted = category_ids - {None}
    if not wanted:
        return []
    rows = InventoryItem.objects.owned_by(owner).in_stock()
    return (
        rows.filter(location__isnull=False, lot__item__category_id__in=wanted)
        .order_by()
        .values_list("lot__item__category_id", "location_id")
        .distinct()
    )


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


def _is_behind(near: str) -> Case:
    return Case(When(sort_key__gte=near, then=Value(0)), default=1)

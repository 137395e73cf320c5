"""Recommend bins for lots: the input of the ranking rule, in few queries for any stock.

For few lots the database picks the locations to rank. For many all open locations are read once,
and each lot sees what the lots before it were given.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import nlargest, nsmallest
from typing import Any, Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    BooleanField,
    Case,
    Exists,
    Expression,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.db.models.sql.compiler import SQLCompiler

from apps.accounts.models import Preferences, User
from apps.catalog.models import Item, Lot
from apps.core.natural import natural_key
from apps.core.prepared import DECIMAL, IDS, TEXT, WHOLE, Bound, Prepared, Slot, united
from apps.inventory.models import InventoryItem
from apps.inventory.rules.ranking import (
    Candidate,
    Rank,
    Ranked,
    rank_destinations,
    room_left,
)
from apps.inventory.rules.recency import Recency, recency_of
from apps.inventory.selectors.contents import unknown_weight
from apps.inventory.selectors.planned import planned_places
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
_THRESHOLDS: Final = ("last_sold_recent_days", "last_sold_moderate_days")
#: The part of a query for the locations that are known by their ids.
_NAMED: Final = -1
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


class Destination(NamedTuple):
    """A location to put a lot, in the names of the interface."""

    lot_id: int
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
    category: str | None
    grams: Decimal | None
    is_large: bool = False


_UNKNOWN: Final = _Kind(None, None, None, None)


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
    owner: User,
    lot_ids: Sequence[int],
    condition: str,
    now: dt.datetime,
    quantity: int = 1,
    limit: int = OFFERED,
    near: str = "",
    allow_mixed: bool = False,
) -> list[Destination]:
    """Return where `quantity` of each lot may go, best first, each with its reason.

    Never a location that is excluded, full or unfit, or that has no room beside what is planned
    for it. `near` is the name of the last one chosen. The lots do not take room from each other.
    """
    finder = _FewFinder(owner, set(lot_ids))
    finder.near = natural_key(near) if near else ""
    recent_days, moderate_days = finder.thresholds

    def recency(sold_at: dt.datetime | None) -> Recency:
        return recency_of(sold_at, now=now, recent_days=recent_days, moderate_days=moderate_days)

    rankings = [
        finder.ranking(
            Wanted(lot_id, condition, quantity),
            limit=limit,
            looked_at=limit,
            allow_mixed=allow_mixed,
            recency=recency,
        )
        for lot_id in lot_ids
    ]
    return [
        _destination(lot_id, one, ranking, is_first=index == 0)
        for lot_id, ranking, found in zip(lot_ids, rankings, finder.rank(rankings), strict=True)
        for index, one in enumerate(found)
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
        [best] = finder.rank([finder.ranking(one, limit=1, looked_at=OFFERED)])
        if best:
            chosen[key] = finder.give(best[0].candidate.id, one)
    return chosen


def _destination(lot_id: int, found: Ranked, ranking: "_Ranking", *, is_first: bool) -> Destination:
    one, place = found.candidate, ranking.places[found.candidate.id]
    here = ranking.there.get(one.id)
    most = one.max_item_count
    return Destination(
        lot_id=lot_id,
        id=one.id,
        name=one.name,
        qty_on_hand=one.same_condition + one.other_condition,
        lastSold=one.last_sold,
        lastSoldDate=here.sold_at.get(lot_id) if here else None,
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


@dataclass(slots=True)
class _Ranking:
    """The locations that are weighed against each other for a lot, and by what."""

    wanted: Wanted
    kind: _Kind
    there: dict[int, _Here]
    limit: int
    #: How many neighbours and how many empty ones are looked at.
    most: int
    near: str
    allow_mixed: bool
    recency: Callable[[dt.datetime | None], Recency]
    #: Where the lot is or was.
    homes: set[int]
    #: Where other colours of the item are, and whether they are kept apart there.
    apart: set[int]
    together: set[int]
    #: Those that hold something of the category -> their container types.
    neighbours: dict[int, int | None] = field(default_factory=dict)
    places: Places = field(default_factory=dict)

    @property
    def types(self) -> set[int | None]:
        """The container types that suit the lot."""
        return {self.there[pk].type_id for pk in self.homes} | set(self.neighbours.values())

    def best(self) -> list[Ranked]:
        """Return the best of the places."""
        types = self.types
        return rank_destinations(
            (self._candidate(place, types) for place in self.places.values()),
            quantity=self.wanted.quantity,
            piece_grams=self.kind.grams,
            category=self.kind.category or "",
            allow_mixed=self.allow_mixed,
            near=self.near,
            limit=self.limit,
        )

    def _candidate(self, place: _Place, types: Set[int | None]) -> Candidate:
        wanted, here = self.wanted, self.there.get(place.id)
        pieces = here.lots.get(wanted.lot_id, {}) if here else {}
        same = pieces.get(wanted.condition, 0)
        return place.candidate(
            same_condition=same,
            other_condition=sum(pieces.values()) - same,
            lived_here=place.id in self.homes,
            other_colors=here.other_colors(wanted.lot_id) if here else 0,
            has_category=place.id in self.neighbours,
            type_suits=place.type_id in types,
            last_sold=self.recency(here.sold_at.get(wanted.lot_id) if here else None),
        )


class _Finder:
    """Ranks the locations for lots; subclasses find the neighbours and the empty ones."""

    def __init__(self, owner: User, lot_ids: set[int], planned: Mapping[int, Load]) -> None:
        self.owner = owner
        self.planned = planned
        #: The sort key of the last one chosen.
        self.near = ""
        self.kinds = self.kinds_of(lot_ids)
        self.learnt = learnt_limits(owner=owner)
        item_ids = {kind.item_id for kind in self.kinds.values() if kind.item_id is not None}
        self.stock = _stock_of(owner, item_ids)

    def ranking(
        self,
        wanted: Wanted,
        *,
        limit: int,
        looked_at: int,
        allow_mixed: bool = False,
        recency: Callable[[dt.datetime | None], Recency] = lambda _: "unknown",
    ) -> _Ranking:
        """Return what is to be ranked; `looked_at` of each kind are weighed against each other."""
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
        return _Ranking(
            wanted=wanted,
            kind=kind,
            there=there,
            limit=limit,
            # Those of the other condition may be passed over; so many more keep the answer whole.
            most=looked_at + len(homes),
            near=self.near,
            allow_mixed=allow_mixed,
            recency=recency,
            homes=homes,
            apart={pk for pk, keeps_apart in beside.items() if keeps_apart},
            together={pk for pk, keeps_apart in beside.items() if keeps_apart is False},
        )

    def rank(self, rankings: Sequence[_Ranking]) -> list[list[Ranked]]:
        """Return the best locations of each."""
        self.add_filled(rankings)
        found = [ranking.best() for ranking in rankings]
        short = [
            index
            for index, best in enumerate(found)
            if len(best) < rankings[index].limit or best[-1].rank >= Rank.EMPTY
        ]
        if short:
            self.add_empty([rankings[index] for index in short])
        for index in short:
            found[index] = rankings[index].best()
        return found

    def kinds_of(self, lot_ids: set[int]) -> dict[int, _Kind]:
        """Return lot id -> what the ranking reads of it."""
        return {pk: _Kind(*row) for pk, *row in _lots(Lot.objects.filter(pk__in=lot_ids))}

    def add_filled(self, rankings: Sequence[_Ranking]) -> None:
        """Add the homes, the bins of other colours and the neighbours to the places of each.

        Neighbours are the `most` with most room of those that hold something of the category and
        take the quantity, without those where colours are kept `apart`.
        """
        raise NotImplementedError

    def add_empty(self, rankings: Sequence[_Ranking]) -> None:
        """Add empty locations: those of a type that suits the lot first, then the nearest.

        Those of a type whose locations hold less than the lot come behind, and those that
        something is planned for last.
        """
        raise NotImplementedError


class _FewFinder(_Finder):
    """Has the database pick the locations, so that any stock costs few queries."""

    #: For how many days a sale is recent, and how many it is not old.
    thresholds: tuple[int, int] = (0, 0)

    def __init__(self, owner: User, lot_ids: set[int]) -> None:
        planned = list(planned_places(owner=owner, columns=_COLUMNS))
        super().__init__(owner, lot_ids, {row[0]: load for row, load in planned})
        #: The locations that something is planned for.
        self._planned_for = [_Place(*row) for row, _ in planned]
        for place, (_, load) in zip(self._planned_for, planned, strict=True):
            place.planned = load

    def kinds_of(self, lot_ids: set[int]) -> dict[int, _Kind]:
        kinds = {}
        for pk, *row, recent, moderate in _KINDS.rows(
            MANY_ITEMS, lot_ids=lot_ids, owner=self.owner.pk
        ):
            kinds[pk], self.thresholds = _Kind(*row), (recent, moderate)
        return kinds

    def add_filled(self, rankings: Sequence[_Ranking]) -> None:
        named = set().union(*(ranking.homes | ranking.together for ranking in rankings))
        looked_for = {
            index: self._neighbours(index, ranking, in_roomiest=ranking.kind.is_large)
            for index, ranking in enumerate(rankings)
            if ranking.kind.category_id is not None
        }
        mine = _NAMED_PLACES.bound(owner=self.owner.pk, ids=named, part=_NAMED)
        found = self._read({_NAMED: mine, **looked_for})
        short = {
            index: self._neighbours(index, rankings[index], in_roomiest=False)
            for index in looked_for
            if rankings[index].kind.is_large and len(found[index]) < rankings[index].most
        }
        found |= self._read(short)
        for index, ranking in enumerate(rankings):
            beside = found.get(index, {})
            ranking.neighbours = {place.id: place.type_id for place in beside.values()}
            there = found[_NAMED].items()
            own = ranking.homes | ranking.together
            ranking.places = {pk: place for pk, place in there if pk in own} | beside

    def add_empty(self, rankings: Sequence[_Ranking]) -> None:
        found = self._read({index: self._empty(index, one) for index, one in enumerate(rankings)})
        for index, ranking in enumerate(rankings):
            ranking.places |= found[index]

    def _read(self, parts: Mapping[int, Bound]) -> dict[int, Places]:
        """Return the locations of each part, read together."""
        found: dict[int, Places] = {part: {} for part in parts}
        for *row, part in united(list(parts.values())):
            place = _Place(*row)
            place.learnt_limit = self.learnt.get(place.type_id)
            place.planned = self.planned.get(place.id, EMPTY)
            found[part][place.id] = place
        return found

    def _neighbours(self, part: int, ranking: _Ranking, *, in_roomiest: bool) -> Bound:
        learnt = {type_id: most for type_id, most in self.learnt.items() if type_id}
        values = {
            "apart": ranking.apart,
            "category": ranking.kind.category_id,
            "typeless": self.learnt.get(None),
            **{f"type_{n}": type_id for n, type_id in enumerate(learnt)},
            **{f"most_{n}": most for n, most in enumerate(learnt.values())},
        }
        shape = (LOOKED_INTO if in_roomiest else 0, len(learnt))
        return self._bound(_NEIGHBOURS, part, ranking, shape, values)

    def _empty(self, part: int, ranking: _Ranking) -> Bound:
        cramped = {one for one, limit in self.learnt.items() if limit < ranking.wanted.quantity}
        values = {
            "planned": self.planned.keys(),
            "cramped": cramped - {None},
            "types": ranking.types - {None},
        }
        return self._bound(_EMPTY, part, ranking, (None in cramped,), values)

    def _bound(
        self,
        query: Prepared,
        part: int,
        ranking: _Ranking,
        shape: tuple[Hashable, ...],
        values: dict[str, Any],
    ) -> Bound:
        """Bind a part of the union. Its shape leaves out conditions about nothing."""
        quantity, grams = ranking.wanted.quantity, ranking.kind.grams
        full = [place.id for place in self._planned_for if not place.takes(quantity, grams)]
        values |= {"full": full, "grams": grams}
        asked = frozenset(name for name, value in values.items() if value not in (None, set(), []))
        return query.bound(
            asked,
            ranking.most,
            *shape,
            owner=self.owner.pk,
            part=part,
            quantity=quantity,
            total=None if grams is None else grams * quantity,
            near=self.near,
            **values,
        )


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

    def add_filled(self, rankings: Sequence[_Ranking]) -> None:
        for ranking in rankings:
            kind, quantity = ranking.kind, ranking.wanted.quantity
            fitting = (
                place
                for place in self._places.values()
                if kind.category_id in place.categories
                and place.item_count
                and place.id not in ranking.apart
                and place.takes(quantity, kind.grams)
            )
            if kind.category_id is not None:
                roomiest = nlargest(ranking.most, fitting, key=lambda place: place.room)
                ranking.neighbours = {place.id: place.type_id for place in roomiest}
            named = {*ranking.homes, *ranking.together, *ranking.neighbours}
            ranking.places = {pk: self._places[pk] for pk in named if pk in self._places}

    def add_empty(self, rankings: Sequence[_Ranking]) -> None:
        for ranking in rankings:
            quantity, types, grams = ranking.wanted.quantity, ranking.types, ranking.kind.grams
            fitting = (
                place
                for place in self._places.values()
                if not place.item_count and place.takes(quantity, grams)
            )
            nearest = nsmallest(
                ranking.most,
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
            ranking.places |= {place.id: place for place in nearest}


def _lots(lots: QuerySet[Lot], *more: Any) -> QuerySet[Lot, Any]:
    """Return each lot's id, the columns of a kind, and `more`."""
    of_kind = ("item_id", "item__category_id", "item__category__name", "item__weight_grams")
    return lots.order_by().values_list("pk", *of_kind, *more)


def _kinds(many: int, lot_ids: Slot, owner: Slot) -> QuerySet[Lot, Any]:
    """Return the kinds of lots, and the thresholds of the owner.

    An unknown lot has no stock that could have been sold.
    """
    alike = Item.objects.filter(category_id=OuterRef("item__category_id")).order_by()
    kept = Preferences.objects.filter(user=owner)
    thresholds = (
        Coalesce(Subquery(kept.values(name)[:1]), getattr(Preferences(), name))
        for name in _THRESHOLDS
    )
    is_large = Exists(alike[many:])
    return _lots(Lot.objects.filter(pk__among=lot_ids), is_large, *thresholds)


_KINDS: Final = Prepared(_kinds, lot_ids=IDS, owner=WHOLE)


def _read(
    rows: QuerySet[Location], part: Slot, weight: Value | None = None
) -> QuerySet[Location, Any]:
    return rows.order_by().values_list(*_COLUMNS, weight or unknown_weight(), part)


_NAMED_PLACES: Final = Prepared(
    lambda owner, ids, part: _read(Location.objects.filter(owner=owner, pk__among=ids), part),
    owner=WHOLE,
    ids=IDS,
    part=WHOLE,
)
#: What the queries of a lot are bound to.
_OF_A_LOT: Final = {
    "owner": WHOLE,
    "part": WHOLE,
    "near": TEXT,
    "quantity": WHOLE,
    "grams": DECIMAL,
    "total": DECIMAL,
    "full": IDS,
}


def _fitting(asked: Set[str], lot: Mapping[str, Slot]) -> QuerySet[Location]:
    """Return the locations that take it. `why_not_fit` decides; this keeps the rest unread."""
    rows = Location.objects.filter(
        Q(max_item_count=None) | Q(max_item_count__gte=F("item_count") + lot["quantity"]),
        owner=lot["owner"],
        is_full=False,
        exclude_from_recommendations=False,
    )
    if "grams" in asked:
        total = F("stored_weight") + lot["total"]
        rows = rows.filter(
            Q(max_total_weight=None) | Q(max_total_weight__gte=total),
            Q(min_item_weight=None) | Q(min_item_weight__lte=lot["grams"]),
            Q(max_item_weight=None) | Q(max_item_weight__gte=lot["grams"]),
        )
    # Those without room for it besides the planned lots.
    return rows.exclude(pk__among=lot["full"]) if "full" in asked else rows


def _neighbours(
    asked: Set[str], most: int, looked_into: int, types: int, **lot: Slot
) -> QuerySet[Location, Any]:
    """Return the roomiest of the locations that hold something of the category.

    Of a large category the roomiest of all locations are asked first, for its lots are thousands.
    Else from its lots to the stock of them: location by location, a rare one would read all stock.
    """
    filled = _fitting(asked, lot).filter(item_count__gt=0)
    if "apart" in asked:
        filled = filled.exclude(pk__among=lot["apart"])
    # The own limit of a location, else the learnt one of its type, else none.
    learnt = [
        When(container_type_id=Slot(f"type_{n}", WHOLE), then=Slot(f"most_{n}", WHOLE))
        for n in range(types)
    ]
    if "typeless" in asked:
        learnt.append(When(container_type_id=None, then=lot["typeless"]))
    limit: Any = F("max_item_count")
    if learnt:
        limit = Coalesce(limit, Case(*learnt, output_field=IntegerField()))
    room = (limit - F("item_count")).desc(nulls_first=True)
    order = (room, _is_behind(lot["near"]), "sort_key", "pk")
    stock = InventoryItem.objects.owned_by(lot["owner"]).in_stock_listed().order_by()
    if looked_into:
        roomiest = filled.order_by(*order).values("pk")[: looked_into * most]
        holding = stock.filter(location=_LookedInto(), lot__item__category_id=lot["category"])
        chosen: Any = _FirstHolding(roomiest, holding, most)
    else:
        of_lots = stock.filter(lot__in=_lots_of_category(lot["category"]))
        holding = Q(pk__in=of_lots.values("location"))
        # IS TRUE keeps PostgreSQL from a join: it looks each location up among those that it found.
        is_true = {"template": "(%(expressions)s) IS TRUE", "output_field": BooleanField()}
        holds = filled.filter(Func(holding, **is_true))
        chosen = holds.order_by(*order).values("pk")[:most]
    return _read(Location.objects.filter(pk__in=chosen), lot["part"])


_NEIGHBOURS: Final = Prepared(_neighbours, **_OF_A_LOT, apart=IDS, category=WHOLE, typeless=WHOLE)


def _empty(
    asked: Set[str], most: int, is_typeless_cramped: bool, **lot: Slot
) -> QuerySet[Location, Any]:
    """Return empty locations: those of a type that suits the lot first, then the nearest."""
    order: list[Any] = []
    # Without any the case would be a bare 1, by which PostgreSQL orders the first column.
    if "planned" in asked:
        order.append(Case(When(pk__among=lot["planned"], then=Value(1)), default=Value(0)))
    tight = Q(container_type_id__among=lot["cramped"]) if "cramped" in asked else Q()
    if is_typeless_cramped:
        tight |= Q(container_type_id=None)
    if tight:
        order.append(Case(When(tight, max_item_count=None, then=Value(1)), default=Value(0)))
    if "types" in asked:
        suits = When(container_type_id__among=lot["types"], then=Value(0))
        order.append(Case(suits, default=Value(1)))
    rows = _fitting(asked, lot).filter(item_count=0)
    nearest = rows.order_by(*order, _is_behind(lot["near"]), "sort_key", "pk").values("pk")
    return _read(Location.objects.filter(pk__in=nearest[:most]), lot["part"], Value(0))


_EMPTY: Final = Prepared(_empty, **_OF_A_LOT, planned=IDS, cramped=IDS, types=IDS)


def _stock_rows(owner: Slot, item_ids: Slot) -> QuerySet[Any, Any]:
    # Filter by the items' lots: they are few, and the index inventoryitem_of_a_lot finds each.
    lots = Lot.objects.filter(item_id__among=item_ids).values("pk")
    return (
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


_STOCK: Final = Prepared(_stock_rows, owner=WHOLE, item_ids=IDS)


def _stock_of(owner: User, item_ids: Set[int]) -> defaultdict[int | None, dict[int, _Here]]:
    """Return item id -> location id -> its stock there in every colour, sold-out rows included."""
    rows = _STOCK.rows(owner=owner.pk, item_ids=item_ids)
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


class _LookedInto(Expression):
    """The location that `_FirstHolding` looks into."""

    output_field = IntegerField()

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        return '"looked_into"."pk"', []


class _FirstHolding(Func):
    """The ids of the first `most` locations, in their order, that hold something.

    They are looked into one after the other, until so many are found. Of an `EXISTS`, PostgreSQL
    would make a join, which has no order, or collect all that hold something first.
    """

    template = '(SELECT "pk" FROM %(expressions)s IS NOT NULL LIMIT %(most)s)'
    arg_joiner = ' AS "looked_into" WHERE '
    output_field = IntegerField()

    def __init__(self, locations: QuerySet[Any, Any], holding: QuerySet[Any], most: int) -> None:
        super().__init__(Subquery(locations), Subquery(holding.values("pk")[:1]), most=most)


def _lots_of_category(category_id: Slot) -> QuerySet[Lot]:
    lots = Lot.objects.order_by()
    if connection.vendor != "postgresql":
        return lots.filter(item__category_id=category_id)
    # Joined to the category's items, PostgreSQL reads all half a million lots of a full catalogue.
    items = Item.objects.filter(category_id=category_id).order_by().values("pk")
    is_any = {"template": "%(expressions)s)", "arg_joiner": " = ANY("}
    return lots.filter(
        Func(F("item_id"), ArraySubquery(items), **is_any, output_field=BooleanField())
    )


def _is_behind(near: Slot) -> Case:
    return Case(When(sort_key__gte=near, then=Value(0)), default=1)

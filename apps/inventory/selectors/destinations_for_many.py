"""The first recommendation for each of many lots, for stowing a batch."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import nlargest
from typing import Any, Final, NamedTuple

from django.db.models import Sum

from apps.catalog.models import Lot
from apps.inventory.models import InventoryItem
from apps.inventory.rules.ranking import Candidate, rank_destinations, room_left
from apps.locations.models import Location
from apps.locations.rules.sizes import keeps_colors_apart
from apps.locations.services.capacity import learnt_limits
from apps.locations.services.rooms import EMPTY, Load

# How many of each kind are weighed against each other; the rest are worse in any case.
LOOKED_AT: Final = 20


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
    grams: Decimal | None


@dataclass(slots=True)
class _Place:
    """A location as it would be with all that was given to it so far."""

    id: int
    name: str
    sort_key: str
    container_type_id: int | None
    item_count: int
    stored_weight: Decimal
    max_item_count: int | None
    max_total_weight: Decimal | None
    min_item_weight: Decimal | None
    max_item_weight: Decimal | None
    size_class: str | None
    #: The pieces that places like it stay within.
    learnt_limit: int | None = None
    #: Meant for it and not in it: takes room, but the place is as empty as it is.
    planned: Load = EMPTY
    categories: set[int | None] = field(default_factory=set)

    @property
    def has_known_size(self) -> bool:
        return keeps_colors_apart(self.size_class or "", self.learnt_limit) is not None

    @property
    def room(self) -> int:
        """The pieces that it takes by its own limit, else by the learnt one."""
        pieces = self.item_count + self.planned.pieces
        return room_left(self.max_item_count, self.learnt_limit, pieces)

    def takes(self, quantity: int) -> bool:
        """Whether its own limit allows so many more."""
        return self.max_item_count is None or self.room >= quantity

    def candidate(self, **also: Any) -> Candidate:
        pieces, grams = self.max_item_count, self.max_total_weight
        return Candidate(
            id=self.id,
            name=self.name,
            sort_key=self.sort_key,
            item_count=self.item_count,
            stored_weight=self.stored_weight,
            max_item_count=None if pieces is None else pieces - self.planned.pieces,
            max_total_weight=None if grams is None else grams - self.planned.grams,
            min_item_weight=self.min_item_weight,
            max_item_weight=self.max_item_weight,
            is_full=False,
            is_excluded=False,
            size_class=self.size_class or "",
            learnt_limit=(
                None if self.learnt_limit is None else self.learnt_limit - self.planned.pieces
            ),
            **also,
        )


_COLUMNS: Final = (
    "id",
    "name",
    "sort_key",
    "container_type_id",
    "item_count",
    "stored_weight",
    "max_item_count",
    "max_total_weight",
    "min_item_weight",
    "max_item_weight",
    "container_type__size_class",
)
# Condition -> pieces of one lot in one place.
_Here = dict[str, int]


def recommend_for_many(
    *, owner: Any, wanted: Mapping[int, Wanted], planned: Mapping[int, Load]
) -> dict[int, int]:
    """Return key -> location id: the first recommendation of `recommend_destinations` for each.

    Each lot of `wanted` is placed after the ones before it, and after what is `planned` for a
    location (by its id) and not in it yet. Lots that fit nowhere are skipped.
    """
    chooser = _Chooser(owner, {one.lot_id for one in wanted.values()}, planned)
    chosen = {key: chooser.choose(one) for key, one in wanted.items()}
    return {key: place for key, place in chosen.items() if place is not None}


class _Chooser:
    def __init__(self, owner: Any, lot_ids: set[int], planned: Mapping[int, Load]) -> None:
        self._kinds = {
            pk: _Kind(item_id, category_id, grams)
            for pk, item_id, category_id, grams in Lot.objects.filter(pk__in=lot_ids).values_list(
                "pk", "item_id", "item__category_id", "item__weight_grams"
            )
        }
        open_places = Location.objects.owned_by(owner).filter(
            is_full=False, exclude_from_recommendations=False
        )
        self._places = {
            row[0]: _Place(*row)
            for row in open_places.order_by("sort_key", "pk").values_list(*_COLUMNS)
        }
        learnt = learnt_limits(owner=owner)
        for place in self._places.values():
            place.learnt_limit = learnt.get(place.container_type_id)
        for place_id, load in planned.items():
            if place_id in self._places:
                self._places[place_id].planned = load
        self._homes = _homes_of(owner, lot_ids)
        self._of_items = _sized_homes_of_items(
            owner,
            {kind.item_id for kind in self._kinds.values() if kind.item_id is not None},
            {place.id for place in self._places.values() if place.has_known_size},
        )
        for category_id, location_id in _places_of_categories(
            owner, {kind.category_id for kind in self._kinds.values()}
        ):
            if location_id in self._places:
                self._places[location_id].categories.add(category_id)
        self._near = ""

    def choose(self, wanted: Wanted) -> int | None:
        """Return the best place for it, and count it in there."""
        kind = self._kinds.get(wanted.lot_id, _Kind(None, None, None))
        if wanted.grams is not None:
            kind = kind._replace(grams=wanted.grams)
        homes = self._homes[wanted.lot_id]
        beside = self._other_colors(kind, wanted.lot_id, homes)
        neighbours = self._neighbours(kind, {*homes, *beside}, wanted.quantity)
        for candidates in (
            self._at_home(homes, wanted.condition),
            [self._places[pk].candidate(other_colors=there) for pk, there in beside.items()],
            [at.candidate(has_category=True) for at in neighbours if at.room >= wanted.quantity],
            self._empty(homes, neighbours, wanted.quantity, is_planned=False),
            self._empty(homes, neighbours, wanted.quantity, is_planned=True),
            [at.candidate(has_category=True) for at in neighbours],
        ):
            best = rank_destinations(
                candidates,
                quantity=wanted.quantity,
                piece_grams=kind.grams,
                near=self._near,
                limit=1,
            )
            if best:
                return self._give(best[0].candidate.id, wanted, kind)
        return None

    def _give(self, place_id: int, wanted: Wanted, kind: _Kind) -> int:
        place = self._places[place_id]
        place.item_count += wanted.quantity
        place.stored_weight += (kind.grams or Decimal(0)) * wanted.quantity
        place.categories.add(kind.category_id)
        here = self._homes[wanted.lot_id].setdefault(place_id, {})
        here[wanted.condition] = here.get(wanted.condition, 0) + wanted.quantity
        if place.has_known_size and kind.item_id is not None:
            colors = self._of_items[kind.item_id].setdefault(place_id, {})
            colors[wanted.lot_id] = colors.get(wanted.lot_id, 0) + wanted.quantity
        self._near = place.sort_key
        return place_id

    def _at_home(self, homes: Mapping[int, _Here], condition: str) -> list[Candidate]:
        return [
            self._places[place_id].candidate(
                same_condition=here.get(condition, 0),
                other_condition=sum(here.values()) - here.get(condition, 0),
                lived_here=True,
            )
            for place_id, here in homes.items()
            if place_id in self._places
        ]

    def _other_colors(self, kind: _Kind, lot_id: int, homes: Mapping[int, _Here]) -> dict[int, int]:
        """Return the number of other colours of the item, by location of a known size."""
        if kind.item_id is None:
            return {}
        return {
            place_id: there
            for place_id, colors in self._of_items[kind.item_id].items()
            if place_id not in homes and (there := sum(colors.values()) - colors.get(lot_id, 0))
        }

    def _neighbours(self, kind: _Kind, elsewhere: Set[int], quantity: int) -> list[_Place]:
        if kind.category_id is None:
            return []
        fitting = (
            place
            for place in self._places.values()
            if kind.category_id in place.categories
            and place.item_count
            and place.takes(quantity)
            and place.id not in elsewhere
        )
        return nlargest(LOOKED_AT, fitting, key=lambda place: place.room)

    def _empty(
        self,
        homes: Mapping[int, _Here],
        neighbours: Iterable[_Place],
        quantity: int,
        *,
        is_planned: bool,
    ) -> list[Candidate]:
        """Return the nearest empty places, those of a suitable type first.

        With `is_planned` only those that something is planned for, else only the others.
        """
        types = {place.container_type_id for place in neighbours}
        types |= {self._places[pk].container_type_id for pk in homes if pk in self._places}
        types.discard(None)
        found: dict[tuple[bool, bool, bool], list[Candidate]] = defaultdict(list)
        for place in self._places.values():
            if place.item_count or not place.takes(quantity) or place.id in homes:
                continue
            if (place.planned != EMPTY) is not is_planned:
                continue
            suits = place.container_type_id in types
            is_tight = place.room < quantity
            of_its_like = found[is_tight, not suits, place.sort_key < self._near]
            if len(of_its_like) < LOOKED_AT:
                of_its_like.append(place.candidate(type_suits=suits))
        return [candidate for order in sorted(found) for candidate in found[order]]


def _homes_of(owner: Any, lot_ids: set[int]) -> defaultdict[int, dict[int, _Here]]:
    """Return lot id -> location id -> pieces by condition, sold-out rows included."""
    homes: defaultdict[int, dict[int, _Here]] = defaultdict(dict)
    rows = (
        InventoryItem.objects.owned_by(owner)
        .filter(lot_id__in=lot_ids, location__isnull=False)
        .order_by()
        .values_list("lot_id", "location_id", "condition")
        .annotate(pieces=Sum("quantity"))
    )
    for lot_id, location_id, condition, pieces in rows:
        homes[lot_id].setdefault(location_id, {})[condition] = pieces
    return homes


def _sized_homes_of_items(
    owner: Any, item_ids: set[int], sized: set[int]
) -> defaultdict[int, dict[int, dict[int, int]]]:
    """Return item id -> location id -> lot id -> pieces, in these locations."""
    homes: defaultdict[int, dict[int, dict[int, int]]] = defaultdict(dict)
    if not sized:
        return homes
    lots = Lot.objects.filter(item_id__in=item_ids)
    rows = (
        InventoryItem.objects.owned_by(owner)
        .in_stock()
        .filter(lot_id__in=lots.values("pk"), location__isnull=False)
        .order_by()
        .values_list("lot__item_id", "location_id", "lot_id")
        .annotate(pieces=Sum("quantity"))
    )
    for item_id, location_id, lot_id, pieces in rows:
        if location_id in sized:
            homes[item_id].setdefault(location_id, {})[lot_id] = pieces
    return homes


def _places_of_categories(owner: Any, category_ids: set[int | None]) -> Iterable[tuple[int, int]]:
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

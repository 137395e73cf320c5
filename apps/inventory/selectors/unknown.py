"""The numbers in stock that are not in the catalogue, and the candidates of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import OrderBy

from apps.catalog.models import Color, ElementCode, Item, ItemAlias, ItemRelation
from apps.catalog.models.choices import RelationKind
from apps.catalog.rules.kinds import NO_COLOR, Catalogue, item_type_of
from apps.catalog.rules.text import number_key
from apps.catalog.selectors.faces import item_image
from apps.catalog.selectors.resolving import LotIdentity, resolve_lots
from apps.core.natural import NaturalOrder
from apps.core.worth import lots_without_price, total_worth
from apps.inventory.models import InventoryItem, NumberChoice
from apps.inventory.rules.unknown import (
    MOST_CANDIDATES,
    Likeness,
    Why,
    element_of,
    like_numbers,
    rank_of,
    why_unknown,
)

ORDERS: Final[Mapping[str, F | NaturalOrder]] = {
    "value": F("worth"),
    "lots": F("row_count"),
    "quantity": F("pieces"),
    "item_number": NaturalOrder("number"),
}
_OF_A_NAME: Final = 20


class Number(NamedTuple):
    """What rows without a catalogue lot share; `name` only where they have no number."""

    item_type: str
    number: str
    name: str

    @classmethod
    def of(cls, row: InventoryItem) -> "Number":
        """Return the number of an unknown row."""
        name = "" if row.raw_item_number else row.raw_item_name
        return cls(row.raw_item_type, row.raw_item_number, name)


@dataclass(slots=True)
class Candidate:
    """An item that an unknown number may mean."""

    item_id: int
    item_number: str
    item_type: str
    item_name: str
    image_url: str | None
    likeness: Likeness


@dataclass(slots=True)
class Unknown:
    """Why a number is unknown, and its candidates, the likeliest first."""

    why: Why
    candidates: list[Candidate] = field(default_factory=list)


def unknown_rows(owner: Any) -> QuerySet[Any]:
    """Return the rows in stock that are not in the catalogue, annotated for `Number`."""
    nameless = Case(
        When(raw_item_number="", then=F("raw_item_name")),
        default=Value(""),
        output_field=CharField(),
    )
    rows = InventoryItem.objects.owned_by(owner).filter(lot=None)
    return rows.annotate(number=F("raw_item_number"), number_name=nameless)


def unknown_numbers(*, owner: Any, is_own: bool = False) -> QuerySet[Any]:
    """Return one mapping per unknown number; with `is_own` those that were kept as own items.

    Keys: raw_item_type, number, number_name, first_id, part_name, row_count, pieces, worth,
    unpriced, color_count, color.
    """
    kept = NumberChoice.objects.owned_by(owner).filter(
        item=None,
        item_type=OuterRef("raw_item_type"),
        number=OuterRef("number"),
        name=OuterRef("number_name"),
    )
    rows = unknown_rows(owner).filter(quantity__gt=0)
    return (
        rows.filter(Exists(kept) if is_own else ~Exists(kept))
        .order_by()
        .values("raw_item_type", "number", "number_name")
        .annotate(
            first_id=Min("id"),
            part_name=Max("raw_item_name"),
            row_count=Count("id"),
            pieces=Sum("quantity"),
            worth=total_worth(),
            unpriced=lots_without_price(),
            color_count=Count("raw_color_id", distinct=True),
            color=Min("raw_color_id"),
        )
    )


def ordered_numbers(groups: QuerySet[Any], terms: Iterable[tuple[str, bool]]) -> QuerySet[Any]:
    """Order numbers by (wire name, descends) terms, always ending in the number itself."""
    columns = [OrderBy(ORDERS[name], descending=down) for name, down in terms]
    return groups.order_by(*columns, "first_id")


def rows_of(*, owner: Any, number: Number) -> QuerySet[Any]:
    """Return all rows of an unknown number, also those at 0."""
    rows = unknown_rows(owner).filter(raw_item_type=number.item_type, number=number.number)
    return rows if number.number else rows.filter(number_name=number.name)


def explained(groups: Sequence[Mapping[str, Any]], *, owner: Any) -> list[Unknown]:
    """Return the reason and the candidates of each number of a page, in a fixed number of queries."""
    search = _Search(groups, owner)
    return [search.answer(place) for place in range(len(groups))]


class _Search:
    """The candidates of many numbers at once."""

    def __init__(self, groups: Sequence[Mapping[str, Any]], owner: Any) -> None:
        self.groups = groups
        self.types = [item_type_of(group["raw_item_type"]) for group in groups]
        self.items: dict[int, Item] = {}
        #: By place in `groups`: item id -> how it was found.
        self.found: list[dict[int, Likeness]] = [{} for _ in groups]
        colors = {group["color"] or NO_COLOR for group in groups}
        self.colors = {color.pk: color for color in Color.objects.filter(pk__in=colors)}
        self._resolved(owner)
        stems = self._like()
        self._aliases()
        self._elements()
        self._names()
        self._relations(stems)

    def answer(self, place: int) -> Unknown:
        group, found = self.groups[place], self.found[place]
        color = self.colors.get(group["color"] or NO_COLOR)
        why = why_unknown(group["number"], likenesses=found.values(), knows_color=color is not None)
        items = sorted(
            (self.items[pk] for pk in found),
            key=lambda item: (
                *rank_of(found[item.pk], has_same_name=item.name == group["part_name"]),
                item.origin != Catalogue.BRICKLINK,  # whose numbers buyers search for
                item.sort_key,
            ),
        )
        return Unknown(
            why,
            [
                Candidate(
                    item_id=item.pk,
                    item_number=item.number,
                    item_type=item.item_type,
                    item_name=item.name,
                    image_url=item_image(
                        item.item_type,
                        item.number,
                        item.image_url,
                        item.origin,
                        item.face,
                        None if color is None else color.pk,
                        None if color is None else color.rgb,
                    ),
                    likeness=found[item.pk],
                )
                for item in items[:MOST_CANDIDATES]
            ],
        )

    def _add(self, place: int, item: Item, likeness: Likeness) -> None:
        found = self.found[place]
        if self.types[place] not in (None, item.item_type):
            if likeness not in (Likeness.NUMBER, Likeness.TYPE):
                return
            likeness = Likeness.TYPE
        self.items[item.pk] = item
        order = list(Likeness).index
        if item.pk not in found or order(likeness) < order(found[item.pk]):
            found[item.pk] = likeness

    def _resolved(self, owner: Any) -> None:
        """Find what files would be read as by now, such as after an import of the catalogue."""
        asked = {
            place: LotIdentity(group["raw_item_type"], group["number"], group["color"])
            for place, group in enumerate(self.groups)
            if group["number"]
        }
        answers = resolve_lots(asked.values(), person=owner)
        ids = {answer.item_id for answer in answers.values()} - {None}
        items = Item.objects.in_bulk(ids)
        for place, identity in asked.items():
            item = items.get(answers[identity].item_id or 0)
            if item is not None:
                self._add(place, item, Likeness.NUMBER)

    def _like(self) -> dict[int, list[int]]:
        """Find items by numbers like each; return the places that each item is like."""
        wanted: dict[str, list[tuple[int, Likeness]]] = {}
        for place, group in enumerate(self.groups):
            for key, likeness in like_numbers(group["number"]).keys().items():
                wanted.setdefault(key, []).append((place, likeness))
        stems: dict[int, list[int]] = {}
        for item in Item.objects.filter(number_key__in=wanted).order_by("pk"):
            for place, likeness in wanted[item.number_key]:
                self._add(place, item, likeness)
                if item.pk in self.found[place]:
                    stems.setdefault(item.pk, []).append(place)
        return stems

    def _aliases(self) -> None:
        keys: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            if group["number"]:
                keys.setdefault(number_key(group["number"]), []).append(place)
        aliases = ItemAlias.objects.filter(value_key__in=keys).select_related("item")
        for alias in aliases.order_by("pk"):
            for place in keys[alias.value_key]:
                self._add(place, alias.item, Likeness.FORMER)

    def _elements(self) -> None:
        codes: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            if code := element_of(group["number"]):
                codes.setdefault(code, []).append(place)
        if not codes:
            return
        found = ElementCode.objects.filter(code__in=codes).select_related("lot__item")
        for told in found.order_by("pk"):
            for place in codes[told.code]:
                self._add(place, told.lot.item, Likeness.ELEMENT)

    def _names(self) -> None:
        names: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            if group["part_name"]:
                names.setdefault(group["part_name"], []).append(place)
        seen: dict[str, int] = {}
        for item in Item.objects.filter(name__in=names).order_by("is_retired", "pk"):
            seen[item.name] = seen.get(item.name, 0) + 1
            if seen[item.name] <= _OF_A_NAME:
                for place in names[item.name]:
                    self._add(place, item, Likeness.NAME)

    def _relations(self, stems: Mapping[int, Iterable[int]]) -> None:
        """Find mould variants and alternates of items similar to a number."""
        kinds = [RelationKind.MOULD, RelationKind.ALTERNATE]
        related = ItemRelation.objects.filter(
            Q(child__in=stems) | Q(parent__in=stems), kind__in=kinds
        ).select_related("child", "parent")
        for relation in related.order_by("pk"):
            for one, other in (
                (relation.child, relation.parent),
                (relation.parent, relation.child),
            ):
                for place in stems.get(one.pk, ()):
                    self._add(place, other, Likeness.RELATED)

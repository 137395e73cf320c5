"""The numbers in stock and in batches that are not in the catalogue, and the candidates of each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.db import connection
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

from apps.accounts.models import User
from apps.catalog.models import Color, ElementCode, Item, ItemAlias, ItemRelation
from apps.catalog.models.choices import RelationKind
from apps.catalog.rules.kinds import NO_COLOR, Catalogue, ItemType, item_type_of
from apps.catalog.rules.text import number_key
from apps.catalog.selectors.faces import item_image
from apps.catalog.selectors.resolving import LotIdentity, resolve_lots
from apps.core.natural import natural_key
from apps.core.prepared import WHOLE, Prepared, Slot
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
from apps.inventory.selectors.renumbered import BATCH_ITEMS
from apps.lots.models import LotFields

#: The tables whose lots are named, in the order in which they are locked; "" is the stock.
NAMED: Final = (BATCH_ITEMS, "")
ORDERS: Final[Mapping[str, Callable[["UnknownNumber"], Any]]] = {
    "value": lambda one: one.value,
    "lots": lambda one: one.lots,
    "quantity": lambda one: one.quantity,
    "item_number": lambda one: natural_key(one.number.number),
}
_OF_A_NAME: Final = 20
#: What rows of one number share, as `unknown_rows` annotates them.
_NUMBER: Final = ("raw_item_type", "number", "number_name")


class Number(NamedTuple):
    """What rows without a catalogue lot share; `name` only where they have no number."""

    item_type: str
    number: str
    name: str

    @classmethod
    def of(cls, row: LotFields) -> "Number":
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


def lots_of(owner: User | Slot, table: str = "") -> QuerySet[Any]:
    """Return the rows of stock, or the items of batches that are not archived."""
    rows: QuerySet[Any] = model_of(table)._default_manager.filter(owner=owner)
    return rows.filter(batch__is_ready=True, batch__is_archived=False) if table else rows


def model_of(table: str) -> Any:
    """Return the model of one of NAMED."""
    return apps.get_model(table) if table else InventoryItem


def with_pieces(rows: QuerySet[Any], table: str) -> QuerySet[Any]:
    """Return the rows that are counted: pieces of stowed items are in the stock."""
    rows = rows.filter(quantity__gt=0)
    return rows.filter(is_stowed=False) if table else rows


def unknown_rows(owner: User | Slot, table: str = "") -> QuerySet[Any]:
    """Return the rows that are not in the catalogue, annotated for `Number`."""
    nameless = Case(
        When(raw_item_number="", then=F("raw_item_name")),
        default=Value(""),
        output_field=CharField(),
    )
    # An unsorted lot is a lot of its own: pieces that were skipped share nothing but a name.
    rows = lots_of(owner, table).filter(lot=None).exclude(raw_item_type="U", raw_item_number="")
    return rows.annotate(number=F("raw_item_number"), number_name=nameless)


@dataclass(slots=True, kw_only=True)
class Counted:
    """What is counted of a number or a word; ids are the oldest row's in stock, and in batches."""

    item_id: int | None = None
    batch_item_id: int | None = None
    lots: int = 0
    batch_lots: int = 0
    quantity: int = 0
    value: Decimal = Decimal(0)
    lots_without_price: int = 0

    def add(self, group: Mapping[str, Any]) -> None:
        """Add a group of rows of one table, as `counted_by` gives it."""
        self.lots += group["row_count"]
        self.quantity += group["pieces"]
        self.value += group["worth"]
        self.lots_without_price += group["unpriced"]
        if group["of_table"]:
            self.batch_lots += group["row_count"]
            self.batch_item_id = min(self.batch_item_id or group["first_id"], group["first_id"])
        else:
            self.item_id = min(self.item_id or group["first_id"], group["first_id"])

    @property
    def place(self) -> tuple[bool, int]:
        """What equal ones are ordered by: the oldest row of the stock first."""
        return self.item_id is None, self.item_id or self.batch_item_id or 0


def counted_by(
    columns: Iterable[str], rows_of_table: Callable[[str], QuerySet[Any]], **also: Any
) -> QuerySet[Any]:
    """Return the groups of rows with pieces of all tables, as `Counted` adds them."""
    first, *others = (
        with_pieces(rows_of_table(table), table)
        .order_by()
        .values(*columns)
        .annotate(
            first_id=Min("id"),
            row_count=Count("id"),
            pieces=Sum("quantity"),
            worth=total_worth(),
            unpriced=lots_without_price(),
            of_table=Value(table, CharField()),
            **also,
        )
        for table in NAMED
    )
    return first.union(*others, all=True)


@dataclass(slots=True, kw_only=True)
class UnknownNumber(Counted):
    """A number that the catalogue lacks, in all its lots."""

    number: Number
    part_name: str = ""
    colors: set[int | None] = field(default_factory=set)

    @property
    def color(self) -> int | None:
        """One of its colours."""
        return min((color for color in self.colors if color is not None), default=None)


class UnknownFigures(NamedTuple):
    """How many numbers are unknown, in how many lots; their worth, None without any price."""

    numbers: int
    lots: int
    value: Decimal | None


def unknown_numbers(*, owner: User, is_own: bool = False) -> list[UnknownNumber]:
    """Return the unknown numbers; with `is_own` those that were kept as own items."""
    found: dict[Number, UnknownNumber] = {}
    rows = partial(_asked_rows, owner, is_own)
    for group in counted_by((*_NUMBER, "raw_color_id"), rows, part_name=Max("raw_item_name")):
        number = Number(*(group[name] for name in _NUMBER))
        one = found.setdefault(number, UnknownNumber(number=number))
        one.add(group)
        one.colors.add(group["raw_color_id"])
        one.part_name = max(one.part_name, group["part_name"])
    return list(found.values())


def unknown_figures(owner: User) -> UnknownFigures:
    """Count the unknown numbers that were not kept as own items."""
    _, statement, params = _NUMBERS.bound(owner=owner.pk)
    names = ", ".join(_NUMBER)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(*), SUM(lots), SUM(worth), SUM(unpriced) FROM ("
            f"SELECT {names}, SUM(row_count) AS lots, SUM(worth) AS worth,"
            f" SUM(unpriced) AS unpriced FROM ({statement}) AS found GROUP BY {names}) AS numbers",
            params,
        )
        numbers, lots, worth, unpriced = cursor.fetchone()
    value = Decimal(str(worth or 0)) if lots != unpriced else None
    return UnknownFigures(numbers, int(lots or 0), value)


def _asked_rows(owner: User | Slot, is_own: bool, table: str) -> QuerySet[Any]:
    """Return the unknown rows whose numbers were kept as own items, or those of the others."""
    kept = NumberChoice.objects.owned_by(owner).filter(
        item=None,
        item_type=OuterRef("raw_item_type"),
        number=OuterRef("raw_item_number"),
        name=OuterRef("number_name"),
    )
    return unknown_rows(owner, table).filter(Exists(kept) if is_own else ~Exists(kept))


_NUMBERS: Final = Prepared(
    lambda owner: counted_by(_NUMBER, partial(_asked_rows, owner, False)), owner=WHOLE
)


def ordered_numbers(
    numbers: Iterable[UnknownNumber], terms: Sequence[tuple[str, bool]]
) -> list[UnknownNumber]:
    """Order numbers by (wire name, descends) terms, always ending in the number itself."""
    ordered = sorted(numbers, key=lambda one: one.place)
    for name, down in reversed(terms):
        ordered.sort(key=ORDERS[name], reverse=down)
    return ordered


def rows_of(*, owner: User, number: Number, table: str = "") -> QuerySet[Any]:
    """Return all rows of an unknown number, also those at 0."""
    rows = unknown_rows(owner, table).filter(raw_item_type=number.item_type, number=number.number)
    return rows if number.number else rows.filter(number_name=number.name)


def explained(groups: Sequence[UnknownNumber], *, owner: User) -> list[Unknown]:
    """Return the reason and the candidates of each number of a page, in a fixed number of queries."""
    search = _Search(groups, owner)
    return [search.answer(place) for place in range(len(groups))]


class _Search:
    """The candidates of many numbers at once."""

    def __init__(self, groups: Sequence[UnknownNumber], owner: User) -> None:
        self.groups = groups
        self.types = [item_type_of(group.number.item_type) for group in groups]
        self.items: dict[int, Item] = {}
        #: By place in `groups`: item id -> how it was found.
        self.found: list[dict[int, Likeness]] = [{} for _ in groups]
        colors = {group.color or NO_COLOR for group in groups}
        self.colors = {color.pk: color for color in Color.objects.filter(pk__in=colors)}
        self._resolved(owner)
        stems = self._like()
        self._aliases()
        self._elements()
        self._names()
        self._relations(stems)

    def answer(self, place: int) -> Unknown:
        group, found = self.groups[place], self.found[place]
        color = self.colors.get(group.color or NO_COLOR)
        is_said = group.color is not None or self.types[place] is not ItemType.PART
        why = why_unknown(
            group.number.number,
            likenesses=found.values(),
            knows_color=color is not None and is_said,
        )
        items = sorted(
            (self.items[pk] for pk in found),
            key=lambda item: (
                *rank_of(found[item.pk], has_same_name=item.name == group.part_name),
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
        item = item.replaced_by or item
        found = self.found[place]
        if self.types[place] not in (None, item.item_type):
            if likeness not in (Likeness.NUMBER, Likeness.TYPE):
                return
            likeness = Likeness.TYPE
        self.items[item.pk] = item
        order = list(Likeness).index
        if item.pk not in found or order(likeness) < order(found[item.pk]):
            found[item.pk] = likeness

    def _resolved(self, owner: User) -> None:
        """Find what files would be read as by now, such as after an import of the catalogue."""
        asked = {
            place: LotIdentity(group.number.item_type, group.number.number, group.color)
            for place, group in enumerate(self.groups)
            if group.number.number
        }
        answers = resolve_lots(asked.values(), person=owner)
        ids = {answer.item_id for answer in answers.values()} - {None}
        items = Item.objects.select_related("replaced_by").in_bulk(ids)
        for place, identity in asked.items():
            item = items.get(answers[identity].item_id or 0)
            if item is not None:
                self._add(place, item, Likeness.NUMBER)

    def _like(self) -> dict[int, list[int]]:
        """Find items by numbers like each; return the places that each item is like."""
        wanted: dict[str, list[tuple[int, Likeness]]] = {}
        for place, group in enumerate(self.groups):
            for key, likeness in like_numbers(group.number.number).keys().items():
                wanted.setdefault(key, []).append((place, likeness))
        stems: dict[int, list[int]] = {}
        for item in (
            Item.objects.filter(number_key__in=wanted).select_related("replaced_by").order_by("pk")
        ):
            for place, likeness in wanted[item.number_key]:
                self._add(place, item, likeness)
                if item.pk in self.found[place]:
                    stems.setdefault(item.pk, []).append(place)
        return stems

    def _aliases(self) -> None:
        keys: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            if group.number.number:
                keys.setdefault(number_key(group.number.number), []).append(place)
        aliases = ItemAlias.objects.filter(value_key__in=keys).select_related("item__replaced_by")
        for alias in aliases.order_by("pk"):
            for place in keys[alias.value_key]:
                self._add(place, alias.item, Likeness.FORMER)

    def _elements(self) -> None:
        codes: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            if code := element_of(group.number.number):
                codes.setdefault(code, []).append(place)
        if not codes:
            return
        found = ElementCode.objects.filter(code__in=codes).select_related("lot__item__replaced_by")
        for told in found.order_by("pk"):
            for place in codes[told.code]:
                self._add(place, told.lot.item, Likeness.ELEMENT)

    def _names(self) -> None:
        names: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            if group.part_name:
                names.setdefault(group.part_name, []).append(place)
        seen: dict[str, int] = {}
        for item in (
            Item.objects.filter(name__in=names)
            .select_related("replaced_by")
            .order_by("is_retired", "pk")
        ):
            seen[item.name] = seen.get(item.name, 0) + 1
            if seen[item.name] <= _OF_A_NAME:
                for place in names[item.name]:
                    self._add(place, item, Likeness.NAME)

    def _relations(self, stems: Mapping[int, Iterable[int]]) -> None:
        """Find mould variants and alternates of items similar to a number."""
        kinds = [RelationKind.MOULD, RelationKind.ALTERNATE]
        related = ItemRelation.objects.filter(
            Q(child__in=stems) | Q(parent__in=stems), kind__in=kinds
        ).select_related("child__replaced_by", "parent__replaced_by")
        for relation in related.order_by("pk"):
            for one, other in (
                (relation.child, relation.parent),
                (relation.parent, relation.child),
            ):
                for place in stems.get(one.pk, ()):
                    self._add(place, other, Likeness.RELATED)

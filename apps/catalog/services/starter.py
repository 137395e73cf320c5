"""The starter catalogue that the project carries, so that a newcomer finds something."""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final

from django.db import connection, transaction

from apps.catalog.models import (
    Category,
    Color,
    ColorAlias,
    Component,
    ElementCode,
    Item,
    ItemAlias,
    ItemInventory,
    Lot,
)
from apps.catalog.models.choices import AliasKind
from apps.catalog.rules.kinds import NO_COLOR, Catalogue, ItemType
from apps.catalog.rules.text import number_key
from apps.catalog.services.lots import ensure_lots
from apps.catalog.services.starter_library import load_library
from apps.catalog.services.texts import refresh_texts

FOLDER: Final = Path(__file__).resolve().parent.parent / "starter"
# Prints are in the large part only: without it their figures have no contents.
_CONTENTS: Final = (
    (ItemType.SET, "set_contents.csv"),
    (ItemType.MINIFIG, "minifig_contents.csv"),
)


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@cache
def starter_numbers() -> frozenset[str]:
    """Return the numbers of the common parts, which every installation has."""
    return frozenset(row["number"] for row in _rows("parts.csv"))


def load_colors() -> int:
    """Make the BrickLink colours that are missing, and their Rebrickable ids; return how many."""
    known = dict(Color.objects.values_list("pk", "part_count"))
    parts_in = Counter(number for row in _rows("parts.csv") for number in row["colors"].split())
    colors, uncounted, aliases = [], [], []
    for row in _rows("colors.csv"):
        number = int(row["id"])
        for rank, value in enumerate(row["rebrickable"].split()):
            aliases.append(
                ColorAlias(
                    color_id=number,
                    catalogue=Catalogue.REBRICKABLE,
                    kind=AliasKind.ID,
                    value=value,
                    rank=rank,
                    confidence=900,
                )
            )
        if number not in known:
            colors.append(
                Color(
                    pk=number,
                    name=row["name"],
                    rgb=row["rgb"],
                    color_type=row["type"],
                    is_trans=row["type"] == "Transparent" or "Trans-" in row["name"],
                    year_from=int(row["first_year"]) if row["first_year"] else None,
                    year_to=int(row["last_year"]) if row["last_year"] else None,
                    part_count=parts_in[row["id"]],
                    origin=Catalogue.BRICKLINK,
                )
            )
        elif known[number] == 0 and parts_in[row["id"]]:
            uncounted.append(Color(pk=number, part_count=parts_in[row["id"]]))
    taken = set(
        ColorAlias.objects.filter(catalogue=Catalogue.REBRICKABLE, kind=AliasKind.ID).values_list(
            "value", flat=True
        )
    )
    with transaction.atomic():
        Color.objects.bulk_create(colors)
        Color.objects.bulk_update(uncounted, ["part_count"])
        ColorAlias.objects.bulk_create(a for a in aliases if a.value not in taken)
    return len(colors)


@dataclass(frozen=True, slots=True)
class Loaded:
    """How many rows a load made; all zero when everything was there."""

    colors: int
    items: int
    lots: int
    components: int

    @property
    def anything(self) -> bool:
        return any((self.colors, self.items, self.lots, self.components))


def load_starter_catalog(*, now: datetime, whole: bool = False) -> Loaded:
    """Add missing rows of the starter catalogue; rows of a full import are unchanged.

    The small part has the commonest parts and is enough to try everything; the `whole` takes
    ten seconds more.
    """
    with transaction.atomic():
        colors = load_colors()
        _load_categories()
        items, lots = _load_items(), 0
        if whole:
            more_items, lots = load_library(FOLDER, now=now)
            items += more_items
        lots += _load_lots(now)
        _load_elements()
        components = sum(_load_contents(kind, name) for kind, name in _CONTENTS)
        if items or lots or components:
            _refresh_statistics()
        return Loaded(colors, items, lots, components)


def _refresh_statistics() -> None:
    """Analyse the loaded tables: PostgreSQL reads tables that it takes for empty row by row."""
    if connection.vendor == "postgresql":
        tables = ", ".join(model._meta.db_table for model in (Item, Lot, ItemInventory, Component))
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")


def _load_categories() -> None:
    rows = [(int(row["id"]), row["name"]) for row in _rows("categories.csv")]
    known = set(Category.objects.filter(pk__in=[pk for pk, _ in rows]).values_list("pk", flat=True))
    Category.objects.bulk_create(
        Category(pk=pk, name=name, path=name, origin=Catalogue.REBRICKABLE)
        for pk, name in rows
        if pk not in known
    )


def _load_items() -> int:
    categories = dict(Category.objects.values_list("pk", "path"))
    items: list[Item] = []
    others: dict[tuple[str, str], list[str]] = {}
    for row in _rows("parts.csv"):
        category = int(row["category"]) if row["category"] else None
        path = categories[category] if category else ""
        items.append(_item(ItemType.PART, row, category=category, path=path))
        others[ItemType.PART.value, row["number"]] = row["rebrickable"].split()
    items += [_item(ItemType.SET, row, path=row["theme"]) for row in _rows("sets.csv")]
    items += [_item(ItemType.MINIFIG, row, path=row["theme"]) for row in _rows("minifigs.csv")]
    known = set(
        Item.objects.filter(number__in={item.number for item in items}).values_list(
            "item_type", "number"
        )
    )
    made = [item for item in items if (item.item_type, item.number) not in known]
    if not made:
        return 0
    Item.objects.bulk_create(made)
    ItemAlias.objects.bulk_create(
        ItemAlias(
            item=item,
            catalogue=Catalogue.REBRICKABLE,
            kind=AliasKind.ID,
            value=value,
            value_key=number_key(value),
            rank=rank,
        )
        for item in made
        for rank, value in enumerate(others.get((item.item_type, item.number), ()))
    )
    refresh_texts(item_ids=[item.pk for item in made])
    return len(made)


def _item(kind: ItemType, row: dict[str, str], *, path: str, category: int | None = None) -> Item:
    return Item(
        item_type=kind.value,
        number=row["number"],
        number_key=number_key(row["number"]),
        name=row["name"],
        category_id=category,
        category_path=path,
        year_released=int(row["year"]) if row.get("year") else None,
        weight_grams=Decimal(row["weight_grams"]) if row["weight_grams"] else None,
        origin=Catalogue.BRICKLINK,
        name_from=Catalogue.OWN,
    )


def _ids(kind: ItemType, numbers: set[str]) -> dict[str, int]:
    rows = Item.objects.filter(item_type=kind.value, number__in=numbers)
    return dict(rows.values_list("number", "pk"))


def _load_lots(now: datetime) -> int:
    colors: dict[str, list[int]] = {
        row["number"]: [int(color) for color in row["colors"].split()] for row in _rows("parts.csv")
    }
    contained = [row for _, name in _CONTENTS for row in _rows(name)]
    parts = _ids(ItemType.PART, {*colors, *(row["part"] for row in contained)})
    pairs = [(parts[number], color) for number in colors for color in colors[number]]
    for kind, name in ((ItemType.SET, "sets.csv"), (ItemType.MINIFIG, "minifigs.csv")):
        numbers = {row["number"] for row in _rows(name)}
        pairs += [(item_id, NO_COLOR) for item_id in _ids(kind, numbers).values()]
    pairs += [(parts[row["part"]], int(row["color"])) for row in contained if row["part"] in parts]
    wanted = set(pairs)
    known = {
        (item_id, color_id): is_known
        for item_id, color_id, is_known in Lot.objects.filter(
            item_id__in={item_id for item_id, _ in wanted}
        ).values_list("item_id", "color_id", "is_known")
    }
    missing = wanted - known.keys()
    if missing:
        made = ensure_lots(pairs=sorted(missing), now=now, by=None)
        Lot.objects.filter(item_id__in={item for item, _ in made}, is_known=False).update(
            is_known=True
        )
    return len(missing)


def _load_elements() -> None:
    """Add LEGO's element ids of the starter's parts, except those that any lot of theirs has."""
    rows = list(_rows("elements.csv"))
    parts = _ids(ItemType.PART, {row["part"] for row in rows})
    of_parts = Lot.objects.filter(item_id__in=parts.values())
    lots = {
        (item_id, color_id): pk
        for pk, item_id, color_id in of_parts.values_list("pk", "item_id", "color_id")
    }
    known = set(ElementCode.objects.filter(lot__in=of_parts).values_list("code", flat=True))
    ElementCode.objects.bulk_create(
        (
            ElementCode(code=code, lot_id=lot_id, catalogue=Catalogue.REBRICKABLE)
            for row in rows
            if (lot_id := lots.get((parts.get(row["part"], 0), int(row["color"]))))
            for code in row["codes"].split()
            if code not in known
        ),
        batch_size=2_000,
    )


def _load_contents(kind: ItemType, name: str) -> int:
    whole = kind.value.lower()
    rows = list(_rows(name))
    items = _ids(kind, {row[whole] for row in rows})
    with_contents = set(
        ItemInventory.objects.filter(item_id__in=items.values()).values_list("item_id", flat=True)
    )
    parts = _ids(ItemType.PART, {row["part"] for row in rows})
    incomplete = {row[whole] for row in rows if row["part"] not in parts}
    missing = {
        number: pk
        for number, pk in items.items()
        if pk not in with_contents and number not in incomplete
    }
    if not missing:
        return 0
    inventories = {
        inventory.item_id: inventory
        for inventory in ItemInventory.objects.bulk_create(
            ItemInventory(
                item_id=item_id, catalogue=Catalogue.OWN, has_components=True, note="starter"
            )
            for item_id in missing.values()
        )
    }
    lots = {
        (item_id, color_id): lot_id
        for lot_id, item_id, color_id in Lot.objects.filter(item_id__in=parts.values()).values_list(
            "pk", "item_id", "color_id"
        )
    }
    made = Component.objects.bulk_create(
        Component(
            inventory=inventories[missing[row[whole]]],
            lot_id=lots[parts[row["part"]], int(row["color"])],
            quantity=int(row["quantity"]),
            is_spare=bool(row["is_spare"]),
        )
        for row in rows
        if row[whole] in missing
    )
    return len(made)

"""The large part of the starter catalogue: parts by number, their colours and element ids, and sets.

Read from two tables that `vision/ldraw/starter.py` makes, and written past the ORM: it is loaded
when the server starts for the first time.
"""

import csv
import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.db import connection

from apps.catalog.models import (
    Category,
    Color,
    CurrentFile,
    ElementCode,
    Item,
    ItemAlias,
    ItemText,
    Lot,
)
from apps.catalog.models.choices import AliasKind
from apps.catalog.rules.kinds import NO_COLOR, Catalogue, ItemType
from apps.catalog.rules.readers.formats import Table
from apps.catalog.rules.search_words import indexed_words, vocabulary_of, words_of_color
from apps.catalog.rules.text import number_key
from apps.catalog.services.texts import (
    TextRow,
    add_texts,
    add_words,
    refresh_texts,
    text_row,
)
from apps.core.bulk import allocate_ids, insert_missing, insert_rows, instant_text

PARTS: Final = "all_parts.csv.gz"
SETS: Final = "all_sets.csv.gz"
SLOT: Final = "starter catalogue"
# Whoever imported one of these has the whole of what is here, under the catalogues' own numbers.
_WHOLE: Final = (Table.RB_PARTS.value, f"{Table.BL_ITEMS} PART")

_ITEM: Final = (
    *("id", "item_type", "number", "number_key", "sort_key", "name", "category_id"),
    *("category_path", "year_released", "dimensions", "image_url", "face", "origin", "name_from"),
    *("is_retired", "created_at", "updated_at"),
)
_ALIAS: Final = (
    *("item_id", "catalogue", "kind", "value", "value_key", "rank", "confidence"),
    *("shared_elements", "is_current"),
)
_LOT: Final = (
    "id",
    "item_id",
    "color_id",
    "is_known",
    "composite_ssearch",
    "created_at",
    "updated_at",
)
_CODE: Final = ("code", "lot_id", "catalogue")
_R: Final = Catalogue.REBRICKABLE.value
# Of the columns of other numbers, in their order.
_NAMED: Final = (
    (_R, AliasKind.ID.value),
    (Catalogue.LDRAW.value, AliasKind.ID.value),
    (Catalogue.OWN.value, AliasKind.FORMER.value),
)
Row = tuple[Any, ...]


@dataclass
class _Rows:
    """What is written, table by table."""

    at: str
    items: list[Row] = field(default_factory=list)
    texts: list[TextRow] = field(default_factory=list)
    aliases: list[Row] = field(default_factory=list)
    lots: list[Row] = field(default_factory=list)
    codes: list[Row] = field(default_factory=list)
    confirmed: list[int] = field(default_factory=list)  # lots that somebody made
    touched: list[int] = field(default_factory=list)  # items that were there


def load_library(folder: Path, *, now: datetime) -> tuple[int, int]:
    """Add the parts and sets that are missing; return how many items and lots were made.

    Does nothing where these files were loaded, or a whole catalogue was imported. Call inside a
    transaction.
    """
    digest = hashlib.sha256()
    for name in (PARTS, SETS):
        digest.update((folder / name).read_bytes())
    loaded = CurrentFile.objects.filter(slot=SLOT, sha256=digest.hexdigest())
    if loaded.exists() or CurrentFile.objects.filter(slot__in=_WHOLE).exists():
        return 0, 0
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # For this transaction: the search lines of 70,000 items are written together.
            cursor.execute("SET LOCAL statement_timeout = 0")
    rows = _Rows(at=instant_text(now))
    _add_parts(rows, list(_table(folder / PARTS)))
    _add_sets(rows, list(_table(folder / SETS)))
    insert_rows(Item, _ITEM, rows.items)
    insert_missing(ItemAlias, _ALIAS, rows.aliases)
    add_texts(rows.texts)
    add_words(vocabulary_of(word for row in rows.texts for word in row[6].split()))
    insert_rows(Lot, _LOT, rows.lots)
    insert_rows(ElementCode, _CODE, rows.codes)
    Lot.objects.filter(pk__in=rows.confirmed).update(is_known=True)
    refresh_texts(item_ids=rows.touched)
    CurrentFile.objects.update_or_create(
        slot=SLOT,
        defaults={
            "name": PARTS,
            "sha256": digest.hexdigest(),
            "importer_version": 0,
            "rows": len(rows.items),
            "imported_at": now,
            "revision": 0,
        },
    )
    return len(rows.items), len(rows.lots)


def _table(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        table = csv.reader(file)
        next(table)
        yield from table


def _known(kind: ItemType) -> tuple[dict[str, int], dict[str, int]]:
    """Return the items of a type by their number, and by Rebrickable's."""
    items = Item.objects.filter(item_type=kind.value)
    aliases = ItemAlias.objects.filter(
        item__item_type=kind.value, catalogue=Catalogue.REBRICKABLE, kind=AliasKind.ID
    )
    return dict(items.values_list("number", "pk")), dict(aliases.values_list("value", "item_id"))


def _add_parts(rows: _Rows, table: list[list[str]]) -> None:
    numbers, answers = _known(ItemType.PART)
    paths = dict(Category.objects.values_list("pk", "path"))
    ids = iter(allocate_ids(Item, len(table)))
    words = dict(ItemText.objects.filter(item_type=ItemType.PART).values_list("pk", "words"))
    pairs: list[tuple[int, int, str]] = []
    for number, name, category, origin, *named, lots in table:
        others = [one.split() for one in named]
        item = numbers.get(number) or next((answers[n] for n in others[0] if n in answers), None)
        if item is None:
            item = next(ids)
            path = (int(category), paths[int(category)]) if category else (None, "")
            words[item] = _add_item(rows, item, ItemType.PART, number, name, origin, path, others)
        else:
            rows.touched.append(item)
            words.setdefault(item, indexed_words(number, name))
        rows.aliases += _aliases(item, others)
        for one in lots.split(";") if lots else ():
            color, _, codes = one.partition(":")
            pairs.append((item, int(color), codes))
    _add_lots(rows, pairs, words)


def _add_lots(rows: _Rows, pairs: list[tuple[int, int, str]], words: dict[int, str]) -> None:
    ends = {
        pk: f" {' '.join(words_of_color(name))}"
        for pk, name in Color.objects.values_list("pk", "name")
    }
    known = {
        (item, color): (lot, is_known)
        for lot, item, color, is_known in Lot.objects.values_list(
            "pk", "item_id", "color_id", "is_known"
        )
    }
    told = set(ElementCode.objects.values_list("code", flat=True))
    ids = iter(allocate_ids(Lot, len(pairs)))
    for item, color, codes in pairs:
        lot, is_known = known.get((item, color), (None, True))
        if lot is None:
            lot = next(ids)
            text = (words[item] + ends[color])[:700].rstrip()
            rows.lots.append((lot, item, color, True, text, rows.at, rows.at))
            known[item, color] = lot, True
        elif not is_known:
            rows.confirmed.append(lot)
        rows.codes += [(code, lot, _R) for code in codes.split() if code not in told]


def _add_sets(rows: _Rows, table: list[list[str]]) -> None:
    numbers, answers = _known(ItemType.SET)
    new = [row for row in table if row[0] not in numbers and row[0] not in answers]
    ids = iter(allocate_ids(Item, len(new)))
    words: dict[int, str] = {}
    for number, name, theme, year in new:
        item, others = next(ids), [[number]]
        path = (None, theme)
        words[item] = _add_item(rows, item, ItemType.SET, number, name, _R, path, others, int(year))
        rows.aliases += _aliases(item, others)
    _add_lots(rows, [(item, NO_COLOR, "") for item in words], words)


def _add_item(
    rows: _Rows,
    item: int,
    kind: ItemType,
    number: str,
    name: str,
    origin: str,
    category: tuple[int | None, str],
    others: list[list[str]],
    year: int | None = None,
) -> str:
    """Add an item with its search line; return the line's words."""
    also = sorted(value for some in others for value in some)
    text = text_row(item, kind.value, number, name, also, is_retired=False)
    rows.texts.append(text)
    rows.items.append(
        (
            *(item, kind.value, number, number_key(number), text[8], name, *category, year),
            *("", "", "", origin, Catalogue.OWN.value, False, rows.at, rows.at),
        )
    )
    return text[6]


def _aliases(item: int, others: list[list[str]]) -> Iterator[Row]:
    for (catalogue, kind), values in zip(_NAMED, others, strict=False):
        for rank, value in enumerate(values):
            yield (item, catalogue, kind, value, number_key(value), rank, 1000, 0, True)

"""The search lines of items, their order, the words of names, and the search text of lots.

Whoever changes an item's number, name, type, other numbers or retirement calls
`refresh_texts`; the database keeps the index behind it. Categories are not in it: a theme
("Castle / Black Knights") would bury what is named so under everything that is filed so.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from django.db import connection, transaction

from apps.catalog.models import Color, Item, ItemAlias, ItemText, Lot, SearchWord, VocabularyChange
from apps.catalog.rules.kinds import TYPE_ORDER
from apps.catalog.rules.search_words import (
    NAMELESS_RANK,
    RANK_SHIFT,
    RETIRED_RANK,
    indexed_words,
    join_lot_words,
    vocabulary_of,
    words_of,
)
from apps.core.bulk import insert_rows, update_rows
from apps.core.natural import natural_key

BATCH: Final = 20_000  # smaller ones make SQLite merge its index again and again

TextRow = tuple[int, str, int, str, int, int, str, str, str]
TEXT_COLUMNS: Final = (
    "item_id",
    "item_type",
    "type_order",
    "number_key",
    "name_rank",
    "rank_id",
    "words",
    "more",
    "sort_key",
)


def text_row(
    item_id: int,
    item_type: str,
    number: str,
    name: str,
    aliases: Iterable[str],
    *,
    is_retired: bool,
) -> TextRow:
    """Return the search line of an item, in the order of TEXT_COLUMNS."""
    rank = (len(name) or NAMELESS_RANK) + (RETIRED_RANK if is_retired else 0)
    words = indexed_words(number, name)
    own = set(words.split())
    also = dict.fromkeys(word for text in aliases for word in words_of(text) if word not in own)
    return (
        item_id,
        item_type,
        TYPE_ORDER[item_type],
        number.upper(),
        rank,
        (rank << RANK_SHIFT) + item_id,
        words,
        " ".join((f"={item_type.lower()}", *also)),
        natural_key(number),
    )


def refresh_texts(*, item_ids: Iterable[int]) -> int:
    """Bring the search lines of these items up to date; return how many were written."""
    written = 0
    remaining = iter(dict.fromkeys(item_ids))
    while batch := list(islice(remaining, BATCH)):
        written += _refresh_batch(batch)
    if written:
        _write_index_out()
    return written


def _write_index_out() -> None:
    """Bring PostgreSQL's indexes of words up to date at once.

    They collect new words in a list until a vacuum, and every search reads that whole list: 5 ms
    for each word after an import. A role that does not own them leaves it to the vacuum.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT gin_clean_pending_list(pg_class.oid) FROM pg_index "
                "JOIN pg_class ON pg_class.oid = indexrelid "
                "WHERE indrelid = 'catalog_itemtext'::regclass "
                "AND relname LIKE 'itemtext\\_lexemes%' AND pg_has_role(relowner, 'USAGE')"
            )


def _refresh_batch(item_ids: list[int]) -> int:
    aliases: dict[int, list[str]] = {}
    for item_id, value in (
        ItemAlias.objects.filter(item_id__in=item_ids)
        .order_by("pk")
        .values_list("item_id", "value")
    ):
        aliases.setdefault(item_id, []).append(value)
    wanted: dict[int, TextRow] = {}
    out_of_order: list[tuple[int, str]] = []
    for item_id, item_type, number, sort_key, name, is_retired, replaced_by in Item.objects.filter(
        pk__in=item_ids
    ).values_list("pk", "item_type", "number", "sort_key", "name", "is_retired", "replaced_by_id"):
        if sort_key != (key := natural_key(number)):
            out_of_order.append((item_id, key))
        if replaced_by is not None:
            continue  # the item in its place answers to its number
        wanted[item_id] = text_row(
            item_id,
            item_type,
            number,
            name,
            sorted(aliases.get(item_id, ())),
            is_retired=is_retired,
        )
    if out_of_order:
        with transaction.atomic():
            update_rows(Item, ["sort_key"], out_of_order)
    present = {
        row[0]: row for row in ItemText.objects.filter(pk__in=item_ids).values_list(*TEXT_COLUMNS)
    }
    changed = [row for item_id, row in wanted.items() if present.get(item_id) != row]
    gone = present.keys() - wanted.keys()
    if not changed and not gone:
        return 0
    with transaction.atomic():
        _replace(changed, ({row[0] for row in changed} & present.keys()) | gone)
        add_words(vocabulary_of(word for row in changed for word in row[6].split()))
        renamed = {
            row[0]: row[6] for row in changed if row[0] in present and present[row[0]][6] != row[6]
        }
        _refresh_lots(renamed)
    return len(changed) + len(gone)


def _replace(rows: list[TextRow], old: set[int]) -> None:
    if old:
        ItemText.objects.filter(pk__in=old).delete()
    add_texts(rows)


def add_texts(rows: list[TextRow]) -> None:
    """Insert search lines of items that have none."""
    if connection.vendor == "postgresql":
        insert_rows(ItemText, TEXT_COLUMNS, rows)
        return
    columns = ", ".join(TEXT_COLUMNS)
    marks = ", ".join(["%s"] * len(TEXT_COLUMNS))
    with connection.cursor() as cursor:
        # SQLite writes its index of words out after each statement: one takes a quarter of the
        # time that one a row takes.
        cursor.execute(
            f"CREATE TEMPORARY TABLE new_texts AS SELECT {columns} FROM catalog_itemtext WHERE 0"
        )
        cursor.executemany(f"INSERT INTO new_texts VALUES ({marks})", rows)
        cursor.execute(
            f"INSERT INTO catalog_itemtext ({columns}) "
            f"SELECT {columns} FROM new_texts ORDER BY rank_id"
        )
        cursor.execute("DROP TABLE new_texts")


def add_words(words: set[str]) -> None:
    """Remember the words that "did you mean" may offer."""
    remaining: Iterator[str] = iter(sorted(words))
    while batch := list(islice(remaining, BATCH)):
        known = set(SearchWord.objects.filter(pk__in=batch).values_list("pk", flat=True))
        new = [SearchWord(word=word) for word in batch if word not in known]
        if not new:
            continue
        with transaction.atomic():
            SearchWord.objects.bulk_create(new, ignore_conflicts=True)
            VocabularyChange.objects.create(added=len(new))


def _refresh_lots(words: dict[int, str]) -> None:
    """Bring the lots of renamed items up to date: item id -> its words."""
    if not words:
        return
    colors = dict(Color.objects.values_list("pk", "name"))
    changed = []
    for lot in Lot.objects.filter(item_id__in=words).only(
        "pk", "item_id", "color_id", "composite_ssearch"
    ):
        text = join_lot_words(words[lot.item_id], colors[lot.color_id])
        if lot.composite_ssearch != text:
            lot.composite_ssearch = text
            changed.append(lot)
    Lot.objects.bulk_update(changed, ["composite_ssearch"], batch_size=500)

"""Reading the word index: FTS5 on SQLite, GIN on PostgreSQL, both in ranking order."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import connection

from apps.catalog.rules.search_words import RANK_SHIFT, Term

# Above this many expected hits PostgreSQL walks the ranking and stops early; below it
# collects the hits and sorts them. Left alone it walks too often: long names come late.
WALK_FROM: Final = 10_000

# Each group is a word with its spellings: any of them, and all groups.
Groups = Sequence[Sequence[Term]]
# rank, number, type order, item id: sorts as hits are shown
Hit = tuple[int, str, int, int]


def groups_of(terms: Iterable[Term]) -> list[list[Term]]:
    """Return the groups of plain terms: one spelling each."""
    return [[term] for term in terms]


def hits_by_words(groups: Groups, item_type: str, limit: int) -> list[Hit]:
    """Return the best `limit` items that have all words. 1 to 2 queries."""
    if not groups:
        return []
    if connection.vendor == "postgresql":
        return _postgresql_hits(groups, item_type, limit)
    return _sqlite_hits(groups, item_type, limit)


def hits_by_number(key: str, item_type: str, limit: int) -> list[Hit]:
    """Return the items whose number is `key`. 1 query."""
    return _rows(
        "SELECT name_rank, number_key, type_order, item_id FROM catalog_itemtext "
        f"WHERE number_key = %s{_of_type(item_type)} ORDER BY name_rank, type_order LIMIT %s",
        (key, *_type_params(item_type), limit),
    )


def hits_by_prefix(key: str, item_type: str, limit: int) -> list[Hit]:
    """Return the best items whose number begins with `key`. 1 query."""
    collate = 'COLLATE "C"' if connection.vendor == "postgresql" else ""
    return _rows(
        "SELECT name_rank, number_key, type_order, item_id FROM catalog_itemtext "
        f"WHERE number_key {collate} >= %s AND number_key {collate} < %s{_of_type(item_type)} "
        f"ORDER BY name_rank, number_key {collate}, type_order LIMIT %s",
        (key, f"{key}\U0010ffff", *_type_params(item_type), limit),
    )


def _of_type(item_type: str) -> str:
    return " AND item_type = %s" if item_type else ""


def _type_params(item_type: str) -> tuple[str, ...]:
    return (item_type,) if item_type else ()


def _rows(sql: str, params: Sequence[Any]) -> list[Hit]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def _sqlite_hits(groups: Groups, item_type: str, limit: int) -> list[Hit]:
    """Read the index in its own order, which is the ranking, and stop at the limit.

    The order within names of one length is the item's age, so that last length is read
    whole and sorted by number.
    """
    match = " AND ".join(
        "(" + " OR ".join(f'"{term.word}"{"*" if term.is_prefix else ""}' for term in group) + ")"
        for group in groups
    )
    if item_type:
        match = f'{match} AND "={item_type.lower()}"'
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rowid FROM catalog_itemtext_fts WHERE catalog_itemtext_fts MATCH %s "
            "ORDER BY rowid LIMIT %s",
            (match, limit),
        )
        ranks = [rank for (rank,) in cursor.fetchall()]
    if not ranks:
        return []
    last = ranks[-1] >> RANK_SHIFT
    is_cut = len(ranks) == limit
    before = [rank for rank in ranks if not is_cut or rank >> RANK_SHIFT < last]
    columns = "t.name_rank, t.number_key, t.type_order, t.item_id"
    hits: list[Hit] = []
    if before:
        hits = _rows(
            f"SELECT {columns} FROM catalog_itemtext t "
            f"WHERE t.rank_id IN ({', '.join(map(str, before))})",
            (),
        )
    if is_cut:
        hits += _rows(
            f"SELECT {columns} FROM catalog_itemtext_fts f "
            "JOIN catalog_itemtext t ON t.rank_id = f.rowid "
            "WHERE f.catalog_itemtext_fts MATCH %s AND f.rowid >= %s AND f.rowid < %s "
            "ORDER BY t.number_key, t.type_order LIMIT %s",
            (match, last << RANK_SHIFT, (last + 1) << RANK_SHIFT, limit - len(before)),
        )
    return sorted(hits)


def _postgresql_hits(groups: Groups, item_type: str, limit: int) -> list[Hit]:
    match = " & ".join(
        "(" + " | ".join(f"'{term.word}'{':*' if term.is_prefix else ''}" for term in group) + ")"
        for group in groups
    )
    if item_type:
        match = f"{match} & '={item_type.lower()}'"
    found = "FROM catalog_itemtext WHERE lexemes @@ %s::tsquery"
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) SELECT 1 {found}", (match,))
        expected = cursor.fetchone()[0][0]["Plan"]["Plan Rows"]
    columns = "name_rank, number_key, type_order, item_id"
    order = 'ORDER BY name_rank, number_key COLLATE "C", type_order LIMIT %s'
    if expected >= WALK_FROM:
        return _rows(f"SELECT {columns} {found} {order}", (match, limit))
    return _rows(
        f"WITH hits AS MATERIALIZED (SELECT {columns} {found}) SELECT {columns} FROM hits {order}",
        (match, limit),
    )

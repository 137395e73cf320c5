"""Reading the word index: FTS5 on SQLite, GIN on PostgreSQL, both in ranking order."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import connection

from apps.catalog.rules.search_words import NAME_MARKS, RANK_SHIFT, Term

# So many expected hits make a query common on PostgreSQL. Collecting and sorting costs 1 ms
# per 1,000 hits; walking the ranking until twenty are found costs anything up to 200 ms,
# because words like "torso" stand in long names only. So: a short walk, then the hits among
# short names, and only then all.
COMMON: Final = 8_000
SHORT_WALK: Final = 4_000

# Each group is a word with its spellings: any of them, and all groups.
Groups = Sequence[Sequence[Term]]
# rank, number, type order, item id: sorts as hits are shown
Hit = tuple[int, str, int, int]


def groups_of(terms: Iterable[Term]) -> list[list[Term]]:
    """Return the groups of plain terms: one spelling each."""
    return [[term] for term in terms]


def hits_by_words(groups: Groups, item_type: str, limit: int) -> list[Hit]:
    """Return the best `limit` items that have all words."""
    if not groups:
        return []
    if connection.vendor == "postgresql":
        return _postgresql_hits(groups, item_type, limit)
    return _sqlite_hits(groups, item_type, limit)


# way it was found, rank, number, type order, item id, colour id
NumberHit = tuple[str, int, str, int, int, int | None]

_LINE = "t.name_rank, t.number_key, t.type_order, t.item_id"
_OWN = (
    f"SELECT %s AS way, {_LINE}, CAST(NULL AS INTEGER) AS color_id FROM catalog_itemtext t "
    "WHERE t.number_key {collate} = %s"
)
_ALIAS = (
    "SELECT CASE WHEN a.kind = 'similar' OR (a.kind = 'alternate' AND a.catalogue = 'R') "
    f"THEN 'similar number' ELSE 'alias' END AS way, {_LINE}, "
    "CAST(NULL AS INTEGER) AS color_id FROM catalog_itemalias a "
    "JOIN catalog_itemtext t ON t.item_id = a.item_id WHERE a.value_key = %s"
)
_ELEMENT = (
    f"SELECT 'element' AS way, {_LINE}, l.color_id AS color_id FROM catalog_elementcode e "
    "JOIN catalog_lot l ON l.id = e.lot_id JOIN catalog_itemtext t ON t.item_id = l.item_id "
    "WHERE e.code = %s"
)
WAYS: Final = ("number", "alias", "element", "similar number", "first version")


def hits_by_number(key: str, item_type: str) -> list[NumberHit]:
    """Return the items that answer to `key`, best first: by own number, another catalogue's, an
    element id, a similar mould's, or as a set without its `-1`.
    """
    of_type = _of_type(item_type, "t.")
    asked: list[tuple[str, tuple[str, ...]]] = [(_OWN, ("number", key)), (_ALIAS, (key,))]
    if key.isascii() and key.isdigit():
        asked.append((_OWN, ("first version", f"{key}-1")))
        if 4 <= len(key) <= 12:
            asked.append((_ELEMENT, (key,)))
    sql = " UNION ALL ".join(f"{select}{of_type}" for select, _ in asked)
    sql = sql.replace("{collate}", _collate())
    params = [value for _, values in asked for value in (*values, *_type_params(item_type))]
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found: list[NumberHit] = cursor.fetchall()
    return sorted(found, key=lambda hit: (WAYS.index(hit[0]), hit[1:5]))


def hits_by_prefix(key: str, item_type: str, limit: int) -> list[Hit]:
    """Return the best items whose number begins with `key`."""
    collate = _collate()
    return _rows(
        "SELECT name_rank, number_key, type_order, item_id FROM catalog_itemtext "
        f"WHERE number_key {collate} >= %s AND number_key {collate} < %s{_of_type(item_type)} "
        f"ORDER BY name_rank, number_key {collate}, type_order LIMIT %s",
        (key, f"{key}\U0010ffff", *_type_params(item_type), limit),
    )


def _collate() -> str:
    """Return what makes PostgreSQL use the index on numbers, which sorts by code point."""
    return 'COLLATE "C"' if connection.vendor == "postgresql" else ""


def _of_type(item_type: str, table: str = "") -> str:
    return f" AND {table}item_type = %s" if item_type else ""


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
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) SELECT 1 {_WITH_LEXEMES}", (match,))
        expected = cursor.fetchone()[0][0]["Plan"]["Plan Rows"]
    if expected >= COMMON:
        found = _rows(
            f"SELECT {_COLUMNS} FROM (SELECT * FROM catalog_itemtext {_RANKING} LIMIT %s) AS best "
            f"WHERE lexemes @@ %s::tsquery {_RANKING} LIMIT %s",
            (SHORT_WALK, match, limit),
        )
        if len(found) == limit:
            return found
        for mark, _longest in NAME_MARKS:
            found = _collected(f"{match} & '{mark}'", limit)
            if len(found) == limit:
                return found
    return _collected(match, limit)


_COLUMNS = "name_rank, number_key, type_order, item_id"
_RANKING = 'ORDER BY name_rank, number_key COLLATE "C", type_order'
_WITH_LEXEMES = "FROM catalog_itemtext WHERE lexemes @@ %s::tsquery"


def _collected(match: str, limit: int) -> list[Hit]:
    """Collect all hits, then sort: materialized, or the planner walks the ranking instead."""
    return _rows(
        f"WITH hits AS MATERIALIZED (SELECT {_COLUMNS} {_WITH_LEXEMES}) "
        f"SELECT {_COLUMNS} FROM hits {_RANKING} LIMIT %s",
        (match, limit),
    )

"""Reading the word index: FTS5 on SQLite, GIN on PostgreSQL, both in ranking order."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import connection

from apps.catalog.rules.search_words import NAME_MARKS, RANK_SHIFT, Term

# So many expected hits make a query common on PostgreSQL. Collecting and sorting costs 1 ms
# per 1,000 hits; walking the ranking until twenty are found costs anything up to 200 ms,
# because words like "torso" stand in long names only. So: a short walk, then the hits among
# short names, and only then all.
COMMON: Final = 8_000
SHORT_WALK: Final = 4_000
# With so many expected hits for each one wanted, short names are looked at first.
MANY: Final = 50
# Comparing a row costs about as much as reading this many entries of the index.
FAR_COMMONER: Final = 30

# The index of PostgreSQL holds so many first letters of each word as `^p`, `^pl`, `^pla`.
BEGINNING: Final = 3

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


def text_of_known_words() -> str:
    """Return all words of names in no order, with a blank before and after each.

    Looking through one text takes a tenth of the time of LIKE on every word.
    """
    joined = "string_agg" if connection.vendor == "postgresql" else "group_concat"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {joined}(word, ' ') FROM catalog_searchword")
        return f" {cursor.fetchone()[0] or ''} "


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


def count_by_words(groups: Groups, item_type: str, most: int) -> int:
    """Return how many items have all words, `most` if there are more."""
    parts = _parts_of(groups, item_type)
    if connection.vendor == "postgresql":
        rows, match = "catalog_itemtext WHERE lexemes @@ %s::tsquery", " & ".join(parts)
    else:
        rows = "catalog_itemtext_fts WHERE catalog_itemtext_fts MATCH %s"
        match = " AND ".join(parts)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT %s) t", (match, most))
        return int(cursor.fetchone()[0])


def _parts_of(groups: Groups, item_type: str) -> list[str]:
    """Return each word with its spellings, and the type, in the database's own query language."""
    is_postgresql = connection.vendor == "postgresql"
    part_of, either = (_in_tsquery, " | ") if is_postgresql else (_in_fts5, " OR ")
    parts = [f"({either.join(map(part_of, group))})" for group in groups]
    kind = [part_of(Term(f"={item_type.lower()}", is_prefix=False))] if item_type else []
    return [*parts, *kind]


def _in_tsquery(term: Term) -> str:
    if term.is_prefix and len(term.word) <= BEGINNING:
        return f"'^{term.word}'"
    return f"'{term.word}'{':*' if term.is_prefix else ''}"


def _in_fts5(term: Term) -> str:
    return f'"{term.word}"{"*" if term.is_prefix else ""}'


def _sqlite_hits(groups: Groups, item_type: str, limit: int) -> list[Hit]:
    """Read the index in its own order, which is the ranking, and stop at the limit.

    The order within names of one length is the item's age, so that last length is read
    whole and sorted by number.
    """
    match = " AND ".join(_parts_of(groups, item_type))
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
    parts = _parts_of(groups, item_type)
    marks = [f"'{mark}'" for mark, _longest in NAME_MARKS]
    of_all, *expected = _expected_hits([" & ".join(parts), *parts, *marks])
    sizes = dict(zip([*parts, *marks], expected, strict=True))
    if of_all >= COMMON:
        found = _rows(
            f"SELECT {_COLUMNS} FROM (SELECT * FROM catalog_itemtext {_RANKING} LIMIT %s) AS best "
            f"WHERE lexemes @@ %s::tsquery {_RANKING} LIMIT %s",
            (SHORT_WALK, " & ".join(parts), limit),
        )
        if len(found) == limit:
            return found
    if of_all >= MANY * limit:
        for mark in marks:
            found = _collected([*parts, mark], sizes, limit)
            if len(found) == limit:
                return found
    return _collected(parts, sizes, limit)


def _expected_hits(matches: Sequence[str]) -> list[int]:
    """Return how many hits the planner expects of each."""
    explain = "EXPLAIN (FORMAT JSON) SELECT 1 FROM catalog_itemtext WHERE lexemes @@ %s::tsquery"
    with connection.cursor() as cursor:
        cursor.execute("; ".join([explain] * len(matches)), matches)
        found = []
        for _match in matches:
            found.append(cursor.fetchone()[0][0]["Plan"]["Plan Rows"])
            cursor.nextset()
    return found


_COLUMNS = "name_rank, number_key, type_order, item_id"
_RANKING = 'ORDER BY name_rank, number_key COLLATE "C", type_order'


def _collected(parts: Sequence[str], sizes: Mapping[str, int], limit: int) -> list[Hit]:
    """Collect all hits, then sort: materialized, or the planner walks the ranking instead.

    The index reads all entries of a word, which for one letter are half of the catalogue: common
    words are compared with the rows that the rare ones find.
    """
    most = FAR_COMMONER * min(sizes[part] for part in parts)
    rare = [part for part in parts if sizes[part] <= most]
    common = [part for part in parts if sizes[part] > most]
    found = f"SELECT {_COLUMNS}, lexemes FROM catalog_itemtext WHERE lexemes @@ %s::tsquery"
    if common:
        # OFFSET keeps the planner from looking both up.
        found = f"SELECT * FROM ({found} OFFSET 0) AS found WHERE lexemes @@ %s::tsquery"
    return _rows(
        f"WITH hits AS MATERIALIZED (SELECT {_COLUMNS} FROM ({found}) AS found) "
        f"SELECT {_COLUMNS} FROM hits {_RANKING} LIMIT %s",
        (*(" & ".join(some) for some in (rare, common) if some), limit),
    )

"""Reading the word index: FTS5 on SQLite, GIN on PostgreSQL, both in ranking order."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import connection

from apps.catalog.rules.search_words import LAST_RANK, NAME_MARKS, RANK_SHIFT, Term

# With so many expected hits for each one wanted, PostgreSQL looks through the top of the ranking
# first, which takes 1 ms. Going on until twenty are found would take up to 200 ms, because words
# like "torso" stand in long names only.
VERY_MANY: Final = 750
SHORT_WALK: Final = 1_000
# With so many it looks among short names next, 5 ms, and only then it collects all: 1 ms per 1,000.
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


def hits_by_words(
    groups: Groups, item_type: str, limit: int, *, before: Hit | None = None
) -> list[Hit]:
    """Return the best `limit` items that have all words, of those that rank before `before`."""
    if not groups:
        return []
    read = _postgresql_hits if connection.vendor == "postgresql" else _sqlite_hits
    if before is None:
        return read(groups, item_type, limit, LAST_RANK)
    return [hit for hit in read(groups, item_type, limit, before[0]) if hit < before]


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
_LONGER = (
    f"SELECT * FROM (SELECT 'prefix' AS way, {_LINE}, CAST(NULL AS INTEGER) AS color_id "
    "FROM catalog_itemtext t WHERE t.number_key {collate} >= %s AND t.number_key {collate} < %s"
    "{of_type} ORDER BY t.name_rank, t.number_key {collate}, t.type_order LIMIT %s) AS longer"
)
WAYS: Final = ("number", "alias", "element", "similar number", "first version", "prefix")


def hits_by_number(key: str, item_type: str, *, longer: int = 0) -> list[NumberHit]:
    """Return the items that answer to `key`, best first: by own number, another catalogue's, an
    element id, a similar mould's, or as a set without its `-1`; then the best `longer` whose
    number begins so.
    """
    of_type = _of_type(item_type)
    asked: list[tuple[str, tuple[str, ...]]] = [(_OWN, ("number", key)), (_ALIAS, (key,))]
    if key.isascii() and key.isdigit():
        asked.append((_OWN, ("first version", f"{key}-1")))
        if 4 <= len(key) <= 12:
            asked.append((_ELEMENT, (key,)))
    selects = [f"{select}{of_type}" for select, _ in asked]
    params: list[Any] = [
        value for _, values in asked for value in (*values, *_type_params(item_type))
    ]
    if longer:
        selects.append(_LONGER.replace("{of_type}", of_type))
        params += [key, f"{key}\U0010ffff", *_type_params(item_type), longer]
    sql = " UNION ALL ".join(selects).replace("{collate}", _collate())
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found: list[NumberHit] = cursor.fetchall()
    return sorted(found, key=lambda hit: (WAYS.index(hit[0]), hit[1:5]))


def _collate() -> str:
    """Return what makes PostgreSQL use the index on numbers, which sorts by code point."""
    return 'COLLATE "C"' if connection.vendor == "postgresql" else ""


def _of_type(item_type: str) -> str:
    return " AND t.item_type = %s" if item_type else ""


def _type_params(item_type: str) -> tuple[str, ...]:
    return (item_type,) if item_type else ()


def _rows(sql: str, params: Sequence[Any]) -> list[Hit]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def counts_by_words(tries: Sequence[Groups], item_type: str, most: int) -> list[int]:
    """Return for each how many items have all words, `most` if there are more."""
    if connection.vendor == "postgresql":
        # Materialized: the planner looks through the table for the first that match otherwise.
        both = " & "
        rows = (
            "WITH hits AS MATERIALIZED "
            "(SELECT 1 FROM catalog_itemtext WHERE lexemes @@ %s::tsquery) SELECT 1 FROM hits"
        )
    else:
        both = " AND "
        rows = "SELECT 1 FROM catalog_itemtext_fts WHERE catalog_itemtext_fts MATCH %s"
    count = f"(SELECT count(*) FROM ({rows} LIMIT %s) AS found)"
    matches = [both.join(_parts_of(groups, item_type)) for groups in tries]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join([count] * len(matches))}",
            [value for match in matches for value in (match, most)],
        )
        return list(cursor.fetchone())


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


def _sqlite_hits(groups: Groups, item_type: str, limit: int, longest: int) -> list[Hit]:
    """Read the index in its own order, which is the ranking, and stop at the limit.

    The order within names of one length is the item's age, so that last length is read
    whole and sorted by number.
    """
    hits: list[Hit] = []
    with connection.cursor() as cursor:
        # CROSS keeps the order of the two: it is read row by row.
        cursor.execute(
            "SELECT t.name_rank, t.number_key, t.type_order, t.item_id "
            "FROM catalog_itemtext_fts f CROSS JOIN catalog_itemtext t ON t.rank_id = f.rowid "
            "WHERE f.catalog_itemtext_fts MATCH %s AND f.rowid < %s ORDER BY f.rowid",
            (" AND ".join(_parts_of(groups, item_type)), (longest + 1) << RANK_SHIFT),
        )
        for hit in cursor:
            if len(hits) >= limit and hit[0] != hits[-1][0]:
                break
            hits.append(hit)
    return sorted(hits)[:limit]


def _postgresql_hits(groups: Groups, item_type: str, limit: int, longest: int) -> list[Hit]:
    marks = [f"'{mark}'" for mark, most in NAME_MARKS if most < longest]
    bound = [f"'{mark}'" for mark, most in NAME_MARKS if most >= longest][:1]
    parts = [*_parts_of(groups, item_type), *bound]
    of_all, *expected = _expected_hits([" & ".join(parts), *parts, *marks])
    sizes = dict(zip([*parts, *marks], expected, strict=True))
    if of_all >= VERY_MANY * limit:
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

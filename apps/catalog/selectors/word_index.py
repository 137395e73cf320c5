"""Reading the word index: FTS5 on SQLite, GIN on PostgreSQL, both in ranking order."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import connection

from apps.catalog.rules.search_words import LAST_RANK, RANK_SHIFT, Term

# PostgreSQL collects hits range by range of ranks, shortest names first, each from an index of
# its own (first migration), where all at once take longer: a millisecond for some 2,000 hits.
RANGES: Final = ((0, 8), (8, 16), (16, 28), (28, 44))
MANY: Final = 1_000
# More numbers than this that begin so: the best are found sooner by walking down the ranking.
MANY_NUMBERS: Final = 2_000
# Comparing a row costs about as much as reading this many entries of the index.
FAR_COMMONER: Final = 30

# The index of PostgreSQL holds up to so many first letters of each word: `^p`, `^pl`, `^pla` …
BEGINNING: Final = 8

# Each group is a word with its spellings: any of them, and all groups.
Groups = Sequence[Sequence[Term]]
# How many items PostgreSQL expects of a part of the query.
Sizes = dict[str, int]
# rank, natural key of the number, type order, item id: sorts as hits are shown
Hit = tuple[int, str, int, int]


def groups_of(terms: Iterable[Term]) -> list[list[Term]]:
    """Return the groups of plain terms: one spelling each."""
    return [[term] for term in terms]


def hits_by_words(
    groups: Groups, item_type: str, limit: int, *, before: Hit | None = None, sizes: Sizes
) -> list[Hit]:
    """Return the best `limit` items that have all words, of those that rank before `before`.

    `sizes` are those of the searches of this request before, and get what they lack.
    """
    if not groups:
        return []
    longest = LAST_RANK if before is None else before[0]
    parts = _parts_of(groups, item_type)
    if connection.vendor == "postgresql":
        hits = _postgresql_hits(parts, limit, longest, sizes)
    else:
        hits = _sqlite_hits(parts, limit, longest)
    return hits if before is None else [hit for hit in hits if hit < before]


# way it was found, rank, natural key of the number, type order, item id, colour id
NumberHit = tuple[str, int, str, int, int, int | None]

_LINE = "t.name_rank, t.sort_key, t.type_order, t.item_id"
#: A replaced item has no line: the item in its place answers to its numbers.
_BY_NOW = "t.item_id = COALESCE(i.replaced_by_id, i.id)"
_OWN = (
    f"SELECT %s AS way, {_LINE}, CAST(NULL AS INTEGER) AS color_id FROM catalog_itemtext t "
    "WHERE t.number_key {collate} = %s"
)
_ALIAS = (
    "SELECT CASE WHEN a.kind = 'similar' OR (a.kind = 'alternate' AND a.catalogue = 'R') "
    f"THEN 'similar number' ELSE 'alias' END AS way, {_LINE}, "
    "CAST(NULL AS INTEGER) AS color_id FROM catalog_itemalias a "
    "JOIN catalog_item i ON i.id = a.item_id "
    f"JOIN catalog_itemtext t ON {_BY_NOW} WHERE a.value_key = %s"
)
_ELEMENT = (
    f"SELECT 'element' AS way, {_LINE}, l.color_id AS color_id FROM catalog_elementcode e "
    "JOIN catalog_lot l ON l.id = e.lot_id JOIN catalog_item i ON i.id = l.item_id "
    f"JOIN catalog_itemtext t ON {_BY_NOW} WHERE e.code = %s"
)
_BEGINS = "t.number_key {collate} >= %s AND t.number_key {collate} < %s{of_type}"
_BEST = "ORDER BY t.name_rank, t.sort_key, t.type_order LIMIT %s"
_PREFIX = f"SELECT 'prefix' AS way, {_LINE}, CAST(NULL AS INTEGER) AS color_id FROM"
_LONGER = f"SELECT * FROM ({_PREFIX} catalog_itemtext t WHERE {_BEGINS} {_BEST}) AS longer"
# PostgreSQL walks down the ranking for a few numbers, too: it knows nothing of their beginnings.
_LONGER_ON_POSTGRESQL = (
    "SELECT * FROM (WITH count AS MATERIALIZED (SELECT count(*) AS n FROM "
    f"(SELECT 1 FROM catalog_itemtext t WHERE {_BEGINS} LIMIT {MANY_NUMBERS}) AS begun) "
    f"(SELECT * FROM ({_PREFIX} (SELECT * FROM catalog_itemtext t WHERE {_BEGINS} "
    f"AND (SELECT n FROM count) < {MANY_NUMBERS} OFFSET 0) AS t {_BEST}) AS few) UNION ALL "
    f"(SELECT * FROM ({_PREFIX} catalog_itemtext t WHERE {_BEGINS} "
    f"AND (SELECT n FROM count) = {MANY_NUMBERS} {_BEST}) AS many)) AS longer"
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
        begins = [key, f"{key}\U0010ffff", *_type_params(item_type)]
        if connection.vendor == "postgresql":
            selects.append(_LONGER_ON_POSTGRESQL.replace("{of_type}", of_type))
            params += [*begins, *begins, longer, *begins, longer]
        else:
            selects.append(_LONGER.replace("{of_type}", of_type))
            params += [*begins, longer]
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


def _sqlite_hits(parts: Sequence[str], limit: int, longest: int) -> list[Hit]:
    """Read the index in its own order, which is the ranking, and stop at the limit.

    The order within names of one length is the item's age, so that last length is read
    whole and sorted by number.
    """
    hits: list[Hit] = []
    with connection.cursor() as cursor:
        # CROSS keeps the order of the two: it is read row by row.
        cursor.execute(
            f"SELECT {_LINE} "
            "FROM catalog_itemtext_fts f CROSS JOIN catalog_itemtext t ON t.rank_id = f.rowid "
            "WHERE f.catalog_itemtext_fts MATCH %s AND f.rowid < %s ORDER BY f.rowid",
            (" AND ".join(parts), (longest + 1) << RANK_SHIFT),
        )
        for hit in cursor:
            if len(hits) >= limit and hit[0] != hits[-1][0]:
                break
            hits.append(hit)
    return sorted(hits)[:limit]


def _postgresql_hits(parts: Sequence[str], limit: int, longest: int, sizes: Sizes) -> list[Hit]:
    """Collect and sort the hits of all ranks, or range by range until there are enough.

    The rarest word decides: words that come together are in more items than chance would have.
    """
    _look_up_sizes(parts, sizes)
    fewest = min(sizes[part] for part in parts)
    # The index reads all entries of a word, which for one letter are half of the catalogue:
    # common words are compared with the rows that the rare ones find.
    rare = [part for part in parts if sizes[part] <= FAR_COMMONER * fewest]
    common = [part for part in parts if sizes[part] > FAR_COMMONER * fewest]
    ranges = [span for span in RANGES if span[0] < longest] if fewest >= MANY else []
    looked = ranges[-1][1] if ranges else 0
    if looked < longest:
        ranges.append((looked, longest))
    steps = ", ".join(_step(n, span, limit, bool(common)) for n, span in enumerate(ranges))
    hits = " UNION ALL ".join(f"SELECT * FROM hits{n}" for n in range(len(ranges)))
    params = [" & ".join(some) for some in (rare, common) if some] * len(ranges)
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {steps} {hits}", params)
        return sorted(cursor.fetchall())[:limit]


def _step(place: int, span: tuple[int, int], limit: int, has_common: bool) -> str:
    """Return the best hits of a range of ranks, or nothing if the steps before have enough."""
    columns = "name_rank, sort_key, type_order, item_id"
    match = "lexemes @@ %s::tsquery"
    # In the text, not as parameters: they name the index of the range.
    ranks = f"name_rank > {span[0]} AND name_rank <= {span[1]}"
    before = " + ".join(f"(SELECT count(*) FROM hits{n})" for n in range(place))
    found = [match, *([f"{before} < {limit}"] if before else [])]
    kept = [match] if has_common else []
    # Ranks without an index of their own are compared, too, or all of them are read from another.
    (found if span in RANGES else kept).append(ranks)
    # OFFSET keeps the planner from looking both up, and from walking down the ranking.
    return (
        f"hits{place} AS MATERIALIZED (SELECT {columns} FROM (SELECT {columns}, lexemes "
        f"FROM catalog_itemtext WHERE {' AND '.join(found)} OFFSET 0) AS found "
        f"WHERE {' AND '.join(kept) or 'true'} "
        f"ORDER BY {columns} LIMIT {limit})"
    )


def _look_up_sizes(parts: Sequence[str], sizes: Sizes) -> None:
    """Ask the planner how many items it expects of the parts that are not in `sizes`."""
    asked = [part for part in parts if part not in sizes]
    if not asked:
        return
    explain = "EXPLAIN (FORMAT JSON) SELECT 1 FROM catalog_itemtext WHERE lexemes @@ %s::tsquery"
    with connection.cursor() as cursor:
        cursor.execute("; ".join([explain] * len(asked)), asked)
        for part in asked:
            sizes[part] = max(cursor.fetchone()[0][0]["Plan"]["Plan Rows"], 1)
            cursor.nextset()

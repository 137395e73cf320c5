"""Query plans: the large tables that a query would read from end to end.

A search through an index that begins with the owner is none, whatever is filtered and
sorted behind it; an index walked without a condition is one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson
from django.db import connection

_ALIAS = re.compile(r'"(\w+)"(?: (?:AS )?"?([A-Z]\d+|\w+)"?)?', re.ASCII)
_WORDS = {"ON", "WHERE", "INNER", "LEFT", "GROUP", "ORDER", "LIMIT", "SET", "CROSS", "AND", "USING"}


EXPLAIN = {"sqlite": "EXPLAIN QUERY PLAN", "postgresql": "EXPLAIN (FORMAT JSON)"}


def full_scans(statement: str, plan: Sequence[Any], tables: Iterable[str]) -> list[str]:
    """Return the steps of a statement's `plan` that read one of `tables` from end to end.

    `plan` is what the database answers to EXPLAIN and the statement.
    """
    wanted = set(tables)
    if connection.vendor == "postgresql":
        found = plan[0][0]
        tree = orjson.loads(found) if isinstance(found, str) else found
        return list(_nodes(tree[0]["Plan"], wanted))
    aliases = _aliases(statement, wanted)
    steps = [row[3] for row in plan]
    return [step for step in steps if step.startswith("SCAN ") and step.split(" ")[1] in aliases]


def _nodes(node: dict[str, Any], tables: set[str]) -> Iterator[str]:
    if node.get("Relation Name") in tables and "Scan" in node["Node Type"]:
        by_index = node.get("Index Cond") or node.get("Recheck Cond") or node.get("TID Cond")
        if not by_index:
            yield f"{node['Node Type']} on {node['Relation Name']}"
    for part in node.get("Plans", ()):
        yield from _nodes(part, tables)


def _aliases(statement: str, tables: set[str]) -> set[str]:
    """Return the names by which a statement calls these tables."""
    found = set(tables)
    for table, alias in _ALIAS.findall(statement):
        if table in tables and alias and alias.upper() not in _WORDS:
            found.add(alias)
    return found

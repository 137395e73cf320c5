"""Queries that Django builds and compiles once; later calls only bind their values.

To build and compile a statement of some joins takes Django 2 to 20 ms, for the same text each
time; the database needs less than one.
"""

import copy
import datetime as dt
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

import orjson
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, QuerySet
from django.db.models.sql import Query, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

from apps.core.bulk import array

#: How many compiled statements of a query are kept.
MOST_SHAPES: Final = 100
AnyField = models.Field[Any, Any]


class WholeNumbers(models.Field[Any, Any]):
    """The values of `among`: one parameter, an array or JSON."""

    def get_db_prep_value(
        self, value: Iterable[int], connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> str:
        if connection.vendor == "postgresql":
            return array(value)
        return orjson.dumps([*value]).decode()


WHOLE: Final[AnyField] = models.BigIntegerField()
DECIMAL: Final[AnyField] = models.DecimalField(max_digits=24, decimal_places=4)
TEXT: Final[AnyField] = models.TextField()
INSTANT: Final[AnyField] = models.DateTimeField()
IDS: Final[AnyField] = WholeNumbers()


class Slot(Expression):
    """Stands in a query for a value that is bound later."""

    def __init__(
        self, name: str, output_field: AnyField, later: dt.timedelta = dt.timedelta()
    ) -> None:
        super().__init__(output_field=output_field)
        self.name = name
        self.later = later

    def before(self, span: dt.timedelta) -> "Slot":
        """Return the instant so much before this one."""
        return Slot(self.name, self.output_field, self.later - span)

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        return "%s", [self]

    def get_group_by_cols(self) -> list[Any]:
        """Return nothing: no rows are grouped by what is the same for all of them."""
        return []

    def bound(self, value: object, connection: BaseDatabaseWrapper) -> Any:
        """Return the value as the database takes it. Raises ValueError for None."""
        if value is None:
            raise ValueError(f"{self.name} is None, which no query is prepared for")
        if isinstance(value, dt.datetime):
            value += self.later
        return self.output_field.get_db_prep_value(value, connection)


class Bound(NamedTuple):
    """A statement that is ready to be sent; compiled, its parameters still hold slots."""

    compiler: Any
    sql: str
    params: Sequence[Any]


class Prepared:
    """A query that is compiled when it is first used, once for each `shape`.

    `build` makes it of the shape and of a slot for each of `fields`: a query set, a list of them
    (UNION ALL), or the UPDATE of `update_of`. Whatever else it depends on must stay the same while
    the process runs.
    """

    def __init__(self, build: Callable[..., Any], **fields: AnyField) -> None:
        self._build = build
        self._slots = {name: Slot(name, field) for name, field in fields.items()}
        self._compiled = lru_cache(MOST_SHAPES)(self._compile)

    def bound(self, *shape: Hashable, **values: object) -> Bound:
        """Return the statement with its values. Those that no slot is in are left out."""
        connection = connections[DEFAULT_DB_ALIAS]
        kept = self._compiled(connection.vendor, *shape)
        params = [
            one.bound(values[one.name], connection) if isinstance(one, Slot) else one
            for one in kept.params
        ]
        return kept._replace(params=params)

    def rows(self, *shape: Hashable, **values: object) -> list[tuple[Any, ...]]:
        """Return the rows that the query selects."""
        return united([self.bound(*shape, **values)])

    def dicts(self, *shape: Hashable, **values: object) -> list[dict[str, Any]]:
        """Return the same rows by name: of a query that ends in `values`."""
        bound = self.bound(*shape, **values)
        names = list(bound.compiler.query.selected)
        return [dict(zip(names, row, strict=True)) for row in united([bound])]

    def update(self, *shape: Hashable, **values: object) -> int:
        """Return how many rows the query changed."""
        bound = self.bound(*shape, **values)
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(bound.sql, bound.params)
            return cursor.rowcount

    def _compile(self, _vendor: str, *shape: Hashable) -> Bound:
        built = self._build(*shape, **self._slots)
        parts = []
        for each in built if isinstance(built, list) else [built]:
            query: Query = each.query if isinstance(each, QuerySet) else each
            compiler: Any = query.get_compiler(connection=connections[DEFAULT_DB_ALIAS])
            parts.append(Bound(compiler, *compiler.as_sql()))
            compiler.connection = None  # it is this thread's
        return _joined(parts)


def update_of(rows: QuerySet[Any], **values: object) -> Query:
    """Return the query that sets values in rows of one table."""
    query: Any = rows.query.chain(UpdateQuery)
    query.add_update_values(values)
    return query


def _joined(parts: Sequence[Bound]) -> Bound:
    """Return the UNION ALL of them."""
    if len(parts) == 1:
        return parts[0]
    # SQLite takes no limit in a bare part; PostgreSQL plans one in brackets faster than a subquery.
    is_postgres = connections[DEFAULT_DB_ALIAS].vendor == "postgresql"
    part = "({})" if is_postgres else "SELECT * FROM ({})"
    sql = " UNION ALL ".join(part.format(one.sql) for one in parts)
    return Bound(parts[0].compiler, sql, [*chain(*(one.params for one in parts))])


def united(parts: Sequence[Bound]) -> list[tuple[Any, ...]]:
    """Return the rows of statements that select the same columns, united in one."""
    if not parts:
        return []
    compiler, *statement = _joined(parts)
    compiler = copy.copy(compiler)
    compiler.connection = connections[DEFAULT_DB_ALIAS]
    compiler.as_sql = lambda: statement
    return list(compiler.results_iter(tuple_expected=True))

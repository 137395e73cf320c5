"""Locks and conditional updates. All code that locks rows calls this module.

Whoever locks several kinds of rows takes them in one order, each kind by ascending primary key:
walk, orders with their lines, batch items, act, locations, rows of stock, received lots. Tests
hold them the other way round (`test_lock_order.py` of inventory and of orders).

A conditional UPDATE whose row count decides is right on SQLite and PostgreSQL
alike; `select_for_update` does nothing on SQLite, which serialises writers instead.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

from django.db import connection, models, transaction
from django.db.models import F, Q

from apps.core.bulk import array

Row = TypeVar("Row", bound=models.Model)


def after_commit(act: Callable[..., Any], *args: Any) -> None:
    """Call `act(*args)` once the transaction is committed. What it raises is logged, not raised."""

    # Django names the function when it logs, which a partial has no name for.
    def call() -> None:
        act(*args)

    transaction.on_commit(call, robust=True)  # noqa: TID251


def in_transaction() -> AbstractContextManager[Any]:
    """Begin a transaction unless one is open, which is joined without a savepoint.

    For acts that write only after all that can refuse them.
    """
    return nullcontext() if connection.in_atomic_block else transaction.atomic()


def claim(
    rows: models.QuerySet[Any], *, where: Mapping[str, Any] | Q, set: Mapping[str, Any]
) -> bool:
    """Change the one row of `rows` that still satisfies `where`. Return whether it did."""
    condition = where if isinstance(where, Q) else Q(**where)
    return rows.filter(condition).update(**set) == 1


def take(rows: models.QuerySet[Any], *, field: str, amount: int) -> bool:
    """Lower `field` of the one row by `amount` unless it would fall below zero."""
    return claim(rows, where={f"{field}__gte": amount}, set={field: F(field) - amount})


def lock_in_order(rows: models.QuerySet[Row], *, to_delete: bool = False) -> list[Row]:
    """Lock `rows` by ascending primary key and return them. Call inside a transaction.

    Others may still add rows that name these, unless they are locked `to_delete`: a change
    leaves their keys as they are, and an added row would wait for nothing.
    """
    return list(rows.order_by("pk").select_for_update(of=("self",), no_key=not to_delete))


def hold_ids_in_order(model: type[models.Model], ids: Iterable[int]) -> None:
    """Lock rows by ascending primary key without reading them. Call inside a transaction.

    PostgreSQL gets the ids as an array, so that thousands cost no parsing. SQLite gets nothing:
    its transactions hold the write lock already.
    """
    wanted = sorted(set(ids))
    if not wanted or not connection.features.has_select_for_update:
        return
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id FROM {table} WHERE id = ANY(%s::bigint[]) ORDER BY id FOR NO KEY UPDATE",
            [array(wanted)],
        )


def lock_ids_in_order(
    model: type[Row], ids: Iterable[int], *, to_delete: bool = False
) -> dict[Any, Row]:
    """Lock the rows with these ids, in order, as a mapping id -> row."""
    rows = model._default_manager.filter(pk__in=list(ids))
    return {row.pk: row for row in lock_in_order(rows, to_delete=to_delete)}


@contextmanager
def snapshot() -> Iterator[None]:
    """Let everything read inside be of one moment, whatever others write; write nothing inside.

    Holds no lock on either database. Inside a transaction it is that transaction's moment.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        on_postgres = connection.vendor == "postgresql"
        cursor.execute(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if on_postgres else "BEGIN"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")

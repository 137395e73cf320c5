"""Where quantities, ledger and counters do not agree. In a sound store: nowhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection

from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class QuantityDifference:
    """A row whose quantity is not the sum of its movements."""

    item_id: int
    owner_id: int
    quantity: int
    booked: int


@dataclass(frozen=True, slots=True)
class PromiseDifference:
    """A row whose `promised` is not the sum of its counted promises."""

    item_id: int
    owner_id: int
    promised: int
    held: int


@dataclass(frozen=True, slots=True)
class CounterDifference:
    """A location whose counters are not the sums of its rows."""

    location_id: int
    owner_id: int
    name: str
    item_count: int
    pieces: int
    stored_weight: Decimal
    grams: Decimal


_QUANTITIES = """
SELECT i.id, i.owner_id, i.quantity, COALESCE(m.booked, 0)
FROM inventory_inventoryitem i
LEFT JOIN (SELECT item_id, SUM(delta) AS booked FROM inventory_movement GROUP BY item_id) m
  ON m.item_id = i.id
WHERE i.quantity <> COALESCE(m.booked, 0) {owner}
ORDER BY i.id
"""
_PROMISES = """
SELECT i.id, i.owner_id, i.promised, COALESCE(p.held, 0)
FROM inventory_inventoryitem i
LEFT JOIN (
  SELECT item_id, SUM(quantity) AS held FROM inventory_promise WHERE NOT is_out GROUP BY item_id
) p ON p.item_id = i.id
WHERE i.promised <> COALESCE(p.held, 0) {owner}
ORDER BY i.id
"""
_COUNTERS = """
SELECT l.id, l.owner_id, l.name, l.item_count, COALESCE(s.pieces, 0),
       l.stored_weight, COALESCE(s.grams, 0)
FROM locations_location l
LEFT JOIN (
  SELECT location_id, SUM(quantity) AS pieces,
         ROUND(SUM(quantity * COALESCE(piece_grams, 0)), 4) AS grams
  FROM inventory_inventoryitem WHERE location_id IS NOT NULL GROUP BY location_id
) s ON s.location_id = l.id
WHERE (l.item_count <> COALESCE(s.pieces, 0)
       OR ABS(l.stored_weight - COALESCE(s.grams, 0)) >= 0.0001) {owner}
ORDER BY l.id
"""


def quantity_differences(*, owner: User | None = None) -> Iterator[QuantityDifference]:
    """Yield the rows whose quantity the ledger does not explain."""
    for row in _rows(_QUANTITIES, "i", owner):
        yield QuantityDifference(*row)


def promise_differences(*, owner: User | None = None) -> Iterator[PromiseDifference]:
    """Yield the rows that promise other pieces than lines of orders were promised."""
    for row in _rows(_PROMISES, "i", owner):
        yield PromiseDifference(*row)


def counter_differences(*, owner: User | None = None) -> Iterator[CounterDifference]:
    """Yield the locations whose counters are wrong."""
    for pk, owner_id, name, count, pieces, weight, grams in _rows(_COUNTERS, "l", owner):
        yield CounterDifference(pk, owner_id, name, count, pieces, _grams(weight), _grams(grams))


def _rows(statement: str, alias: str, owner: User | None) -> list[tuple[Any, ...]]:
    mine = "" if owner is None else f"AND {alias}.owner_id = %s"
    with connection.cursor() as cursor:
        cursor.execute(statement.format(owner=mine), [] if owner is None else [owner.pk])
        return cursor.fetchall()


def _grams(value: object) -> Decimal:
    return Decimal(str(value)).quantize(Decimal("0.0001"))

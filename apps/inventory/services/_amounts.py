"""Amounts of other tables that an act on the stock changed besides, and their undo."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.apps import apps
from django.db import models

from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import lock_in_order
from apps.inventory.models import ActChunk, StockAct
from apps.lots.services.acts import changed_since, refuse_changed

Changes = Mapping[int, Mapping[str, Any]]


def write_amounts(
    act: StockAct, table: str, rows: Iterable[models.Model], changes: Changes, *, now: dt.datetime
) -> int:
    """Set fields of locked rows, and keep them with the act for its undo. Return how many.

    `table` is app.Model; `changes` gives the new values of each row's id.
    """
    kept = [
        {"id": row.pk, "before": _image(row, changed), "after": _plain_all(changed)}
        for row in rows
        if (changed := changes.get(row.pk))
    ]
    if kept:
        _write(table, {row["id"]: row["after"] for row in kept}, now)
        ActChunk.objects.create(act=act, number=act.chunks.count(), table=table, rows=kept)
    return len(kept)


def put_amounts_back(
    table: str, rows: Sequence[Mapping[str, Any]], *, now: dt.datetime, leave_changed: bool
) -> list[int]:
    """Restore the rows of a chunk. Return the ids of those left, which changed after the act.

    Without `leave_changed` raises RowsChangedSince instead.
    """
    wanted = apps.get_model(table)._base_manager.filter(pk__in=[row["id"] for row in rows])
    there = {row.pk: row for row in lock_in_order(wanted)}
    changed = changed_since(rows, there, _image)
    if not leave_changed:
        refuse_changed(changed, one="amount", many="amounts")
    left = set(changed)
    _write(table, {row["id"]: row["before"] for row in rows if row["id"] not in left}, now)
    return changed


def _write(table: str, changes: Changes, now: dt.datetime) -> None:
    """Write plain values, the rows of the same fields together."""
    alike: dict[tuple[str, ...], list[tuple[Any, ...]]] = defaultdict(list)
    stamp = instant_text(now)
    for pk, values in changes.items():
        alike[tuple(values)].append((pk, *values.values(), stamp))
    for names, writes in alike.items():
        update_rows(apps.get_model(table), (*names, "updated_at"), writes)


def _image(row: models.Model, names: Iterable[str]) -> dict[str, Any]:
    return _plain_all({name: getattr(row, name) for name in names})


def _plain_all(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: f"{value:.4f}" if isinstance(value, Decimal) else value
        for name, value in values.items()
    }

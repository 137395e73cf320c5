"""Columns of many items as plain values: written at once, kept as images, put back."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from django.db import models

from apps.batches.models import BatchItem
from apps.core.bulk import instant_text, update_rows
from apps.inventory.rules.file_columns import FILE_COLUMNS, plain_value

COLUMNS: Final = tuple(
    field.attname for field in BatchItem._meta.concrete_fields if not field.primary_key
)


def write_items(rows: Iterable[tuple[BatchItem, Mapping[str, Any]]], now: dt.datetime) -> None:
    """Write the changes of items, those of the same columns together."""
    by_columns: defaultdict[tuple[str, ...], list[tuple[Any, ...]]] = defaultdict(list)
    stamp = instant_text(now)
    for item, changed in rows:
        if changed:
            names = tuple(sorted(changed))
            values = [plain_of(name, changed[name]) for name in names]
            by_columns[names].append((item.pk, *values, stamp))
    for columns, values_of in by_columns.items():
        update_rows(BatchItem, (*columns, "updated_at"), values_of)


def plain_of(name: str, value: Any) -> Any:
    """Return a column's value as both databases' drivers take it in bulk."""
    if name in FILE_COLUMNS:
        return plain_value(name, value)
    return instant_text(value) if isinstance(value, dt.datetime) else value


def image_of(row: models.Model, names: Iterable[str]) -> dict[str, Any]:
    """Return columns of a row as JSON holds them."""
    return {name: json_of(getattr(row, name)) for name in names}


def whole_image(item: BatchItem) -> dict[str, Any]:
    """Return all columns of an item as JSON holds them."""
    return image_of(item, [field.attname for field in item._meta.concrete_fields])


def change_image(
    item: BatchItem, changed: Mapping[str, Any], beside: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the image of an item that an act changes, for its undo.

    The columns `beside` are not changed, and must still have these values when the act is undone.
    """
    before = image_of(item, {*beside, *changed})
    after = before | {name: json_of(value) for name, value in changed.items()}
    return {"id": item.pk, "before": before, "after": after}


def json_of(value: Any) -> Any:
    """Return a column's value as JSON holds it: decimals and instants as text."""
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return value.isoformat() if isinstance(value, dt.datetime) else value


def value_of(model: type[models.Model], name: str, kept: Any) -> Any:
    """Return the reverse of `json_of` for a column of `model`."""
    field: Any = model._meta.get_field(name)
    return kept if kept is None or name == "extra" else field.to_python(kept)

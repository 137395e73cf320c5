"""Rows before and after an act, as it keeps them: `{id, before, after}`, in `core.bulk`'s form.

`before` is None for a row that the act made, `after` for one that it deleted: such a row stays in
its table, marked as deleted.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from django.db import models

from apps.core.bulk import plain

Kept = dict[str, Any]
# A row that the act made is changed since where its values are; its stamps follow them.
_STAMPS: Final = frozenset({"id", "created_at", "updated_at"})


def image_of(row: models.Model, names: Iterable[str] | None = None) -> Kept:
    """Return columns of a row; all of them without `names`."""
    if names is None:
        names = [field.attname for field in row._meta.concrete_fields]
    return {name: plain(getattr(row, name)) for name in names}


def changed_row(row: models.Model, changes: Mapping[str, Any], beside: Iterable[str] = ()) -> Kept:
    """Keep a row as it is now and as `changes` leave it. Call before changing it.

    The columns `beside` are not changed, and must still have these values when the act is undone.
    """
    before = image_of(row, {*beside, *changes})
    return {
        "id": row.pk,
        "before": before,
        "after": before | {name: plain(value) for name, value in changes.items()},
    }


def made_row(row: models.Model) -> Kept:
    """Keep a row that the act made."""
    return {"id": row.pk, "before": None, "after": image_of(row)}


def deleted_row(row: models.Model, *changed: str) -> Kept:
    """Keep that the act deletes a row, whose columns stay but those `changed` besides."""
    return {"id": row.pk, "before": image_of(row, changed), "after": None}


def value_of(model: type[models.Model], name: str, kept: object) -> Any:
    """Return a column's value from an image, also from one of a version with another form."""
    field: Any = model._meta.get_field(name)
    if isinstance(field, models.JSONField):
        return orjson.loads(kept) if isinstance(kept, str) else kept
    if kept is None:
        return None
    value = field.to_python(kept)
    if isinstance(value, dt.datetime) and value.tzinfo is None:
        return value.replace(tzinfo=dt.UTC)
    return value


def values_of(model: type[models.Model], image: Mapping[str, Any]) -> Kept:
    """Return the values of an image."""
    return {name: value_of(model, name, kept) for name, kept in image.items()}


def is_as_left(row: models.Model | None, after: Mapping[str, Any]) -> bool:
    """Whether the row is there and has the values `after` the act."""
    return row is not None and all(
        getattr(row, name) == value_of(type(row), name, kept)
        for name, kept in after.items()
        if name not in _STAMPS
    )

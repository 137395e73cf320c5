"""Rows of any model, made of its fields: for walks over all of them."""

import datetime as dt
import itertools
import uuid
from typing import Any

from django.db import IntegrityError, models, transaction

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
DEPTH = 4
# Where a default would let there be one row only, where one of several is needed, a row would be
# a deleted one, or a number
# is not any number.
INSTEAD: dict[str, dict[str, Any]] = {
    "batches.BatchItem": {"deleted_in": None},
    "catalog.ImportRun": {"is_running": False},
    "marketplace.ListingLine": {"batch_item_id": 1, "is_open": False},
    "recognition.Capture": {"vector": "AAAA", "crop": "AAAA"},
    "recognition.WrongMatch": {"score": 0.5},
}
_numbers = itertools.count(1)


def any_row(model: type[models.Model], *, depth: int = DEPTH) -> Any:
    """Return a saved row with what it points to, all of it its own.

    What may be empty is filled too, as far as the model's constraints let it.
    """
    problem: IntegrityError | None = None
    for is_full in (True, False):
        try:
            with transaction.atomic():
                row = model(**_values(model, is_full=is_full, depth=depth))
                models.Model.save_base(row, force_insert=True)
                return row
        except IntegrityError as refused:
            problem = refused
    raise AssertionError(f"no row of {model._meta.label} could be made") from problem


def _values(model: type[models.Model], *, is_full: bool, depth: int) -> dict[str, Any]:
    number = next(_numbers)
    values = {}
    for field in model._meta.concrete_fields:
        if isinstance(field, models.AutoField) or getattr(field, "auto_now_add", False):
            continue
        is_needed = not (field.null or field.has_default() or field.blank)
        if field.is_relation:
            known = _related(field, is_full=is_full, depth=depth)
            if known is not None:
                values[field.name] = known
        elif is_needed or (is_full and _is_telling(field)):
            values[field.name] = _value(field, number)
    return values | INSTEAD.get(model._meta.label, {})


def _related(field: Any, *, is_full: bool, depth: int) -> Any:
    itself = field.related_model is field.model
    if field.null and (not is_full or itself or depth <= 0):
        return None
    return any_row(field.related_model, depth=depth - 1)


def _is_telling(field: Any) -> bool:
    """Whether filling a field that may be empty shows more: its texts, not its figures."""
    return isinstance(field, models.CharField) and not field.choices and not field.unique


def _value(field: Any, number: int) -> Any:
    if field.choices:
        return field.choices[0][0]
    match field:
        case models.EmailField():
            return f"person-{number}@example.org"
        case models.UUIDField():
            return uuid.uuid4()
        case models.BooleanField():
            return False
        case models.DateTimeField():
            return NOON + dt.timedelta(seconds=number)
        case models.DateField():
            return (NOON + dt.timedelta(days=number)).date()
        case models.DecimalField():
            whole = field.max_digits - field.decimal_places
            return number % 10**whole if whole else 0
        case models.FloatField() | models.IntegerField():
            return number
        case models.JSONField():
            return {}
        case models.BinaryField():
            return b"x"
        case _:
            return f"x{number}"[: field.max_length or None]

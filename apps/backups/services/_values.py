"""Convert values of rows to those of a file and back, checked as untrusted input."""

import datetime as dt
import json
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models

from apps.backups.services._tables import Column, Meaning
from apps.core.bulk import instant_text

MAX_ID: Final = 2**63 - 1


class BadValue(ValueError):
    """A value that its column does not allow."""


def to_file(value: object) -> Any:
    """Return a column's value as JSON takes it: decimals as text, instants as ISO 8601."""
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, dt.datetime | dt.date):
        return value.isoformat()
    return value


def checked(column: Column, value: Any) -> Any:
    """Return the Python value of a value in a file. Raises BadValue."""
    if column.meaning is Meaning.PERSON:
        return _one_of(value, (True, None))
    if column.field.primary_key and not (_is_whole(value) and 0 < value <= MAX_ID):
        raise BadValue("is no id")
    if column.meaning is not Meaning.PLAIN:
        if value is not None and not (_is_whole(value) and 0 < abs(value) <= MAX_ID):
            raise BadValue("is no id")
        if value is None and not column.field.null:
            raise BadValue("is missing")
        return value
    field = column.field
    if value is None:
        if not field.null:
            raise BadValue("is missing")
        return None
    if isinstance(field, models.JSONField):
        _without_nul(json.dumps(value))
        return value
    if isinstance(value, dict | list):
        raise BadValue("is no plain value")
    if isinstance(field, models.BooleanField):
        return _one_of(value, (True, False))
    if isinstance(field, models.CharField | models.TextField):
        if not isinstance(value, str):
            raise BadValue("is no text")
        _without_nul(value)
    try:
        found = field.to_python(value)
        field.run_validators(found)
    except (ValidationError, OverflowError) as problem:
        said = problem.messages[0] if isinstance(problem, ValidationError) else "is too large"
        raise BadValue(said) from None
    if isinstance(found, dt.datetime) and found.tzinfo is None:
        raise BadValue("is an instant without its zone")
    is_left_out = field.blank and found == ""
    if field.choices and not is_left_out and found not in dict(field.flatchoices):
        raise BadValue(f"{found!r} is none of its values")
    return found


def to_database(field: object, value: object) -> Any:
    """Return a value as `core.bulk` hands it to the driver."""
    if value is None:
        return None
    if isinstance(field, models.JSONField):
        return json.dumps(value)
    if isinstance(value, dt.datetime):
        return instant_text(value)
    if isinstance(value, Decimal | dt.date):
        return str(value)
    return value


def default_of(column: Column) -> Any:
    """Return default values for columns missing from backups of older versions. Raises BadValue."""
    field = column.field
    if field.has_default():
        return field.get_default()
    if field.null:
        return None
    raise BadValue("is missing")


def _one_of(value: object, allowed: tuple[Any, ...]) -> Any:
    if not any(value is one for one in allowed):
        raise BadValue("is neither true nor false")
    return value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _without_nul(text: str) -> None:
    if "\x00" in text or "\\u0000" in text:
        raise BadValue("holds a character that cannot be stored")

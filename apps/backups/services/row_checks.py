"""Which columns of a backup are checked by the API's serializers; the caller brings the checks.

Services do not import the API, so the job hands in one check for each column.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from apps.accounts.models import User
from apps.backups.services._tables import PERSON, PERSON_FIELDS, Meaning, tables

__all__ = ["PERSON", "Check", "Checks", "checked_columns"]

# Returns why a value is refused, "" when it is not.
Check = Callable[[Any], str]
Checks = Mapping[tuple[str, str], Check]


def checked_columns() -> Iterator[tuple[str, str, Any]]:
    """Yield table, column and model field of each column with a plain value."""
    for table in tables():
        for column in table.stored:
            if column.meaning is Meaning.PLAIN and not column.field.primary_key:
                yield table.name, column.name, column.field
    for name in PERSON_FIELDS:
        yield PERSON, name, User._meta.get_field(name)

"""Make, edit and delete sources."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction

from apps.core.errors import Invalid
from apps.sources.models import Source


def create_source(*, owner: Any, fields: Mapping[str, Any]) -> Source:
    """Make a source. Raises Invalid for a name that is taken. 1 query."""
    with _name_taken():
        return Source.objects.create(owner=owner, **fields)


def edit_source(*, source: Source, changes: Mapping[str, Any]) -> Source:
    """Change name or notes. Raises Invalid. 1 query."""
    for name, value in changes.items():
        setattr(source, name, value)
    with _name_taken():
        source.save(update_fields=[*changes, "updated_at"])
    return source


def delete_source(*, source: Source) -> None:
    """Delete a source that no batch uses. Raises ProtectedError for one that is used."""
    source.delete()


@contextmanager
def _name_taken() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as problem:
        raise Invalid(fields={"name": ["is the name of another source of yours"]}) from problem

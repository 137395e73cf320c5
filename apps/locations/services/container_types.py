"""Make, edit and delete container types."""

from collections.abc import Mapping
from typing import Any

from apps.locations.models import ContainerType
from apps.locations.services._names import check_limits, names_taken
from apps.locations.services.locations import clean_name


def create_container_type(*, owner: Any, fields: Mapping[str, Any]) -> ContainerType:
    """Make a container type. Raises Invalid. 1 query."""
    row = ContainerType(owner=owner, **{**fields, "name": clean_name(fields["name"])})
    check_limits(row)
    with names_taken():
        row.save(force_insert=True)
    return row


def edit_container_type(*, row: ContainerType, changes: Mapping[str, Any]) -> ContainerType:
    """Change some of its fields; locations made of it before keep their limits. Raises Invalid.

    1 query.
    """
    for name, value in changes.items():
        setattr(row, name, clean_name(value) if name == "name" else value)
    check_limits(row)
    with names_taken():
        row.save(update_fields=[*changes, "updated_at"])
    return row


def delete_container_type(*, row: ContainerType) -> None:
    """Delete a container type; its locations stay, without one. 2 queries."""
    row.delete()

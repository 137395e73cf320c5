"""Make, edit and delete container types."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.core.concurrency import lock_in_order
from apps.core.errors import UnknownReference, ValueRefused
from apps.core.names import refuse_name
from apps.locations.models import ContainerType
from apps.locations.services._names import check_limits, names_taken
from apps.locations.services.locations import clean_name


def create_container_type(*, owner: User, fields: Mapping[str, Any]) -> ContainerType:
    """Make a container type. Raises Invalid."""
    row = ContainerType(owner=owner, **{**fields, "name": clean_name(fields["name"])})
    check_limits(row)
    refuse_name(ContainerType, owner=owner, name=row.name)
    with names_taken():
        row.save(force_insert=True)
    return row


def edit_container_type(*, row: ContainerType, changes: Mapping[str, Any]) -> ContainerType:
    """Change some of its fields; locations made of it before keep their limits. Raises Invalid."""
    was = row.name
    for name, value in changes.items():
        setattr(row, name, clean_name(value) if name == "name" else value)
    check_limits(row)
    if row.name != was:
        refuse_name(ContainerType, owner=row.owner_id, name=row.name, besides=row.pk)
    with names_taken():
        row.save(update_fields=[*changes, "updated_at"])
    return row


def delete_container_type(*, row: ContainerType) -> None:
    """Delete a container type; its locations stay, without one."""
    row.delete()


@transaction.atomic
def merge_container_type(*, row: ContainerType, into: ContainerType) -> int:
    """Let the locations of `row` be of another type, and delete it. Returns how many.

    Locations keep their limits, as they do when their type changes. Raises Invalid.
    """
    if row.pk == into.pk:
        raise ValueRefused(fields={"into": ["must be another container type"]})
    both = ContainerType.objects.filter(pk__in=(row.pk, into.pk))
    if len(lock_in_order(both, to_delete=True)) != 2:
        raise UnknownReference(fields={"into": ["is not there any more"]})
    locations: Any = row.locations
    count = int(locations.update(container_type=into))
    row.delete()
    return count

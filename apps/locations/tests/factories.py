"""The least places that a test needs."""

import itertools

from apps.locations.models import ContainerType
from apps.locations.services.locations import create_location

_numbers = itertools.count(1)


def make_location(owner, name="", **fields):
    """A location without limits, made as people make one."""
    return create_location(owner=owner, fields={"name": name or f"Bin {next(_numbers)}", **fields})


def make_container_type(owner, name="", **fields):
    return ContainerType.objects.create(
        owner=owner, name=name or f"Drawer {next(_numbers)}", **fields
    )

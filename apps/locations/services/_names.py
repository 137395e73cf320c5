"""Checks that locations and container types share."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from apps.core.errors import ValueRefused
from apps.locations.models import ContainerType, Location


def check_limits(row: Location | ContainerType, *, named: str = "") -> None:
    """Raise Invalid where the lightest piece allowed is heavier than the heaviest.

    `named` identifies one of many.
    """
    least, most = row.min_item_weight, row.max_item_weight
    if least is not None and most is not None and least > most:
        which = f" of {named}" if named else ""
        raise ValueRefused(fields={"min_item_weight": [f"must not exceed max_item_weight{which}"]})


@contextmanager
def names_taken() -> Iterator[None]:
    """Turn a broken unique constraint into a field message; the write is undone."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as problem:
        # PostgreSQL names the constraint, SQLite the columns.
        field = "code" if "code" in str(problem) else "name"
        raise ValueRefused(fields={field: ["is used by another one of yours"]}) from problem

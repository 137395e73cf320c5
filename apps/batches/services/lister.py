"""Holds the function that lists items once they are stowed. The app `listings` registers it."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Protocol

from apps.batches.models import Batch
from apps.core.jobs.models import Job


class Lister(Protocol):
    """Puts stowed items up for sale."""

    def prepare(self, *, owner: Any, now: dt.datetime) -> None:
        """Raise a DomainError, before anything is stowed, where nothing could be listed."""

    def start(
        self, *, batch: Batch, item_ids: Sequence[int], stockroom: str | None, now: dt.datetime
    ) -> list[Job]:
        """Queue the listing of these stowed items within the transaction that stowed them."""


_registered: list[Lister] = []


def register_lister(found: Lister) -> None:
    """Make this the lister, in the `ready` of its app."""
    _registered[:] = [found]


def lister() -> Lister:
    """Return the registered lister."""
    return _registered[0]

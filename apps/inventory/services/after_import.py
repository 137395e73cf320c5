"""What goes before a reading of the store is applied, and what follows an import or its undo.

Apps above provide it: orders are read first, and promised what came. Batches know that pieces of
theirs are in the store.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Protocol

from apps.accounts.models import User
from apps.core.hooks import Hook
from apps.core.jobs.run import JobRun

#: A batch item that an import marked as listed, with its marketplace lot before.
Marked = tuple[int, int | None]


class Uploads(Protocol):
    """Marks batch items as listed, or takes that back, in the transaction of an import or undo."""

    def mark(
        self, *, owner: User, items: Mapping[int, int], by: User, now: dt.datetime
    ) -> list[Marked]:
        """Mark items that still wait; `items` are the pieces of each. Return those marked."""

    def unmark(
        self, *, owner: User, marked: Sequence[Marked], at: dt.datetime, by: User, now: dt.datetime
    ) -> None:
        """Let items wait again that were marked `at` this instant and not marked since."""


_uploads: list[Uploads] = []


@Hook
def prepare_import(run: JobRun) -> None:
    """Bring up to date what the app that reads the store keeps, before anything is changed."""


@Hook
def follow_import(*, owner: User, now: dt.datetime) -> None:
    """Act on an applied or undone import, in the transaction that ends it."""


def register_uploads(found: Uploads) -> None:
    """Make this what marks batch items, in the `ready` of its app."""
    _uploads[:] = [found]


def uploads() -> Uploads:
    """Return what marks batch items."""
    return _uploads[0]

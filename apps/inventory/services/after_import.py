"""What goes before a reading of the store is applied, and what follows an import or its undo.

Apps above register it: orders are read first, and promised what came. Batches know that pieces of
theirs are in the store.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from apps.core.jobs.run import JobRun


class Follower(Protocol):
    """Called in the transaction that ends an import or its undo."""

    def __call__(self, *, owner: Any, now: dt.datetime) -> None: ...


#: A batch item that an import marked as listed, with its marketplace lot before.
Marked = tuple[int, int | None]


class Uploads(Protocol):
    """Marks batch items as listed, or takes that back, in the transaction of an import or undo."""

    def mark(
        self, *, owner: Any, items: Mapping[int, int], by: Any, now: dt.datetime
    ) -> list[Marked]:
        """Mark items that still wait; `items` are the pieces of each. Return those marked."""

    def unmark(
        self, *, owner: Any, marked: Sequence[Marked], at: dt.datetime, by: Any, now: dt.datetime
    ) -> None:
        """Let items wait again that were marked `at` this instant and not marked since."""


Preparer = Callable[[JobRun], None]
_registered: list[Follower] = []
_before: list[Preparer] = []
_uploads: list[Uploads] = []


def register_preparer(found: Preparer) -> None:
    """Call this in the job that applies a reading of the store, before it changes anything."""
    _before[:] = [found]


def prepare_import(run: JobRun) -> None:
    """Let the app that reads the store bring it up to date."""
    for preparer in _before:
        preparer(run)


def register_follower(found: Follower) -> None:
    """Make this the follower, in the `ready` of its app."""
    _registered[:] = [found]


def follow_import(*, owner: Any, now: dt.datetime) -> None:
    """Let the follower act on an applied or undone import."""
    for follower in _registered:
        follower(owner=owner, now=now)


def register_uploads(found: Uploads) -> None:
    """Make this what marks batch items, in the `ready` of its app."""
    _uploads[:] = [found]


def uploads() -> Uploads:
    """Return what marks batch items."""
    return _uploads[0]

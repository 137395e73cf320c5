"""What goes before a reading of the store is applied, and what follows an import or its undo.

Apps above register it: orders are read first, and promised what came.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any, Protocol

from apps.core.jobs.run import JobRun


class Follower(Protocol):
    """Called in the transaction that ends an import or its undo."""

    def __call__(self, *, owner: Any, now: dt.datetime) -> None: ...


Preparer = Callable[[JobRun], None]
_registered: list[Follower] = []
_before: list[Preparer] = []


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

"""What follows an import or its undo: apps above register it, as orders do to promise what came."""

import datetime as dt
from typing import Any, Protocol


class Follower(Protocol):
    """Called in the transaction that ends an import or its undo."""

    def __call__(self, *, owner: Any, now: dt.datetime) -> None: ...


_registered: list[Follower] = []


def register_follower(found: Follower) -> None:
    """Make this the follower, in the `ready` of its app."""
    _registered[:] = [found]


def follow_import(*, owner: Any, now: dt.datetime) -> None:
    """Let the follower act on an applied or undone import."""
    for follower in _registered:
        follower(owner=owner, now=now)

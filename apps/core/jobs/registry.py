"""The handler of each kind of job. Handlers are defined in each app's `tasks.py`."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Handler = Callable[..., Any]
H = TypeVar("H", bound=Handler)


@dataclass(frozen=True, slots=True)
class JobKind:
    """What `job_handler` was given."""

    handler: Handler
    every: dt.timedelta | None
    stopped: Handler | None
    folder: str


_kinds: dict[str, JobKind] = {}


class UnknownJobKind(LookupError):
    """No handler is registered for this kind."""


def job_handler(
    kind: str,
    *,
    every: dt.timedelta | None = None,
    stopped: Handler | None = None,
    folder: str = "",
) -> Callable[[H], H]:
    """Register `handler(run, **payload)` for jobs of `kind` (`<app>.<verb_noun>`).

    With `every`, the workers start one such job, of nobody, in each such period. `stopped(run,
    reason, **payload)` is called in the very transaction in which such a job ends without
    success, also where no handler runs: cancelled while it waits, or given up after five kills.
    Its return value is the job's result. `folder` of the storage holds the files of such jobs:
    what lies there for a day and is named by no row and no job is deleted.
    """

    def register(handler: H) -> H:
        if kind in _kinds and _kinds[kind].handler is not handler:
            raise ValueError(f"two handlers for jobs of kind {kind}")
        _kinds[kind] = JobKind(handler, every, stopped, folder)
        return handler

    return register


def handler_for(kind: str) -> Handler:
    """Return the handler of `kind`. Raises UnknownJobKind."""
    if kind not in _kinds:
        raise UnknownJobKind(kind)
    return _kinds[kind].handler


def kinds() -> frozenset[str]:
    """Return the kinds of jobs that can be run here."""
    return frozenset(_kinds)


def tidier_for(kind: str) -> Handler | None:
    """Return what tidies up after jobs of `kind` that end without success, if anything does."""
    return _kinds[kind].stopped if kind in _kinds else None


def periods() -> dict[str, dt.timedelta]:
    """Return the kinds that the workers start by themselves, and how often."""
    return {kind: one.every for kind, one in _kinds.items() if one.every is not None}


def folders() -> dict[str, str]:
    """Return the folder of the files of each kind of job that has any."""
    return {kind: one.folder for kind, one in _kinds.items() if one.folder}

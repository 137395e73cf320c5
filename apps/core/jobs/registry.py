"""The handler of each kind of job. Handlers are defined in each app's `tasks.py`."""

import datetime as dt
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from django.apps import apps

if TYPE_CHECKING:
    from apps.core.jobs.run import JobRun

Handler = Callable[..., Any]
H = TypeVar("H", bound=Handler)

_handlers: dict[str, Handler] = {}
_tidiers: dict[str, Handler] = {}
_periods: dict[str, dt.timedelta] = {}
_folders: dict[str, str] = {}


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
        if kind in _handlers and _handlers[kind] is not handler:
            raise ValueError(f"two handlers for jobs of kind {kind}")
        _handlers[kind] = handler
        if every is not None:
            _periods[kind] = every
        if stopped is not None:
            _tidiers[kind] = stopped
        if folder:
            _folders[kind] = folder
        return handler

    return register


def handler_for(kind: str) -> "Callable[..., Any]":
    """Return the handler of `kind`. Raises UnknownJobKind."""
    try:
        return _handlers[kind]
    except KeyError:
        raise UnknownJobKind(kind) from None


def kinds() -> frozenset[str]:
    """Return the kinds of jobs that can be run here."""
    return frozenset(_handlers)


def tidier_for(kind: str) -> Handler | None:
    """Return what tidies up after jobs of `kind` that end without success, if anything does."""
    return _tidiers.get(kind)


def periods() -> dict[str, dt.timedelta]:
    """Return the kinds that the workers start by themselves, and how often."""
    return dict(_periods)


def folders() -> dict[str, str]:
    """Return the folder of the files of each kind of job that has any."""
    return dict(_folders)


def load_handlers() -> None:
    """Import the `tasks` module of every app of ours, so that its handlers register."""
    for config in apps.get_app_configs():
        if config.name.startswith("apps.") and find_spec(f"{config.name}.tasks"):
            import_module(f"{config.name}.tasks")


__all__ = [
    "Handler",
    "JobRun",
    "UnknownJobKind",
    "folders",
    "handler_for",
    "job_handler",
    "kinds",
    "load_handlers",
    "periods",
    "tidier_for",
]

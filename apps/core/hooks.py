"""Functions that an app calls and an app above it provides, in the `ready` of its config."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """Calls the function that was provided, and the decorated one where there is none."""

    def __init__(self, default: Callable[P, R]) -> None:
        self._function = default
        update_wrapper(self, default)

    def provide(self, function: Callable[P, R]) -> None:
        """Make this the function that is called."""
        self._function = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._function(*args, **kwargs)

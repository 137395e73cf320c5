"""Threads that start at the same instant, each with a database connection of its own.

Without the barrier a broken check-then-act passes: the first thread ends before the
last begins (tried on the last free place of a bin).
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

Result = TypeVar("Result")

WAIT_SECONDS = 30


def at_once(act: Callable[[int], Result], *, threads: int) -> list[Result]:
    """Call `act(number)` in so many threads at once; return what each returned, in order."""
    barrier = threading.Barrier(threads, timeout=WAIT_SECONDS)

    def one(number: int) -> Result:
        try:
            connections["default"].ensure_connection()
            barrier.wait()
            return act(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=threads) as pool:
        return list(pool.map(one, range(threads)))

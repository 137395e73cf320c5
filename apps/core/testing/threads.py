"""Threads that start at the same instant, each with a database connection of its own.

Without the barrier a broken check-then-act passes: the first thread ends before the
last begins (tried on the last free place of a bin).
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection, connections, transaction

Result = TypeVar("Result")

WAIT_SECONDS = 120


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


def meet(
    *, first: Callable[[], object], then: Callable[[], object], other: Callable[[], object]
) -> None:
    """Run `first()`, let `other()` begin elsewhere until it waits or ends, run `then()`.

    All of the first in one transaction. If `first` and `then` lock in the right order, a writer
    that locks in another one causes a deadlock. PostgreSQL only. Raises what `other` raised.
    """
    begun = threading.Event()
    pids: list[int] = []

    def elsewhere() -> None:
        try:
            with connections["default"].cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                pids.append(cursor.fetchone()[0])
            begun.set()
            other()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=1) as pool:
        with transaction.atomic():
            first()
            ended = pool.submit(elsewhere)
            assert begun.wait(WAIT_SECONDS)
            while not ended.done() and not _waits(pids[0]):
                pass
            then()
        ended.result(WAIT_SECONDS)


def _waits(pid: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [pid])
        return bool(cursor.fetchone()[0])

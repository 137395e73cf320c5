"""The connection of a job of many chunks, each with its checkpoint in the same commit."""

import logging
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from typing import Any, Final

from django.db import connection, transaction

from apps.core.jobs.run import progressed

# 8 MiB of pages instead of 64, and none mapped: an import touches every page once, so a large
# cache only makes the worker large. What is committed is moved from the log to the database beside
# the job, which would wait for the disk, and seldom: most pages are written again by the next chunk.
ON_SQLITE: Final = {"cache_size": -8192, "mmap_size": 0, "wal_autocheckpoint": 0}
CHUNKS_IN_LOG: Final = 8

logger = logging.getLogger(__name__)


@contextmanager
def long_job() -> Iterator[None]:
    """Set the connection for a long job of this thread, and set it back.

    PostgreSQL does not wait for the disk at each commit: after a power cut the job resumes from
    the last chunk saved.
    """
    with _postgres() if connection.vendor == "postgresql" else _sqlite():
        yield


@contextmanager
def _postgres() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO off")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET synchronous_commit")


@contextmanager
def _sqlite() -> Iterator[None]:
    thread, chunks = threading.get_ident(), 0
    moving: Future[None] | None = None

    def heard(**_: Any) -> None:
        nonlocal chunks, moving
        if threading.get_ident() != thread or connection.in_atomic_block:
            return
        chunks += 1
        if chunks > CHUNKS_IN_LOG and moving is not None and moving.done():
            # The little that came since: a log that is moved whole begins anew. Not during the move,
            # by somebody else: before 3.51.3 SQLite could then lose pages.
            moving, chunks = None, 0
            with transaction.atomic():
                _move_log()
        elif chunks >= CHUNKS_IN_LOG and moving is None:
            with suppress(RuntimeError):  # the process ends
                moving = mover.submit(_move_log)

    with connection.cursor() as cursor:
        before = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ON_SQLITE}
        for name, value in ON_SQLITE.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.execute("PRAGMA shrink_memory")
    progressed.connect(heard)
    try:
        with ThreadPoolExecutor(max_workers=1) as mover:
            yield
    finally:
        progressed.disconnect(heard)
        with connection.cursor() as cursor:
            for name, value in before.items():
                cursor.execute(f"PRAGMA {name} = {value}")
        _move_log()  # or a request would


def _move_log() -> None:
    """Move what is committed from the log to the database; nobody waits for it."""
    try:
        with closing(sqlite3.connect(connection.settings_dict["NAME"], uri=True)) as log:
            log.execute("PRAGMA wal_checkpoint(PASSIVE)")
    except sqlite3.Error as problem:  # a full disk: the next write of the job tells it
        logger.warning("the log of the database was not moved: %s", problem)

"""The connection: it waits for the write lock in Python, not in SQLite.

SQLite waits with pauses of up to 100 ms: beside a job that writes chunk after chunk it misses the
moments in between. And while it waits it holds its connection, so that the holder of the lock can
wait for the waiting thread: Python's garbage collection closes cursors of other threads.
"""

import sqlite3
import time
from typing import Any, Final

from django.db.backends.sqlite3 import base
from django.utils.asyncio import async_unsafe

from apps.core.natural import natural_key

STEP_SECONDS: Final = 0.0005
BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY}


class Cursor(base.SQLiteCursorWrapper):
    """Repeats a statement outside a transaction until the lock is free or `timeout` is over."""

    timeout: float

    def execute(self, query: str, params: Any = None) -> Any:
        deadline = None
        while True:
            try:
                return super().execute(query, params)
            except sqlite3.OperationalError as problem:
                if problem.sqlite_errorcode not in BUSY or self.connection.in_transaction:
                    raise
                now = time.monotonic()
                deadline = now + self.timeout if deadline is None else deadline
                if now >= deadline:
                    raise
            time.sleep(STEP_SECONDS)


class DatabaseWrapper(base.DatabaseWrapper):
    @async_unsafe
    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        made: sqlite3.Connection = super().get_new_connection(conn_params)
        made.execute("PRAGMA busy_timeout = 0")
        # What is deleted is overwritten: a closed account is gone from the file, too.
        made.execute("PRAGMA secure_delete = ON")
        made.create_function("NATURAL_KEY", 1, natural_key, deterministic=True)
        return made

    def create_cursor(self, name: str | None = None) -> Cursor:
        made = self.connection.cursor(factory=Cursor)
        made.timeout = self.settings_dict["OPTIONS"].get("timeout", 5)
        return made

"""The connection: it asks for the write lock every two milliseconds.

SQLite itself asks after pauses of up to 100 ms. Beside a job that writes chunk after chunk it
misses the moments in between, and a person at a station waits for seconds.
"""

import sqlite3
import time
from typing import Final

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

STEP_SECONDS: Final = 0.002


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        """Begin a transaction. Raises OperationalError when the lock is not free in `timeout`."""
        timeout = self.settings_dict["OPTIONS"].get("timeout", 5)
        deadline = time.monotonic() + timeout
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while not self._began(is_last=time.monotonic() >= deadline):
                time.sleep(STEP_SECONDS)
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {int(timeout * 1000)}")

    def _began(self, *, is_last: bool) -> bool:
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except OperationalError as problem:
            code = getattr(problem.__cause__, "sqlite_errorcode", None)
            if is_last or code != sqlite3.SQLITE_BUSY:
                raise
            return False
        return True

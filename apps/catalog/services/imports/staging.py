"""Staging tables: rows come in by the fastest way each database has, then SQL compares.

Everything happens set by set, in chunks of 20,000 rows a transaction, so that others may
write in between and memory stays flat. The same SQL runs on SQLite and PostgreSQL.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final

from django.db import connection, transaction

LOAD_CHUNK: Final = 10_000
WRITE_CHUNK: Final = 20_000


class Staging:
    """The temporary tables of one run, on the default connection."""

    def __init__(self, beat: Callable[[], None] = lambda: None) -> None:
        self._beat = beat
        self.is_postgresql = connection.vendor == "postgresql"
        # `a IS DISTINCT FROM b`, in the words that both old and new SQLite understand.
        self.differs = "IS DISTINCT FROM" if self.is_postgresql else "IS NOT"
        self._made: list[str] = []

    # -- the session -------------------------------------------------------------------

    @contextmanager
    def session(self) -> Iterator[None]:
        """Set the connection up for long statements, and leave it as it was."""
        if self.is_postgresql:
            self.execute("SET statement_timeout = 0")
            self.execute("SET work_mem = '64MB'")
        elif not connection.in_atomic_block:
            # Large staging tables belong on disk, not in memory.
            self.execute("PRAGMA temp_store = FILE")
        try:
            yield
        finally:
            self._tidy_up()

    def _tidy_up(self) -> None:
        if connection.needs_rollback:
            return
        for name in self._made:
            self.execute(f"DROP TABLE IF EXISTS {name}")
        self._made.clear()
        if self.is_postgresql:
            self.execute("RESET statement_timeout")
            self.execute("RESET work_mem")
        elif not connection.in_atomic_block:
            self.execute("PRAGMA temp_store = MEMORY")

    # -- making and filling ------------------------------------------------------------

    def make(self, name: str, columns: Mapping[str, str]) -> None:
        """Make an empty temporary table; `seq` numbers its rows."""
        self.execute(f"DROP TABLE IF EXISTS {name}")
        listed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        number = "BIGSERIAL PRIMARY KEY" if self.is_postgresql else "INTEGER PRIMARY KEY"
        self.execute(f"CREATE TEMPORARY TABLE {name} (seq {number}, {listed})")
        self._made.append(name)

    def make_from(self, name: str, select: str, params: Sequence[Any] = ()) -> None:
        """Make a temporary table from a SELECT."""
        self.execute(f"DROP TABLE IF EXISTS {name}")
        self.execute(f"CREATE TEMPORARY TABLE {name} AS {select}", params)
        self._made.append(name)
        self.analyze(name)

    def load(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Append rows; return how many."""
        remaining = iter(rows)
        count = 0
        with self._temporary_writes():
            while chunk := list(islice(remaining, LOAD_CHUNK)):
                self._append(name, columns, chunk)
                count += len(chunk)
        self.analyze(name)
        return count

    def _append(self, name: str, columns: Sequence[str], rows: list[Sequence[Any]]) -> None:
        listed = ", ".join(columns)
        if self.is_postgresql:
            with (
                connection.cursor() as cursor,
                cursor.copy(f"COPY {name} ({listed}) FROM STDIN") as copy,
            ):
                for row in rows:
                    copy.write_row(row)
            return
        # The driver itself: Django's cursor would rewrite the statement for each chunk
        # and halves the speed.
        marks = ", ".join("?" * len(columns))
        connection.ensure_connection()
        connection.connection.executemany(f"INSERT INTO {name} ({listed}) VALUES ({marks})", rows)

    @contextmanager
    def _temporary_writes(self) -> Iterator[None]:
        """One deferred transaction on SQLite: it never takes the lock of the database."""
        if self.is_postgresql or connection.in_atomic_block:
            yield
            return
        self.execute("BEGIN DEFERRED")
        try:
            yield
        except BaseException:
            self.execute("ROLLBACK")
            raise
        self.execute("COMMIT")

    def index(self, name: str, *columns: str) -> None:
        """Index a staging table."""
        self.execute(f"CREATE INDEX {name}_{'_'.join(columns)} ON {name} ({', '.join(columns)})")

    def analyze(self, name: str) -> None:
        """Analyse a table for PostgreSQL's planner; SQLite plans by indexes alone."""
        if self.is_postgresql:
            self.execute(f"ANALYZE {name}")

    # -- asking and writing ------------------------------------------------------------

    def execute(self, sql: str, params: Sequence[Any] = ()) -> int:
        """Run a statement; return the number of rows it touched."""
        with connection.cursor() as cursor:
            cursor.execute(sql, params or None)
            return max(cursor.rowcount, 0)

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        with connection.cursor() as cursor:
            cursor.execute(sql, params or None)
            return cursor.fetchall()

    def value(self, sql: str, params: Sequence[Any] = ()) -> Any:
        """Return the first column of the first row."""
        found = self.rows(sql, params)
        return found[0][0] if found else None

    def write(self, sql: str, params: Sequence[Any] = ()) -> int:
        """Run a writing statement in a transaction of its own; return its rows."""
        with transaction.atomic():
            return self.execute(sql, params)

    def write_in_chunks(self, name: str, sql: str, params: Sequence[Any] = ()) -> int:
        """Run `sql` for the rows of a staging table; return the rows it touched.

        `{chunk}` in the statement is replaced by the condition on the staging table `s`. SQLite has
        one lock for all writers, so there each 20,000 rows are a transaction of their own.
        PostgreSQL lets others write at the same time and plans the whole set better.
        """
        if self.is_postgresql:
            touched = self.write(sql.replace("{chunk}", "TRUE"), params)
            self._beat()
            return touched
        statement = sql.replace("{chunk}", "s.seq > %s AND s.seq <= %s")
        last = self.value(f"SELECT MAX(seq) FROM {name}") or 0
        touched = 0
        for start in range(0, last, WRITE_CHUNK):
            touched += self.write(statement, (*params, start, start + WRITE_CHUNK))
            self._beat()
        return touched

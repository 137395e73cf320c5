"""The shared state of a run's steps: the files, the staging tables, the report, the clock."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import connection

from apps.catalog.rules.readers.formats import Layout, Table
from apps.catalog.rules.readers.rows import rows_of
from apps.catalog.rules.readers.sources import Source, UnreadableFile
from apps.catalog.rules.text import BadValue
from apps.catalog.services.imports.report import Report, TableFigures
from apps.catalog.services.imports.staging import Staging

# A file without more than this share of the stored rows is no full catalogue.
LARGEST_LOSS: Final = 0.2
PARKED_EXCERPT: Final = 5  # columns of a parked row that the report shows

Convert = Callable[[list[str]], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class InputFile:
    """A recognised file of this run."""

    source: Source
    layout: Layout


@dataclass
class Work:
    """One run."""

    now: datetime
    stage: Staging
    report: Report
    inputs: dict[Table, list[InputFile]]
    retire_all: bool = False
    beat: Callable[[], None] = lambda: None
    incomplete: set[Table] = field(default_factory=set)
    staged: set[str] = field(default_factory=set)
    _files: list[str] = field(default_factory=list)

    def has(self, *tables: Table) -> bool:
        """Whether files of all these tables are part of the run."""
        return all(self.inputs.get(table) for table in tables)

    def is_whole(self, table: Table) -> bool:
        """Whether the table was given and read to its end."""
        return self.has(table) and table not in self.incomplete

    @property
    def stamp(self) -> str:
        """`now` as the database writes it in raw SQL."""
        return str(connection.ops.adapt_datetimefield_value(self.now))

    @contextmanager
    def table(self, name: str) -> Iterator[TableFigures]:
        """Time what happens to a table, and beat once it is done."""
        figures = self.report.table(name)
        self.report.progress(name)
        started = time.perf_counter()
        try:
            yield figures
        finally:
            figures.seconds += time.perf_counter() - started
            self.beat()

    # -- reading -----------------------------------------------------------------------

    def values(self, table: Table, convert: Convert) -> Iterator[tuple[int, int, Sequence[Any]]]:
        """Yield (file, line, converted row) of all files of a table; report the bad rows."""
        for file in self.inputs.get(table, []):
            name = file.source.name
            number = len(self._files)
            self._files.append(name)
            figures = self.report.files[name]

            def refuse(line: int, reason: str, text: str, name: str = name) -> None:
                self.report.refuse(name, line, reason, text)

            try:
                for line, row in rows_of(file.source, file.layout, refuse):
                    figures.rows += 1
                    try:
                        yield number, line, convert(row)
                    except BadValue as problem:
                        refuse(line, str(problem), " | ".join(row)[:300])
            except UnreadableFile as problem:
                self.incomplete.add(table)
                figures.state = "damaged"
                figures.note = str(problem)

    def load(
        self, table: Table, name: str, columns: Mapping[str, str], convert: Convert
    ) -> TableFigures:
        """Stage all files of a table as `name`, with `file` and `line` before its columns."""
        stage = self.stage
        stage.make(name, {"file": "INTEGER", "line": "INTEGER", **columns})
        figures = TableFigures()
        figures.rows = stage.load(
            name,
            ("file", "line", *columns),
            ((file, line, *row) for file, line, row in self.values(table, convert)),
        )
        self.staged.add(name)
        return figures

    # -- refusing staged rows ----------------------------------------------------------

    def drop_repeated(self, name: str, *key: str) -> None:
        """Refuse all but the first of the rows with the same key; index the key."""
        columns = ", ".join(key)
        self.stage.index(name, *key)
        same = " AND ".join(f"f.{column} = s.{column}" for column in key)
        repeated = self.stage.rows(
            f"SELECT s.seq, s.file, s.line, f.line, s.{key[-1]} FROM {name} s "
            f"JOIN (SELECT MIN(seq) AS seq, {columns} FROM {name} "
            f"GROUP BY {columns} HAVING COUNT(*) > 1) g "
            f"ON {' AND '.join(f'g.{column} = s.{column}' for column in key)} "
            f"JOIN {name} f ON f.seq = g.seq AND {same} WHERE s.seq <> g.seq"
        )
        for seq, file, line, first, value in repeated:
            self.report.refuse(
                self._files[file], line, f"stands already in line {first}", str(value)
            )
            self.stage.execute(f"DELETE FROM {name} WHERE seq = %s", (seq,))

    def park(self, name: str, where: str, reason: str, *shown: str) -> int:
        """Report and remove the staged rows for which `where` holds; return how many.

        `{}` in the reason is filled with the row's first shown column.
        """
        listed = ", ".join(f"s.{column}" for column in shown)
        found = self.stage.rows(
            f"SELECT s.file, s.line, {listed} FROM {name} s WHERE {where} ORDER BY s.seq"
        )
        for file, line, *values in found:
            text = " | ".join(str(value) for value in values[:PARKED_EXCERPT])
            self.report.park(self._files[file], line, reason.format(f"'{values[0]}'"), text)
        if found:
            self.stage.execute(
                f"DELETE FROM {name} WHERE seq IN (SELECT s.seq FROM {name} s WHERE {where})"
            )
        return len(found)

    def park_new_without(
        self, name: str, column: str, base: int, *, targets: str, key: str, what: str
    ) -> None:
        """Park the new items of `name` whose category is unknown; report known ones, too.

        `targets` holds the item of each `key`, or null. A known item keeps its category.
        """
        unknown = (
            f"s.{column} IS NOT NULL AND NOT EXISTS "
            f"(SELECT 1 FROM catalog_category c WHERE c.id = s.{column} + {base})"
        )
        is_new = f"EXISTS (SELECT 1 FROM {targets} t WHERE t.{key} = s.{key} AND t.item_id IS NULL)"
        parked = self.park(
            name, f"{unknown} AND {is_new}", f"{what} {{}} is not there", column, key
        )
        if parked:
            self.stage.execute(
                f"DELETE FROM {targets} WHERE item_id IS NULL AND NOT EXISTS "
                f"(SELECT 1 FROM {name} s WHERE s.{key} = {targets}.{key})"
            )
        kept = self.stage.rows(
            f"SELECT s.file, s.line, s.{column}, s.{key} FROM {name} s WHERE {unknown} ORDER BY s.seq"
        )
        for file, line, value, item in kept:
            reason = f"{what} '{value}' is not there, so {item} keeps its own"
            self.report.park(self._files[file], line, reason, f"{value} | {item}")

    def may_retire(self, what: str, missing: int, known: int) -> bool:
        """Whether a file that lacks `missing` of `known` is believed to be the whole table."""
        if not missing or self.retire_all or missing <= known * LARGEST_LOSS:
            return True
        self.report.notes.append(
            f"{what}: {missing} of {known} are not in the file, so it looks like a part of the "
            "table; nothing was retired (--retire retires them)"
        )
        return False

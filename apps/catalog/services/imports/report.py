"""The report of a run: figures by table and file, and every row that was not imported."""

import csv
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

KEPT_PER_REASON: Final = 20  # in the database; the report file has all
_QUOTED: Final = re.compile("'[^']*'")
COLUMNS: Final = ("file", "line", "kind", "reason", "text")


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was not taken. Parked ones point to something that is not there (yet)."""

    file: str
    line: int
    reason: str
    text: str
    is_parked: bool


@dataclass(slots=True)
class TableFigures:
    """What happened to one table."""

    added: int = 0
    changed: int = 0
    retired: int = 0
    removed: int = 0
    rows: int = 0
    seconds: float = 0.0

    @property
    def written(self) -> int:
        """Rows that differ from before."""
        return self.added + self.changed + self.retired + self.removed

    def as_json(self) -> dict[str, Any]:
        """Return the figures for the run's row."""
        return {
            "added": self.added,
            "changed": self.changed,
            "retired": self.retired,
            "removed": self.removed,
            "rows": self.rows,
            "seconds": round(self.seconds, 3),
            "rows_per_second": round(self.rows / self.seconds) if self.seconds else None,
        }


@dataclass(slots=True)
class FileFigures:
    """What happened to one file."""

    name: str
    table: str
    state: str  # read, unchanged, superseded, unknown, damaged
    rows: int = 0
    refused: int = 0
    parked: int = 0
    note: str = ""


@dataclass
class Report:
    """Collects figures and refusals; writes refusals to the report file as they come."""

    path: Path | None = None
    tables: dict[str, TableFigures] = field(default_factory=dict)
    files: dict[str, FileFigures] = field(default_factory=dict)
    kept: list[Refused] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    progress: Callable[[str], None] = lambda message: None
    _reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    _stream: TextIO | None = None
    _writer: Any = None

    @property
    def refused(self) -> int:
        """Rows that could not be read."""
        return sum(figures.refused for figures in self.files.values())

    @property
    def parked(self) -> int:
        """Rows that point to nothing."""
        return sum(figures.parked for figures in self.files.values())

    @property
    def written(self) -> int:
        """Rows of the catalogue that differ from before."""
        return sum(figures.written for figures in self.tables.values())

    @property
    def damaged(self) -> list[FileFigures]:
        """Files that broke off or could not be opened."""
        return [figures for figures in self.files.values() if figures.state == "damaged"]

    def table(self, name: str) -> TableFigures:
        """Return the figures of a table, to be added to."""
        return self.tables.setdefault(name, TableFigures())

    def refuse(self, file: str, line: int, reason: str, text: str = "") -> None:
        """Report a row that could not be read."""
        self.files[file].refused += 1
        self._tell(Refused(file, line, reason[:300], text[:300], is_parked=False))

    def park(self, file: str, line: int, reason: str, text: str = "") -> None:
        """Report a row that refers to something missing from the catalogue."""
        self.files[file].parked += 1
        self._tell(Refused(file, line, reason[:300], text[:300], is_parked=True))

    def _tell(self, row: Refused) -> None:
        sort = (row.file, _QUOTED.sub("…", row.reason))
        self._reasons[sort] += 1
        if self._reasons[sort] <= KEPT_PER_REASON:
            self.kept.append(row)
        if self.path is not None:
            self._write(row)

    def _write(self, row: Refused) -> None:
        if self._writer is None and self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("w", newline="", encoding="utf-8")
            self._writer = csv.writer(self._stream)
            self._writer.writerow(COLUMNS)
        kind = "parked" if row.is_parked else "refused"
        self._writer.writerow((row.file, row.line, kind, row.reason, defused(row.text)))

    def close(self) -> None:
        """Close the report file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = self._writer = None

    def reasons(self) -> list[tuple[str, str, int]]:
        """Return (file, reason, rows), most rows first."""
        return [(file, reason, count) for (file, reason), count in self._reasons.most_common()]


def defused(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text

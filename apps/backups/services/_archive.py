"""The zip of a backup: written once, read with nothing in it trusted."""

import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from apps.backups.rules import (
    HEAD,
    MAX_LINE,
    ROWS,
    Entry,
    why_not_opened,
    why_not_this_head,
)
from apps.backups.services._tables import names_in_a_file
from apps.core.errors import DomainError, ErrorCode

_ENCRYPTED = 0x1
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError)


class BackupRefused(DomainError):
    code = ErrorCode.UNREADABLE_FILE
    message = "{reason} Nothing was changed."


class Archive:
    """A backup that was opened: its head was read and its size is bounded. Raises BackupRefused."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except _BROKEN:
            raise BackupRefused(reason="This is no zip file, or a broken one.") from None
        entries = [
            Entry(one.filename, one.compress_size, one.file_size, bool(one.flag_bits & _ENCRYPTED))
            for one in self._zip.infolist()
        ]
        if reason := why_not_opened(entries):
            raise BackupRefused(reason=reason)
        self._sizes = {entry.name: entry.unpacked for entry in entries}
        head = self._head()
        if reason := why_not_this_head(head, known=names_in_a_file()):
            raise BackupRefused(reason=reason)
        self.counts: Mapping[str, int] = head["counts"]
        self.format: int = head["format"]
        self.made_at = str(head.get("made_at", ""))

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def rows(self, name: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
        """Yield `(line number, row)` of one table, as many as the head says. Raises BackupRefused.

        The row is None if the line is not a JSON object.
        """
        count = 0
        if self.counts.get(name):
            for number, line in enumerate(self._lines(f"{ROWS}{name}.jsonl"), start=1):
                count += 1
                # The head's counts are the only limit.
                if count > self.counts[name]:
                    break
                row = _parsed(line)
                yield number, row if isinstance(row, dict) else None
        if count != self.counts.get(name, 0):
            raise BackupRefused(
                reason=f"This backup is incomplete: it says {self.counts[name]:,} {name}, "
                f"{count:,} are there."
            )

    def _head(self) -> Any:
        if (head := _parsed(b"".join(self._lines(HEAD)))) is None:
            raise BackupRefused(reason=f"{HEAD}: Expected JSON.")
        return head

    def _lines(self, name: str) -> Iterator[bytes]:
        if name not in self._sizes:
            raise BackupRefused(reason=f"This backup is not whole: {name} is missing.")
        left = self._sizes[name]
        try:
            with self._zip.open(name) as part:
                while line := part.readline(MAX_LINE):
                    left -= len(line)
                    # A file larger than its size in the directory is a bomb.
                    if left < 0 or len(line) == MAX_LINE:
                        raise BackupRefused(reason=f"{name} is larger than it says.")
                    yield line
        except _BROKEN:
            raise BackupRefused(reason=f"{name} in this zip is broken.") from None


def write_rows(archive: zipfile.ZipFile, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
    """Add a table, one row a line; return how many."""
    count = 0
    with archive.open(f"{ROWS}{name}.jsonl", "w", force_zip64=True) as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode())
            out.write(b"\n")
            count += 1
    return count


def _parsed(text: bytes) -> Any:
    """Return the value of a JSON text, None if it is none."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")

"""Files of a folder: plain, gzipped, or inside a zip; read line by line.

Limits keep a hostile or broken archive from filling the memory: a line of 64 KiB,
2 GiB unpacked.
"""

import gzip
import hashlib
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

MAX_LINE: Final = 64 * 1024
MAX_UNPACKED: Final = 2 * 1024**3
MAX_FILES: Final = 2_000
_BOM: Final = b"\xef\xbb\xbf"


class UnreadableFile(Exception):
    """A file that cannot be opened or is damaged; the text describes the error."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a member of a zip, with the name that reports show."""

    name: str
    path: Path
    member: str = ""

    @property
    def base_name(self) -> str:
        """The file's own name without `.gz`, `.txt`, `.csv`, `.xml` (`Original Boxes`)."""
        name = Path(self.member or self.path.name).name
        for ending in (".gz", ".txt", ".csv", ".xml", ".tsv"):
            if name.lower().endswith(ending):
                name = name[: -len(ending)]
        return name

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the unpacked bytes. Raises UnreadableFile, also for damage found on the way."""
        try:
            with self.path.open("rb") as packed:
                if self.member:
                    with zipfile.ZipFile(packed) as archive, archive.open(self.member) as inside:
                        yield self._unpacked(cast(BinaryIO, inside), self.member)
                else:
                    yield self._unpacked(packed, self.path.name)
        except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
            raise UnreadableFile(f"{self.name}: {_plain(error)}") from error
        except (RuntimeError, NotImplementedError, KeyError) as error:  # an encrypted zip
            raise UnreadableFile(f"{self.name}: {_plain(error)}") from error

    @staticmethod
    def _unpacked(stream: BinaryIO, name: str) -> BinaryIO:
        if name.lower().endswith(".gz"):
            return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=stream), 256 * 1024))
        return stream

    def sha256(self) -> str:
        """Return the hash of the file on disk. Raises UnreadableFile."""
        try:
            with self.path.open("rb") as packed:
                digest = hashlib.file_digest(packed, "sha256")
        except OSError as error:
            raise UnreadableFile(f"{self.name}: {_plain(error)}") from error
        digest.update(self.member.encode())
        return digest.hexdigest()


def _plain(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def lines_of(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield (line number, line without its end). Raises UnreadableFile."""
    with source.open() as stream:
        number = 0
        unpacked = 0
        while line := stream.readline(MAX_LINE):
            number += 1
            unpacked += len(line)
            if unpacked > MAX_UNPACKED:
                raise UnreadableFile(f"{source.name}: more than 2 GiB unpacked")
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                raise UnreadableFile(f"{source.name}: line {number} is longer than 64 KiB")
            if number == 1:
                line = line.removeprefix(_BOM)
            yield number, line.rstrip(b"\r\n")


def sources_in(paths: Iterable[Path]) -> list[Source]:
    """Return the files of folders (with their subfolders), files and zips, in stable order.

    Raises UnreadableFile for a path that is not there and for a broken zip.
    """
    found: list[Source] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                file
                for file in path.rglob("*")
                if file.is_file() and not any(p.startswith(".") for p in file.parts)
            )
            for file in inside:
                found.extend(_members(file, f"{path.name}/{file.relative_to(path)}"))
        elif path.is_file():
            found.extend(_members(path, path.name))
        else:
            raise UnreadableFile(f"{path}: no such file or folder")
        if len(found) > MAX_FILES:
            raise UnreadableFile(f"{path}: more than {MAX_FILES} files")
    return found


def _members(path: Path, name: str) -> list[Source]:
    if path.suffix.lower() != ".zip":
        return [Source(name, path)]
    try:
        with zipfile.ZipFile(path) as archive:
            return [
                Source(f"{name}/{member.filename}", path, member.filename)
                for member in archive.infolist()
                if not member.is_dir()
            ]
    except (OSError, zipfile.BadZipFile) as error:
        raise UnreadableFile(f"{name}: {_plain(error)}") from error

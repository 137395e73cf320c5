"""Reads the LDraw parts library: a folder, a tar archive, or LDraw's own zip.

An archive is read once, from the first byte to the last, into one file without a name; nothing
is unpacked by name, so that no path of an archive means anything on this machine.
"""

import os
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Self

# The largest file of the library of May 2024 has 1 MB.
LARGEST_FILE: Final = 8 * 1024 * 1024
LARGEST_LIBRARY: Final = 4 * 1024 * 1024 * 1024
MOST_FILES: Final = 400_000
_FOLDERS: Final = ("parts/", "p/")
_CONFIG: Final = "ldconfig.ldr"
_STEP: Final = 1024 * 1024
_UNREADABLE: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)


class NotALibrary(Exception):
    """The source holds no LDraw parts, or cannot be read. The text is the reason."""


def library_name(path: str) -> str | None:
    """Return the name within the library ("parts/3001.dat"); None for other files.

    Raises ValueError for a path that climbs out or begins at the root.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts or path.startswith(("/", "\\")) or "\0" in path:
        raise ValueError(path)
    name = "/".join(parts).lower()
    if name.endswith(_CONFIG):
        return _CONFIG
    if not name.endswith(".dat"):
        return None
    # An archive may put the library into a folder of its own, and LDraw's does.
    for top in range(len(parts)):
        rest = "/".join(parts[top:]).lower()
        if rest.startswith(_FOLDERS):
            return rest
    return None


@dataclass
class Library:
    """The files of the library by name, each read when it is asked for."""

    refused: list[str] = field(default_factory=list)
    made: dict[str, bytes] = field(default_factory=dict)  # files of our own, beside the library's
    _folder: Path | None = None
    _paths: dict[str, Path] = field(default_factory=dict)
    _places: dict[str, tuple[int, int]] = field(default_factory=dict)
    _spool: "IO[bytes] | None" = None

    @classmethod
    def open(cls, source: Path) -> Self:
        """Read what `source` holds. Raises NotALibrary."""
        library = cls()
        try:
            library._read(source)
        except NotALibrary:
            library.close()
            raise
        except Exception as problem:
            library.close()
            # Each format has errors of its own for partial, damaged or locked files.
            if isinstance(problem, _UNREADABLE) or type(problem).__name__ == "LZMAError":
                raise NotALibrary(f"{source.name} cannot be read: {problem}") from problem
            raise
        return library

    def _read(self, source: Path) -> None:
        if source.is_dir():
            self._index(source)
        elif zipfile.is_zipfile(source):
            self._keep(_zip_files(source))
        elif source.is_file():
            self._keep(_tar_files(source))
        else:
            raise NotALibrary(f"There is no file or folder {source}.")
        if not self.part_numbers():
            raise NotALibrary(
                f"{source.name} holds no LDraw parts. Expected a folder `parts` with .dat files."
            )

    def part_numbers(self) -> list[str]:
        """Return the numbers of all parts, in order ("3001")."""
        names = self._paths or self._places
        return sorted(
            name[6:-4] for name in names if name.startswith("parts/") and "/" not in name[6:]
        )

    def __contains__(self, name: str) -> bool:
        return name in self._paths or name in self._places or name in self.made

    def read(self, name: str) -> bytes:
        """Return the file's bytes. Raises KeyError for one that is not there."""
        if name in self.made:
            return self.made[name]
        path = self._paths.get(name)
        if path is not None:
            with path.open("rb") as file:
                return file.read(LARGEST_FILE)
        start, size = self._places[name]
        assert self._spool is not None
        return os.pread(self._spool.fileno(), size, start)

    def head(self, name: str, size: int = 4096) -> bytes:
        """Return the first bytes of a file, with its title and keywords."""
        path = self._paths.get(name)
        if path is not None:
            with path.open("rb") as file:
                return file.read(size)
        start, length = self._places[name]
        assert self._spool is not None
        return os.pread(self._spool.fileno(), min(size, length), start)

    def close(self) -> None:
        if self._spool is not None:
            self._spool.close()
            self._spool = None

    def _index(self, folder: Path) -> None:
        root = folder.resolve()
        for base, _, names in os.walk(root, followlinks=False):
            for file_name in names:
                path = Path(base) / file_name
                name = library_name(str(path.relative_to(root)))
                if name is None:
                    continue
                # A link may lead out of the folder.
                if path.is_symlink() or path.stat().st_size > LARGEST_FILE:
                    self.refused.append(str(path.relative_to(root)))
                    continue
                self._paths[name] = path
                if len(self._paths) > MOST_FILES:
                    raise NotALibrary(f"More than {MOST_FILES:,} files.")

    def _keep(self, files: "Iterator[tuple[str, int, IO[bytes] | None]]") -> None:
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the library)
        at = 0
        for path, size, content in files:
            try:
                name = library_name(path)
            except ValueError:
                self.refused.append(path)
                continue
            if name is None:
                continue
            if content is None or size > LARGEST_FILE:
                self.refused.append(path)
                continue
            start, left = at, size
            while left and (some := content.read(min(_STEP, left))):
                self._spool.write(some)
                at, left = at + len(some), left - len(some)
            self._places[name] = (start, at - start)
            if at > LARGEST_LIBRARY or len(self._places) > MOST_FILES:
                raise NotALibrary(
                    f"Larger than {LARGEST_LIBRARY >> 30} GB or {MOST_FILES:,} files."
                )
        self._spool.flush()


def _tar_files(source: Path) -> "Iterator[tuple[str, int, IO[bytes] | None]]":
    with tarfile.open(source, "r|*") as archive:
        for member in archive:
            if member.isdir():
                continue
            content = archive.extractfile(member) if member.isreg() else None
            yield member.name, member.size, content


def _zip_files(source: Path) -> "Iterator[tuple[str, int, IO[bytes] | None]]":
    with zipfile.ZipFile(source) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.file_size > LARGEST_FILE or info.flag_bits & 1:
                yield info.filename, info.file_size, None
                continue
            with archive.open(info) as content:
                yield info.filename, info.file_size, content

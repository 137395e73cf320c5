"""Rebrickable's CSV downloads: one after the other, resumed where they broke off.

A file that has not changed since the last fetch is not sent again (ETag, Last-Modified).
"""

import gzip
import json
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import requests

TABLES: Final = (
    "colors",
    "themes",
    "part_categories",
    "parts",
    "part_relationships",
    "elements",
    "sets",
    "minifigs",
    "inventories",
    "inventory_parts",
    "inventory_minifigs",
    "inventory_sets",
)
LARGEST_FILE: Final = 512 * 1024 * 1024
CHUNK: Final = 256 * 1024
TIMEOUT: Final = (10, 60)  # seconds to connect, seconds without a byte
ATTEMPTS: Final = 4
LONGEST_WAIT: Final = 120


class DownloadFailed(Exception):
    """A file could not be fetched; the text names it and the reason."""


def _wait(seconds: float) -> None:
    time.sleep(seconds)  # looked up when it is called, so that a test can shorten it


@dataclass(frozen=True, slots=True)
class Downloads:
    """Where the files are, where they go, and how politely they are asked for."""

    base_url: str
    folder: Path
    user_agent: str
    pause_seconds: float = 1.0
    wait: Callable[[float], None] = _wait
    progress: Callable[[str], None] = lambda message: None
    session: requests.Session = field(default_factory=requests.Session)

    def fetch(self, tables: Sequence[str] = TABLES) -> list[Path]:
        """Fetch the tables' files and return their paths. Raises DownloadFailed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        found = []
        for place, table in enumerate(tables):
            if place:
                self.wait(self.pause_seconds)
            self.progress(f"fetching {table}")
            found.append(self._fetch_patiently(f"{table}.csv.gz"))
        return found

    def _fetch_patiently(self, name: str) -> Path:
        """Try again what can heal: the network, 429 and 5xx."""
        reason = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                self.wait(min(2.0**attempt, LONGEST_WAIT))
            try:
                return self._fetch_once(name)
            except _TryLater as later:
                reason = later.reason
                if later.seconds > LONGEST_WAIT:
                    break
                self.wait(later.seconds)
            except requests.RequestException as error:
                reason = str(error)
        raise DownloadFailed(f"{self.base_url}{name}: {reason}")

    def _fetch_once(self, name: str) -> Path:
        target = self.folder / name
        part = self.folder / f"{name}.part"
        note = self.folder / f"{name}.json"
        headers = {"User-Agent": self.user_agent, "Accept-Encoding": "identity"}
        begun = part.stat().st_size if part.exists() else 0
        marks = _read_note(note) if note.exists() else {}
        if begun and marks.get("partial"):
            headers |= {"Range": f"bytes={begun}-", "If-Range": marks["partial"]}
        elif target.exists():
            if marks.get("etag"):
                headers["If-None-Match"] = marks["etag"]
            if marks.get("modified"):
                headers["If-Modified-Since"] = marks["modified"]
        with self.session.get(
            f"{self.base_url}{name}", headers=headers, stream=True, timeout=TIMEOUT
        ) as answer:
            if answer.status_code == 304:
                return target
            if answer.status_code == 416:  # the partial download is longer than the file
                part.unlink(missing_ok=True)
                raise _TryLater("the file changed while it was fetched", 0)
            if answer.status_code == 429 or answer.status_code >= 500:
                raise _TryLater(f"HTTP {answer.status_code}", _retry_after(answer))
            if answer.status_code not in (200, 206):
                raise DownloadFailed(f"{self.base_url}{name}: HTTP {answer.status_code}")
            fresh = {
                "etag": answer.headers.get("ETag", ""),
                "modified": answer.headers.get("Last-Modified", ""),
            }
            note.write_text(json.dumps({**marks, "partial": fresh["etag"] or fresh["modified"]}))
            with part.open("ab" if answer.status_code == 206 else "wb") as file:
                for chunk in answer.iter_content(CHUNK):
                    file.write(chunk)
                    if file.tell() > LARGEST_FILE:
                        raise DownloadFailed(f"{self.base_url}{name}: larger than 512 MiB")
        _check_whole(part, name)
        part.replace(target)
        note.write_text(json.dumps(fresh))
        return target


class _TryLater(Exception):
    def __init__(self, reason: str, seconds: float) -> None:
        self.reason, self.seconds = reason, seconds
        super().__init__(reason)


def _retry_after(answer: requests.Response) -> float:
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 0.0


def _read_note(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _check_whole(path: Path, name: str) -> None:
    """Refuse anything but a whole gzip file, such as a login page or a partial download."""
    try:
        with gzip.open(path) as file:
            while file.read(1024 * 1024):
                pass
    except (OSError, EOFError, zlib.error) as error:
        path.unlink()
        raise _TryLater(f"{name} is not a whole gzip file ({error})", 0) from error

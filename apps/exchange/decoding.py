"""Reads text whose bytes are not all of its encoding line by line, and warns of it. Pure.

Such a file was put together of two, or saved by an old program.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, NamedTuple

from apps.exchange.bsx_lot import BsxWarning, WarningCode

WINDOWS: Final = "cp1252"
#: What encodings are called in messages.
_NAMES: Final = {WINDOWS: "Windows-1252", "cp1250": "Windows-1250", "cp1251": "Windows-1251"}
#: Bytes that were not UTF-8, as `surrogateescape` gives them.
_FOREIGN: Final = re.compile("[\udc80-\udcff]")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_CHUNK: Final = 1024 * 1024


class Foreign(NamedTuple):
    """Letters that were no UTF-8, and the line of the first."""

    letters: int = 0
    line: int = 0

    def and_of(self, text: str, before: int) -> Foreign:
        """Return these and those of a text behind so many lines."""
        if text.isascii() or not (count := len(_FOREIGN.findall(text))):
            return self
        first = _FOREIGN.search(text)
        line = before + text.count("\n", 0, first.start() if first else 0) + 1
        return Foreign(self.letters + count, self.line or line)

    def warning(self, encoding: str = WINDOWS) -> BsxWarning:
        """Return that they were read in another encoding."""
        letters = "1 letter is" if self.letters == 1 else f"{self.letters:,} letters are"
        message = (
            f"{letters} not UTF-8 as the rest, the first in line {self.line}, and read as "
            f"{_NAMES.get(encoding, encoding)}. Save the file as UTF-8 if they are wrong."
        )
        return BsxWarning(WarningCode.DAMAGED_TEXT, "", message, "", self.line)


NO_FOREIGN: Final = Foreign()


def read_foreign(text: str, encoding: str = WINDOWS) -> str:
    """Return a text with the bytes that were not UTF-8 (`surrogateescape`) in `encoding`.

    A line that holds more of them than other letters is read in it as a whole.
    """
    if text.isascii() or not _FOREIGN.search(text):
        return text
    return "".join(_line(line, encoding) for line in text.splitlines(keepends=True))


def _line(line: str, encoding: str) -> str:
    count = len(_FOREIGN.findall(line))
    if count and len(_NOT_ASCII.findall(line)) < 2 * count:
        return line.encode(errors="surrogateescape").decode(encoding, errors="replace")
    return _FOREIGN.sub(
        lambda byte: bytes([ord(byte[0]) - 0xDC00]).decode(encoding, errors="replace"), line
    )


def lines_of(lines: Iterable[str], encoding: str) -> Iterator[str]:
    """Yield the lines of a text; what is not UTF-8 in `encoding`."""
    return (line if line.isascii() else read_foreign(line, encoding) for line in lines)


def foreign_in(stream: BinaryIO) -> tuple[Foreign, bool]:
    """Return the letters of a text that are not UTF-8, and whether whole lines are in it."""
    stream.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")(errors="surrogateescape")
    found, has_others, before = NO_FOREIGN, False, 0
    while chunk := stream.read(_CHUNK):
        text = decoder.decode(chunk)
        if not text.isascii():
            found = found.and_of(text, before)
            has_others = has_others or any(map(_is_utf8, text.split("\n")))
        before += text.count("\n")
    return found, has_others


def _is_utf8(line: str) -> bool:
    if line.isascii():
        return False
    return len(_NOT_ASCII.findall(line)) >= 2 * len(_FOREIGN.findall(line))

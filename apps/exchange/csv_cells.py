"""CSV in and out, with cells that a spreadsheet would run as formulas made harmless.

OWASP's advice: what starts with = + - @ tab or carriage return gets an apostrophe. Numbers stay
numbers. Texts that already start with apostrophes before such a sign get one more, so that reading
takes off exactly what writing put on.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import BinaryIO, Final

from apps.exchange.bsx_tags_out import instant_text

#: The wide forms are triggers in spreadsheets set to Chinese or Japanese.
_TRIGGER: Final = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
_DEFUSED: Final = re.compile("'+[=+\\-@\t\r\n＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

Cell = str | int | Decimal | bool | date | None


def defused(value: Cell) -> str:
    """Write one cell: texts made harmless, numbers plain, times in UTC, yes as Y and no as ''."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "Y" if value else ""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if _TRIGGER.match(value) and not _NUMBER.fullmatch(value):
        value = "'" + value
    return _SURROGATE.sub("\ufffd", value)


def restored(text: str) -> str:
    """Take off the apostrophe that `defused` put before a text."""
    return text[1:] if text.startswith("'") and _DEFUSED.match(text) else text


class CsvWriter:
    """Writes rows from a stream: UTF-8 with a byte order mark (for Excel), commas, CRLF."""

    def __init__(self, out: BinaryIO, *, byte_order_mark: bool = True) -> None:
        """Write the mark."""
        self._out = out
        self._writer = csv.writer(self)
        if byte_order_mark:
            out.write(codecs.BOM_UTF8)

    def row(self, cells: Iterable[Cell]) -> None:
        """Write one row."""
        self._writer.writerow([defused(cell) for cell in cells])

    def write(self, text: str) -> None:
        """Take a finished line from the csv module."""
        self._out.write(text.encode())

"""Spreadsheets (XLSX, ODS) as tables of text. Runs in a process of its own, see `core/isolated`."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from typing import Any, Final

from python_calamine import CalamineWorkbook, SheetVisibleEnum

#: The largest size of an unpacked workbook, and the highest ratio of compression.
MOST_UNPACKED: Final = 256 * 1024 * 1024
MOST_ROWS: Final = 250_000
MOST_COLUMNS: Final = 200
MOST_TEXT: Final = 64 * 1024 * 1024


class TooLarge(ValueError):
    """The workbook is larger than is read."""


def as_csv(content: bytes) -> bytes:
    """Return the sheet that holds most, and those with the same head, as CSV in UTF-8.

    A line of JSON comes before it: the names of the other sheets that hold rows. Raises TooLarge,
    and calamine's errors for a damaged file.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(info.file_size for info in archive.infolist()) > MOST_UNPACKED:
            raise TooLarge("unpacked, it is larger than 256 MB")
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    visible = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
    sheets: dict[str, Any] = {}
    for name in visible or book.sheet_names:
        found = book.get_sheet_by_name(name)
        if found.total_height > MOST_ROWS:
            raise TooLarge(f"sheet {name} has {found.total_height:,} rows; {MOST_ROWS:,} are read")
        if _cells(found):
            sheets[name] = found
    best = max(sheets.values(), key=_cells, default=None)
    out = io.StringIO()
    writer = csv.writer(out)
    others = []
    for name, sheet in sorted(sheets.items(), key=lambda pair: pair[1] is not best):
        if _first_row(sheet) != _first_row(best):
            others.append(name)
            continue
        for row in sheet.iter_rows():
            writer.writerow([_text(cell) for cell in row[:MOST_COLUMNS]])
            if out.tell() > MOST_TEXT:
                raise TooLarge("its table is larger than 64 MB of text")
    return json.dumps(others).encode() + b"\n" + out.getvalue().encode()


def split_csv(told: bytes) -> tuple[bytes, list[str]]:
    """Return what `as_csv` made: the CSV, and the sheets that are not in it."""
    others, _, text = told.partition(b"\n")
    return text, list(json.loads(others))


def _first_row(sheet: Any) -> list[str]:
    return [_text(cell) for cell in next(iter(sheet.iter_rows()), [])]


def _cells(sheet: Any) -> int:
    return int(sheet.height) * int(sheet.width)


def _text(cell: Any) -> str:
    """Return a cell as a person reads it: 3001, not 3001.0."""
    if isinstance(cell, bool):
        return "Y" if cell else ""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (dt.datetime, dt.date)):
        return cell.isoformat()
    return str(cell)

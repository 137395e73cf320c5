"""Spreadsheets (XLSX, ODS) as tables of text. Runs in a process of its own, see `core/isolated`."""

from __future__ import annotations

import csv
import datetime as dt
import io
import zipfile
from typing import Any, Final

from python_calamine import CalamineWorkbook, SheetVisibleEnum

#: What a workbook may be once it is unpacked, and how often smaller it may be packed.
MOST_UNPACKED: Final = 256 * 1024 * 1024
MOST_ROWS: Final = 250_000
MOST_COLUMNS: Final = 200
MOST_TEXT: Final = 64 * 1024 * 1024


class TooLarge(ValueError):
    """The workbook is larger than is read."""


def as_csv(content: bytes, *, sheet: str = "") -> bytes:
    """Return the sheet that holds most, or the one of that name, as CSV in UTF-8.

    Raises TooLarge, and calamine's errors for what is damaged.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(info.file_size for info in archive.infolist()) > MOST_UNPACKED:
            raise TooLarge("unpacked, it is larger than 256 MB")
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    visible = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
    names = [sheet] if sheet in book.sheet_names else visible or book.sheet_names
    best: Any = None
    for name in names[:20]:
        found = book.get_sheet_by_name(name)
        if found.total_height > MOST_ROWS:
            raise TooLarge(f"sheet {name} has {found.total_height:,} rows; {MOST_ROWS:,} are read")
        if best is None or _cells(found) > _cells(best):
            best = found
    out = io.StringIO()
    writer = csv.writer(out)
    for row in best.iter_rows() if best is not None else ():
        writer.writerow([_text(cell) for cell in row[:MOST_COLUMNS]])
        if out.tell() > MOST_TEXT:
            raise TooLarge("its table is larger than 64 MB of text")
    return out.getvalue().encode()


def _cells(sheet: Any) -> int:
    return int(sheet.total_height) * int(sheet.total_width)


def _text(cell: Any) -> str:
    """Return a cell as a person reads it: 3001, not 3001.0."""
    if isinstance(cell, bool):
        return "Y" if cell else ""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (dt.datetime, dt.date)):
        return cell.isoformat()
    return str(cell)

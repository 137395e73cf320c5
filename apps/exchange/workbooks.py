"""Spreadsheets (XLSX, ODS) as tables of text. Runs in a process of its own, see `core/isolated`."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import zipfile
from collections.abc import Sequence
from itertools import dropwhile, islice
from typing import Any, Final

from python_calamine import CalamineWorkbook, SheetVisibleEnum

from apps.exchange.ldraw import TooLarge, as_table
from apps.exchange.table_columns import MOST_BEFORE_HEAD, MOST_COLUMNS, head_score
from apps.exchange.zips import model_in

#: The largest size of an unpacked workbook, and the highest ratio of compression.
MOST_UNPACKED: Final = 256 * 1024 * 1024
MOST_ROWS: Final = 250_000
#: Cells of all sheets, empty ones included. So many take some seconds.
MOST_CELLS: Final = 3_000_000
_CELLS: Final = {"xl/worksheets/": b"<c", "content.xml": b"<table:table-cell"}
_PART: Final = 1024 * 1024
MOST_TEXT: Final = 64 * 1024 * 1024
_THREE_PLACES: Final = re.compile(r"-?[0-9]+\.[0-9]{3}")


def as_csv(content: bytes) -> bytes:
    """Return the sheet of lots that holds most, and those with the same head, as CSV in UTF-8.

    A line of JSON comes before it: the names of the other sheets that hold rows. Of a model it is
    the list of its parts. Raises TooLarge, and calamine's errors for a damaged file.
    """
    if not content.startswith(b"PK"):
        return b"[]\n" + as_table(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if model := model_in(archive.namelist()):
            if archive.getinfo(model).file_size > MOST_TEXT:
                raise TooLarge("its model is larger than 64 MB")
            return b"[]\n" + as_table(archive.read(model))
        if sum(info.file_size for info in archive.infolist()) > MOST_UNPACKED:
            raise TooLarge("unpacked, it is larger than 256 MB")
        _count_cells(archive)
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    visible = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
    sheets: dict[str, Any] = {}
    cells = 0
    for name in book.sheet_names:
        found = book.get_sheet_by_name(name)
        if found.total_height > MOST_ROWS:
            raise TooLarge(f"sheet {name} has {found.total_height:,} rows; {MOST_ROWS:,} are read")
        cells += _cells(found)
        if cells > MOST_CELLS:
            raise _too_many_cells()
        if _cells(found):
            sheets[name] = found
    heads = {name: _head(sheet) for name, sheet in sheets.items()}
    best = max(
        sheets,
        key=lambda name: (name in visible, head_score(heads[name]) > 1, _cells(sheets[name])),
        default="",
    )
    out = io.StringIO()
    writer = csv.writer(out)
    others = []
    for name, sheet in sorted(sheets.items(), key=lambda pair: pair[0] != best):
        if name not in visible or heads[name] != heads[best]:
            others.append(name)
            continue
        rows = sheet.iter_rows()
        if name != best:  # what stands above the head is its sheet's title
            rows = dropwhile(lambda row: _cells_of(row) != heads[best], rows)
        for row in rows:
            # One more than are read, so that too many are noticed.
            writer.writerow([_text(cell) for cell in row[: MOST_COLUMNS + 1]])
            if out.tell() > MOST_TEXT:
                raise TooLarge("its table is larger than 64 MB of text")
    return json.dumps(others).encode() + b"\n" + out.getvalue().encode()


def _count_cells(archive: zipfile.ZipFile) -> None:
    """Count cells by their tags, which costs far less than reading them. Raises TooLarge."""
    cells = 0
    for info in archive.infolist():
        for start, tag in _CELLS.items():
            if not info.filename.startswith(start):
                continue
            with archive.open(info) as sheet:
                while part := sheet.read(_PART):
                    cells += part.count(tag)
                    if cells > MOST_CELLS:
                        raise _too_many_cells()


def _too_many_cells() -> TooLarge:
    return TooLarge(
        f"its sheets have more than {MOST_CELLS:,} cells, empty ones included; delete empty rows "
        "and columns, or save its sheet as CSV"
    )


def split_csv(told: bytes) -> tuple[bytes, list[str]]:
    """Return what `as_csv` made: the CSV, and the sheets that are not in it."""
    others, _, text = told.partition(b"\n")
    return text, list(json.loads(others))


def _head(sheet: Any) -> list[str]:
    """Return the row of the sheet's first ones that holds most heads, else its first row."""
    rows = [_cells_of(row) for row in islice(sheet.iter_rows(), MOST_BEFORE_HEAD)]
    return max(rows, key=head_score, default=[])


def _cells_of(row: Sequence[Any]) -> list[str]:
    return [_text(cell) for cell in row[:MOST_COLUMNS]]


def _cells(sheet: Any) -> int:
    return int(sheet.height) * int(sheet.width)


def _text(cell: object) -> str:
    """Return a cell as a person reads it: 3001, not 3001.0."""
    if isinstance(cell, bool):
        return "Y" if cell else "N"
    if isinstance(cell, float):
        if cell.is_integer() and abs(cell) < 1e15:
            return str(int(cell))
        # The digits that a spreadsheet shows: 0.3, not 0.30000000000000004.
        text = f"{cell:.15g}"
        # A number's point is no sign of thousands, which stands before three digits.
        return f"{text}0" if _THREE_PLACES.fullmatch(text) else text
    if isinstance(cell, (dt.datetime, dt.date)):
        return cell.isoformat()
    return str(cell)

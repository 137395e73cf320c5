"""Lots as a spreadsheet: one row each, under the names that the fields have here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO, Final

from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_values import TAGS
from apps.exchange.csv_cells import CsvWriter

#: Fields of a lot in the order of BSX.
COLUMNS: Final = tuple(name for name, _read in TAGS.values())


def write_lots_csv(lots: Iterable[BsxLot], out: BinaryIO) -> int:
    """Write a head and one row for each lot as it comes; return how many lots."""
    writer = CsvWriter(out)
    writer.row(COLUMNS)
    count = 0
    for lot in lots:
        writer.row(getattr(lot, name) for name in COLUMNS)
        count += 1
    return count

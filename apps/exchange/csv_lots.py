"""Lots as a spreadsheet: one row each, under the names that the fields have here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO, Final

from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_values import TAGS
from apps.exchange.csv_cells import CsvWriter

#: The one column that is no field of a lot: its bin.
LOCATION: Final = "location_name"
#: Fields of a lot in the order of BSX, and the location.
COLUMNS: Final = (*(name for name, _read in TAGS.values()), LOCATION)


def write_lots_csv(
    lots: Iterable[tuple[BsxLot, str]], out: BinaryIO, *, columns: Sequence[str] = COLUMNS
) -> int:
    """Write a head and one row for each (lot, location name) as it comes; return how many lots."""
    writer = CsvWriter(out)
    writer.row(columns)
    count = 0
    for lot, location_name in lots:
        writer.row(location_name if name == LOCATION else getattr(lot, name) for name in columns)
        count += 1
    return count

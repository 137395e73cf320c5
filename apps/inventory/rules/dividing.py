"""Divides a lot whose Remarks list pieces by location into one row for each location."""

from typing import Any

from apps.exchange.bsx_lot import BsxLot
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.locations.rules.several import Several, division_of

_REMARKS = FILE_COLUMNS.index("remarks")


def division(lot: BsxLot, several: Several) -> tuple[tuple[str, int], ...]:
    """Return (location, pieces) of each new row, () for a lot that cannot be divided exactly.

    A lot with a former quantity (DifferenceBaseValues) cannot be divided: the file does not say
    which location the difference belongs to. A former quantity of 0 (a new lot) can: it is 0 for
    each part.
    """
    if any(name == "Qty" and text.strip() != "0" for name, text in lot.base):
        return ()
    return division_of(several, lot.quantity)


def part_values(values: tuple[Any, ...], location: str) -> tuple[Any, ...]:
    """Return the values of one part: as the lot's, but Remarks name its location alone."""
    return (*values[:_REMARKS], location, *values[_REMARKS + 1 :])

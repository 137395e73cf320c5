"""A lot whose Remarks say how many of it lie where becomes a row for each location."""

from typing import Any

from apps.exchange.bsx_lot import BsxLot
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.locations.rules.several import Several, division_of

_REMARKS = FILE_COLUMNS.index("remarks")


def division(lot: BsxLot, several: Several) -> tuple[tuple[str, int], ...]:
    """Return (location, pieces) of each row to be, () for a lot that nothing divides exactly.

    A former quantity (DifferenceBaseValues) cannot be: nobody says where the difference lay.
    Of a lot that was new it is 0, and so is that of each part.
    """
    if any(name == "Qty" and text.strip() != "0" for name, text in lot.base):
        return ()
    return division_of(several, lot.quantity)


def part_values(values: tuple[Any, ...], location: str) -> tuple[Any, ...]:
    """Return the values of one part: as the lot's, but Remarks name its location alone."""
    return (*values[:_REMARKS], location, *values[_REMARKS + 1 :])

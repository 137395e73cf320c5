"""Lots as a spreadsheet: one row each, under the names that the fields have here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO, Final

from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_values import TAGS
from apps.exchange.bsx_writer import BsxWritten
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.exchange.csv_cells import CsvWriter

#: The columns that are no fields of a lot: its bin, and what its amounts are in.
LOCATION: Final = "location_name"
CURRENCY: Final = "currency"
#: Fields of a lot in the order of BSX, and these.
COLUMNS: Final = (*(name for name, _read in TAGS.values()), LOCATION, CURRENCY)
#: Columns of other programs in a file, at most: a table of 200 columns is read again.
MOST_EXTRA: Final = 150


def write_lots_csv(
    lots: Iterable[tuple[BsxLot, str]],
    out: BinaryIO,
    *,
    columns: Sequence[str] = COLUMNS,
    currency: str = "",
    extra_tags: Sequence[str] = (),
) -> BsxWritten:
    """Write a head and one row for each (lot, location name) as it comes.

    `extra_tags` are tags of other programs, each in a column behind the others; what no column
    holds is noticed.
    """
    writer = CsvWriter(out)
    writer.row([*columns, *extra_tags])
    written = BsxWritten()
    beside = {CURRENCY: currency}
    for lot, place in lots:
        beside[LOCATION] = place
        beside["condition"] = (
            lot.condition_text if lot.condition == UNKNOWN_CONDITION else lot.condition
        )
        cells = [beside[name] if name in beside else getattr(lot, name) for name in columns]
        if lot.extra or lot.base or lot.attributes:
            told = {one.tag: one.text for one in lot.extra if one.xml is None}
            cells += [told.get(tag) for tag in extra_tags]
            if left := [one.tag for one in lot.extra if one.tag not in extra_tags or one.xml]:
                written.add_notices(written.count, [(left[0], _left_out(left))])
            if lot.base or lot.attributes:
                written.add_notices(written.count, [("", _NOT_IN_TABLES)])
        writer.row(cells)
        written.count += 1
    return written


_NOT_IN_TABLES: Final = "A table holds no base values and no attributes; BSX does."


def _left_out(tags: Sequence[str]) -> str:
    return f"{', '.join(tags[:5])} of another program {'is' if len(tags) == 1 else 'are'} left out."

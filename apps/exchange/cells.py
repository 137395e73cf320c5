"""One reader for each value of a cell, whoever wrote it: tables of lots and files of orders. Pure.

What is not understood is told by a `Finding`; no reader answers with what a value merely is by
default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from apps.exchange.bsx_lot import WarningCode
from apps.exchange.bsx_values import (
    TAGS,
    Finding,
    Reader,
    Reading,
    read_count,
    ungrouped,
    without_gaps,
)
from apps.exchange.csv_cells import restored
from apps.exchange.table_signs import LONGEST_NUMBER

READERS: Final[Mapping[str, Reader]] = dict(TAGS.values())
_FORMULA_TEXT: Final = re.compile(r'="(.*)"', re.S)
_PIECES: Final = re.compile(
    r"(?:[x×]\s*(?=[0-9]))?([+-]?[0-9]+(?:\.0+)?)\s*(?:[x×]|pcs?\.?|pieces|stk\.?|stück|st\.?)?",
    re.I,
)
_SHARE: Final = re.compile(r"0?[.,]([0-9]{1,2})")


def plain_cell(cell: str) -> str:
    """Return a cell as a person sees it: no formula around it, no blanks at its ends."""
    text = restored(cell).strip().replace("\u00a0", " ")
    if text.startswith("=") and (formula := _FORMULA_TEXT.fullmatch(text)):
        return formula[1].strip()
    return text


def read_pieces(name: str, text: str, *, decimal: str) -> Reading:
    plain = without_gaps(text) if len(text) <= LONGEST_NUMBER else ""
    if name == "sale" and (share := _SHARE.fullmatch(plain)):
        # A spreadsheet keeps 10 % as 0.1.
        return READERS[name](str(int(share[1].ljust(2, "0"))))
    if name == "sale":
        plain = plain.removesuffix("%").rstrip()
    found = _PIECES.fullmatch(ungrouped(plain, decimal))
    if found is None:
        return Reading(0, Finding(WarningCode.UNREADABLE_NUMBER, "a whole number such as 12"))
    whole = found[1].partition(".")[0]
    return read_count(whole) if name == "quantity" else READERS[name](whole)

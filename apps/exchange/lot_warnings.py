"""The messages of warnings: the tag, the text read, the value expected and the value now."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final

from apps.exchange.bsx_lot import VALUE_NOT_READ, BsxLot, BsxWarning, WarningCode
from apps.exchange.bsx_values import MONEY_PLACES, Finding
from apps.exchange.refusals import FileRefused, RefusalCode

_LONGEST_QUOTE: Final = 80
_ODD: Final = VALUE_NOT_READ - {WarningCode.MISSING}


def quoted(text: str) -> str:
    """Shorten a text from a file for a message."""
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def finding_warning(
    finding: Finding, tag: str, text: str, value: object, *, line: int, index: int
) -> BsxWarning:
    """Return the message of a finding about one text; `value` is the lot's value now."""
    shown = "nothing" if value is None or value == "" else value
    if isinstance(value, Decimal) and value != (kept := round(value, MONEY_PLACES)):
        shown = kept
    if finding.code in VALUE_NOT_READ:
        outcome = f"{shown} stands instead"
    elif finding.code is WarningCode.NEGATIVE:
        outcome = "kept as it is"
    else:
        outcome = f"read as {shown}"
    return lot_warning(
        finding.code, tag, text, finding.expected, outcome=outcome, line=line, index=index
    )


def lot_warning(
    code: WarningCode,
    tag: str,
    text: str,
    expected: str,
    *,
    outcome: str = "",
    line: int,
    index: int,
) -> BsxWarning:
    """Word a warning about one tag of a lot."""
    read = quoted(text)
    message = _message(code, tag, read, expected, outcome)
    return BsxWarning(code, tag, message, read, line, index, outcome)


@lru_cache(maxsize=256)  # most lots of a file have the same faults
def _message(code: WarningCode, tag: str, read: str, expected: str, outcome: str) -> str:
    what = f"is “{read}”" if read else "is missing or empty"
    if code is WarningCode.REPEATED_TAG:
        what = f"stands twice, first as “{read}”" if read else "stands twice"
    ends = f"{expected}; {outcome}" if outcome else expected
    return f"{tag} {what}; expected {ends}."


class OddValues:
    """Counts the values of a file that could not be read, up to a limit."""

    def __init__(self, limit: int) -> None:
        """Take the number of values from which on the file is refused."""
        self._limit = limit
        self._count = 0
        self._first: BsxWarning | None = None

    def add(self, lot: BsxLot) -> None:
        """Count those of a lot. Raises FileRefused beyond the limit."""
        odd = [one for one in lot.warnings if one.code in _ODD]
        self._count += len(odd)
        self._first = self._first or next(iter(odd), None)
        if self._first is not None and self._count > self._limit:
            raise FileRefused(
                RefusalCode.NOT_LOTS,
                f"More than {self._limit:,} values of this file could not be read, the first in "
                f"line {self._first.line}: {self._first.fault} Export it again, or split it.",
                self._first.line,
            )

"""The messages of warnings: the tag, the text read, the value expected and the value now."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final

from apps.exchange.bsx_lot import VALUE_NOT_READ, BsxWarning, WarningCode
from apps.exchange.bsx_values import MONEY_PLACES, Finding

_LONGEST_QUOTE: Final = 80


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

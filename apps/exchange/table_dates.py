"""Read the dates of a table; whether the day or the month comes first, its columns decide. Pure."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from apps.exchange.bsx_lot import WarningCode
from apps.exchange.bsx_values import Finding, Reading, likely_date, read_date

_SERIAL: Final = re.compile(r"[0-9]{5}(?:[.,][0-9]+)?")
_PARTS: Final = re.compile(
    r"([0-9]{1,2})([./-])([0-9]{1,2})[./-]([0-9]{4}|[0-9]{2})(?:[\s,T]+(.*))?"
)
_TIME: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?\s*([AaPp])?\.?[Mm]?\.?")
_EPOCH: Final = dt.datetime(1899, 12, 30, tzinfo=dt.UTC)
_MONTHS: Final = 12
_LONGEST_MONTH: Final = 31
#: Months as spreadsheets write them, but for words that are names of other things: set, mars.
_MONTH_WORDS: Final = (
    "jan feb mar apr may jun jul aug sep sept oct nov dec mär mrz mai okt dez janv févr avr juin "
    "juil août déc ene abr ago dic giu lug ott mrt mei january february march april june july "
    "august september october november december januar februar märz juni juli oktober dezember"
)
_MONTHS_IN_WORDS: Final = frozenset(_MONTH_WORDS.split())
_DAY_AND_MONTH: Final = re.compile(
    r"[0-9]{1,2}\.?[-. /]([^\W\d_]{3,9})\.?(?:[-. /](?:[0-9]{4}|[0-9]{2}))?"
    r"|([^\W\d_]{3,9})\.?[-. /](?:[0-9]{4}|[0-9]{1,2})"
)
#: As spreadsheets read years of two digits.
_LAST_OF_THIS_CENTURY: Final = 69


class DateOrder(NamedTuple):
    """Whether the day comes first: None where no date shows it, or some show the one, some the other.

    `unclear` is then a date that may be both.
    """

    is_day_first: bool | None
    unclear: str
    is_mixed: bool


def date_order(cells: Iterable[str]) -> DateOrder:
    """Return what dates show of their order. Those with points have the day first in any table."""
    unclear = ""
    shown = set()
    for cell in cells:
        found = _PARTS.fullmatch(cell.strip())
        if found is None or found[2] == "." or _may_begin_with_year(found):
            continue
        first, second = int(found[1]), int(found[3])
        if max(first, second) > _MONTHS >= min(first, second):
            shown.add(first > _MONTHS)
        elif not unclear and first != second:
            unclear = cell.strip()
    if len(shown) == 1:
        return DateOrder(shown.pop(), "", False)
    return DateOrder(None, unclear, bool(shown))


def _may_begin_with_year(found: re.Match[str]) -> bool:
    """Whether it is as 26-11-27, which may be of 2026 or of 2027."""
    is_short = found[2] == "-" and len(found[4]) == 2
    return is_short and int(found[3]) <= _MONTHS and int(found[4]) <= _LONGEST_MONTH


def date_of(text: str, *, is_day_first: bool) -> Reading:
    """Read an ISO date, 31.12.2025, 12/31/2025, or the number of days that spreadsheets keep."""
    if _SERIAL.fullmatch(text):
        try:
            return likely_date(_EPOCH + dt.timedelta(days=float(Decimal(text.replace(",", ".")))))
        except (InvalidOperation, OverflowError):
            return Reading(None, Finding(WarningCode.UNREADABLE_DATE, "a date"))
    found = _PARTS.fullmatch(text)
    if found is None:
        return read_date(text)
    if _may_begin_with_year(found):
        expected = "a date with its year in four digits, such as 2026-11-27"
        return Reading(None, Finding(WarningCode.UNREADABLE_DATE, expected))
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if len(found[4]) == 2:
        year += 2000 if year < _LAST_OF_THIS_CENTURY else 1900
    has_day_first = found[2] == "." or first > _MONTHS or (is_day_first and second <= _MONTHS)
    day, month = (first, second) if has_day_first else (second, first)
    try:
        return likely_date(dt.datetime(year, month, day, *_time_of(found[5] or ""), tzinfo=dt.UTC))
    except ValueError:
        return Reading(None, Finding(WarningCode.UNREADABLE_DATE, "a date such as 2022-05-20"))


def has_become_a_date(text: str) -> bool:
    """Whether a text is the day of a month, as spreadsheets make `10-Jan` or `Jan 10` of 10-1."""
    found = _DAY_AND_MONTH.fullmatch(text.strip())
    return found is not None and (found[1] or found[2]).casefold() in _MONTHS_IN_WORDS


def _time_of(text: str) -> tuple[int, int, int]:
    """Return hour, minute and second; midnight for ''. Raises ValueError."""
    if not text.strip():
        return 0, 0, 0
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    hour, half = int(found[1]), (found[4] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour, int(found[2]), int(found[3] or 0)

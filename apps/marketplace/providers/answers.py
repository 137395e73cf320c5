"""Common parts of the marketplaces' answers: values, texts and empty answers. Pure.

Each value is read by the one reader of its kind in `exchange`.
"""

import datetime as dt
import hashlib
import html
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import IO, Any, Final

import ijson

from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.core.texts import printable
from apps.exchange.bsx_values import MAX_INT, Reader, read_count, read_date, read_plain_amount
from apps.exchange.item_types import letter_of
from apps.marketplace.providers.base import AnsweredAsBefore, NoAnswer, Throttled

#: An object of an answer: its values by name.
Answer = Mapping[str, Any]

HEAD: Final = 256  # of a body, to distinguish a page for people from data
_BLOCK: Final = 64 * 1024
_DIGITS: Final = bytes.maketrans(b"123456789", b"0" * 9)
#: A whole number of over 4,300 digits ends the process that reads it with `ijson`.
_TOO_LONG: Final = b"0" * 1_000
#: What `ijson` raises for data that cannot be read, exponents that are too large among them.
BROKEN: Final = (ijson.JSONError, ArithmeticError, ValueError)
_LAST_SECOND: Final = 4_102_444_799  # of the year 2099
_ENTITY: Final = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[A-Za-z]+);")


def unreadable(head: bytes, status: int) -> NoAnswer:
    """Return the failure of an answer that is no data. `head` is how its body begins."""
    shape = "a page for people" if head.lstrip()[:1] == b"<" else "something unreadable"
    return NoAnswer(f"The marketplace sent {shape if head else 'nothing'} (status {status}).")


def stop_if_known(body: IO[bytes], is_known: Callable[[str], bool] | None) -> None:
    """Raise AnsweredAsBefore where `is_known` returns True for the SHA-256 of an answer."""
    if is_known is None:
        return
    body.seek(0)
    digest = hashlib.sha256()
    while block := body.read(_BLOCK):
        digest.update(block)
    if is_known(digest.hexdigest()):
        raise AnsweredAsBefore


def readable(body: IO[bytes]) -> IO[bytes]:
    """Return an answer at its beginning. Raises NoAnswer for one with a number without end."""
    body.seek(0)
    digits = b""
    while block := body.read(_BLOCK):
        digits = digits[-len(_TOO_LONG) :] + block.translate(_DIGITS)
        if _TOO_LONG in digits:
            raise NoAnswer("The marketplace's answer has a number that is too long to be one.")
    body.seek(0)
    return body


def throttled(told: str, retry_after: str | None, *, is_daily: bool = False) -> Throttled:
    """Return that fewer calls are wanted, with the marketplace's reason and its waiting time."""
    after = retry_after or ""
    wait = int(after) if re.fullmatch(r"\d{1,6}", after) else None
    because = f": {told}" if told else "."
    is_daily = is_daily and wait is None
    text = f"The marketplace wants fewer calls{because}"
    return Throttled(text, wait_seconds=wait, is_daily=is_daily)


def unescape(text: str) -> str:
    """Return text as it was typed: replies are escaped once, now and then twice.

    Control characters that no export could hold are left out.
    """
    once = html.unescape(text)
    return printable(html.unescape(once) if _ENTITY.search(once) else once)


#: What reading a row raises whose values are not as its place asks for.
WRONG: Final = (KeyError, TypeError, ValueError, AttributeError)


_FLAGS: Final = {"true": True, "y": True, "1": True, "false": False, "n": False, "0": False}


class WrongValue(ValueError):
    """A value that is not what its place asks for."""


def text_of(value: object) -> str:
    """Return a text as it was typed, '' for none."""
    return unescape(_written(value))


def needed(row: Answer, name: str) -> str:
    """Return a text without the blanks around it. Raises KeyError for none."""
    if text := text_of(row[name]).strip():
        return text
    raise KeyError(name)


def flag(row: Answer, name: str, *, default: bool = False) -> bool:
    """Return a yes or no. Raises WrongValue for another value."""
    value = row.get(name)
    text = _written(value).strip().casefold()
    if text not in _FLAGS and text:
        raise _wrong(name, value, "true or false")
    return _FLAGS.get(text, default)


def whole(
    row: Answer, name: str, *, least: int = 0, most: int = MAX_INT, read: Reader = read_count
) -> int:
    """Return a whole number, 0 for none. Raises WrongValue for another value."""
    value = row.get(name)
    found = read(_written(value))
    number: int = found.value or 0
    if not found.is_understood or not least <= number <= most:
        raise _wrong(name, value, f"a whole number from {least} to {most:,}")
    return number


def amount(
    row: Answer,
    *names: str,
    least: Decimal | None = None,
    most: Decimal | None = None,
    is_needed: bool = False,
) -> Decimal:
    """Return the first amount that is present, 0 for none unless it `is_needed`.

    Raises WrongValue for another value.
    """
    name = next((name for name in names if _written(row.get(name)).strip()), names[0])
    value = row.get(name)
    text = _written(value).strip()
    if is_needed and not text:
        raise KeyError(name)
    found = read_plain_amount(text)
    number: Decimal = found.value
    if not found.is_understood or (most is not None and abs(number) >= most):
        raise _wrong(name, value, "an amount")
    if least is not None and number < least:
        raise _wrong(name, value, f"an amount not below {least}")
    return number


#: The amounts of a lot.
amount_from_0: Final = partial(amount, least=Decimal())


def instant(row: Answer, name: str) -> dt.datetime | None:
    """Return a time, None for none and for another value."""
    found: dt.datetime | None = read_date(_written(row.get(name))).value
    return found


def moment(row: Answer, name: str) -> dt.datetime:
    """Return a time. Raises KeyError for none and WrongValue for another value."""
    found = instant(row, name)
    if found is None:
        raise _wrong(name, row[name], "a date and time")
    return found


def unix_time(row: Answer, name: str) -> dt.datetime | None:
    """Return a time in seconds since 1970, None for none. Raises WrongValue for another value."""
    seconds = whole(row, name, most=_LAST_SECOND)
    return dt.datetime.fromtimestamp(seconds, dt.UTC) if seconds else None


def letter(row: Answer, name: str, read: Reader) -> str:
    """Return the letter of a value. Raises WrongValue for one that is not understood."""
    found = read(_written(row.get(name)))
    if found.finding is not None and not found.is_understood:
        raise _wrong(name, row.get(name), found.finding.expected)
    return str(found.value)


def type_of(value: object) -> str:
    """Return the type of item that a text names; the text itself where it is not understood."""
    text = text_of(value)
    kind = TYPE_OF_LETTER.get(letter_of(text))
    return text if kind is None else kind.value


def why_wrong(problem: Exception) -> str:
    """Return in a sentence why a row could not be read."""
    if isinstance(problem, KeyError):
        return f"{problem.args[0]} is missing."
    return f"{problem}." if isinstance(problem, WrongValue) else "It is not written as expected."


def _written(value: object) -> str:
    return "" if value is None else str(value)


def _wrong(name: str, value: object, expected: str) -> WrongValue:
    shown = "missing" if value in (None, "") else f"“{str(value)[:30]}”"
    return WrongValue(f"{name} is {shown}: expected {expected}")

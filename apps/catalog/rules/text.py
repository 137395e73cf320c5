"""Clean the values of catalogue files: names, weights, years, colours, yes and no."""

import html
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Final

NAME_LENGTH: Final = 500
NUMBER_LENGTH: Final = 64
LARGEST_WEIGHT: Final = Decimal(1_000_000)
LARGEST_COUNT: Final = 2_147_483_647

# Left-to-right marks, zero-width characters and controls: invisible, and they break look-ups.
_INVISIBLE = re.compile("[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_HEX_COLOR = re.compile(r"[0-9A-Fa-f]{6}")
_DIGITS = re.compile(r"[0-9]{1,10}")
_YES = frozenset({"t", "true", "y", "yes", "1"})
_NO = frozenset({"f", "false", "n", "no", "0", ""})


class BadValue(ValueError):
    """A value that its column does not allow; the text gives the expected form."""


def clean_text(text: str) -> str:
    """Return NFC text without invisible characters and outer blanks.

    Inner double blanks stay: BrickLink sorts by them.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return _INVISIBLE.sub("", text).strip()


def clean_escaped(text: str) -> str:
    """Return `clean_text` of BrickLink's text, whose HTML entities are resolved once."""
    return clean_text(html.unescape(text) if "&" in text else text)


def clean_name(text: str) -> str:
    """Return a cleaned name. Raises BadValue beyond 500 characters."""
    name = clean_escaped(text)
    if len(name) > NAME_LENGTH:
        raise BadValue(f"a name of {len(name)} characters where {NAME_LENGTH} are allowed")
    return name


def clean_number(text: str) -> str:
    """Return a cleaned item number: text always, never a number. Raises BadValue."""
    number = clean_escaped(text)
    if not number:
        raise BadValue("no item number")
    if len(number) > NUMBER_LENGTH:
        raise BadValue(f"a number of {len(number)} characters where {NUMBER_LENGTH} are allowed")
    return number


def number_key(number: str) -> str:
    """Return what numbers are compared by when upper and lower case do not matter."""
    return clean_text(number).upper()


def read_weight(text: str) -> Decimal | None:
    """Return grams; None for `?` and nothing. Raises BadValue for anything else."""
    text = text.strip()
    if text in ("", "?"):
        return None
    try:
        grams = Decimal(text)
    except InvalidOperation:
        raise BadValue(f"weight {text[:40]!r} where grams are expected") from None
    if not grams.is_finite() or grams < 0 or grams > LARGEST_WEIGHT:
        raise BadValue(f"weight {text[:40]!r} where grams are expected")
    return grams.quantize(Decimal("0.001"))


def read_year(text: str) -> int | None:
    """Return the year; None for `?`, nothing and 0. Raises BadValue."""
    text = text.strip()
    if text in ("", "?", "0"):
        return None
    if _DIGITS.fullmatch(text) and 1900 <= int(text) <= 2100:
        return int(text)
    raise BadValue(f"year {text[:40]!r} where 1900 to 2100 is expected")


def read_dimensions(text: str) -> str:
    """Return the dimensions unchanged, '' if all of them are unknown."""
    text = " ".join(clean_escaped(text).split())
    return text[:60] if any(letter.isdigit() for letter in text) else ""


def read_rgb(text: str) -> str:
    """Return RRGGBB in upper case, '' for nothing. Raises BadValue."""
    text = text.strip().removeprefix("#")
    if not text:
        return ""
    if not _HEX_COLOR.fullmatch(text):
        raise BadValue(f"colour {text[:40]!r} where six hex digits are expected")
    return text.upper()


def read_count(text: str, what: str, *, least: int = 0) -> int:
    """Return a whole number of at least `least`. Raises BadValue."""
    text = text.strip()
    if _DIGITS.fullmatch(text) and least <= int(text) <= LARGEST_COUNT:
        return int(text)
    raise BadValue(f"{what} {text[:40]!r} where a whole number from {least} is expected")


def read_id(text: str, what: str) -> int:
    """Return a whole number that may be negative (`-1` is a colour). Raises BadValue."""
    text = text.strip()
    if text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and len(text) <= 9:
        return int(text)
    raise BadValue(f"{what} {text[:40]!r} where an id is expected")


def read_flag(text: str, what: str) -> bool:
    """Return yes or no from t/f, True/False, Y/N, 1/0. Raises BadValue."""
    word = text.strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise BadValue(f"{what} {text[:40]!r} where yes or no is expected")


def alternates_of(text: str) -> list[str]:
    """Return the numbers in BrickLink's Alternate Item Number (`25699, 47094`; a lone blank)."""
    numbers = (clean_escaped(part) for part in text.split(","))
    return [number for number in numbers if number and len(number) <= NUMBER_LENGTH]

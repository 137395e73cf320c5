"""Remarks that name several locations in one field, such as `B-07;C-01`. Pure."""

import re
from collections.abc import Container
from enum import StrEnum
from typing import Final, NamedTuple

#: Tried in this order; separators more likely inside a name come later.
SEPARATORS: Final = (";", "|", ",", "&", "+", "/")
MOST_NAMES: Final = 20
LONGEST_TEXT: Final = 300
LONGEST_NAME: Final = 24
_SEPARATED: Final = re.compile("[;|,&+/]")
_COUNTED: Final = re.compile(
    r"(?P<name>.*\S)\s*(?:[:=]\s*(\d{1,7})|\(\s*(\d{1,7})\s*\)|(?<=\s)[x×]\s*(\d{1,7}))"
)
_WORD: Final = re.compile(r"#?[^\W_][\w.:/-]*")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_DECIMAL: Final = re.compile(r"\d+\.\d+")
_DIGIT: Final = re.compile(r"\d")


class SeveralLocations(StrEnum):
    """What to do with Remarks that name several locations. Remarks stay as they are."""

    ASK = "ask"  # an import asks first; where it cannot, they are ignored
    IGNORE = "ignore"
    FIRST = "first"
    WHOLE = "whole"  # the text is the name of one location


class Several(NamedTuple):
    """The locations named by one text, and the pieces in each, or ()."""

    names: tuple[str, ...]
    quantities: tuple[int, ...]
    separator: str


def several_in(text: str, *, there: Container[str]) -> Several | None:
    """Return the locations that `text` names, None if it names one or none.

    `there` holds names that exist: those count however they look, and a text that is itself
    one names one. Others count where they look like a location: short, with a digit.
    """
    if not _SEPARATED.search(text) or len(text) > LONGEST_TEXT or text in there:
        return None
    for separator in SEPARATORS:
        pieces = [" ".join(piece.split()) for piece in text.split(separator)]
        if 2 <= len(pieces) <= MOST_NAMES and all(pieces):
            found = _counted(pieces, separator, there) or _plain(pieces, separator, there)
            if found is not None:
                return found
    return None


def division_of(several: Several, quantity: int) -> tuple[tuple[str, int], ...]:
    """Return (location, pieces) if the text has the quantities and their sum is right, else ()."""
    if sum(several.quantities) != quantity or not all(several.quantities):
        return ()
    return tuple(zip(several.names, several.quantities, strict=False))


def _counted(pieces: list[str], separator: str, there: Container[str]) -> Several | None:
    read = [None if piece in there else _COUNTED.fullmatch(piece) for piece in pieces]
    if not any(read):
        return None
    names = [found["name"] if found else piece for found, piece in zip(read, pieces, strict=True)]
    several = _plain(names, separator, there)
    if several is None or not all(read):
        return several
    quantities = [
        int(next(filter(None, found.groups()[1:]))) for found in read if found is not None
    ]
    return several._replace(quantities=tuple(quantities))


def _plain(names: list[str], separator: str, there: Container[str]) -> Several | None:
    if len(set(names)) < len(names):
        return None
    if all(name in there or _looks_like_location(name, separator) for name in names):
        return Several(tuple(names), (), separator)
    return None


def _looks_like_location(name: str, separator: str) -> bool:
    """Whether this is a code such as B-07, 0029, Box 12. A bare number may be a part of others."""
    if len(name) > LONGEST_NAME or not _DIGIT.search(name) or _DECIMAL.fullmatch(name):
        return False
    if name.isdigit():
        return separator in ";|" or len(name) > 2 or name.startswith("0")
    *before, code = name.split(" ")
    if len(before) > 1 or not all(_LETTERS.fullmatch(word) for word in before):
        return False
    return _WORD.fullmatch(code) is not None and _DIGIT.search(code) is not None

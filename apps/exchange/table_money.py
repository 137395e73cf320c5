"""Find the currency of a table's amounts in its heads, its cells or its own column. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from apps.core.currencies import CURRENCIES
from apps.exchange.refusals import FileRefused, RefusalCode

_CODES: Final = "|".join(CURRENCIES)
#: As BrickLink writes prices: `US $0.15`.
_DOLLARS: Final = {"US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "HK": "HKD", "MX": "MXN"}
#: Signs that several currencies share stand for themselves.
_SIGNS: Final = {
    "€": "EUR",
    "£": "GBP",
    "zł": "PLN",
    "kč": "CZK",
    "¥": "¥",
    "$": "$",
    "kr": "kr",
    "fr": "CHF",
    "ft": "HUF",
}
_SHARED: Final = {
    "$": frozenset({"USD", "CAD", "AUD", "NZD", "MXN", "HKD", "SGD"}),
    "kr": frozenset({"SEK", "NOK", "DKK"}),
    "¥": frozenset({"JPY", "CNY"}),
}
_FOUND: Final = re.compile(
    rf"(?:\b(?:{'|'.join(_DOLLARS)})\s?)?\$|[€£¥]|(?<![a-zł])(?:zł|kč|kr|ft|fr|{_CODES})(?![a-zł])",
    re.I,
)
#: What an amount may have beside its digits.
SIGNS: Final = re.compile(
    rf"(?:\b[A-Z]{{2}}\s?)?\$|[€£¥]|\b(?:{_CODES})\b|(?<![A-Za-zł])(?i:zł|kč|kr|ft|fr)\b\.?"
)


def currencies_in(text: str) -> set[str]:
    """Return the currencies that a text names: their codes, or `$`, `kr` and `¥` alone."""
    return {
        _DOLLARS[found[:2].upper()]
        if found.endswith("$") and len(found) > 1
        else _SIGNS.get(found.casefold(), found.upper())
        for found in _FOUND.findall(text)
    }


class Currencies:
    """The currencies that a file names, row by row."""

    def __init__(self) -> None:
        """Know none."""
        self._found: set[str] = set()

    @property
    def one(self) -> str:
        """The currency of the rows so far, or the sign alone of several; '' for none."""
        return one_currency(self._found) or next(iter(self._found), "")

    def add(self, found: set[str], line: int) -> None:
        """Add those of a row. Raises FileRefused where they contradict those before."""
        self._found |= found
        if one_currency(self._found) is None:
            names = " and ".join(sorted(self._found))[:80]
            raise FileRefused(
                RefusalCode.MIXED_CURRENCIES,
                f"Up to line {line} amounts are in {names}; expected one currency in a file.",
                line,
            )


def one_currency(found: Iterable[str]) -> str | None:
    """Return the one currency found: '' if none is certain, None if they differ.

    `$` beside CAD is the Canadian dollar, `$` alone is ambiguous.
    """
    names = set(found)
    codes = names - _SHARED.keys()
    signs = names & _SHARED.keys()
    if len(codes) > 1 or len(signs) > 1:
        return None
    code = next(iter(codes), "")
    if code and any(code not in _SHARED[sign] for sign in signs):
        return None
    return code

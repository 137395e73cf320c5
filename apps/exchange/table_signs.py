"""Which sign the decimals of a table have: each column decides as a whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from apps.exchange.table_columns import MONEY_FIELDS

AMOUNTS: Final = MONEY_FIELDS | {"total_weight_grams"}
COUNTS: Final = frozenset({"quantity", "bulk", "sale", "tq1", "tq2", "tq3"})
_END: Final = re.compile(r"([0-9]*)([.,])([0-9]+)\D*$")
_GROUPED: Final = re.compile(r"[0-9][\s'’_][0-9]")
_THOUSAND: Final = 3
#: A longer text is no number.
LONGEST_NUMBER: Final = 60


class Signs(NamedTuple):
    """The sign of the table, that of each column, and a value of each column that shows none."""

    table: str
    columns: tuple[str, ...]
    #: By column: a text such as 1.234 that may be one thousand or a bit more than one.
    unclear: dict[int, str]
    #: Whether any column shows its sign.
    is_shown: bool


def signs_of(columns: Sequence[str], rows: Iterable[Sequence[str]], *, delimiter: str) -> Signs:
    """Return how amounts and counts are written; a column that shows none is as the others."""
    numbers = {at: name in COUNTS for at, name in enumerate(columns) if name in AMOUNTS | COUNTS}
    shown: dict[int, Counter[str]] = {at: Counter() for at in numbers}
    unclear: dict[int, str] = {}
    for row in rows:
        for at, is_count in numbers.items():
            cell = row[at].strip() if at < len(row) else ""
            sign = sign_of(cell, is_count=is_count)
            if sign:
                shown[at][sign] += 1
            elif sign is None:
                unclear.setdefault(at, cell)
    unclear = {at: text for at, text in unclear.items() if not shown[at]}
    table = _most(shown, columns, AMOUNTS) or _most(shown, columns, COUNTS)
    guessed = [_guess(text, columns[at], delimiter) for at, text in unclear.items()]
    fallback = table or next(iter(guessed), ".")
    found = [""] * len(columns)
    for at, signs in shown.items():
        if signs["."] != signs[","]:
            found[at] = "," if signs[","] > signs["."] else "."
        elif at in unclear and not table:
            found[at] = _guess(unclear[at], columns[at], delimiter)
        else:
            found[at] = fallback
    return Signs(fallback, tuple(found), unclear, bool(table))


def sign_of(text: str, *, is_count: bool = False) -> str | None:
    """Return the decimal sign that a number shows, '' for none, None where it may be either.

    A sign before exactly three digits may separate thousands: `1.234`. `0.125` does not, nor
    does a sign in a cell with the other sign.
    """
    found = _END.search(text) if len(text) <= LONGEST_NUMBER else None
    if found is None:
        return ""
    before, sign, digits = found.groups()
    other = "," if sign == "." else "."
    if other in text or _GROUPED.search(text):
        return sign
    if text.count(sign) > 1:
        return other
    if len(digits) != _THOUSAND or not before or before[0] == "0" or len(before) > _THOUSAND:
        return sign
    # Quantities are whole numbers.
    return other if is_count and digits.strip("0") else None


def _most(shown: dict[int, Counter[str]], columns: Sequence[str], of: frozenset[str]) -> str:
    signs: Counter[str] = Counter()
    for at, counted in shown.items():
        if columns[at] in of:
            signs.update(counted)
    if not signs:
        return ""
    return "," if signs[","] > signs["."] else "."


def _guess(text: str, name: str, delimiter: str) -> str:
    """Return the assumed decimal sign until a person chooses one: bricks cost cents."""
    has_comma = "," in text
    if name in COUNTS:
        return "." if has_comma else ","
    return "," if has_comma and delimiter != "," else "."

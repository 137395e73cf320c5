"""Calculates the figures of home and of the reports. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

_TENTH: Final = Decimal("0.1")
_SHARE: Final = Decimal("0.0001")


#: A shorter sitting has no pace; the station knows it as PACE_FROM_MS.
PACE_FROM_SECONDS: Final = 20


def per_minute(pieces: int, seconds: float) -> Decimal | None:
    """Return pieces a minute to one place; None where there was too little time to tell."""
    if seconds < PACE_FROM_SECONDS:
        return None
    return (Decimal(pieces) * 60 / Decimal(seconds)).quantize(_TENTH, ROUND_HALF_UP)


def minutes_per_kg(pieces: int, *, grams: Decimal, paced: int, seconds: float) -> Decimal | None:
    """Return how long a kilogram takes of which `pieces` weigh `grams`, at the pace of `paced`
    pieces in `seconds`; None where no pace is known."""
    if not paced or seconds <= 0 or not grams:
        return None
    return Decimal(pieces) * 1000 / grams * Decimal(seconds) / 60 / paced


def share(part: Decimal | int, whole: Decimal | int) -> Decimal | None:
    """Return part ÷ whole to four places; None of nothing."""
    return (Decimal(part) / Decimal(whole)).quantize(_SHARE, ROUND_HALF_UP) if whole else None


class AbcClass(StrEnum):
    """By value, dearest first: A is the first 80 %, B the next 15, C the rest."""

    A = "A"
    B = "B"
    C = "C"


_ABC_UP_TO: Final = ((AbcClass.A, Decimal("0.80")), (AbcClass.B, Decimal("0.95")))


@dataclass(frozen=True, slots=True)
class StockedLot:
    """A lot in stock: its pieces, their value, and its age band."""

    pieces: int
    worth: Decimal
    is_priced: bool
    band: int


def classified(
    lots: Iterable[StockedLot], *, total: Decimal
) -> Iterator[tuple[StockedLot, AbcClass]]:
    """Yield lots with their classes. The lots must be ordered by value, highest first.

    The value of all lots before it decides the class of a lot, so the first is always an A. Lots
    without value are a C.
    """
    before = Decimal(0)
    for lot in lots:
        yield lot, _class_at(before / total) if total and lot.worth else AbcClass.C
        before += lot.worth


def _class_at(reached: Decimal) -> AbcClass:
    return next((name for name, up_to in _ABC_UP_TO if reached < up_to), AbcClass.C)

"""Calculates the figures of sources and batches. Pure."""

from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

GRAMS_PER_KG: Final = Decimal(1000)
SHARE: Final = Decimal("0.0001")
CENTS: Final = Decimal("0.0001")


def return_on(*, spent: Decimal | None, value: Decimal | None, pieces: int) -> Decimal | None:
    """Return value ÷ cost: 2 is twice the money. None without a cost or without pieces.

    Used for a batch, and for a source with all its batches of known cost.
    """
    if not spent or not pieces:
        return None
    return ((value or Decimal(0)) / spent).quantize(SHARE, rounding=ROUND_HALF_EVEN)


def price_per_kg(*, cost: Decimal | None, grams: Decimal | None) -> Decimal | None:
    """Return the cost of a kilogram. None without a weight or a cost."""
    if cost is None or not grams:
        return None
    return (cost * GRAMS_PER_KG / grams).quantize(CENTS, rounding=ROUND_HALF_EVEN)


def foreign_share(*, foreign: int | None, pieces: int | None) -> Decimal | None:
    """Return the share of foreign pieces: 0.05 is one in twenty.

    `pieces` are the LEGO pieces that were kept. None if foreign pieces were not counted, or if
    there are no pieces at all.
    """
    if foreign is None:
        return None
    came = foreign + (pieces or 0)
    return (Decimal(foreign) / came).quantize(SHARE, rounding=ROUND_HALF_EVEN) if came else None

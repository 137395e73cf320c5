"""The landed cost of a listing. Pure; dollars, grams."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

CENT: Final = Decimal("0.01")
GRAMS_PER_KG: Final = 1000


def landed_cost(
    *,
    price: Decimal,
    shipping: Decimal | None,
    handling: Decimal | None,
    tax_percent: Decimal,
) -> Decimal | None:
    """Return price, shipping, handling and tax on all three; None while shipping is unknown.

    Unknown shipping is never 0: the site shows 0 until it is calculated.
    """
    if shipping is None:
        return None
    before = price + shipping + (handling or Decimal(0))
    return (before * (1 + tax_percent / 100)).quantize(CENT, ROUND_HALF_UP)


def cost_per_kg(cost: Decimal | None, weight_grams: Decimal | None) -> Decimal | None:
    """Return the cost of a kilogram, None where cost or weight is unknown."""
    if cost is None or not weight_grams:
        return None
    return (cost * GRAMS_PER_KG / weight_grams).quantize(CENT, ROUND_HALF_UP)

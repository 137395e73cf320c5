"""The highest sensible bid, by the value of earlier purchases. Pure; dollars, grams."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from apps.auctions.rules.money import CENT, GRAMS_PER_KG

MINUTES_PER_HOUR = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Brought:
    """The value of earlier kilograms at the prices asked, and the minutes needed to sort them.

    `minutes_per_kg` is None if the sorting time is unknown; then time costs nothing.
    """

    value_per_kg: Decimal
    minutes_per_kg: Decimal | None
    fee_percent: Decimal
    hourly_rate: Decimal

    @property
    def net_per_kg(self) -> Decimal:
        """Return the value of a kilogram after fees and work, below 0 if the work costs more."""
        after_fees = self.value_per_kg * (1 - self.fee_percent / 100)
        hours = (self.minutes_per_kg or Decimal(0)) / MINUTES_PER_HOUR
        return after_fees - hours * self.hourly_rate


def worth_of(weight_grams: Decimal, brought: Brought) -> Decimal:
    """Return the highest sensible landed cost of a listing, in whole cents and at least 0."""
    worth = brought.net_per_kg * weight_grams / GRAMS_PER_KG
    return max(Decimal(0), worth).quantize(CENT, ROUND_DOWN)


def highest_bid(
    worth: Decimal,
    *,
    shipping: Decimal | None,
    handling: Decimal | None,
    tax_percent: Decimal,
) -> Decimal | None:
    """Return the price whose landed cost is `worth`; None while shipping is unknown, 0 for none.

    Rounded down: one cent more would cost more than it is worth.
    """
    if shipping is None:
        return None
    price = worth / (1 + tax_percent / 100) - shipping - (handling or Decimal(0))
    return max(Decimal(0), price).quantize(CENT, ROUND_DOWN)

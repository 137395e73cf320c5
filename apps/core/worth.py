"""What rows with a quantity and a price are worth: the one home of that sum.

No price is None, never 0, so each sum goes with how many lots it leaves out.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db.models import Count, DecimalField, F, Q, Sum
from django.db.models.functions import Coalesce

from apps.core.money import TOTAL, money

WORTH: Final = DecimalField[Any, Any](**TOTAL)


@dataclass(slots=True)
class Worth:
    """A sum that rows are added to one by one."""

    value: Decimal = Decimal(0)
    lots_without_price: int = 0
    lots_with_price: int = 0
    #: The time of the oldest price, where prices have one.
    since: dt.datetime | None = None

    def add(self, quantity: int, price: Decimal | None, told_at: dt.datetime | None = None) -> None:
        """Add a row; one of no pieces lacks no price."""
        if price is not None:
            self.value += price * quantity
            self.lots_with_price += bool(quantity)
            if told_at is not None and quantity:
                self.since = min(self.since or told_at, told_at)
        elif quantity:
            self.lots_without_price += 1

    @property
    def reported(self) -> Decimal | None:
        """The reported sum: None, not 0, if none of the lots has a price."""
        nothing_known = self.lots_without_price and not self.lots_with_price
        return None if nothing_known else money(self.value)


def row_worth() -> Any:
    """Return the worth of a row, null without a price."""
    return F("quantity") * F("price")


def known_worth() -> Any:
    """Return the worth of a group of rows, null where none has a price."""
    return Sum(row_worth(), output_field=WORTH)


def total_worth() -> Any:
    """Return the worth of a group of rows, 0 where none has a price."""
    return Coalesce(known_worth(), Decimal(0), output_field=WORTH)


def lots_without_price() -> Any:
    """Return how many rows of a group `total_worth` leaves out: they hold pieces, and no price."""
    return Count("quantity", filter=Q(price__isnull=True, quantity__gt=0))

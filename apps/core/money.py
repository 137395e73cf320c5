"""Money: decimals of four places (BrickLink's precision), in one currency a user."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Annotated, Any

PLACES = Decimal("0.0001")
MONEY: dict[str, Any] = {"max_digits": 12, "decimal_places": 4}
#: Of sums of amounts, and shares of them.
TOTAL: dict[str, Any] = {**MONEY, "max_digits": 24}
#: An amount is less than this; a sum may be more.
AMOUNT_LIMIT = Decimal(10) ** (MONEY["max_digits"] - MONEY["decimal_places"])
ZERO = Decimal("0.0000")


@dataclass(frozen=True, slots=True)
class Digits:
    """How many digits a decimal of a row has, in all and behind the point."""

    max_digits: int
    decimal_places: int


Money = Annotated[Decimal, Digits(**MONEY)]
Total = Annotated[Decimal, Digits(**TOTAL)]


def money(value: Decimal | int | str) -> Decimal:
    """Return `value` rounded to four places, half to even; never a negative zero."""
    return Decimal(value).quantize(PLACES, rounding=ROUND_HALF_EVEN) + ZERO


def money_text(value: Decimal | None) -> str | None:
    """Return the wire form, such as '0.0720'; None stays None."""
    return None if value is None else f"{money(value):f}"

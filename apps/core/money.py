"""Money: decimals of four places (BrickLink's precision), in one currency a user."""

from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

PLACES = Decimal("0.0001")
MONEY: dict[str, Any] = {"max_digits": 12, "decimal_places": 4}
ZERO = Decimal("0.0000")


def money(value: Decimal | int | str) -> Decimal:
    """Return `value` rounded to four places, half to even; never a negative zero."""
    return Decimal(value).quantize(PLACES, rounding=ROUND_HALF_EVEN) + ZERO


def money_text(value: Decimal | None) -> str | None:
    """Return the wire form, such as '0.0720'; None stays None."""
    return None if value is None else f"{money(value):f}"

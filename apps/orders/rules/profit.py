"""Calculates the profit of sales. Pure."""

from decimal import Decimal
from typing import Final

HUNDRED: Final = Decimal(100)


def kept_share(*, subtotal: Decimal, credit: Decimal, given_back: Decimal) -> Decimal:
    """Return which part of the price of its lines an order brought, after discounts and refunds."""
    return (1 - credit / subtotal if subtotal > 0 and credit else Decimal(1)) - given_back


def refunded_share(*, refunded: Decimal, returned: Decimal, kept: Decimal) -> Decimal:
    """Return which part of the price of the pieces that were kept was given back.

    A refund pays for the returned pieces first: those are not sold any more.
    """
    beyond = refunded - returned
    return beyond / kept if beyond > 0 and kept > 0 else Decimal(0)


def fees_of(sold: Decimal, *, percent: Decimal, by_hand: bool) -> Decimal:
    """Return the fees of marketplace and payment for a sale, 0 for one entered by hand."""
    return Decimal(0) if by_hand else sold * percent / HUNDRED


def cost_of_piece(
    *, spread: Decimal, is_spread: bool, cost: Decimal | None, pieces: int
) -> Decimal | None:
    """Return the cost of one piece of a batch: the spread cost, else its share. None: unknown."""
    if is_spread:
        return spread
    return None if cost is None or not pieces else cost / pieces

"""Who takes in the orders of a store. `orders`, an app above, registers it.

Whoever compares stock and store calls `read_orders` first: what buyers took there is promised
here before anything is counted, so that no sale is taken twice.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any, Protocol

from apps.marketplace.providers.base import Marketplace


class OrderReader(Protocol):
    """Reads what changed among the orders of a store, each in a transaction of its own."""

    def __call__(
        self, *, owner: Any, store: Marketplace, clock: Callable[[], dt.datetime]
    ) -> int: ...


_registered: list[OrderReader] = []


def register_order_reader(found: OrderReader) -> None:
    """Make this the reader, in the `ready` of its app."""
    _registered[:] = [found]


def read_orders(*, owner: Any, store: Marketplace, clock: Callable[[], dt.datetime]) -> int:
    """Take in the orders that changed at the store; return how many. Raises MarketplaceError."""
    return _registered[0](owner=owner, store=store, clock=clock) if _registered else 0

"""Orders of a store, which `orders`, an app above, takes in.

Whoever compares stock and store calls `read_orders` first: what buyers took there is promised
here before anything is counted, so that no sale is taken twice. An order that cannot be read
keeps none of the others waiting: it is told with its reason (`tell_unread`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.accounts.models import User
from apps.core.hooks import Hook
from apps.core.jobs.run import Clock, JobRun
from apps.marketplace.providers.base import Marketplace
from apps.marketplace.providers.lots import UnreadLot
from apps.marketplace.providers.orders import UnreadOrder


@dataclass(slots=True)
class OrdersRead:
    """How many orders were taken in, and which could not be read.

    `unsure` are the lots of orders that may give up pieces just now: one that cannot be read, or
    whose cancel has yet to be sent.
    """

    count: int = 0
    unread: list[UnreadOrder] = field(default_factory=list)
    unsure: set[int] = field(default_factory=set)


@Hook
def read_orders(*, owner: User, store: Marketplace, clock: Clock) -> OrdersRead:
    """Take in the orders that changed at the store, each in a transaction of its own.

    Raises MarketplaceError.
    """
    return OrdersRead()


def tell_unread(run: JobRun, unread: Sequence[UnreadOrder | UnreadLot]) -> str:
    """Note each with its reason among what a job could not do, once; return it as one sentence.

    Call it in a chunk: what is noted is saved with that.
    """
    for one in unread:
        number = one.lot_id if isinstance(one, UnreadLot) else one.order_id
        item = {"id": number, "name": one.name, "reason": one.reason}
        if item not in run.failed:
            run.fail_item(item)
    if not unread:
        return ""
    first = unread[0]
    if len(unread) == 1:
        return f"{first.name} of the store cannot be read: {first.reason}"
    kind = "lots" if isinstance(first, UnreadLot) else "orders"
    return f"{len(unread)} {kind} of the store cannot be read. {first.name}: {first.reason}"

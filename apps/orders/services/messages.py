"""Messages between buyer and seller, read from the marketplace and never stored."""

import datetime as dt
from typing import Any, Final

from apps.marketplace.providers.base import CallKind, MarketplaceError
from apps.marketplace.services.calls import spend_call
from apps.marketplace.services.connections import connection_of, failure_of, open_store
from apps.orders.models import Order, OrderOrigin

READ_SECONDS: Final = 10.0
_LONG_AGO: Final = dt.datetime.min.replace(tzinfo=dt.UTC)


def messages_of(*, order: Order, now: dt.datetime) -> list[dict[str, Any]]:
    """Return the messages of an order, the newest first; none where it came from no store.

    One call of the day. Raises BudgetSpent, NotConnected, MarketplaceFailed,
    MarketplaceSlow.
    """
    if order.channel != OrderOrigin.STORE or order.marketplace_order_id is None:
        return []

    connection = connection_of(owner=order.owner, of=order.marketplace_order_id)

    def spend(kind: CallKind) -> None:
        spend_call(channel=connection.channel, kind=kind, now=now)

    try:
        with open_store(connection, spend=spend, read_seconds=READ_SECONDS) as store:
            found = store.order_messages(order.marketplace_order_id)
    except MarketplaceError as problem:
        raise failure_of(problem) from problem
    found.sort(key=lambda one: one.sent_at or _LONG_AGO, reverse=True)
    return [
        {
            "sentAt": one.sent_at,
            "sender": one.sender,
            "subject": one.subject,
            "text": one.text,
        }
        for one in found
    ]

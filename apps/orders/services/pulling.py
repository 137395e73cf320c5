"""Reads the changed orders of a store and stores them."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from apps.accounts.models import User
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import FINAL_STATES, Job, JobState
from apps.core.jobs.run import Clock, JobRun
from apps.core.money import money
from apps.listings.selectors import last_reading
from apps.marketplace.providers.base import (
    Marketplace,
    NoAnswer,
    NotThere,
    Refused,
    SecretsRefused,
    Unreadable,
)
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.providers.orders import OrderState as TheirState
from apps.marketplace.providers.orders import StoreOrderHead, UnreadOrder
from apps.marketplace.selectors import connections_of
from apps.marketplace.services.arrivals import OrdersRead, tell_unread
from apps.marketplace.services.calls import StoreCalls
from apps.marketplace.services.connections import (
    NotConnected,
    ending_job,
    ensure_connection,
    open_store,
)
from apps.orders.models import (
    OPEN_STATES,
    Order,
    OrderIntent,
    OrderLine,
    OrderOrigin,
    OrderState,
    StepState,
    StepToTell,
)
from apps.orders.services.arrival import receive_order

KIND: Final = "orders.pull_orders"
#: An order that was shipped on arrival, or is old, is history: it is read on request only.
OVER: Final = frozenset({"done", "cancelled"})


def start_pull(*, owner: User, now: dt.datetime, order_ids: Sequence[int] = ()) -> Job:
    """Begin to read the store's orders, those that are named among them whether they changed or not.

    A job that waits with the same in mind is returned, and one that reads the list too where no
    order is named. Raises NotConnected.
    """
    ensure_connection(owner=owner, now=now)
    with transaction.atomic():
        there = Job.objects.filter(
            owner=owner, kind=KIND, payload={"order_ids": list(order_ids)}
        ).exclude(state__in=FINAL_STATES)
        # One that runs may have read a named order before it changed.
        found = (there.filter(state=JobState.QUEUED) if order_ids else there).first()
        if found is not None:
            return found
        return start_job(owner=owner, kind=KIND, payload={"order_ids": list(order_ids)})


def run_pull(*, run: JobRun, order_ids: Sequence[int], clock: Clock) -> None:
    """Read orders and take them in, each in a transaction. Raises JobFailed, TryLater."""
    connections = connections_of(run.owner)
    if not connections:
        raise NotConnected
    count, unread = 0, list[UnreadOrder]()
    for connection in connections:
        least, largest = MARKETPLACES[connection.marketplace].ids
        named = [order_id for order_id in order_ids if least <= order_id <= largest]
        if order_ids and not named:
            continue
        calls = StoreCalls(run, connection.channel, clock)
        with ending_job(connection, clock), open_store(connection, spend=calls.spend) as store:
            read = read_store_orders(owner=run.owner, store=store, clock=clock, order_ids=named)
        count += read.count
        unread += read.unread
    with run.finish(result={"order_count": count}):
        tell_unread(run, unread)
        run.message = f"{count:,} orders read" if count else "No order changed."


def read_store_orders(
    *, owner: User, store: Marketplace, clock: Clock, order_ids: Sequence[int] = ()
) -> OrdersRead:
    """Take in the orders that changed at the store. Raises MarketplaceError.

    `order_ids` are read whether they changed or not, and the list only where one of them is
    not known: an order that somebody names may be one that the person placed elsewhere.
    Orders that are over and were never seen here are left out, unless they came and were cancelled
    since the store was last read: it may offer their pieces again, or not. One that cannot be read is told
    among the others, and one without an answer fails all only when the others have come.
    """
    known = {
        row["marketplace_order_id"]: row
        for row in Order.objects.owned_by(owner)
        .filter(marketplace_order_id__range=MARKETPLACES[store.marketplace].ids)
        .values(
            *("marketplace_order_id", "changed_at", "status", "payment_status"),
            *("pieces_told", "subtotal", "total", "channel", "state", "is_filed"),
        )
    }
    named = [pk for pk in order_ids if pk in known]
    reading = _Reading(owner, store, clock)
    last_read = last_reading(owner, marketplace=store.marketplace)
    for order_id in named:
        reading.take_in(order_id)
    if not order_ids or len(named) < len(order_ids):
        missing = {pk for pk, row in known.items() if _is_awaited(row)} - set(named)
        for head in store.orders():
            missing.discard(head.order_id)
            if isinstance(head, UnreadOrder):
                reading.try_anyhow(head)
                continue
            there = known.get(head.order_id)
            if head.order_id in named or (there is None and _is_history(head, last_read)):
                continue
            if there is None or _changed(there, head):
                reading.take_in(head.order_id)
        for order_id in sorted(missing):  # filed away since: its end would not be seen
            reading.take_in(order_id)
    return reading.end()


class _Reading:
    """Stores orders one by one and collects the errors of single orders."""

    def __init__(self, owner: User, store: Marketplace, clock: Clock) -> None:
        self.owner, self.store, self.clock = owner, store, clock
        self.read = OrdersRead()
        self.missed: NoAnswer | None = None

    def take_in(self, order_id: int) -> None:
        """Take an order in. Raises MarketplaceError for what is no trouble of this one only."""
        try:
            told = self.store.order(order_id)
        except NotThere:
            return  # another seller's, or purged
        except SecretsRefused:
            raise
        except (Unreadable, Refused) as problem:
            self.read.unread.append(UnreadOrder(order_id, str(problem)))
        except NoAnswer as problem:
            if self.missed is not None or problem.is_unsent:
                raise  # the store is away
            self.missed = NoAnswer(f"Order {order_id}: {problem}")
        else:
            receive_order(owner=self.owner, told=told, now=self.clock())
            self.read.count += 1

    def try_anyhow(self, head: UnreadOrder) -> None:
        """Read an order by its number if its list entry cannot be read."""
        if head.order_id:
            self.take_in(head.order_id)
        else:
            self.read.unread.append(head)

    def end(self) -> OrdersRead:
        """Return the result. Raises NoAnswer if one order had no answer."""
        if self.missed is not None:
            raise self.missed
        self.read.unsure = _lots_that_may_come_back(
            self.owner, [one.order_id for one in self.read.unread]
        )
        return self.read


def _is_history(head: StoreOrderHead, last_read: dt.datetime | None) -> bool:
    """Return whether an order that was never seen here is over, and counted in the last reading."""
    if head.state.value not in OVER:
        return False
    last_change = head.changed_at or head.ordered_at
    is_news = last_read is not None and last_change is not None and last_change > last_read
    return head.state != TheirState.CANCELLED or not is_news


def _lots_that_may_come_back(owner: User, unread: Collection[int]) -> set[int]:
    untold = OrderIntent.objects.owned_by(owner).filter(
        step=StepToTell.CANCELLED, state=StepState.PLANNED
    )
    lines = OrderLine.objects.filter(owner=owner, marketplace_lot_id__isnull=False).filter(
        Q(order__marketplace_order_id__in=unread) | Q(order__in=untold.values("order"))
    )
    found = lines.values_list("marketplace_lot_id", flat=True)
    return {lot_id for lot_id in found if lot_id is not None}


def _is_awaited(there: Mapping[str, Any]) -> bool:
    """Return whether the store's list should have an order that is known."""
    is_open = there["state"] in (*OPEN_STATES, OrderState.PROBLEM)
    return is_open and there["channel"] == OrderOrigin.STORE and not there["is_filed"]


def _changed(there: Mapping[str, Any], head: StoreOrderHead) -> bool:
    return (
        (head.changed_at is not None and there["changed_at"] != head.changed_at)
        or there["status"] != head.status
        or there["payment_status"] != head.payment_status
        or there["pieces_told"] != head.pieces
        or any(
            told is not None and there[name] != money(told)
            for name, told in (("subtotal", head.subtotal), ("total", head.total))
        )
    )

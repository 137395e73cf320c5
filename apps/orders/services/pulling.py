"""Read what changed among the orders of a store, and take it in."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import FINAL_STATES, Job, JobState
from apps.core.jobs.run import JobFailed, JobRun, TryLater
from apps.marketplace.providers.base import (
    Marketplace,
    MarketplaceError,
    NotThere,
    Refused,
    SecretsRefused,
)
from apps.marketplace.providers.orders import StoreOrderHead
from apps.marketplace.services.calls import StoreCalls
from apps.marketplace.services.connections import (
    connection_of,
    ensure_connection,
    note_refusal,
    open_store,
)
from apps.orders.models import Order
from apps.orders.services.arrival import receive_order

Clock = Callable[[], dt.datetime]
KIND: Final = "orders.pull_orders"
#: An order that came already sent, or long ago, is history: it is read when somebody asks.
OVER: Final = frozenset({"done", "cancelled"})


def start_pull(*, owner: Any, now: dt.datetime, order_ids: Sequence[int] = ()) -> Job:
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
    connection = connection_of(owner=run.owner)
    calls = StoreCalls(run, clock)
    with open_store(connection, spend=calls.spend) as store:
        try:
            count = read_store_orders(
                owner=run.owner, store=store, clock=clock, order_ids=order_ids
            )
        except SecretsRefused as refused:
            note_refusal(connection, refused, now=clock())
            raise JobFailed(reason=str(refused)) from refused
        except Refused as refused:
            raise JobFailed(reason=str(refused)) from refused
        except MarketplaceError as problem:
            raise TryLater(str(problem), until_back=True) from problem
    with run.finish(result={"order_count": count}):
        pass


def read_store_orders(
    *, owner: Any, store: Marketplace, clock: Clock, order_ids: Sequence[int] = ()
) -> int:
    """Take in the orders that changed at the store; return how many. Raises MarketplaceError.

    `order_ids` are read whether they changed or not, and the list only where one of them is
    not known: an order that somebody names may be one that the person placed elsewhere.
    Orders that are over and were never seen here are left out.
    """
    known = {
        row["marketplace_order_id"]: row
        for row in Order.objects.owned_by(owner)
        .filter(marketplace_order_id__isnull=False)
        .values("marketplace_order_id", "changed_at", "status", "payment_status", "pieces_told")
    }
    named = [pk for pk in order_ids if pk in known]
    count = sum(_take_in(owner, store, pk, clock) for pk in named)
    if order_ids and len(named) == len(order_ids):
        return count
    for head in store.orders():
        there = known.get(head.order_id)
        if head.order_id in named or (there is None and head.state.value in OVER):
            continue
        if there is None or _changed(there, head):
            count += _take_in(owner, store, head.order_id, clock)
    return count


def _changed(there: Mapping[str, Any], head: StoreOrderHead) -> bool:
    return (
        there["changed_at"] != head.changed_at
        or there["status"] != head.status
        or there["payment_status"] != head.payment_status
        or there["pieces_told"] != head.pieces
    )


def _take_in(owner: Any, store: Marketplace, order_id: int, clock: Clock) -> int:
    try:
        told = store.order(order_id)
    except NotThere:
        return 0  # somebody else's, or purged
    receive_order(owner=owner, told=told, now=clock())
    return 1

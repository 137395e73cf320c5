"""Read what changed among the orders of a store, and take it in."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import FINAL_STATES, Job
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
    """Begin to read the store's orders, or some of them; one job of a person at a time.

    Raises NotConnected. 5 queries.
    """
    ensure_connection(owner=owner, now=now)
    with transaction.atomic():
        if not order_ids:
            running = Job.objects.filter(owner=owner, kind=KIND).exclude(state__in=FINAL_STATES)
            found = running.filter(payload={"order_ids": []}).first()
            if found is not None:
                return found
        return start_job(owner=owner, kind=KIND, payload={"order_ids": list(order_ids)})


def run_pull(*, run: JobRun, order_ids: Sequence[int], clock: Clock) -> None:
    """Read orders and take them in, each in a transaction. Raises JobFailed, TryLater."""
    connection = connection_of(owner=run.owner)
    calls = StoreCalls(run, clock)
    with open_store(connection, spend=calls.spend) as store:
        try:
            if order_ids:
                count = sum(_take_in(run.owner, store, pk, clock) for pk in order_ids)
            else:
                count = read_store_orders(owner=run.owner, store=store, clock=clock)
        except SecretsRefused as refused:
            note_refusal(connection, refused, now=clock())
            raise JobFailed(reason=str(refused)) from refused
        except Refused as refused:
            raise JobFailed(reason=str(refused)) from refused
        except MarketplaceError as problem:
            raise TryLater(str(problem), until_back=True) from problem
    with run.finish(result={"order_count": count}):
        pass


def read_store_orders(*, owner: Any, store: Marketplace, clock: Clock) -> int:
    """Take in the orders that changed at the store; return how many. Raises MarketplaceError.

    Orders that are over and were never seen here are left out.
    """
    known = {
        row["marketplace_order_id"]: row
        for row in Order.objects.owned_by(owner)
        .filter(marketplace_order_id__isnull=False)
        .values("marketplace_order_id", "changed_at", "status", "payment_status", "pieces_told")
    }
    count = 0
    for head in store.orders():
        there = known.get(head.order_id)
        if there is None and head.state.value in OVER:
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

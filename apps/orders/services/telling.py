"""Sends the states of orders to the marketplace: an intent first, then one call by a job."""

import datetime as dt
from collections.abc import Callable
from typing import Any, Final

from apps.core.jobs.dispatch import start_job
from apps.core.jobs.run import JobRun
from apps.marketplace.providers.base import Marketplace, Refused
from apps.marketplace.providers.orders import OrderState as TheirState
from apps.marketplace.selectors import connection_there
from apps.marketplace.services.calls import StoreCalls
from apps.marketplace.services.connections import connection_of, ending_job, open_store
from apps.orders.models import Order, OrderEvent, OrderIntent, OrderOrigin, StepState, StepToTell

KIND: Final = "orders.tell_marketplace"
_STATES: Final = {
    StepToTell.PACKED: TheirState.PACKED,
    StepToTell.SHIPPED: TheirState.SHIPPED,
    StepToTell.CANCELLED: TheirState.CANCELLED,
}


def plan_step(*, order: Order, step: str, value: str = "") -> None:
    """Store a step for the marketplace, in the caller's transaction; a job sends it.

    The same step is sent again only if its value differs. Nothing is sent for an order that did not
    come from a store, or whose store is not connected any more.
    """
    if order.channel != OrderOrigin.STORE or order.marketplace_order_id is None:
        return
    if connection_there(order.owner, of=order.marketplace_order_id) is None:
        return
    intent, is_new = OrderIntent.objects.get_or_create(
        order=order, step=step, defaults={"owner": order.owner, "value": value}
    )
    if not is_new:
        if intent.state == StepState.DONE and intent.value == value:
            return
        intent.state, intent.value, intent.reason = StepState.PLANNED, value, ""
        intent.save(update_fields=["state", "value", "reason", "updated_at"])
    start_job(owner=order.owner, kind=KIND, payload={"order_id": order.pk})


def run_tell(*, run: JobRun, order_id: int, clock: Callable[[], dt.datetime]) -> None:
    """Send the steps of an order, oldest first. Raises JobFailed, TryLater.

    Whatever had no answer is sent again: a state or a number said twice is the same. What
    the marketplace refuses is kept with its reason and told as a difference.
    """
    planned = list(
        OrderIntent.objects.owned_by(run.owner)
        .filter(order_id=order_id, state=StepState.PLANNED)
        .select_related("order")
        .order_by("pk")
    )
    if planned:
        connection = connection_of(owner=run.owner, of=planned[0].order.marketplace_order_id)
        calls = StoreCalls(run, connection.channel, clock)
        with open_store(connection, spend=calls.spend) as store:
            for intent in planned:
                try:
                    with ending_job(connection, clock, but=(Refused,)):
                        _send(store, intent)
                except Refused as refused:
                    with run.chunk():
                        _refused(intent, str(refused), clock())
                else:
                    with run.chunk():
                        _end(intent, StepState.DONE, "")
    with run.finish(result={"order_id": order_id}):
        pass


def _send(store: Marketplace, intent: OrderIntent) -> None:
    number: Any = intent.order.marketplace_order_id
    if intent.step == StepToTell.TRACKING:
        store.set_tracking(number, intent.value)
    elif intent.step == StepToTell.FILED:
        store.file_order(number)
    else:
        store.set_order_state(number, _STATES[StepToTell(intent.step)])


def _end(intent: OrderIntent, state: str, reason: str) -> None:
    # Another value may have been written since: that one is still to be sent.
    OrderIntent.objects.filter(pk=intent.pk, value=intent.value).update(state=state, reason=reason)


def _refused(intent: OrderIntent, reason: str, now: dt.datetime) -> None:
    _end(intent, StepState.REFUSED, reason)
    label = StepToTell(intent.step).label.lower()
    OrderEvent.objects.create(
        owner=intent.owner,
        order=intent.order,
        at=now,
        kind="refused",
        text=f"The marketplace did not take “{label}”. {reason}",
        is_difference=True,
    )

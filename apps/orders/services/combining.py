"""Sends orders of one buyer in one parcel: one tray, one packing slip, one tracking number."""

import datetime as dt
from collections.abc import Collection
from contextlib import suppress
from typing import Any, TypedDict

from django.db import transaction
from django.db.models import Q

from apps.core.concurrency import lock_in_order
from apps.core.errors import NotFound
from apps.orders.models import GONE_STATES, Order, OrderEvent, WalkOrder
from apps.orders.selectors.orders import COMBINABLE_STATES, parcels_of, same_buyer, sums_of
from apps.orders.services._events import keep_events
from apps.orders.services.errors import NotCombinable


class ParcelOrder(TypedDict):
    """Another order of the same buyer."""

    id: int
    number: str
    state: str
    lots: int
    pieces: int
    is_together: bool


def orders_beside(order: Order) -> list[ParcelOrder]:
    """Return the other orders in its parcel, and those that could share it."""
    together = [] if order.state in GONE_STATES else parcels_of([order])[0]
    ids = {one.pk for one in together}
    others = [one for one in same_buyer(order) if one.pk not in ids and one.parcel_id is None]
    # The first order of another parcel brings its orders along: only single ones are offered.
    heads = set(
        Order.objects.filter(parcel__in=[one.pk for one in others]).values_list("parcel", flat=True)
    )
    rows = [one for one in together if one.pk != order.pk]
    rows += [one for one in others if one.pk not in heads]
    sums = sums_of([one.pk for one in rows])
    return [
        {
            "id": one.pk,
            "number": one.number,
            "state": one.state,
            "lots": sums[one.pk]["lots"],
            "pieces": sums[one.pk]["pieces"],
            "is_together": one.pk in ids,
        }
        for one in rows
    ]


@transaction.atomic
def combine(*, order: Order, order_ids: Collection[int], now: dt.datetime) -> int:
    """Send these orders in the parcel of `order`. Return how many are new in it.

    Raises NotFound, and NotCombinable for another buyer's, a packed or an already picked-for one.
    Twice is no error.
    """
    chosen = {*order_ids, order.pk}
    head, orders = _locked(order, chosen)
    if not chosen <= {one.pk for one in orders}:
        raise NotFound
    known = {one.pk for one in orders if head in (one.pk, one.parcel_id)}
    fits = {*known, *same_buyer(order).values_list("pk", flat=True)}
    others = Order.objects.filter(parcel__in=chosen - known).values_list("parcel", flat=True)
    shared = {*others, *(one.pk for one in orders if one.parcel_id and one.pk not in known)}
    for one in orders:
        if one.pk in chosen and one.state not in COMBINABLE_STATES:
            raise NotCombinable(number=one.number, reason="it is packed or over")
        if one.pk not in fits:
            raise NotCombinable(number=one.number, reason="its buyer or address is another one")
        if one.pk in shared:
            raise NotCombinable(number=one.number, reason="it shares another parcel")
    busy = WalkOrder.objects.filter(order_id__in=chosen, is_open=True).select_related("order")
    if (walking := busy.first()) is not None:
        raise NotCombinable(number=walking.order.number, reason="it is being picked")
    new = len(orders) - len(known)
    if new:
        # The first one, so that a backup restores it before those that name it.
        first = min(one.pk for one in orders)
        rows = Order.objects.filter(pk__in=[one.pk for one in orders])
        rows.exclude(pk=first).update(parcel=first, updated_at=now)
        rows.filter(pk=first).update(parcel=None, updated_at=now)
        _note(orders, "combined", "One parcel", now)
    return new


@transaction.atomic
def separate(*, order: Order, now: dt.datetime) -> int:
    """Send each order of its parcel in one of its own. Return how many were in it.

    Raises NotCombinable once the parcel is packed.
    """
    head, orders = _locked(order)
    if len(orders) < 2:
        return 0
    for one in orders:
        if one.state not in (*COMBINABLE_STATES, *GONE_STATES):
            raise NotCombinable(number=one.number, reason="the parcel is packed")
    Order.objects.filter(parcel=head).update(parcel=None, updated_at=now)
    _note(orders, "separated", "Parcels of their own", now)
    return len(orders)


class _Moved(Exception):
    """The parcel changed before its orders were locked."""


def _locked(order: Order, ids: Collection[int] = ()) -> tuple[int, list[Order]]:
    """Lock the orders of its parcel and those with these ids; return its first one, and all.

    Whoever held them before may have changed the parcel: then those of the new one are locked.
    """
    owned = Order.objects.filter(owner=order.owner_id)
    while True:
        order.refresh_from_db(fields=["parcel"])
        head = order.parcel_id or order.pk
        with suppress(_Moved), transaction.atomic():
            found = lock_in_order(owned.filter(Q(pk__in={*ids, order.pk}) | _of_parcel(head)))
            head = next(one.parcel_id or one.pk for one in found if one.pk == order.pk)
            if {one.pk for one in found}.issuperset(
                owned.filter(_of_parcel(head)).values_list("pk", flat=True)
            ):
                return head, [
                    one for one in found if one.pk in ids or head in (one.pk, one.parcel_id)
                ]
            raise _Moved


def _of_parcel(head: int) -> Q:
    return Q(pk=head) | Q(parcel=head)


def _note(orders: list[Order], kind: str, text: str, now: dt.datetime) -> None:
    numbers = ", ".join(one.number for one in orders)
    events: list[Any] = [
        OrderEvent(owner_id=one.owner_id, order=one, at=now, kind=kind, text=f"{text}: {numbers}")
        for one in orders
    ]
    keep_events(events)

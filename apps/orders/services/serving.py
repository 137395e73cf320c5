"""Promises to open orders what the stock got since they arrived."""

import datetime as dt
from collections import defaultdict

from django.db import transaction

from apps.accounts.models import User
from apps.core.concurrency import lock_in_order
from apps.orders.models import OPEN_STATES, Order, OrderEvent, OrderLine
from apps.orders.services._events import keep_events
from apps.orders.services.arrival import name_of
from apps.orders.services.reserving import out_lots_of, promised_to, reserve


@transaction.atomic
def serve_lacking(*, owner: User, now: dt.datetime) -> None:
    """Promise what open orders still lack, as after a store with open orders moved in.

    An order that lacks nothing any more is no longer told to lack something.
    """
    orders = {
        order.pk: order
        for order in lock_in_order(Order.objects.owned_by(owner).filter(state__in=OPEN_STATES))
    }
    lines = {
        line.pk: line
        for line in OrderLine.objects.filter(order_id__in=orders).order_by("pk")
        if line.to_pick
    }
    have = promised_to(lines)
    before = {
        pk: line.to_pick - have.get(pk, 0)
        for pk, line in lines.items()
        if line.to_pick > have.get(pk, 0)
    }
    if not before:
        return
    waiting = [lines[pk] for pk in before]
    lacking = reserve(
        owner=owner,
        orders=list(orders.values()),
        lines=waiting,
        now=now,
        out_lots=out_lots_of(orders=list(orders.values()), lines=waiting, is_new=False),
    )
    _note(orders, waiting, before, lacking, now)


def _note(
    orders: dict[int, Order],
    lines: list[OrderLine],
    before: dict[int, int],
    lacking: dict[int, int],
    now: dt.datetime,
) -> None:
    found: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        if pieces := before[line.pk] - lacking.get(line.pk, 0):
            found[line.order_id].append(f"In stock now: {pieces} × {name_of(line)}")
    keep_events(
        OrderEvent(owner=orders[pk].owner, order_id=pk, at=now, kind="found", text=text)
        for pk, texts in found.items()
        for text in texts
    )
    still = {line.order_id for line in lines if line.pk in lacking}
    OrderEvent.objects.filter(
        order_id__in=found.keys() - still, kind="lacking", seen_at=None
    ).update(seen_at=now, updated_at=now)

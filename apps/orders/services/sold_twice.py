"""Leaves out pieces that two buyers bought: the later order goes without, and gets its money back."""

import datetime as dt

from django.db import transaction

from apps.core.concurrency import lock_in_order
from apps.core.errors import NotFound
from apps.orders.models import Order, OrderLine, OrderState
from apps.orders.services import handling
from apps.orders.services.arrival import name_of
from apps.orders.services.errors import OrderIsOver
from apps.orders.services.reserving import reserve
from apps.orders.services.serving import serve_lacking

#: While a line can be left out of it, and come back.
_BEFORE_PACKING = (OrderState.NEW, OrderState.PAID, OrderState.PICKED)


@transaction.atomic
def leave_out_pieces(*, order: Order, line_id: int, pieces: int, now: dt.datetime) -> Order:
    """Leave pieces of a line out of an order, note their refund, and serve who bought before.

    Raises NotFound, OrderIsOver, NotRefundable.
    """
    order, line = _held(order, line_id)
    if pieces > line.to_pick:
        raise OrderIsOver(
            number=order.number,
            state="left out or picked",
            expected=f"{line.to_pick} pieces of the line are left",
        )
    handling.let_fall_short(order, line, pieces, now, note="Sold twice, left out")
    handling.refund_order(order=order, amount=line.price * pieces, note="sold twice", now=now)
    _serve(order, line, now)
    return handling.end_picking(order)


@transaction.atomic
def undo_leave_out_pieces(*, order: Order, line_id: int, pieces: int, now: dt.datetime) -> Order:
    """Undo `leave_out_pieces`: the pieces are wanted again. Raises NotFound, OrderIsOver, NotRefundable."""
    order, line = _held(order, line_id)
    if pieces > line.short:
        raise OrderIsOver(
            number=order.number,
            state="not left out",
            expected=f"{line.short} pieces of the line are left out",
        )
    line.short -= pieces
    line.short_reason = line.short_reason if line.short else ""
    line.save(update_fields=["short", "short_reason", "updated_at"])
    handling.note_event(order, "short", f"Not left out after all: {pieces} × {name_of(line)}", now)
    handling.unrefund_order(order=order, amount=line.price * pieces, now=now)
    if order.state == OrderState.PICKED:
        Order.objects.filter(pk=order.pk).update(state=OrderState.PAID, updated_at=now)
    _serve(order, line, now)
    order.refresh_from_db()
    return order


def _held(order: Order, line_id: int) -> tuple[Order, OrderLine]:
    (order,) = lock_in_order(Order.objects.filter(pk=order.pk))
    found = list(lock_in_order(OrderLine.objects.filter(order=order, pk=line_id)))
    if not found:
        raise NotFound
    if order.state not in _BEFORE_PACKING:
        raise OrderIsOver(
            number=order.number,
            state=OrderState(order.state).label.lower(),
            expected="pieces are left out before it is packed",
        )
    return order, found[0]


def _serve(order: Order, line: OrderLine, now: dt.datetime) -> None:
    order.refresh_from_db()
    reserve(owner=order.owner, orders=[order], lines=[line], now=now)
    serve_lacking(owner=order.owner, now=now)

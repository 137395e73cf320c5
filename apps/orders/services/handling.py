"""Steps of an order after picking: check, weigh, pack, ship, cancel, return."""

import datetime as dt
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Q, When

from apps.accounts.models import User
from apps.core.bulk import add_to_rows
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, NotFound
from apps.inventory.models import CauseKind, InventoryItem, Movement, Promise, Reason
from apps.inventory.services.channels import numbers_of
from apps.inventory.services.edits import StockEdit, edit_rows
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.services.returns import hold_rows_of_returns
from apps.orders.models import (
    GONE_STATES,
    SENT_STATES,
    Order,
    OrderEvent,
    OrderLine,
    OrderState,
    ShortReason,
    StepToTell,
)
from apps.orders.services._events import keep_events
from apps.orders.services.arrival import name_of
from apps.orders.services.errors import NotRefundable, NotReturnable, OrderIsOver
from apps.orders.services.picking import free_order
from apps.orders.services.telling import plan_step


def note_event(
    order: Order, kind: str, text: str, now: dt.datetime, *, is_difference: bool = False
) -> None:
    """Keep what happened to an order."""
    event = OrderEvent(
        owner=order.owner, order=order, at=now, kind=kind, text=text, is_difference=is_difference
    )
    keep_events([event])


def _locked(order: Order) -> Order:
    (found,) = lock_in_order(Order.objects.filter(pk=order.pk))
    return found


def _refuse(order: Order, states: Collection[str], expected: str) -> None:
    if order.state in states:
        raise OrderIsOver(
            number=order.number, state=OrderState(order.state).label.lower(), expected=expected
        )


def edit_order(*, order: Order, changes: Mapping[str, Any]) -> None:
    """Change the note or the weight of a locked order."""
    for name, value in changes.items():
        setattr(order, name, value)
    order.save(update_fields=[*changes, "updated_at"])


def _parcel_locked(order: Order) -> list[Order]:
    """Return the locked orders of a parcel, `order` first."""
    head = order.parcel_id or order.pk
    found = lock_in_order(Order.objects.filter(Q(pk=head) | Q(parcel=head)))
    sent = [one for one in found if one.pk == order.pk or one.state not in GONE_STATES]
    return sorted(sent, key=lambda one: one.pk != order.pk)


@transaction.atomic
def pack_order(*, order: Order, weighed_grams: Decimal | None, now: dt.datetime) -> Order:
    """Mark an order and those in its parcel as packed, and send that to the marketplace once.

    Raises OrderIsOver where pieces still wait to be picked, or it is over. Twice is no error.
    """
    first, *others = _parcel_locked(order)
    packed = _pack(first, weighed_grams, now)
    for other in others:
        _pack(other, None, now)
    return packed


def _pack(order: Order, weighed_grams: Decimal | None, now: dt.datetime) -> Order:
    _refuse(order, GONE_STATES, "it cannot be packed")
    lines = list(OrderLine.objects.filter(order=order))
    waiting = sum(line.to_pick for line in lines)
    if waiting:
        raise OrderIsOver(
            number=order.number, state="not picked", expected=f"{waiting} pieces still wait"
        )
    if weighed_grams is not None:
        order.weighed_grams = weighed_grams
    if order.state in (OrderState.NEW, OrderState.PAID, OrderState.PICKED):
        order.state = OrderState.PACKED
        order.packed_at = now
        OrderLine.objects.filter(order=order, is_checked=False).update(is_checked=True)
        note_event(order, "packed", "Packed", now)
        plan_step(order=order, step=StepToTell.PACKED)
    order.save(update_fields=["state", "packed_at", "weighed_grams", "updated_at"])
    return order


@transaction.atomic
def leave_out(*, order: Order, now: dt.datetime) -> Order:
    """Send an order without the pieces that no bin has: they fall short, the rest can be packed.

    One that is packed or sent already stays so.
    Raises OrderIsOver where pieces lie in their bins still, or none was picked. Twice is no error.
    """
    order = _locked(order)
    _refuse(order, GONE_STATES, "nothing can be left out")
    lines = list(OrderLine.objects.filter(order=order).order_by("pk"))
    missing = [line for line in lines if line.to_pick]
    if not missing:
        return order
    if Promise.objects.filter(owner=order.owner, line_id__in=[line.pk for line in lines]).exists():
        raise OrderIsOver(
            number=order.number, state="being picked", expected="some of its pieces are in bins"
        )
    if not any(line.picked for line in lines):
        raise OrderIsOver(
            number=order.number, state="not picked", expected="nothing is left: cancel it instead"
        )
    for line in missing:
        let_fall_short(order, line, line.to_pick, now, note="Left out")
    return end_picking(order)


def let_fall_short(
    order: Order, line: OrderLine, pieces: int, now: dt.datetime, *, note: str
) -> None:
    """Note that an order goes without pieces of a line."""
    line.short += pieces
    line.short_reason = ShortReason.TOO_FEW
    line.save(update_fields=["short", "short_reason", "updated_at"])
    note_event(order, "short", f"{note}: {pieces} × {name_of(line)}", now)


def end_picking(order: Order) -> Order:
    """Return an order, to be packed from now on if all that is not left out was picked."""
    lines = list(OrderLine.objects.filter(order=order))
    is_picked = any(line.picked for line in lines) and not any(line.to_pick for line in lines)
    if is_picked and order.state in (OrderState.NEW, OrderState.PAID):
        order.state = OrderState.PICKED
        order.save(update_fields=["state", "updated_at"])
    return order


@transaction.atomic
def ship_order(*, order: Order, tracking_number: str, now: dt.datetime) -> Order:
    """Mark an order and those in its parcel as shipped; tell the marketplace with the number once.

    One that is not packed yet is packed by it. Raises OrderIsOver. Twice is no error.
    """
    shipped, *_ = [_ship(one, tracking_number, now) for one in _parcel_locked(order)]
    return shipped


def _ship(order: Order, tracking_number: str, now: dt.datetime) -> Order:
    _refuse(order, GONE_STATES, "it cannot be shipped")
    if order.state not in (OrderState.PACKED, *SENT_STATES):
        order = _pack(order, None, now)
    if tracking_number and tracking_number != order.tracking_number:
        order.tracking_number = tracking_number
        plan_step(order=order, step=StepToTell.TRACKING, value=tracking_number)
    if order.state == OrderState.PACKED:
        order.state = OrderState.SHIPPED
        order.shipped_at = now
        note_event(order, "shipped", f"Shipped {tracking_number}".strip(), now)
        plan_step(order=order, step=StepToTell.SHIPPED)
    order.save(update_fields=["state", "shipped_at", "tracking_number", "updated_at"])
    return order


@transaction.atomic
def file_order(*, order: Order, now: dt.datetime) -> Order:
    """File an order, and send that to the marketplace once."""
    order = _locked(order)
    if not order.is_filed:
        order.is_filed = True
        order.save(update_fields=["is_filed", "updated_at"])
        note_event(order, "filed", "Filed", now)
        plan_step(order=order, step=StepToTell.FILED)
    return order


@transaction.atomic
def unpack_order(*, order: Order, now: dt.datetime) -> Order:
    """Undo that an order was packed; the marketplace keeps its status."""
    return _stepped_back(order, OrderState.PACKED, to=OrderState.PICKED, now=now)


@transaction.atomic
def unship_order(*, order: Order, now: dt.datetime) -> Order:
    """Undo that an order was shipped; the marketplace keeps its status."""
    return _stepped_back(order, OrderState.SHIPPED, to=OrderState.PACKED, now=now)


def _stepped_back(order: Order, step: OrderState, *, to: OrderState, now: dt.datetime) -> Order:
    orders = _parcel_locked(order)
    for one in orders:
        if one.state == step:
            one.state = to
            setattr(one, f"{step}_at", None)
            one.save(update_fields=["state", f"{step}_at", "updated_at"])
            note_event(one, f"un{step}", f"Not {step} after all", now)
    return orders[0]


@transaction.atomic
def cancel_order(
    *, order: Order, tell_marketplace: bool, by: User, now: dt.datetime, put_back: bool = True
) -> Order:
    """Cancel an order: its promises end, and picked pieces go back into their bins.

    Without `put_back` picked pieces stay out, to be taken back later. Raises OrderIsOver
    where it was sent already: take its pieces back instead.
    """
    order = _locked(order)
    _refuse(order, SENT_STATES, "take its pieces back instead")
    if order.state == OrderState.CANCELLED and not put_back:
        return order
    free_order(order=order, now=now)
    if put_back:
        lines = OrderLine.objects.filter(order=order)
        back = {line.pk: line.picked - line.returned for line in lines}
        back = {pk: pieces for pk, pieces in back.items() if pieces}
        if back:
            take_back(
                order=order, pieces=back, location_id=None, reason=Reason.UNDO, by=by, now=now
            )
    if order.state != OrderState.CANCELLED:
        order.state = OrderState.CANCELLED
        order.save(update_fields=["state", "updated_at"])
        note_event(order, "cancelled", "Cancelled", now)
        if tell_marketplace:
            plan_step(order=order, step=StepToTell.CANCELLED)
    return order


@transaction.atomic
def refund_order(*, order: Order, amount: Decimal, note: str = "", now: dt.datetime) -> Order:
    """Note that money was given back to the buyer, with pieces or without. Raises NotRefundable.

    Not sent to the marketplace: the refund is made where the order was paid.
    """
    order = _locked(order)
    most = max(order.total, order.subtotal) - order.refunded
    if amount > most:
        raise NotRefundable(
            number=order.number,
            most=_amount(max(most, Decimal()), order),
            wanted=_amount(amount, order),
        )
    order.refunded += amount
    order.save(update_fields=["refunded", "updated_at"])
    note_event(order, "refunded", f"Refunded {_amount(amount, order)}: {note}".rstrip(": "), now)
    return order


@transaction.atomic
def unrefund_order(*, order: Order, amount: Decimal, now: dt.datetime) -> Order:
    """Take back that so much was refunded. Raises NotRefundable where less was."""
    order = _locked(order)
    if amount > order.refunded:
        raise NotRefundable(
            number=order.number, most=_amount(order.refunded, order), wanted=_amount(amount, order)
        )
    order.refunded -= amount
    order.save(update_fields=["refunded", "updated_at"])
    note_event(order, "unrefunded", f"Not refunded after all: {_amount(amount, order)}", now)
    return order


def _amount(amount: Decimal, order: Order) -> str:
    return f"{amount:.2f} {order.currency}"


@transaction.atomic
def take_back(
    *,
    order: Order,
    pieces: Mapping[int, int],
    location_id: int | None,
    by: User,
    now: dt.datetime,
    override_reason: str = "",
    refund: Decimal | None = None,
    reason: Reason = Reason.RETURN,
) -> int:
    """Put sold pieces (line id -> how many) back into the rows they came from; return how many.

    With a location the rows' pieces go there instead, on top of what agrees, whatever room their
    own bins have. `reason` is the ledger's: pieces that never left the house did not come back from a
    buyer. The newest sale of a line comes back first, and a row that was deleted since is
    shown again. `refund` is the money given back for them. Raises NotFound,
    NotReturnable, NotRefundable, LocationFull, ItemGone.
    """
    order = _locked(order)
    lines = {
        line.pk: line
        for line in lock_in_order(OrderLine.objects.filter(order=order, pk__in=pieces))
    }
    _check_returnable(lines, pieces)
    note = f"Order {order.number}: {override_reason}".rstrip(": ")[:500]
    backs = {
        (line_id, item_id): back
        for line_id, wanted in pieces.items()
        for item_id, back in _rows_back(order.owner, lines[line_id], wanted).items()
    }
    where = hold_rows_of_returns(
        owner=order.owner,
        item_ids={item_id for _, item_id in backs},
        location_ids=[location_id],
        now=now,
    )
    edits = {
        (line_id, item_id): StockEdit(
            item_id=item_id,
            delta=back,
            cause_id=line_id,
            note=note,
            override_reason=override_reason,
            is_passing=location_id is not None and where.get(item_id) != location_id,
        )
        for (line_id, item_id), back in backs.items()
    }
    refused = edit_rows(
        owner=order.owner,
        edits=edits,
        by=by,
        now=now,
        cause_kind=CauseKind.ORDER,
        more=reason,
    )
    for refusal in refused.values():
        raise refusal
    if location_id is not None:
        move_items(
            owner=order.owner,
            lines=[
                MoveLine(item_id=edit.item_id, to_location_id=location_id, quantity=edit.delta)
                for edit in edits.values()
            ],
            by=by,
            now=now,
            override_reason=override_reason,
        )
    add_to_rows(OrderLine, ("returned",), list(pieces.items()))
    names = ", ".join(f"{n} × {name_of(lines[pk])}" for pk, n in list(pieces.items())[:5])
    note_event(order, "returned", f"Back in stock: {names}", now)
    if refund:
        refund_order(order=order, amount=refund, now=now)
    return sum(pieces.values())


def _check_returnable(lines: Mapping[int, OrderLine], pieces: Mapping[int, int]) -> None:
    if len(lines) != len(pieces):
        raise NotFound
    if any(n < 1 for n in pieces.values()):
        raise Invalid(fields={"pieces": ["must be at least 1"]})
    for pk, wanted in pieces.items():
        most = lines[pk].picked - lines[pk].returned
        if wanted > most:
            raise NotReturnable(most=most, wanted=wanted)


def _rows_back(owner: User, line: OrderLine, pieces: int) -> dict[int, int]:
    """Return the rows that get so many pieces of a line back: row id -> pieces."""
    found: dict[int, int] = {}
    left = pieces
    for item_id, sold in _sold_from(owner, line.pk).items():
        back = min(left, sold)
        if back > 0:
            found[item_id] = back
            left -= back
    # Left the stock before it was picked: no sale has the row of its pieces.
    if left and (row := _row_of(owner, line)) is not None:
        found[row] = found.get(row, 0) + left
    return found


def _row_of(owner: User, line: OrderLine) -> int | None:
    """Return the row of a line's pieces: of its listing, else of the same lot."""
    told = line.marketplace_lot_id
    number = told and numbers_of(owner=owner, remote_ids=[told]).get(told, told)
    rows = InventoryItem.with_deleted.owned_by(owner).filter(
        Q(marketplace_lot_id=number, marketplace_lot_id__isnull=False)
        | Q(
            lot_id=line.lot_id,
            lot_id__isnull=False,
            condition=line.condition,
            sub_condition=line.sub_condition,
        )
    )
    by_listing = Case(When(marketplace_lot_id=number, then=0), default=1)
    is_there = F("deleted_at").asc(nulls_first=True)
    return (
        rows.order_by(is_there, by_listing, "-quantity", "pk").values_list("pk", flat=True).first()
    )


def _sold_from(owner: User, line_id: int) -> dict[int, int]:
    """Return by row how many pieces of a line are still out of it, the newest sale first."""
    found: dict[int, int] = {}
    moves = (
        Movement.objects.owned_by(owner)
        .filter(cause_kind=CauseKind.ORDER, cause_id=line_id)
        .filter(Q(reason__in=(Reason.SALE, Reason.RETURN, Reason.UNDO)))
        .order_by("-pk")
        .values_list("item_id", "delta")
    )
    for item_id, delta in moves:
        found[item_id] = found.get(item_id, 0) - delta
    return {item_id: pieces for item_id, pieces in found.items() if pieces > 0}


@transaction.atomic
def see_differences(*, order: Order, now: dt.datetime) -> int:
    """Note that a person has read what changed; return how many."""
    return OrderEvent.objects.filter(order=order, is_difference=True, seen_at=None).update(
        seen_at=now, updated_at=now
    )


@transaction.atomic
def check_lines(*, order: Order, line_ids: Collection[int], checked: bool) -> int:
    """Note which lines were seen while packing; return how many."""
    lines = OrderLine.objects.filter(order=order, pk__in=line_ids)
    if lines.count() != len(set(line_ids)):
        raise NotFound
    return lines.update(is_checked=checked)

"""Picks orders in one walk: start it, pick the pieces of a stop, undo a stop, end the walk."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from apps.accounts.models import User
from apps.core.bulk import add_to_rows
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, NotFound
from apps.inventory.models import CauseKind, InventoryItem, Movement, Promise, Reason
from apps.inventory.services.edits import StockEdit, edit_rows, hold_stock
from apps.inventory.services.promises import Want, keep, promise, take_promises_back
from apps.inventory.services.returns import TakenBackAlready, hold_rows_of_returns, put_back
from apps.inventory.services.stow import TakeLine, take_out
from apps.orders.models import (
    OPEN_STATES,
    Order,
    OrderEvent,
    OrderLine,
    OrderState,
    PickWalk,
    ShortReason,
    WalkOrder,
)
from apps.orders.rules.states import tray_name
from apps.orders.selectors.orders import parcels_of, pickable
from apps.orders.services._events import keep_events
from apps.orders.services.arrival import name_of
from apps.orders.services.errors import (
    AlreadyInAWalk,
    NothingToPick,
    TooManyOrders,
    WalkIsOver,
)
from apps.orders.services.leaving import count_again
from apps.orders.services.reserving import out_lots_of, promised_to, reserve, reserve_elsewhere
from apps.orders.services.serving import serve_lacking

MOST_ORDERS: Final = 60
PICKABLE: Final = (OrderState.NEW, OrderState.PAID)


@dataclass(slots=True)
class PickedStop:
    """The result of a stop by line: taken now, taken by another picker, from elsewhere, short."""

    taken: dict[int, int] = field(default_factory=dict)
    already: dict[int, int] = field(default_factory=dict)
    elsewhere: dict[int, int] = field(default_factory=dict)
    short: dict[int, int] = field(default_factory=dict)
    movement_ids: list[int] = field(default_factory=list)
    uncounted: list["Uncounted"] = field(default_factory=list)
    dropped: list["Uncounted"] = field(default_factory=list)
    count_location_id: int | None = None
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Uncounted:
    """Pieces beside a row that were promised to a line: the stock had booked them out before."""

    item_id: int
    line_id: int
    quantity: int


@dataclass(frozen=True, slots=True)
class ShortLine:
    """Pieces that a line fell short at a stop."""

    line_id: int
    quantity: int


@transaction.atomic
def start_walk(*, owner: User, order_ids: Sequence[int] | None, now: dt.datetime) -> PickWalk:
    """Begin a walk for orders, a tray for each parcel, in the order given; without ids, for all
    that wait. Orders that share a parcel with one of them come along.

    What stock has come since they arrived is promised to them first. Raises NotFound,
    TooManyOrders, NothingToPick, AlreadyInAWalk.
    """
    if order_ids is None:
        order_ids = list(pickable(owner=owner).values_list("pk", flat=True)[:MOST_ORDERS])
        if not order_ids:
            raise NothingToPick
    named = Order.objects.owned_by(owner).in_bulk(order_ids)
    if any(pk not in named for pk in order_ids):
        raise NotFound
    wanted = [one.pk for some in parcels_of([named[pk] for pk in order_ids]) for one in some]
    if len(wanted) > MOST_ORDERS:
        raise TooManyOrders(most=MOST_ORDERS, count=len(wanted))
    orders = {
        order.pk: order
        for order in lock_in_order(Order.objects.owned_by(owner).filter(pk__in=wanted))
    }
    if len(orders) != len(wanted):
        raise NotFound
    lines: dict[int, list[OrderLine]] = {pk: [] for pk in wanted}
    for line in OrderLine.objects.filter(order_id__in=wanted).order_by("pk"):
        lines[line.order_id].append(line)
    chosen = [
        pk
        for pk in wanted
        if orders[pk].state in PICKABLE and any(line.to_pick for line in lines[pk])
    ]
    if not chosen:
        raise NothingToPick
    going = [orders[pk] for pk in chosen]
    waiting = [line for pk in chosen for line in lines[pk]]
    reserve(
        owner=owner,
        orders=going,
        lines=waiting,
        now=now,
        out_lots=out_lots_of(orders=going, lines=waiting, is_new=False),
    )
    promised = Promise.objects.filter(owner=owner).values("line_id")
    served = OrderLine.objects.filter(order_id__in=chosen, pk__in=promised).order_by()
    with_pieces = set(served.values_list("order_id", flat=True))
    chosen = [pk for pk in chosen if pk in with_pieces]
    if not chosen:
        raise NothingToPick
    walk = PickWalk.objects.create(owner=owner)
    parcels = dict.fromkeys(orders[pk].parcel_id or pk for pk in chosen)
    trays = {parcel: tray_name(place) for place, parcel in enumerate(parcels)}
    try:
        with transaction.atomic():
            WalkOrder.objects.bulk_create(
                WalkOrder(
                    owner=owner, walk=walk, order_id=pk, tray=trays[orders[pk].parcel_id or pk]
                )
                for pk in chosen
            )
    except IntegrityError:
        busy = WalkOrder.objects.filter(order_id__in=chosen, is_open=True).select_related("order")
        told = [{"walk_id": one.walk_id, "order_id": one.order_id} for one in busy]
        number = busy[0].order.number if busy else ""
        raise AlreadyInAWalk(number=number, data=told) from None
    return walk


@transaction.atomic
def pick_stop(
    *,
    walk: PickWalk,
    item_id: int,
    picked: Mapping[int, int],
    by: User,
    now: dt.datetime,
    reason: str = "",
    left: int | None = None,
) -> PickedStop:
    """Take pieces of one row for lines of the walk (line id -> pieces).

    Pieces that somebody else has taken meanwhile are `already`, never taken twice. With a
    `reason`, what a line was promised here and does not get is looked for in other bins, and
    where none has it the line falls short. `left` pieces remain in the bin; without it none does,
    but where the missing ones were damaged the others stay. The stock follows.
    Raises WalkIsOver, NotFound, NotEnoughInStock, Invalid.
    """
    if any(pieces < 0 for pieces in picked.values()) or not picked:
        raise Invalid(fields={"picked": ["name at least one line, with 0 or more pieces"]})
    orders = _orders_of(walk)
    lines = {line.pk: line for line in OrderLine.objects.filter(pk__in=picked, order_id__in=orders)}
    if len(lines) != len(picked):
        raise NotFound
    lock_in_order(Order.objects.filter(pk__in={line.order_id for line in lines.values()}))
    hold_stock(owner=walk.owner, item_ids=[item_id])
    promises = _promises_of(item_id, lines)
    done = PickedStop()
    for line_id, pieces in picked.items():
        there = sum(one.quantity for one in promises[line_id])
        if taken := min(pieces, there):
            done.taken[line_id] = taken
        if pieces > there:
            done.already[line_id] = pieces - there
    _take(walk, item_id, done, promises, by, now)
    if reason:
        _fall_short(walk, item_id, done, lines, reason, left, by, now)
    PickWalk.objects.filter(pk=walk.pk).update(stops_done=F("stops_done") + 1, updated_at=now)
    _settle(walk, orders, {line.order_id for line in lines.values()}, now)
    done.is_over = not WalkOrder.objects.filter(walk=walk, is_open=True).exists()
    return done


def _orders_of(walk: PickWalk) -> list[int]:
    """Return the orders of an open walk; locked, so that its end waits."""
    (row,) = lock_in_order(PickWalk.objects.filter(pk=walk.pk))
    if row.ended_at is not None:
        raise WalkIsOver
    return list(WalkOrder.objects.filter(walk=walk).values_list("order_id", flat=True))


def _promises_of(item_id: int, line_ids: Collection[int]) -> dict[int, list[Promise]]:
    """Return the promises of a row by line, those of pieces that the stock counts first."""
    found: dict[int, list[Promise]] = defaultdict(list)
    rows = Promise.objects.filter(item_id=item_id, line_id__in=line_ids)
    for one in rows.order_by("is_out"):
        found[one.line_id].append(one)
    return found


def _take(
    walk: PickWalk,
    item_id: int,
    done: PickedStop,
    promises: Mapping[int, Sequence[Promise]],
    by: User,
    now: dt.datetime,
) -> None:
    if not done.taken:
        return
    kept: dict[int, int] = {}
    booked: dict[int, int] = {}
    for line_id, pieces in done.taken.items():
        left = pieces
        for one in promises[line_id]:
            if not (some := min(left, one.quantity)):
                break
            left -= some
            kept[one.pk] = some
            if one.is_out:
                done.uncounted.append(Uncounted(item_id, line_id, some))
            else:
                booked[line_id] = some
    if booked:
        result = take_out(
            owner=walk.owner,
            lines=[
                TakeLine(item_id=item_id, quantity=n, cause_id=line_id, for_buyer=True)
                for line_id, n in booked.items()
            ],
            by=by,
            now=now,
            cause_kind=CauseKind.ORDER,
            reason=Reason.SALE,
            all_or_nothing=True,
        )
        done.movement_ids = [taken.movement_id for taken in result.taken]
    by_id = {one.pk: one for some in promises.values() for one in some}
    keep(kept=kept, rows=by_id, now=now)
    add_to_rows(OrderLine, ("picked",), list(done.taken.items()))


def _fall_short(
    walk: PickWalk,
    item_id: int,
    done: PickedStop,
    lines: Mapping[int, OrderLine],
    reason: str,
    left: int | None,
    by: User,
    now: dt.datetime,
) -> None:
    # Free what was not taken of this row alone: other rows keep theirs.
    waiting = _promises_of(item_id, lines)
    if not waiting:
        return
    missing = {pk: sum(one.quantity for one in some) for pk, some in waiting.items()}
    rows = {one.pk: one for some in waiting.values() for one in some}
    done.dropped += [
        Uncounted(item_id, one.line_id, one.quantity) for one in rows.values() if one.is_out
    ]
    keep(kept={pk: one.quantity for pk, one in rows.items()}, rows=rows, now=now)
    label = ShortReason(reason).label
    events = []
    for pk, n in missing.items():
        line = lines[pk]
        found = reserve_elsewhere(owner=walk.owner, line=line, pieces=n, not_from=item_id, now=now)
        if found:
            done.elsewhere[pk] = found
        if n - found:
            done.short[pk] = n - found
            OrderLine.objects.filter(pk=pk).update(
                short=F("short") + (n - found), short_reason=reason, updated_at=now
            )
            events.append((line.order_id, "short", f"{label}: {n - found} × {name_of(line)}"))
    if left is None and reason != ShortReason.DAMAGED:
        left = 0  # who finds fewer than are needed has taken the last one
    counted = sum(one.quantity for one in rows.values() if not one.is_out)
    numbers = Order.objects.filter(pk__in={lines[pk].order_id for pk in missing})
    orders = ", ".join(sorted(set(numbers.values_list("number", flat=True))))
    note = f"{label} while picking order {orders}"[:500]
    lost = _write_off(walk, item_id, done, counted, left, next(iter(missing)), note, by, now)
    others = {line.pk: line for line in OrderLine.objects.filter(pk__in=lost)}
    events += [
        (others[pk].order_id, "lacking", f"Not in stock: {n} × {name_of(others[pk])}")
        for pk, n in lost.items()
    ]
    keep_events(
        OrderEvent(
            owner=walk.owner, order_id=order_id, at=now, kind=kind, text=text, is_difference=True
        )
        for order_id, kind, text in events
    )


def _write_off(
    walk: PickWalk,
    item_id: int,
    done: PickedStop,
    missing: int,
    left: int | None,
    line_id: int,
    note: str,
    by: User,
    now: dt.datetime,
) -> dict[int, int]:
    """Correct a row's stock to its bin: `missing` fewer, and `left` at most.

    What other lines were promised of it moves to other rows. Return by line what none of them has.
    """
    row = InventoryItem.objects.filter(pk=item_id).only("pk", "quantity", "location_id").first()
    if row is None:
        return {}
    done.count_location_id = row.location_id
    there = list(Promise.objects.filter(item_id=item_id).order_by("-pk"))
    held = promised_to({one.line_id for one in there})
    quantity = max(row.quantity - missing, 0)
    beside = sum(one.quantity for one in there if one.is_out)
    if left is not None:
        quantity = min(quantity, max(left - beside, 0))
        done.dropped += _move_uncounted(walk.owner, item_id, there, max(beside - left, 0), now)
    if quantity != row.quantity:
        edit = StockEdit(item_id=item_id, quantity=quantity, cause_id=line_id, note=note)
        refused = edit_rows(
            owner=walk.owner, edits={0: edit}, by=by, now=now, cause_kind=CauseKind.ORDER
        )
        for refusal in refused.values():
            raise refusal
        booked = Movement.objects.filter(item_id=item_id).order_by("-pk")
        done.movement_ids += booked.values_list("pk", flat=True)[:1]
    have = promised_to(held)
    return {pk: n - have.get(pk, 0) for pk, n in held.items() if n > have.get(pk, 0)}


def _move_uncounted(
    owner: User, item_id: int, promises: Sequence[Promise], pieces: int, now: dt.datetime
) -> list[Uncounted]:
    """Look elsewhere for so many of the uncounted pieces of a row that lines were promised.

    Return those pieces.
    """
    freed: dict[int, int] = {}
    for one in promises:
        if one.is_out and (some := min(one.quantity, pieces)):
            freed[one.pk] = some
            pieces -= some
    if not freed:
        return []
    rows = {one.pk: one for one in promises}
    keep(kept=freed, rows=rows, now=now)
    lines = OrderLine.objects.in_bulk([rows[pk].line_id for pk in freed])
    for pk, some in freed.items():
        line = lines[rows[pk].line_id]
        reserve_elsewhere(owner=owner, line=line, pieces=some, not_from=item_id, now=now)
    return [Uncounted(item_id, rows[pk].line_id, some) for pk, some in freed.items()]


def _settle(
    walk: PickWalk, order_ids: Collection[int], picked: Collection[int], now: dt.datetime
) -> None:
    """Bring the picked orders with nothing left to their next state; end a walk with them."""
    open_lines = OrderLine.objects.filter(quantity__gt=F("picked") + F("short")).order_by()
    waiting = open_lines.filter(order_id__in=picked).values_list("order_id", flat=True)
    over = set(picked) - set(waiting)
    if over:
        Order.objects.filter(pk__in=over, state__in=PICKABLE).update(
            state=OrderState.PICKED, updated_at=now
        )
    served = set(
        open_lines.filter(order_id__in=order_ids)
        .exclude(order__state=OrderState.PROBLEM)
        .filter(pk__in=Promise.objects.filter(owner=walk.owner).values("line_id"))
        .values_list("order_id", flat=True)
        .distinct()
    )
    rows = WalkOrder.objects.filter(walk=walk)
    rows.filter(is_open=True).exclude(order_id__in=served).update(is_open=False, updated_at=now)
    if not served:
        PickWalk.objects.filter(pk=walk.pk, ended_at=None).update(ended_at=now, updated_at=now)


@transaction.atomic
def undo_stop(
    *,
    walk: PickWalk,
    movement_ids: Collection[int],
    uncounted: Sequence[Uncounted] = (),
    short: Sequence[ShortLine] = (),
    dropped: Sequence[Uncounted] = (),
    by: User,
    now: dt.datetime,
) -> int:
    """Put the pieces of a stop back where they were taken, promised again; return how many.

    What was written off there comes back too, and the lines that fell `short` need it again.
    Uncounted pieces that were `dropped` there are promised again in place of what replaced them.
    Raises NotFound, TakenBackAlready, ItemGone, LocationFull.
    """
    lock_in_order(PickWalk.objects.filter(pk=walk.pk))
    booked = list(
        Movement.objects.owned_by(walk.owner).filter(
            pk__in=movement_ids, cause_kind=CauseKind.ORDER, reason__in=(Reason.SALE, Reason.EDIT)
        )
    )
    taken = [move for move in booked if move.reason == Reason.SALE]
    is_written_off = len(taken) < len(booked) or bool(short or dropped)
    wants = [
        Want(line_id=move.cause_id or 0, quantity=-move.delta, item_id=move.item_id)
        for move in taken
    ]
    wants += [
        Want(line_id=one.line_id, quantity=one.quantity, item_id=one.item_id, is_out=True)
        for one in uncounted
    ]
    back: dict[int, int] = defaultdict(int)
    for want in wants:
        back[want.line_id] += want.quantity
    missing: dict[int, int] = defaultdict(int)
    for each in short:
        missing[each.line_id] += each.quantity
    named = {*back, *missing, *(move.cause_id or 0 for move in booked)}
    mine = set(WalkOrder.objects.filter(walk=walk).values_list("order_id", flat=True))
    found = OrderLine.objects.filter(pk__in=named, order_id__in=mine)
    wanted = Q(pk__in=found.values("order_id"))
    if is_written_off:
        wanted |= Q(owner=walk.owner, state__in=OPEN_STATES)  # those that lack what comes back
    locked = lock_in_order(Order.objects.filter(wanted))
    lines = {line.pk: line for line in found}
    order_ids = {line.order_id for line in lines.values()}
    orders = [order for order in locked if order.pk in order_ids]
    if not (named or dropped) or lines.keys() != named or len(booked) != len(set(movement_ids)):
        raise NotFound
    is_over = any(order.state not in (*PICKABLE, OrderState.PICKED) for order in orders)
    if (
        is_over
        or any(pieces > lines[pk].picked - lines[pk].returned for pk, pieces in back.items())
        or any(pieces > lines[pk].short for pk, pieces in missing.items())
    ):
        raise TakenBackAlready
    if uncounted:
        _check_uncounted(walk, lines, uncounted)
    replaced = Promise.objects.filter(
        owner=walk.owner, line_id__in={one.line_id for one in dropped}, is_out=False
    )
    hold_rows_of_returns(
        owner=walk.owner,
        item_ids={
            *(move.item_id for move in booked),
            *(one.item_id for one in dropped),
            *replaced.values_list("item_id", flat=True),
        },
        now=now,
    )
    # They come back to where they were, whatever room is left there.
    put_back(
        owner=walk.owner,
        movement_ids=[move.pk for move in booked],
        by=by,
        now=now,
        override_reason="Picked by mistake",
    )
    add_to_rows(OrderLine, ("picked",), [(pk, -pieces) for pk, pieces in back.items()])
    add_to_rows(OrderLine, ("short",), [(pk, -pieces) for pk, pieces in missing.items()])
    OrderLine.objects.filter(pk__in=missing, short=0).update(short_reason="")
    Order.objects.filter(pk__in=order_ids, state=OrderState.PICKED).update(
        state=OrderState.PAID, updated_at=now
    )
    promise(owner=walk.owner, wants=wants, now=now)
    _promise_dropped(walk.owner, dropped, replaced, now)
    if is_written_off:
        serve_lacking(owner=walk.owner, now=now)
    busy = WalkOrder.objects.filter(order_id__in=order_ids, is_open=True).exclude(walk=walk)
    elsewhere = set(busy.values_list("order_id", flat=True))
    WalkOrder.objects.filter(walk=walk, order_id__in=order_ids - elsewhere).update(
        is_open=True, updated_at=now
    )
    PickWalk.objects.filter(pk=walk.pk).update(ended_at=None, updated_at=now)
    return sum(want.quantity for want in wants)


def _promise_dropped(
    owner: User, dropped: Sequence[Uncounted], replaced: QuerySet[Promise], now: dt.datetime
) -> None:
    """Promise uncounted pieces again, and free the counted ones that lines got instead."""
    lines = OrderLine.objects.owned_by(owner).filter(order__state__in=OPEN_STATES)
    needed = {pk: line.to_pick for pk, line in lines.in_bulk([d.line_id for d in dropped]).items()}
    counted = {one.pk: one for one in replaced.order_by("-pk")}
    have = promised_to(needed)
    free = {pk: pieces - have.get(pk, 0) for pk, pieces in needed.items()}
    freed: dict[int, int] = defaultdict(int)
    wants = []
    for one in dropped:
        if one.line_id not in needed:
            continue
        for pk, each in counted.items():
            lacks = one.quantity - free[one.line_id]
            if each.line_id == one.line_id and lacks > 0:
                some = min(each.quantity - freed[pk], lacks)
                freed[pk] += some
                free[one.line_id] += some
        pieces = min(one.quantity, max(free[one.line_id], 0))
        free[one.line_id] -= pieces
        wants.append(Want(line_id=one.line_id, quantity=pieces, item_id=one.item_id, is_out=True))
    keep(kept={pk: some for pk, some in freed.items() if some}, rows=counted, now=now)
    promise(owner=owner, wants=wants, now=now)


def _check_uncounted(
    walk: PickWalk, lines: Mapping[int, OrderLine], uncounted: Sequence[Uncounted]
) -> None:
    """Raise TakenBackAlready for more pieces than were picked without a movement."""
    sales = Movement.objects.owned_by(walk.owner).filter(
        cause_kind=CauseKind.ORDER, reason=Reason.SALE, cause_id__in=lines
    )
    booked = sales.exclude(pk__in=Movement.objects.filter(reverses__in=sales).values("reverses"))
    left = {pk: line.picked for pk, line in lines.items()}
    for line_id, delta in booked.values_list("cause_id", "delta"):
        left[line_id or 0] += delta
    for one in uncounted:
        left[one.line_id] -= one.quantity
    if min(left.values()) < 0:
        raise TakenBackAlready


@transaction.atomic
def end_walk(*, walk: PickWalk, now: dt.datetime) -> None:
    """End a walk before everything is picked; the other pieces wait for another one."""
    lock_in_order(PickWalk.objects.filter(pk=walk.pk))
    WalkOrder.objects.filter(walk=walk, is_open=True).update(is_open=False, updated_at=now)
    PickWalk.objects.filter(pk=walk.pk, ended_at=None).update(ended_at=now, updated_at=now)


def free_order(*, order: Order, now: dt.datetime) -> None:
    """Free what an order was promised and take it out of its walk."""
    ids = list(OrderLine.objects.filter(order=order).values_list("pk", flat=True))
    freed = take_promises_back(owner=order.owner, line_ids=ids, now=now)
    count_again(owner=order.owner, pieces=freed.uncounted, now=now)
    WalkOrder.objects.filter(order=order, is_open=True).update(is_open=False, updated_at=now)

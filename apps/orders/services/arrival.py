"""Stores a new or changed order once, and records every difference as an event."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.catalog.rules.kinds import TYPE_NAMES
from apps.catalog.selectors.resolving import LotIdentity, resolve_lots, types_of
from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import lock_in_order
from apps.core.money import money
from apps.inventory.selectors.exact_lots import exact_lots
from apps.inventory.services.received import sell_received
from apps.marketplace.providers.known import number_of
from apps.marketplace.providers.orders import StoreOrder, StoreOrderLine
from apps.orders.models import (
    HOLDING_STATES,
    SENT_STATES,
    Order,
    OrderEvent,
    OrderLine,
    OrderOrigin,
    OrderState,
)
from apps.orders.rules.lines import difference, keys_of, price_difference
from apps.orders.rules.states import state_of
from apps.orders.services._events import keep_events
from apps.orders.services.forgetting import erase_again
from apps.orders.services.leaving import take_unpicked
from apps.orders.services.reserving import out_lots_of, reserve

LONGEST: Final = 4_000
SUMS: Final = ("subtotal", "shipping", "insurance", "fees", "credit", "tax", "vat", "total")
#: The fields that can differ when an order is read again.
TOLD_FIELDS: Final = (
    "channel",
    "marketplace_order_id",
    "number",
    "state",
    "status",
    "payment_status",
    "payment_method",
    "paid_at",
    "ordered_at",
    "is_dated",
    "ordered_on",
    "changed_at",
    "buyer",
    "buyer_email",
    "remarks",
    "address_name",
    "address",
    "country",
    "shipping_method",
    "tracking_number",
    "currency",
    *SUMS,
    "grams",
    "is_filed",
    "pieces_told",
)


@dataclass(slots=True)
class Arrived:
    """The stored order, whether it is new, its differences, and the pieces missing in stock."""

    order: Order
    is_new: bool
    differences: list[str] = field(default_factory=list)
    lacking: dict[int, int] = field(default_factory=dict)


def receive_order(
    *,
    owner: User,
    told: StoreOrder,
    now: dt.datetime,
    channel: str = OrderOrigin.STORE,
    number: str = "",
) -> Arrived:
    """Take in one order: match its lines, promise their pieces, keep what changed.

    The same order again changes nothing, nor does what was read before the last change. An order
    that was sent before it was known here is kept as it is; nothing is promised for it.
    """
    with transaction.atomic():
        order, is_new = _order_of(owner, told, channel, number, now)
        is_old = told.changed_at is not None and told.changed_at < order.changed_at
        if not is_new and order.is_dated and is_old:
            return Arrived(order, is_new)
        before = "" if is_new else order.state
        _fill(order, told, number, now)
        if channel == OrderOrigin.STORE:
            order.channel = channel  # it may have come by a file first
        lines, changes = _lines(order, told.lines, is_new=is_new, now=now)
        order.state = state_of(
            told=told.state.value,
            ours=order.state,
            to_pick=sum(line.to_pick for line in lines),
            has_lines=bool(lines),
        )
        order.save(update_fields=[*TOLD_FIELDS, "updated_at"])
        arrived = Arrived(order, is_new)
        unpicked = 0
        out_lots = (
            out_lots_of(orders=[order], lines=lines, is_new=True)[order.pk] if is_new else set()
        )
        # An order that arrived with a problem has been promised nothing.
        uncounted = out_lots
        if before == OrderState.PROBLEM:
            uncounted = {lot for line in lines if line.is_out and (lot := line.marketplace_lot_id)}
        if before in HOLDING_STATES and order.state in SENT_STATES:
            if before == OrderState.PROBLEM:
                arrived.lacking = _hold(order, lines, uncounted, now)
            unpicked = take_unpicked(owner=owner, lines=lines, now=now)
        elif is_new or changes or order.state != before:
            arrived.lacking = reserve(
                owner=owner, orders=[order], lines=lines, now=now, out_lots={order.pk: uncounted}
            )
        if order.channel != OrderOrigin.HAND:
            _sell(order, lines, out_lots, now, is_new=is_new)
        if order.state != before and order.buyer_erased_at is None:
            erase_again(orders=Order.objects.filter(pk=order.pk), now=now)
        untyped = {
            key
            for key, line in zip(keys_of(told.lines), told.lines, strict=True)
            if not line.item_type
        }
        arrived.differences = _tell(order, before, lines, changes, arrived, unpicked, untyped, now)
        return arrived


def _order_of(
    owner: User, told: StoreOrder, channel: str, number: str, now: dt.datetime
) -> tuple[Order, bool]:
    """Return the order, locked, and whether it is new: made by whoever comes first."""
    same = Order.objects.owned_by(owner).filter(marketplace_order_id=told.order_id)
    if told.order_id and (found := lock_in_order(same)):
        return found[0], False
    order = Order(owner=owner, channel=channel, state=told.state.value)
    _fill(order, told, number, now)
    try:
        with transaction.atomic():
            order.save(force_insert=True)
    except IntegrityError:
        return lock_in_order(same)[0], False
    return order, True


@dataclass(frozen=True, slots=True)
class _Change:
    """A line whose pieces or price changed."""

    line: OrderLine
    was: int
    now: int
    price_was: Decimal


def _fill(order: Order, told: StoreOrder, number: str, now: dt.datetime) -> None:
    sums = told.money
    order.marketplace_order_id = told.order_id or None
    order.number = (number or str(number_of(told.order_id)))[:60]
    order.status = told.status[:40]
    order.payment_status = told.payment_status[:40]
    order.payment_method = told.payment_method[:LONGEST]
    order.paid_at = told.paid_at
    if told.ordered_at is not None:
        order.ordered_at, order.ordered_on = told.ordered_at, told.ordered_on
        order.is_dated = True
    elif order.pk is None:
        order.ordered_at, order.is_dated = now, False
    order.changed_at = told.changed_at or order.changed_at or order.ordered_at
    if order.buyer_erased_at is None:
        order.buyer = told.buyer[:LONGEST]
        order.buyer_email = told.buyer_email[:LONGEST]
        order.remarks = told.remarks[:LONGEST]
        order.address_name = told.address.name[:LONGEST]
        order.address = told.address.lines[:LONGEST]
        order.tracking_number = told.tracking_number[:100] or order.tracking_number
    order.country = told.address.country[:60]
    order.shipping_method = told.shipping_method[:LONGEST]
    order.currency = sums.currency[:3]
    for name in SUMS:
        setattr(order, name, getattr(sums, name))
    order.grams = told.grams
    order.is_filed = told.is_filed
    order.pieces_told = sum(max(line.quantity, 0) for line in told.lines)


def _lines(
    order: Order, told: Sequence[StoreOrderLine], *, is_new: bool, now: dt.datetime
) -> tuple[list[OrderLine], list[_Change]]:
    """Write the lines of the order; return all of them and the changes of pieces and prices."""
    there = {} if is_new else {line.key: line for line in OrderLine.objects.filter(order=order)}
    typed = _typed(told)
    lots = _lots_of(typed, order.owner)
    changes: list[_Change] = []
    new: list[OrderLine] = []
    named = set()
    for key, line in zip(keys_of(told), typed, strict=True):
        named.add(key)
        pieces, price = max(line.quantity, 0), money(line.price)
        known = there.get(key)
        if known is None:
            made = _made(order, key, line, lots.get(_identity(line)))
            new.append(made)
            changes.append(_Change(made, 0, pieces, made.price))
        elif known.quantity != pieces or known.price != price:
            changes.append(_Change(known, known.quantity, pieces, known.price))
            known.quantity, known.price = pieces, price
            # What is not wanted any more is not missing.
            known.short = min(known.short, max(pieces - known.picked, 0))
    for key, kept in there.items():
        if key not in named and kept.quantity:
            changes.append(_Change(kept, kept.quantity, 0, kept.price))
            kept.quantity = kept.short = 0
    changed = [change.line for change in changes if change.line.pk is not None]
    OrderLine.objects.bulk_create(new, batch_size=500)
    update_rows(
        OrderLine,
        ("quantity", "price", "short", "updated_at"),
        [
            (line.pk, line.quantity, str(line.price), line.short, instant_text(now))
            for line in changed
        ],
    )
    return [*there.values(), *new], changes


def _made(order: Order, key: str, line: StoreOrderLine, lot_id: int | None) -> OrderLine:
    return OrderLine(
        owner=order.owner,
        order=order,
        key=key,
        marketplace_lot_id=line.lot_id,
        lot_id=lot_id,
        item_type=line.item_type[:20],
        item_number=line.number[:60],
        item_name=line.name[:LONGEST],
        color_id=line.color_id,
        color_name=line.color_name[:LONGEST],
        condition=line.condition,
        sub_condition=line.completeness,
        quantity=max(line.quantity, 0),
        price=line.price,
        remarks=line.remarks[:LONGEST],
        comments=line.comments[:LONGEST],
        piece_grams=line.grams,
    )


def _typed(lines: Sequence[StoreOrderLine]) -> Sequence[StoreOrderLine]:
    """Return lines whose type is not known with that of the only item of their number."""
    numbers = {line.number for line in lines if not line.item_type}
    if not numbers:
        return lines
    types = types_of(numbers)
    return [
        line if line.item_type else replace(line, item_type=types.get(line.number, ""))
        for line in lines
    ]


def _identity(line: StoreOrderLine) -> LotIdentity:
    return LotIdentity(line.item_type, line.number, line.color_id)


def _lots_of(lines: Sequence[StoreOrderLine], owner: User) -> dict[LotIdentity, int]:
    """Return the catalogue's lots of lines."""
    wanted = list({_identity(line) for line in lines})
    found = {identity: lot.lot_id for identity, lot in exact_lots(wanted).items()}
    others = [identity for identity in wanted if identity not in found]
    if others:
        for identity, resolved in resolve_lots(others, person=owner).items():
            if resolved.lot_id is not None:
                found[identity] = resolved.lot_id
    return found


def _hold(
    order: Order, lines: Sequence[OrderLine], out_lots: Collection[int], now: dt.datetime
) -> dict[int, int]:
    """Promise the pieces of an order that was sent, so that they are booked as those of any other.

    Return what each line lacks.
    """
    sent, order.state = order.state, OrderState.PAID
    try:
        return reserve(
            owner=order.owner, orders=[order], lines=lines, now=now, out_lots={order.pk: out_lots}
        )
    finally:
        order.state = sent


def _sell(
    order: Order,
    lines: Sequence[OrderLine],
    out_lots: Collection[int],
    now: dt.datetime,
    *,
    is_new: bool,
) -> None:
    """Note what each line takes from its lot at the marketplace, and what of it is given up.

    What it takes is subtracted from the last received quantity: sent orders are left to the
    next reading, which books their pieces as sold.
    """
    is_over = order.state == OrderState.CANCELLED
    sold: dict[int, int] = defaultdict(int)
    given_up: dict[int, int] = defaultdict(int)
    written = []
    out = []
    for line in lines:
        lot_id = line.marketplace_lot_id
        if is_new and is_over:
            line.taken = line.quantity  # it came and went since the last reading
            if lot_id is not None and lot_id not in out_lots:
                sold[lot_id] += line.taken
        was, line.taken = line.taken, 0 if is_over else line.quantity
        if line.taken != was or is_new:
            written.append((line.pk, line.taken))
        if lot_id is None:
            continue
        if lot_id in out_lots:
            out.append(line.pk)
            continue  # readings have accounted for it
        if line.taken < was:
            given_up[lot_id] += was - line.taken
        elif order.state not in SENT_STATES:
            sold[lot_id] += line.taken - was
    update_rows(OrderLine, ("taken",), written)
    if out:
        OrderLine.objects.filter(pk__in=out).update(is_out=True)
    sold = {lot_id: pieces for lot_id, pieces in sold.items() if pieces}
    if sold or given_up:
        sell_received(owner=order.owner, pieces=sold, given_up=given_up, now=now)


def name_of(line: OrderLine) -> str:
    """Return how a person recognises a line."""
    color = f"{line.color_name} " if line.color_id else ""
    return f"{color}{line.item_name or line.item_number}".strip()[:200]


def _tell(
    order: Order,
    before: str,
    lines: Sequence[OrderLine],
    changes: Sequence[_Change],
    arrived: Arrived,
    unpicked: int,
    untyped: Collection[str],
    now: dt.datetime,
) -> list[str]:
    texts: list[str] = []
    events = []
    if arrived.is_new:
        events.append(("arrived", "Arrived", False))
        events += [("type", _type_told(line), False) for line in lines if line.key in untyped]
    else:
        for one in changes:
            name = name_of(one.line)
            texts.append(difference(name, was=one.was, now=one.now))
            texts.append(price_difference(name, was=one.price_was, now=one.line.price))
        texts = [text for text in texts if text]
        texts += [
            f"{line.picked - line.quantity} picked too many: {name_of(line)}"
            for line in lines
            if line.picked > line.quantity + line.returned
        ]
        if order.state != before:
            state = OrderState(order.state)
            texts.append(f"Now: {state.label}")
            if state in (OrderState.SHIPPED, OrderState.CANCELLED) and before in HOLDING_STATES:
                texts += _left_over(order, lines, unpicked)
        events += [("changed", text, True) for text in texts]
    names = {line.pk: name_of(line) for line in lines}
    for line_id, pieces in arrived.lacking.items():
        # What a new order lacks has not changed: the order says it as long as it is so.
        lacks = f"Not in stock: {pieces} × {names[line_id]}"
        events.append(("lacking", lacks, not arrived.is_new))
    keep_events(
        OrderEvent(
            owner=order.owner, order=order, at=now, kind=kind, text=text, is_difference=changed
        )
        for kind, text, changed in events
    )
    return texts


def _type_told(line: OrderLine) -> str:
    """Return what became of a line whose type its order does not name."""
    number = line.item_number
    if not line.item_type:
        return f"Type not named: {number}. The catalogue has no item of this number, or several."
    kind = TYPE_NAMES[line.item_type].lower()
    return f"Type not named: {number}. Its number is that of one item only, a {kind}."


def _left_over(order: Order, lines: Sequence[OrderLine], unpicked: int) -> list[str]:
    picked = sum(line.picked - line.returned for line in lines)
    if order.state == OrderState.CANCELLED:
        return [f"{picked} picked pieces have to go back into their bins"] if picked else []
    left = sum(line.to_pick for line in lines) + unpicked
    return [f"{left} pieces were shipped without being picked here"] if left else []

"""Adjusts the promised pieces of order lines to the quantity that they still need."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from django.db.models import Sum

from apps.accounts.models import User
from apps.inventory.models import CauseKind, ChannelLot, Movement, Promise
from apps.inventory.services.channels import numbers_of
from apps.inventory.services.promises import Want, promise, take_promises_back
from apps.orders.models import HOLDING_STATES, OPEN_STATES, Order, OrderLine, OrderOrigin
from apps.orders.services.leaving import count_again


def promised_to(line_ids: Collection[int]) -> dict[int, int]:
    """Return by line how many pieces rows of stock hold for it."""
    rows = Promise.objects.filter(line_id__in=line_ids).order_by().values("line_id")
    return dict(rows.annotate(n=Sum("quantity")).values_list("line_id", "n"))


def reserve(
    *,
    owner: User,
    orders: Collection[Order],
    lines: Iterable[OrderLine],
    now: dt.datetime,
    out_lots: Mapping[int, Collection[int]] | None = None,
    only_rows: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """Promise what lines need and free what they need no more; return what each still lacks.

    `lines` are those of `orders`, which are all the owner's. `out_lots` are by order the lots of
    the store whose pieces the stock counts no more. `only_rows` names by line the one row that can serve
    it, for items that the catalogue does not have. An order with a problem keeps what it holds and gets
    nothing more; one that nobody will pick any more needs nothing.
    """
    states = {order.pk: order.state for order in orders}
    known = {line.pk: line for line in lines}
    have = promised_to(known)
    numbers = _Numbers(owner, known.values())
    wants, too_many = [], {}
    for pk, line in known.items():
        state, held = states[line.order_id], have.get(pk, 0)
        needed = line.to_pick if state in HOLDING_STATES else 0
        if state not in OPEN_STATES:
            needed = min(needed, held)
        more = needed - held
        if more > 0:
            out = (out_lots or {}).get(line.order_id, ())
            want = _want(line, more, line.marketplace_lot_id in out, numbers)
            wants.append(replace(want, item_id=(only_rows or {}).get(pk)))
        elif more < 0:
            too_many[pk] = -more
    if too_many:
        freed = take_promises_back(owner=owner, line_ids=too_many, at_most=too_many, now=now)
        count_again(owner=owner, pieces=freed.uncounted, now=now)
    given = promise(owner=owner, wants=wants, now=now)
    return {
        want.line_id: want.quantity - given.get(want.line_id, 0)
        for want in wants
        if want.quantity > given.get(want.line_id, 0)
    }


def out_lots_of(
    *, orders: Collection[Order], lines: Iterable[OrderLine], is_new: bool
) -> dict[int, set[int]]:
    """Return by order the lots whose pieces the stock counts no more.

    What the store has of them was read after the order was placed, and our stock was brought
    to it then: promising them here would take the pieces twice. Of an order that is known
    already (`is_new` is false) these are lots that were first read after it. Where a reading was
    in the very second of an order, whose time is told in whole seconds, it counts as one after the
    order if it took so many pieces off the stock.
    """
    known = {order.pk: order for order in orders if order.channel != OrderOrigin.HAND}
    wanted: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for line in lines:
        if line.marketplace_lot_id is not None and line.order_id in known:
            wanted[line.marketplace_lot_id][line.order_id] += line.quantity
    found: dict[int, set[int]] = defaultdict(set)
    if not wanted:
        return found
    owner = next(iter(known.values())).owner
    read = ChannelLot.objects.owned_by(owner).filter(remote_lot_id__in=wanted)
    for lot in read:
        for order_id, pieces in wanted[lot.remote_lot_id].items():
            order, last = known[order_id], lot.received_at
            if last <= order.ordered_at or not (is_new or lot.created_at > order.created_at):
                continue
            if last >= _placed_by(order) or _fell(lot, pieces):
                found[order_id].add(lot.remote_lot_id)
    return found


def _fell(lot: ChannelLot, pieces: int) -> bool:
    """Return whether the last reading of a lot took so many pieces off our stock."""
    moves = Movement.objects.owned_by(lot.owner).filter(
        item__marketplace_lot_id=lot.marketplace_lot_id,
        cause_kind=CauseKind.SYNC,
        created_at__gte=lot.received_at,
    )
    return -(moves.aggregate(n=Sum("delta"))["n"] or 0) >= pieces


def _placed_by(order: Order) -> dt.datetime:
    """Return the end of the time in which an order was placed: a moment, or a whole second."""
    at: dt.datetime = order.ordered_at
    return at if at.microsecond else at + dt.timedelta(seconds=1)


def reserve_elsewhere(
    *, owner: User, line: OrderLine, pieces: int, not_from: int, now: dt.datetime
) -> int:
    """Promise pieces of a line out of other rows than one; return how many."""
    want = _want(line, pieces, is_out=False, numbers=_Numbers(owner, [line]))
    return promise(owner=owner, wants=[want], not_from={not_from}, now=now).get(line.pk, 0)


class _Numbers:
    """The numbers of the stock that lots have which lines name by the ids of their marketplace."""

    def __init__(self, owner: User, lines: Collection[OrderLine]) -> None:
        self._owner = owner
        self._lines = lines

    @cached_property
    def _known(self) -> dict[int, int]:
        told = {lot for line in self._lines if (lot := line.marketplace_lot_id) is not None}
        return numbers_of(owner=self._owner, remote_ids=told) if told else {}

    def of(self, line: OrderLine) -> int | None:
        lot_id = line.marketplace_lot_id
        return None if lot_id is None else self._known.get(lot_id, lot_id)


def _want(line: OrderLine, pieces: int, is_out: bool, numbers: _Numbers) -> Want:
    return Want(
        line_id=line.pk,
        quantity=pieces,
        lot_id=line.lot_id,
        condition=line.condition,
        sub_condition=line.sub_condition,
        marketplace_lot_id=numbers.of(line),
        is_out=is_out,
    )

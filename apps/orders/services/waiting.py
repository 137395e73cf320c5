"""To-do lines of the orders: to pick, to pack and to ship."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce

from apps.accounts.models import Membership
from apps.core.money import money
from apps.core.prepared import INSTANT, TEXT, WHOLE, Prepared, Slot
from apps.core.waiting import (
    MOST_OF_A_KIND,
    MOST_PICTURES,
    Asked,
    Question,
    Waiting,
    counted,
    facts_of,
    finds,
    waits,
)
from apps.exchange.order_statuses import read_status
from apps.inventory.models import CauseKind, Movement, Reason, Stocktake, StocktakeState
from apps.locations.models import PLACE, Location
from apps.orders.models import Order, OrderLine, OrderState, PickWalk
from apps.orders.selectors.orders import OVERDUE_DAYS
from apps.orders.selectors.sold_twice import is_any_sold_twice, site, sold_twice

#: Orders that are older lead to no count.
COUNT_DAYS: Final = 60
STEPS: Final[dict[str, str]] = {
    OrderState.PAID: "Pick",
    OrderState.PICKED: "Pack",
    OrderState.PACKED: "Ship",
}


@finds("orders.to_count")
def _bins_to_count(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    lines = OrderLine.objects.owned_by(asked.owner).filter(
        order__ordered_at__gte=asked.days_ago(COUNT_DAYS)
    )
    counts = Stocktake.objects.filter(
        location=OuterRef("from_location"),
        state=StocktakeState.APPLIED,
        applied_at__gte=OuterRef("created_at"),
    )
    missing = Movement.objects.filter(
        cause_kind=CauseKind.ORDER, cause_id__in=lines.order_by().values("pk"), reason=Reason.EDIT
    ).exclude(reversed_by__isnull=False)
    bins = Location.objects.owned_by(asked.owner).filter(
        pk__in=missing.exclude(Exists(counts)).order_by().values("from_location")
    )
    yield facts_of("bins_to_count", bins, id=F("pk"), name=F("name"), lots=PLACE)


@waits("orders.to_count")
def bins_to_count(asked: Asked) -> Iterator[Waiting]:
    """Yield the bins in which a pick found too few pieces, until a count of them is booked."""
    bins = sorted(asked.facts("bins_to_count"), key=attrgetter("lots"))
    if bins:
        names = ", ".join(one.name for one in bins[:MOST_OF_A_KIND])
        yield Waiting(
            id="orders-to-count",
            title=f"Count {counted(len(bins), 'bin')}",
            note=f"Pieces of orders were missing in {names}",
            count=len(bins),
            to=f"/app/inventory?walk=count&bin={bins[0].id}",
        )


@finds("orders.left_walks")
def _left_walks(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    here = Membership.objects.owned_by(asked.owner).values("person")
    walks = PickWalk.objects.owned_by(asked.owner).filter(ended_at=None)
    left = walks.exclude(Q(by=asked.owner) | Q(by__in=here)).order_by("-pk")
    yield facts_of(
        "left_walks",
        left[:MOST_OF_A_KIND],
        id=F("pk"),
        name=Coalesce("by__name", Value("Somebody who left")),
        count=Count("orders", filter=Q(orders__is_open=True)),
        at=F("created_at"),
    )


@waits("orders.left_walks")
def left_walks(asked: Asked) -> Iterator[Waiting]:
    """Yield the open walks of people who no longer work here: their orders are in no other walk."""
    for walk in sorted(asked.facts("left_walks"), key=attrgetter("id"), reverse=True):
        yield Waiting(
            id=f"walk-{walk.id}",
            title=f"{walk.name} left a pick walk open",
            note=f"{counted(walk.count, 'order')} in it: go on with it, or end it",
            to=f"/app/orders?walk={walk.id}",
            count=1,
            since=walk.at,
            is_pressing=True,
        )


class _Open(NamedTuple):
    """Open orders of a state, a status and a marketplace."""

    state: str
    status: str
    site: str
    twice: Annotated[bool, "pieces of some order were sold twice"]
    orders: int
    late: int
    amount: Decimal | None
    foreign: int
    since: dt.datetime


def _open_ones(owner: object) -> QuerySet[Order]:
    orders: QuerySet[Order] = Order.objects.owned_by(owner)
    return orders.filter(Q(state__in=STEPS) | Q(state=OrderState.NEW) & ~Q(status=""))


@finds("orders.open")
def _any_open(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    yield facts_of("open_orders", _open_ones(asked.owner)[:1])


def _open_orders(owner: Slot, currency: Slot, now: Slot) -> QuerySet[Any, Any]:
    in_currency = Q(currency=currency)
    is_late = Q(ordered_at__lt=now.before(dt.timedelta(days=OVERDUE_DAYS)))
    return (
        _open_ones(owner)
        .order_by()
        .values("state", "status", site=site(), twice=is_any_sold_twice(owner=owner))
        .annotate(
            orders=Count("pk"),
            late=Count("pk", filter=is_late),
            amount=Sum("subtotal", filter=in_currency),
            foreign=Count("pk", filter=~in_currency),
            since=Min(F("ordered_at")),
        )
        .order_by("state", "status", "site")
    )


_OPEN_ORDERS: Final = Prepared(_open_orders, owner=WHOLE, currency=TEXT, now=INSTANT)


@waits("orders.open")
def open_orders(asked: Asked) -> Iterator[Waiting]:
    """Yield paid orders by their next step, those of an unknown status, and what was sold twice."""
    if not asked.facts("open_orders"):
        return
    values = {"owner": asked.owner.pk, "currency": asked.currency, "now": asked.now}
    found = [_Open(*row) for row in _OPEN_ORDERS.rows(**values)]
    rows: dict[str, list[_Open]] = defaultdict(list)
    for row in found:
        if row.state != OrderState.NEW or not read_status(row.status, site=row.site).is_understood:
            rows[row.state].append(row)
    if any(row.twice for row in found):
        yield from _twice(asked)
    for state, some in rows.items():
        yield _unknown(some) if state == OrderState.NEW else _to_do(asked, state, some)


def _twice(asked: Asked) -> Iterator[Waiting]:
    """Yield the line of pieces that two buyers bought: the later orders have to be settled."""
    found = sold_twice(owner=asked.owner)
    later = {one.order.pk: one.order for one in found}
    if not later:  # settled since
        return
    numbers = ", ".join(order.number for order in list(later.values())[:MOST_OF_A_KIND])
    is_one = len(later) == 1
    amounts = [one.line.price * one.pieces for one in found if one.order.currency == asked.currency]
    yield Waiting(
        id=asked.show("orders-sold-twice", _lines, ids=[one.line.pk for one in found]),
        title=f"Leave out {counted(sum(one.pieces for one in found), 'piece')} sold twice",
        note=f"In order {numbers}, the later one" if is_one else f"In the later orders {numbers}",
        count=len(later),
        money=money(sum(amounts, Decimal())) if amounts else None,
        since=min(order.ordered_at for order in later.values()),
        is_pressing=True,
        to=f"/app/orders?order={min(later)}" if is_one else "/app/orders",
    )


def _lines(_: Slot, ids: Slot) -> QuerySet[Any]:
    return OrderLine.objects.filter(pk__among=ids)


def _newest_lines(owner: Slot, _: Slot, state: str) -> QuerySet[Any]:
    """Return the lines of the newest orders: the newest of all are among those of all sellers."""
    newest = Order.objects.owned_by(owner).filter(state=state).order_by("-ordered_at", "-pk")
    return OrderLine.objects.filter(order__in=newest.values("pk")[:MOST_PICTURES])


def _unknown(rows: list[_Open]) -> Waiting:
    count = sum(row.orders for row in rows)
    words = ", ".join(f"“{row.status}”" for row in rows[:MOST_OF_A_KIND])
    return Waiting(
        id="orders-unknown-status",
        title=f"Look at {counted(count, 'order')} with an unknown status",
        note=f"{words}: the pieces are held until you decide",
        count=count,
        since=min(row.since for row in rows),
        to=f"/app/orders?state={OrderState.NEW}",
    )


def _to_do(asked: Asked, state: str, rows: list[_Open]) -> Waiting:
    """Return the line of a step; overdue orders press."""
    count, late = sum(row.orders for row in rows), sum(row.late for row in rows)
    foreign = sum(row.foreign for row in rows)
    amounts = [row.amount for row in rows if row.amount is not None]
    notes = []
    if late:
        notes.append(f"{counted(late, 'order')} overdue")
    if foreign:
        notes.append(f"{counted(foreign, 'order')} in another currency")
    return Waiting(
        id=asked.show(f"orders-{state}", _newest_lines, state),
        title=f"{STEPS[state]} {counted(count, 'order')}",
        note=", ".join(notes) or "Paid by their buyers",
        count=count,
        money=money(sum(amounts, Decimal())) if amounts else None,
        since=min(row.since for row in rows),
        is_pressing=late > 0,
        to=f"/app/orders?state={state}",
    )

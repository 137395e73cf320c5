"""To-do lines of the orders: to pick, to pack and to ship."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from django.db.models import Count, Exists, F, Min, OuterRef, Q, Sum

from apps.accounts.models import Membership
from apps.core.money import money
from apps.core.waiting import MOST_OF_A_KIND, MOST_PICTURES, Asked, Waiting, counted, waits
from apps.exchange.order_statuses import read_status
from apps.inventory.models import CauseKind, Movement, Reason, Stocktake, StocktakeState
from apps.locations.models import Location
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


@waits("orders.to_count")
def bins_to_count(asked: Asked) -> Iterator[Waiting]:
    """Yield the bins in which a pick found too few pieces, until a count of them is booked."""
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
    bins = list(
        Location.objects.owned_by(asked.owner)
        .filter(pk__in=missing.exclude(Exists(counts)).order_by().values("from_location"))
        .order_by("sort_key", "pk")
        .values_list("pk", "name")
    )
    if bins:
        names = ", ".join(name for _, name in bins[:MOST_OF_A_KIND])
        yield Waiting(
            id="orders-to-count",
            title=f"Count {counted(len(bins), 'bin')}",
            note=f"Pieces of orders were missing in {names}",
            count=len(bins),
            to=f"/app/inventory?walk=count&bin={bins[0][0]}",
        )


@waits("orders.left_walks")
def left_walks(asked: Asked) -> Iterator[Waiting]:
    """Yield the open walks of people who no longer work here: their orders are in no other walk."""
    here = Membership.objects.owned_by(asked.owner).values("person")
    walks = PickWalk.objects.owned_by(asked.owner).filter(ended_at=None)
    left = walks.exclude(Q(by=asked.owner) | Q(by__in=here))
    rows = left.annotate(in_hand=Count("orders", filter=Q(orders__is_open=True)))
    for walk in rows.select_related("by").order_by("-pk")[:MOST_OF_A_KIND]:
        name = walk.by.name if walk.by else "Somebody who left"
        yield Waiting(
            id=f"walk-{walk.pk}",
            title=f"{name} left a pick walk open",
            note=f"{counted(walk.in_hand, 'order')} in it: go on with it, or end it",
            to=f"/app/orders?walk={walk.pk}",
            count=1,
            since=walk.created_at,
            is_pressing=True,
        )


@waits("orders.open")
def open_orders(asked: Asked) -> Iterator[Waiting]:
    """Yield paid orders by their next step, those of an unknown status, and what was sold twice."""
    in_currency = Q(currency=asked.currency)
    is_late = Q(ordered_at__lt=asked.now - dt.timedelta(days=OVERDUE_DAYS))
    found = (
        Order.objects.owned_by(asked.owner)
        .filter(Q(state__in=STEPS) | Q(state=OrderState.NEW) & ~Q(status=""))
        .order_by()
        .values("state", "status", site=site(), twice=is_any_sold_twice(owner=asked.owner))
        .annotate(
            orders=Count("pk"),
            late=Count("pk", filter=is_late),
            amount=Sum("subtotal", filter=in_currency),
            foreign=Count("pk", filter=~in_currency),
            since=Min(F("ordered_at")),
        )
        .order_by("state", "status", "site")
    )
    rows: dict[str, list[Any]] = defaultdict(list)
    for row in found:
        if (
            row["state"] != OrderState.NEW
            or not read_status(row["status"], site=row["site"]).is_understood
        ):
            rows[row["state"]].append(row)
    if any(row["twice"] for row in found):
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
    lines = OrderLine.objects.filter(pk__in=[one.line.pk for one in found])
    yield Waiting(
        id=asked.show("orders-sold-twice", lines),
        title=f"Leave out {counted(sum(one.pieces for one in found), 'piece')} sold twice",
        note=f"In order {numbers}, the later one" if is_one else f"In the later orders {numbers}",
        count=len(later),
        money=money(sum(amounts, Decimal())) if amounts else None,
        since=min(order.ordered_at for order in later.values()),
        is_pressing=True,
        to=f"/app/orders?order={min(later)}" if is_one else "/app/orders",
    )


def _unknown(rows: list[Any]) -> Waiting:
    count = sum(row["orders"] for row in rows)
    words = ", ".join(f"“{row['status']}”" for row in rows[:MOST_OF_A_KIND])
    return Waiting(
        id="orders-unknown-status",
        title=f"Look at {counted(count, 'order')} with an unknown status",
        note=f"{words}: the pieces are held until you decide",
        count=count,
        since=min(row["since"] for row in rows),
        to=f"/app/orders?state={OrderState.NEW}",
    )


def _to_do(asked: Asked, state: str, rows: list[Any]) -> Waiting:
    """Return the line of a step; overdue orders press."""
    count, late, foreign = (
        sum(row[name] for row in rows) for name in ("orders", "late", "foreign")
    )
    amounts = [row["amount"] for row in rows if row["amount"] is not None]
    notes = []
    if late:
        notes.append(f"{counted(late, 'order')} overdue")
    if foreign:
        notes.append(f"{counted(foreign, 'order')} in another currency")
    # Of the newest orders: the newest of all lines are looked for among those of all sellers.
    newest = Order.objects.owned_by(asked.owner).filter(state=state).order_by("-ordered_at", "-pk")
    lines = OrderLine.objects.filter(order__in=newest.values("pk")[:MOST_PICTURES])
    return Waiting(
        id=asked.show(f"orders-{state}", lines),
        title=f"{STEPS[state]} {counted(count, 'order')}",
        note=", ".join(notes) or "Paid by their buyers",
        count=count,
        money=money(sum(amounts, Decimal())) if amounts else None,
        since=min(row["since"] for row in rows),
        is_pressing=late > 0,
        to=f"/app/orders?state={state}",
    )

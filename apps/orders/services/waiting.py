"""To-do lines of the orders: to pick, to pack and to ship."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.db.models import Count, Exists, F, Min, OuterRef, Q, Sum

from apps.core.money import money
from apps.core.waiting import MOST_OF_A_KIND, Asked, Waiting, counted, waits
from apps.exchange.order_statuses import read_status
from apps.inventory.models import CauseKind, Movement, Reason, Stocktake, StocktakeState
from apps.locations.models import Location
from apps.orders.models import Order, OrderLine, OrderState
from apps.orders.selectors.orders import OVERDUE_DAYS

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


@waits("orders.unknown_status")
def orders_of_unknown_status(asked: Asked) -> Iterator[Waiting]:
    """Yield the new orders whose status at the marketplace is none that is known."""
    rows = (
        Order.objects.owned_by(asked.owner)
        .filter(state=OrderState.NEW)
        .exclude(status="")
        .order_by()
        .values("status")
        .annotate(orders=Count("pk"), since=Min(F("ordered_at")))
        .order_by("status")
    )
    unknown = [row for row in rows if read_status(row["status"]).is_unknown]
    if unknown:
        count = sum(row["orders"] for row in unknown)
        words = ", ".join(f"“{row['status']}”" for row in unknown[:MOST_OF_A_KIND])
        yield Waiting(
            id="orders-unknown-status",
            title=f"Look at {counted(count, 'order')} with an unknown status",
            note=f"{words}: the pieces are held until you decide",
            count=count,
            since=min(row["since"] for row in unknown),
            to=f"/app/orders?state={OrderState.NEW}",
        )


@waits("orders.open")
def open_orders(asked: Asked) -> Iterator[Waiting]:
    """Yield the orders that were paid, by their next step; overdue ones press."""
    overdue = Q(ordered_at__lt=asked.now - dt.timedelta(days=OVERDUE_DAYS))
    rows = (
        Order.objects.owned_by(asked.owner)
        .filter(state__in=STEPS)
        .order_by()
        .values("state")
        .annotate(
            orders=Count("pk"),
            late=Count("pk", filter=overdue),
            amount=Sum("subtotal", filter=Q(currency=asked.currency)),
            foreign=Count("pk", filter=~Q(currency=asked.currency)),
            since=Min(F("ordered_at")),
        )
    )
    for row in rows:
        notes = []
        if row["late"]:
            notes.append(f"{counted(row['late'], 'order')} overdue")
        if row["foreign"]:
            notes.append(f"{counted(row['foreign'], 'order')} in another currency")
        yield Waiting(
            id=f"orders-{row['state']}",
            title=f"{STEPS[row['state']]} {counted(row['orders'], 'order')}",
            note=", ".join(notes) or "Paid by their buyers",
            count=row["orders"],
            money=None if row["amount"] is None else money(row["amount"]),
            since=row["since"],
            is_pressing=row["late"] > 0,
            to=f"/app/orders?state={row['state']}",
        )

"""Pieces that buyers at two marketplaces bought of one stock, and how near such orders come."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from django.db.models import Case, Exists, F, OuterRef, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.core.prepared import Slot
from apps.inventory.models import Promise
from apps.listings.models import StoreSchedule
from apps.marketplace.providers.known import MARKETPLACES, whose
from apps.orders.models import OPEN_STATES, Order, OrderLine, OrderOrigin
from apps.orders.rules.papers import tongue_of, tongue_of_buyer
from apps.orders.rules.sold_twice import message_to_buyer

#: Minutes between two syncs where a person has no schedule.
BY_HAND: Final = 60
#: Orders that the closeness is counted of.
MOST_ORDERS: Final = 1_000


def site(order: str = "") -> Case:
    """Return the marketplace of an order as an expression; `order` leads to it, as `order__`."""
    field = f"{order}marketplace_order_id__range"
    whens = (When(**{field: one.ids}, then=Value(one.id.value)) for one in MARKETPLACES.values())
    return Case(*whens, default=Value(""))


class SoldTwice(NamedTuple):
    """Pieces of a line that an earlier order at another marketplace bought, too."""

    line: OrderLine
    order: Order
    earlier: Order
    pieces: int


def sold_twice(*, owner: User, order: Order | None = None) -> list[SoldTwice]:
    """Return what open orders at several marketplaces bought more than there is, later ones first.

    The later order goes without, whichever of them was promised the pieces. Of an order
    only what it has a part in.
    """
    lines = list(_open_lines(_LINES.filter(owner=owner)).select_related("order").order_by("pk"))
    held = dict(
        Promise.objects.filter(line_id__in=[line.pk for line in lines])
        .order_by()
        .values("line_id")
        .annotate(n=Sum("quantity"))
        .values_list("line_id", "n")
    )
    found = []
    for some in _by_lot(lines).values():
        lacking = sum(max(line.to_pick - held.get(line.pk, 0), 0) for line in some)
        found += _giving_up(some, lacking)
    if order is None:
        return found
    return [one for one in found if order.pk in (one.order.pk, one.earlier.pk)]


#: Whose pieces are held and still to be sent, as conditions on an order.
_OPEN: Final = {
    "channel": OrderOrigin.STORE,
    "state__in": OPEN_STATES,
    "marketplace_order_id__isnull": False,
}
_LINES: Final = OrderLine.objects.filter(
    lot_id__isnull=False, quantity__gt=F("picked") + F("short")
).order_by()


def _open_lines(rows: QuerySet[OrderLine]) -> QuerySet[OrderLine]:
    return rows.filter(**{f"order__{name}": value for name, value in _OPEN.items()})


def is_any_sold_twice(*, owner: User | Slot) -> Exists:
    """Return whether `sold_twice` finds something, for a statement that is made anyway.

    From the open orders to their lines: else PostgreSQL reads the lines of all sellers.
    """
    orders = Order.objects.owned_by(owner).filter(**_OPEN).order_by().annotate(site=site())
    promises = Promise.objects.filter(line_id=OuterRef("pk")).order_by().values("line_id")
    held = Subquery(promises.annotate(n=Sum("quantity")).values("n"))
    to_pick = F("quantity") - F("picked") - F("short")
    same = {name: OuterRef(name) for name in ("owner", "lot", "condition", "sub_condition")}
    elsewhere = _open_lines(_LINES.filter(**same)).annotate(site=site("order__"))
    lacking = _LINES.filter(
        Exists(elsewhere.exclude(site=OuterRef(OuterRef("site")))), order=OuterRef("pk")
    )
    lacking = lacking.annotate(lacking=to_pick - Coalesce(held, 0)).filter(lacking__gt=0)
    return Exists(orders.filter(Exists(lacking)))


def parts_in_sold_twice(*, owner: User) -> dict[int, str]:
    """Return by order whether it is the `later` or the `earlier` one; later of any, it is that."""
    found = sold_twice(owner=owner)
    return {one.earlier.pk: "earlier" for one in found} | {one.order.pk: "later" for one in found}


def _by_lot(lines: Sequence[OrderLine]) -> Mapping[tuple[int, str, str], list[OrderLine]]:
    """Return the lines by what they are of, as promises fall back on: ids end as a lot sells out."""
    found: dict[tuple[int, str, str], list[OrderLine]] = defaultdict(list)
    for line in lines:
        found[line.lot_id or 0, line.condition, line.sub_condition].append(line)
    return found


def _giving_up(lines: Sequence[OrderLine], lacking: int) -> list[SoldTwice]:
    """Return which of the lines of a lot give up what it lacks: those of the latest orders."""
    latest = sorted(lines, key=lambda line: (line.order.ordered_at, line.pk), reverse=True)
    found = []
    for place, line in enumerate(latest):
        others = (
            other.order
            for other in latest[place + 1 :]
            if _marketplace(other.order) != _marketplace(line.order)
        )
        earlier = next(others, None)
        if not lacking or earlier is None:
            break
        pieces = min(lacking, line.to_pick)
        found.append(SoldTwice(line, line.order, earlier, pieces))
        lacking -= pieces
    return found


def _marketplace(order: Order) -> str:
    info = whose(order.marketplace_order_id or 0)
    return "" if info is None else info.real_name


def sold_twice_rows(*, order: Order) -> list[dict[str, Any]]:
    """Return what an order and others bought of the same pieces, with the text to the later buyer."""
    return [_row(one) for one in sold_twice(owner=order.owner, order=order)]


def _row(one: SoldTwice) -> dict[str, Any]:
    line, later = one.line, one.order
    ours = tongue_of("en")
    tongue = tongue_of_buyer(later.country, ours=ours)
    amount = line.price * one.pieces
    item = " ".join(filter(None, (line.item_number, line.item_name, line.color_name)))
    return {
        "line_id": line.pk,
        "item": item,
        "pieces": one.pieces,
        "amount": amount,
        "currency": later.currency,
        "later": _order_row(later),
        "earlier": _order_row(one.earlier),
        "language": tongue.locale.language,
        "message": message_to_buyer(
            tongue.locale.language,
            buyer=later.address_name or later.buyer,
            number=later.number,
            pieces=one.pieces,
            item=item,
            amount=tongue.money(amount, later.currency),
        ),
    }


def _order_row(order: Order) -> dict[str, Any]:
    return {
        "id": order.pk,
        "number": order.number,
        "marketplace_name": _marketplace(order),
        "orderedAt": order.ordered_at,
    }


def orders_close_together(*, owner: User) -> tuple[int, int, int]:
    """Return how many of the last orders came within a sync of one at another marketplace.

    With how many orders that are, and the minutes between two syncs.
    """
    schedule = StoreSchedule.objects.owned_by(owner).values_list("minutes", flat=True).first()
    minutes = schedule or BY_HAND
    orders = Order.objects.owned_by(owner).filter(
        channel=OrderOrigin.STORE,
        marketplace_order_id__isnull=False,
        is_dated=True,
        ordered_on=None,
    )
    last = list(orders.order_by("-ordered_at")[:MOST_ORDERS])
    near = dt.timedelta(minutes=minutes)
    # Between two orders of one marketplace lies none of another: so neighbours tell it.
    close = sum(
        _marketplace(later) != _marketplace(earlier)
        and later.ordered_at - earlier.ordered_at <= near
        for later, earlier in pairwise(last)
    )
    return close, len(last), minutes

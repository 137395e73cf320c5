"""Erase the data of buyers: after the time that their seller sets, or on request. Sums stay."""

import calendar
import datetime as dt
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac
from more_itertools import chunked

from apps.accounts.models import User
from apps.core.concurrency import lock_in_order
from apps.core.hooks import Hook
from apps.core.idempotency.once import empty_answers
from apps.orders.models import IS_OPEN, ForgottenBuyer, Order, OrderOrigin
from apps.orders.services.errors import BuyerHasOpenOrders

AT_ONCE: Final = 500
#: What names a buyer. The country stays, as sums do.
BUYER_FIELDS: Final = (
    *("buyer", "buyer_email", "remarks", "address_name", "address"),
    *("tracking_number", "note"),
)


@Hook
def delete_copies(*, owner: User) -> None:
    """Delete the copies of the owner's orders that apps above keep: backups."""


def forget_old_buyers(*, now: dt.datetime) -> int:
    """Erase the buyers whose time is over, or who were forgotten before; return in how many orders.

    An order that came back while it was open, of a backup, kept its buyer until it was sent.
    """
    return erase_again(orders=Order.objects.all(), now=now)


@transaction.atomic
def forget_buyer(*, order: Order, now: dt.datetime) -> int:
    """Erase the buyer of an order, in all of the buyer's orders; return how many.

    Those have the same mail or, at a marketplace, the same user name in the same channel. Names in
    sales by hand are not unique. Raises BuyerHasOpenOrders.
    """
    same = Q(pk=order.pk)
    if order.buyer_email:
        same |= Q(buyer_email__iexact=order.buyer_email)
    if order.buyer and order.channel != OrderOrigin.HAND:
        same |= Q(buyer=order.buyer, channel=order.channel)
    orders = lock_in_order(Order.objects.owned_by(order.owner).filter(same))
    still_open = Order.objects.filter(IS_OPEN, pk__in=[one.pk for one in orders]).order_by("pk")
    if numbers := ", ".join(still_open.values_list("number", flat=True)):
        raise BuyerHasOpenOrders(numbers=numbers)
    marks = {mark for one in orders for mark in _marks_of(one)}
    ForgottenBuyer.objects.bulk_create(
        [ForgottenBuyer(mark=mark, created_at=now) for mark in sorted(marks)],
        update_conflicts=True,
        unique_fields=["mark"],
        update_fields=["created_at"],
    )
    # Answers kept for repeated requests hold orders as they were.
    texts = {getattr(one, name) for one in orders for name in ("number", *BUYER_FIELDS)}
    empty_answers(owner=order.owner, texts=texts)
    delete_copies(owner=order.owner)
    return _erase(orders, now)


def erase_again(*, orders: QuerySet[Any], now: dt.datetime) -> int:
    """Erase the buyers of orders that came back, of a backup or a file; return how many.

    Those who were forgotten after the order was placed, and those who are kept no longer. Open
    orders keep theirs: they still have to be sent.
    """
    count = 0
    found = orders.filter(~IS_OPEN, buyer_erased_at=None).select_related("owner").order_by("pk")
    for some in chunked(found.iterator(AT_ONCE), AT_ONCE):
        marks = {order.pk: _marks_of(order) for order in some}
        known = dict(
            ForgottenBuyer.objects.filter(
                mark__in={mark for each in marks.values() for mark in each}
            ).values_list("mark", "created_at")
        )
        forgotten = [
            order.pk
            for order in some
            if order.ordered_at < months_before(now, order.owner.buyer_data_months)
            or any(known[mark] > order.ordered_at for mark in marks[order.pk] if mark in known)
        ]
        if forgotten:
            with transaction.atomic():
                rows = Order.objects.filter(~IS_OPEN, pk__in=forgotten)
                count += _erase(lock_in_order(rows), now)
    return count


def _marks_of(order: Order) -> list[str]:
    """Return the marks of an order and of its buyer.

    Each is one of this seller: of the account, or of who registers again with the same address.
    In a backup that goes into another account, an order is known by what only its seller has: the
    instant, the mail and the address. Its number can be guessed.
    """
    at = order.ordered_at.isoformat()
    # The numbers of sales by hand begin anew in another account.
    name = (order.marketplace_order_id,) if order.marketplace_order_id else (order.number, at)
    marks = [_mark("order", seller, *name) for seller in _sellers(order)]
    if order.buyer_email or order.address:
        marks.append(_mark("copy", *name, at, order.buyer_email.casefold(), order.address))
    for seller in _sellers(order):
        if order.buyer_email:
            marks.append(_mark("mail", seller, order.buyer_email.casefold()))
        if order.buyer and order.channel != OrderOrigin.HAND:
            marks.append(_mark("name", seller, order.channel, order.buyer))
    return marks


def _sellers(order: Order) -> tuple[str, str]:
    return f"#{order.owner_id}", order.owner.email_address.lower()


def _mark(*values: object) -> str:
    text = "\0".join(str(value) for value in values)
    return salted_hmac("orders.forgotten", text, algorithm="sha256").hexdigest()


def months_before(now: dt.datetime, months: int) -> dt.datetime:
    """Return the instant so many months ago; the last day of a month that has no such day."""
    year, month = divmod(now.year * 12 + now.month - 1 - months, 12)
    day = min(now.day, calendar.monthrange(year, month + 1)[1])
    return now.replace(year=year, month=month + 1, day=day)


def _erase(orders: list[Order], now: dt.datetime) -> int:
    nothing: dict[str, Any] = dict.fromkeys(BUYER_FIELDS, "")
    return Order.objects.filter(pk__in=[one.pk for one in orders]).update(
        buyer_erased_at=now, updated_at=now, **nothing
    )

"""The least of an order that a test needs."""

from apps.core.clock import now
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.orders.services.by_hand import HandLine, sell_by_hand
from apps.orders.services.picking import start_walk


def make_order(owner, *wanted, **also):
    """A sale by hand: of rows of stock `(row, pieces)`, or of one made for it."""
    if not wanted:
        wanted = ((make_stock(owner, quantity=5), 2),)
    lines = [HandLine(item_id=row.pk, quantity=pieces) for row, pieces in wanted]
    return sell_by_hand(owner=owner, lines=lines, now=now(), **also)


def make_walk(owner, *orders):
    orders = orders or (make_order(owner),)
    return start_walk(owner=owner, order_ids=[order.pk for order in orders], now=now())


def stock_in(owner, name, quantity=5, lot=None, **also):
    """A row in a bin of that name."""
    from apps.locations.models import Location

    there = Location.objects.owned_by(owner).filter(name=name).first()
    return make_stock(
        owner, lot=lot, quantity=quantity, location=there or make_location(owner, name), **also
    )

"""The least of an order that a test needs."""

from apps.core.clock import now
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.orders.models import Order
from apps.orders.selectors.walks import stops_of
from apps.orders.services.by_hand import HandLine, sell_by_hand
from apps.orders.services.picking import pick_stop, start_walk


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


def sell(owner, row, pieces, **also):
    """An order that was picked; `also` is what a store would say of it."""
    order = make_order(owner, (row, pieces))
    walk = make_walk(owner, order)
    for stop in stops_of(walk=walk):
        picked = {tray["line_id"]: tray["quantity"] for tray in stop["trays"]}
        pick_stop(walk=walk, item_id=stop["item_id"], picked=picked, by=owner, now=now())
    if also:
        Order.objects.filter(pk=order.pk).update(**also)
        order.refresh_from_db()
    return order

"""The least of an invoice that a test needs."""

from zoneinfo import ZoneInfo

from apps.books.models import Invoice
from apps.books.services.invoices import issue_invoice
from apps.core.clock import now
from apps.orders.models import Order
from apps.orders.rules.papers import tongue_of
from apps.orders.services.papers import Seller
from apps.orders.tests.factories import make_order

UTC = ZoneInfo("UTC")


def make_invoice(owner, *orders: Order) -> Invoice:
    """An invoice of orders of one buyer, or of one made for it."""
    return issue_invoice(
        owner=owner,
        order_ids=[order.pk for order in orders or (make_order(owner),)],
        seller=Seller("Ann's bricks", "1 Road", "DE123"),
        tongue=tongue_of("en"),
        zone=UTC,
        now=now(),
    )

"""The least that a test of the marketplace needs."""

import threading
from decimal import Decimal

from apps.catalog.services.prices import GuideFigures
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.marketplace.providers.base import GuideQuery
from apps.marketplace.providers.bricklink_secrets import BrickLinkSecrets
from apps.marketplace.providers.lots import LotDraft
from simulators.store.failures import Mode, Plan
from simulators.store.sellers import secrets_of

#: By which the call that made a lot is found.
MARK = "#babcdefg"


def draft(**given):
    """A lot to be put up, with texts that need quoting."""
    return LotDraft(
        **{
            "item_type": "PART",
            "number": "3001",
            "color_id": 5,
            "condition": "U",
            "quantity": 12,
            "price": Decimal("0.1234"),
            "comments": 'light <wear> & "dust"',
            "remarks": f"A-12 {MARK}",
            **given,
        }
    )


def secrets_named(name):
    """The secrets of a seller of the demo store, as the app holds them."""
    found = secrets_of(name)
    return BrickLinkSecrets(
        **{field: getattr(found, field) for field in BrickLinkSecrets.__slots__}
    )


def make_part(number="3001", color_id=5):
    """A lot of a part that the demo store knows."""
    return make_lot(make_item(number), make_color(color_id))


def sold(lot, price="0.2000", **also):
    """What a used lot sold for, worldwide."""
    return GuideFigures(
        **{
            "lot_id": lot.pk,
            "condition": "U",
            "region": "global",
            "currency": "EUR",
            "avg_sold_price": price and Decimal(price),
            "sold_lots": 3,
            "sold_quantity": 12,
            "has_asked": False,
            **also,
        }
    )


def query(**given):
    """A question for a price guide."""
    return GuideQuery(
        **{
            "item_type": "PART",
            "number": "3001",
            "color_id": 5,
            "condition": "U",
            "region": "global",
            "currency": "USD",
            "is_sold": True,
            **given,
        }
    )


def failing(store, mode, *, times=1, **also):
    """Let the next calls of the store fail."""
    store.failures.add(Plan(Mode(mode), times=times, **also))


def wait_for_late_calls(store, *, left):
    """Wait until so many failures are left: a late call would take one of the next test's."""
    for _ in range(12_000):
        if sum(plan["times"] for plan in store.failures.pending()) <= left:
            return
        threading.Event().wait(0.01)
    raise AssertionError(f"of the failures are left: {store.failures.pending()}")

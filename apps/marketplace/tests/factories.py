"""The least that a test of the marketplace needs."""

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.marketplace.models import Listing, StoreSync
from apps.marketplace.providers.base import GuideQuery, Secrets
from apps.marketplace.services.intents import new_mark
from simulators.store.failures import Mode, Plan
from simulators.store.sellers import secrets_of


def secrets_named(name):
    """The secrets of a seller of the demo store, as the app holds them."""
    found = secrets_of(name)
    return Secrets(**{field: getattr(found, field) for field in Secrets.__slots__})


def make_part(number="3001", color_id=5):
    """A lot of a part that the demo store knows."""
    return make_lot(make_item(number), make_color(color_id))


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


def make_intent(owner, state="listed", **also):
    """A listing of ten pieces, done unless said otherwise."""
    mark = new_mark()
    return Listing.objects.create(
        owner=owner,
        **{
            "kind": "create",
            "state": state,
            "target": f"new {mark}",
            "mark": mark,
            "name": "Red Brick 2 x 4 (3001)",
            "quantity": 10,
            "price": "0.1000",
            "marketplace_lot_id": 400_000_001,
            **also,
        },
    )


def make_sync(owner, state="planned", **also):
    """A sync without differences."""
    return StoreSync.objects.create(owner=owner, state=state, **also)

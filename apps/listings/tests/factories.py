"""Listings and syncs as tests need them."""

from apps.inventory.models import FieldConflict
from apps.listings.models import Listing, StoreSync
from apps.listings.services.intents import new_mark


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


def make_conflict(owner, **also):
    """A question: the price was changed here and in the store."""
    given = {"field": "price", "before": "0.1000", "here": "0.2000", "there": "0.3000", **also}
    return FieldConflict.objects.create(
        owner=owner, sync_id=1, marketplace_lot_id=400_000_001, name="Red Brick 2 x 4", **given
    )

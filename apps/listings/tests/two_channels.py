"""A seller with a store at each of two marketplaces, over real HTTP, and what tests ask of them."""

import datetime as dt
from decimal import Decimal

from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services.bsx_sync import start_apply
from apps.listings.models import StoreSync
from apps.listings.services.store_pull import start_pull
from apps.listings.services.store_sync import start_apply as start_sync_apply
from apps.listings.services.store_sync import start_cycle, start_plan
from apps.listings.tests.listing import part, stock_of_store
from apps.listings.tests.test_store_pull import pulled, store_lot
from apps.marketplace.providers.lots import LotDraft
from apps.marketplace.services.connections import connect_demo_store, connection_of, open_store
from simulators.brickowl import orders as owl_orders

FIRST, SECOND = "bricklink", "brickowl"


def draft(number, **also):
    """A lot as it is put up at the second marketplace, without this app."""
    fields = {
        "quantity": 10,
        "price": Decimal("0.1000"),
        "cost": Decimal("0.0300"),
        "remarks": "A-01",
        **also,
    }
    return LotDraft(item_type="PART", number=str(number), color_id=5, condition="U", **fields)


def put_up_there(user, *drafts):
    """Put lots up at the second marketplace; return their ids there by number."""
    with open_store(connection_of(owner=user, marketplace=SECOND), spend=lambda kind: None) as owl:
        return {each.number: owl.create_lot(each).lot_id for each in drafts}


def connect_second(user):
    return connect_demo_store(owner=user, now=now(), marketplace=SECOND)


def pull_second(user):
    """Read the second store and take over what a preview shows; return the import."""
    sync = start_pull(owner=user, by=user, now=now(), marketplace=SECOND)
    run_jobs()
    sync.refresh_from_db()
    assert sync.state == "previewed", (sync.problem, sync.job.message)
    start_apply(sync=sync, confirm_zeroed=None, by=user)
    run_jobs()
    sync.refresh_from_db()
    assert sync.state == "applied"
    return sync


def place_there(shop, pieces):
    """Place an order at the second marketplace, which tells its time in whole seconds.

    So it is of the next second: within the one in which the store was read, the order could be of
    before or after.
    """
    return owl_orders.place(shop, pieces, now=now() + dt.timedelta(seconds=1))


def look_at_second(user):
    """Apply what a plan shows, so that syncs send to the second store; return the plan."""
    plan = start_plan(owner=user, batch=None, now=now())
    run_jobs()
    plan.refresh_from_db()
    if plan.rows.exists():
        start_sync_apply(sync=plan, confirm_removals=None)
        run_jobs()
    return plan


def first_store(store, user, *numbers, **also):
    """Put lots up at the first marketplace and pull them; return its stock."""
    for number in numbers:
        part(number)
    there = stock_of_store(store, user)
    there.add([store_lot(number, **also) for number in numbers])
    pulled(user)
    return there


def sync(user, *, confirm_removals=None):
    """Sync in one go; return it as it ended."""
    start_cycle(owner=user, now=now(), confirm_removals=confirm_removals)
    run_jobs()
    return StoreSync.objects.owned_by(user).latest("pk")


def pieces_there(shop):
    """The pieces of a simulated store by number, of either marketplace."""
    found = {}
    for lot in shop.all():
        number = lot["number"] if "number" in lot else lot["item"]["no"]
        found[number] = found.get(number, 0) + lot["quantity"]
    return found


def pieces_here(user):
    rows = InventoryItem.objects.owned_by(user)
    found = {}
    for number, quantity, promised in rows.values_list("lot__item__number", "quantity", "promised"):
        found[number] = found.get(number, 0) + quantity - promised
    return found

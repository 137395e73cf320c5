"""What tests of listing share: stowed items, the store's lots, a minute that passes."""

import datetime as dt

from django.db.models import F

from apps.batches.models import BatchItem
from apps.batches.services.selection import Chosen
from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.catalog.models import Item, Lot
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.clock import now
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.listings.models import Listing
from apps.listings.services.listing import start_listing


def part(number="3001", color_id=5, **also):
    """A lot that the demo store knows."""
    item = Item.objects.filter(number=str(number)).first()
    item = item or make_catalogue_item(str(number), **also)
    color = make_color(color_id)
    return Lot.objects.filter(item=item, color=color).first() or make_lot(item, color)


def stowed(owner, count=1, *, batch=None, first=3001, place="A-01", **also):
    """A batch with so many stowed items, each of a part of its own."""
    batch = batch or make_batch(owner)
    location = make_location(owner, place)
    for number in range(first, first + count):
        make_item(batch, lot=also.get("lot") or part(number), **{"location": location, **also})
    stow_all(batch)
    return batch


def lots_of(store, user):
    """What the store of a user holds, however closed."""
    return store.sellers.register(f"user-{user.pk}").stock.all()


def stock_of_store(store, user):
    return store.sellers.register(f"user-{user.pk}").stock


def start(batch, ids=None, stockroom=None):
    """Start listing; return the job."""
    chosen = Chosen(item_ids=None if ids is None else tuple(ids))
    return start_listing(batch=batch, chosen=chosen, stockroom=stockroom, now=now()).job


def list_items(batch, ids=None, stockroom=None):
    """List and run; return the job as it ended, and that of the second look if there is one."""
    job = start(batch, ids, stockroom)
    run_jobs()
    job.refresh_from_db()
    return job


def let_a_minute_pass():
    """Bring everything that waits for a second look to its time."""
    ago = dt.timedelta(seconds=61)
    Job.objects.filter(state=JobState.QUEUED).update(not_before=None)
    Listing.objects.filter(missed_at__isnull=False).update(missed_at=F("missed_at") - ago)


def look_again():
    """Run the second look."""
    let_a_minute_pass()
    return run_jobs()


def items_of(batch):
    return list(BatchItem.objects.filter(batch=batch).order_by("pk"))


def calls_of(store, what):
    """How many calls of this kind were made: "POST", "PUT", "GET /inventories"."""
    return sum(count for name, count in store.calls.items() if name.startswith(what))

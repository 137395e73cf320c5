"""Settles listings whose batch items were deleted.

Batches with open listings cannot be deleted; such listings are left by older versions.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.accounts.models import User
from apps.batches.models import BatchItem
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job, JobSubject
from apps.core.jobs.run import JobRun
from apps.listings.models import (
    OPEN_STATES,
    Listing,
    ListingLine,
    ListingState,
    StoreSyncRow,
    SyncRowState,
)
from apps.listings.services import intents
from apps.listings.services._batch_items import items_in, keep_refusals
from apps.listings.services._course import NOT_SENT
from apps.listings.services._stock_course import SETTLE_STOCK_KIND
from apps.marketplace.models import MarketplaceConnection

KIND: Final = "batches.settle_left_listings"
BATCH_GONE: Final = f"{NOT_SENT}its batch was deleted."
STORE_GONE: Final = (
    "Its batch was deleted and no store is connected, so nothing can be asked about it: look in "
    "the store before you list it again."
)


def has_open_calls(*, owner: User) -> bool:
    """Return whether it is not known what became of a call to the owner's store."""
    listings = Listing.objects.owned_by(owner).filter(state__in=OPEN_STATES)
    changes = StoreSyncRow.objects.filter(sync__owner=owner, state=SyncRowState.SENDING)
    return listings.exists() or changes.exists()


def settle_left_listings(*, run: JobRun, now: dt.datetime) -> None:
    """Close unsent listings, and start a job that asks the store about the others."""
    left = _left()
    for owner_id in sorted({one.owner_id for one in left}):
        of_owner = [one for one in left if one.owner_id == owner_id]
        with run.chunk(done=run.done + len(of_owner)):
            _settle(User.objects.get(pk=owner_id), of_owner, now)
    with run.finish(result={"item_count": len(left)}):
        pass


def _left() -> list[Listing]:
    """Return the open listings for items that are gone, on which no job works."""
    gone = ListingLine.objects.filter(is_open=True, batch_item_id__isnull=False).exclude(
        Exists(BatchItem.objects.filter(pk=OuterRef("batch_item_id")))
    )
    open_ones = Listing.objects.filter(state__in=OPEN_STATES, pk__in=gone.values("listing_id"))
    unfinished = Job.objects.unfinished()
    working = set(unfinished.values_list("pk", flat=True))
    asking = set(
        JobSubject.objects.filter(what="listing", job__in=unfinished).values_list(
            "subject_id", flat=True
        )
    )
    return [
        one
        for one in open_ones.order_by("pk")
        if one.job_id not in working and one.pk not in asking
    ]


def _settle(owner: User, listings: Sequence[Listing], now: dt.datetime) -> None:
    reasons = {one.pk: (one, BATCH_GONE) for one in listings if one.state == ListingState.PLANNED}
    sent = [one for one in listings if one.pk not in reasons]
    if not MarketplaceConnection.objects.filter(owner=owner).exists():
        reasons |= {one.pk: (one, STORE_GONE) for one in sent}
        sent = []
    with transaction.atomic():
        lines = intents.settle_rejected(reasons, now=now)
        why = {line.batch_item_id: reasons[line.listing_id][1] for line in lines}
        keep_refusals({pk: why[pk] for pk in items_in(lines)})
        if sent:
            start_job(
                owner=owner,
                kind=SETTLE_STOCK_KIND,
                payload={"unlists": False, "listing_ids": [one.pk for one in sent]},
                total=len(sent),
                about={"listing": [one.pk for one in sent]},
            )

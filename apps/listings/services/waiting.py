"""To-do lines of the store: refused listings, and a failed sync."""

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, QuerySet

from apps.core.money import money
from apps.core.waiting import Asked, Question, Waiting, counted, facts_of, finds, sums_of, waits
from apps.core.worth import total_worth
from apps.inventory.models import InventoryItem
from apps.listings.models import (
    Listing,
    ListingLine,
    ListingState,
    StoreSync,
    SyncState,
    SyncWay,
)

FAILED_DAYS: Final = 14


@finds("listings.refused")
def _refused(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    from_batch = ListingLine.objects.filter(listing=OuterRef("pk"), batch_item__isnull=False)
    refused = Listing.objects.owned_by(asked.owner).filter(
        ~Exists(from_batch),
        created_at__gte=asked.days_ago(FAILED_DAYS),
        state=ListingState.REJECTED,
    )
    rows = InventoryItem.objects.owned_by(asked.owner).filter(
        pk__in=refused.values("inventory_item_id"), marketplace_lot_id=None, quantity__gt=0
    )
    yield sums_of("refused_listings", rows, count=Count("pk"), money=total_worth())


@waits("listings.refused")
def refused_listings(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots of the stock that the store refused and that are still not listed.

    Lots listed from a batch are reported with the batch.
    """
    for found in asked.facts("refused_listings"):
        yield Waiting(
            id="refused-listings",
            title=f"List {counted(found.count, 'lot')} again",
            note="The store refused what was sent: see why",
            count=found.count,
            money=money(found.money or 0),
            is_pressing=True,
            to="/app/store",
        )


@finds("listings.sync")
def _last_sync(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    syncs = StoreSync.objects.owned_by(asked.owner).filter(way=SyncWay.CYCLE)
    last = syncs.order_by("-created_at").values("pk")[:1]
    failed = StoreSync.objects.filter(pk__in=last, state=SyncState.FAILED)
    yield facts_of("failed_sync", failed, text=F("reason"), at=F("created_at"))


@waits("listings.sync")
def failed_sync(asked: Asked) -> Iterator[Waiting]:
    """Yield the last sync in one go, if it failed."""
    for last in asked.facts("failed_sync"):
        yield Waiting(
            id="sync",
            title="Sync with the store again",
            note=last.text or "The last sync failed",
            count=1,
            since=last.at,
            is_pressing=True,
            to="/app/store?tab=syncs",
        )

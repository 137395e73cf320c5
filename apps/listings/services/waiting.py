"""To-do lines of the store: refused listings, and a failed sync."""

from collections.abc import Iterator
from typing import Final

from django.db.models import Count, Exists, OuterRef

from apps.core.money import money
from apps.core.waiting import Asked, Waiting, counted, waits
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


@waits("listings.refused")
def refused_listings(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots of the stock that the store refused and that are still not listed.

    Lots listed from a batch are reported with the batch.
    """
    from_batch = ListingLine.objects.filter(listing=OuterRef("pk"), batch_item__isnull=False)
    refused = Listing.objects.owned_by(asked.owner).filter(
        ~Exists(from_batch),
        created_at__gte=asked.days_ago(FAILED_DAYS),
        state=ListingState.REJECTED,
    )
    found = (
        InventoryItem.objects.owned_by(asked.owner)
        .filter(
            pk__in=refused.values("inventory_item_id"),
            marketplace_lot_id=None,
            quantity__gt=0,
        )
        .aggregate(lots=Count("pk"), value=total_worth())
    )
    if found["lots"]:
        yield Waiting(
            id="refused-listings",
            title=f"List {counted(found['lots'], 'lot')} again",
            note="The store refused what was sent: see why",
            count=found["lots"],
            money=money(found["value"]),
            is_pressing=True,
            to="/app/store",
        )


@waits("listings.sync")
def failed_sync(asked: Asked) -> Iterator[Waiting]:
    """Yield the last sync in one go, if it failed."""
    last = (
        StoreSync.objects.owned_by(asked.owner)
        .filter(way=SyncWay.CYCLE)
        .order_by("-created_at")
        .values("state", "reason", "created_at")
        .first()
    )
    if last and last["state"] == SyncState.FAILED:
        yield Waiting(
            id="sync",
            title="Sync with the store again",
            note=last["reason"] or "The last sync failed",
            count=1,
            since=last["created_at"],
            is_pressing=True,
            to="/app/store?tab=syncs",
        )

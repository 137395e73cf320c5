"""The public names of the listings' tables."""

from apps.listings.models.listing import (
    OPEN_STATES,
    Listing,
    ListingKind,
    ListingLine,
    ListingState,
)
from apps.listings.models.schedule import EVERY, StoreSchedule
from apps.listings.models.store_sync import (
    StoreSync,
    StoreSyncRow,
    SyncKind,
    SyncRowState,
    SyncState,
    SyncWay,
)

__all__ = [
    "EVERY",
    "OPEN_STATES",
    "Listing",
    "ListingKind",
    "ListingLine",
    "ListingState",
    "StoreSchedule",
    "StoreSync",
    "StoreSyncRow",
    "SyncKind",
    "SyncRowState",
    "SyncState",
    "SyncWay",
]

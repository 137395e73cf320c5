"""The public names of the listings' tables."""

from apps.listings.models.listing import (
    OPEN_STATES,
    Listing,
    ListingKind,
    ListingLine,
    ListingState,
)
from apps.listings.models.store_sync import (
    StoreSync,
    StoreSyncRow,
    SyncKind,
    SyncRowState,
    SyncState,
)

__all__ = [
    "OPEN_STATES",
    "Listing",
    "ListingKind",
    "ListingLine",
    "ListingState",
    "StoreSync",
    "StoreSyncRow",
    "SyncKind",
    "SyncRowState",
    "SyncState",
]

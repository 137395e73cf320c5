"""The public names of the marketplace's tables."""

from apps.marketplace.models.connection import (
    CallDay,
    ConnectionState,
    LotRefresh,
    MarketplaceConnection,
)
from apps.marketplace.models.listing import (
    OPEN_STATES,
    Listing,
    ListingKind,
    ListingLine,
    ListingState,
)
from apps.marketplace.models.store_sync import (
    StoreSync,
    StoreSyncRow,
    SyncKind,
    SyncRowState,
    SyncState,
)

__all__ = [
    "OPEN_STATES",
    "CallDay",
    "ConnectionState",
    "Listing",
    "ListingKind",
    "ListingLine",
    "ListingState",
    "LotRefresh",
    "MarketplaceConnection",
    "StoreSync",
    "StoreSyncRow",
    "SyncKind",
    "SyncRowState",
    "SyncState",
]

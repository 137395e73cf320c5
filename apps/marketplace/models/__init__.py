"""The public names of the marketplace's tables."""

from apps.marketplace.models.connection import (
    CallDay,
    ConnectionState,
    LotRefresh,
    MarketplaceConnection,
)
from apps.marketplace.models.want import PriceWant

__all__ = ["CallDay", "ConnectionState", "LotRefresh", "MarketplaceConnection", "PriceWant"]

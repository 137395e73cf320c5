"""The public names of the marketplace's tables."""

from apps.marketplace.models.answer import CatalogueAnswer
from apps.marketplace.models.connection import (
    CallDay,
    ConnectionState,
    LotRefresh,
    MarketplaceConnection,
)
from apps.marketplace.models.want import PriceWant

__all__ = [
    "CallDay",
    "CatalogueAnswer",
    "ConnectionState",
    "LotRefresh",
    "MarketplaceConnection",
    "PriceWant",
]

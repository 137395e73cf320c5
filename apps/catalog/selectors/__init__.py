"""What other apps read from the catalogue."""

from apps.catalog.selectors.prices import ReferencePrice, reference_price
from apps.catalog.selectors.resolving import LotIdentity, Resolved, resolve_lots

__all__ = [
    "LotIdentity",
    "ReferencePrice",
    "Resolved",
    "reference_price",
    "resolve_lots",
]

"""What other apps read from the catalogue."""

from apps.catalog.selectors.prices import ReferencePrice, reference_price
from apps.catalog.selectors.resolving import LotIdentity, Resolved, resolve_lots
from apps.catalog.selectors.searching import SearchAnswer, SearchHit, search_items

__all__ = [
    "LotIdentity",
    "ReferencePrice",
    "Resolved",
    "SearchAnswer",
    "SearchHit",
    "reference_price",
    "resolve_lots",
    "search_items",
]

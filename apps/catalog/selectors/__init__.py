"""What other apps read from the catalogue."""

from apps.catalog.selectors.prices import (
    REFERENCE_AT,
    ReferencePrice,
    choose_reference,
    figure_of,
    with_market,
)
from apps.catalog.selectors.resolving import LotIdentity, Resolved, resolve_lots
from apps.catalog.selectors.searching import SearchAnswer, SearchHit, search_items

__all__ = [
    "REFERENCE_AT",
    "LotIdentity",
    "ReferencePrice",
    "Resolved",
    "SearchAnswer",
    "SearchHit",
    "choose_reference",
    "figure_of",
    "resolve_lots",
    "search_items",
    "with_market",
]

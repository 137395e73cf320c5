"""Rules of the marketplace: its calls, and what can be listed. Pure."""

from apps.marketplace.rules.calls import (
    BACKGROUND_SHARE,
    FRESH_FOR,
    KIND_NAMES,
    LEAST_GUIDE_SHARE,
    MOST_GUIDE_SHARE,
    SHARES,
    STALE_AFTER,
    UNKNOWN_FOR,
    Allowance,
    allowances,
    background_limit,
    guide_limit,
    limit_of,
    next_day,
)

__all__ = [
    "BACKGROUND_SHARE",
    "FRESH_FOR",
    "KIND_NAMES",
    "LEAST_GUIDE_SHARE",
    "MOST_GUIDE_SHARE",
    "SHARES",
    "STALE_AFTER",
    "UNKNOWN_FOR",
    "Allowance",
    "allowances",
    "background_limit",
    "guide_limit",
    "limit_of",
    "next_day",
]

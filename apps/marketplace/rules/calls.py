"""How many calls a day may be made for what, and when prices are asked for again. Pure."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# Up to which percentage of the day's calls each kind may go. What sells first comes last to a
# stop: looking up prices must never keep a sold lot from being taken off the shelf.
SHARES: Final[Mapping[str, int]] = {
    "stock": 97,
    "note": 93,
    "price": 90,
    "lookup": 86,
    "guide": 80,
}
# The share for prices got in the background: a person's own look-ups may use more.
BACKGROUND_SHARE: Final = 25
# What *Get prices* may use, as a person sets it.
LEAST_GUIDE_SHARE: Final = 1
MOST_GUIDE_SHARE: Final = SHARES["guide"]
KIND_NAMES: Final = {
    "stock": "Stock changes",
    "note": "Texts",
    "price": "Price changes",
    "lookup": "Look-ups",
    "guide": "Prices of many lots",
}

# A person who asks again within this time gets the same figures.
FRESH_FOR: Final = dt.timedelta(minutes=15)
# In the background: figures older than these are worth a call.
STALE_AFTER: Final = dt.timedelta(days=5)
# Items without figures are not asked for each time.
UNKNOWN_FOR: Final = dt.timedelta(days=30)


def limit_of(kind: str, *, daily: int) -> int:
    """Return the number of all calls of a day from which on no call of `kind` is made."""
    return daily * SHARES[kind] // 100


def guide_limit(share: int, *, daily: int) -> int:
    """Return how many calls of a day *Get prices* may use, by the person's share."""
    return daily * share // 100


def background_limit(*, daily: int) -> int:
    """Return the number of all calls of a day from which on nothing is refreshed unasked."""
    return daily * BACKGROUND_SHARE // 100


@dataclass(frozen=True, slots=True)
class Allowance:
    """The calls left today of one kind."""

    kind: str
    name: str
    used: int
    limit: int
    left: int


def allowances(
    used: Mapping[str, int], *, daily: int, guide_share: int = MOST_GUIDE_SHARE
) -> list[Allowance]:
    """Return the calls left of each kind; all kinds count together against each limit.

    Prices of many lots have a share of their own beside.
    """
    total = sum(used.values())
    found = []
    for kind, name in KIND_NAMES.items():
        limit = limit_of(kind, daily=daily)
        left = limit - total
        if kind == "guide":
            limit = guide_limit(guide_share, daily=daily)
            left = min(left, limit - used.get(kind, 0))
        found.append(Allowance(kind, name, used.get(kind, 0), limit, max(0, left)))
    return found


def next_day(now: dt.datetime) -> dt.datetime:
    """Return the instant at which the count restarts: midnight in UTC."""
    day = now.astimezone(dt.UTC).date() + dt.timedelta(days=1)
    return dt.datetime.combine(day, dt.time(), tzinfo=dt.UTC)

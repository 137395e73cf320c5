"""How many calls a day may be made for what, and when prices are asked for again. Pure."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# Up to which share of the day's calls a kind may go. What sells first comes last to a stop:
# looking up prices must never keep a sold lot from being taken off the shelf.
SHARES: Final[Mapping[str, tuple[int, int]]] = {
    "stock": (96, 100),
    "note": (72, 100),
    "price": (50, 100),
    "lookup": (40, 100),
}
# What prices that nobody asked for may use: a person's own look-ups go on after it.
BACKGROUND_SHARE: Final = (25, 100)
KIND_NAMES: Final = {
    "stock": "Stock changes",
    "note": "Texts",
    "price": "Price changes",
    "lookup": "Look-ups",
}

# A person who asks again within this time gets what was told just now.
FRESH_FOR: Final = dt.timedelta(minutes=15)
# Nobody asked: older figures than these are worth a call.
STALE_AFTER: Final = dt.timedelta(days=5)
# What the market did not know is not asked for each time.
UNKNOWN_FOR: Final = dt.timedelta(days=30)


def limit_of(kind: str, *, daily: int) -> int:
    """Return the number of all calls of a day from which on no call of `kind` is made."""
    part, whole = SHARES[kind]
    return daily * part // whole


def background_limit(*, daily: int) -> int:
    """Return the number of all calls of a day from which on nothing is refreshed unasked."""
    part, whole = BACKGROUND_SHARE
    return daily * part // whole


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left today for one kind of call."""

    kind: str
    name: str
    used: int
    limit: int
    left: int


def allowances(used: Mapping[str, int], *, daily: int) -> list[Allowance]:
    """Return what is left of each kind; all kinds count together against each limit."""
    total = sum(used.values())
    return [
        Allowance(
            kind=kind,
            name=name,
            used=used.get(kind, 0),
            limit=limit_of(kind, daily=daily),
            left=max(0, limit_of(kind, daily=daily) - total),
        )
        for kind, name in KIND_NAMES.items()
    ]


def next_day(now: dt.datetime) -> dt.datetime:
    """Return the instant at which the count begins anew: midnight in UTC."""
    day = now.astimezone(dt.UTC).date() + dt.timedelta(days=1)
    return dt.datetime.combine(day, dt.time(), tzinfo=dt.UTC)

"""Rules of the repeated sync: when it is due, the order of sending, when it must stop. Pure."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Final

#: A look comes late or early by this much.
SLACK: Final = dt.timedelta(seconds=30)
#: So few lots may always be taken off the market.
FEW: Final = 5


def is_due(minutes: int, *, last: dt.datetime | None, now: dt.datetime) -> bool:
    """Whether it is time again. A clock that was set back makes no store wait."""
    if not minutes:
        return False
    if last is None or last > now:
        return True
    return now - last >= dt.timedelta(minutes=minutes) - SLACK


def too_many_removals(removed: int, known: int) -> bool:
    """Whether so many lots would leave the store that a person types their number first."""
    return removed > FEW and removed * 10 > known


def urgency(delta: int, *, is_removed: bool, fields: Sequence[str]) -> int:
    """Return the order of sending: changes that prevent selling twice first, texts last."""
    if delta < 0:
        return 0
    if is_removed:
        return 1
    if delta:
        return 2
    return 3 if set(fields) & {"price", "sale", "bulk", "tiers"} else 4


def is_same_sending(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two calls are equal, so that a refused one would be refused again."""
    return bool(one) and one == other

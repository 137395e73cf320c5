"""How long ago something sold last, in the four words of the interface."""

import datetime as dt
from typing import Final, Literal

Recency = Literal["recent", "moderate", "old", "unknown"]
DAY: Final = dt.timedelta(days=1)


def recency_of(
    sold_at: dt.datetime | None, *, now: dt.datetime, recent_days: int, moderate_days: int
) -> Recency:
    """Return the word for `sold_at`; a date in the future counts as today."""
    if sold_at is None:
        return "unknown"
    age = now - sold_at
    if age <= recent_days * DAY:
        return "recent"
    return "moderate" if age <= moderate_days * DAY else "old"

"""The status of a listing for its owner. Pure."""

import datetime as dt
from decimal import Decimal
from enum import StrEnum


class Watch(StrEnum):
    """The owner's decision about a listing."""

    NONE = ""
    WATCHING = "watching"
    REJECTED = "rejected"


class Outcome(StrEnum):
    """The outcome of a listing, as entered by its owner."""

    NONE = ""
    WON = "won"
    LOST = "lost"


class Status(StrEnum):
    """The one word on the card."""

    OPEN = "open"
    WATCHING = "watching"
    REJECTED = "rejected"
    LEADING = "leading"
    OUTBID = "outbid"
    ENDED = "ended"
    WON = "won"
    LOST = "lost"


def status_of(
    *,
    outcome: str,
    watch: str,
    my_bid: Decimal | None,
    current_price: Decimal,
    end_time: dt.datetime | None,
    now: dt.datetime,
) -> Status:
    """Return the word. Leading is what a bid of mine at or above the price means; the site's
    own names of bidders are masked, so they prove nothing."""
    if outcome:
        return Status(outcome)
    if end_time is not None and end_time <= now:
        return Status.ENDED
    if my_bid is not None:
        return Status.LEADING if my_bid >= current_price else Status.OUTBID
    return Status(watch) if watch else Status.OPEN


def time_remaining(end_time: dt.datetime | None, now: dt.datetime) -> str:
    """Return '2d 4h', '3h 12m', '9m 30s', 'Ended', or '' for a listing without an end."""
    if end_time is None:
        return ""
    seconds = int((end_time - now).total_seconds())
    if seconds <= 0:
        return "Ended"
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, seconds = divmod(rest, 60)
    if days:
        return f"{days}d {hours}h"
    if hours:
        return f"{hours}h {minutes}m"
    return f"{minutes}m {seconds}s" if minutes else f"{seconds}s"

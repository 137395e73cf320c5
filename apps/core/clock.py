"""The clock, read at the edge (views, tasks, commands) and passed inwards as `now`."""

import datetime as dt
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones


def now() -> dt.datetime:
    """Return the current instant, aware, in UTC."""
    return dt.datetime.now(tz=dt.UTC)  # noqa: TID251  (the one place that reads it)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())  # reads a folder of some 600 files


def is_time_zone(name: str) -> bool:
    """Whether `name` is a zone of the IANA database, such as "Europe/Berlin"."""
    return name in _zones()


def zone_of(user: Any, named: str = "") -> ZoneInfo:
    """Return the zone of a person's days: the profile's, else the one `named`, else UTC."""
    # A zone may leave the database that the system keeps; a page must not fail on it.
    kept = user.time_zone if is_time_zone(user.time_zone) else ""
    return ZoneInfo(kept or named or "UTC")


def in_utc(instant: dt.datetime) -> dt.datetime | None:
    """Return an aware instant in UTC, None for one outside the years 1 to 9999 there."""
    try:
        return instant.astimezone(dt.UTC)
    except OverflowError:
        return None

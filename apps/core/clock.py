"""The clock, read at the edge (views, tasks, commands) and passed inwards as `now`."""

import datetime as dt


def now() -> dt.datetime:
    """Return the current instant, aware, in UTC."""
    return dt.datetime.now(tz=dt.UTC)  # noqa: TID251  (the one place that reads it)

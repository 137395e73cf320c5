"""Estimates the working time of a person from the instants of their actions. Pure."""

import datetime as dt
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

# A longer gap between two actions counts as a break.
PAUSE: Final = dt.timedelta(minutes=5)


def active_time(instants: Iterable[dt.datetime]) -> dt.timedelta:
    """Return the time between acts that follow each other within PAUSE, in any order."""
    gaps = (later - earlier for earlier, later in pairwise(sorted(instants)))
    return sum((gap for gap in gaps if gap <= PAUSE), dt.timedelta())

"""How long somebody was at work, from the instants at which something was done. Pure."""

import datetime as dt
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

# Whoever does nothing for longer has gone away.
PAUSE: Final = dt.timedelta(minutes=5)


def active_time(instants: Iterable[dt.datetime]) -> dt.timedelta:
    """Return the time between acts that follow each other within PAUSE, in any order."""
    gaps = (later - earlier for earlier, later in pairwise(sorted(instants)))
    return sum((gap for gap in gaps if gap <= PAUSE), dt.timedelta())

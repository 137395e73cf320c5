"""Runs once in each process, after loading and before its first work."""

import gc
from typing import Final

#: Set by `CoreConfig.ready`: how many new objects make Python look through them, how many looks a longer one, and so on.
THRESHOLDS: Final = (20_000, 20, 20)


def collect_garbage_less() -> None:
    """Leave all objects loaded so far out of later garbage collections.

    A full one walks all objects of Django and the apps: 80 ms, in the middle of a request.
    """
    gc.collect()
    gc.freeze()

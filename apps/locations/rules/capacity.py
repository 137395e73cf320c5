"""How many pieces a bin takes, learnt from what bins like it hold. Pure."""

from collections.abc import Sequence
from math import ceil
from typing import Final

#: Of fewer bins nothing is learnt.
LEAST_BINS: Final = 5
#: A bin filled beyond nine tenths of its like is an exception.
SHARE: Final = 0.9


def suggested_limit(pieces: Sequence[int]) -> int | None:
    """Return the pieces that nine of ten of these bins stay within, as a round number.

    `pieces` are the contents of bins; empty ones are ignored. None below LEAST_BINS.
    """
    filled = sorted(count for count in pieces if count > 0)
    if len(filled) < LEAST_BINS:
        return None
    most = filled[ceil(SHARE * len(filled)) - 1]
    step = 10 ** max(len(str(most)) - 2, 0)
    return ceil(most / step) * step

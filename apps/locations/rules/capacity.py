"""How many pieces a bin takes, learnt from what bins like it hold. Pure."""

from collections.abc import Sequence
from math import ceil
from typing import Final

#: Of fewer bins nothing is learnt.
LEAST_BINS: Final = 5
#: Recommendations follow no fewer bins, and only where at least half of all are filled.
LEAST_TO_FOLLOW: Final = 20
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


def learnt_limit(pieces: Sequence[int]) -> int | None:
    """Return `suggested_limit` where it is worth following without being asked, else None.

    `pieces` are the contents of all bins of a kind, empty ones too: while most of them are
    empty, the others are not full yet and do not show how much they take.
    """
    filled = sum(count > 0 for count in pieces)
    is_telling = filled >= LEAST_TO_FOLLOW and 2 * filled >= len(pieces)
    return suggested_limit(pieces) if is_telling else None

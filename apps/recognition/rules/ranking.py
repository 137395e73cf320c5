"""From the network's scores and all else that is known to a ranking of moulds. Numbers only."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# As the lots of a real store go with the lots of sets: vision/popularity.py measures it.
POPULARITY: Final = 0.9
RAREST_LOTS: Final = 20.0
# With a list of the heap's parts, other parts are not excluded; but the rarest part of a list goes
# before the commonest outside it, if they look alike.
OUTSIDE_LIST: Final = 0.003
_SIZE_SPREAD: Final = 0.05  # in log2: 3.5 %
_ELEVATION_SPREAD: Final = 4.0
_NO_SIZE: Final = 1e-4  # nothing is impossible
# A capture counts as it comes near: below the first nothing, at the second all.
_FAR, _NEAR = 0.55, 0.95
_CAPTURES_BONUS: Final = 12.0


@dataclass(frozen=True, slots=True)
class Measured:
    """A piece's size by a marker card: mm across the line of sight, and degrees."""

    long: float
    short: float
    elevation: float


@dataclass(slots=True)
class Helps:
    """The helps besides the network. Without any, the network decides alone."""

    popularity: bool = True
    measured: Sequence[Measured | None] = ()
    among: Collection[int] | None = None  # moulds that the heap is known to hold
    grams: float | None = None
    captures: Mapping[int, float] = field(default_factory=dict)  # nearness of the nearest, 0 … 1


def softmax(scores: Array) -> Array:
    """Return shares along the last axis."""
    apart = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Array = apart / apart.sum(axis=-1, keepdims=True)
    return shares


def footprint(sizes: Array, measured: Measured) -> Array:
    """Return how well each mould's views fit a measured size; `sizes` as `Eyes.sizes`.

    Only views from about the same height count, and each pose alike.
    """
    wanted = np.log2(np.maximum([measured.long, measured.short], 1))
    off = (sizes[..., :2] - wanted) / _SIZE_SPREAD
    slant = ((sizes[..., 2] - measured.elevation) / _ELEVATION_SPREAD) ** 2
    # The nearest there are count where no view is from that height.
    nearness = np.exp(-0.5 * (slant - slant.min(axis=1, keepdims=True)))
    fits = np.exp(-0.5 * (off**2).sum(axis=-1))
    likely: Array = (fits * nearness).sum(axis=1) / nearness.sum(axis=1) + _NO_SIZE
    return likely


def ranked(
    views: Sequence[Array], *, lots: Array, sizes: Array, weights: Array | None, helps: Helps
) -> Array:
    """Return a share for each mould. `views` are the shares that each picture gave."""
    together = np.sum([np.log(view + 1e-6) for view in views], axis=0)
    # Pictures of one part are not independent: the second counts, but not as much again.
    if len(views) > 1:
        together = together / math.sqrt(len(views))
    for measured in helps.measured:
        if measured is not None:
            together = together + np.log(footprint(sizes, measured))
    if helps.popularity:
        together = together + POPULARITY * np.log(np.maximum(lots, RAREST_LOTS))
    if helps.among is not None:
        inside = np.full(len(lots), OUTSIDE_LIST)
        inside[list(helps.among)] = 1.0
        together = together + np.log(inside)
    if helps.grams is not None and weights is not None:
        together = together + _by_weight(weights, helps.grams)
    return _with_captures(softmax(together), helps.captures)


def _by_weight(weights: Array, grams: float) -> Array:
    known = weights > 0
    off = np.zeros(len(weights))
    off[known] = np.log(weights[known] / grams) / 0.12
    log: Array = np.where(known, np.maximum(-0.5 * off**2, -8.0), -2.0)
    return log


def _with_captures(shares: Array, captures: Mapping[int, float]) -> Array:
    """Raise the moulds that the person confirmed before, less if the network is surer."""
    if not captures:
        return shares
    first = float(shares.max())
    raised = shares.copy()
    for mould, nearness in captures.items():
        near = min(1.0, max(0.0, (nearness - _FAR) / (_NEAR - _FAR)))
        raised[mould] = shares[mould] * (1 + _CAPTURES_BONUS * near * (1 - first)) + 0.02 * near
    again: Array = raised / raised.sum()
    return again

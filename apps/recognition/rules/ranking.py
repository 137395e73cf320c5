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
# How forms are compared; vision/README.md says how this was chosen.
_COVER_SPREAD: Final = 0.035  # of what two forms cover otherwise, root mean square
_RATIO_SPREAD: Final = 0.06  # in log2: 4 %
_NO_FORM: Final = 3e-4
# The network sees the outline, too, and a size says much of what it does.
_FORM_POWER: Final = 0.5
_SIZED_FORM_POWER: Final = 0.25
# A capture counts as it comes near: below the first nothing, at the second all.
_FAR, _NEAR = 0.55, 0.95
_CAPTURES_BONUS: Final = 12.0


@dataclass(frozen=True, slots=True)
class Measured:
    """A piece's size by a marker card: mm across the line of sight, and degrees."""

    long: float
    short: float
    elevation: float


@dataclass(frozen=True, slots=True)
class Form:
    """A piece's outline without a scale."""

    cover: Array | None  # of the fields of its smallest rectangle, 0 … 255; None: not known
    ratio: float  # the shorter side by the longer


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of some views of each mould, their covers as sums of a few patterns."""

    weights: Array  # of the patterns: moulds, views, patterns
    ratios: Array  # moulds, views; log2
    mean: Array  # fields
    patterns: Array  # patterns, fields


@dataclass(slots=True)
class Helps:
    """The helps besides the network. Without any, the network decides alone."""

    popularity: bool = True
    measured: Sequence[Measured | None] = ()
    forms: Sequence[Form] = ()
    among: Collection[int] | None = None  # moulds that the heap is known to hold
    grams: float | None = None
    captures: Mapping[int, float] = field(default_factory=dict)  # nearness of the nearest, 0 … 1
    temperature: float = 1.0  # what scores are divided by, so that shares are as often right


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


def form_fits(forms: Forms, form: Form, *, ratio: bool = True) -> Array:
    """Return how well each mould's views fit a form, as it is or turned by half.

    Without `ratio` only what is covered counts, not how long a piece is for its width.
    """
    assert form.cover is not None
    cover = form.cover.astype(np.float32).reshape(-1) / 255
    both = (np.stack([cover, cover[::-1]]) - forms.mean) @ forms.patterns.T
    own = forms.weights
    squares = (own**2).sum(axis=-1)[..., None] - 2 * (own @ both.T) + (both**2).sum(axis=1)
    off = squares.min(axis=-1) / len(cover) / _COVER_SPREAD**2
    if ratio:
        off = off + ((forms.ratios - math.log2(form.ratio)) / _RATIO_SPREAD) ** 2
    likely: Array = np.exp(-0.5 * off).mean(axis=1) + _NO_FORM
    return likely


def ranked(
    views: Sequence[Array], *, lots: Array, sizes: Array, forms: Forms, weights: Array | None,
    helps: Helps,
) -> Array:  # fmt: skip
    """Return a share for each mould. `views` are the shares that each picture gave."""
    together = np.sum([np.log(view + 1e-6) for view in views], axis=0)
    # Pictures of one part are not independent: the second counts, but not as much again.
    if len(views) > 1:
        together = together / math.sqrt(len(views))
    for measured in helps.measured:
        if measured is not None:
            together = together + np.log(footprint(sizes, measured))
    is_sized = any(helps.measured)
    power = _SIZED_FORM_POWER if is_sized else _FORM_POWER
    known = [form for form in helps.forms if form.cover is not None]
    for form in known:
        fits = np.log(form_fits(forms, form, ratio=not is_sized))
        together = together + power * fits / math.sqrt(len(known))
    if helps.popularity:
        together = together + POPULARITY * np.log(np.maximum(lots, RAREST_LOTS))
    if helps.among is not None:
        inside = np.full(len(lots), OUTSIDE_LIST)
        inside[list(helps.among)] = 1.0
        together = together + np.log(inside)
    if helps.grams is not None and weights is not None:
        together = together + _by_weight(weights, helps.grams)
    return _with_captures(softmax(together / helps.temperature), helps.captures)


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

"""Whether a piece is a part at all: the signs of it, and the share that they give. Numbers only."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from apps.recognition.rules import ranking

Array = NDArray[Any]

_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Judge:
    """The weights of a small network, made by vision/presence.py."""

    mean: Array  # of each sign, as it was trained
    spread: Array
    inner: Array  # signs, inside
    inner_bias: Array
    outer: Array  # inside
    outer_bias: Array

    def score(self, signs: Array) -> Array:
        """Return the logarithm of the odds that each row of signs is a part's."""
        level = np.clip((signs - self.mean) / self.spread, -4, 4)
        inside = np.maximum(level @ self.inner + self.inner_bias, 0)
        scores: Array = inside @ self.outer + self.outer_bias
        return scores

    def part_share(self, looks: Sequence[Array]) -> float:
        """Return how likely pictures show a part, given the signs of each."""
        score = float(np.clip(self.score(np.stack(looks)).mean(), -30, 30))
        return 1 / (1 + math.exp(-score))


def signs_of(
    *, traits: Array, look: Any, forms: ranking.Forms, form: ranking.Form, sizes: Array,
    measured: ranking.Measured | None,
) -> Array:  # fmt: skip
    """Return the signs of one piece of one picture; `look` is the network's."""
    shares = look.shares
    first, second = np.sort(shares)[:-3:-1]
    entropy = -float((shares * np.log(shares + _LEAST)).sum())
    numbers = [
        math.log(first + _LEAST), float(first - second), entropy, look.agreement, look.steadiness,
        *_fit(shares, None if form.cover is None else ranking.form_fits(forms, form)),
        *_fit(shares, None if measured is None else ranking.footprint(sizes, measured)),
    ]  # fmt: skip
    both: Array = np.concatenate([traits, np.array(numbers, np.float32), look.vector])
    return both.astype(np.float32)


def _fit(shares: Array, fits: Array | None) -> tuple[float, float, float]:
    """Return whether something was compared, how well it fits any mould, and those that are seen."""
    if fits is None:
        return 0.0, 0.0, 0.0
    logs = np.log(fits)
    return 1.0, float(logs.max()), float((shares * logs).sum())

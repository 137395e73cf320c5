"""Which colour of the catalogue a measured shade is: arithmetic, no network. Numbers only."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from apps.recognition.rules.seeing import lab_of, linear_of_hex

Array = NDArray[Any]
Lab = tuple[float, float, float]

# How far apart shades may be and still be taken for one: light and cameras do that much.
_SPREAD: Final = 6.0
# What plastic mirrors of the white light around it, whatever its colour: dark colours look lighter
# and paler than their RGB. The least by Fresnel's law, at a refractive index of 1.5.
_GLOSS: Final = 0.04
# How much of the paper shines through a transparent part, and how bright the paper is.
_THROUGH: Final = 0.35
_PAPER: Final = 0.72


@dataclass(frozen=True, slots=True)
class Shade:
    """A colour of the catalogue."""

    id: int
    name: str
    rgb: str
    is_transparent: bool
    weight: float = 1.0  # how usual it is


def ranked_shades(lab: Lab, shades: Sequence[Shade], most: int = 5) -> list[tuple[Shade, float]]:
    """Return the likeliest colours with their shares, best first."""
    usable = [shade for shade in shades if len(shade.rgb) == 6]
    if not usable:
        return []
    nominal = np.array([_as_seen(shade) for shade in usable])
    apart = ciede2000(np.array(lab), nominal)
    log = -0.5 * (apart / _SPREAD) ** 2
    log = log + np.array([_prior(shade) for shade in usable])
    share = np.exp(log - log.max())
    share = share / share.sum()
    order = np.argsort(-share)[:most]
    return [(usable[index], float(share[index])) for index in order]


def _as_seen(shade: Shade) -> Array:
    light = linear_of_hex(shade.rgb)
    if shade.is_transparent:
        light = light * (1 - _THROUGH) + _THROUGH * _PAPER
    seen: Array = lab_of((light * (1 - _GLOSS) + _GLOSS)[None])[0]
    return seen


def _prior(shade: Shade) -> float:
    return 0.5 * math.log(max(shade.weight, 1e-3)) - (1.0 if shade.is_transparent else 0.0)


def ciede2000(one: Array, others: Array) -> Array:
    """Return the colour differences (CIEDE2000) of a Lab (3,) to Labs (n, 3)."""
    lightness, first, second = one[0], one[1], one[2]
    chroma = math.hypot(first, second)
    chromas = np.hypot(others[:, 1], others[:, 2])
    mean7 = ((chroma + chromas) / 2) ** 7
    stretch = 0.5 * (1 - np.sqrt(mean7 / (mean7 + 25.0**7)))
    a1, a2 = first * (1 + stretch), others[:, 1] * (1 + stretch)
    c1, c2 = np.hypot(a1, second), np.hypot(a2, others[:, 2])
    h1 = np.degrees(np.arctan2(second, a1)) % 360
    h2 = np.degrees(np.arctan2(others[:, 2], a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    turn = np.where(c1 * c2 == 0, 0, turn)
    delta_l, delta_c = others[:, 0] - lightness, c2 - c1
    delta_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    mean_l, mean_c = (lightness + others[:, 0]) / 2, (c1 + c2) / 2
    mean_h = (h1 + turn / 2) % 360
    t = (
        1 - 0.17 * np.cos(np.radians(mean_h - 30)) + 0.24 * np.cos(np.radians(2 * mean_h))
        + 0.32 * np.cos(np.radians(3 * mean_h + 6)) - 0.20 * np.cos(np.radians(4 * mean_h - 63))
    )  # fmt: skip
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / np.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    mean_c7 = mean_c**7
    r_t = (
        -2 * np.sqrt(mean_c7 / (mean_c7 + 25.0**7))
        * np.sin(np.radians(60 * np.exp(-(((mean_h - 275) / 25) ** 2))))
    )  # fmt: skip
    l, c, h = delta_l / s_l, delta_c / s_c, delta_h / s_h  # noqa: E741
    apart: Array = np.sqrt(np.maximum(l**2 + c**2 + h**2 + r_t * c * h, 0))
    return apart

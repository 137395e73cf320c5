"""Whole photographs as they come from a camera: grounds, what lies on them, and parts among it.

All is drawn: grounds, hands, faces and things by formulas, parts from the renders of LDraw's models.
"""

import io
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision import augment
from vision.renders import Renders
from vision.scenes import FILL, SIZE

Array = NDArray[Any]
Rng = np.random.Generator

_SKINS: Final = np.array(
    [(0.98, 0.82, 0.72), (0.92, 0.72, 0.58), (0.82, 0.60, 0.45), (0.66, 0.45, 0.32),
     (0.48, 0.31, 0.21), (0.33, 0.21, 0.15)], np.float32,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Laid:
    """A part in a photograph: its place in the renders, and where it covers the picture."""

    choice: int
    cover: NDArray[np.bool_]
    shown: float  # the share of it that is inside the picture


@dataclass(frozen=True, slots=True)
class Photograph:
    rgb: NDArray[np.uint8]
    parts: list[Laid]


# -- Grounds ---------------------------------------------------------------------------


def _waves(rng: Rng, height: int, width: int, cell: float, stretch: float = 1.0) -> Array:
    """Return smooth noise of about -1 … 1, its spots `cell` pixels high and longer by `stretch`."""
    rows, columns = max(2, round(height / cell)), max(2, round(width / cell / stretch))
    coarse = rng.normal(0, 0.6, (rows + 1, columns + 1)).astype(np.float32)
    noise: Array = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return noise


def _plain(rng: Rng) -> Array:
    """Return a colour that tables, paper and mats have."""
    kind = rng.random()
    if kind < 0.45:
        color = np.full(3, rng.uniform(0.5, 1.0)) + rng.normal(0, 0.03, 3)
    elif kind < 0.6:
        color = np.full(3, rng.uniform(0.04, 0.4)) + rng.normal(0, 0.02, 3)
    elif kind < 0.8:
        color = np.array([0.72, 0.56, 0.40]) * rng.uniform(0.4, 1.25) + rng.normal(0, 0.04, 3)
    else:
        color = rng.uniform(0.05, 0.95, 3)
    return np.clip(color, 0.02, 1).astype(np.float32)


def _filled(height: int, width: int, color: Array) -> Array:
    return np.broadcast_to(color, (height, width, 3)).astype(np.float32).copy()


def _paper(rng: Rng, height: int, width: int) -> Array:
    ground = _filled(height, width, _plain(rng))
    return ground * (1 + rng.uniform(0, 0.05) * _waves(rng, height, width, 3))[..., None]


def _wood(rng: Rng, height: int, width: int) -> Array:
    color = np.array([0.70, 0.50, 0.32], np.float32) * rng.uniform(0.35, 1.35)
    color = color + rng.normal(0, 0.05, 3).astype(np.float32)
    bent = np.linspace(0, rng.uniform(3, 40), height)[:, None]
    bent = bent + rng.uniform(0.3, 4) * _waves(
        rng, height, width, height / rng.uniform(1, 5), rng.uniform(1, 6)
    )
    rings = np.sin(bent * 2 * np.pi / rng.uniform(1, 4)) * rng.uniform(0, 0.16)
    fibres = _waves(rng, height, width, 1.3, rng.uniform(10, 60)) * rng.uniform(0.03, 0.2)
    ground = np.clip(color, 0.05, 1.1) * (1 + rings + fibres)[..., None]
    if rng.random() < 0.5:  # planks
        edge = int(rng.integers(height // 6, height // 2 + 1))
        for index, top in enumerate(range(int(rng.integers(edge)), height, edge)):
            ground[top:] *= rng.uniform(0.85, 1.15)
            ground[top : top + int(rng.integers(1, 4))] *= rng.uniform(0.3, 0.8)
            if index > 6:
                break
    for _ in range(int(rng.integers(0, 3))):  # knots
        _spot(rng, ground, rng.uniform(0.02, 0.06), rng.uniform(0.4, 0.8))
    return ground.swapaxes(0, 1) if rng.random() < 0.3 and height == width else ground


def _spot(rng: Rng, ground: Array, size: float, level: float) -> None:
    height, width = ground.shape[:2]
    mask = np.zeros((height, width), np.float32)
    at = int(rng.integers(width)), int(rng.integers(height))
    axes = (max(1, round(size * width * rng.uniform(0.7, 1.6))), max(1, round(size * height)))
    cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    ground *= 1 - (1 - level) * cv2.GaussianBlur(mask, (0, 0), max(0.5, axes[1] / 3))[..., None]


def _cloth(rng: Rng, height: int, width: int) -> Array:
    ground = _filled(height, width, _plain(rng))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    pitch = rng.uniform(2, 9)
    weave = np.sin(x * 2 * np.pi / pitch) * np.sin(y * 2 * np.pi / pitch)
    folds = _waves(rng, height, width, height / rng.uniform(2, 6), rng.uniform(0.5, 3))
    level = 1 + rng.uniform(0.02, 0.2) * weave + rng.uniform(0.02, 0.35) * folds
    return ground * level[..., None]


def _mat(rng: Rng, height: int, width: int) -> Array:
    color = np.array([(0.1, 0.35, 0.25), (0.15, 0.25, 0.45), (0.12, 0.12, 0.13)][rng.integers(3)])
    ground = _filled(height, width, (color * rng.uniform(0.7, 1.6)).astype(np.float32))
    pitch = int(rng.integers(12, 60))
    line = np.clip(color + rng.uniform(0.15, 0.6), 0, 1)
    for place in range(int(rng.integers(pitch)), max(height, width), pitch):
        for start, end in (((place, 0), (place, height)), ((0, place), (width, place))):
            cv2.line(ground, start, end, line.tolist(), int(rng.integers(1, 3)))
    return ground


def _speckled(rng: Rng, height: int, width: int) -> Array:
    ground = _filled(height, width, _plain(rng))
    for cell in rng.uniform(1, 8, 2):
        spots = _waves(rng, height, width, float(cell))
        other = _plain(rng)
        share = np.clip((spots - rng.uniform(0.2, 0.9)) * 4, 0, 1)[..., None]
        ground = ground * (1 - share) + other * share
    return ground


def _printed(rng: Rng, height: int, width: int) -> Array:
    """A page, a label, a newspaper: words, lines and boxes."""
    ground = _filled(height, width, np.clip(_plain(rng) + 0.3, 0, 1))
    ink = _plain(rng) * rng.uniform(0.05, 0.5)
    size = rng.uniform(0.3, 1.4)
    words = np.zeros((height, width), np.uint8)
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    for row in range(int(rng.integers(20)), height, max(9, round(size * 28))):
        if rng.random() < 0.8:
            text = "".join(chr(code) for code in rng.integers(33, 123, 40))
            at = (int(rng.integers(-40, width // 2)), row)
            cv2.putText(words, text, at, font, size, 255, int(rng.integers(1, 3)), cv2.LINE_AA)
    ground = _inked(ground, words, ink)
    if rng.random() < 0.4:
        corner = rng.integers(0, min(height, width) // 2, 2)
        far = corner + rng.integers(20, min(height, width) // 2, 2)
        cv2.rectangle(ground, corner.tolist(), far.tolist(), _plain(rng).tolist(), -1)
    return ground


def _inked(picture: Array, words: Array, ink: Array) -> Array:
    share = (words / np.float32(255))[..., None]
    return picture * (1 - share) + ink.astype(np.float32) * share


def _carpet(rng: Rng, height: int, width: int) -> Array:
    ground = _filled(height, width, _plain(rng))
    level = sum(_waves(rng, height, width, cell) * rng.uniform(0.05, 0.3) for cell in (1.2, 2.5, 7))
    return ground * np.clip(1 + level, 0.1, 2)[..., None]


def _tiles(rng: Rng, height: int, width: int) -> Array:
    """Tiles with gaps, stripes or squares."""
    one, other = _plain(rng), _plain(rng)
    y, x = np.mgrid[0:height, 0:width]
    pitch = int(rng.integers(10, 120))
    kind = rng.random()
    if kind < 0.4:
        chosen = (x // pitch + y // pitch) % 2 == 0
    elif kind < 0.7:
        chosen = x // pitch % 2 == 0
    else:
        chosen = (x % pitch < 3) | (y % pitch < 3)
    return np.where(chosen[..., None], one, other).astype(np.float32)


def _marble(rng: Rng, height: int, width: int) -> Array:
    ground = _filled(height, width, _plain(rng))
    bent = _waves(rng, height, width, height / 3) * 3 + _waves(rng, height, width, height / 9)
    veins = np.exp(-np.abs(np.sin(bent * rng.uniform(1, 4))) * rng.uniform(5, 20))
    return ground * (1 - rng.uniform(0.1, 0.6) * veins)[..., None]


def _leaves(rng: Rng, height: int, width: int) -> Array:
    """Shapes of all sizes over each other, as many small as large ones cover: like most photographs."""
    picture = _filled(height, width, _plain(rng))
    longer, few = max(height, width), [_plain(rng) for _ in range(int(rng.integers(2, 8)))]
    least = rng.uniform(0.01, 0.05)
    for share in np.sort(least + (0.5 - least) * rng.random(int(rng.integers(15, 90))) ** 3)[::-1]:
        at = (rng.uniform(-0.1, 1.1, 2) * [width, height]).astype(int)
        color = np.clip(
            few[rng.integers(len(few))] * rng.uniform(0.5, 1.3) + rng.normal(0, 0.04, 3), 0.01, 1
        )
        axes = np.maximum(1, (share * longer / 2 * rng.uniform(0.3, 1, 2)).astype(int))
        angle = float(rng.uniform(0, 180))
        if rng.random() < 0.6:
            cv2.ellipse(
                picture, at.tolist(), axes.tolist(), angle, 0, 360, color.tolist(), -1, cv2.LINE_AA
            )
        else:
            corners = cv2.boxPoints((at.tolist(), (axes * 2).tolist(), angle))
            cv2.fillPoly(picture, [corners.astype(np.int32)], color.tolist(), cv2.LINE_AA)
    level = 1 + rng.uniform(0, 0.25) * _waves(rng, height, width, rng.uniform(2, 12))
    level = level + rng.uniform(0, 0.4) * _waves(rng, height, width, height / rng.uniform(1, 4))
    soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 3))
    return soft * np.clip(level, 0.2, 2)[..., None]


Drawn = Callable[[Rng, int, int], Array]
GROUNDS: Final[tuple[Drawn, ...]] = (
    _paper, _wood, _cloth, _mat, _speckled, _printed, _carpet, _leaves,
)  # fmt: skip
# What nothing is fitted on, to measure with.
OTHER_GROUNDS: Final[tuple[Drawn, ...]] = (_tiles, _marble)


# -- Things ----------------------------------------------------------------------------


def _put(
    rng: Rng,
    picture: Array,
    mask: Array,
    color: Array,
    *,
    round_by: float = 0.0,
    gloss: float = 0.0,
) -> None:
    """Lay a shape on the picture: rounded towards its edges, lit from a side, with a shadow."""
    left, top, wide, high = cv2.boundingRect(mask)
    if not wide:
        return
    rim = round(0.08 * max(mask.shape)) + 8
    window = (
        slice(max(0, top - rim), top + high + rim),
        slice(max(0, left - rim), left + wide + rim),
    )
    longer = max(mask.shape)
    picture, mask = picture[window], np.ascontiguousarray(mask[window])
    color = color[window] if color.ndim == 3 else color
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), rng.uniform(0.5, 1.0))
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    reach = rng.uniform(0, 0.05) * longer
    moved = cv2.warpAffine(
        soft, np.array([[1, 0, away[0] * reach], [0, 1, away[1] * reach]]), mask.shape[::-1]
    )
    shadow = cv2.GaussianBlur(moved, (0, 0), rng.uniform(1, 8))
    picture *= 1 - rng.uniform(0.1, 0.6) * (shadow * (1 - soft))[..., None]
    level = np.ones(mask.shape, np.float32)
    if round_by > 0:
        inside = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
        depth = cv2.GaussianBlur(np.sqrt(np.minimum(inside, round_by)), (0, 0), 1.2)
        slope = (
            cv2.Sobel(depth, cv2.CV_32F, 1, 0) * away[0]
            + cv2.Sobel(depth, cv2.CV_32F, 0, 1) * away[1]
        )
        level = np.clip(1 - rng.uniform(0.1, 0.35) * slope, 0.35, 1.6)
        if gloss > 0:
            level = level + gloss * np.clip(-slope - 0.6, 0, 1)
    painted = np.clip(color * level[..., None], 0, 1.3)
    picture[:] = picture * (1 - soft[..., None]) + painted * soft[..., None]


def _blank(picture: Array) -> NDArray[np.uint8]:
    return np.zeros(picture.shape[:2], np.uint8)


def _at(rng: Rng, picture: Array, low: float = 0.15, high: float = 0.85) -> Array:
    place: Array = rng.uniform(low, high, 2) * np.array(picture.shape[1::-1])
    return place


def _skin(rng: Rng, picture: Array) -> Array:
    color = _SKINS[rng.integers(len(_SKINS))] * rng.uniform(0.8, 1.1) + rng.normal(0, 0.02, 3)
    height, width = picture.shape[:2]
    mottled = 1 + rng.uniform(0.01, 0.06) * _waves(rng, height, width, rng.uniform(3, 20))
    red = 1 + rng.uniform(0, 0.08) * _waves(rng, height, width, height / 6)
    return np.stack([color[0] * mottled * red, color[1] * mottled, color[2] * mottled], axis=-1)


def _limb(mask: Array, points: Sequence[Array], thick: float) -> None:
    for one, other in itertools.pairwise(points):
        cv2.line(
            mask, one.astype(int).tolist(), other.astype(int).tolist(), 1, max(2, round(thick))
        )


def _hand(rng: Rng, picture: Array) -> None:
    """A hand from the edge or in the middle of the picture: an arm, a palm, one to five fingers."""
    height, width = picture.shape[:2]
    size = rng.uniform(0.12, 0.5) * max(height, width)
    palm = _at(rng, picture)
    skin = _skin(rng, picture)
    mask = _blank(picture)
    toward = rng.uniform(0, 2 * np.pi)
    aim = np.array([np.cos(toward), np.sin(toward)])
    if rng.random() < 0.75:
        _limb(mask, [palm, palm - aim * max(height, width) * 1.5], size * rng.uniform(0.45, 0.75))
    if rng.random() < 0.85:
        axes = round(size * rng.uniform(0.4, 0.55)), round(size * rng.uniform(0.32, 0.45))
        cv2.ellipse(mask, palm.astype(int).tolist(), axes, math.degrees(toward), 0, 360, 1, -1)
    if rng.random() < 0.7:
        _put(rng, picture, mask, skin, round_by=size * 0.12)
    bend = rng.uniform(-0.5, 0.5)
    for finger in range(int(rng.integers(1, 6))):
        spread = toward + (finger - 2) * rng.uniform(0.12, 0.35)
        begin = palm + size * 0.35 * np.array([np.cos(spread), np.sin(spread)])
        points, thick = [begin], size * rng.uniform(0.13, 0.2)
        for _ in range(3):
            spread += bend * rng.uniform(0, 1)
            points.append(
                points[-1]
                + size * rng.uniform(0.12, 0.28) * np.array([np.cos(spread), np.sin(spread)])
            )
        own = _blank(picture)
        _limb(own, points, thick)
        _put(rng, picture, own, skin, round_by=thick / 2)
        if rng.random() < 0.5:  # a nail
            nail = _blank(picture)
            axes = max(1, round(thick * 0.3)), max(1, round(thick * 0.22))
            cv2.ellipse(
                nail, points[-1].astype(int).tolist(), axes, math.degrees(spread), 0, 360, 1, -1
            )
            _put(
                rng,
                picture,
                nail,
                np.clip(skin * rng.uniform(1.0, 1.2), 0, 1),
                round_by=3,
                gloss=0.3,
            )


def _face(rng: Rng, picture: Array) -> None:
    height, width = picture.shape[:2]
    size = rng.uniform(0.15, 0.6) * min(height, width)
    middle = _at(rng, picture, 0.25, 0.75)
    skin = _skin(rng, picture)
    hair = np.clip(np.array([0.25, 0.16, 0.08]) * rng.uniform(0.2, 3), 0, 1).astype(np.float32)
    shirt = _blank(picture)
    cv2.ellipse(shirt, (middle + np.array([0, size * 2])).astype(int).tolist(),
                (round(size * 1.6), round(size * 1.1)), 0, 0, 360, 1, -1)  # fmt: skip
    _put(rng, picture, shirt, _plain(rng), round_by=size * 0.4)

    def oval(
        x: float, y: float, wide: float, high: float, color: Array, rounding: float = 0
    ) -> None:
        mask = _blank(picture)
        at = (middle + np.array([x, y]) * size).astype(int).tolist()
        axes = max(1, round(wide * size)), max(1, round(high * size))
        cv2.ellipse(mask, at, axes, float(rng.normal(0, 6)), 0, 360, 1, -1)
        _put(rng, picture, mask, color, round_by=rounding * size)

    oval(0, -0.15, 0.85, 1.15, hair)
    oval(0, 0.9, 0.35, 0.5, skin, 0.2)
    oval(0, 0, 0.72, 1.0, skin, 0.4)
    if rng.random() < 0.8:
        oval(0, -0.75, 0.72, 0.4, hair)
    for side in (-1, 1):
        oval(side * 0.3, -0.15, 0.14, 0.07, np.full(3, 0.9, np.float32))
        oval(side * 0.3, -0.15, 0.06, 0.06, np.full(3, 0.1, np.float32))
        oval(side * 0.3, -0.33, 0.2, 0.04, hair)
    oval(0, 0.15, 0.1, 0.2, skin * 0.97, 0.1)
    oval(
        0,
        0.5,
        rng.uniform(0.15, 0.32),
        rng.uniform(0.04, 0.12),
        np.array([0.7, 0.3, 0.3], np.float32),
    )


def _turned_box(rng: Rng, picture: Array, low: float, high: float) -> Array:
    """Return the corners of a rectangle seen from somewhere."""
    longer = max(picture.shape[:2])
    sides = rng.uniform(low, high, 2) * longer
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * sides / 2
    corners = corners @ turn.T + rng.normal(0, 0.04, (4, 2)) * sides.min()
    box: Array = corners + _at(rng, picture, 0.2, 0.8)
    return box


def _package(rng: Rng, picture: Array) -> None:
    """A box, a bag or a card with colours and words on it."""
    height, width = picture.shape[:2]
    box = _turned_box(rng, picture, 0.15, 0.8)
    mask = _blank(picture)
    cv2.fillPoly(mask, [box.astype(np.int32)], 1)
    face = (
        _printed(rng, height, width) if rng.random() < 0.6 else _filled(height, width, _plain(rng))
    )
    for _ in range(int(rng.integers(0, 4))):
        spot = _turned_box(rng, picture, 0.05, 0.4)
        cv2.fillPoly(face, [spot.astype(np.int32)], _plain(rng).tolist())
    if rng.random() < 0.35:  # a bag: creased and shining, what is below shows
        creases = _waves(rng, height, width, rng.uniform(4, 14), rng.uniform(0.5, 3))
        face = (
            picture * 0.6
            + face * 0.4
            + np.clip(creases - 0.3, 0, 1)[..., None] * rng.uniform(0.3, 1)
        )
    _put(rng, picture, mask, face, round_by=rng.uniform(0, 6))
    if rng.random() < 0.4:  # its side
        away = rng.normal(0, 0.06, 2) * max(height, width)
        side = np.array([box[0], box[1], box[1] + away, box[0] + away])
        mask = _blank(picture)
        cv2.fillPoly(mask, [side.astype(np.int32)], 1)
        _put(rng, picture, mask, face * rng.uniform(0.4, 0.9))


def _cable(rng: Rng, picture: Array) -> None:
    """A cable, a cord, a rubber band: thin and bent."""
    longer = max(picture.shape[:2])
    points = [_at(rng, picture, -0.1, 1.1)]
    heading = rng.uniform(0, 2 * np.pi)
    for _ in range(int(rng.integers(15, 60))):
        heading += rng.normal(0, 0.35)
        points.append(points[-1] + longer * 0.04 * np.array([np.cos(heading), np.sin(heading)]))
    mask = _blank(picture)
    thick = rng.uniform(0.006, 0.03) * longer
    _limb(mask, points, thick)
    _put(rng, picture, mask, _plain(rng), round_by=thick / 2, gloss=rng.uniform(0, 0.6))


def _tool(rng: Rng, picture: Array) -> None:
    """A pen, a screwdriver, a knife: a long thing of two or three stretches."""
    longer = max(picture.shape[:2])
    angle = rng.uniform(0, 2 * np.pi)
    aim = np.array([np.cos(angle), np.sin(angle)])
    at = _at(rng, picture, 0.1, 0.6)
    for _ in range(int(rng.integers(2, 4))):
        mask = _blank(picture)
        reach = rng.uniform(0.08, 0.4) * longer
        thick = rng.uniform(0.01, 0.07) * longer
        _limb(mask, [at, at + aim * reach], thick)
        color = _plain(rng) if rng.random() < 0.6 else np.full(3, rng.uniform(0.4, 0.9), np.float32)
        _put(rng, picture, mask, color, round_by=thick / 2, gloss=rng.uniform(0, 0.8))
        at = at + aim * reach


def _lump(rng: Rng, picture: Array) -> None:
    """Something of no shape: crumpled paper, food, a pebble, a leaf, a stain."""
    longer = max(picture.shape[:2])
    size = rng.uniform(0.03, 0.5) * longer
    turn = np.linspace(0, 2 * np.pi, int(rng.integers(7, 40)), endpoint=False)
    reach = size * (1 + rng.uniform(0, 0.45) * rng.normal(0, 1, len(turn))) / 2
    outline = np.stack([np.cos(turn), np.sin(turn) * rng.uniform(0.4, 1)], axis=-1) * reach[:, None]
    mask = _blank(picture)
    cv2.fillPoly(mask, [(outline + _at(rng, picture)).astype(np.int32)], 1)
    mask = (cv2.GaussianBlur(mask.astype(np.float32), (0, 0), size / 30 + 0.5) > 0.5).astype(
        np.uint8
    )
    height, width = picture.shape[:2]
    level = 1 + rng.uniform(0, 0.3) * _waves(
        rng, height, width, max(2.0, size / rng.uniform(2, 12))
    )
    skin = _plain(rng) * level[..., None]
    if rng.random() < 0.5:
        skin = _leaves(rng, height, width) if rng.random() < 0.7 else _wood(rng, height, width)
    _put(rng, picture, mask, skin, round_by=size * rng.uniform(0, 0.5))


def _crumbs(rng: Rng, picture: Array) -> None:
    longer = max(picture.shape[:2])
    for _ in range(int(rng.integers(3, 25))):
        mask = _blank(picture)
        size = max(1, round(rng.uniform(0.004, 0.03) * longer))
        axes = size, max(1, round(size * rng.uniform(0.3, 1)))
        cv2.ellipse(
            mask,
            _at(rng, picture, 0, 1).astype(int).tolist(),
            axes,
            float(rng.uniform(0, 180)),
            0,
            360,
            1,
            -1,
        )
        _put(rng, picture, mask, _plain(rng), round_by=size)


def _shadow(rng: Rng, picture: Array) -> None:
    """A shadow or a patch of light with an edge, of what is outside the picture."""
    mask = _blank(picture)
    if rng.random() < 0.5:
        cv2.fillPoly(mask, [_turned_box(rng, picture, 0.3, 1.2).astype(np.int32)], 1)
    else:
        axes = (rng.uniform(0.1, 0.6, 2) * max(picture.shape[:2])).astype(int).tolist()
        cv2.ellipse(
            mask,
            _at(rng, picture, 0, 1).astype(int).tolist(),
            axes,
            float(rng.uniform(0, 180)),
            0,
            360,
            1,
            -1,
        )
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), rng.uniform(0.6, 12))
    picture *= (
        1
        + (rng.uniform(0.3, 1.0) if rng.random() < 0.3 else -rng.uniform(0.2, 0.75))
        * soft[..., None]
    )


def _coin(rng: Rng, picture: Array) -> None:
    """Coins, caps, buttons, rings: round and flat, with a rim."""
    longer = max(picture.shape[:2])
    for _ in range(int(rng.integers(1, 5))):
        size, at = rng.uniform(0.03, 0.16) * longer, _at(rng, picture).astype(int).tolist()
        color = np.array([0.75, 0.6, 0.35], np.float32) * rng.uniform(0.5, 1.3)
        for share in (1.0, 0.85, rng.uniform(0.1, 0.6)):
            mask = _blank(picture)
            cv2.circle(mask, at, max(2, round(size * share)), 1, -1)
            _put(
                rng,
                picture,
                mask,
                np.clip(color * rng.uniform(0.7, 1.3), 0, 1),
                round_by=4,
                gloss=0.5,
            )


def _scissors(rng: Rng, picture: Array) -> None:
    longer = max(picture.shape[:2])
    middle, angle = _at(rng, picture, 0.3, 0.7), rng.uniform(0, 2 * np.pi)
    handle = _plain(rng)
    for side in (-1, 1):
        turn = angle + side * rng.uniform(0.08, 0.5)
        aim = np.array([np.cos(turn), np.sin(turn)])
        mask = _blank(picture)
        _limb(
            mask,
            [middle - aim * longer * 0.15, middle + aim * longer * rng.uniform(0.2, 0.45)],
            longer * 0.03,
        )
        _put(
            rng, picture, mask, np.full(3, rng.uniform(0.5, 0.9), np.float32), round_by=4, gloss=0.6
        )
        mask = _blank(picture)
        at = (middle - aim * longer * 0.22).astype(int).tolist()
        cv2.ellipse(mask, at, (round(longer * 0.08), round(longer * 0.05)), math.degrees(turn), 0, 360, 1,
                    max(2, round(longer * 0.02)))  # fmt: skip
        _put(rng, picture, mask, handle, round_by=longer * 0.01)


def _keys(rng: Rng, picture: Array) -> None:
    """A keyboard, a remote control, a telephone: many like fields on a body."""
    height, width = picture.shape[:2]
    pitch = int(rng.integers(14, 50))
    cap, gap = _plain(rng), _plain(rng)
    face = _filled(height, width, gap)
    words = np.zeros((height, width), np.uint8)
    for y in range(0, height, pitch):
        for x in range(0, width, pitch):
            cv2.rectangle(face, (x + 2, y + 2), (x + pitch - 3, y + pitch - 3), cap.tolist(), -1)
            if rng.random() < 0.7:
                cv2.putText(words, chr(int(rng.integers(65, 91))), (x + pitch // 3, y + pitch * 2 // 3),
                            cv2.FONT_HERSHEY_SIMPLEX, pitch / 60, 255, 1, cv2.LINE_AA)  # fmt: skip
    mask = _blank(picture)
    cv2.fillPoly(mask, [_turned_box(rng, picture, 0.3, 1.2).astype(np.int32)], 1)
    _put(rng, picture, mask, _inked(face, words, gap), round_by=4)


def _mug(rng: Rng, picture: Array) -> None:
    longer = max(picture.shape[:2])
    size, at = rng.uniform(0.1, 0.3) * longer, _at(rng, picture, 0.25, 0.75)
    color = _plain(rng)
    for share, shade in ((1.0, color), (0.86, color * 0.6), (0.8, _plain(rng) * 0.5)):
        mask = _blank(picture)
        cv2.circle(mask, at.astype(int).tolist(), max(2, round(size * share)), 1, -1)
        _put(rng, picture, mask, shade, round_by=size * 0.1, gloss=0.5)
    angle = rng.uniform(0, 2 * np.pi)
    aim = np.array([np.cos(angle), np.sin(angle)])
    mask = _blank(picture)
    _limb(mask, [at + aim * size, at + aim * size * rng.uniform(1.3, 1.7)], size * 0.25)
    _put(rng, picture, mask, color, round_by=size * 0.1)


Thing = Callable[[Rng, Array], None]
THINGS: Final[tuple[Thing, ...]] = (
    _hand, _hand, _hand, _face, _face, _package, _cable, _tool, _lump, _lump, _lump, _crumbs, _shadow,
)  # fmt: skip
OTHER_THINGS: Final[tuple[Thing, ...]] = (_coin, _scissors, _keys, _mug)


# -- Parts -----------------------------------------------------------------------------


# A shadow fades where its render ends.
_EDGE: Final = np.minimum(np.arange(SIZE), SIZE - 1 - np.arange(SIZE)) / (0.1 * SIZE)
_MARGIN: Final = np.minimum(1, np.minimum(_EDGE[:, None], _EDGE[None])).astype(np.float32)


def _lay(
    rng: Rng,
    picture: Array,
    rounds: Renders,
    choice: int,
    at: Array,
    long: float,
    color: Array | None,
) -> Laid:
    """Lay a part on the picture, `long` pixels long. It is coloured as `augment` does."""
    height, width = picture.shape[:2]
    scale, angle = long / (SIZE * FILL), rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    place = np.array([[cos, -sin], [sin, cos]])
    begin = at - place @ np.full(2, SIZE / 2)
    layers = rounds.layers[choice].astype(np.float32)
    cover_there = layers[..., 2]
    # Light counts by what is covered, or the edges darken.
    both = np.dstack(
        [layers[..., 0] * cover_there / 255, layers[..., 1] * cover_there / 255, cover_there,
         layers[..., 3] * _MARGIN]
    )  # fmt: skip
    turned = cv2.warpAffine(
        both, np.column_stack([place, begin]), (width, height), flags=cv2.INTER_LINEAR
    )
    cover = turned[..., 2] / 255
    light = turned[..., 0] / np.maximum(cover, 1e-3) / 150
    shine = turned[..., 1] / np.maximum(cover, 1e-3) / 255
    body, ground, _ = augment.drawn_looks(rng)
    own = body[:3] if color is None else color
    flat, contrast, gloss, through = body[3:]
    level = flat + (1 - flat) * np.maximum(light, 0) ** contrast
    painted = own * level[..., None] + (shine * gloss)[..., None]
    if through > 0:
        painted = painted * (1 - through) + picture * through * (0.35 + 0.65 * own)
    picture *= 1 - ground[5] * (turned[..., 3] / 255 * (1 - cover))[..., None]
    picture[:] = picture * (1 - cover[..., None]) + painted * cover[..., None]
    inside = cover > 0.5
    whole = float((cover_there > 127).sum()) * scale**2
    return Laid(choice, inside, float(inside.sum()) / max(1.0, whole))


def _finished(rng: Rng, picture: Array) -> NDArray[np.uint8]:
    """Return the picture as a camera takes it: light, white balance, blur, noise, JPEG."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    level = 1 + rng.normal(0, 0.2) * x + rng.normal(0, 0.2) * y
    level = level * (1 - rng.uniform(0, 0.5) * (x * x + y * y))
    gain = (np.exp(rng.normal(-0.05, 0.22)) * np.exp(rng.normal(0, 0.06, 3))).astype(np.float32)
    out = np.clip(picture * level[..., None].astype(np.float32) * gain, 0, 1)
    out = cv2.pow(out.astype(np.float32), float(np.exp(rng.normal(0, 0.18))))
    blur = rng.exponential(0.6)
    if blur > 0.3:
        out = cv2.GaussianBlur(out, (0, 0), blur)
    grain = rng.standard_normal(out.shape, np.float32) * np.float32(abs(rng.normal(0, 0.015)))
    out = out.astype(np.float32) + grain
    pixels = (np.clip(out, 0, 1) * 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=int(rng.integers(40, 95)))
    return np.asarray(Image.open(file))


def _frame(rng: Rng) -> tuple[int, int]:
    longer = int(rng.integers(220, 480))
    shorter = int(longer * rng.choice([0.56, 0.75, 0.75, 1.0]))
    return (shorter, longer) if rng.random() < 0.7 else (longer, shorter)


def _ground(rng: Rng, kinds: Sequence[Drawn]) -> Array:
    height, width = _frame(rng)
    ground = np.clip(kinds[rng.integers(len(kinds))](rng, height, width), 0.01, 1.2)
    for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.35 else 0):
        _shadow(rng, ground)
    return ground.astype(np.float32)


def of_nothing(rng: Rng, *, held_back: bool = False) -> Photograph:
    """Return a photograph without a part; `held_back`: of kinds that nothing is fitted on."""
    picture = _ground(rng, OTHER_GROUNDS if held_back and rng.random() < 0.5 else GROUNDS)
    things = OTHER_THINGS if held_back else THINGS
    for _ in range(int(rng.choice([0, 1, 1, 1, 2, 3]))):
        things[rng.integers(len(things))](rng, picture)
    if rng.random() < 0.35:  # from near
        height, width = picture.shape[:2]
        sides = np.array([width, height]) / rng.uniform(1.2, 3.5)
        left, top = (rng.random(2) * ([width, height] - sides)).astype(int)
        near = picture[top : top + round(sides[1]), left : left + round(sides[0])]
        picture = cv2.resize(near, (width, height), interpolation=cv2.INTER_CUBIC)
    return Photograph(_finished(rng, picture), [])


def of_parts(rng: Rng, rounds: Renders, draw: Callable[[], int]) -> Photograph:
    """Return a photograph of one part or some apart; `draw` says which render comes next."""
    kind = rng.random()
    if kind < 0.35:
        return _near(rng, rounds, draw())
    if kind < 0.45:  # cut out: the ground is white
        picture = np.ones((*_frame(rng), 3), np.float32)
    else:
        # On most grounds a part can be found: paper, a table, a mat.
        some = GROUNDS if rng.random() < 0.25 else (_paper, _paper, _paper, _wood, _speckled)
        picture = _ground(rng, some)
    height, width = picture.shape[:2]
    parts: list[Laid] = []
    if kind < 0.75:
        long = rng.uniform(0.12, 0.8) * min(height, width)
        at = np.array([width, height]) * (0.5 + np.clip(rng.normal(0, 0.12, 2), -0.3, 0.3))
        color = _like(rng, picture) if rng.random() < 0.15 else None
        parts.append(_lay(rng, picture, rounds, draw(), at, long, color))
        if rng.random() < 0.06:
            _hand(rng, picture)
    else:
        cells = [(row, column) for row in range(3) for column in range(3)]
        for row, column in rng.permutation(cells)[: int(rng.integers(2, 8))]:
            at = (np.array([column, row]) + rng.uniform(0.35, 0.65, 2)) / 3 * [width, height]
            long = rng.uniform(0.1, 0.28) * max(height, width)
            parts.append(_lay(rng, picture, rounds, draw(), at, long, None))
    return Photograph(_finished(rng, picture), parts)


def _like(rng: Rng, picture: Array) -> Array:
    """Return a colour like the ground's: light on light, dark on dark."""
    color = np.median(picture, axis=(0, 1)) * rng.uniform(0.8, 1.2) + rng.normal(0, 0.02, 3)
    return np.clip(color, 0.02, 1).astype(np.float32)


def _near(rng: Rng, rounds: Renders, choice: int) -> Photograph:
    """A part that fills the picture: it touches the edges, and a bit may lie outside."""
    height = int(rng.integers(200, 380))
    width = round(height * rng.uniform(0.8, 1.25))
    if rng.random() < 0.8:
        picture = _filled(
            height, width, np.full(3, rng.uniform(0.35, 0.95)) + rng.normal(0, 0.03, 3)
        )
        picture = picture * (1 + rng.uniform(0, 0.03) * _waves(rng, height, width, 3))[..., None]
        picture = (
            picture * (1 + rng.uniform(0, 0.3) * _waves(rng, height, width, height / 2))[..., None]
        )
        if rng.random() < 0.4:  # the end of the table
            edge, deep = int(rng.integers(4)), rng.uniform(0.02, 0.12)
            turned = np.rot90(picture, edge)
            turned[: max(1, round(deep * len(turned)))] *= rng.uniform(0.1, 0.9)
    else:
        picture = cv2.resize(_ground(rng, GROUNDS), (width, height))
    picture = picture.astype(np.float32)
    # The rectangle of a part is seldom square: the frame is as near as its shorter side lets it be.
    long = rng.uniform(0.75, 1.3) * max(height, width)
    at = np.array([width, height]) * rng.uniform(0.44, 0.56, 2)
    color = _like(rng, picture) if rng.random() < 0.15 else None
    laid = _lay(rng, picture, rounds, choice, at, long, color)
    return Photograph(_finished(rng, picture), [laid])


def of_heap(rng: Rng, rounds: Renders, draw: Callable[[], int]) -> Photograph:
    """Return a photograph of parts that lie on each other, or of a bit of one part."""
    picture = _ground(rng, GROUNDS)
    height, width = picture.shape[:2]
    shorter = min(height, width)
    parts = []
    if rng.random() < 0.25:
        long = rng.uniform(1.8, 4) * shorter
        corner = np.array([width, height]) * rng.choice([-0.2, 1.2, 0.5], 2)
        parts.append(_lay(rng, picture, rounds, draw(), corner, long, None))
        return Photograph(_finished(rng, picture), parts)
    middle, spread = _at(rng, picture, 0.35, 0.65), rng.uniform(0.08, 0.3) * shorter
    for _ in range(int(rng.integers(3, 14))):
        long = rng.uniform(0.15, 0.5) * shorter
        parts.append(
            _lay(rng, picture, rounds, draw(), middle + rng.normal(0, 1, 2) * spread, long, None)
        )
    return Photograph(_finished(rng, picture), parts)

"""Find the pieces on the paper: their crops, sizes and colours. Numbers only.

Whoever imports this needs numpy and OpenCV, 60 MB: the recogniser does when it is first asked.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from apps.recognition.rules import marker_card

Array = NDArray[Any]

cv2.setNumThreads(1)

# A part is found in a picture of so many pixels; it is cut out of the whole one.
_WORK: Final = 480
# The longer side of a part in its crop; training uses the same.
CROP_FILL: Final = 0.9
MOST_PIECES: Final = 12
# What a part covers of its smallest rectangle is told in so many fields a side, of so many pixels.
FORM: Final = 12
FORM_PIXELS: Final = 48
_SMALLEST: Final = 0.0012  # of the picture
_FRAGMENT: Final = 0.0006
# What nearly fills the picture may be a part held near; whether it is one is for presence.py.
_LARGEST: Final = 0.97


@dataclass(frozen=True, slots=True)
class Scale:
    """The measures of a marker card: mm, and the angle of the camera."""

    to_mm: Array  # homography from pixels to the card's mm
    white: Array  # RGB of the card's white, 0 … 1, light as it falls
    grey: Array

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return pixels for a mm across the line of sight, and the camera's elevation in degrees."""
        around = np.array([[x, y, 1], [x + 1, y, 1], [x, y + 1, 1]], np.float64) @ self.to_mm.T
        flat = around[:, :2] / around[:, 2:]
        jacobian = np.stack([flat[1] - flat[0], flat[2] - flat[0]], axis=1)
        largest, smallest = np.linalg.svd(jacobian, compute_uv=False)
        return float(1 / smallest), math.degrees(math.asin(min(1.0, float(smallest / largest))))


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing on the ground. Pixels of the whole picture."""

    box: tuple[float, float, float, float]  # left, top, width, height
    middle: tuple[float, float]
    long: float
    short: float
    angle: float  # degrees that the longer side is turned
    lab: tuple[float, float, float]  # against the white around it
    is_cut_off: bool  # it reaches the picture's edge
    # What it covers of its smallest rectangle, the longer side level; None for what is cut off.
    form: NDArray[np.uint8] | None = field(compare=False)
    # In the small picture: its window, its mask there and its outline.
    place: tuple[tuple[slice, slice], Array, Array] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture, looked at.

    Of a mirrored camera, `rgb` and the pieces are as the part really is: wings are left or right.
    """

    rgb: NDArray[np.uint8]
    pieces: list[Piece]
    scale: Scale | None
    found: "_Found" = field(compare=False, repr=False)
    is_mirrored: bool = False

    def outline(self, piece: Piece) -> tuple[float, float, float, float]:
        """Return left, top, width, height of a piece as shares of the picture that came in."""
        height, width = self.rgb.shape[:2]
        left, top, wide, high = piece.box
        if self.is_mirrored:
            left = width - left - wide
        return (left / width, top / height, wide / width, high / height)


def read(jpeg: bytes) -> NDArray[np.uint8]:
    """Return the pixels of a picture of our own making."""
    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise ValueError("no picture")
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)  # type: ignore[return-value]


def look(rgb: NDArray[np.uint8], *, may_have_card: bool = True) -> Seen:
    """Find the card and the pieces of a picture, the likeliest to be meant first."""
    scale = find_card(rgb) if may_have_card else None
    is_mirrored = may_have_card and scale is None and _shows_card_mirrored(rgb)
    if is_mirrored:
        rgb = np.ascontiguousarray(rgb[:, ::-1])
        scale = find_card(rgb)
    height, width = rgb.shape[:2]
    factor = min(1.0, _WORK / max(height, width))
    small: Any = rgb
    if factor < 1:
        size = (max(1, round(width * factor)), max(1, round(height * factor)))
        small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    ground = _ground(small)
    mask = _mask(small, ground)
    mask = _without_hand(small, mask)
    if scale is not None:
        mask = _within_card(mask, scale, factor)
    found = _Found(small, ground, mask, factor)
    return Seen(rgb, _pieces(small, ground, mask, factor, scale), scale, found, is_mirrored)


def joined(seen: Seen) -> Piece | None:
    """Return all that was found as one piece: a light part on light ground falls apart."""
    found = seen.found
    _, labels, stats, _ = cv2.connectedComponentsWithStats(found.mask, connectivity=8)
    large = [index for index in range(1, len(stats)) if stats[index][4] > _FRAGMENT * labels.size]
    if len(large) < 2:
        return None
    points = np.argwhere(np.isin(labels, large))[:, ::-1].astype(np.int32)
    whole = np.zeros_like(found.mask)
    cv2.fillConvexPoly(whole, cv2.convexHull(points), 1)
    pieces = _pieces(found.small, found.ground, whole, found.factor, seen.scale)
    return pieces[0] if pieces else None


def _linear(rgb: Array) -> Array:
    share = rgb.astype(np.float32) / 255
    linear: Array = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear


_LOGS: Final = np.log(_linear(np.arange(256)) + 0.004).astype(np.float32)


def _ground(small: Array) -> Array:
    """Return the paper as it would be without anything on it: a curved surface for each band."""
    height, width = small.shape[:2]
    # A curve of the second degree needs few points, to be found and to be drawn.
    step = max(1, max(height, width) // 96)
    y, x = np.mgrid[0:height:step, 0:width:step].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    some, values = terms.reshape(-1, 6), small[::step, ::step].reshape(-1, 3)
    values = values.astype(np.float32)
    # The ground is what most of the picture's edge is.
    rim = np.concatenate([small[:4].reshape(-1, 3), small[-4:].reshape(-1, 3),
                          small[:, :4].reshape(-1, 3), small[:, -4:].reshape(-1, 3)])  # fmt: skip
    guess = np.median(rim.astype(np.float32), axis=0)
    near = np.abs(values - guess).max(axis=1) < 60
    weights = None
    for limit in (45.0, 26.0, 16.0):
        if near.sum() < 50:
            break
        weights = _fitted(some[near], values[near])
        near = np.abs(values - some @ weights).max(axis=1) < limit
    if weights is None:
        return np.broadcast_to(guess, small.shape).astype(np.uint8)
    surface = np.clip(terms @ weights, 4, 255).astype(np.float32)
    whole = cv2.resize(surface, (width, height), interpolation=cv2.INTER_LINEAR)
    return whole.astype(np.uint8)


def _fitted(terms: Array, values: Array) -> Array:
    """Return the weights (6, 3) of the nearest curved surface, by the normal equations."""
    terms, values = terms.astype(np.float64), values.astype(np.float64)
    # With all points in one corner the equations have several solutions: the smallest is used.
    gram = terms.T @ terms + 1e-6 * len(terms) * np.eye(terms.shape[1])
    weights: Array = np.linalg.solve(gram, terms.T @ values)
    return weights


def _mask(small: Array, ground: Array) -> Array:
    """Return the mask of all but the ground; shadows are ground."""
    # Light by logarithm: a shadow on paper darkens all bands alike.
    here, there = cv2.LUT(small, _LOGS), cv2.LUT(ground, _LOGS)
    red, green, blue = cv2.split(cv2.GaussianBlur(here - there, (3, 3), 0))
    light = (red + green + blue) / 3
    hue = np.maximum(abs(red - light), np.maximum(abs(green - light), abs(blue - light)))
    dark = float(np.median(there[::8, ::8])) < math.log(0.06)
    deep = 0.35 if dark else 0.75
    found = (hue > 0.16) | (light < -deep) | (light > (0.30 if dark else 0.22))
    # An edge is sharp and a shadow is not.
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    sharp = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 26
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    mask: Array = (found | sharp).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
    filled = np.zeros_like(mask)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(filled, outlines, -1, 1, cv2.FILLED)
    return cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


# Skin of any tone in Cr and Cb; light changes the brightness of skin, hardly these two.
_SKIN: Final = (np.array([136, 95]), np.array([172, 126]))
_NEAR_SKIN: Final = 14
_WRIST: Final = 0.06  # of the picture's longer side, at least
_HAND: Final = 0.04  # of the picture, at least
_HELD: Final = 0.005


def _without_hand(small: Array, mask: Array) -> Array:
    """Remove a hand that reaches in from the edge, except the piece in it.

    A hand that holds nothing stays: it may be a part of the colour of skin.
    """
    chroma = _chroma(_rim(small)[None])[0]
    skin = ((chroma >= _SKIN[0]) & (chroma <= _SKIN[1])).all(axis=1) & (_rim(mask) > 0)
    # Most pictures end here, before anything costs time.
    if skin.sum() < _WRIST * max(mask.shape):
        return mask
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    reached = _rim(labels)
    everywhere = _chroma(small)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    for index in np.unique(reached[skin]):
        if stats[index][4] < _HAND * mask.size:
            continue
        tone = np.median(chroma[skin & (reached == index)], axis=0)
        own = labels == index
        other = own & (np.abs(everywhere - tone).max(axis=2) > _NEAR_SKIN)
        held = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_OPEN, kernel)
        if held.sum() >= _HELD * mask.size:
            mask = np.where(own, held, mask).astype(np.uint8)
    return mask


def _rim(grid: Array) -> Array:
    """Return the cells along the four edges of a grid, in one row."""
    return np.concatenate([grid[0], grid[-1], grid[:, 0], grid[:, -1]])


def _chroma(rgb: Array) -> Array:
    chroma: Array = cv2.cvtColor(rgb, cv2.COLOR_RGB2YCrCb)[..., 1:].astype(np.int16)
    return chroma


def _within_card(mask: Array, scale: Scale, factor: float) -> Array:
    """Keep only the card's free field."""
    corners = np.array([[x, y, 1] for x, y in marker_card.FIELD], np.float64)
    back = np.linalg.inv(scale.to_mm)
    points = corners @ back.T
    points = points[:, :2] / points[:, 2:] * factor
    field = np.zeros_like(mask)
    cv2.fillConvexPoly(field, points.round().astype(np.int32), 1)
    return mask * field


def _pieces(
    small: Array, ground: Array, mask: Array, factor: float, scale: Scale | None
) -> list[Piece]:
    height, width = mask.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    total = height * width
    found: list[tuple[float, Piece]] = []
    for index in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[index])
        if not _SMALLEST * total < area < _LARGEST * total or min(wide, high) < 5:
            continue
        window = (slice(top, top + high), slice(left, left + wide))
        own = labels[window] == index
        outline, _ = cv2.findContours(
            own.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        bound = max(outline, key=cv2.contourArea)
        points = bound.reshape(-1, 2) + np.array([left, top])
        (x, y), (one, other), angle = cv2.minAreaRect(points.astype(np.float32))
        if other > one:
            one, other, angle = other, one, angle + 90
        cut = left <= 1 or top <= 1 or left + wide >= width - 1 or top + high >= height - 1
        white = scale.white if scale is not None else None
        piece = Piece(
            box=(left / factor, top / factor, wide / factor, high / factor),
            middle=(x / factor, y / factor),
            long=max(1.0, one - 0.5) / factor, short=max(1.0, other - 0.5) / factor, angle=float(angle),
            lab=_shade(small[window][own], ground[window][own], white),
            is_cut_off=cut,
            form=None if cut else _form(own, (x - left, y - top), one, other, angle),
            place=(window, own, bound),
        )  # fmt: skip
        far = math.hypot(x / width - 0.5, y / height - 0.5)
        found.append((area / total * (1 - far) * (0.1 if cut else 1.0), piece))
    found.sort(key=lambda pair: -pair[0])
    return [piece for _, piece in found[:MOST_PIECES]]


@dataclass(frozen=True, slots=True)
class _Found:
    """The small picture that pieces were found in."""

    small: Array
    ground: Array
    mask: Array
    factor: float  # its pixels by those of the whole picture

    def traits(self, piece: Piece) -> Array:
        """Return how a piece stands out, how it is bounded, and what is around it."""
        window, own, bound = piece.place
        height, width = self.mask.shape
        small, ground = self.small[window], self.ground[window]
        light, hue = _apart(small, ground)
        light, hue, chroma = light[own], hue[own], _chroma(small)[own]
        slope = _slope(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY))
        inner = cv2.erode(own.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        edge = own & ~inner
        rim, inside = slope[edge if edge.any() else own], slope[inner if inner.any() else own]
        skin = ((chroma >= _SKIN[0]) & (chroma <= _SKIN[1])).all(axis=1).mean()
        area = int(own.sum())
        top, left = window[0].start, window[1].start
        sides = (
            (left <= 1)
            + (top <= 1)
            + (window[1].stop >= width - 1)
            + (window[0].stop >= height - 1)
        )
        far = math.hypot(
            (left + window[1].stop) / 2 / width - 0.5, (top + window[0].stop) / 2 / height - 0.5
        )
        traits: Array = np.array(
            [
                math.log(area / self.mask.size), sides, far, *_bounds(bound, area),
                np.median(light), np.abs(light).mean(), light.std(), np.median(hue), hue.std(),
                skin, chroma.std() / 10, rim.mean() / 40, np.quantile(rim, 0.25) / 40,
                inside.mean() / 20, np.quantile(inside, 0.9) / 40, *self._around(),
            ],
            np.float32,
        )  # fmt: skip
        return traits

    def _around(self) -> list[float]:
        """Return how even the ground is, how light, and how much of it is covered."""
        step = 3  # each third pixel tells as much
        empty = self.mask[::step, ::step] == 0
        light, hue = _apart(self.small[::step, ::step], self.ground[::step, ::step])
        steep = _slope(cv2.cvtColor(self.small, cv2.COLOR_RGB2GRAY))[::step, ::step][empty]
        level = float(np.median(_LOGS[self.ground[::8, ::8]]))
        told = [level, float(self.mask.mean())]
        if not empty.any():
            return [0.0, 0.0, 0.0, 0.0, *told]
        return [float(np.abs(light[empty]).mean()), float(hue[empty].mean()),
                float(steep.mean()) / 20, float(np.quantile(steep, 0.95)) / 40, *told]  # fmt: skip


def _apart(small: Array, ground: Array) -> tuple[Array, Array]:
    """Return how much lighter than the ground pixels are, by logarithm, and how differently coloured."""
    red, green, blue = cv2.split(cv2.subtract(cv2.LUT(small, _LOGS), cv2.LUT(ground, _LOGS)))
    light = (red + green + blue) / 3
    return light, np.maximum(abs(red - light), np.maximum(abs(green - light), abs(blue - light)))


def _slope(grey: Array) -> Array:
    slope: Array = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return slope


def _bounds(outline: Array, area: int) -> list[float]:
    """Return how full, how long, how straight and how compact a shape is."""
    round_it = cv2.arcLength(outline, True)
    hull = cv2.convexHull(outline)
    _, (one, other), _ = cv2.minAreaRect(outline)
    corners = len(cv2.approxPolyDP(outline, 0.02 * round_it, True))
    return [
        area / max(1.0, one * other), min(one, other) / max(1.0, one, other),
        cv2.contourArea(outline) / max(1.0, cv2.contourArea(hull)),
        math.log(max(1.0, round_it) ** 2 / max(1, area)),
        cv2.arcLength(hull, True) / max(1.0, round_it), min(corners, 30) / 10,
    ]  # fmt: skip


def _form(
    own: Array, middle: tuple[float, float], long: float, short: float, angle: float
) -> NDArray[np.uint8]:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    # From the grid's pixels to those of the mask; sides go from middle to middle of pixels.
    place = np.array([[cos, -sin], [sin, cos]]) * np.array([long + 1, short + 1]) / FORM_PIXELS
    begin = np.array(middle) - place @ np.full(2, (FORM_PIXELS - 1) / 2)
    level = cv2.warpAffine(
        own.astype(np.float32), np.column_stack([place, begin]), (FORM_PIXELS, FORM_PIXELS),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )  # fmt: skip
    return form_of((level > 0.5).astype(np.uint8))


def form_of(cover: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return how much of each field is covered, 0 … 255; what is enclosed counts as covered."""
    filled = np.zeros_like(cover)
    outlines, _ = cv2.findContours(cover, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(filled, outlines, -1, 255, cv2.FILLED)
    return cv2.resize(filled, (FORM, FORM), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _shade(own: Array, ground: Array, white: Array | None) -> tuple[float, float, float]:
    """Return CIE Lab of a piece under the light that the paper around it shows."""
    paper = white if white is not None else np.median(_linear(ground), axis=0)
    paper = np.maximum(paper, 0.02)
    # Light that is told by paper makes colours look darker than their RGB says: the study of
    # recognition measured by how much. Dark ground is no paper, and only its tint counts.
    level = float(paper.mean())
    if level < 0.16:
        paper = paper / level * 0.5
    lab = lab_of(np.clip(_linear(own) / paper * _PAPER, 0, 1.2))
    order = np.argsort(lab[:, 0])
    band = lab[order[int(len(order) * 0.45) : max(1, int(len(order) * 0.85))]]
    if not len(band):
        band = lab
    first, second, third = (float(value) for value in np.median(band, axis=0))
    return first, second, third


_PAPER: Final = 0.92 * 1.15
_TO_XYZ: Final = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]], np.float32,
)  # fmt: skip


def lab_of(linear: Array) -> Array:
    """Return CIE Lab (n, 3) of linear RGB (n, 3)."""
    xyz = linear @ _TO_XYZ.T / np.array([0.95047, 1.0, 1.08883], np.float32)
    root = np.where(xyz > 0.008856, np.cbrt(np.maximum(xyz, 1e-9)), 7.787 * xyz + 16 / 116)
    lab: Array = np.stack(
        [116 * root[:, 1] - 16, 500 * (root[:, 0] - root[:, 1]), 200 * (root[:, 1] - root[:, 2])],
        axis=-1,
    )
    return lab


def linear_of_hex(rgb: str) -> Array:
    """Return linear RGB of a colour such as "C91A09"."""
    return _linear(np.array([int(rgb[place : place + 2], 16) for place in (0, 2, 4)]))


def crop(rgb: Array, piece: Piece, size: int) -> NDArray[np.uint8]:
    """Return the piece alone, its longer side level, in a square of `size` pixels."""
    ratio = size * CROP_FILL / piece.long
    picture = rgb
    x, y = piece.middle
    # Shrunk by halves first, else fine structure turns into noise.
    while ratio < 0.5:
        picture = cv2.pyrDown(picture)
        ratio, x, y = ratio * 2, x / 2, y / 2
    turn = cv2.getRotationMatrix2D((x, y), piece.angle, ratio)
    turn[:, 2] += np.array([size / 2 - x, size / 2 - y])
    cut = cv2.warpAffine(
        picture, turn, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return cut.astype(np.uint8)


def find_card(rgb: NDArray[np.uint8]) -> Scale | None:
    """Return the measures of the marker card, None if fewer than three of its marks are seen."""
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    corners, ids, _ = _detector().detectMarkers(grey)
    if ids is None:
        return None
    seen, meant = [], []
    for corner, number in zip(corners, ids.reshape(-1), strict=True):
        if int(number) in marker_card.MARKS:
            seen.append(corner.reshape(4, 2))
            meant.append(marker_card.corners_of(int(number)))
    if len(seen) < 3:
        return None
    to_mm, _ = cv2.findHomography(np.concatenate(seen), np.concatenate(meant))
    if to_mm is None or abs(np.linalg.det(to_mm)) < 1e-12:
        return None
    back = np.linalg.inv(to_mm)
    white = _patch(rgb, back, marker_card.WHITE)
    grey_patch = _patch(rgb, back, marker_card.GREY)
    if white is None or grey_patch is None or white.mean() < 0.02:
        return None
    return Scale(to_mm, white, grey_patch)


def _shows_card_mirrored(rgb: NDArray[np.uint8]) -> bool:
    # A card fills the picture: half of the pixels suffice, a millisecond.
    grey = cv2.cvtColor(np.ascontiguousarray(rgb[::2, ::-2]), cv2.COLOR_RGB2GRAY)
    _, ids, _ = _detector().detectMarkers(grey)
    return ids is not None and len({int(one) for one in ids.ravel()} & set(marker_card.MARKS)) >= 3


def _patch(rgb: Array, back: Array, box: tuple[float, float, float, float]) -> Array | None:
    left, top, width, height = box
    x, y = np.meshgrid(
        np.linspace(left + width * 0.2, left + width * 0.8, 9),
        np.linspace(top + height * 0.2, top + height * 0.8, 9),
    )
    points = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1) @ back.T
    at = (points[:, :2] / points[:, 2:]).round().astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < rgb.shape[1]) & (at[:, 1] < rgb.shape[0])
    if inside.sum() < 20:
        return None
    colors: Array = np.median(_linear(rgb[at[inside, 1], at[inside, 0]]), axis=0)
    return colors


_detectors: list[Any] = []


def _detector() -> Any:
    if not _detectors:
        words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        _detectors.append(cv2.aruco.ArucoDetector(words, cv2.aruco.DetectorParameters()))
    return _detectors[0]


def resized(rgb: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """Return a kept crop in another size."""
    return cv2.resize(rgb, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8)


def jpeg_of(rgb: NDArray[np.uint8]) -> bytes:
    """Return a crop as a small JPEG, to keep."""
    _, out = cv2.imencode(
        ".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 88]
    )
    return out.tobytes()

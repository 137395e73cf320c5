"""From neutral renders to pictures as cameras take them: colour, light, ground, crop, noise."""

import io
from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray
from PIL import Image

from vision.scenes import FILL, SIZE

Array = NDArray[Any]

# What the recogniser crops a part to: its longer side, of the frame.
CROP_FILL: Final = 0.9

# Colours that parts are moulded in, RGB; neutral and dark ones are met more often.
_COLORS: Final = np.array(
    [
        (0x05, 0x13, 0x1D), (0x05, 0x13, 0x1D), (0x05, 0x13, 0x1D), (0xFF, 0xFF, 0xFF),
        (0xFF, 0xFF, 0xFF), (0xA0, 0xA5, 0xA9), (0xA0, 0xA5, 0xA9), (0x6C, 0x6E, 0x68),
        (0x6C, 0x6E, 0x68), (0x9B, 0xA1, 0x9D), (0xC9, 0x1A, 0x09), (0xC9, 0x1A, 0x09),
        (0xC9, 0x1A, 0x09), (0x00, 0x55, 0xBF), (0x00, 0x55, 0xBF), (0xF2, 0xCD, 0x37),
        (0xF2, 0xCD, 0x37), (0x23, 0x78, 0x41), (0x4B, 0x9F, 0x4A), (0xE4, 0xCD, 0x9E),
        (0x58, 0x2A, 0x12), (0xFE, 0x8A, 0x18), (0x95, 0x8A, 0x73), (0x72, 0x0E, 0x0F),
        (0x0A, 0x34, 0x63), (0x18, 0x46, 0x32), (0xBB, 0xE9, 0x0B), (0x5A, 0x93, 0xDB),
        (0xFC, 0x97, 0xAC), (0xC8, 0x70, 0xA0), (0x3F, 0x36, 0x91), (0xAC, 0x78, 0xBA),
        (0xE1, 0xD5, 0xED), (0x36, 0xAE, 0xBF), (0x07, 0x8B, 0xC9), (0xA0, 0xBC, 0xAC),
        (0x9B, 0x9A, 0x5A), (0xCC, 0x70, 0x2A), (0xA9, 0x55, 0x00), (0x35, 0x21, 0x00),
        (0xF8, 0xBB, 0x3D), (0xFF, 0xF0, 0x3A), (0x9F, 0xC3, 0xE9), (0xFF, 0x69, 0x8F),
    ],
    np.float32,
) / 255  # fmt: skip

_NOISE: Final = np.random.default_rng(3).normal(size=65536).astype(np.float32)


@njit(cache=True, nogil=True, fastmath=True)
def _compose(layers, size, choice, shape, body, ground, look, noise, noise_seed, out):
    """Write one picture (size, size, 3) of 0 … 1.

    shape   a, b, c, d, e, f: from a pixel of the picture to one of the render
    body    r, g, b, flatness, contrast, gloss, see-through
    ground  r, g, b, slope across, slope down, shadow, blotches, their scale, phase, cut out,
            highlights cut out, stripes
    look    gain r, g, b, gamma, noise, blur, coarse noise, vignette
    """
    edge = layers.shape[1]
    is_cut = ground[9] > 0
    for y in range(size):
        for x in range(size):
            u = shape[0] * x + shape[1] * y + shape[2]
            v = shape[3] * x + shape[4] * y + shape[5]
            i, j = int(np.floor(u)), int(np.floor(v))
            light, gloss, cover, shadow = 0.0, 0.0, 0.0, 0.0
            for dj in range(2):
                for di in range(2):
                    xx, yy = i + di, j + dj
                    if 0 <= xx < edge and 0 <= yy < edge:
                        share = (1 - abs(u - xx)) * (1 - abs(v - yy))
                        pixel = layers[choice, yy, xx]
                        part = share * pixel[2]
                        light += part * pixel[0]
                        gloss += part * pixel[1]
                        cover += part
                        shadow += share * pixel[3]
            if cover > 0:
                light /= cover
                gloss /= cover
            cover /= 255.0
            # The shadow fades where the render ends.
            margin = min(min(u, edge - 1 - u), min(v, edge - 1 - v)) / (0.1 * edge)
            shadow = shadow / 255.0 * min(1.0, max(0.0, margin))
            light = light / 150.0
            light = body[3] + (1 - body[3]) * light ** body[4]
            shine = gloss / 255.0 * body[5]
            across, down = x / size - 0.5, y / size - 0.5
            level = 1 + ground[3] * across + ground[4] * down
            if ground[6] > 0 and not is_cut:
                bent = across * ground[7] + 3 * np.sin(down * ground[7] * 0.7 + ground[8])
                swept = down * ground[7] + 2 * np.sin(across * ground[7] * 0.6 + ground[8] * 1.7)
                blot = np.sin(bent) * np.sin(swept)
                stripe = np.sin(across * ground[11] * 9 + down * ground[11] * 5 + 2 * blot)
                level += ground[6] * (blot + 0.5 * stripe)
            level *= 1 - ground[5] * shadow
            fall = 1 - look[7] * (across * across + down * down)
            grain = look[6] * noise[(noise_seed + (y // 2) * 257 + x // 2) & 65535]
            if is_cut and ground[10] > 0 and shine > ground[10]:
                cover *= max(0.0, 1 - (shine - ground[10]) * 8)
            for band in range(3):
                behind = 1.0 if is_cut else ground[band] * level * look[band] * fall
                own = body[band] * light + shine
                own = own * look[band] * fall
                if body[6] > 0:
                    through = ground[band] * level if not is_cut else 0.85
                    own = own * (1 - body[6]) + body[6] * through * (0.35 + 0.65 * body[band])
                value = cover * own + (1 - cover) * behind
                value = min(1.0, max(0.0, value)) ** look[3]
                out[y, x, band] = value + grain
    blur = look[5]
    while blur > 0:
        share = min(1.0, blur) * 0.25
        for band in range(3):
            for y in range(size):
                before = out[y, 0, band]
                for x in range(size):
                    here = out[y, x, band]
                    after = out[y, min(size - 1, x + 1), band]
                    out[y, x, band] = here + share * (before + after - 2 * here)
                    before = here
            for x in range(size):
                before = out[0, x, band]
                for y in range(size):
                    here = out[y, x, band]
                    after = out[min(size - 1, y + 1), x, band]
                    out[y, x, band] = here + share * (before + after - 2 * here)
                    before = here
        blur -= 1.0
    if look[4] > 0:
        for y in range(size):
            for x in range(size):
                if is_cut and out[y, x, 1] > 0.999:
                    continue
                place = noise_seed + 7919 + y * size + x
                for band in range(3):
                    both = noise[place & 65535] + 0.5 * noise[(place * 3 + band * 21001) & 65535]
                    out[y, x, band] += look[4] * both
    for y in range(size):
        for x in range(size):
            for band in range(3):
                out[y, x, band] = min(1.0, max(0.0, out[y, x, band]))


def picture(
    layers: Array, choice: int, size: int, rng: np.random.Generator, *, tight: bool = False
) -> tuple[NDArray[np.float32], float]:
    """Return a picture of one render, and by how much its crop enlarged the part."""
    angle, stretch, zoom, shift = _crop(rng, tight)
    if rng.random() < 0.5:
        angle += np.pi
    scale = SIZE * FILL / CROP_FILL * zoom / size
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    half = size / 2
    shape = np.array(
        [
            cos * stretch, -sin, SIZE / 2 - cos * stretch * (half + shift[0]) + sin * (half + shift[1]),
            sin * stretch, cos, SIZE / 2 - sin * stretch * (half + shift[0]) - cos * (half + shift[1]),
        ],
        np.float32,
    )  # fmt: skip
    out = np.empty((size, size, 3), np.float32)
    body, ground, look = drawn_looks(rng)
    _compose(
        layers, size, choice, shape, body, ground, look, _NOISE, int(rng.integers(1 << 30)), out
    )
    if rng.random() < 0.3:
        coarse = int(size * rng.uniform(0.45, 0.9))
        small = Image.fromarray((out * 255).astype(np.uint8)).resize(
            (coarse, coarse), Image.Resampling.BILINEAR
        )
        out = np.asarray(small.resize((size, size), Image.Resampling.BILINEAR), np.float32) / 255
    if rng.random() < 0.35:
        file = io.BytesIO()
        Image.fromarray((out * 255).astype(np.uint8)).save(
            file, "JPEG", quality=int(rng.integers(35, 92))
        )
        out = np.asarray(Image.open(file), np.float32) / 255
    return out, zoom


def _crop(rng: np.random.Generator, tight: bool) -> tuple[float, float, float, Array]:
    if tight or rng.random() < 0.7:
        return (
            float(rng.normal(0, 0.05)),
            float(rng.uniform(0.94, 1.06)),
            float(rng.uniform(0.93, 1.15)),
            rng.normal(0, 1.5, 2),
        )
    return (
        float(rng.uniform(-0.45, 0.45)),
        float(rng.uniform(0.88, 1.14)),
        float(rng.uniform(0.95, 1.6)),
        rng.normal(0, 4, 2),
    )


def drawn_looks(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    color = _COLORS[rng.integers(len(_COLORS))].copy()
    if rng.random() < 0.25:
        color = rng.uniform(0, 1, 3).astype(np.float32)
    color = np.clip(color + rng.normal(0, 0.035, 3), 0.012, 1)
    # What is dark is seen by what it mirrors.
    color = color + (0.06 * rng.random() if color.max() < 0.25 else 0)
    through = rng.uniform(0.35, 0.75) if rng.random() < 0.06 else 0.0
    # Even light from everywhere takes the shadows off edges and tubes; a lamp or a flash near the
    # camera burns large parts of a glossy face out.
    flat = rng.uniform(0.3, 0.75) if rng.random() < 0.3 else rng.uniform(0, 0.35)
    gloss = rng.uniform(0.6, 1.8) if rng.random() < 0.25 else rng.gamma(1.2, 0.28)
    body = np.array([*color, flat, rng.uniform(0.7, 1.6), gloss, through])
    is_cut = rng.random() < 0.4
    kind = rng.random()
    if kind < 0.62:  # paper
        paper = np.full(3, rng.uniform(0.55, 1.0)) + rng.normal(0, 0.04, 3)
    elif kind < 0.82:  # wood, skin, card
        paper = np.array([0.72, 0.58, 0.44]) * rng.uniform(0.4, 1.25) + rng.normal(0, 0.06, 3)
    else:
        paper = rng.uniform(0.03, 0.9, 3)
    plain = rng.random() < 0.7
    ground = np.array(
        [
            *np.clip(paper, 0.02, 1.1), rng.normal(0, 0.15), rng.normal(0, 0.15),
            rng.uniform(0.2, 1.0), 0.0 if plain else rng.uniform(0.02, 0.16), rng.uniform(2, 16),
            rng.uniform(0, 6), float(is_cut), rng.uniform(0.25, 0.9) if rng.random() < 0.5 else 0.0,
            rng.uniform(1, 8),
        ]
    )  # fmt: skip
    gain = np.exp(rng.normal(0, 0.22)) * np.exp(rng.normal(0, 0.06, 3))
    look = np.array(
        [
            *gain, np.exp(rng.normal(0, 0.18)), abs(rng.normal(0, 0.015)), rng.exponential(0.7),
            abs(rng.normal(0, 0.008)), rng.uniform(0, 0.5),
        ]
    )  # fmt: skip
    return body.astype(np.float32), ground.astype(np.float32), look.astype(np.float32)


def batch(
    layers: Array,
    sizes: Array,
    chosen: Array,
    size: int,
    rng: np.random.Generator,
    *,
    tight: bool = False,
    known_size: bool | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return pictures (n, 3, size, size) of -1 … 1, and their tokens (n, 3).

    A token is log2 of the longer side in mm, whether it is known, and how long for its width.
    """
    pictures = np.empty((len(chosen), 3, size, size), np.float32)
    tokens = np.zeros((len(chosen), 3), np.float32)
    for place, choice in enumerate(chosen):
        out, _ = picture(layers, int(choice), size, rng, tight=tight)
        pictures[place] = out.transpose(2, 0, 1) * 2 - 1
        told = rng.random() < 0.5 if known_size is None else known_size
        tokens[place] = token(sizes[choice, 0] * np.exp(rng.normal(0, 0.03)) if told else None,
                              sizes[choice, 1] / sizes[choice, 0] * np.exp(rng.normal(0, 0.05)))  # fmt: skip
    return pictures, tokens


def token(long: float | None, aspect: float) -> tuple[float, float, float]:
    """Return what the network is told beside the picture; `long` in mm, or None."""
    if long is None:
        return 0.0, 0.0, aspect
    return float(np.log2(max(long, 1.0)) - 4.5), 1.0, aspect

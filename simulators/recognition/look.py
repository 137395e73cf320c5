"""Finds the object on the plain background of a picture and compares it with the samples."""

import io
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image, ImageChops, ImageFilter, ImageStat, UnidentifiedImageError

from simulators.recognition.samples import COLORS, FOLDER, SAMPLES, Known, Rgb, Sample

WORK: Final = (320, 240)
GRID: Final = 16
DIFFERS: Final = 40  # of 255, in any channel, from the ground
LEAST_PIXELS: Final = 60
FORMATS: Final = ("JPEG", "PNG", "WEBP")
# Above this distance two objects do not count as similar.
FAR: Final = 0.34
# A complete object that resembles no sample gets uncertain guesses.
GUESSES: Final = 3
GUESSED: Final = (0.31, 0.6)
CAMERA_PATTERN: Final = Sample("", "", (0, 0, 0), (Known("3001", "Brick 2 x 4"),))


class Unreadable(ValueError):
    """It is no JPEG, PNG or WebP."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Something on a picture: where (left, upper, right, lower), its shape and its colour."""

    box: tuple[int, int, int, int]
    size: tuple[int, int]
    shape: bytes
    ratio: float
    color: Rgb
    covers: float


@dataclass(frozen=True, slots=True)
class Match:
    score: float
    sample: Sample


def opened(content: bytes) -> Image.Image:
    """Return the picture. Raises Unreadable."""
    try:
        picture = Image.open(io.BytesIO(content), formats=FORMATS)
        picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as problem:
        raise Unreadable from problem
    return picture.convert("RGB")


def look(picture: Image.Image) -> Seen | None:
    """Return the object on the background, None for an empty picture."""
    small = picture.resize(WORK, Image.Resampling.BOX).filter(ImageFilter.MedianFilter(3))
    ground = _ground(small)
    bands = ImageChops.difference(small, Image.new("RGB", WORK, ground)).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    mask = most.point(lambda value: 255 if value > DIFFERS else 0).filter(
        ImageFilter.MedianFilter(3)
    )
    box = mask.getbbox()
    pixels = mask.histogram()[255]
    if box is None or pixels < LEAST_PIXELS:
        return None
    thing = small.crop(box).convert("L").resize((GRID, GRID), Image.Resampling.BOX)
    cover = mask.crop(box).resize((GRID, GRID), Image.Resampling.BOX)
    # Light on the thing itself, so that its colour does not matter for its shape.
    stat = ImageStat.Stat(thing, cover.point(lambda value: 255 if value > 128 else 0))
    mean, spread = (
        stat.mean[0] if stat.count[0] else 0,
        (stat.stddev[0] if stat.count[0] else 0) or 1,
    )
    shape = bytes(
        round(255 * part / 255 * 0.5)
        + (round(64 + 24 * max(-2.5, min(2.5, (light - mean) / spread))) if part > 128 else 0)
        for part, light in zip(cover.tobytes(), thing.tobytes(), strict=True)
    )
    color = _lit(small, mask)
    left, upper, right, lower = box
    return Seen(
        box=box,
        size=picture.size,
        shape=shape,
        ratio=(right - left) / (lower - upper),
        color=color,
        covers=pixels / (WORK[0] * WORK[1]),
    )


def _lit(small: Image.Image, mask: Image.Image) -> Rgb:
    """The colour of the side that has the light."""
    inner = mask.filter(ImageFilter.MinFilter(5))
    inner = inner if inner.getbbox() else mask
    gray = small.convert("L")
    middle = ImageStat.Stat(gray, inner).median[0]
    bright = gray.point(lambda value: 255 if value > middle else 0)
    lit = ImageChops.darker(inner, bright)
    red, green, blue = ImageStat.Stat(small, lit if lit.getbbox() else inner).median
    return red, green, blue


def _ground(small: Image.Image) -> Rgb:
    """The commonest colour of the edge."""
    width, height = small.size
    edge = Image.new("RGB", (2 * (width + height), 4))
    edge.paste(small.crop((0, 0, width, 4)), (0, 0))
    edge.paste(small.crop((0, height - 4, width, height)), (width, 0))
    for at, column in ((2 * width, 0), (2 * width + height, width - 4)):
        turned = small.crop((column, 0, column + 4, height)).transpose(Image.Transpose.ROTATE_90)
        edge.paste(turned, (at, 0))
    red, green, blue = ImageStat.Stat(edge).median
    return red, green, blue


def is_camera_pattern(picture: Image.Image) -> bool:
    """Return whether the picture is of Chromium's fake camera: a circle's sector on green."""
    red, green, blue = ImageStat.Stat(picture.resize((32, 24))).median
    return green > 90 and green > 1.5 * red and green > 1.5 * blue


@cache
def known() -> tuple[tuple[Sample, Seen], ...]:
    found = []
    for sample in SAMPLES:
        if sample.shows:
            with Image.open(FOLDER / sample.file) as picture:
                seen = look(picture.convert("RGB"))
            if seen is not None:
                found.append((sample, seen))
    return tuple(found)


def matches(seen: Seen) -> list[Match]:
    """Return the samples that it is like, the likest first, each kind of shape once."""
    best: dict[str, Match] = {}
    for distance, sample in _compared(seen):
        if distance < FAR:
            score = round(min(0.98, max(0.0, 1.12 - 1.2 * distance)), 3)
            best.setdefault(sample.shape, Match(score=score, sample=sample))
    return list(best.values())


def guesses(seen: Seen) -> list[Match]:
    """Return the nearest samples for an object without a match, none if the object is cut off."""
    left, upper, right, lower = seen.box
    if left == 0 or upper == 0 or right == WORK[0] or lower == WORK[1]:
        return []
    least, most = GUESSED
    return [
        Match(score=round(least + (most - least) * FAR / distance, 3), sample=sample)
        for distance, sample in _compared(seen)[:GUESSES]
    ]


def _compared(seen: Seen) -> list[tuple[float, Sample]]:
    """Every sample with its distance, the likest first."""
    found = [(_distance(seen, other), sample) for sample, other in known()]
    return sorted(found, key=lambda row: row[0])


def _distance(one: Seen, other: Seen) -> float:
    apart = sum(abs(a - b) for a, b in zip(one.shape, other.shape, strict=True))
    shape = apart / (len(one.shape) * 64)
    ratio = abs(one.ratio - other.ratio) / max(one.ratio, other.ratio)
    return shape + 0.8 * ratio


def colors(seen: Seen) -> list[tuple[str, str, float]]:
    """Return id, name and score of the likeliest colours."""
    found = []
    for name, (number, value) in COLORS.items():
        apart = sum((a - b) ** 2 for a, b in zip(seen.color, value, strict=True)) ** 0.5
        found.append((number, name, round(max(0.0, 1 - apart / 160), 3)))
    return sorted(found, key=lambda row: -row[2])

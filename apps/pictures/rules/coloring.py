"""Colours the layers of a part: what `/pictures/` serves. Pillow alone, by tables, in about a ms."""

import colorsys
import io
import math
import re
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageChops

# In every address: change it when the same address would give another picture.
VERSION: Final = 2
SIZES: Final = (64, 128, 256)
FULL_SHADE: Final = 204
# The larger the picture, the less trouble is taken to make it small: 3 ms at most.
_METHODS: Final = {64: 2, 128: 1, 256: 0}
# Used for items without a colour, or with one of unknown RGB.
NO_RGB: Final = "C3C6CB"

SOLID: Final = "solid"
TRANSPARENT: Final = "transparent"
CHROME: Final = "chrome"
PEARL: Final = "pearl"
METALLIC: Final = "metallic"
GLITTER: Final = "glitter"
GLOW: Final = "glow"
MILKY: Final = "milky"

# The marketplace's RGB of these differs from their look (screens cannot show chrome).
_LOOKS: Final = {"chrome gold": "D9B34A", "chrome antique brass": "7A6A4C"}
_WORDS: Final = (
    (r"\bchrome\b", CHROME),
    (r"\bglow\b", GLOW),
    (r"\bglitter|\bspeckle", GLITTER),
    (r"\bmilky|\bsatin|\bopal", MILKY),
    (r"\btrans\b|\btransparent\b|\btrans-", TRANSPARENT),
    (r"\bmetallic\b|\bmetal\b", METALLIC),
    (r"\bpearl|\bflat (silver|dark gold)|\bcopper\b|\breddish gold\b|\bbionicle (gold|silver|copper)", PEARL),
)  # fmt: skip


class Paint(NamedTuple):
    """How a colour is painted: its RGB, what kind of plastic, and whether light goes through."""

    rgb: str
    finish: str
    is_clear: bool


def paint_of(*, name: str, rgb: str, color_type: str, is_trans: bool) -> Paint:
    """Return how a colour of the catalogue is painted."""
    told = f"{color_type} {name}".lower()
    finish = next((finish for pattern, finish in _WORDS if re.search(pattern, told)), SOLID)
    is_clear = is_trans or bool(re.search(r"\btrans\b|\btrans-|\btransparent\b", told))
    if finish == SOLID and is_clear:
        finish = TRANSPARENT
    shown = _LOOKS.get(name.lower(), rgb)
    return Paint(shown if re.fullmatch("[0-9A-F]{6}", shown) else NO_RGB, finish, is_clear)


def colored(
    shape: bytes, own_colors: bytes, paint: Paint, size: int, *, as_png: bool = False
) -> bytes:
    """Return the part in a colour, on a clear ground, as WebP (or PNG, for print)."""
    picture = painted(shape, own_colors, paint, size)
    file = io.BytesIO()
    if as_png:
        picture.save(file, "PNG", compress_level=6)
    elif paint.is_clear and size == SIZES[-1]:
        # Large and half clear: both ways give as many bytes, and this one costs half.
        picture.save(file, "WEBP", lossless=True, quality=0, method=0)
    else:
        picture.save(file, "WEBP", quality=82, alpha_quality=90, method=_METHODS[size])
    return file.getvalue()


def painted(shape: bytes, own_colors: bytes, paint: Paint, size: int) -> Image.Image:
    """Return the part in a colour, as an image."""
    layers = _opened(shape, size)
    shade, edges, inside, alpha = layers.split()
    tables = _tables(paint)
    if paint.finish == CHROME:
        shade = ImageChops.add(shade.point(_CHROME_DEPTH), _ramp(size), 1, -18)
    body = shade.copy()
    # One pass instead of one for each channel.
    body.putpalette(tables.body)
    body = body.convert("RGB")
    if paint.finish == GLITTER:
        body.paste(tables.spark, mask=_sparks(size))
    if own_colors:
        own = _opened(own_colors, size)
        light = shade.point(_OWN_LIGHT)
        colors = ImageChops.multiply(own.convert("RGB"), Image.merge("RGB", [light] * 3))
        body.paste(colors, mask=own.getchannel("A"))
    if paint.is_clear:
        body.paste(tables.edge, mask=inside.point(tables.inside_share))
        seen = ImageChops.lighter(
            alpha.point(tables.clear_share),
            ImageChops.lighter(inside.point(tables.inside_alpha), edges.point(tables.edge_alpha)),
        )
        if own_colors:
            seen = ImageChops.lighter(seen, ImageChops.multiply(own.getchannel("A"), alpha))
        # Edges reach beyond the body; nothing else does.
        alpha = ImageChops.multiply(seen, alpha)
    body.paste(tables.edge, mask=edges.point(tables.edge_share))
    body.putalpha(alpha)
    return body


def _opened(content: bytes, size: int) -> Image.Image:
    image = Image.open(io.BytesIO(content), formats=("WEBP",)).convert("RGBA")
    if image.width != size:
        if image.width % size == 0:
            return _reduced(image, image.width // size)
        return image.resize((size, size), Image.Resampling.BOX)
    return image


def _reduced(image: Image.Image, factor: int) -> Image.Image:
    """Shrink: colours weighted by coverage."""
    # "RGBa" is premultiplied; edges and inside are shares of the pixel, weighted all the same.
    return image.convert("RGBa").reduce(factor).convert("RGBA")


class _Tables(NamedTuple):
    body: bytes  # red, green and blue of each level
    edge: tuple[int, int, int]
    edge_share: list[int]
    edge_alpha: list[int]
    inside_share: list[int]
    inside_alpha: list[int]
    clear_share: list[int]
    spark: tuple[int, int, int]


def _clip(value: float) -> int:
    return max(0, min(255, round(value)))


@lru_cache(maxsize=512)
def _tables(paint: Paint) -> _Tables:
    rgb = tuple(int(paint.rgb[at : at + 2], 16) for at in (0, 2, 4))
    luminance = (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]) / 255
    # Black is drawn as a dark grey: else its shape would not show.
    lift = max(0.0, 0.24 - luminance) * 0.55
    base = tuple(channel / 255 * (1 - lift) + lift * 0.75 for channel in rgb)
    body = bytes(
        _clip(255 * _shaded(channel, level / FULL_SHADE, paint))
        for level in range(256)
        for channel in base
    )
    # Dark edges would not show on these; on red, dark to the eye too, they do.
    is_dark = luminance < 0.16 and max(base) < 0.5
    if is_dark:
        edge = tuple(_clip(255 * (0.42 * channel + 0.40)) for channel in base)
        share = 0.62
    else:
        edge = tuple(_clip(255 * 0.30 * channel) for channel in base)
        share = 0.80
    if paint.is_clear:
        edge = tuple(_clip(255 * (0.38 * channel + 0.02)) for channel in base)
        share = 0.72
    milky = paint.finish in (MILKY, GLOW)
    clear = 0.90 if milky else 0.70
    red, green, blue = edge
    hue, light, sat = colorsys.rgb_to_hls(*base)
    spark = colorsys.hls_to_rgb(hue, min(1, light + 0.35), sat)
    return _Tables(
        body=body,
        edge=(red, green, blue),
        edge_share=[_clip(level * share) for level in range(256)],
        edge_alpha=[_clip(255 * clear + level * (0.97 - clear)) for level in range(256)],
        inside_share=[_clip(level * (0.25 if milky else 0.55)) for level in range(256)],
        inside_alpha=[_clip(255 * clear + level * (0.96 - clear)) for level in range(256)],
        clear_share=[_clip(level * clear) for level in range(256)],
        spark=(_clip(spark[0] * 255), _clip(spark[1] * 255), _clip(spark[2] * 255)),
    )


def _shaded(channel: float, shade: float, paint: Paint) -> float:
    """Return a channel of the body (0 … 1) where so much light falls."""
    if paint.finish == CHROME:
        # A mirror: a bright sky, a dark horizon, a grey floor.
        wave = 0.5 + 0.5 * math.cos(2 * math.pi * 1.45 * (min(shade, 1.2) - 0.92))
        value = channel * (0.24 + 0.78 * wave)
        return value + (1 - value) * 0.5 * max(0.0, wave - 0.7) / 0.3
    if paint.finish in (PEARL, METALLIC):
        steep = 0.26 + 0.78 * min(shade, 1.05) ** (1.35 if paint.finish == PEARL else 1.6)
        value = channel * steep
        glint = max(0.0, 1 - abs(shade - 0.86) / 0.26) * (0.14 if paint.finish == PEARL else 0.24)
        return value + (1 - value) * glint
    if paint.finish in (GLOW, MILKY):
        value = channel * (0.62 + 0.38 * min(shade, 1))
    elif paint.is_clear:
        value = channel * (0.60 + 0.40 * min(shade, 1))
    else:
        value = channel * (0.34 + 0.66 * min(shade, 1))
    if shade > 1:
        value += (1 - value) * min(1.0, (shade - 1) * 1.6)
    return value


_OWN_LIGHT: Final = [
    _clip(255 * (0.40 + 0.60 * min(1, level / FULL_SHADE))) for level in range(256)
]
_CHROME_DEPTH: Final = [_clip(level * 0.82) for level in range(256)]


@lru_cache(maxsize=8)
def _ramp(size: int) -> Image.Image:
    """Chrome mirrors its surroundings: brighter above."""
    return (
        Image.linear_gradient("L")
        .transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        .resize((size, size))
        .point([_clip(level * 0.28) for level in range(256)])
    )


@lru_cache(maxsize=8)
def _sparks(size: int) -> Image.Image:
    """Specks of glitter, the same in every picture, so that an address has one content."""
    dots = Image.new("L", (256, 256))
    state = 12345
    for _ in range(900):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        x, y, strength = state >> 8 & 255, state >> 16 & 255, 70 + (state >> 3 & 127)
        dots.paste(strength, (x, y, x + 2, y + 2))
    return dots.resize((size, size), Image.Resampling.BOX)

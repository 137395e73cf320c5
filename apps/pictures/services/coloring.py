"""The coloured picture of a render, kept once it was made."""

import datetime as dt
from collections.abc import Collection, Sequence

from apps.catalog.models import Color
from apps.core.throttling import count_uses
from apps.pictures.models import Render
from apps.pictures.rules.coloring import (
    NO_RGB,
    SIZES,
    SOLID,
    VERSION,
    Paint,
    colored,
    paint_of,
    painted,
)
from apps.pictures.rules.heaps import heaped
from apps.pictures.services.cache import keep, kept

NONE = "none"
WINDOW_SECONDS = 60


class UnknownPicture(Exception):
    """There is no such render, colour or size."""


class TooMany(Exception):
    """More new pictures were asked for in this minute than may be made."""


def picture_key(digest: str, color: str, size: int) -> str:
    """Return the cache key of a picture, which is its ETag as well."""
    return f"{VERSION}-{digest}-{color}-{size}"


def coloured_picture(
    *, digest: str, color: str, size: int, limits: dict[str, int], now: dt.datetime
) -> bytes:
    """Return a part's picture in a colour ("C91A09-5", or "none"), as WebP.

    Each key of `limits` may make so many new pictures a minute. Raises UnknownPicture, TooMany.
    """
    if size not in SIZES:
        raise UnknownPicture
    key = picture_key(digest, color, size)
    picture = kept(key)
    if picture is None:
        # Requests for unknown pictures share one limit.
        layers, paint = layers_of(digest), paint_in_address(color)
        count_new(limits, now=now)
        picture = colored(*layers, paint, size)
        keep(key, picture)
    return picture


def count_new(limits: dict[str, int], *, now: dt.datetime) -> None:
    """Count a new picture of each key in this minute, for all processes. Raises TooMany."""
    if not count_uses(limits, seconds=WINDOW_SECONDS, now=now):
        raise TooMany


def layers_of(digest: str) -> tuple[bytes, bytes]:
    """Return the two layers of a render. Raises UnknownPicture."""
    row = Render.objects.filter(digest=digest).values_list("shape", "own_colors", "parts").first()
    if row is None:
        raise UnknownPicture
    return _layers(*row)


def _layers(
    shape: bytes | memoryview, own_colors: bytes | memoryview, parts: Sequence[tuple[str, int]]
) -> tuple[bytes, bytes]:
    if not parts:
        return bytes(shape), bytes(own_colors)
    colors = Color.objects.in_bulk({color_id for _, color_id in parts})
    pictures = [
        painted(*layers_of(digest), paint_of_color(colors[color_id]), SIZES[-1])
        for digest, color_id in parts
        if color_id in colors
    ]
    if not pictures:
        raise UnknownPicture
    return heaped(pictures)


def paint_in_address(slug: str) -> Paint:
    """Return how the colour of an address is painted."""
    if slug == NONE:
        return Paint(NO_RGB, SOLID, is_clear=False)
    rgb, _, pk = slug.partition("-")
    color = Color.objects.filter(pk=int(pk)).first() if pk.isdecimal() and len(pk) < 10 else None
    if color is None or color.rgb != rgb:
        raise UnknownPicture
    return paint_of_color(color)


def paint_of_color(color: Color) -> Paint:
    """Return how a colour of the catalogue is painted."""
    return paint_of(
        name=color.name, rgb=color.rgb, color_type=color.color_type, is_trans=color.is_trans
    )


def printed_pictures(pairs: Collection[tuple[str, int]]) -> dict[tuple[str, int], bytes]:
    """Return the pictures (PNG) of (digest, colour id) for print."""
    wanted = Render.objects.filter(digest__in={digest for digest, _ in pairs})
    renders = {
        digest: _layers(*layers)
        for digest, *layers in wanted.values_list("digest", "shape", "own_colors", "parts")
    }
    colors = Color.objects.in_bulk({color_id for _, color_id in pairs})
    return {
        (digest, color_id): colored(
            *renders[digest], paint_of_color(colors[color_id]), SIZES[-1], as_png=True
        )
        for digest, color_id in pairs
        if digest in renders and color_id in colors
    }

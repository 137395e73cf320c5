"""The coloured picture of a render, kept once it was made."""

import datetime as dt
from collections.abc import Collection

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
_LAYERS = ("digest", "shape", "own_colors", "parts")
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
        row, paint = _render_of(digest), paint_in_address(color)
        # A heap has one address: its parts have colours of their own.
        if row.parts and color != NONE:
            raise UnknownPicture
        count_new(limits, now=now)
        layers = _layers_of([row]).get(digest)
        if layers is None:
            raise UnknownPicture
        picture = colored(*layers, paint, size)
        keep(key, picture)
    return picture


def count_new(limits: dict[str, int], *, now: dt.datetime) -> None:
    """Count a new picture of each key in this minute, for all processes. Raises TooMany."""
    if not count_uses(limits, seconds=WINDOW_SECONDS, now=now):
        raise TooMany


def _render_of(digest: str) -> Render:
    row: Render | None = Render.objects.filter(digest=digest).only(*_LAYERS).first()
    if row is None:
        raise UnknownPicture
    return row


def _layers_of(renders: Collection[Render]) -> dict[str, tuple[bytes, bytes]]:
    """Return digest -> the two layers. A heap is put together from the parts that are there."""
    layers = {row.digest: (bytes(row.shape), bytes(row.own_colors)) for row in renders}
    heaps = {row.digest: row.parts for row in renders if row.parts}
    if not heaps:
        return layers
    lines = [line for parts in heaps.values() for line in parts]
    there = Render.objects.filter(digest__in={digest for digest, _ in lines}).only(*_LAYERS)
    of_part = {row.digest: (bytes(row.shape), bytes(row.own_colors)) for row in there}
    colors = Color.objects.in_bulk({color_id for _, color_id in lines})
    for digest, parts in heaps.items():
        pictures = [
            painted(*of_part[part], paint_of_color(colors[color_id]), SIZES[-1])
            for part, color_id in parts
            if part in of_part and color_id in colors
        ]
        if pictures:
            layers[digest] = heaped(pictures)
        else:
            del layers[digest]
    return layers


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
    renders = _layers_of(wanted.only(*_LAYERS))
    colors = Color.objects.in_bulk({color_id for _, color_id in pairs})
    return {
        (digest, color_id): colored(
            *renders[digest], paint_of_color(colors[color_id]), SIZES[-1], as_png=True
        )
        for digest, color_id in pairs
        if digest in renders and color_id in colors
    }

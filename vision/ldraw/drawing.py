"""Draws one neutral picture of a part: four layers that are coloured when they are served.

shade   light on the body; FULL_SHADE stands for an open face that looks up
edges   how much of a pixel an edge covers
inside  hidden edges and how many walls lie over each other, for transparent colours
alpha   how much of a pixel the part covers
and, where a part has colours of its own (a print, a tyre on its wheel), those with their share.
"""

import io
import math
import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.ldraw import rasters
from vision.ldraw.parts import MAIN_COLOR, Broken, Floats, Mesh

SIZE: Final = 256
# Change it when pictures must be drawn again though no model changed.
VERSION: Final = 1
FULL_SHADE: Final = 204  # of 255; more is a highlight
_SAMPLES: Final = 4
_MARGIN: Final = 9
_EDGE: Final = 1.9 * _SAMPLES / 2
_MAP: Final = 256
_GROUPS: Final = 4
# What one part may cost: pictures full of faces, and pixels of lines. Real parts: 60 and 0.2 M.
_MOST_LAYERS: Final = 300
_MOST_LINES: Final = 3_000_000
_WELD: Final = 0.03
_SMOOTH: Final = math.cos(math.radians(50))

# Azimuth and elevation by title; the first that is found counts.
_VIEWS: Final = (
    (r"^(Minifig|Minidoll|Figure|Duplo Figure)\b.*\b(Head|Torso|Legs|Hips|Leg)\b", (-24.0, 16.0)),
    (r"^(Minifig|Minidoll)", (-30.0, 22.0)),
    (r"^(Tile|Sticker|Baseplate|Flag|Road|Cloth|Plastic)\b", (-32.0, 42.0)),
    (r"^(Wheel|Tyre|Tire|Technic Gear|Gear)\b", (-40.0, 20.0)),
)
_USUAL: Final = (-33.0, 30.0)
# Where a print shows from none of the usual views: from the other sides, and from below.
_OTHER_SIDES: Final = ((147.0, 20.0), (57.0, 25.0), (-123.0, 25.0), (-33.0, -30.0))


@dataclass(frozen=True, slots=True)
class Layers:
    """The stored form of a picture: two files."""

    shape: bytes  # WebP: shade, edges, inside, alpha as red, green, blue, alpha
    own_colors: bytes  # WebP, or nothing


def view_of(title: str) -> tuple[float, float]:
    """Return azimuth and elevation for a part of this title."""
    plain = title.lstrip("~=_ ")
    for pattern, view in _VIEWS:
        if re.search(pattern, plain, re.IGNORECASE):
            return view
    return _USUAL


def draw(mesh: Mesh, *, title: str, colors: dict[int, tuple[str, bool]]) -> Layers:
    """Draw a part. Raises Broken when nothing of it can be seen."""
    view = view_of(title)
    has_print = "pattern" in title.lower() or "print" in title.lower()
    if has_print and (mesh.colors != MAIN_COLOR).any():
        shares = [(_own_share(mesh, view), view)]
        if shares[0][0] < 0.004:
            shares += [(_own_share(mesh, other) * 0.9, other) for other in _OTHER_SIDES]
        view = max(shares, key=lambda pair: pair[0])[1]
    return _drawn(mesh, view, colors)


def _turn(view: tuple[float, float]) -> Floats:
    azimuth, elevation = math.radians(view[0]), math.radians(view[1])
    # LDraw's y points down and its z into the picture.
    own = np.diag([1.0, -1.0, -1.0])
    about_y = np.array(
        [
            [math.cos(azimuth), 0, math.sin(azimuth)],
            [0, 1, 0],
            [-math.sin(azimuth), 0, math.cos(azimuth)],
        ]
    )
    about_x = np.array(
        [
            [1, 0, 0],
            [0, math.cos(elevation), -math.sin(elevation)],
            [0, math.sin(elevation), math.cos(elevation)],
        ]
    )
    turn: Floats = (about_x @ about_y @ own).astype(np.float32)
    return turn


def _fitted(triangles: Floats, size: int, margin: float) -> tuple[float, Floats]:
    """Return pixels per unit, and the offset that centres the part."""
    flat = triangles.reshape(-1, 3)
    low, high = flat.min(axis=0), flat.max(axis=0)
    width = float(max(high[0] - low[0], high[1] - low[1]))
    if not math.isfinite(width) or width < 1e-3:
        raise Broken("it has no extent")
    scale = (size - 2 * margin) / width
    middle = (low + high) / 2
    by = np.array(
        [size / 2 / scale - middle[0], -size / 2 / scale - middle[1], -middle[2]], np.float32
    )
    return scale, by


def _on_screen(points: Floats, scale: float) -> Floats:
    screen = points.copy()
    screen[..., 0] *= scale
    screen[..., 1] *= -scale
    return np.ascontiguousarray(screen)


def _check_work(screen: Floats, size: int) -> None:
    """Raise Broken for a part with hundreds of overlapping faces."""
    spread = screen[..., :2].max(axis=1) - screen[..., :2].min(axis=1) + 1
    if float(np.prod(spread, axis=1, dtype=np.float64).sum()) > _MOST_LAYERS * size * size:
        raise Broken("too many of its faces lie over each other")


def _own_share(mesh: Mesh, view: tuple[float, float]) -> float:
    """Return how much of the picture shows colours of the part's own."""
    size = 160
    triangles = (mesh.triangles @ _turn(view).T).astype(np.float32)
    scale, by = _fitted(triangles, size, 4)
    depths = np.full((size, size), rasters.FAR, np.float32)
    faces = np.full((size, size), -1, np.int32)
    own = mesh.colors != MAIN_COLOR
    screen = _on_screen(triangles + by, scale)
    rasters.draw_faces(screen, size, depths, faces, own)
    seen = faces[faces >= 0]
    return float(own[seen].mean()) if len(seen) else 0.0


def _lamps() -> tuple[Floats, Floats, Floats]:
    """Return directions, weights and the two axes across each lamp, in the picture's space."""
    golden = math.pi * (3 - math.sqrt(5))
    directions, weights = [], []
    # A cone of key lamps at the upper left, in front.
    key = np.array([-0.52, 0.78, 0.52])
    key /= np.linalg.norm(key)
    side = np.cross(key, [0, 0, 1.0])
    side /= np.linalg.norm(side)
    up = np.cross(side, key)
    for index in range(16):
        spread = math.radians(13) * math.sqrt((index + 0.5) / 16)
        angle = index * golden
        across = math.cos(angle) * side + math.sin(angle) * up
        directions.append(math.cos(spread) * key + math.sin(spread) * across)
        weights.append(1.0 / 16)
    # The sky, stronger above and in front; a little comes from below.
    sky = 112
    for index in range(sky):
        height = 1 - 2 * (index + 0.5) / sky
        radius = math.sqrt(1 - height * height)
        angle = index * golden
        direction = np.array([radius * math.cos(angle), height, radius * math.sin(angle)])
        strength = 0.30 + 0.70 * max(0.0, height) + 0.25 * max(0.0, direction[2])
        directions.append(direction)
        weights.append(strength * 1.9 / sky)
    lamps = np.array(directions)
    axes = np.empty((len(lamps), 2, 3))
    for index, lamp in enumerate(lamps):
        helper = np.array([0, 1.0, 0]) if abs(lamp[1]) < 0.9 else np.array([1.0, 0, 0])
        first = np.cross(helper, lamp)
        first /= np.linalg.norm(first)
        axes[index] = first, np.cross(lamp, first)
    return (
        lamps.astype(np.float32),
        np.array(weights).astype(np.float32),
        axes.astype(np.float32),
    )


_LAMPS, _WEIGHTS, _AXES = _lamps()


def face_and_corner_normals(
    mesh: Mesh, triangles: Floats
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return a normal a face, a normal a corner, and which faces have an area at all."""
    cross = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(cross, axis=1)
    good = length > 1e-7
    normals = (cross / np.where(good, length, 1)[:, None]).astype(np.float32)
    _, ids = np.unique(
        np.round(
            np.concatenate([mesh.triangles.reshape(-1, 3), mesh.edges.reshape(-1, 3)]) / _WELD
        ).astype(np.int64)
        @ np.array([1, 2_000_003, 4_000_012_000_009], np.int64),
        return_inverse=True,
    )
    count = int(ids.max()) + 1 if len(ids) else 1
    corners = ids[: 3 * len(triangles)].reshape(-1, 3).astype(np.int64)
    hard = np.sort(ids[3 * len(triangles) :].reshape(-1, 2).astype(np.int64), axis=1)
    # The three edges of each face: key of the two points, face, and its two corners.
    starts = corners[:, [0, 1, 2]].reshape(-1)
    ends = corners[:, [1, 2, 0]].reshape(-1)
    keys = np.minimum(starts, ends) * count + np.maximum(starts, ends)
    of_corner = np.arange(3 * len(triangles)).reshape(-1, 3)
    first, second = of_corner[:, [0, 1, 2]].reshape(-1), of_corner[:, [1, 2, 0]].reshape(-1)
    is_hard = np.isin(keys, hard[:, 0] * count + hard[:, 1])
    usable = ~is_hard & np.repeat(good, 3) & (starts != ends)
    order = np.argsort(np.where(usable, keys, -1), kind="stable")
    order = order[np.count_nonzero(~usable) :]
    a, b = order[:-1], order[1:]
    alike = keys[a] == keys[b]
    a, b = a[alike], b[alike]
    bend = np.abs(np.einsum("ij,ij->i", normals[a // 3], normals[b // 3]))
    a, b = a[bend > _SMOOTH], b[bend > _SMOOTH]
    same_way = starts[a] == starts[b]
    pair_from = np.concatenate([first[a], second[a]])
    pair_to = np.concatenate(
        [np.where(same_way, first[b], second[b]), np.where(same_way, second[b], first[b])]
    )
    smooth = rasters.smooth_normals(
        normals, length.astype(np.float32), first, second, pair_from, pair_to
    )
    return normals, smooth, good


def _seen_outlines(outlines: Floats) -> Floats:
    """Return the lines at which a round surface turns away from the viewer."""
    if not len(outlines):
        return outlines[:, :2]
    flat = outlines[..., :2]
    along = flat[:, 1] - flat[:, 0]
    first = flat[:, 2] - flat[:, 0]
    second = flat[:, 3] - flat[:, 0]
    one = along[:, 0] * first[:, 1] - along[:, 1] * first[:, 0]
    other = along[:, 0] * second[:, 1] - along[:, 1] * second[:, 0]
    return outlines[(one * other) > 0][:, :2]


def _drawn(mesh: Mesh, view: tuple[float, float], colors: dict[int, tuple[str, bool]]) -> Layers:
    size = SIZE * _SAMPLES
    turn = _turn(view)
    triangles = (mesh.triangles @ turn.T).astype(np.float32)
    scale, by = _fitted(triangles, size, _MARGIN * _SAMPLES)
    triangles = triangles + by
    normals, smooth, good = face_and_corner_normals(mesh, triangles)
    triangles, normals, smooth = triangles[good], normals[good], smooth[good]
    if not len(triangles):
        raise Broken("it has no surface")
    face_colors = mesh.colors[good]
    own = face_colors != MAIN_COLOR
    screen = _on_screen(triangles, scale)
    _check_work(screen, size)
    depths = np.full((size, size), rasters.FAR, np.float32)
    faces = np.full((size, size), -1, np.int32)
    walls = np.zeros((size, size), np.uint8)
    rasters.draw_faces(screen, size, depths, faces, own, walls)
    body = faces >= 0
    if not body.any():
        raise Broken("nothing of it is seen")

    shades = _lit(triangles, screen, scale, normals, smooth, depths, faces)
    edges = np.concatenate([mesh.edges @ turn.T, _seen_outlines(mesh.outlines @ turn.T)])
    seen = np.zeros((size, size), np.uint8)
    hidden = np.zeros((size, size), np.uint8)
    lines = _on_screen((edges + by).astype(np.float32), scale)
    if np.linalg.norm(lines[:, 1, :2] - lines[:, 0, :2], axis=1).sum() > _MOST_LINES:
        lines = lines[:0]
    tolerance = max(0.35, 1.5 / scale)
    rasters.draw_lines(
        lines, size, depths, np.float32(_EDGE), np.float32(_EDGE * 0.7), np.float32(tolerance),
        seen, hidden,
    )  # fmt: skip

    covered = _shrunk(body)
    alpha = _shrunk(body | (seen > 0))
    shade = _shrunk(np.where(body, shades, 0)) / np.maximum(covered, 1e-6)
    thick = np.clip((walls.astype(np.float32) - 2) / 6, 0, 1) * body
    lines_behind, walls_behind = _shrunk(hidden > 0), _shrunk(thick)
    inside: Floats = np.clip(np.add(0.62 * lines_behind, 0.38 * walls_behind), 0, 1)
    shape = np.stack(
        [
            _levels(shade * FULL_SHADE / 255, 64) * (alpha > 0),
            _levels(_shrunk(seen > 0), 16),
            _levels(inside, 16) * (alpha > 0),
            _levels(alpha, 16),
        ],
        axis=-1,
    ).astype(np.uint8)
    return Layers(_webp(shape), _own_layer(face_colors, own, faces, covered, colors))


def _lit(
    triangles: Floats, screen: Floats, scale: float, normals: Floats, smooth: Floats,
    depths: Floats, faces: NDArray[np.int32],
) -> Floats:  # fmt: skip
    flat = triangles.reshape(-1, 3)
    low, high = flat.min(axis=0), flat.max(axis=0)
    center = ((low + high) / 2).astype(np.float32)
    radius = float(np.linalg.norm(flat - center, axis=1).max())
    map_scale = (_MAP - 4) / (2 * radius)
    maps = np.full((len(_LAMPS), _MAP, _MAP), rasters.FAR, np.float32)
    around = triangles - center
    for index in range(len(_LAMPS)):
        axes = np.stack([_AXES[index, 0], _AXES[index, 1], _LAMPS[index]])
        points = around @ axes.T
        points[..., :2] = points[..., :2] * map_scale + _MAP / 2
        rasters.draw_faces(np.ascontiguousarray(points), _MAP, maps[index])
    shades = np.zeros(depths.shape, np.float32)
    rasters.light(
        screen, np.float32(scale), normals, smooth, depths, faces, _LAMPS, _WEIGHTS, _AXES, maps,
        center, np.float32(map_scale), _MAP, _GROUPS, shades,
    )  # fmt: skip
    return shades * np.float32(_NORMALISED)


def _open_top() -> float:
    """Return the light of an open face that looks up, which is scaled to 1."""
    elevation = math.radians(_USUAL[1])
    up = np.array([0, math.cos(elevation), math.sin(elevation)])
    cosines = np.maximum(0, _LAMPS @ up)
    return float((cosines * _WEIGHTS).sum() / _WEIGHTS.sum())


_NORMALISED: Final = 1 / _open_top()


def _shrunk(grid: Floats | NDArray[np.bool_]) -> Floats:
    blocks = grid.reshape(SIZE, _SAMPLES, SIZE, _SAMPLES)
    shrunk: Floats = blocks.mean(axis=(1, 3), dtype=np.float32)
    return shrunk


def _levels(values: Floats, count: int) -> Floats:
    """Return 0 … 255 in so many levels: fewer levels are fewer bytes."""
    rounded: Floats = np.round(np.clip(values, 0, 1) * (count - 1)) * np.float32(255 / (count - 1))
    return rounded


def _webp(pixels: NDArray[np.uint8]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels, "RGBA").save(
        file, "WEBP", lossless=True, exact=True, quality=75, method=4
    )
    return file.getvalue()


def _own_layer(
    face_colors: NDArray[np.int32],
    own: NDArray[np.bool_],
    faces: NDArray[np.int32],
    covered: Floats,
    colors: dict[int, tuple[str, bool]],
) -> bytes:
    if not own.any():
        return b""
    palette = np.zeros((len(face_colors), 3), np.float32)
    for code in np.unique(face_colors[own]):
        rgb = _rgb(int(code), colors)
        palette[face_colors == code] = rgb
    shown = np.where(faces >= 0, own[np.maximum(faces, 0)], False)
    share = _shrunk(shown)
    if share.sum() < 4:
        return b""
    picture = palette[np.maximum(faces, 0)] * shown[..., None]
    bands = np.stack([_shrunk(picture[..., band]) for band in range(3)], axis=-1)
    bands = bands / np.maximum(share, 1e-6)[..., None]
    alpha = np.round(share / np.maximum(covered, 1e-6) * 15) * 17
    pixels = np.dstack([np.round(bands / 8) * 8, alpha])
    pixels[alpha == 0] = 0
    return _webp(np.clip(pixels, 0, 255).astype(np.uint8))


def _rgb(code: int, colors: dict[int, tuple[str, bool]]) -> tuple[int, int, int]:
    if code >= 0x2000000:
        return (code >> 16 & 255, code >> 8 & 255, code & 255)
    text = colors.get(code, ("7F7F7F", False))[0]
    return (int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16))

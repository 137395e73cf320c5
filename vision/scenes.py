"""A part as it lies on a table, seen and lit from anywhere: four layers that are coloured later."""

import math
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from apps.recognition.rules.seeing import FORM, FORM_PIXELS, form_of
from vision import loops, studs
from vision.ldraw.drawing import face_and_corner_normals
from vision.ldraw.parts import Mesh
from vision.ldraw.rasters import draw_faces

Array = NDArray[Any]

SIZE: Final = 112  # of a render
FILL: Final = 0.8  # of it is the part's longer side
LIGHT: Final = 150.0  # what an open, level face gets, of 255
MM: Final = 0.4  # a unit of LDraw's
_MAP: Final = 160  # of shadows: at 72 the tubes below large plates cast none
_LAMPS: Final = 24
_GROUPS: Final = 4
_HOLLOW_LIGHT: Final = (0.35, 0.85)


@dataclass(frozen=True, slots=True)
class Pose:
    turn: Array  # to a frame whose z points up from the table
    weight: float


@dataclass(frozen=True, slots=True)
class Body:
    """A part ready to be rendered, around its centre of mass, in mm."""

    triangles: Array
    normals: Array
    smooth: Array
    on_stud: Array  # where the corners of studs' tops lie on them, else 0
    is_hollow: Array
    is_bore: Array  # the hole in the end of a pin
    hull: Array
    poses: list[Pose]


@dataclass(frozen=True, slots=True)
class View:
    layers: Array  # (SIZE, SIZE, 4) bytes: light, gloss, cover, ground shadow
    long: float  # mm, across the line of sight
    short: float
    elevation: float  # degrees


def body_of(mesh: Mesh) -> Body:
    """Return a part with the poses it can rest in. Raises ValueError for what has no volume."""
    own = mesh.triangles.astype(np.float32) * np.float32(MM)
    # LDraw's y points down; this is a turn, no mirror.
    triangles = np.stack([own[..., 0], own[..., 2], -own[..., 1]], axis=-1)
    flat, smooth, good = face_and_corner_normals(mesh, mesh.triangles)
    flat = np.stack([flat[..., 0], flat[..., 2], -flat[..., 1]], axis=-1)[good]
    smooth = np.stack([smooth[..., 0], smooth[..., 2], -smooth[..., 1]], axis=-1)[good]
    triangles, kinds = triangles[good], mesh.colors[good]
    is_hollow, is_bore = kinds == studs.HOLLOW, kinds == studs.BORE
    smooth = studs.dished(triangles, smooth, is_hollow | is_bore)
    areas = np.linalg.norm(
        np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1
    )
    middle = (triangles.mean(axis=1) * areas[:, None]).sum(axis=0) / areas.sum()
    triangles = (triangles - middle).astype(np.float32)
    try:
        hull = ConvexHull(triangles.reshape(-1, 3).astype(np.float64))
    except QhullError as problem:
        raise ValueError("flat or empty") from problem
    corners = hull.points[hull.vertices]
    return Body(
        triangles, flat.astype(np.float32), smooth.astype(np.float32),
        studs.places(triangles, kinds == studs.TOP), is_hollow, is_bore, corners, _poses(hull),
    )  # fmt: skip


def _poses(hull: Any) -> list[Pose]:
    """Return the facets that the part can stand on, the centre of mass being above them."""
    keys = np.round(hull.equations * np.array([50, 50, 50, 10])).astype(int)
    groups: dict[tuple[int, ...], list[int]] = {}
    for index, key in enumerate(map(tuple, keys)):
        groups.setdefault(key, []).append(index)
    poses = []
    for members in groups.values():
        normal = hull.equations[members, :3].mean(axis=0)
        normal /= np.linalg.norm(normal)
        height = -float(hull.equations[members[0], 3])
        turn = _turn_to_down(normal)
        points = (hull.points[np.unique(hull.simplices[members])] @ turn.T)[:, :2]
        area = sum(_area(hull.points[hull.simplices[member]]) for member in members)
        try:
            outline = ConvexHull(points)
        except QhullError:
            continue
        inside = -outline.equations[:, 2].max() if (outline.equations[:, 2] < 0).all() else -1.0
        if inside > 0.05 and height > 0:
            poses.append((turn, area * min(1.0, inside / height) / height))
    total = sum(weight for _, weight in poses)
    if not poses:
        return [Pose(np.eye(3), 1.0)]
    return [
        Pose(turn, max(0.02, weight / total)) for turn, weight in poses if weight / total > 0.002
    ]


def _area(triangle: Array) -> float:
    return float(np.linalg.norm(np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])) / 2)


def _turn_to_down(normal: Array) -> Array:
    third = -normal
    helper = np.array([1.0, 0, 0]) if abs(third[0]) < 0.9 else np.array([0, 1.0, 0])
    first = np.cross(helper, third)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(third, first), third])


def _lamps() -> tuple[Array, Array]:
    golden = math.pi * (3 - math.sqrt(5))
    lamps, axes = np.empty((_LAMPS, 3)), np.empty((_LAMPS, 2, 3))
    for index in range(_LAMPS):
        height = 0.12 + 0.86 * (index + 0.5) / _LAMPS
        radius = math.sqrt(1 - height * height)
        lamps[index] = radius * math.cos(index * golden), radius * math.sin(index * golden), height
        side = np.cross([0, 0, 1.0], lamps[index])
        side /= np.linalg.norm(side)
        axes[index] = side, np.cross(lamps[index], side)
    # Lamps of one group must be spread over the sky.
    order = np.random.default_rng(7).permutation(_LAMPS)
    return lamps[order].astype(np.float32), axes[order].astype(np.float32)


_DIRECTIONS, _AXES = _lamps()


@dataclass(frozen=True, slots=True)
class _Camera:
    center: Array  # of the part, which it looks at
    toward: Array  # from there to the camera
    right: Array
    up: Array
    distance: float
    elevation: float

    @classmethod
    def drawn(cls, center: Array, radius: float, rng: np.random.Generator, degrees: float) -> Self:
        elevation = math.radians(degrees)
        azimuth = rng.uniform(0, 2 * math.pi)
        toward = np.array(
            [
                math.cos(elevation) * math.cos(azimuth),
                math.cos(elevation) * math.sin(azimuth),
                math.sin(elevation),
            ]
        )
        right = np.array([-math.sin(azimuth), math.cos(azimuth), 0])
        distance = radius * math.exp(rng.uniform(math.log(4), math.log(16)))
        return cls(center, toward, right, np.cross(toward, right), distance, elevation)

    @property
    def eye(self) -> Array:
        eye: Array = self.center + self.toward * self.distance
        return eye

    def seen(self, points: Array) -> Array:
        """Return where points are seen (mm from the middle), and how much nearer makes larger."""
        apart = points - self.center
        nearer = self.distance / (self.distance - apart @ self.toward)
        return np.stack([apart @ self.right * nearer, -(apart @ self.up) * nearer, nearer], axis=-1)

    def told(self, long: float, short: float) -> tuple[float, float, float]:
        """Return sides at the table's scale, as a marker there gives it, and the elevation."""
        nearer = self.distance / (self.distance + float(self.center @ self.toward))
        return float(long / nearer), float(short / nearer), math.degrees(self.elevation)


def views_of(
    body: Body, poses: int, views: int, outlined: int, rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Return sizes and outlines of views of the likeliest poses, repeated where there are fewer.

    Sizes are longer side, shorter side (mm) and elevation (degrees): (poses, views, 3). Only one view
    of so many (`outlined`) has an outline: (poses, views / outlined, FORM, FORM).
    """
    likeliest = sorted(body.poses, key=lambda pose: -pose.weight)[:poses]
    chosen = [likeliest[place % len(likeliest)] for place in range(poses)]
    found = np.empty((poses, views, 3), np.float32)
    outlines = np.empty((poses, views // outlined, FORM, FORM), np.uint8)
    for own, drawn, pose in zip(found, outlines, chosen, strict=True):
        hull = body.hull @ pose.turn.T
        world = body.triangles @ pose.turn.T
        world[..., 2] -= hull[:, 2].min()
        center, radius = _stood(hull)
        for place, view in enumerate(own):
            # Evenly spread, and closer from above: that is how people look at a table.
            share = (place + rng.random()) / views
            camera = _Camera.drawn(center, radius, rng, 90 - 62 * share**1.5)
            angle, low, high = _rectangle(camera.seen(hull)[:, :2])
            view[:] = camera.told(*(high - low))
            if place % outlined == 0:
                drawn[place // outlined] = _outline(camera.seen(world), angle, low, high)
    return found, outlines


def _outline(screen: Array, angle: float, low: Array, high: Array) -> NDArray[np.uint8]:
    """Return what a part covers of its smallest rectangle, as the app sees it."""
    cos, sin = math.cos(angle), math.sin(angle)
    turned = screen[..., :2] @ np.array([[cos, sin], [-sin, cos]]).T
    screen[..., :2] = (turned - low) / (high - low) * FORM_PIXELS
    depths = np.full((FORM_PIXELS, FORM_PIXELS), -1e9, np.float32)
    draw_faces(np.ascontiguousarray(screen, np.float32), FORM_PIXELS, depths)
    return form_of((depths > -1e9).astype(np.uint8))


def drawn_poses(body: Body, count: int, rng: np.random.Generator) -> Array:
    """Return poses: halfway between how often each is met and each as often as the others."""
    odds = np.sqrt([pose.weight for pose in body.poses])
    return rng.choice(len(body.poses), count, p=odds / odds.sum())


def _stood(hull: Array) -> tuple[Array, float]:
    """Put a hull on the table. Return its centre and its radius."""
    hull[:, 2] -= hull[:, 2].min()
    center = np.array([0, 0, hull[:, 2].max() / 2], np.float32)
    return center, float(np.linalg.norm(hull - center, axis=1).max())


def render(body: Body, pose: Pose, count: int, rng: np.random.Generator) -> list[View]:
    """Return views of a part in one pose. Lamps and shadows are shared, what they weigh is not."""
    spin = rng.uniform(0, 2 * math.pi)
    about = np.array(
        [[math.cos(spin), -math.sin(spin), 0], [math.sin(spin), math.cos(spin), 0], [0, 0, 1]]
    )
    turn = (about @ pose.turn).astype(np.float32)
    # Parts of some ages have no hollows below their studs, or no holes in their pins.
    kept = ~body.is_hollow if rng.random() < 0.2 else np.ones(len(body.triangles), bool)
    if rng.random() < 0.25:
        kept &= ~body.is_bore
    world = body.triangles[kept] @ turn.T
    hull = body.hull @ turn.T
    lift = np.float32(-hull[:, 2].min())
    world[..., 2] += lift
    center, radius = _stood(hull)
    flat, smooth = body.normals[kept] @ turn.T, body.smooth[kept] @ turn.T
    dim = np.where(body.is_hollow[kept], rng.uniform(*_HOLLOW_LIGHT), 1).astype(np.float32)
    dim[body.is_bore[kept]] = rng.uniform(*_HOLLOW_LIGHT)
    on_stud = body.on_stud[kept]
    map_scale = (_MAP - 4) / (2 * radius)
    maps = np.full((_LAMPS, _MAP, _MAP), -1e9, np.float32)
    for index in range(_LAMPS):
        basis = np.stack([_AXES[index, 0], _AXES[index, 1], _DIRECTIONS[index]])
        points = (world - center) @ basis.T
        points[..., :2] = points[..., :2] * map_scale + _MAP / 2
        draw_faces(np.ascontiguousarray(points), _MAP, maps[index])
    return [
        _view(world, hull, flat, smooth, on_stud, dim, center, radius, maps, map_scale, rng)
        for _ in range(count)
    ]


def _view(
    world: Array, hull: Array, flat: Array, smooth: Array, on_stud: Array, dim: Array,
    center: Array, radius: float, maps: Array, map_scale: float, rng: np.random.Generator,
) -> View:  # fmt: skip
    above = rng.random() < 0.35
    degrees = rng.uniform(78, 90) if above else rng.uniform(28, 85)
    camera = _Camera.drawn(center, radius, rng, degrees)
    toward, right, up, eye = camera.toward, camera.right, camera.up, camera.eye
    outline = camera.seen(hull)[:, :2]
    angle, low, high = _rectangle(outline)
    if rng.random() < 0.5:
        angle += math.pi
    cos, sin = math.cos(angle), math.sin(angle)
    level = np.array([[cos, sin], [-sin, cos]])
    turned = outline @ level.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    long, short = high - low
    fine = SIZE * 2
    scale = FILL * fine / long
    middle = (low + high) / 2
    screen = camera.seen(world)
    screen[..., :2] = (screen[..., :2] @ level.T - middle) * scale + fine / 2
    screen = np.ascontiguousarray(screen, np.float32)
    depths = np.full((fine, fine), -1e9, np.float32)
    faces = np.full((fine, fine), -1, np.int32)
    draw_faces(screen, fine, depths, faces)

    # A pixel's direction from the eye: the picture's plane goes through the part's centre.
    def on_plane(x: float, y: float) -> Array:
        flat_point = level.T @ (np.array([x, y]) - fine / 2) / scale + level.T @ middle
        point: Array = center + right * flat_point[0] - up * flat_point[1] - eye
        return point

    corner = on_plane(0, 0)
    across, down = on_plane(1, 0) - corner, on_plane(0, 1) - corner

    # The sky is even or one-sided; one to three lamps are the key.
    weights = np.full(_LAMPS, 1.0, np.float32)
    weights *= 1 + rng.uniform(0, 0.9) * (_DIRECTIONS @ _unit(rng.normal(size=3)))
    for _ in range(int(rng.integers(0, 4))):
        weights[int(rng.integers(_LAMPS))] += math.exp(rng.uniform(0, 2.6))
    boxes = np.stack([_unit(rng.normal(size=3) + np.array([0, 0, 1.2])) for _ in range(5)])
    if rng.random() < 0.4:  # a lamp just where the camera is
        boxes[0] = _unit(toward + rng.normal(size=3) * 0.25)
    spans = np.empty((5, 3), np.float32)
    for index in range(5):
        inner = math.cos(rng.uniform(0.05, 0.5))
        spans[index] = inner - rng.uniform(0.02, 0.2), inner, rng.uniform(0.1, 1.0)
    # Faces sink between studs: many small waves beside few large ones.
    most = math.exp(rng.uniform(math.log(4), math.log(40)))
    wave = np.concatenate(
        [[rng.uniform(0, 0.09)], rng.uniform(1, most, 2) / radius, rng.uniform(0, 6, 1),
         rng.uniform(1, most, 1) / radius, rng.uniform(0, 6, 2)]
    ).astype(np.float32)  # fmt: skip
    letters = rng.uniform(0.1, 0.7) if rng.random() < 0.7 else 0.0
    rim = rng.uniform(0.08, 0.22)
    out = np.zeros((fine, fine, 4), np.float32)
    loops.shade(
        fine, faces, screen, world, smooth, flat, eye, corner, across, down,
        _DIRECTIONS, weights, _AXES, maps, _MAP, np.float32(map_scale), center,
        boxes.astype(np.float32), spans, wave, on_stud, np.float32(letters), np.float32(rim), dim,
        _GROUPS, out,
    )  # fmt: skip
    return View(loops.halve(out, LIGHT), *camera.told(long, short))


def _unit(vector: Array) -> Array:
    unit: Array = vector / max(1e-9, float(np.linalg.norm(vector)))
    return unit


def _rectangle(points: Array) -> tuple[float, Array, Array]:
    """Return the angle that lays the longer side of the smallest rectangle level, and its corners."""
    corners = points[ConvexHull(points).vertices]
    edges = np.roll(corners, -1, axis=0) - corners
    angles = np.arctan2(edges[:, 1], edges[:, 0])
    cos, sin = np.cos(angles), np.sin(angles)
    x = np.outer(cos, corners[:, 0]) + np.outer(sin, corners[:, 1])
    y = np.outer(cos, corners[:, 1]) - np.outer(sin, corners[:, 0])
    width, height = np.ptp(x, axis=1), np.ptp(y, axis=1)
    best = int(np.argmin(width * height))
    angle = float(angles[best])
    if height[best] > width[best]:
        angle += math.pi / 2
    level = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    turned = corners @ level.T
    return angle, turned.min(axis=0), turned.max(axis=0)

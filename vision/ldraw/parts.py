"""What LDraw's files mean: triangles, edges and headers of a part, with its sub-files put in."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]  # float32, but where numpy computes in float64
Ints = NDArray[np.int32]

MAIN_COLOR: Final = 16
MOST_TRIANGLES: Final = 400_000
MOST_EDGES: Final = 400_000
_DEEPEST: Final = 24
_KEEP_FILES: Final = 4_000
_KEEP_TRIANGLES: Final = 3_000_000


class TooLarge(Exception):
    """A part, with its sub-files, has more triangles or edges than we draw."""


class Broken(Exception):
    """A part that cannot be drawn; the text is the reason."""


def read_colors(config: bytes) -> dict[int, tuple[str, bool]]:
    """Return RGB ("C91A09") and whether it is transparent for each colour of LDConfig."""
    colors = {}
    for line in config.decode("utf-8", "replace").splitlines():
        words = line.split()
        if len(words) > 6 and words[:2] == ["0", "!COLOUR"]:
            told = dict(zip(words[3::2], words[4::2], strict=False))
            rgb = told.get("VALUE", "").lstrip("#").upper()
            if told.get("CODE", "").isdigit() and re.fullmatch("[0-9A-F]{6}", rgb):
                colors[int(told["CODE"])] = (rgb, "ALPHA" in told)
    return colors


@dataclass(frozen=True, slots=True)
class Mesh:
    """A part in LDraw's units. `colors` holds 16 where the part has the colour it is sold in."""

    triangles: Floats  # (n, 3, 3)
    colors: Ints  # (n,)
    edges: Floats  # (m, 2, 3)
    outlines: Floats  # (k, 4, 3): visible if both control points are on one side


@dataclass(slots=True)
class _File:
    mesh: Mesh
    children: list[tuple[int, NDArray[np.float64], str]]
    digest: bytes


def _floats(rows: list[list[str]], points: int) -> Floats:
    if not rows:
        return np.zeros((0, points, 3), np.float32)
    return np.array(rows, np.float64).astype(np.float32).reshape(-1, points, 3)


def _color(word: str) -> int:
    if word.startswith(("0x", "#")):  # a direct colour: 0x2RRGGBB
        return int(word.replace("#", "0x"), 16)
    return int(word)


def parse(content: bytes) -> _File:
    """Return one file's own shapes and its references. Lines that cannot be read are left out."""
    triangles: list[list[str]] = []
    colors: list[int] = []
    edges: list[list[str]] = []
    outlines: list[list[str]] = []
    children: list[tuple[int, NDArray[np.float64], str]] = []
    for line in content.decode("utf-8", "replace").splitlines():
        words = line.split()
        if not words:
            continue
        kind = words[0]
        try:
            if kind == "1" and len(words) >= 15:
                x, y, z, *turn = (float(word) for word in words[2:14])
                matrix = np.eye(4)
                matrix[:3, :3] = np.array(turn).reshape(3, 3)
                matrix[:3, 3] = x, y, z
                name = " ".join(words[14:]).lower().replace("\\", "/")
                if np.isfinite(matrix).all():
                    children.append((_color(words[1]), matrix, name))
            elif kind == "3" and len(words) >= 11:
                _check(words[2:11])
                triangles.append(words[2:11])
                colors.append(_color(words[1]))
            elif kind == "4" and len(words) >= 14:
                _check(words[2:14])
                color = _color(words[1])
                triangles.append(words[2:11])
                triangles.append(words[2:5] + words[8:14])
                colors += [color, color]
            elif kind == "2" and len(words) >= 8:
                _check(words[2:8])
                edges.append(words[2:8])
            elif kind == "5" and len(words) >= 14:
                _check(words[2:14])
                outlines.append(words[2:14])
        except (ValueError, OverflowError):
            continue
    mesh = Mesh(
        _floats(triangles, 3),
        np.clip(np.array(colors, np.int64), -1, 2**31 - 1).astype(np.int32),
        _floats(edges, 2),
        _floats(outlines, 4),
    )
    return _File(mesh, children, hashlib.blake2b(content, digest_size=16).digest())


def _check(words: list[str]) -> None:
    for word in words:
        if not -1e6 < float(word) < 1e6:
            raise ValueError(word)


@dataclass
class Assembler:
    """Assembles a part from its files. Caches the read files, within bounds."""

    read: Callable[[str], bytes]
    has: Callable[[str], bool]
    _files: dict[str, _File] = field(default_factory=dict)
    _meshes: dict[str, Mesh] = field(default_factory=dict)
    _kept: int = 0

    def digest(self, number: str) -> str:
        """Return a digest of the part's files, all that it contains. Raises Broken, TooLarge."""
        name = f"parts/{number}.dat"
        self._count(name, (), {})
        return self._digest(name, {}).hex()

    def part(self, number: str) -> Mesh:
        """Return the part as one mesh. Raises Broken or TooLarge."""
        name = f"parts/{number}.dat"
        self._count(name, (), {})
        mesh = self._mesh(name)
        if not len(mesh.triangles):
            raise Broken("it has no surface")
        return mesh

    def missing(self, number: str) -> list[str]:
        """Return the files that the part names and the library lacks."""
        found: dict[str, None] = {}
        waiting, seen = [f"parts/{number}.dat"], set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for _, _, child in self._file(name).children:
                path = self._resolve(child)
                if path is None:
                    found[child] = None
                else:
                    waiting.append(path)
        return list(found)

    def _resolve(self, name: str) -> str | None:
        # Round shapes have a finer twin under p/48.
        for folder in ("parts/", "p/48/", "p/"):
            if self.has(folder + name):
                return folder + name
        return None

    def _file(self, name: str) -> _File:
        known = self._files.get(name)
        if known is None:
            if len(self._files) >= _KEEP_FILES:
                self._files.clear()
            known = self._files[name] = parse(self.read(name))
        return known

    def _count(
        self, name: str, stack: tuple[str, ...], counted: dict[str, tuple[int, int]]
    ) -> tuple[int, int]:
        """Count triangles and edges before anything is made, so that a bomb costs nothing."""
        if name in stack:
            raise Broken(f"{name} contains itself")
        if len(stack) > _DEEPEST:
            raise Broken("its files are nested too deeply")
        if name in counted:
            return counted[name]
        file = self._file(name)
        triangles = len(file.mesh.triangles)
        edges = len(file.mesh.edges) + len(file.mesh.outlines)
        for _, _, child in file.children:
            path = self._resolve(child)
            if path is not None:
                more = self._count(path, (*stack, name), counted)
                triangles, edges = triangles + more[0], edges + more[1]
            if triangles > MOST_TRIANGLES or edges > MOST_EDGES:
                raise TooLarge(f"more than {MOST_TRIANGLES:,} triangles or edges")
        counted[name] = (triangles, edges)
        return counted[name]

    def _digest(self, name: str, known: dict[str, bytes]) -> bytes:
        if name not in known:
            file = self._file(name)
            digest = hashlib.blake2b(file.digest, digest_size=12)
            for _, _, child in file.children:
                path = self._resolve(child)
                digest.update(self._digest(path, known) if path else b"missing " + child.encode())
            known[name] = digest.digest()
        return known[name]

    def _mesh(self, name: str) -> Mesh:
        known = self._meshes.get(name)
        if known is not None:
            return known
        file = self._file(name)
        meshes = [file.mesh]
        for color, matrix, child in file.children:
            path = self._resolve(child)
            if path is not None:
                meshes.append(_moved(self._mesh(path), matrix, color))
        whole = _joined(meshes) if len(meshes) > 1 else meshes[0]
        # What other parts use, too: primitives and sub-parts.
        if name.startswith(("p/", "parts/s/")):
            if self._kept > _KEEP_TRIANGLES:
                self._meshes.clear()
                self._kept = 0
            self._meshes[name] = whole
            self._kept += len(whole.triangles)
        return whole


def _moved(mesh: Mesh, matrix: NDArray[np.float64], color: int) -> Mesh:
    turn = matrix[:3, :3].T.astype(np.float32)
    by = matrix[:3, 3].astype(np.float32)
    colors = mesh.colors
    if color != MAIN_COLOR:
        colors = np.where(colors == MAIN_COLOR, np.int32(min(color, 2**31 - 1)), colors)
    return Mesh(
        mesh.triangles @ turn + by, colors, mesh.edges @ turn + by, mesh.outlines @ turn + by
    )


def _joined(meshes: list[Mesh]) -> Mesh:
    return Mesh(
        np.concatenate([mesh.triangles for mesh in meshes]),
        np.concatenate([mesh.colors for mesh in meshes]),
        np.concatenate([mesh.edges for mesh in meshes]),
        np.concatenate([mesh.outlines for mesh in meshes]),
    )

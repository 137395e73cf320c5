"""What LDraw's studs lack and photographs show: the hollow below each, and the letters on it.

A network that never saw the hollows takes the underside of a plate for studs or for a Technic part.
Pins below what is one stud wide have a hole in their end: without it they are no rings, as tubes are.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# Colours that LDraw does not use mark the faces in a mesh.
HOLLOW: Final = 900_001
TOP: Final = 900_002
BORE: Final = 900_003
_STUDS: Final = ("p/stud.dat", "p/studa.dat")
_TOP_LINE: Final = b"1 16 0 -4 0 6 0 0 0 1 0 0 0 6 4-4disc.dat"
# The wall above a plate's inside is 4 units thick; the hollow has 2.6 mm.
_HOLLOW_LINE: Final = b"\n1 %d 0 4.08 0 3.2 0 0 0 -1 0 0 0 3.2 4-4disc.dat\n" % HOLLOW
_PINS: Final = ("p/stud3.dat", "p/stud3a.dat")
# 1.6 mm of the pin's 3.2.
_BORE_LINE: Final = b"\n1 %d 0 -4.04 0 2 0 0 0 1 0 0 0 2 4-4disc.dat\n" % BORE
_TILT: Final = 1.1


def with_hollow(name: str, content: bytes) -> bytes:
    """Return a file of the library; a stud gets its hollow and its top is marked, a pin its hole."""
    if name in _PINS:
        return content + _BORE_LINE
    if name not in _STUDS:
        return content
    return content.replace(_TOP_LINE, _TOP_LINE.replace(b"16", b"%d" % TOP, 1)) + _HOLLOW_LINE


def dished(triangles: Array, normals: Array, hollow: Array) -> Array:
    """Return the corners' normals (n, 3, 3) with those of hollows turned to the middle.

    The first corner of such a face is the middle of its disc.
    """
    inward = triangles[hollow, :1] - triangles[hollow, 1:]
    length = np.linalg.norm(inward, axis=2, keepdims=True)
    turned = normals.copy()
    turned[hollow, 1:] += _TILT * inward / np.maximum(length, 1e-6)
    return turned


def places(triangles: Array, tops: Array) -> Array:
    """Return where the corners (n, 3, 2) of studs' tops lie on the stud, its radius being 1."""
    found = np.zeros((len(triangles), 3, 2), np.float32)
    own = triangles[tops]
    if not len(own):
        return found
    spokes = own[:, 1:] - own[:, :1]
    spokes = spokes / np.maximum(np.linalg.norm(spokes, axis=2, keepdims=True), 1e-6)
    # Any two directions in the plane will do, the same for all studs that lie alike.
    up = np.abs(np.cross(spokes[:, 0], spokes[:, 1])).argmax(axis=1)
    for axis in range(3):
        some = up == axis
        first, second = [other for other in range(3) if other != axis]
        kept = np.flatnonzero(tops)[some]
        found[kept, 1:, 0] = spokes[some][..., first]
        found[kept, 1:, 1] = spokes[some][..., second]
    return found

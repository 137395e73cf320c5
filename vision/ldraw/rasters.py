"""The loops of the renderer, compiled by numba: triangles and lines into grids of pixels."""

import numpy as np
from numba import njit

# Larger than any depth of a part that was fitted into the picture.
FAR = np.float32(-1e9)


@njit(cache=True)
def _find(parents, corner):
    while parents[corner] != corner:
        parents[corner] = parents[parents[corner]]
        corner = parents[corner]
    return corner


@njit(cache=True)
def smooth_normals(normals, areas, firsts, seconds, pair_from, pair_to):
    """Return a normal for each corner: the mean over faces that are joined smoothly there.

    `pair_from` and `pair_to` are corners at one point, of faces that share a smooth edge.
    """
    corners = len(normals) * 3
    parents = np.arange(corners)
    for index in range(len(pair_from)):
        a = _find(parents, pair_from[index])
        b = _find(parents, pair_to[index])
        if a != b:
            parents[a] = b
    sums = np.zeros((corners, 3), np.float32)
    for corner in range(corners):
        face = corner // 3
        root = _find(parents, corner)
        # Winding is not reliable: turn each normal to the side of the sum so far.
        side = (
            sums[root, 0] * normals[face, 0]
            + sums[root, 1] * normals[face, 1]
            + sums[root, 2] * normals[face, 2]
        )
        sign = areas[face] if side >= 0 else -areas[face]
        for axis in range(3):
            sums[root, axis] += sign * normals[face, axis]
    result = np.empty((corners, 3), np.float32)
    for corner in range(corners):
        face = corner // 3
        root = _find(parents, corner)
        x, y, z = sums[root, 0], sums[root, 1], sums[root, 2]
        length = np.sqrt(x * x + y * y + z * z)
        if length < 1e-9:
            x, y, z = normals[face, 0], normals[face, 1], normals[face, 2]
        else:
            x, y, z = x / length, y / length, z / length
        if x * normals[face, 0] + y * normals[face, 1] + z * normals[face, 2] < 0:
            x, y, z = -x, -y, -z
        result[corner, 0], result[corner, 1], result[corner, 2] = x, y, z
    return result.reshape(-1, 3, 3)


@njit(cache=True, fastmath=True, nogil=True)
def draw_faces(points, size, depths, faces=None, is_own=None, layers=None):
    """Draw triangles (x, y in pixels, z nearer is larger) into a grid of the nearest depth.

    Where they are given, `faces` gets the triangle that is seen and `layers` how many lie over
    each other. A pattern (`is_own`) lies on its ground at the same depth and wins there.
    """
    for index in range(len(points)):
        ax, ay, az = points[index, 0]
        bx, by, bz = points[index, 1]
        cx, cy, cz = points[index, 2]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if abs(area) < 1e-6:
            continue
        left = max(0, int(np.ceil(min(ax, bx, cx) - 0.5)))
        right = min(size - 1, int(np.floor(max(ax, bx, cx) - 0.5)))
        top = max(0, int(np.ceil(min(ay, by, cy) - 0.5)))
        bottom = min(size - 1, int(np.floor(max(ay, by, cy) - 0.5)))
        inverse = 1.0 / area
        ub = (cy - ay) * inverse
        uc = -(by - ay) * inverse
        lift = 0.0
        if is_own is not None and is_own[index]:
            lift = 0.02
        for y in range(top, bottom + 1):
            py = y + 0.5 - ay
            px = left + 0.5 - ax
            b = (px * (cy - ay) - py * (cx - ax)) * inverse
            c = (py * (bx - ax) - px * (by - ay)) * inverse
            for x in range(left, right + 1):
                if b >= 0 and c >= 0 and b + c <= 1:
                    z = az + b * (bz - az) + c * (cz - az) + lift
                    if layers is not None and layers[y, x] < 255:
                        layers[y, x] += 1
                    if z > depths[y, x]:
                        depths[y, x] = z
                        if faces is not None:
                            faces[y, x] = index
                b += ub
                c += uc


@njit(cache=True, fastmath=True)
def light(
    points, scale, face_normals, corner_normals, depths, faces,
    lamps, weights, lamp_axes, maps, map_center, map_scale, map_size, groups, shades,
):  # fmt: skip
    """Write how much light each pixel gets from the lamps that it sees.

    Each pixel asks one group of lamps; the pixels that are shrunk into one ask all of them.
    """
    height, width = depths.shape
    lamp_count = len(lamps)
    for y in range(height):
        for x in range(width):
            face = faces[y, x]
            if face < 0:
                continue
            ax, ay = points[face, 0, 0], points[face, 0, 1]
            bx, by = points[face, 1, 0], points[face, 1, 1]
            cx, cy = points[face, 2, 0], points[face, 2, 1]
            inverse = 1.0 / ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
            px, py = x + 0.5 - ax, y + 0.5 - ay
            b = (px * (cy - ay) - py * (cx - ax)) * inverse
            c = (py * (bx - ax) - px * (by - ay)) * inverse
            a = 1.0 - b - c
            nx = (
                a * corner_normals[face, 0, 0]
                + b * corner_normals[face, 1, 0]
                + c * corner_normals[face, 2, 0]
            )
            ny = (
                a * corner_normals[face, 0, 1]
                + b * corner_normals[face, 1, 1]
                + c * corner_normals[face, 2, 1]
            )
            nz = (
                a * corner_normals[face, 0, 2]
                + b * corner_normals[face, 1, 2]
                + c * corner_normals[face, 2, 2]
            )
            gx, gy, gz = face_normals[face, 0], face_normals[face, 1], face_normals[face, 2]
            length = np.sqrt(nx * nx + ny * ny + nz * nz)
            if length < 1e-6:
                nx, ny, nz, length = gx, gy, gz, 1.0
            turn = 1.0 / length if gz >= 0 else -1.0 / length
            nx, ny, nz = nx * turn, ny * turn, nz * turn
            side = 1.0 if gz >= 0 else -1.0
            # A step off the surface, so that it does not shade itself.
            off = side * 2.2 / map_scale
            wx = (x + 0.5) / scale + gx * off
            wy = -(y + 0.5) / scale + gy * off
            wz = depths[y, x] + gz * off
            got = 0.0
            most = 0.0
            first = (y % 4) * 4 + x % 4
            for lamp in range(first % groups, lamp_count, groups):
                cosine = nx * lamps[lamp, 0] + ny * lamps[lamp, 1] + nz * lamps[lamp, 2]
                most += weights[lamp]
                if cosine <= 0:
                    continue
                dx, dy, dz = wx - map_center[0], wy - map_center[1], wz - map_center[2]
                u = int(
                    (
                        dx * lamp_axes[lamp, 0, 0]
                        + dy * lamp_axes[lamp, 0, 1]
                        + dz * lamp_axes[lamp, 0, 2]
                    )
                    * map_scale
                    + map_size * 0.5
                )
                v = int(
                    (
                        dx * lamp_axes[lamp, 1, 0]
                        + dy * lamp_axes[lamp, 1, 1]
                        + dz * lamp_axes[lamp, 1, 2]
                    )
                    * map_scale
                    + map_size * 0.5
                )
                if 0 <= u < map_size and 0 <= v < map_size:
                    depth = dx * lamps[lamp, 0] + dy * lamps[lamp, 1] + dz * lamps[lamp, 2]
                    if maps[lamp, v, u] > depth + 0.6 / map_scale:
                        continue
                got += weights[lamp] * cosine
            shades[y, x] = got / most if most > 0 else 0.0


@njit(cache=True, fastmath=True)
def draw_lines(lines, size, depths, radius, hidden_radius, tolerance, seen, hidden):
    """Stamp discs along lines: into `seen` if nothing is in front of them, else into `hidden`."""
    for index in range(len(lines)):
        ax, ay, az = lines[index, 0]
        bx, by, bz = lines[index, 1]
        length = np.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        steps = min(int(length) + 1, 4 * size)
        for step in range(steps + 1):
            share = step / steps
            x, y, z = ax + share * (bx - ax), ay + share * (by - ay), az + share * (bz - az)
            column, row = int(np.floor(x)), int(np.floor(y))
            if not (1 <= column < size - 1 and 1 <= row < size - 1):
                continue
            farthest = depths[row, column]
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    farthest = min(farthest, depths[row + dy, column + dx])
            is_seen = z + tolerance >= farthest
            reach = radius if is_seen else hidden_radius
            whole = int(np.ceil(reach))
            for dy in range(-whole, whole + 1):
                for dx in range(-whole, whole + 1):
                    far_x, far_y = column + dx + 0.5 - x, row + dy + 0.5 - y
                    if far_x * far_x + far_y * far_y > reach * reach:
                        continue
                    if 0 <= row + dy < size and 0 <= column + dx < size:
                        if is_seen:
                            seen[row + dy, column + dx] = 1
                        else:
                            hidden[row + dy, column + dx] = 1

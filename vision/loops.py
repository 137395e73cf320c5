"""The loops of renderer and augmentation, compiled by numba."""

import numpy as np
from numba import njit


@njit(cache=True, fastmath=True, nogil=True)
def shade(
    size, faces, screen, world, normals, flat, eye,
    corner, across, down,
    lamps, weights, axes, maps, map_size, map_scale, map_center,
    boxes, spans, wave, on_stud, letters, rim, dim, groups, out,
):  # fmt: skip
    """Write light, gloss, cover and ground shadow of each pixel into `out` (size, size, 4).

    The ground is the plane z = 0. A pixel asks one group of lamps; those that are shrunk into
    one ask all of them. `corner + x * across + y * down` is a pixel's direction from the eye.
    """
    lamp_count = len(lamps)
    for y in range(size):
        for x in range(size):
            face = faces[y, x]
            if face >= 0:
                ax, ay = screen[face, 0, 0], screen[face, 0, 1]
                bx, by = screen[face, 1, 0], screen[face, 1, 1]
                cx, cy = screen[face, 2, 0], screen[face, 2, 1]
                inverse = 1.0 / ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
                px, py = x + 0.5 - ax, y + 0.5 - ay
                b = (px * (cy - ay) - py * (cx - ax)) * inverse
                c = (py * (bx - ax) - px * (by - ay)) * inverse
                a = 1.0 - b - c
                wx = a * world[face, 0, 0] + b * world[face, 1, 0] + c * world[face, 2, 0]
                wy = a * world[face, 0, 1] + b * world[face, 1, 1] + c * world[face, 2, 1]
                wz = a * world[face, 0, 2] + b * world[face, 1, 2] + c * world[face, 2, 2]
                nx = a * normals[face, 0, 0] + b * normals[face, 1, 0] + c * normals[face, 2, 0]
                ny = a * normals[face, 0, 1] + b * normals[face, 1, 1] + c * normals[face, 2, 1]
                nz = a * normals[face, 0, 2] + b * normals[face, 1, 2] + c * normals[face, 2, 2]
                gx, gy, gz = flat[face, 0], flat[face, 1], flat[face, 2]
                ex, ey, ez = eye[0] - wx, eye[1] - wy, eye[2] - wz
                length = np.sqrt(ex * ex + ey * ey + ez * ez)
                ex, ey, ez = ex / length, ey / length, ez / length
                if on_stud[face, 1, 0] != 0 or on_stud[face, 1, 1] != 0:
                    u = b * on_stud[face, 1, 0] + c * on_stud[face, 2, 0]
                    v = b * on_stud[face, 1, 1] + c * on_stud[face, 2, 1]
                    dx = world[face, 1, 0] - world[face, 0, 0]
                    dy = world[face, 1, 1] - world[face, 0, 1]
                    dz = world[face, 1, 2] - world[face, 0, 2]
                    radius = np.sqrt(dx * dx + dy * dy + dz * dz)
                    # Letters are raised in the middle of a stud: their strokes bend what it mirrors.
                    if letters > 0 and abs(u) < 0.75 and abs(v) < 0.32:
                        slope = letters * np.sin(u * 17.0) * np.sin(v * 11.0 + u * 9.0) / radius
                        nx, ny, nz = nx + slope * dx, ny + slope * dy, nz + slope * dz
                    # Its rim is round, and so a bright or a dark ring.
                    out_there = np.sqrt(u * u + v * v)
                    if out_there > 1 - rim:
                        slope = (out_there - 1 + rim) / rim / (radius * out_there)
                        nx += slope * (wx - world[face, 0, 0])
                        ny += slope * (wy - world[face, 0, 1])
                        nz += slope * (wz - world[face, 0, 2])
                if gx * ex + gy * ey + gz * ez < 0:
                    gx, gy, gz = -gx, -gy, -gz
                if nx * gx + ny * gy + nz * gz < 0:
                    nx, ny, nz = -nx, -ny, -nz
            else:
                dx = corner[0] + (x + 0.5) * across[0] + (y + 0.5) * down[0]
                dy = corner[1] + (x + 0.5) * across[1] + (y + 0.5) * down[1]
                dz = corner[2] + (x + 0.5) * across[2] + (y + 0.5) * down[2]
                if dz > -1e-6:
                    continue
                far = -eye[2] / dz
                wx, wy, wz = eye[0] + far * dx, eye[1] + far * dy, 0.0
                nx, ny, nz = 0.0, 0.0, 1.0
                gx, gy, gz = 0.0, 0.0, 1.0
                ex, ey, ez = 0.0, 0.0, 1.0
            length = np.sqrt(nx * nx + ny * ny + nz * nz)
            if length < 1e-6:
                nx, ny, nz, length = gx, gy, gz, 1.0
            nx, ny, nz = nx / length, ny / length, nz / length
            off = 2.0 / map_scale
            sx, sy, sz = wx + gx * off, wy + gy * off, wz + gz * off
            got, most = 0.0, 0.0
            first = ((y % 2) * 2 + x % 2) % groups
            for lamp in range(first, lamp_count, groups):
                cosine = nx * lamps[lamp, 0] + ny * lamps[lamp, 1] + nz * lamps[lamp, 2]
                most += weights[lamp] * max(0.0, lamps[lamp, 2])
                if cosine <= 0:
                    continue
                rx, ry, rz = sx - map_center[0], sy - map_center[1], sz - map_center[2]
                u = int((rx * axes[lamp, 0, 0] + ry * axes[lamp, 0, 1] + rz * axes[lamp, 0, 2])
                        * map_scale + map_size * 0.5)  # fmt: skip
                v = int((rx * axes[lamp, 1, 0] + ry * axes[lamp, 1, 1] + rz * axes[lamp, 1, 2])
                        * map_scale + map_size * 0.5)  # fmt: skip
                if 0 <= u < map_size and 0 <= v < map_size:
                    depth = rx * lamps[lamp, 0] + ry * lamps[lamp, 1] + rz * lamps[lamp, 2]
                    if maps[lamp, v, u] > depth + 0.8 / map_scale:
                        continue
                got += weights[lamp] * cosine
            light = got / most if most > 0 else 0.0
            if face < 0:
                out[y, x, 3] = max(0.0, 1.0 - light)
                continue
            out[y, x, 0] = light * dim[face]
            out[y, x, 2] = 1.0
            # Gloss: soft boxes in the mirror, on a surface that is never quite flat.
            mx = nx + wave[0] * np.sin(wx * wave[1] + wy * wave[2] + wave[3])
            my = ny + wave[0] * np.sin(wy * wave[4] + wz * wave[1] + wave[5])
            mz = nz + wave[0] * np.sin(wz * wave[2] + wx * wave[4] + wave[6])
            length = np.sqrt(mx * mx + my * my + mz * mz)
            mx, my, mz = mx / length, my / length, mz / length
            turn = 2 * (mx * ex + my * ey + mz * ez)
            mx, my, mz = turn * mx - ex, turn * my - ey, turn * mz - ez
            gloss = 0.0
            for box in range(len(boxes)):
                near = mx * boxes[box, 0] + my * boxes[box, 1] + mz * boxes[box, 2]
                share = (near - spans[box, 0]) / (spans[box, 1] - spans[box, 0])
                gloss += spans[box, 2] * min(1.0, max(0.0, share))
            out[y, x, 1] = min(1.0, gloss)


@njit(cache=True, nogil=True)
def halve(fine, scale):
    """Return the means of 2 × 2 pixels as bytes; light and gloss over what is covered."""
    size = fine.shape[0] // 2
    out = np.zeros((size, size, 4), np.uint8)
    for y in range(size):
        for x in range(size):
            light, gloss, cover, dark, ground = 0.0, 0.0, 0.0, 0.0, 0.0
            for j in range(2):
                for i in range(2):
                    pixel = fine[2 * y + j, 2 * x + i]
                    if pixel[2] > 0:
                        light += pixel[0]
                        gloss += pixel[1]
                        cover += 1
                    else:
                        dark += pixel[3]
                        ground += 1
            if cover > 0:
                out[y, x, 0] = min(255.0, light / cover * scale)
                out[y, x, 1] = min(255.0, gloss / cover * 255)
            out[y, x, 2] = cover / 4 * 255
            if ground > 0:
                out[y, x, 3] = min(255.0, dark / ground * 255)
    return out

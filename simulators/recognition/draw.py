"""Draw the sample pictures: `python -m simulators.recognition.draw`.

All of them are drawn from boxes and cylinders; none is a photograph.
"""

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from simulators.recognition.samples import FOLDER, SAMPLES, Sample

SIZE: Final = (640, 480)
SCALE: Final = 3  # drawn larger, then shrunk: smooth edges
PAPER: Final = (236, 234, 229)
Point = tuple[float, float]
Color = tuple[int, int, int]


def shade(color: Color, factor: float) -> Color:
    """Return the colour lighter (above 1) or darker; black still shows its edges."""
    red, green, blue = (min(255, round(max(channel, 22) * factor)) for channel in color)
    return red, green, blue


class Sheet:
    """A sheet of paper seen at an angle, in millimetres, with light from the left."""

    def __init__(self, seed: int) -> None:
        self.size = (SIZE[0] * SCALE, SIZE[1] * SCALE)
        self.image = Image.new("RGB", self.size, PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.random = random.Random(seed)
        self.zoom = 7.2 * SCALE
        self.center = (self.size[0] / 2, self.size[1] / 2)

    def at(self, x: float, y: float, z: float) -> Point:
        across = (x - y) * math.cos(math.radians(30))
        down = (x + y) * math.sin(math.radians(30)) - z * 0.95
        return self.center[0] + across * self.zoom, self.center[1] + down * self.zoom

    def face(self, points: Sequence[Point], color: Color) -> None:
        self.pen.polygon(points, fill=color, outline=shade(color, 0.8))

    def shadow(self, points: Sequence[Point]) -> None:
        veil = Image.new("L", self.size, 0)
        ImageDraw.Draw(veil).polygon(points, fill=90)
        veil = veil.filter(ImageFilter.GaussianBlur(9 * SCALE))
        self.image.paste((120, 116, 110), mask=veil)
        self.pen = ImageDraw.Draw(self.image)

    def box(self, x: float, y: float, z: float, size: tuple[float, float, float], c: Color) -> None:
        wide, deep, high = size
        top = z + high
        self.face(
            [
                self.at(x, y + deep, z),
                self.at(x + wide, y + deep, z),
                self.at(x + wide, y + deep, top),
                self.at(x, y + deep, top),
            ],
            shade(c, 0.78),
        )
        self.face(
            [
                self.at(x + wide, y, z),
                self.at(x + wide, y + deep, z),
                self.at(x + wide, y + deep, top),
                self.at(x + wide, y, top),
            ],
            shade(c, 0.6),
        )
        self.face(
            [
                self.at(x, y, top),
                self.at(x + wide, y, top),
                self.at(x + wide, y + deep, top),
                self.at(x, y + deep, top),
            ],
            shade(c, 1.0),
        )

    def cylinder(self, x: float, y: float, z: float, radius: float, high: float, c: Color) -> None:
        def ring(level: float) -> list[Point]:
            turn = [math.radians(angle) for angle in range(0, 360, 10)]
            return [
                self.at(x + radius * math.cos(a), y + radius * math.sin(a), level) for a in turn
            ]

        for level in range(9):
            self.face(ring(z + high * level / 9), shade(c, 0.72))
        self.pen.polygon(ring(z + high), fill=shade(c, 1.06), outline=shade(c, 0.8))

    def finished(self) -> Image.Image:
        small = self.image.resize(SIZE, Image.Resampling.LANCZOS)
        grain = Image.effect_noise(SIZE, 6).convert("L")
        return Image.blend(small, Image.merge("RGB", (grain,) * 3), 0.02)


def brick(sheet: Sheet, wide: int, deep: int, high: float, color: Color, *, studs: bool) -> None:
    """A brick, plate or tile, `wide` × `deep` studs (8 mm) and `high` mm."""
    x, y = -wide * 4.0, -deep * 4.0
    floor = -high / 2
    base = [(x - 2, y + 2), (x + wide * 8, y), (x + wide * 8 + 3, y + deep * 8 + 4)]
    base.append((x, y + deep * 8 + 5))
    sheet.shadow([sheet.at(px, py, floor) for px, py in base])
    sheet.box(x, y, floor, (wide * 8.0, deep * 8.0, high), color)
    if studs:
        for row in range(deep):
            for column in range(wide):
                sheet.cylinder(x + column * 8 + 4, y + row * 8 + 4, high / 2, 2.4, 1.7, color)


def round_part(sheet: Sheet, radius: float, high: float, color: Color) -> None:
    floor = -high / 2
    turn = [math.radians(angle) for angle in range(0, 360, 20)]
    sheet.shadow(
        [sheet.at(2 + radius * math.cos(a), 3 + radius * math.sin(a), floor) for a in turn]
    )
    sheet.cylinder(0, 0, floor, radius, high, color)
    sheet.cylinder(0, 0, floor + high, 2.4, 1.7, color)


def figure(sheet: Sheet, color: Color) -> None:
    """A figure from the front: legs, body, arms, head, helmet."""
    pen, (cx, cy), unit = sheet.pen, sheet.center, 10.5 * SCALE
    skin, other = (245, 205, 47), (228, 228, 60)

    def part(left: float, top: float, right: float, bottom: float, fill: Color) -> None:
        corners = (cx + left * unit, cy + top * unit, cx + right * unit, cy + bottom * unit)
        pen.rounded_rectangle(corners, unit * 0.5, fill=fill, outline=shade(fill, 0.7), width=3)

    sheet.shadow([(cx - 6 * unit, cy + 14 * unit), (cx + 8 * unit, cy + 13 * unit), (cx, cy)])
    for left, right in ((-4.6, -0.2), (0.2, 4.6)):
        part(left, 5, right, 14, shade(color, 0.9))
    part(-4.6, 4, 4.6, 6, shade(color, 1.2))
    part(-4.8, -5, 4.8, 4.4, color)
    part(-2.2, -3.6, 2.2, 1, other)
    for left, right in ((-7.4, -5), (5, 7.4)):
        part(left, -4.6, right, 2, shade(color, 1.3))
        part(left + 0.2, 1.6, right - 0.2, 4, skin)
    part(-3.4, -12, 3.4, -4.6, skin)
    part(-4.4, -14, 4.4, -9.6, shade(color, 1.1))
    for eye in (-1.3, 1.3):
        part(eye - 0.4, -8.8, eye + 0.4, -7.8, (20, 20, 20))


def carton(sheet: Sheet, color: Color) -> None:
    """The box of a set, with a ship on its lid."""
    sheet.shadow([sheet.at(*point, -6) for point in ((-25, -14), (24, -16), (30, 20), (-22, 22))])
    sheet.box(-24, -16, -6, (48, 32, 10), color)
    sheet.pen.polygon(
        [sheet.at(-18, 0, 4), sheet.at(16, -12, 4), sheet.at(16, 12, 4)], fill=(176, 180, 186)
    )


Drawn = Callable[[Sheet, Color], None]
SHAPES: Final[dict[str, Drawn]] = {
    "brick 2x4": lambda sheet, c: brick(sheet, 4, 2, 9.6, c, studs=True),
    "brick 2x2": lambda sheet, c: brick(sheet, 2, 2, 9.6, c, studs=True),
    "brick 1x2": lambda sheet, c: brick(sheet, 2, 1, 9.6, c, studs=True),
    "brick 1x1": lambda sheet, c: brick(sheet, 1, 1, 9.6, c, studs=True),
    "brick 1x4": lambda sheet, c: brick(sheet, 4, 1, 9.6, c, studs=True),
    "plate 2x4": lambda sheet, c: brick(sheet, 4, 2, 3.2, c, studs=True),
    "plate 1x2": lambda sheet, c: brick(sheet, 2, 1, 3.2, c, studs=True),
    "tile 2x2": lambda sheet, c: brick(sheet, 2, 2, 3.2, c, studs=False),
    "brick round 2x2": lambda sheet, c: round_part(sheet, 8, 9.6, c),
    "figure": figure,
    "box": carton,
    "nothing": lambda sheet, c: None,
}


def draw(sample: Sample) -> Image.Image:
    """Return the picture of a sample; the same one each time but for the paper's grain."""
    sheet = Sheet(seed=sum(sample.file.encode()))
    SHAPES[sample.shape](sheet, sample.rgb)
    return sheet.finished()


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        draw(sample).save(folder / sample.file, "JPEG", quality=88)


if __name__ == "__main__":
    main()

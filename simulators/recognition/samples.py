"""The sample pictures, and the items that each shows, in the recogniser's format."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parents[2] / "static" / "icons" / "samples"
Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Known:
    """An item as the recogniser names it: type is part, fig or set."""

    number: str
    name: str
    kind: str = "part"
    category: str = "Brick"


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture: its file, its drawing, and the items that it shows, the likeliest first."""

    file: str
    shape: str
    rgb: Rgb
    shows: tuple[Known, ...] = ()


BRICK_2X4 = Known("3001", "Brick 2 x 4")
BRICK_2X2 = Known("3003", "Brick 2 x 2")
BRICK_1X2 = Known("3004", "Brick 1 x 2")
BRICK_1X1 = Known("3005", "Brick 1 x 1")
BRICK_1X4 = Known("3010", "Brick 1 x 4")
BRICK_1X3 = Known("3622", "Brick 1 x 3")
PLATE_2X4 = Known("3020", "Plate 2 x 4", category="Plate")
PLATE_1X2 = Known("3023", "Plate 1 x 2", category="Plate")
TILE_2X2 = Known("3068", "Tile 2 x 2", category="Tile")
ROUND_2X2 = Known("3941", "Brick, Round 2 x 2", category="Brick, Round")
FIGURE = Known("sp001", "Blacktron I", "fig", "Space")
SHIP = Known("10030-1", "Imperial Star Destroyer", "set", "Star Wars")

SAMPLES: Final = (
    Sample("brick-2x4-red.jpg", "brick 2x4", (201, 26, 9), (BRICK_2X4, BRICK_2X2)),
    Sample("brick-2x4-blue.jpg", "brick 2x4", (0, 85, 191), (BRICK_2X4, BRICK_2X2)),
    Sample("brick-2x2-yellow.jpg", "brick 2x2", (242, 205, 55), (BRICK_2X2, BRICK_2X4)),
    Sample("brick-1x2-green.jpg", "brick 1x2", (35, 120, 65), (BRICK_1X2, BRICK_1X3)),
    Sample("brick-1x1-orange.jpg", "brick 1x1", (254, 138, 24), (BRICK_1X1,)),
    Sample("brick-1x4-black.jpg", "brick 1x4", (5, 19, 29), (BRICK_1X4, BRICK_1X3)),
    Sample("plate-2x4-dark-gray.jpg", "plate 2x4", (108, 110, 104), (PLATE_2X4, BRICK_2X4)),
    Sample("plate-1x2-brown.jpg", "plate 1x2", (88, 42, 18), (PLATE_1X2, BRICK_1X2)),
    Sample("tile-2x2-lime.jpg", "tile 2x2", (187, 233, 11), (TILE_2X2,)),
    Sample("brick-round-2x2-red.jpg", "brick round 2x2", (201, 26, 9), (ROUND_2X2,)),
    Sample("figure.jpg", "figure", (27, 42, 52), (FIGURE,)),
    Sample("set-box.jpg", "box", (32, 50, 110), (SHIP,)),
    Sample("nothing.jpg", "nothing", (0, 0, 0)),
)

# The recogniser's colours: its id, name and value.
COLORS: Final[dict[str, tuple[str, Rgb]]] = {
    "Red": ("5", (201, 26, 9)),
    "Blue": ("7", (0, 85, 191)),
    "Yellow": ("3", (242, 205, 55)),
    "Green": ("6", (35, 120, 65)),
    "Orange": ("4", (254, 138, 24)),
    "Black": ("11", (5, 19, 29)),
    "Dark Bluish Gray": ("85", (108, 110, 104)),
    "Reddish Brown": ("88", (88, 42, 18)),
    "Lime": ("34", (187, 233, 11)),
}

"""The card under a part: marks that give millimetres, a white and a grey. Pure.

Millimetres from the upper left corner of the upper left mark; x to the right, y down.
"""

from typing import Final

# A5 across: 210 × 148 mm.
PAPER: Final = (210.0, 148.0)
MARGIN: Final = 9.0
MARK: Final = 20.0
_WIDTH: Final = PAPER[0] - 2 * MARGIN
_HEIGHT: Final = PAPER[1] - 2 * MARGIN

# The number of each mark (ArUco 4 × 4) and its upper left corner.
MARKS: Final[dict[int, tuple[float, float]]] = {
    0: (0.0, 0.0),
    1: (_WIDTH - MARK, 0.0),
    2: (_WIDTH - MARK, _HEIGHT - MARK),
    3: (0.0, _HEIGHT - MARK),
}
# What each mark looks like: six by six fields, black rim included; 1 is white.
PATTERNS: Final[dict[int, tuple[str, ...]]] = {
    0: ("1011", "0101", "0011", "0010"),
    1: ("0000", "1111", "1001", "1010"),
    2: ("0011", "0011", "0010", "1101"),
    3: ("1001", "1001", "0100", "0110"),
}
# Left, top, width, height. White is bare paper in a thin line; grey reflects 18 %.
WHITE: Final = (_WIDTH / 2 - 34, 1.0, 30.0, 14.0)
GREY: Final = (_WIDTH / 2 + 4, 1.0, 30.0, 14.0)
GREY_LEVEL: Final = 0.466  # of paper, as a screen counts it
# The field for the part.
FIELD: Final = (
    (MARK + 3, 18.0), (_WIDTH - MARK - 3, 18.0),
    (_WIDTH - MARK - 3, _HEIGHT - 4), (MARK + 3, _HEIGHT - 4),
)  # fmt: skip


def corners_of(mark: int) -> list[tuple[float, float]]:
    """Return a mark's corners, clockwise from the upper left."""
    x, y = MARKS[mark]
    return [(x, y), (x + MARK, y), (x + MARK, y + MARK), (x, y + MARK)]

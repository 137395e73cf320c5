"""The papers that labels are printed on: where each label lies, in millimetres. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A sheet with its labels, or a roll with one label per page.

    `left` and `top` are the margins before the first label; `across` and `down` lead from one
    label to the next. A roll whose `width` is None cuts each label as long as its name needs.
    """

    id: str
    name: str
    width: float | None
    height: float
    label_width: float | None
    label_height: float
    columns: int = 1
    rows: int = 1
    left: float = 0
    top: float = 0
    across: float = 0
    down: float = 0
    cut_lines: bool = False

    @property
    def per_page(self) -> int:
        return self.columns * self.rows

    @property
    def is_roll(self) -> bool:
        return self.per_page == 1

    @property
    def takes_addresses(self) -> bool:
        """Return whether an address has room on a label."""
        return (self.label_width or 0) >= ADDRESS_WIDTH and self.label_height >= ADDRESS_HEIGHT


@dataclass(frozen=True, slots=True)
class Place:
    """Where a label lies: its page from 0, its left and top edge on it in millimetres."""

    page: int
    position: int
    left: float
    top: float


#: An address needs at least so much room, in millimetres.
ADDRESS_WIDTH: Final = 50
ADDRESS_HEIGHT: Final = 25
_A4: Final[dict[str, Any]] = {"width": 210.0, "height": 297.0}
_LETTER: Final[dict[str, Any]] = {"width": 215.9, "height": 279.4}


def _roll(key: str, name: str, width: float | None, height: float) -> Layout:
    """Return a roll: each page is one label."""
    return Layout(
        id=key, name=name, width=width, height=height, label_width=width, label_height=height
    )


LAYOUTS: Final = {
    layout.id: layout
    for layout in (
        Layout(
            id="a4_plain",
            name="A4, plain paper to cut (27 a sheet)",
            **_A4,
            label_width=62,
            label_height=30,
            columns=3,
            rows=9,
            left=12,
            top=13.5,
            across=62,
            down=30,
            cut_lines=True,
        ),
        Layout(
            id="letter_plain",
            name="Letter, plain paper to cut (24 a sheet)",
            **_LETTER,
            label_width=62,
            label_height=30,
            columns=3,
            rows=8,
            left=14.95,
            top=19.7,
            across=62,
            down=30,
            cut_lines=True,
        ),
        Layout(
            id="avery_l7160",
            name="Avery L7160, A4 (21 a sheet)",
            **_A4,
            label_width=63.5,
            label_height=38.1,
            columns=3,
            rows=7,
            left=7.25,
            top=15.15,
            across=66.0,
            down=38.1,
        ),
        Layout(
            id="avery_l7163",
            name="Avery L7163, A4 (14 a sheet)",
            **_A4,
            label_width=99.1,
            label_height=38.1,
            columns=2,
            rows=7,
            left=4.65,
            top=15.15,
            across=101.6,
            down=38.1,
        ),
        Layout(
            id="avery_5160",
            name="Avery 5160, Letter (30 a sheet)",
            **_LETTER,
            label_width=66.675,
            label_height=25.4,
            columns=3,
            rows=10,
            left=4.7625,
            top=12.7,
            across=69.85,
            down=25.4,
        ),
        _roll("roll_62", "Roll, 62 mm wide (62 × 29 mm)", 62, 29),
        _roll("roll_62x100", "Roll, 62 × 100 mm", 62, 100),
        _roll("roll_4x6", "Roll, 4 × 6 in (101.6 × 152.4 mm)", 101.6, 152.4),
        _roll("roll_29", "Roll, 29 mm wide, as long as the name", None, 29),
        _roll("roll_12", "Roll, 12 mm wide, as long as the name", None, 12),
    )
}


def places(layout: Layout, count: int, *, start: int = 1) -> Iterator[Place]:
    """Give `count` labels their places, row by row, from position `start` (1 is the first).

    The places before `start` on the first sheet are used up already. Raises ValueError for a
    start that is not on the sheet.
    """
    if not 1 <= start <= layout.per_page:
        raise ValueError(f"position {start} of {layout.per_page}")
    for number in range(start - 1, start - 1 + count):
        page, position = divmod(number, layout.per_page)
        row, column = divmod(position, layout.columns)
        left = layout.left + column * layout.across
        yield Place(page, position + 1, left, layout.top + row * layout.down)


def pages(layout: Layout, count: int, *, start: int = 1) -> int:
    """Return how many pages `count` labels take from position `start` on."""
    return -(-(start - 1 + count) // layout.per_page) if count else 0


CHOICES: Final = [(name, name) for name in LAYOUTS]

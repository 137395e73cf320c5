"""The layout of a label: the code left, the name right of it. Millimetres. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.locations.rules.label_layouts import Layout, Place, places
from apps.locations.rules.label_text import CAPITAL, LEADING, SetName, set_name

# White around the content; sheets are cut and fed with this tolerance.
MARGIN: Final = 1.5
NARROW_MARGIN: Final = 0.6
# The code never takes more of a label's width than this: the name is for people.
CODE_SHARE: Final = 0.4
# So much of a label's height the name fills, as far as its width lets it.
NAME_SHARE: Final = 0.62
# Capitals of this height are read at a glance from in front of the shelf.
LEGIBLE: Final = 7
# From this size on a label has room for a picture, and so much of its width is the picture's.
PICTURE_WIDTH: Final = 90
PICTURE_HEIGHT: Final = 25
PICTURE_SHARE: Final = 0.24


@dataclass(frozen=True, slots=True)
class Label:
    """A location's name, the text of its code, and a picture (PNG) of its contents."""

    name: str
    code: str
    picture: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One label, ready to be drawn: millimetres from its page's left and top edge."""

    page: int
    page_width: float
    page_height: float
    left: float
    top: float
    width: float
    height: float
    outlined: bool
    code: str
    code_left: float
    code_top: float
    code_side: float
    lines: tuple[str, ...]
    text_left: float
    baseline: float
    size: float
    leading: float
    # The picture of its contents, at the right end; none on small labels.
    picture: bytes = b""
    picture_left: float = 0
    picture_top: float = 0
    picture_side: float = 0


def has_room(layout: Layout) -> bool:
    """Return whether labels are large enough for a picture beside code and name."""
    width = layout.label_width
    return width is not None and width >= PICTURE_WIDTH and layout.label_height >= PICTURE_HEIGHT


def designs(
    labels: Sequence[Label],
    *,
    layout: Layout,
    measure: Callable[[str], float],
    start: int = 1,
    shift_right: float = 0,
    shift_down: float = 0,
    outlines: bool = False,
) -> Iterator[Design]:
    """Give each label its design, from position `start` on.

    `measure` gives a text's width at size 1; `shift_*` correct a printer that feeds awry. With
    `outlines` each label's edge is drawn, as paper to be cut always has them.
    """
    for label, place in zip(labels, places(layout, len(labels), start=start), strict=True):
        yield _design(label, layout, place, measure, (shift_right, shift_down), outlines)


def _design(
    label: Label,
    layout: Layout,
    place: Place,
    measure: Callable[[str], float],
    shift: tuple[float, float],
    outlines: bool,
) -> Design:
    height = layout.label_height
    margin = NARROW_MARGIN if height < 20 else MARGIN
    side = height - 2 * margin
    picture = 0.0
    if layout.label_width is None:
        name = SetName((label.name,), height * NAME_SHARE / CAPITAL)
        width = side + 4 * margin + measure(label.name) * name.size
    else:
        width = layout.label_width
        side = min(side, width * CODE_SHARE)
        if label.picture and has_room(layout):
            picture = min(height - 2 * margin, width * PICTURE_SHARE)
        name = set_name(
            label.name,
            width=width - side - 3 * margin - (picture + margin if picture else 0),
            height=height - 4 * margin,
            legible=LEGIBLE,
            enough=height * NAME_SHARE,
            measure=measure,
        )
    left, top = place.left + shift[0], place.top + shift[1]
    return Design(
        page=place.page,
        page_width=width if layout.width is None else layout.width,
        page_height=layout.height,
        left=left,
        top=top,
        width=width,
        height=height,
        outlined=outlines or layout.cut_lines,
        code=label.code,
        code_left=left + margin,
        code_top=top + (height - side) / 2,
        code_side=side,
        lines=name.lines,
        text_left=left + side + 2 * margin,
        baseline=top + (height - name.height) / 2 + name.size * CAPITAL,
        size=name.size,
        leading=name.size * LEADING,
        picture=label.picture if picture else b"",
        picture_left=left + width - margin - picture,
        picture_top=top + (height - picture) / 2,
        picture_side=picture,
    )

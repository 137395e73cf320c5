"""Draws labels as PDF with reportlab: vector QR codes, the name in an embedded font."""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol

import segno
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONT: Final = "DejaVuSansCondensed-Bold"
FONT_FILE: Final = Path(__file__).parent / "fonts" / f"{FONT}.ttf"
# The code's own white border, in its modules, as its standard asks.
QUIET: Final = 4


class Drawable(Protocol):
    """A label with its places in millimetres from the page's left and top edge."""

    @property
    def page(self) -> int: ...
    @property
    def page_width(self) -> float: ...
    @property
    def page_height(self) -> float: ...
    @property
    def left(self) -> float: ...
    @property
    def top(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def outlined(self) -> bool: ...
    @property
    def code(self) -> str: ...
    @property
    def code_left(self) -> float: ...
    @property
    def code_top(self) -> float: ...
    @property
    def code_side(self) -> float: ...
    @property
    def lines(self) -> tuple[str, ...]: ...
    @property
    def text_left(self) -> float: ...
    @property
    def baseline(self) -> float: ...
    @property
    def size(self) -> float: ...
    @property
    def leading(self) -> float: ...
    @property
    def picture(self) -> bytes: ...
    @property
    def picture_left(self) -> float: ...
    @property
    def picture_top(self) -> float: ...
    @property
    def picture_side(self) -> float: ...


def labels_pdf(labels: Iterable[Drawable]) -> bytes:
    """Return the PDF; labels come page by page."""
    _load_font()
    out = BytesIO()
    canvas = Canvas(out, pageCompression=1)
    canvas.setTitle("Labels")
    page = 0
    for label in labels:
        if label.page != page:
            canvas.showPage()
            page = label.page
        canvas.setPageSize((label.page_width * mm, label.page_height * mm))
        _draw(canvas, label)
    canvas.save()
    return out.getvalue()


def text_width(text: str) -> float:
    """Return how wide a text is in letters of size 1."""
    _load_font()
    return float(pdfmetrics.stringWidth(text, FONT, 100)) / 100


def unknown_characters(text: str) -> set[str]:
    """Return the characters of a text that the labels' font does not have."""
    known = _load_font().face.charToGlyph
    return {character for character in text if ord(character) not in known}


@cache
def _load_font() -> TTFont:
    font = TTFont(FONT, FONT_FILE)
    pdfmetrics.registerFont(font)
    return font


def _draw(canvas: Canvas, label: Drawable) -> None:
    # Pages of a PDF are measured from their foot.
    foot = label.page_height
    if label.outlined:
        canvas.setLineWidth(0.2)
        canvas.setStrokeGray(0.6)
        bottom = foot - label.top - label.height
        canvas.rect(label.left * mm, bottom * mm, label.width * mm, label.height * mm)
    _draw_code(canvas, label)
    text = canvas.beginText(label.text_left * mm, (foot - label.baseline) * mm)
    text.setFont(FONT, label.size * mm, leading=label.leading * mm)
    for line in label.lines:
        text.textLine(line)
    canvas.drawText(text)
    if label.picture:
        bottom = foot - label.picture_top - label.picture_side
        side = label.picture_side * mm
        # The same picture on many labels is in the file once: reportlab knows it by its content.
        canvas.drawImage(
            ImageReader(BytesIO(label.picture)),
            label.picture_left * mm,
            bottom * mm,
            side,
            side,
            mask="auto",
        )


def _draw_code(canvas: Canvas, label: Drawable) -> None:
    """Draw the code as rectangles, one per run of dark modules: sharp at any size."""
    matrix = segno.make(label.code, error="m", micro=False).matrix
    unit = label.code_side / (len(matrix) + 2 * QUIET)
    path = canvas.beginPath()
    for number, row in enumerate(matrix):
        y = label.page_height - label.code_top - (QUIET + number + 1) * unit
        column = 0
        while column < len(row):
            first = column
            while column < len(row) and row[column]:
                column += 1
            if column > first:
                x = label.code_left + (QUIET + first) * unit
                path.rect(x * mm, y * mm, (column - first) * unit * mm, unit * mm)
            else:
                column += 1
    canvas.setFillGray(0)
    canvas.drawPath(path, stroke=0, fill=1)

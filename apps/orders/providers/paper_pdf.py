"""Draws papers as PDF with reportlab: flowing text and tables, in any script that we have letters of."""

import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import arabic_reshaper
import fontpkg_noto_sans_devanagari
import fontpkg_noto_sans_thai
from bidi.algorithm import get_display
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    Image,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

PLAIN: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"
_HERE: Final = Path(__file__).parent
_FONTS: Final = {
    PLAIN: _HERE / "fonts" / f"{PLAIN}.ttf",
    BOLD: _HERE.parents[1] / "locations" / "providers" / "fonts" / f"{BOLD}.ttf",
}
#: Scripts that the two do not have, each by its first and last letter.
_OTHERS: Final = (
    ("Thai", 0x0E00, 0x0E7F, fontpkg_noto_sans_thai),
    ("Devanagari", 0x0900, 0x097F, fontpkg_noto_sans_devanagari),
)
# Every reader of PDF has letters for these under these names: they are not in the file.
_ASIAN: Final = (
    ("HYSMyeongJo-Medium", ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))),
    ("HeiseiKakuGo-W5", ((0x3040, 0x30FF), (0x31F0, 0x31FF))),
    ("STSong-Light", ((0x2E80, 0x303F), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFFEF))),
)
_ARABIC: Final = range(0x0600, 0x0780)
_RIGHT_TO_LEFT: Final = range(0x0590, 0x0780)
_SHAPED: Final = range(0x0900, 0x0980)
#: Emoji, and the colours of their skin.
_SYMBOLS: Final = ("So", "Sk")
_UNKNOWN: Final = "\ufffd"
#: A line to write on, for a word in letters that no font has.
BLANK: Final = "________"
_POINTS: Final = (14.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0)


@cache
def _load() -> dict[str, frozenset[int]]:
    known = {}
    for name, path in _FONTS.items():
        font = TTFont(name, path)
        pdfmetrics.registerFont(font)
        known[name] = frozenset(font.face.charToGlyph)
    for name, _, _, package in _OTHERS:
        (path,) = (Path(package.__file__).parent / "files").glob("*.ttf")
        pdfmetrics.registerFont(TTFont(name, path, shapable=True))
    for name, _ in _ASIAN:
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    return known


def _font_of(letter: str, base: str) -> str:
    code = ord(letter)
    known = _load()
    if code in known[base] or letter.isspace():
        return base
    if code in known[PLAIN]:
        return PLAIN
    for name, first, last, _ in _OTHERS:
        if first <= code <= last:
            return name
    for name, ranges in _ASIAN:
        if any(first <= code <= last for first, last in ranges):
            return name
    return base


def _is_known(letter: str) -> bool:
    """Return whether a font has the letter, or draws nothing for it."""
    if letter.isspace() or not letter.isprintable() or ord(letter) in _load()[PLAIN]:
        return True
    return _font_of(letter, PLAIN) != PLAIN


def printable(text: str) -> str:
    """Return a text without what no font has: boxes would be printed.

    Plain letters replace those of special shapes, emoji are left out. Each word of other scripts
    is replaced by a line to write on.
    """
    shown = []
    for letter in text:
        if _is_known(letter):
            shown.append(letter)
            continue
        plain = unicodedata.normalize("NFKC", letter)
        if plain != letter and all(map(_is_known, plain)):
            shown.append(plain)
        elif unicodedata.category(letter) not in _SYMBOLS:
            shown.append(_UNKNOWN)
    return re.sub(f"{_UNKNOWN}+", BLANK, "".join(shown))


def markup(text: str, *, bold: bool = False) -> str:
    """Return a text as a paragraph's markup: each script in a font that has it, right to left as read."""
    base = BOLD if bold else PLAIN
    lines = []
    for line in printable(text.replace("\r", "")).split("\n"):
        if any(ord(letter) in _RIGHT_TO_LEFT for letter in line):
            shaped = arabic_reshaper.reshape(line) if any(ord(x) in _ARABIC for x in line) else line
            line = str(get_display(shaped))
        shown = "".join(
            x if x.isprintable() else " " for x in line if unicodedata.category(x) != "Cf"
        )
        runs = groupby(shown, key=lambda letter: _font_of(letter, base))
        lines.append(
            "".join(f'<font name="{name}">{escape("".join(run))}</font>' for name, run in runs)
        )
    return "<br/>".join(lines)


def _style(size: float, *, bold: bool, right: bool, shaped: bool) -> ParagraphStyle:
    return ParagraphStyle(
        f"{size}-{bold}-{right}-{shaped}",
        fontName=BOLD if bold else PLAIN,
        fontSize=size,
        leading=size * 1.25,
        alignment=2 if right else 0,
        splitLongWords=1,
        shaping=int(shaped),
    )


def text(words: str, size: float = 9, *, bold: bool = False, right: bool = False) -> Paragraph:
    """Return a text as a paragraph."""
    _load()
    # What is right to left is in its visual order already: shaping would turn it round again.
    shaped = any(letter in _SHAPED for letter in map(ord, words)) and not any(
        letter in _RIGHT_TO_LEFT for letter in map(ord, words)
    )
    return Paragraph(markup(words, bold=bold), _style(size, bold=bold, right=right, shaped=shaped))


def picture(content: bytes | None, side: float = 11) -> Flowable:
    """Return a picture, so many millimetres wide; an empty place for none."""
    if not content:
        return Spacer(side * mm, 1)
    return Image(io.BytesIO(content), width=side * mm, height=side * mm)


def table(
    head: Sequence[Flowable | str], rows: Sequence[Sequence[Any]], widths: Sequence[float | None]
) -> Table:
    """Return a table whose head is on each page; widths in millimetres."""
    made = Table(
        [list(head), *(list(row) for row in rows)],
        colWidths=[width * mm if width else None for width in widths],
        repeatRows=1,
        splitInRow=1,  # a row may be longer than a page
    )
    made.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.black),
                ("LINEBELOW", (0, 1), (-1, -1), 0.25, colors.Color(0.75, 0.75, 0.75)),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return made


def side_by_side(cells: Sequence[Sequence[Flowable]], widths: Sequence[float]) -> Table:
    """Return blocks beside each other, aligned at the top; widths in millimetres."""
    widths_mm = [width * mm for width in widths]
    made = Table([list(map(list, cells))], colWidths=widths_mm, splitInRow=1)
    made.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 4),
            ]
        )
    )
    return made


@dataclass(frozen=True, slots=True)
class Document:
    """What is printed from a page of its own on; `foot` takes `{page}`, counted from there."""

    story: Sequence[Flowable]
    foot: str


class _Begin(Flowable):
    """Marks the page on which a document begins; draws nothing."""

    def __init__(self, pages: "_Pages", foot: str) -> None:
        super().__init__()
        self.pages, self.foot = pages, foot

    def wrap(self, *_: float) -> tuple[float, float]:
        return 0, 0

    def draw(self) -> None:
        self.pages.foot, self.pages.first = self.foot, self.canv.getPageNumber()


class _Pages(SimpleDocTemplate):
    """Pages with the foot of the document that they belong to."""

    foot = ""
    first = 1

    def afterPage(self) -> None:
        self.canv.setFont(PLAIN, 8)
        foot = printable(self.foot.replace("{page}", str(self.page - self.first + 1)))
        self.canv.drawRightString(self.pagesize[0] - 15 * mm, 9 * mm, foot)


def pages_pdf(documents: Sequence[Document], *, title: str, is_letter: bool) -> bytes:
    """Return a PDF of documents that each begin on a page of their own."""
    _load()
    out = io.BytesIO()
    size = LETTER if is_letter else A4
    pages = _Pages(
        out,
        pagesize=size,
        title=title,
        leftMargin=15 * mm,
        rightMargin=15 * mm,
        topMargin=14 * mm,
        bottomMargin=16 * mm,
    )
    story: list[Flowable] = []
    for place, document in enumerate(documents):
        if place:
            story.append(PageBreak())
        story += [_Begin(pages, document.foot), *document.story]
    pages.build(story)
    return out.getvalue()


def labels_pdf(
    labels: Sequence[tuple[int, float, float, float, float, float, float, str]],
) -> bytes:
    """Return a PDF of texts, each as large as its label allows.

    A label is (page, page width, page height, left, top, width, height, text), in millimetres
    from the page's left and top edge.
    """
    _load()
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1)
    canvas.setTitle("Address labels")
    page = 0
    for number, wide, high, left, top, width, height, words in labels:
        if number != page:
            canvas.showPage()
            page = number
        canvas.setPageSize((wide * mm, high * mm))
        room = ((width - 6) * mm, (height - 4) * mm)
        for points in _POINTS:
            block = text(words, points)
            _, needed = block.wrap(room[0], room[1])
            if needed <= room[1]:
                break
        block.drawOn(canvas, (left + 3) * mm, (high - top - 2) * mm - needed)
    canvas.save()
    return out.getvalue()

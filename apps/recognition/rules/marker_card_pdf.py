"""Draws the marker card with reportlab, in millimetres."""

from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from apps.recognition.rules import marker_card as card

_A4 = (210.0, 297.0)


def draw_marker_card() -> bytes:
    """Return one page of A4; the card is its upper half."""
    out = BytesIO()
    # The same bytes each time: it can be cached.
    canvas = Canvas(out, pagesize=(_A4[0] * mm, _A4[1] * mm), invariant=True)
    canvas.setTitle("Marker card")

    def box(left: float, top: float, width: float, height: float, **how: int) -> None:
        below = _A4[1] - card.MARGIN - top - height
        canvas.rect((card.MARGIN + left) * mm, below * mm, width * mm, height * mm, **how)

    field = card.MARK / 6
    for number, (left, top) in card.MARKS.items():
        canvas.setFillGray(0)
        box(left, top, card.MARK, card.MARK, stroke=0, fill=1)
        canvas.setFillGray(1)
        for y, row in enumerate(card.PATTERNS[number], start=1):
            for x, bit in enumerate(row, start=1):
                if bit == "1":
                    # A hair wider, so that no printer leaves a line between two.
                    box(left + x * field, top + y * field, field + 0.02, field + 0.02,
                        stroke=0, fill=1)  # fmt: skip
    canvas.setLineWidth(0.2)
    canvas.setStrokeGray(0.75)
    box(*card.WHITE, stroke=1, fill=0)
    canvas.setFillGray(card.GREY_LEVEL)
    box(*card.GREY, stroke=0, fill=1)
    # The ruler shows whether the printer kept the size.
    canvas.setFillGray(0.25)
    canvas.setStrokeGray(0.25)
    canvas.setFont("Helvetica", 8)
    left, top = card.MARGIN * mm, (_A4[1] - card.PAPER[1] - 14) * mm
    canvas.line(left, top, left + 100 * mm, top)
    for at in range(0, 101, 10):
        canvas.line(left + at * mm, top, left + at * mm, top + (4 if at % 50 else 6) * mm)
    canvas.drawString(
        left, top - 5 * mm, "This line must be 100 mm long. If it is not, print at 100 %."
    )
    canvas.drawString(
        left, top - 10 * mm,
        "Lay one part on the white field, all four marks in the picture. Plain paper, no gloss.",
    )  # fmt: skip
    canvas.setDash(2, 2)
    canvas.line(0, (_A4[1] - card.PAPER[1]) * mm, _A4[0] * mm, (_A4[1] - card.PAPER[1]) * mm)
    canvas.showPage()
    canvas.save()
    return out.getvalue()

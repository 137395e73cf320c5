import datetime as dt
from io import BytesIO

import pypdfium2
import pytest
import zxingcpp
from pypdf import PdfReader

from apps.core.errors import Invalid
from apps.locations.models import Location
from apps.locations.providers import label_pdf
from apps.locations.providers.label_pdf import text_width, unknown_characters
from apps.locations.rules.label_design import Label, designs
from apps.locations.rules.label_layouts import LAYOUTS, pages, places
from apps.locations.rules.label_text import set_name
from apps.locations.services.labels import Print, plan_labels, print_labels, print_test_page
from apps.locations.tests.factories import make_location

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
POINTS_PER_MM = 72 / 25.4
NAMES = ["A-01-01", "B-07", "Schublade Ü/12", "Коробка 5"]


def labels_pdf(labels: list[Label], **how) -> bytes:
    return label_pdf.labels_pdf(designs(labels, measure=text_width, **how))


def texts_of(pdf: bytes, page: int = 0) -> list[tuple[str, float, float]]:
    """Return each line of text with its left edge and its baseline from the top, in mm."""
    found = []
    sheet = PdfReader(BytesIO(pdf)).pages[page]
    height = float(sheet.mediabox.height)

    def see(text, _cm, tm, _font, _size):
        if text.strip():
            left, base = tm[4] / POINTS_PER_MM, (height - tm[5]) / POINTS_PER_MM
            found.append((text.strip(), left, base))

    sheet.extract_text(visitor_text=see)
    return found


def codes_of(pdf: bytes, page: int = 0) -> list[tuple[str, float, float]]:
    """Return each code's text with its left and top edge in mm, read off the rendered page."""
    scale = 4
    image = pypdfium2.PdfDocument(pdf)[page].render(scale=scale).to_pil()
    unit = scale * POINTS_PER_MM
    found = [
        (code.text, code.position.top_left.x / unit, code.position.top_left.y / unit)
        for code in zxingcpp.read_barcodes(image)
    ]
    return sorted(found, key=lambda one: (one[2] // 20, one[1]))


class TestPlaces:
    @pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
    def test_keep_every_label_on_its_page_and_off_its_neighbours(self, layout):
        if layout.label_width is None:
            return
        taken = list(places(layout, layout.per_page))
        for place in taken:
            assert 0 <= place.left <= layout.width - layout.label_width + 0.01
            assert 0 <= place.top <= layout.height - layout.label_height + 0.01
        assert layout.columns == 1 or layout.across >= layout.label_width
        assert layout.rows == 1 or layout.down >= layout.label_height

    @pytest.mark.parametrize(
        ("count", "start", "expected"),
        [(0, 1, 0), (1, 1, 1), (21, 1, 1), (22, 1, 2), (1, 21, 1), (2, 21, 2), (21, 2, 2)],
    )
    def test_need_so_many_pages(self, count, start, expected):
        assert pages(LAYOUTS["avery_l7160"], count, start=start) == expected

    def test_begin_behind_the_used_ones_and_go_on_with_the_next_sheet(self):
        layout = LAYOUTS["avery_l7160"]
        found = list(places(layout, 3, start=20))
        assert [(one.page, one.position) for one in found] == [(0, 20), (0, 21), (1, 1)]
        assert (found[0].left, found[0].top) == pytest.approx((73.25, 243.75))

    @pytest.mark.parametrize("start", [0, -1, 22])
    def test_refuse_a_start_beside_the_sheet(self, start):
        with pytest.raises(ValueError, match=f"position {start} of 21"):
            list(places(LAYOUTS["avery_l7160"], 1, start=start))


class TestSetName:
    @pytest.mark.parametrize(
        ("name", "width", "height", "lines"),
        [
            ("A-01", 40, 10, ("A-01",)),
            ("A-01-01", 20, 30, ("A-", "01-", "01")),
            ("Kitchen shelf", 30, 20, ("Kitchen", "shelf")),
            ("KITCHENSHELF", 30, 20, ("KITCHENSHELF",)),
        ],
    )
    def test_breaks_only_behind_marks_and_blanks(self, name, width, height, lines):
        found = set_name(
            name, width=width, height=height, legible=height, enough=0.6 * height, measure=len
        )
        assert found.lines == lines
        assert max(map(len, found.lines)) * found.size <= width + 1e-9
        assert found.height <= height + 1e-9

    def test_sets_a_name_of_many_pieces(self):
        name = "-".join("123456789ABCDEF")
        found = set_name(name, width=40, height=20, legible=20, enough=12, measure=len)
        assert "".join(found.lines) == "1-2-3-4-5-6-7-8-9-A-B-C-D-E-F"


class TestLabelsPdf:
    @pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
    def test_has_a_code_that_a_scanner_reads_beside_each_name(self, layout):
        pdf = labels_pdf([Label(name, f"LOC:{name}") for name in NAMES], layout=layout)
        read, lines = [], []
        for page in range(len(PdfReader(BytesIO(pdf)).pages)):
            read += [text for text, _, _ in codes_of(pdf, page)]
            lines += [text for text, _, _ in texts_of(pdf, page)]
        assert read == [f"LOC:{name}" for name in NAMES]
        assert "".join(lines).replace(" ", "") == "".join(NAMES).replace(" ", "")

    def test_puts_the_codes_where_the_sheet_has_its_labels(self):
        layout = LAYOUTS["avery_5160"]
        pdf = labels_pdf([Label(name, f"LOC:{name}") for name in NAMES], layout=layout, start=3)
        read = codes_of(pdf)
        assert [text for text, _, _ in read] == [f"LOC:{name}" for name in NAMES]
        for (_, left, top), place in zip(read, places(layout, 4, start=3), strict=True):
            assert place.left < left < place.left + 0.4 * layout.label_width
            assert place.top < top < place.top + layout.label_height / 2

    def test_is_moved_by_what_the_printer_is_off(self):
        labels = [Label("A-1", "LOC:A-1")]
        layout = LAYOUTS["avery_l7163"]
        [(_, left, base)] = texts_of(labels_pdf(labels, layout=layout))
        moved = labels_pdf(labels, layout=layout, shift_right=1.5, shift_down=-2)
        [(_, moved_left, moved_base)] = texts_of(moved)
        assert moved_left - left == pytest.approx(1.5, abs=0.01)
        assert moved_base - base == pytest.approx(-2, abs=0.01)

    @pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
    @pytest.mark.parametrize("name", ["A-01", "A-001", "W-88", "A-4-07"])
    def test_has_the_name_of_a_bin_in_one_line(self, name, layout):
        pdf = labels_pdf([Label(name, f"LOC:{name}")], layout=layout)
        assert [text for text, _, _ in texts_of(pdf)] == [name]

    @pytest.mark.parametrize("layout", ["roll_12", "roll_29", "a4_plain", "roll_62"])
    def test_fills_three_fifths_of_the_height_with_the_name(self, layout):
        height = LAYOUTS[layout].label_height
        pdf = labels_pdf([Label("A-01-01", "LOC:A-01-01")], layout=LAYOUTS[layout])
        unit = 8 * POINTS_PER_MM
        image = pypdfium2.PdfDocument(pdf)[0].render(scale=8).to_pil().convert("L")
        place = next(places(LAYOUTS[layout], 1))
        left = min(left for _, left, _ in texts_of(pdf))
        width = LAYOUTS[layout].label_width
        right = image.width if width is None else (place.left + width - 0.5) * unit
        area = (left * unit, (place.top + 0.5) * unit, right, (place.top + height - 0.5) * unit)
        ink = image.crop(tuple(map(int, area))).point(lambda v: 255 if v < 100 else 0).getbbox()
        assert (ink[3] - ink[1]) / unit >= 0.6 * height

    def test_embeds_its_font(self):
        pdf = labels_pdf([Label("Ж-1", "LOC:Ж-1")], layout=LAYOUTS["roll_62"])
        fonts = PdfReader(BytesIO(pdf)).pages[0]["/Resources"]["/Font"].values()
        embedded = [
            font.get_object()["/FontDescriptor"]["/FontFile2"]
            for font in fonts
            if "/FontDescriptor" in font.get_object()
        ]
        assert len(embedded) == 1

    def test_tells_the_characters_that_its_font_lacks(self):
        assert unknown_characters("A-01 ÄÖß Жук Ωμ") == set()
        assert unknown_characters("箱-1") == {"箱"}


@pytest.mark.django_db
class TestPrintLabels:
    def test_goes_by_natural_order(self, ann):
        for name in ("A-10", "A-2", "A-1"):
            make_location(ann, name)
        pdf = print_labels(
            locations=Location.objects.owned_by(ann), how=Print(layout="avery_l7160"), now=NOON
        )
        assert [text for text, _, _ in codes_of(pdf)] == ["LOC:A-1", "LOC:A-2", "LOC:A-10"]

    def test_prints_the_code_where_it_is_not_the_name(self, ann):
        make_location(ann, "New name", code="A-1")
        pdf = print_labels(
            locations=Location.objects.owned_by(ann), how=Print(layout="roll_62"), now=NOON
        )
        assert [text for text, _, _ in codes_of(pdf)] == ["LOC:A-1"]

    def test_gives_a_code_to_a_location_that_has_none_and_keeps_it(self, ann):
        bare = make_location(ann, "A-1", code="")
        pdf = print_labels(
            locations=Location.objects.owned_by(ann), how=Print(layout="roll_62"), now=NOON
        )
        assert [text for text, _, _ in codes_of(pdf)] == [f"LOC:#{bare.pk}"]
        bare.refresh_from_db()
        assert bare.code == f"#{bare.pk}"

    def test_remembers_which_have_a_label_and_changes_nothing_else_of_them(self, ann):
        made, other = make_location(ann, "A-1"), make_location(ann, "A-2")
        before = made.updated_at
        print_labels(
            locations=Location.objects.filter(pk=made.pk), how=Print(layout="roll_62"), now=NOON
        )
        made.refresh_from_db()
        other.refresh_from_db()
        assert (made.label_printed_at, made.updated_at) == (NOON, before)
        assert other.label_printed_at is None

    @pytest.mark.parametrize(
        ("how", "field"),
        [
            (Print(layout="avery_l7160", start=22), "start"),
            (Print(layout="parchment"), "layout"),
        ],
    )
    def test_refuses_a_paper_or_position_that_there_is_not(self, ann, how, field):
        make_location(ann, "A-1")
        with pytest.raises(Invalid) as refused:
            print_labels(locations=Location.objects.owned_by(ann), how=how, now=NOON)
        assert list(refused.value.fields) == [field]

    def test_refuses_to_print_nothing(self, ann):
        with pytest.raises(Invalid) as refused:
            plan_labels(locations=Location.objects.owned_by(ann), how=Print(layout="roll_12"))
        assert refused.value.fields == {"ids": ["are none of yours"]}

    def test_plans_without_giving_codes(self, ann):
        make_location(ann, "箱-1", code="")
        plan, _ = plan_labels(
            locations=Location.objects.owned_by(ann), how=Print(layout="avery_l7160", start=21)
        )
        assert (plan.names, plan.pages, plan.unknown_characters) == (["箱-1"], 1, ["箱"])
        assert Location.objects.get().code == ""


class TestPrintTestPage:
    def test_numbers_every_position(self):
        pdf = print_test_page(how=Print(layout="avery_l7160"))
        assert [text for text, _, _ in texts_of(pdf)] == [str(n) for n in range(1, 22)]
        assert len(PdfReader(BytesIO(pdf)).pages) == 1

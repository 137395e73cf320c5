"""The grid as a person handles it: columns, filters, all rows, ranges; on a phone too."""

import csv
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.site import settle, wait_for

pytestmark = pytest.mark.browser

ROW_HEIGHT = 50
OVERSCAN = 5


def heads(page: Page) -> list[str]:
    return [name for name in page.get_by_role("columnheader").all_inner_texts() if name]


def head(page: Page, column: str) -> Locator:
    return page.locator(f"[data-column={column}]")


def width_of(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["width"]


def drag(page: Page, start: Locator, end: Locator, by: float = 0) -> None:
    """Drag from the middle of one to a little inside of the other, `by` pixels further."""
    # What drags comes with the pointer.
    start.hover()
    settle(page)
    box, goal = start.bounding_box(), end.bounding_box()
    assert box is not None
    assert goal is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + 10 + by, goal["y"] + goal["height"] / 2, steps=8)
    page.mouse.up()


def show_all(page: Page) -> int:
    """Show all rows of the inventory; return how many there are."""
    page.goto("/app/inventory")
    page.get_by_label("Rows per page").select_option("all")
    told = page.get_by_text(re.compile(r"^All [\d,]+$"))
    return int(told.inner_text().split()[1].replace(",", ""))


# A tile whose name is cut, or runs out of it.
CUT = """() => [...document.querySelectorAll('[role=gridcell]')]
  .filter((tile) => [tile, tile.querySelector('[data-open]')]
    .some((one) => one && one.scrollHeight > one.clientHeight + 1))
  .map((tile) => tile.innerText)"""


class TestTiles:
    def test_show_whole_names(self, page: Page, person):
        page.goto("/app/inventory?view=tiles&ordering=-value")
        long_name = page.get_by_role("gridcell").filter(has_text="Dragon Master, Yellow Plumes")
        expect(long_name.first).to_be_visible()

        assert page.evaluate(CUT) == []


class TestColumns:
    def test_are_dragged_to_another_place_and_stay_there(self, page: Page, person):
        page.goto("/app/inventory")
        expect(page.get_by_role("gridcell").nth(5)).to_be_visible()
        before = heads(page)
        assert before.index("Quantity") > before.index("Colour")
        asked = page.url

        drag(page, head(page, "quantity"), head(page, "color"))

        expect(page.get_by_text("Quantity moved before Colour")).to_be_attached()
        assert heads(page).index("Quantity") < heads(page).index("Colour")
        assert page.url == asked  # the click that ends a drag sorts nothing
        page.reload()
        expect(page.get_by_role("gridcell").nth(5)).to_be_visible()
        assert heads(page).index("Quantity") < heads(page).index("Colour")

    def test_are_made_wider_by_their_edge_and_fitted_by_a_double_click(self, page: Page, person):
        page.goto("/app/inventory")
        expect(page.get_by_role("gridcell").nth(5)).to_be_visible()
        location = head(page, "location")
        edge = location.locator("[data-column-edge]")
        before = width_of(location)

        drag(page, edge, edge, by=80)
        wait_for(page, lambda: width_of(location) > before + 60, True)
        wider = width_of(location)
        edge.dblclick()

        wait_for(page, lambda: width_of(location) < wider - 40, True)

    def test_that_are_pinned_stay_in_sight(self, page: Page, person):
        page.set_viewport_size({"width": 800, "height": 700})
        page.goto("/app/inventory")
        page.get_by_role("button", name="Columns", exact=True).click()
        page.get_by_role("button", name="Pin Quantity to the left").click()
        page.keyboard.press("Escape")
        quantity = head(page, "quantity")
        before = quantity.bounding_box()

        page.get_by_role("grid").evaluate("grid => { grid.parentElement.scrollLeft = 400 }")

        expect(head(page, "location")).to_be_in_viewport()
        assert quantity.bounding_box() == before


class TestAWideScreen:
    @pytest.mark.parametrize(
        ("path", "name_at_least", "figure", "figure_at_least"),
        [
            ("/app/inventory", 226, "price", 88),
            ("/app/inventory-locations?view=table", 150, "lots", 60),
        ],
    )
    def test_is_filled_and_gives_texts_more_of_it_than_figures(
        self, page: Page, person, path, name_at_least, figure, figure_at_least
    ):
        page.set_viewport_size({"width": 2560, "height": 1300})
        page.goto(path)
        page.locator("[role=row][aria-rowindex='2']:not([aria-busy])").wait_for()

        assert width_of(page.get_by_role("grid")) > 2480
        assert page.evaluate("document.documentElement.scrollWidth") == 2560
        assert width_of(head(page, "name")) > 1.3 * name_at_least
        gained = width_of(head(page, "name")) - name_at_least
        assert width_of(head(page, figure)) - figure_at_least < gained / 3


class TestFilters:
    def test_of_a_column_narrow_the_list_and_are_kept_by_the_address(self, page: Page, person):
        page.goto("/app/inventory")
        page.get_by_role("button", name="Filter", exact=True).click()
        page.get_by_label("Condition is").select_option("N")
        page.get_by_label("Quantity in the range").fill(">=3")

        expect(page).to_have_url(re.compile("condition=N"))
        expect(page).to_have_url(re.compile("quantity_min=3"))
        page.reload()
        chips = page.get_by_role("list", name="Filters")
        expect(chips.get_by_text("Quantity from 3")).to_be_visible()
        expect(page.get_by_role("gridcell", name="New", exact=True).first).to_be_visible()
        expect(page.get_by_role("gridcell", name="Used", exact=True)).to_have_count(0)
        chips.get_by_role("button", name="Clear all").click()

        expect(page).to_have_url(re.compile("/app/inventory$"))
        expect(page.get_by_role("gridcell", name="Used", exact=True).first).to_be_visible()


class TestAllRows:
    def test_are_reached_by_ctrl_end_with_few_of_them_drawn(self, page: Page, person):
        total = show_all(page)
        grid = page.get_by_role("grid", name="Inventory")
        page.locator("[data-cell='1:4']").click()

        page.keyboard.press("Control+End")

        last = grid.locator(f"[role=row][aria-rowindex='{total + 1}']:not([aria-busy])")
        expect(last).to_be_in_viewport()
        expect(last.locator(":focus")).to_have_count(1)
        seen = page.locator("[role=grid]").evaluate("grid => grid.parentElement.clientHeight")
        most = seen / ROW_HEIGHT + 2 * OVERSCAN + 1
        rows = grid.locator("[role=row][aria-rowindex]")
        wait_for(page, lambda: rows.count() - 1 <= most, True)
        assert last.evaluate("row => row.offsetHeight") == ROW_HEIGHT


class TestSelecting:
    def test_takes_a_range_with_shift(self, page: Page, person):
        page.goto("/app/inventory")
        boxes = page.get_by_role("checkbox", name="Select row")

        boxes.nth(1).click()
        boxes.nth(4).click(modifiers=["Shift"])

        expect(page.get_by_text("4 selected")).to_be_visible()
        expect(boxes.nth(3)).to_be_checked()
        expect(boxes.nth(5)).not_to_be_checked()


class TestOnAPhone:
    def test_cards_are_sorted_and_filtered_from_one_panel(self, page: Page, person):
        page.set_viewport_size({"width": 380, "height": 800})
        page.goto("/app/inventory")
        expect(page.get_by_role("list", name="Inventory")).to_be_visible()

        page.get_by_role("button", name="Sort and filter").click()
        page.get_by_label("Sort by").select_option("-quantity")

        expect(page).to_have_url(re.compile("ordering=-quantity"))
        page.get_by_label("Condition is").select_option("U")
        expect(page).to_have_url(re.compile("condition=U"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 380


class TestAViewTakenOut:
    def test_is_a_file_of_what_is_shown(self, page: Page, person, tmp_path):
        page.goto("/app/inventory?condition=N")
        expect(page.get_by_role("gridcell", name="New", exact=True).first).to_be_visible()
        page.get_by_role("button", name="More for this list").click()
        page.get_by_role("menuitem", name="CSV and print…").click()

        with page.expect_download() as downloaded:
            page.get_by_role("button", name="Save as CSV").click()

        file = tmp_path / "inventory.csv"
        downloaded.value.save_as(file)
        lines = list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))
        heads = page.locator("[data-column]").all_inner_texts()
        # A file that is read again has names of columns alone.
        assert list(lines[0]) == [head.removesuffix(", USD") for head in heads]
        assert {line["Condition"] for line in lines} == {"New"}

    def test_stands_alone_on_paper(self, page: Page, person):
        page.goto("/app/inventory")
        expect(page.get_by_role("gridcell").nth(5)).to_be_visible()
        page.evaluate("window.print = () => undefined")
        page.get_by_role("button", name="More for this list").click()
        page.get_by_role("menuitem", name="CSV and print…").click()

        page.get_by_role("button", name="Print", exact=True).click()

        sheet = page.locator("[data-printed]")
        expect(sheet).to_be_attached()
        expect(sheet).to_be_hidden()
        page.emulate_media(media="print")
        expect(sheet.get_by_role("columnheader", name="Quantity")).to_be_visible()
        expect(page.get_by_role("grid")).to_be_hidden()
        page.emulate_media(media="screen")
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        expect(sheet).not_to_be_attached()

"""Editing in the grid as a person does it: cells, undo, paste, bulk edit, a line that breaks."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console
from tests.e2e.site import wait_for

pytestmark = pytest.mark.browser

QUANTITIES = [11, 22, 33, 44]


class Api:
    """The API as the signed-in person calls it from elsewhere."""

    def __init__(self, app: RunningApp, session: dict[str, Any]) -> None:
        self.url = app.url
        self.token = session["accessToken"]

    def call(self, method: str, path: str, body: Any = None) -> list[dict[str, Any]]:
        request = urllib.request.Request(
            f"{self.url}/api/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["data"]


class Grid:
    """The table of a batch's items."""

    def __init__(self, page: Page, api: Api, batch: int, items: list[int]) -> None:
        self.page, self.api, self.batch, self.items = page, api, batch, items
        page.goto(f"/app/batches?batch={batch}")
        page.locator("[role=grid]:not([aria-readonly])").wait_for()
        page.locator("[role=row][aria-rowindex='5']:not([aria-busy])").wait_for()
        heads = page.get_by_role("columnheader").all_inner_texts()
        self.columns = {text.strip(): at for at, text in enumerate(heads)}

    def cell(self, row: int, column: str = "Quantity") -> Locator:
        return self.page.locator(f'[data-cell="{row}:{self.columns[column]}"]')

    def type(self, row: int, text: str) -> None:
        self.cell(row).click()
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def paste(self, text: str) -> None:
        self.page.evaluate(
            "text => { const data = new DataTransfer(); data.setData('text/plain', text);"
            " document.activeElement.dispatchEvent(new ClipboardEvent('paste',"
            " { clipboardData: data, bubbles: true, cancelable: true })); }",
            text,
        )

    def stored(self) -> list[int]:
        rows = self.api.call("GET", f"batchItems?batch={self.batch}")
        by_id = {row["id"]: row["qty"] for row in rows}
        return [by_id[pk] for pk in self.items]

    def expect_stored(self, quantities: list[int]) -> None:
        """Wait until no cell is on its way and the server has these."""
        expect(self.page.locator("[role=gridcell][aria-busy=true]")).to_have_count(0)
        wait_for(self.page, self.stored, quantities)

    def undo_in_menu(self, step: str) -> Locator:
        self.page.get_by_role("button", name="More for this list").click()
        return self.page.get_by_role("menuitem", name=f"Undo: {step}")


@pytest.fixture
def open_grid(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Callable[[], Grid]:
    """A batch of four items, newest last as the table lists them."""

    def act() -> Grid:
        api = Api(app, new_person)
        [batch] = api.call("POST", "batches", {"name": "Grid"})
        made = []
        for quantity, color in zip(QUANTITIES, (5, 11, 1, 7), strict=True):
            draft = {
                "batch_id": batch["id"],
                "item_number": "3001",
                "item_type": "PART",
                "color_id": color,
                "qty": quantity,
                "condition": "U",
                "price": "0.1000",
            }
            made += api.call("POST", "batchItems", draft)
        listed = api.call("GET", f"batchItems?batch={batch['id']}")
        return Grid(page, api, batch["id"], [row["id"] for row in listed])

    return act


def listed(grid: Grid) -> list[int]:
    return [int(grid.cell(row).inner_text().split()[0]) for row in range(len(QUANTITIES))]


class TestCellEdit:
    def test_is_stored_undone_and_redone(self, page: Page, open_grid: Callable[[], Grid]):
        grid = open_grid()
        before = listed(grid)

        grid.type(0, "7")
        expect(grid.cell(0)).to_contain_text("7")
        grid.expect_stored([7, *before[1:]])
        page.get_by_role("columnheader", name="Price").click()
        page.keyboard.press("Control+z")
        grid.expect_stored(before)
        page.keyboard.press("Control+Shift+z")
        grid.expect_stored([7, *before[1:]])

    def test_asks_for_mine_or_theirs_where_it_changed_elsewhere(
        self, page: Page, console: Console, open_grid: Callable[[], Grid]
    ):
        console.allow("status of 409")
        grid = open_grid()
        before = listed(grid)
        grid.api.call("PATCH", f"batchItems/{grid.items[0]}", {"qty": 99})

        grid.type(0, "7")
        expect(grid.cell(0)).to_contain_text("99")
        grid.cell(0).click(position={"x": 10, "y": 25})
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Changed elsewhere")
        expect(dialog).to_contain_text("Mine7Theirs99")
        page.keyboard.press("Enter")  # mine has the focus

        expect(grid.cell(0)).to_contain_text("7")
        grid.expect_stored([7, *before[1:]])

    def test_waits_for_the_line_and_is_applied_once(
        self, page: Page, console: Console, open_grid: Callable[[], Grid]
    ):
        console.allow("Failed to load resource")
        grid = open_grid()
        before = listed(grid)
        keys: list[str] = []

        def lose_the_answer(route: Route) -> None:
            keys.append(route.request.headers["idempotency-key"])
            route.fetch()
            route.abort("connectionreset")

        page.route("**/api/batchItems/*", lose_the_answer)
        grid.type(0, "7")
        expect(page.get_by_text("1 row waits for the connection")).to_be_visible()
        expect(grid.cell(0)).to_contain_text("7")
        sent_again: list[str] = []
        page.on(
            "request",
            lambda request: (
                request.method == "PATCH" and sent_again.append(request.headers["idempotency-key"])
            ),
        )
        page.unroute("**/api/batchItems/*", lose_the_answer)
        page.evaluate("dispatchEvent(new Event('online'))")

        expect(page.get_by_text("waits for the connection")).to_have_count(0)
        grid.expect_stored([7, *before[1:]])
        assert sent_again
        assert {*keys, *sent_again} == {keys[0]}

    def test_survives_a_reload_without_a_connection(
        self, page: Page, console: Console, open_grid: Callable[[], Grid]
    ):
        console.allow("Failed to load resource")
        grid = open_grid()
        before = listed(grid)
        page.on("dialog", lambda dialog: dialog.accept())
        page.route("**/api/batchItems/*", lambda route: route.abort("connectionreset"))
        grid.type(0, "7")
        expect(page.get_by_text("1 row waits for the connection")).to_be_visible()

        page.unroute_all()
        page.reload()

        expect(grid.cell(0)).to_contain_text("7")
        grid.expect_stored([7, *before[1:]])

    def test_is_undone_after_a_reload(self, page: Page, open_grid: Callable[[], Grid]):
        grid = open_grid()
        before = listed(grid)
        page.on("dialog", lambda dialog: dialog.accept())
        grid.type(0, "7")
        grid.expect_stored([7, *before[1:]])
        grid.type(1, "8")

        page.reload()
        expect(grid.cell(1)).to_contain_text("8")
        grid.undo_in_menu("").wait_for()  # what could be undone was read
        page.keyboard.press("Escape")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")

        expect(grid.cell(0)).to_contain_text(str(before[0]))
        expect(grid.cell(1)).to_contain_text(str(before[1]))
        grid.expect_stored(before)


class TestPaste:
    def test_waits_with_its_bad_cells_for_a_choice(self, page: Page, open_grid: Callable[[], Grid]):
        grid = open_grid()
        before = listed(grid)
        grid.cell(0).click()

        grid.paste("7\r\nmany\r\n8\r\n-1\r\n")

        dialog = page.get_by_role("dialog", name="Paste: 2 cells of 4 cannot be changed")
        expect(dialog.get_by_text("A whole number, 0 or more.")).to_have_count(2)
        assert grid.stored() == before
        dialog.get_by_role("textbox").first.fill("5")
        dialog.get_by_role("button", name="Apply the 3 valid ones").click()
        expect(grid.cell(2)).to_contain_text("8")
        grid.expect_stored([7, 5, 8, before[3]])


class TestBulkEdit:
    def test_reckons_for_the_chosen_rows_and_is_undone_in_one_step(
        self, page: Page, open_grid: Callable[[], Grid]
    ):
        grid = open_grid()
        before = listed(grid)
        writes: list[str] = []
        page.on(
            "request",
            lambda request: request.method in {"POST", "PATCH"} and writes.append(request.url),
        )
        for row in range(3):
            page.get_by_role("checkbox", name="Select row").nth(row).click()

        page.keyboard.press("Control+b")
        dialog = page.get_by_role("dialog", name="Bulk edit")
        dialog.get_by_label("Column").select_option(label="Quantity")
        dialog.get_by_label("New value").fill("=*2")
        expect(dialog.get_by_role("table", name="What will change")).to_contain_text(
            str(before[0] * 2)
        )
        dialog.get_by_role("button", name="Change 3 rows").click()
        expect(grid.cell(2)).to_contain_text(str(before[2] * 2))
        grid.expect_stored([*(2 * quantity for quantity in before[:3]), before[3]])
        grid.undo_in_menu("Set: Quantity of 3 rows").click()
        expect(grid.cell(2)).to_contain_text(str(before[2]))

        grid.expect_stored(before)
        assert [url for url in writes if "/api/batchItems" in url] == [
            f"{grid.api.url}/api/batchItems/bulk"
        ] * 2
        page.get_by_role("button", name="More for this list").click()
        page.get_by_role("menuitem", name="History and errors").click()
        drawer = page.get_by_role("dialog", name="History and errors")
        expect(drawer.get_by_text("bulk-edit")).to_be_visible()

"""Batches as people use them: the bar that filters, acts shown and taken back, the walk."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.site import call_api, hold, scan, wait_for

pytestmark = pytest.mark.browser

RED, BLUE = 5, 7


@pytest.fixture
def make(page: Page, app, new_person) -> Callable[..., dict[str, Any]]:
    """`make("batches", {...})` makes something of the new person's through the API."""
    return lambda endpoint, body: call_api(page, app, new_person, endpoint, body)


@pytest.fixture
def batch(make) -> int:
    """Three new lots: two planned for bins, one without."""
    batch = make("batches", {"name": "Flea market", "cost_total": "10"})["id"]
    two, ten = (
        make("inventoryLocations", {"name": name, "max_item_count": 50}) for name in ("W-2", "W-10")
    )
    for color, place, qty in ((RED, ten, 4), (BLUE, two, 3), (1, None, 2)):
        make(
            "batchItems",
            {
                "batch_id": batch,
                "item_type": "PART",
                "item_number": "3001",
                "color_id": color,
                "qty": qty,
                "price": "0.50",
                "user_inventory_item_location_id": place and place["id"],
            },
        )
    return int(batch)


def is_above(one: Locator, other: Locator) -> bool:
    upper, lower = one.bounding_box(), other.bounding_box()
    assert upper
    assert lower
    return upper["y"] + upper["height"] <= lower["y"]


class TestTheWalk:
    def test_goes_from_bin_to_bin_by_scans_on_a_phone_and_on_after_a_reload(
        self, page: Page, batch: int
    ):
        page.set_viewport_size({"width": 380, "height": 800})
        page.goto(f"/app/batches?batch={batch}")
        page.get_by_role("link", name="Put away").click()
        now = page.get_by_role("region", name=re.compile("^Now:"))
        expect(now).to_have_accessible_name("Now: W-2")
        act = now.get_by_role("button", name="All 3 are in")
        expect(act).to_be_in_viewport(ratio=1)
        expect(act).to_have_css("height", "64px")
        expect(now.get_by_role("button", name="Something is missing")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.querySelector('main').scrollTop") == 0

        scan(page, "W-10")
        expect(page.get_by_role("alert")).to_contain_text("Wrong bin: W-2 expected, W-10 scanned")
        expect(page.get_by_text("0 of 3")).to_be_visible()

        scan(page, "W-2")
        expect(now).to_have_accessible_name("Now: W-10")
        expect(page.get_by_text("1 of 3")).to_be_visible()

        page.reload()
        expect(now).to_have_accessible_name("Now: W-10")
        expect(now.get_by_role("button", name="All 4 are in")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_text("1 lot has no bin yet")).to_be_visible()
        page.get_by_role("button", name="Recommend bins").click()
        confirm = now.get_by_role("button", name="All 2 are in")
        expect(confirm).to_be_focused()
        expect(confirm).not_to_have_attribute("aria-busy", "true")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Everything is put away")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 380

    def test_keeps_the_one_button_in_sight_beside_many_rows_on_a_phone(
        self, page: Page, make, batch: int
    ):
        full = make("inventoryLocations", {"name": "A-1"})
        for color in range(1, 9):
            lot = {"item_type": "PART", "item_number": "3004", "color_id": color, "qty": 1}
            make(
                "batchItems",
                {**lot, "batch_id": batch, "user_inventory_item_location_id": full["id"]},
            )
        page.set_viewport_size({"width": 380, "height": 800})
        page.goto(f"/app/batches?batch={batch}&walk=1")
        act = page.get_by_role("button", name="All 8 are in")
        expect(act).to_be_in_viewport(ratio=1)
        rows = page.get_by_role("region", name="What goes into A-1")
        last = rows.get_by_role("listitem").last

        last.scroll_into_view_if_needed()

        expect(last).to_be_in_viewport(ratio=1)
        expect(act).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.querySelector('main').scrollTop") == 0
        wait_for(page, lambda: is_above(last, act), True)


class TestAnAct:
    def test_is_shown_done_and_taken_back(self, page: Page, batch: int):
        page.goto(f"/app/batches?batch={batch}")
        head = page.get_by_role("region", name="Figures of the batch")
        expect(head).to_contain_text("$4.50")

        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Re-price…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("± per cent").click()
        dialog.get_by_label(re.compile("Per cent more")).fill("10")
        expect(dialog).to_contain_text("3 prices change: value 4.50 → 4.95")
        dialog.get_by_role("button", name="Change prices").click()

        expect(head).to_contain_text("$4.95")
        notes = page.get_by_role("region", name="Notifications")
        notes.get_by_role("button", name="Undo").click()
        expect(head).to_contain_text("$4.50")


class TestTheFocus:
    def test_goes_to_the_new_primary_act_when_the_act_before_it_is_done(
        self, page: Page, batch: int
    ):
        page.goto(f"/app/batches?batch={batch}")
        expect(page.get_by_role("link", name="Put away 3 lots")).to_be_visible()
        page.get_by_role("button", name="More").first.click()
        page.get_by_role("menuitem", name="Record 3 lots as stowed").click()

        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Stow")).click()

        next_act = page.locator("[data-head] [data-primary]")
        expect(next_act).to_have_text(re.compile("^(List 3 lots|Export items)$"))
        expect(next_act).to_be_focused()


class TestTheBar:
    def test_filters_by_state_and_remembers_it(self, page: Page, batch: int, make):
        items = page.get_by_role("grid").get_by_role("row")
        page.goto(f"/app/batches?batch={batch}")
        states = page.get_by_role("group", name="Show items")
        expect(states.get_by_role("radio")).to_have_count(4)
        expect(states.get_by_role("radio", name=re.compile("^All 3"))).to_be_checked()
        expect(items).to_have_count(4)  # with the head

        make(f"batches/{batch}/stow", {"items": "all"})
        page.reload()
        states.get_by_text("New", exact=True).click()
        expect(page.get_by_text("No items in this state")).to_be_visible()
        states.get_by_text("Stowed", exact=True).click()
        expect(items).to_have_count(4)

        page.reload()
        expect(states.get_by_role("radio", name=re.compile("^Stowed"))).to_be_checked()


class TestACell:
    def test_shows_the_new_price_before_the_server_has_it(self, page: Page, batch: int):
        page.goto(f"/app/batches?batch={batch}")
        cell = page.get_by_role("gridcell", name=re.compile(r"^0\.50")).first
        expect(cell).to_be_visible()
        held = hold(page, "**/api/batchItems/**")

        cell.click()
        page.keyboard.type("0.75")
        page.keyboard.press("Enter")

        expect(page.get_by_role("gridcell", name=re.compile(r"^0\.75")).first).to_be_visible()
        held.release()
        expect(page.get_by_role("region", name="Figures of the batch")).not_to_contain_text("$4.50")


class TestAnUploadOverAReload:
    @pytest.mark.parametrize("arrives", [False, True])
    def test_goes_on_and_makes_one_batch(
        self, page: Page, new_person: dict[str, Any], arrives: bool
    ) -> None:
        def swallow(route: Route) -> None:
            if arrives:
                route.fetch()

        page.route("**/api/batches/importBsx", swallow)
        page.goto("/app/batches")
        page.get_by_role("button", name="Import BSX").first.click()
        bsx = (
            b'<BrickStoreXML><Inventory Currency="EUR"><Item><ItemID>3001</ItemID>'
            b"<ItemTypeID>P</ItemTypeID><ColorID>11</ColorID><Qty>5</Qty><Condition>N</Condition>"
            b"</Item></Inventory></BrickStoreXML>"
        )
        page.locator("input[type=file]").set_input_files(
            {"name": "heap.bsx", "mimeType": "text/xml", "buffer": bsx}
        )
        with page.expect_request("**/api/batches/importBsx"):
            page.get_by_role("button", name="Import", exact=True).click()

        page.unroute("**/api/batches/importBsx")
        page.reload()

        expect(page.get_by_text(re.compile("^Batch imported"))).to_be_visible(timeout=30_000)
        expect(page.get_by_role("link", name="heap")).to_have_count(1)
        page.reload()
        expect(page.get_by_role("link", name="heap")).to_have_count(1)
        expect(page.get_by_text("unsent")).to_have_count(0)

    def test_that_is_refused_then_keeps_what_was_chosen(
        self, page: Page, new_person: dict[str, Any], console: Any
    ) -> None:
        console.allow("400 (Bad Request)")
        page.route("**/api/batches/importBsx", lambda route: None, times=1)
        page.goto("/app/batches")
        page.get_by_role("button", name="Import BSX").first.click()
        page.locator("input[type=file]").set_input_files(
            {"name": "heap.bsx", "mimeType": "text/xml", "buffer": b"<Nothing/>"}
        )
        page.get_by_label("Name of the batch").fill("Attic")
        page.get_by_label("Remarks").select_option("nothing")
        with page.expect_request("**/api/batches/importBsx"):
            page.get_by_role("button", name="Import", exact=True).click()

        for _ in range(2):  # a second reload does not lose it either
            page.reload()
            page.get_by_text("Refused: Send heap.bsx").wait_for()
        page.get_by_role("alert").get_by_role("button", name="Show").click()

        dialog = page.get_by_role("dialog")
        # The dialog is a chunk of its own, and the file is read from the browser's store first.
        expect(dialog.get_by_text("The file was not imported")).to_be_visible(timeout=30_000)
        expect(dialog.get_by_text("heap.bsx")).to_be_visible()
        expect(dialog.get_by_label("Name of the batch")).to_have_value("Attic")
        expect(dialog.get_by_label("Remarks")).to_have_value("nothing")
        dialog.get_by_role("button", name="Cancel").click()
        page.reload()
        page.get_by_role("button", name="Import BSX").first.wait_for()
        expect(page.get_by_text("Refused: Send heap.bsx")).to_have_count(0)

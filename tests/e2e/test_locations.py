"""Locations in a real browser: scanners, the shelf map, labels, moving before deleting."""

import json
import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import segno
import zxingcpp
from playwright.sync_api import Browser, Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.chromium import find_shell
from tests.e2e.conftest import ARGUMENTS, WAIT_MS, Console
from tests.e2e.site import scan, settle, wait_for
from tests.e2e.test_walk import Api

pytestmark = pytest.mark.browser

LOCATIONS = "/app/inventory-locations"


@pytest.fixture
def server(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Api:
    return Api(page, app, new_person)


class TestAHandScanner:
    def test_opens_the_location_from_any_page(self, page: Page, server: Api) -> None:
        made = server.post("inventoryLocations", {"name": "Shelf 3/left"})
        page.goto("/app/sources")
        expect(page.get_by_role("heading", name="Sources")).to_be_visible()
        settle(page)

        scan(page, "Shelf 3/left")

        expect(page.get_by_role("heading", name="Shelf 3/left")).to_be_visible()
        expect(page).to_have_url(re.compile(rf"{LOCATIONS}\?location={made['id']}$"))

    def test_leaves_the_field_that_it_typed_into_as_it_was(self, page: Page, server: Api) -> None:
        server.post("inventoryLocations", {"name": "A-1"})
        page.goto(f"{LOCATIONS}?view=table")
        field = page.get_by_label("Search locations")
        field.fill("zzz")
        settle(page)

        # A person, letter by letter: it stays what it is, a search.
        field.press_sequentially("LOC:A-1", delay=80)
        page.keyboard.press("Enter")
        expect(field).to_have_value("zzzLOC:A-1")
        scan(page, "A-1")

        expect(page.get_by_role("heading", name="A-1", exact=True)).to_be_visible()

    def test_names_the_target_in_a_dialog_that_asks_for_one(self, page: Page, server: Api) -> None:
        old = server.post("inventoryLocations", {"name": "A-1"})
        server.post("inventoryLocations", {"name": "B-7"})
        page.goto(f"{LOCATIONS}?location={old['id']}")
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Merge into").click()
        expect(page.get_by_role("dialog").get_by_label("Merge into")).to_be_focused()

        scan(page, "B-7")

        expect(page.get_by_role("dialog").get_by_label("Merge into")).to_have_value("B-7")
        page.get_by_role("button", name="Merge and delete").click()
        expect(page.get_by_text("A-1 is part of B-7 now")).to_be_visible()
        assert [row["name"] for row in server.get("inventoryLocations")["data"]] == ["B-7"]


class TestOnAPhone:
    def test_counts_and_moves_by_scans_alone(self, page: Page, server: Api) -> None:
        first = server.post("inventoryLocations", {"name": "A-1"})
        second = server.post("inventoryLocations", {"name": "A-2"})
        item = server.get("catalogItems", search="3001")["data"][0]["id"]
        lots = server.get("catalogLots", item=item)["data"][:8]
        for lot in lots:
            server.post(
                "inventoryItems",
                {"lot_id": lot["lot_id"], "quantity": 2, "location_id": first["id"]},
            )
        page.set_viewport_size({"width": 380, "height": 800})
        page.goto(f"{LOCATIONS}?location={first['id']}")
        expect(page.get_by_role("gridcell")).to_have_count(len(lots))

        acts = page.get_by_role("navigation", name="At A-1").get_by_role("link")
        for act in acts.all():
            expect(act).to_be_in_viewport(ratio=1)
        acts.get_by_text("Count").click()
        button = page.get_by_role("button", name=f"All {2 * len(lots)} are there")
        expect(button).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.querySelector('main').scrollTop") == 0
        scan(page, "A-1")
        expect(page.get_by_text("A-1 is counted")).to_be_visible()
        scan(page, "A-2")
        expect(page.get_by_role("button", name="It is empty")).to_be_in_viewport(ratio=1)
        wait_for(
            page,
            lambda: bool(
                server.get(f"inventoryLocations/{first['id']}")["data"][0]["lastCountedAt"]
            ),
            True,
        )

        page.goto(f"/app/inventory?walk=move&bin={first['id']}")
        button = page.get_by_role("button", name=f"Move all {2 * len(lots)} to…")
        expect(button).to_be_in_viewport(ratio=1)
        scan(page, "A-2")
        expect(page.get_by_text("A-1 is empty")).to_be_visible()
        page.get_by_role("region", name="Notifications").get_by_role("button", name="Undo").click()
        expect(button).to_be_visible()
        wait_for(page, lambda: server.total("inventoryItems", location=second["id"]), 0)
        wait_for(page, lambda: server.total("inventoryItems", location=first["id"]), len(lots))

        page.goto(f"/app/inventory?walk=find&bin={second['id']}")
        page.get_by_label("What do you look for?").fill("3001")
        expect(page.get_by_role("region", name="Now: A-1")).to_be_visible()
        expect(page.get_by_role("button", name="Found it")).to_be_in_viewport(ratio=1)


class TestTheCamera:
    def test_reads_a_label(self, app: RunningApp, browser: Browser, tmp_path: Path) -> None:
        session = app.new_session()
        video = tmp_path / "label.y4m"
        video.write_bytes(film_of("LOC:A-1"))
        watching = browser.browser_type.launch(
            executable_path=find_shell(),
            args=[
                *ARGUMENTS,
                "--use-fake-ui-for-media-stream",
                "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-video-capture={video}",
            ],
        )
        page = watching.new_page(base_url=app.url)
        page.set_default_timeout(WAIT_MS)
        page.add_init_script(
            "".join(
                f"localStorage.setItem({json.dumps(name)}, {json.dumps(value)});"
                for name, value in entries_of(session).items()
            )
        )
        made = Api(page, app, session).post("inventoryLocations", {"name": "A-1"})
        page.goto(LOCATIONS)

        page.get_by_role("button", name="Scan a label").click()

        expect(page).to_have_url(re.compile(rf"location={made['id']}$"))
        expect(page.get_by_role("dialog")).to_have_count(0)
        watching.close()


class TestTheShelfMap:
    def test_is_walked_by_keys_and_opens_a_location(self, page: Page, server: Api) -> None:
        page.goto(LOCATIONS)
        page.get_by_role("button", name="6 × 10 drawers").click()
        page.get_by_role("button", name="Add 60 locations").click()
        expect(page.get_by_text("60 locations added")).to_be_visible()
        drawn = page.get_by_role("grid", name="Shelf map")
        expect(drawn.get_by_role("gridcell", name="A-6-10: empty")).to_be_visible()

        drawn.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        active = drawn.get_attribute("aria-activedescendant")
        expect(page.locator(f"#{active}")).to_have_attribute("aria-label", re.compile("^A-2-02:"))
        page.keyboard.press("Enter")

        expect(page.get_by_role("heading", name="A-2-02")).to_be_visible()

    def test_shows_what_lies_in_a_drawer_and_dims_those_that_a_search_does_not_find(
        self, page: Page, server: Api
    ) -> None:
        here = server.post("inventoryLocations", {"name": "A-1"})
        server.post("inventoryLocations", {"name": "A-2"})
        lot = server.get("catalogLots", item_number="3001")["data"][0]
        row = {"lot_id": lot["id"], "quantity": 4, "location_id": here["id"]}
        server.post("inventoryItems", row)
        page.goto(LOCATIONS)
        drawn = page.get_by_role("grid", name="Shelf map")
        full = drawn.get_by_role("gridcell", name=re.compile("^A-1:"))
        empty = drawn.get_by_role("gridcell", name=re.compile("^A-2:"))
        expect(full.locator("img, svg")).to_have_count(1)

        page.get_by_label("Search bins and what lies in them").fill("3001")

        expect(page.get_by_text("1 bin", exact=True)).to_be_visible()
        expect(empty).to_have_css("opacity", "0.3")
        expect(full).to_have_css("opacity", "1")

    def test_lights_the_drawer_that_was_filled_meanwhile(self, page: Page, server: Api) -> None:
        here = server.post("inventoryLocations", {"name": "A-1"})
        server.post("inventoryLocations", {"name": "A-2"})
        page.goto(LOCATIONS)
        drawn = page.get_by_role("grid", name="Shelf map")
        expect(drawn.get_by_role("gridcell")).to_have_count(2)
        page.get_by_role("link", name="Home", exact=True).click()
        expect(
            page.get_by_role("heading", name=re.compile("^Hello|^Home|do you have"))
        ).to_be_visible()
        lot = server.get("catalogLots", item_number="3001")["data"][0]
        row = {"lot_id": lot["id"], "quantity": 4, "location_id": here["id"]}
        server.post("inventoryItems", row)

        page.get_by_role("button", name="My Inventory").click()
        page.get_by_role("menuitem", name="Inventory Locations").click()

        lit = drawn.get_by_role("gridcell", name=re.compile("just filled"))
        expect(lit).to_have_count(1)
        expect(lit).to_have_accessible_name(re.compile("^A-1:"))
        expect(page.get_by_text("just filled: 1")).to_be_visible()

    def test_is_coloured_by_what_lies_in_the_bins(self, page: Page, server: Api) -> None:
        server.post("inventoryLocations", {"name": "A-1", "max_item_count": 10})
        page.goto(f"{LOCATIONS}?view=map")
        cell = page.get_by_role("grid", name="Shelf map").get_by_role("gridcell", name="A-1")
        plain = cell.evaluate("cell => getComputedStyle(cell).backgroundColor")

        page.get_by_text("Free room", exact=True).click()

        expect(page.get_by_text("80 to 100 %, or no limit: 1 bin")).to_be_visible()
        expect(cell).not_to_have_css("background-color", plain)
        page.reload()
        expect(page.get_by_text("80 to 100 %, or no limit: 1 bin")).to_be_visible()

    def test_draws_of_10000_locations_those_in_sight(self, page: Page, server: Api) -> None:
        for cabinet in "ABCDE":
            server.post("inventoryLocations/pattern", {"pattern": f"{cabinet}-[1-40]-[01-50]"})
        page.goto(f"{LOCATIONS}?view=map")
        drawn = page.get_by_role("grid", name="Shelf map")
        expect(drawn.get_by_role("gridcell").first).to_be_visible()
        box = drawn.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 200, box["y"] + 200)
        # How many are drawn at once, at any time: what a frame costs hangs on that.
        page.evaluate(
            """() => {
              const map = document.querySelector('[role=grid][aria-label="Shelf map"]');
              const count = () => map.querySelectorAll('[role=gridcell]').length;
              window.most_ = count();
              new MutationObserver(() => { window.most_ = Math.max(window.most_, count()); })
                .observe(map, { childList: true, subtree: true });
            }"""
        )
        for _ in range(40):
            page.mouse.wheel(0, 600)
            page.wait_for_timeout(16)
        expect(drawn.get_by_role("gridcell", name=re.compile("^[B-E]-")).first).to_be_visible()
        assert 0 < page.evaluate("window.most_") < 1_500


class TestLabels:
    def test_are_saved_for_the_selected_locations(self, page: Page, server: Api) -> None:
        for name in ("A-1", "A-2", "A-10"):
            server.post("inventoryLocations", {"name": name})
        page.goto(f"{LOCATIONS}?view=table")
        expect(page.get_by_role("gridcell", name="A-10", exact=True)).to_be_visible()
        page.get_by_role("checkbox", name="Select all rows of this page").check()
        page.get_by_role("button", name="Print labels").click()
        dialog = page.get_by_role("dialog", name="Labels for 3 bins")
        dialog.locator("[data-position='4']").click()
        expect(dialog.get_by_text("3 labels on 1 sheet; the last at position 6")).to_be_visible()

        with page.expect_download() as saved:
            dialog.get_by_role("button", name="Save as PDF").click()

        file = saved.value.path()
        image = pypdfium2.PdfDocument(file)[0].render(scale=4).to_pil()
        codes = zxingcpp.read_barcodes(image)
        found = [one.text for one in sorted(codes, key=lambda one: one.position.top_left.x)]
        assert found == ["LOC:A-1", "LOC:A-2", "LOC:A-10"]


class TestDeleting:
    def test_lists_what_lies_there_and_moves_it_first(
        self, page: Page, server: Api, console: Console
    ) -> None:
        console.allow("409")
        console.allow("404")  # what its page asked for while it was emptied may come too late
        old = server.post("inventoryLocations", {"name": "B-07"})
        server.post("inventoryLocations", {"name": "C-01"})
        lot = server.get(
            "catalogLots", item=server.get("catalogItems", search="3001")["data"][0]["id"]
        )
        item = server.post(
            "inventoryItems",
            {"lot_id": lot["data"][0]["id"], "quantity": 12, "location_id": old["id"]},
        )
        page.goto(f"{LOCATIONS}?location={old['id']}")
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Delete").click()
        page.get_by_role("button", name="Delete location").click()
        dialog = page.get_by_role("dialog", name="B-07 still holds 1 item")
        row = dialog.get_by_role("row").nth(1)
        expect(row).to_contain_text("3001")
        cells = row.get_by_role("cell").all_inner_texts()
        assert (cells[0], cells[2], cells[3]) == (str(item["id"]), "3001", "12")

        dialog.get_by_label("Move all to").fill("C-01")
        page.get_by_role("option", name=re.compile("^C-01")).click()
        dialog.get_by_role("button", name="Move all and delete").click()

        expect(page.get_by_text("B-07 deleted")).to_be_visible()
        rows = server.get("inventoryLocations")["data"]
        assert [(row["name"], row["item_count"]) for row in rows] == [("C-01", 12)]


class TestALocationDeletedElsewhere:
    def test_is_told_where_it_is_open(self, page: Page, server: Api, console: Console) -> None:
        console.allow("404")
        gone = server.post("inventoryLocations", {"name": "A-1"})
        page.goto(f"{LOCATIONS}?location={gone['id']}")
        expect(page.get_by_role("heading", name="A-1")).to_be_visible()
        deleted = server.request.delete(
            f"{server.url}/api/inventoryLocations/{gone['id']}", headers=server.headers
        )
        assert deleted.ok

        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Edit").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("A-2")
        dialog.get_by_role("button", name="Save").click()

        expect(page.get_by_text("This bin is not there any more")).to_be_visible()


def entries_of(session: dict[str, Any]) -> dict[str, str]:
    return {
        "user": json.dumps(session["user"]),
        "accessToken": session["accessToken"],
        "refreshToken": session["refreshToken"],
    }


def film_of(text: str) -> bytes:
    """Return a film of one picture with the code in it, as Chromium's fake camera reads it."""
    width, height, unit = 640, 480, 8
    matrix = segno.make(text, error="m", micro=False).matrix
    left, top = (width - len(matrix) * unit) // 2, (height - len(matrix) * unit) // 2
    light = bytearray(b"\xeb" * width * height)
    for row, modules in enumerate(matrix):
        for column, dark in enumerate(modules):
            if dark:
                for y in range(top + row * unit, top + (row + 1) * unit):
                    x = y * width + left + column * unit
                    light[x : x + unit] = b"\x10" * unit
    grey = b"\x80" * (width * height // 2)
    frame = b"FRAME\n" + bytes(light) + grey
    return f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\n".encode() + frame * 5

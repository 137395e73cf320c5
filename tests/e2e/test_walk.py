"""The main job, end to end: bins, a batch, the station, stock, export, import, undo."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.adds import counted, wait_until_sent
from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console

pytestmark = pytest.mark.browser

JOB_MS = 60_000
STORE = "bsx/store-2022-eur-2524-lots.bsx"


class Api:
    """The real API, as the signed-in person of the page."""

    def __init__(self, page: Page, app: RunningApp, session: dict[str, Any]) -> None:
        self.request = page.request
        self.url = app.url
        self.headers = {"Authorization": f"Bearer {session['accessToken']}"}

    def get(self, path: str, **params: Any) -> dict[str, Any]:
        answer = self.request.get(f"{self.url}/api/{path}", headers=self.headers, params=params)
        assert answer.ok, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.request.post(f"{self.url}/api/{path}", headers=self.headers, data=body)
        assert answer.ok, answer.text()
        made: dict[str, Any] = answer.json()["data"][0]
        return made

    def patch(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.request.patch(f"{self.url}/api/{path}", headers=self.headers, data=body)
        assert answer.ok, answer.text()
        changed: dict[str, Any] = answer.json()["data"][0]
        return changed

    def total(self, path: str, **params: Any) -> int:
        return int(self.get(path, page_size=1, **params)["meta"]["pagination"]["total_items"])


@pytest.fixture
def server(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Api:
    return Api(page, app, new_person)


@pytest.fixture
def batch(server: Api) -> dict[str, Any]:
    """A batch, with two small bins to stow into."""
    for name in ("A-1", "A-2"):
        server.post("inventoryLocations", {"name": name, "max_item_count": 10})
    return server.post("batches", {"name": "Market box"})


def identify(page: Page, number: str) -> None:
    """Type a number at the station and take the match, to look at it."""
    field = page.get_by_role("combobox", name="Number or name")
    expect(field).to_be_focused()
    page.keyboard.type(number)
    page.keyboard.press("Shift+Enter")


class TestLocations:
    def test_are_made_by_a_pattern(self, page: Page, server: Api):
        page.goto("/app/inventory-locations")
        page.get_by_role("button", name=re.compile("pattern", re.I)).first.click()
        page.get_by_role("textbox", name="Pattern").fill("A-[1-2]-[01-06]")

        page.get_by_role("button", name="Add 12 locations").click()

        expect(page.get_by_text("12 locations added")).to_be_visible()
        names = [row["name"] for row in server.get("inventoryLocations", ordering="name")["data"]]
        assert names[0] == "A-1-01"
        assert names[-1] == "A-2-06"
        assert len(names) == 12


class TestStation:
    def test_adds_a_part_by_keyboard_alone(self, page: Page, server: Api, batch: dict[str, Any]):
        page.goto(f"/app/stow-inventory?batch={batch['id']}")
        identify(page, "3001 red")
        expect(page.get_by_text("A-1", exact=True).first).to_be_visible()

        page.keyboard.press("4")
        page.keyboard.press("Enter")

        expect(
            page.get_by_role("list", name="Last added").get_by_text("Brick 2 x 4")
        ).to_be_visible()
        page.keyboard.press("+")
        expect(page.get_by_role("list", name="Last added")).to_contain_text("5")
        wait_until_sent(page)
        expect(page.get_by_text("unsent")).to_have_count(0)
        items = server.get("batchItems", batch=batch["id"])["data"]
        assert [(row["item_number"], row["qty"], row["condition"]) for row in items] == [
            ("3001", 5, "U")
        ]
        assert items[0]["user_inventory_item_location_name"] == "A-1"
        assert items[0]["is_stowed"] is False

    def test_takes_the_last_add_back_with_ctrl_z(
        self, page: Page, server: Api, batch: dict[str, Any]
    ):
        page.goto(f"/app/stow-inventory?batch={batch['id']}")
        identify(page, "3003 red")
        page.keyboard.press("Enter")
        expect(
            page.get_by_role("list", name="Last added").get_by_text("Brick 2 x 2")
        ).to_be_visible()
        wait_until_sent(page)

        with counted(page):
            page.keyboard.press("Control+z")

        expect(
            page.get_by_role("list", name="Last added").get_by_text("Brick 2 x 2")
        ).to_have_count(0)
        assert server.total("batchItems", batch=batch["id"]) == 0

    def test_says_when_a_number_is_not_found(self, page: Page, batch: dict[str, Any]):
        page.goto(f"/app/stow-inventory?batch={batch['id']}")

        identify(page, "zzz999")

        expect(page.get_by_role("dialog")).to_contain_text("zzz999")


class TestBatch:
    @pytest.fixture
    def filled(self, server: Api, batch: dict[str, Any]) -> dict[str, Any]:
        """The batch with 6 bricks and 7 plates, each alone small enough for a bin of 10."""
        for number, qty in (("3001", 6), ("3020", 7)):
            found = server.get("catalogItems", search=number, item_type="PART")["data"][0]
            lot = server.get("catalogLots", item=found["id"])["data"][0]
            server.post(
                "batchItems",
                {"batch_id": batch["id"], "lot_id": lot["id"], "qty": qty, "price": "0.1000"},
            )
        return batch

    def test_refuses_what_a_bin_cannot_take_and_says_by_how_much(
        self, page: Page, server: Api, filled: dict[str, Any], console: Console
    ):
        console.allow("409 (Conflict)")
        page.goto(f"/app/batches?batch={filled['id']}")
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Record 2 lots as stowed…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("One bin").click()
        dialog.get_by_role("combobox", name="Bin").fill("A-1")
        page.get_by_role("option", name="A-1").first.click()

        dialog.get_by_role("button", name="Stow", exact=True).click()

        expect(dialog).to_contain_text(re.compile(r"A-1 .*(10|4)"))
        bins = {row["name"]: row["item_count"] for row in server.get("inventoryLocations")["data"]}
        assert bins == {"A-1": 0, "A-2": 0}
        assert server.total("inventoryItems") == 0

    def test_is_stowed_where_there_is_room_and_the_stock_follows(
        self, page: Page, app: RunningApp, server: Api, filled: dict[str, Any]
    ):
        page.goto(f"/app/batches?batch={filled['id']}")
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Record 2 lots as stowed…").click()

        page.get_by_role("dialog").get_by_role("button", name="Stow", exact=True).click()

        expect(page.get_by_role("dialog")).to_have_count(0)
        stock = {
            row["location_name"]: (row["item_number"], row["quantity"])
            for row in server.get("inventoryItems")["data"]
        }
        assert stock == {"A-1": ("3001", 6), "A-2": ("3020", 7)}
        assert [
            row["is_stowed"] for row in server.get("batchItems", batch=filled["id"])["data"]
        ] == [
            True,
            True,
        ]
        assert "agree" in app.manage("check_ledger")

    def test_is_exported_as_bsx_through_a_job(
        self, page: Page, server: Api, filled: dict[str, Any], tmp_path: Path
    ):
        page.goto(f"/app/batches?batch={filled['id']}")

        with page.expect_download(timeout=JOB_MS) as caught:
            page.get_by_role("button", name="Export items").first.click()

        text = Path(caught.value.path()).read_text(encoding="utf-8")
        assert re.findall(r"<ItemID>(.*?)</ItemID>", text) == ["3001", "3020"]
        assert re.findall(r"<Qty>(.*?)</Qty>", text) == ["6", "7"]


class TestStoreFile:
    def test_is_previewed_applied_repeated_and_undone_to_the_piece(
        self, page: Page, server: Api, shared_data
    ):
        file = shared_data(STORE)
        server.request.patch(
            f"{server.url}/api/preferences", headers=server.headers, data={"currency": "EUR"}
        )

        self.preview(page, file)
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("2,524")
        assert server.total("inventoryItems") == 0
        self.apply(page)
        expect(page.get_by_role("dialog", name="2,524 lots imported")).to_be_visible(timeout=JOB_MS)
        assert server.total("inventoryItems", show_zero_quantity="true") == 2_524

        page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
        self.preview(page, file)
        expect(page.get_by_text("Nothing would change")).to_be_visible(timeout=JOB_MS)
        page.get_by_role("button", name="Cancel import").click()

        first = next(
            row for row in server.get("inventorySyncs")["data"] if row["state"] == "applied"
        )
        page.goto(f"/app/inventory?sync={first['id']}")
        page.get_by_role("button", name="Undo import").click()
        page.get_by_role("button", name="Undo import").last.click()
        expect(page.get_by_role("dialog", name="Undone")).to_be_visible(timeout=JOB_MS)

        assert server.total("inventoryItems", show_zero_quantity="true") == 0
        assert server.total("inventoryLocations") == 0

    def preview(self, page: Page, file: Path) -> None:
        page.goto("/app/inventory")
        page.get_by_role("button", name="Import a file").first.click()
        page.locator("input[type=file]").last.set_input_files(file)
        expect(page.get_by_role("dialog", name="2,524 lots, ready to import")).to_be_visible(
            timeout=JOB_MS
        )

    def apply(self, page: Page) -> None:
        page.get_by_role("button", name=re.compile("^Import 2,524 lots and [0-9]+ bins$")).click()

"""Files as people get them: what can be written is saved, what cannot is named and can be opened."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.site import call_api

pytestmark = pytest.mark.browser

REST = "Rest of the box"


@pytest.fixture
def batch(page: Page, app, new_person) -> dict[str, Any]:
    """A brick, and an unsorted lot that has no number: `{"id", "rest"}`."""

    def make(endpoint: str, body: dict[str, Any]) -> int:
        return int(call_api(page, app, new_person, endpoint, body)["id"])

    made = make("batches", {"name": "Flea market"})
    brick = {"item_type": "PART", "item_number": "3001", "color_id": 5, "qty": 4, "price": "0.10"}
    make("batchItems", {"batch_id": made, **brick})
    rest = {"item_type": "UNSORTED_LOT", "item_name": REST, "qty": 1}
    return {"id": made, "rest": make("batchItems", {"batch_id": made, **rest})}


class TestAnExport:
    def test_saves_what_can_be_written_and_opens_what_cannot(
        self, page: Page, batch: dict[str, Any]
    ):
        page.goto(f"/app/batches?batch={batch['id']}")
        page.get_by_role("button", name="Export options").click()
        page.get_by_label("Format").select_option("mass_upload")  # takes no lot without a number
        page.keyboard.press("Escape")
        with page.expect_download() as caught:
            page.get_by_role("button", name="Export items").click()

        text = Path(caught.value.path()).read_text(encoding="utf-8")
        assert re.findall(r"<ITEMID>(.*?)</ITEMID>", text) == ["3001"]
        failed = page.get_by_role("dialog", name="1 item could not be exported")
        row = failed.get_by_role("row").nth(1)
        expect(row).to_contain_text(str(batch["rest"]))
        expect(row).to_contain_text("It has no item number.")
        row.get_by_role("button", name=f"Open {REST}").click()
        item = page.get_by_role("dialog", name=REST)
        expect(item.get_by_role("textbox", name="Quantity")).to_be_focused()
        page.keyboard.press("Escape")
        expect(item).to_be_hidden()
        expect(failed.get_by_role("button", name="Retry these")).to_be_visible()

    def test_of_nothing_says_so_and_saves_no_file(self, page: Page, batch: dict[str, Any]):
        page.goto(f"/app/batches?batch={batch['id']}")
        page.get_by_role("button", name="Export options").click()
        page.get_by_label("Which items").select_option("listed")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Export items").click()

        told = page.get_by_role("region", name="Notifications")
        expect(told).to_contain_text("Nothing to write: no lot is chosen by these options.")

        page.get_by_role("button", name="Export options").click()
        page.get_by_role("button", name="Earlier exports").click()
        earlier = page.get_by_role("dialog", name="Earlier exports")
        expect(earlier.get_by_role("row").nth(1)).to_contain_text("no file")
        expect(earlier.get_by_role("button", name=re.compile("^Download "))).to_have_count(0)

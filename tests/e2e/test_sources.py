"""Sources in a real browser: made, edited in place, deleted; each survives a reload."""

import re
from contextlib import AbstractContextManager
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.test_walk import Api

pytestmark = pytest.mark.browser


def stored(page: Page) -> AbstractContextManager[Any]:
    """What is done meanwhile ends with an edit that the server has."""
    return page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok)


class TestASource:
    def test_is_made_edited_in_place_and_deleted(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ) -> None:
        server = Api(page, app, new_person)
        page.goto("/app/sources")
        page.get_by_role("button", name="Flea market").click()
        dialog = page.get_by_role("dialog", name="New source")
        dialog.get_by_label("Notes").fill("Sundays")
        dialog.get_by_role("button", name="Add source").click()
        expect(page.get_by_text("Flea market added")).to_be_visible()

        page.get_by_role("gridcell", name="Flea market").click()
        page.keyboard.press("F2")
        page.keyboard.press("Control+a")
        page.keyboard.type("Market hall")
        with stored(page):
            page.keyboard.press("Enter")
        expect(page.get_by_role("gridcell", name="Market hall")).to_be_visible()
        page.get_by_role("gridcell", name="Sundays").click()
        page.keyboard.press("F2")
        page.keyboard.press("Control+End")
        page.keyboard.press("Alt+Enter")
        page.keyboard.type("bring cash")
        with stored(page):
            page.keyboard.press("Enter")
        assert server.get("sources")["data"][0]["notes"] == "Sundays\nbring cash"
        page.reload()
        expect(page.get_by_role("gridcell", name="Market hall")).to_be_visible()

        source = server.get("sources")["data"][0]
        server.post("batches", {"name": "Box", "source_id": source["id"], "cost_total": "12.50"})
        page.reload()
        expect(page.get_by_role("row", name=re.compile("Market hall.*12.50"))).to_be_visible()
        page.get_by_role("gridcell", name="Market hall").click(button="right")
        page.get_by_role("menuitem", name="Delete").click()
        dialog = page.get_by_role("dialog", name="Market hall is in use")
        dialog.get_by_label(re.compile("Its batches come from")).select_option("none")
        dialog.get_by_role("button", name="Re-assign and delete").click()
        expect(page.get_by_text("Market hall deleted")).to_be_visible()
        page.reload()
        expect(page.get_by_text("Where do you buy?")).to_be_visible()

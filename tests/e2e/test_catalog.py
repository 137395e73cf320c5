"""The catalogue page in a real browser, with the demo store behind it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.site import call_api, stored

pytestmark = pytest.mark.browser

BRICK = "/app/catalog?item=PART:3001"
OPTIONS = {
    "Highlight": "highlight",
    "Show low value lots": "showLowValueLots",
    "Hide existing batch item lots": "hideExistingBatchItemLots",
    "Complete minifigs": "completeMinifigs",
}


def colour(page: Page, name: str) -> Any:
    """The picture of a colour."""
    tiles = page.get_by_role("list", name="Colours").get_by_role("listitem")
    return tiles.filter(has=page.get_by_role("radio", name=name, exact=True))


def show_all(page: Page) -> None:
    """Show the colours without a price too."""
    page.get_by_role("button", name="more without prices").click()


def colour_names(page: Page) -> list[str]:
    expect(page.get_by_role("list", name="Colours")).to_be_visible()
    radios = page.get_by_role("list", name="Colours").get_by_role("radio")
    return [str(radio.get_attribute("aria-label")) for radio in radios.all()]


def refresh(page: Page, name: str) -> None:
    """Ask the marketplace for the prices of one colour."""
    page.get_by_role("radio", name=name, exact=True).check()
    page.get_by_role("button", name="Refresh prices").click()
    page.get_by_role("menuitem", name=f"Of {name}").click()


class TestPrices:
    def test_come_from_the_store_and_say_so(self, page: Page, new_person: dict[str, Any]):
        page.goto(BRICK)
        show_all(page)

        refresh(page, "Dark Azure")

        told = page.get_by_text(re.compile("Prices refreshed|fetched just now"))
        expect(told.first).to_be_visible()
        expect(colour(page, "Dark Azure")).to_contain_text(re.compile(r"\$\d.*(sold|asked)"))
        expect(page.get_by_text("Invented prices of the demo store")).to_be_visible()
        page.get_by_role("button", name="Prices of Dark Azure").click()
        figures = page.get_by_role("dialog").get_by_role("table", name="Figures")
        expect(figures.get_by_role("row")).to_have_count(5)
        expect(page.get_by_role("dialog").get_by_role("figure")).to_have_accessible_name(
            re.compile(r"^Prices from .* Last: ")
        )

    def test_cost_calls_that_are_shown(self, page: Page, new_person: dict[str, Any]):
        page.goto("/app/settings#integrations")
        page.get_by_role("button", name="Connect the demo store").click()

        expect(page.get_by_text("connected", exact=True)).to_be_visible()
        calls = page.get_by_role("region", name="Calls today")
        expect(calls.get_by_role("row", name=re.compile("Look-ups"))).to_contain_text("4,299")


class TestConnecting:
    def test_says_that_wrong_secrets_are_refused_and_forgets_what_was_typed(
        self, page: Page, new_person: dict[str, Any]
    ):
        page.goto("/app/settings#integrations")
        page.get_by_role("button", name="Connect a store").click()
        for number, label in enumerate(
            ("ConsumerKey", "ConsumerSecret", "TokenValue", "TokenSecret")
        ):
            page.get_by_role("dialog").get_by_label(label).fill(f"{number}" * 32)

        page.get_by_role("button", name="Save and test").click()

        expect(page.get_by_role("alert")).to_contain_text("does not know this ConsumerKey")
        kept = page.evaluate("JSON.stringify([{...localStorage}, document.body.innerHTML])")
        assert "0" * 32 not in kept


class TestOptions:
    def test_are_off_at_first_and_stay_as_they_are_set(
        self, page: Page, new_person: dict[str, Any]
    ):
        page.goto(BRICK)
        page.get_by_role("button", name="Colour options").click()
        for name, key in OPTIONS.items():
            box = page.get_by_role("checkbox", name=name)
            expect(box).not_to_be_checked()
            box.check()
            assert stored(page, f"bb_setting_{key}") == "true"

        page.reload()

        page.get_by_role("button", name="Colour options").click()
        for name in OPTIONS:
            expect(page.get_by_role("checkbox", name=name)).to_be_checked()
        expect(page.get_by_role("heading", name="Complete minifigs")).to_be_visible()
        expect(page.get_by_role("list", name="Legend")).to_be_visible()

    def test_hide_low_value_lots_and_show_them_again(
        self, app: RunningApp, page: Page, new_person: dict[str, Any]
    ):
        headers = {"Authorization": f"Bearer {new_person['accessToken']}"}
        rule = {"low_value": "1000"}
        assert page.request.patch(f"{app.url}/api/priceRule", headers=headers, data=rule).ok
        page.goto(BRICK)
        show_all(page)
        refresh(page, "Bright Pink")

        expect(page.get_by_text(re.compile(r"low value lots? hidden"))).to_be_visible()
        expect(colour(page, "Bright Pink")).to_have_count(0)
        page.get_by_role("button", name="Show", exact=True).click()

        expect(colour(page, "Bright Pink")).to_be_visible()

    def test_hide_what_the_batch_holds(
        self, app: RunningApp, page: Page, new_person: dict[str, Any]
    ):
        batch = call_api(page, app, new_person, "batches", {"name": "Red bricks"})
        headers = {"Authorization": f"Bearer {new_person['accessToken']}"}
        rule = {"low_value": "0"}  # or cheap colours are hidden
        assert page.request.patch(f"{app.url}/api/priceRule", headers=headers, data=rule).ok
        page.goto(f"{BRICK}&batch={batch['id']}")
        show_all(page)
        page.get_by_role("radio", name="Dark Blue", exact=True).check()
        page.get_by_role("button", name="Add to batch").click()
        expect(page.get_by_text("1 × 3001 Dark Blue added to Red bricks")).to_be_visible()
        before = colour_names(page)

        page.get_by_role("button", name="Colour options").click()
        page.get_by_role("checkbox", name="Hide existing batch item lots").check()

        expect(page.get_by_text("1 existing lot hidden")).to_be_visible()
        assert set(before) - set(colour_names(page)) == {"Dark Blue"}


class TestStowNow:
    def test_puts_a_colour_into_the_recommended_bin(
        self, app: RunningApp, page: Page, new_person: dict[str, Any]
    ):
        call_api(page, app, new_person, "inventoryLocations", {"name": "Q-01"})
        batch = call_api(page, app, new_person, "batches", {"name": "Evening"})
        page.goto(f"{BRICK}&batch={batch['id']}")
        show_all(page)
        page.get_by_role("radio", name="Dark Azure", exact=True).check()

        page.get_by_role("button", name="Stow now in Q-01").click()

        expect(page.get_by_text("1 × 3001 Dark Azure stowed in Q-01")).to_be_visible()
        expect(colour(page, "Dark Azure")).to_contain_text("Q-01")


class TestPartsOfItems:
    def test_lead_from_a_set_to_its_parts_and_back(self, page: Page, person: dict[str, Any]):
        page.goto("/app/catalog?item=SET:31017-1")
        contains = page.get_by_role("list", name="Contains")
        expect(contains.get_by_role("listitem").first).to_be_visible()

        contains.get_by_role("link", name=re.compile("^11458 ")).first.click()

        expect(page.get_by_role("heading", name="11458")).to_be_visible()
        expect(
            page.get_by_role("list", name="Appears in").get_by_role(
                "link", name=re.compile("^31017-1 ")
            )
        ).to_be_visible()

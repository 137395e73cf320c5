"""Buy LEGO in a real browser, against the simulator of the auction site."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console
from tests.e2e.test_walk import Api

pytestmark = pytest.mark.browser


class TestBuyLego:
    def test_shows_the_demo_listings_with_price_and_end(self, page: Page, sign_in) -> None:
        sign_in()
        page.goto("/app/buy-lego")

        # The saved search runs by itself when the page is first seen.
        first = page.get_by_role("article").first
        expect(first).to_be_visible()
        expect(first).to_contain_text(re.compile(r"Current price\$\d+\.\d\d"))
        expect(first.locator("time")).to_have_text(re.compile(r"\d+[dhms]"))
        expect(page.get_by_text("Demo listings")).to_be_visible()
        expect(page.get_by_role("switch", name="Auto-refresh")).not_to_be_checked()

    def test_folds_its_tools_on_a_phone(self, page: Page, sign_in) -> None:
        sign_in()
        page.set_viewport_size({"width": 380, "height": 800})
        page.goto("/app/buy-lego")
        expect(page.get_by_role("article").first).to_be_visible()
        order = page.get_by_role("combobox", name="Sort by")
        expect(order).not_to_be_visible()

        page.get_by_role("button", name="Filter").click()
        expect(order).to_be_visible()
        expect(page.get_by_label("Watched only")).to_be_visible()

    def test_goes_from_a_link_to_what_it_costs_landed(
        self, page: Page, app: RunningApp, console: Console, new_person: dict[str, Any]
    ) -> None:
        console.allow("409 (Conflict)")  # there is no ZIP code yet
        server = Api(page, app, new_person)
        server.post("auctionSearches", {"text": 'lego "technic"'})
        page.goto("/app/buy-lego")
        first = page.get_by_role("article").first
        expect(first).to_be_visible()
        expect(first.get_by_text("Shipping is not known")).to_be_visible()

        first.get_by_role("heading").get_by_role("button").click()
        page.get_by_role("button", name="Calculate shipping").click()
        asked = page.get_by_role("dialog", name="Shipping to where?")
        asked.get_by_role("textbox", name="ZIP code").fill("90210")
        asked.get_by_role("button", name="Calculate shipping").click()
        expect(page.get_by_role("dialog").get_by_text("Handling")).to_be_visible()
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        expect(first.get_by_text(re.compile(r"\+ \$3\.00 handling"))).to_be_visible()
        expect(first.get_by_text("Shipping is not known")).not_to_be_visible()

        first.get_by_role("button", name="Watch").click()
        expect(first.get_by_text("watching")).to_be_visible()
        page.get_by_role("button", name="Filter").click()
        page.get_by_label("Watched only").check()
        expect(page.get_by_role("article")).to_have_count(1)

    def test_shows_markup_in_a_title_as_words_and_no_end_as_not_told(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ) -> None:
        server = Api(page, app, new_person)
        title = "<img src=x onerror=document.title='hit'>5 < 6 lbs of \"LEGO\""
        server.post("auctionListings", {"title": title, "current_price": "12"})
        page.goto("/app/buy-lego")

        card = page.get_by_role("article")
        expect(card.get_by_role("heading")).to_have_text('5 < 6 lbs of "LEGO"')
        expect(card.locator("time")).to_have_text("End not known")
        page.get_by_label("Search listings").fill('"LEGO"')
        expect(card).to_have_count(1)
        assert "hit" not in page.title()

    def test_shows_the_same_as_a_table_narrowed_by_the_address(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ) -> None:
        server = Api(page, app, new_person)
        for title, cost in (("Cheap", "4"), ("Dear", "40")):
            server.post(
                "auctionListings",
                {"title": f"{title} 10 lbs", "current_price": "10", "shipping_cost": cost},
            )
        page.goto("/app/buy-lego?max_landed=20")
        expect(page.get_by_role("article")).to_have_count(1)
        page.get_by_role("group", name="Shown as").get_by_text("Table").click()

        row = page.get_by_role("row").filter(has_text="Cheap 10 lbs")
        expect(row).to_contain_text("$14.00")
        expect(page.get_by_text("Dear 10 lbs")).to_have_count(0)
        page.get_by_role("button", name="Clear all").click()
        expect(page.get_by_text("Dear 10 lbs")).to_be_visible()
        expect(page).to_have_url(re.compile(r"/app/buy-lego$"))

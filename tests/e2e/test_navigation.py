"""The bar: its entries, its two dropdowns, its small form."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.site import BAR, INVENTORY_MENU, PRODUCT, USER_MENU, call_api

pytestmark = pytest.mark.browser


@pytest.fixture
def home(page: Page, person) -> Page:
    page.goto("/app/home")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def inventory_button(page: Page) -> Locator:
    return page.get_by_role("button", name="My Inventory")


def user_button(page: Page) -> Locator:
    return page.get_by_role("button", name="User menu")


def menu(page: Page, name: str) -> Locator:
    return page.get_by_role("menu", name=name)


class TestBar:
    def test_leads_to_the_six_areas(self, page: Page, app, new_person):
        page.goto("/app/home")
        bar = page.get_by_role("navigation", name="Main")
        expect(bar.get_by_role("link")).to_have_text(list(BAR))

        for entry, path in BAR.items():
            bar.get_by_role("link", name=entry, exact=True).click()
            # The station adds the batch that it goes on with.
            expect(page).to_have_url(re.compile(rf"{re.escape(app.url + path)}(\?batch=\d+)?$"))
            if path == BAR["Stow Inventory"]:
                page.go_back()
                expect(bar).to_be_visible()

    def test_has_orders_too_where_there_are_some(self, kept_home: Page):
        bar = kept_home.get_by_role("navigation", name="Main")
        expect(bar.get_by_role("link")).to_have_text([*BAR, "Orders"])

    def test_has_the_product_as_a_link_home(self, kept_home: Page, app):
        kept_home.get_by_role("link", name="Catalog", exact=True).click()
        expect(kept_home).to_have_title(f"Catalog | {PRODUCT}")

        kept_home.get_by_role("banner").get_by_text(PRODUCT, exact=True).click()

        expect(kept_home).to_have_url(f"{app.url}/app/home")

    def test_marks_where_one_is(self, kept_home: Page):
        here = kept_home.get_by_role("navigation", name="Main").locator("[aria-current=page]")
        expect(here).to_have_text("Home")

        kept_home.get_by_role("link", name="Batches", exact=True).click()

        expect(here).to_have_text("Batches")


class TestDropdowns:
    @pytest.mark.parametrize(
        ("name", "entries"),
        [("My Inventory", list(INVENTORY_MENU)), ("User menu", list(USER_MENU))],
    )
    def test_have_exactly_their_entries_in_order(
        self, kept_home: Page, name: str, entries: list[str]
    ):
        kept_home.get_by_role("button", name=name).click()

        expect(menu(kept_home, name).get_by_role("menuitem")).to_have_text(entries)

    @pytest.mark.parametrize(
        ("name", "entry", "path"),
        [
            *(("My Inventory", entry, path) for entry, path in INVENTORY_MENU.items()),
            ("User menu", "Profile", "/app/profile"),
            ("User menu", "Settings", "/app/settings"),
        ],
    )
    def test_lead_to_a_page_and_close(self, kept_home: Page, app, name: str, entry: str, path: str):
        kept_home.get_by_role("button", name=name).click()

        kept_home.get_by_role("menuitem", name=entry, exact=True).click()

        expect(kept_home).to_have_url(app.url + path)
        expect(kept_home.get_by_role("menu")).to_have_count(0)

    def test_log_out_to_the_welcome_page(self, home: Page, app):
        home.goto("/app/batches")
        user_button(home).click()

        home.get_by_role("menuitem", name="Log Out").click()

        expect(home).to_have_url(f"{app.url}/")
        expect(home).to_have_title(f"Welcome | {PRODUCT}")
        home.goto("/app/home")
        expect(home).to_have_url(f"{app.url}/signin")

    @pytest.mark.parametrize("button", [inventory_button, user_button])
    def test_close_on_a_second_click(self, kept_home: Page, button):
        button(kept_home).click()
        expect(kept_home.get_by_role("menu")).to_be_visible()

        button(kept_home).click()

        expect(kept_home.get_by_role("menu")).to_have_count(0)

    def test_open_one_at_a_time(self, kept_home: Page):
        inventory_button(kept_home).click()
        expect(menu(kept_home, "My Inventory")).to_be_visible()

        user_button(kept_home).click()

        expect(menu(kept_home, "User menu")).to_be_visible()
        expect(menu(kept_home, "My Inventory")).to_have_count(0)

    def test_close_on_a_click_outside(self, kept_home: Page):
        user_button(kept_home).click()

        kept_home.get_by_role("main").click(position={"x": 5, "y": 300})

        expect(kept_home.get_by_role("menu")).to_have_count(0)

    def test_stay_open_on_a_click_on_export_items(self, page: Page, app, new_person):
        batch = call_api(page, app, new_person, "batches", {"name": "Flea market"})
        item = {"item_type": "PART", "item_number": "3001", "color_id": 5, "qty": 1}
        call_api(page, app, new_person, "batchItems", {"batch_id": batch["id"], **item})
        page.goto(f"/app/batches?batch={batch['id']}")
        export = page.get_by_role("button", name="Export items")
        expect(export).to_be_visible()
        user_button(page).click()
        expect(menu(page, "User menu")).to_have_attribute("data-state", "open")

        with page.expect_request("**/api/exports"):
            export.click()

        expect(menu(page, "User menu")).to_be_visible()
        expect(user_button(page)).to_have_attribute("aria-expanded", "true")

    def test_are_12_rem_wide_and_animate_200_ms_both_ways(self, page: Page, person):
        page.clock.install()
        page.goto("/app/home")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 60)
        opened = page.get_by_role("menu", name="My Inventory", include_hidden=True)
        duration = "element => getComputedStyle(element).animationDuration"

        inventory_button(page).click()

        expect(opened).to_have_attribute("data-state", "opening")
        assert opened.evaluate("element => element.offsetWidth") == 192
        assert opened.evaluate(duration) == "0.2s"
        page.clock.run_for(199)
        expect(opened).to_have_attribute("data-state", "opening")
        page.clock.run_for(1)
        expect(opened).to_have_attribute("data-state", "open")

        inventory_button(page).click()

        expect(opened).to_have_attribute("data-state", "closing")
        assert opened.evaluate(duration) == "0.2s"
        page.clock.run_for(200)
        expect(opened).to_have_count(0)

    def test_show_no_admin_entry_to_anybody(self, kept_home: Page):
        for button in (inventory_button(kept_home), user_button(kept_home)):
            button.click()
            expect(kept_home.get_by_role("menuitem").first).to_be_visible()
            expect(kept_home.get_by_role("menuitem", name=re.compile("admin", re.I))).to_have_count(
                0
            )


class TestKeyboard:
    def test_closes_a_dropdown_by_escape_and_gives_the_focus_back(self, kept_home: Page):
        inventory_button(kept_home).press("ArrowDown")
        expect(kept_home.get_by_role("menuitem", name="Inventory", exact=True)).to_be_focused()

        kept_home.keyboard.press("Escape")

        expect(kept_home.get_by_role("menu")).to_have_count(0)
        expect(inventory_button(kept_home)).to_be_focused()

    def test_walks_a_dropdown_with_the_arrows(self, kept_home: Page, app):
        inventory_button(kept_home).press("ArrowDown")
        kept_home.keyboard.press("ArrowDown")
        kept_home.keyboard.press("ArrowDown")
        expect(kept_home.get_by_role("menuitem", name="Sources")).to_be_focused()

        kept_home.keyboard.press("Enter")

        expect(kept_home).to_have_url(f"{app.url}/app/sources")

    def test_reaches_log_out_from_the_top_of_the_page(self, home: Page, app):
        for _ in range(20):
            home.keyboard.press("Tab")
            if user_button(home).evaluate("element => element === document.activeElement"):
                break
        expect(user_button(home)).to_be_focused()

        home.keyboard.press("Enter")
        expect(home.get_by_role("menuitem", name="Profile")).to_be_focused()
        home.keyboard.press("End")
        home.keyboard.press("Enter")

        expect(home).to_have_url(f"{app.url}/")

    def test_skips_the_bar(self, home: Page):
        home.keyboard.press("Tab")
        expect(home.get_by_role("link", name="Skip to content")).to_be_focused()

        home.keyboard.press("Enter")

        expect(home.get_by_role("main")).to_be_focused()


class TestSmallScreen:
    def test_has_the_same_entries_behind_one_button(self, page: Page, app, new_person):
        page.set_viewport_size({"width": 380, "height": 760})
        page.goto("/app/home")
        page.get_by_role("button", name="Menu", exact=True).click()
        links = page.get_by_role("navigation", name="Main").get_by_role("link")
        expect(links).to_have_text([*BAR, *INVENTORY_MENU])

        links.get_by_text("Sources").click()

        expect(page).to_have_url(f"{app.url}/app/sources")
        expect(links).to_have_count(0)

    def test_closes_on_escape_and_on_a_click_outside(self, page: Page, person):
        page.set_viewport_size({"width": 380, "height": 760})
        page.goto("/app/settings")
        button = page.get_by_role("button", name="Menu", exact=True)
        opened = page.get_by_role("navigation", name="Main")
        button.click()
        expect(opened).to_be_visible()

        page.keyboard.press("Escape")

        expect(opened).to_be_hidden()
        expect(button).to_be_focused()
        button.click()
        expect(opened).to_be_visible()
        page.get_by_role("main").click(position={"x": 190, "y": 690})
        expect(opened).to_be_hidden()


class TestPalette:
    def test_takes_what_is_typed_while_it_opens(self, kept_home: Page):
        kept_home.keyboard.press("Control+k")
        kept_home.keyboard.type("3001 red")

        field = kept_home.get_by_role("dialog").get_by_role("combobox")
        expect(field).to_have_value("3001 red")

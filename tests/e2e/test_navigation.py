"""The bar's dropdowns and its theme toggle."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

INVENTORY = {
    "Inventory": "/app/inventory",
    "Inventory Locations": "/app/inventory-locations",
    "Sources": "/app/sources",
}
PERSON = {"Profile": "/app/profile", "Settings": "/app/settings", "Log Out": "/"}


@pytest.fixture
def home(page: Page, person) -> Page:
    page.goto("/app/home")
    expect(page.get_by_role("main")).to_be_visible()
    return page


def inventory_button(page: Page):
    return page.get_by_role("button", name="My Inventory")


def user_button(page: Page):
    return page.get_by_role("button", name="User menu")


def menu(page: Page, name: str):
    return page.get_by_role("menu", name=name)


class TestDropdowns:
    def test_lists_the_inventory_pages_in_order(self, home: Page):
        inventory_button(home).click()

        expect(menu(home, "My Inventory").get_by_role("menuitem")).to_have_text(list(INVENTORY))

    def test_lists_profile_settings_and_log_out_in_order(self, home: Page):
        user_button(home).click()

        expect(menu(home, "User menu").get_by_role("menuitem")).to_have_text(list(PERSON))

    @pytest.mark.parametrize(("entry", "path"), INVENTORY.items())
    def test_goes_to_an_inventory_page_and_closes(self, home: Page, app, entry: str, path: str):
        inventory_button(home).click()

        home.get_by_role("menuitem", name=entry, exact=True).click()

        expect(home).to_have_url(app.url + path)
        expect(menu(home, "My Inventory")).to_have_count(0)

    def test_logs_out_to_the_welcome_page(self, home: Page, app):
        home.goto("/app/batches")
        user_button(home).click()

        home.get_by_role("menuitem", name="Log Out").click()

        expect(home).to_have_url(f"{app.url}/")
        expect(home).to_have_title("Welcome | Brickstow")
        home.goto("/app/home")
        expect(home).to_have_url(f"{app.url}/signin")

    def test_has_no_admin_entry(self, home: Page):
        for button in (inventory_button(home), user_button(home)):
            button.click()
            expect(home.get_by_role("menuitem").first).to_be_visible()
            expect(home.get_by_role("menuitem", name=re.compile("admin", re.I))).to_have_count(0)

    def test_opens_one_at_a_time(self, home: Page):
        inventory_button(home).click()

        user_button(home).click()

        expect(menu(home, "User menu")).to_be_visible()
        expect(menu(home, "My Inventory")).to_have_count(0)

    @pytest.mark.parametrize("button", [inventory_button, user_button])
    def test_closes_on_a_second_click(self, home: Page, button):
        button(home).click()
        expect(home.get_by_role("menu")).to_be_visible()

        button(home).click()

        expect(home.get_by_role("menu")).to_have_count(0)

    def test_closes_on_a_click_outside(self, home: Page):
        user_button(home).click()

        home.get_by_role("main").click(position={"x": 5, "y": 300})

        expect(home.get_by_role("menu")).to_have_count(0)

    def test_closes_on_escape_and_gives_the_focus_back(self, home: Page):
        inventory_button(home).press("ArrowDown")
        expect(home.get_by_role("menuitem", name="Inventory", exact=True)).to_be_focused()

        home.keyboard.press("Escape")

        expect(home.get_by_role("menu")).to_have_count(0)
        expect(inventory_button(home)).to_be_focused()

    def test_is_walked_with_the_arrow_keys(self, home: Page, app):
        inventory_button(home).press("ArrowDown")
        home.keyboard.press("ArrowDown")
        home.keyboard.press("ArrowDown")
        expect(home.get_by_role("menuitem", name="Sources")).to_be_focused()

        home.keyboard.press("Enter")

        expect(home).to_have_url(f"{app.url}/app/sources")

    def test_is_12_rem_wide_and_animates_200_ms(self, home: Page):
        inventory_button(home).click()

        opened = menu(home, "My Inventory")
        assert opened.bounding_box()["width"] == 192
        expect(opened).to_have_attribute("data-state", re.compile("open"))


class TestThemeToggle:
    def is_dark(self, page: Page) -> bool:
        color = page.evaluate("getComputedStyle(document.body).backgroundColor")
        numbers = [float(number) for number in re.findall(r"[\d.]+", color)]
        lightness = numbers[0] if "oklch" in color or "lab" in color else max(numbers[:3]) / 255
        return lightness < 0.5

    def test_switches_there_and_back(self, home: Page):
        home.get_by_role("button", name="Switch to dark theme").click()
        assert self.is_dark(home)

        home.get_by_role("button", name="Switch to light theme").click()
        assert not self.is_dark(home)

    def test_follows_the_system_until_it_is_used(self, home: Page):
        home.emulate_media(color_scheme="dark")
        expect(home.get_by_role("button", name="Switch to light theme")).to_be_visible()
        assert self.is_dark(home)

        home.get_by_role("button", name="Switch to light theme").click()
        home.emulate_media(color_scheme="light")
        home.emulate_media(color_scheme="dark")
        home.reload()

        expect(home.get_by_role("button", name="Switch to dark theme")).to_be_visible()
        assert not self.is_dark(home)
        assert home.evaluate("localStorage.getItem('theme')") == "light"

    @pytest.mark.parametrize("path", ["/", "/signin", "/signup", "/privacy"])
    def test_has_no_say_on_the_public_side(self, page: Page, path: str):
        page.add_init_script("localStorage.setItem('theme', 'dark')")
        page.emulate_media(color_scheme="light")
        page.goto(path)
        expect(page.get_by_role("main")).to_be_visible()
        assert not self.is_dark(page)

        page.emulate_media(color_scheme="dark")

        page.wait_for_function("matchMedia('(prefers-color-scheme: dark)').matches")
        assert self.is_dark(page)

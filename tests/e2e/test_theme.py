"""Light and dark: whose choice counts where."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.site import PUBLIC, hold, stored, wait_until, wait_until_dark, wait_until_light

pytestmark = pytest.mark.browser

TO_DARK = "Switch to dark theme"
TO_LIGHT = "Switch to light theme"


def choose(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


class TestSignedIn:
    def test_switches_there_and_back(self, page: Page, person):
        page.goto("/app/home")
        choose(page, TO_DARK)
        wait_until_dark(page)

        choose(page, TO_LIGHT)

        wait_until_light(page)

    def test_follows_the_system_while_nothing_is_stored(self, page: Page, person):
        page.emulate_media(color_scheme="dark")
        page.goto("/app/home")
        expect(page.get_by_role("button", name=TO_LIGHT)).to_be_visible()
        wait_until_dark(page)

        page.emulate_media(color_scheme="light")

        expect(page.get_by_role("button", name=TO_DARK)).to_be_visible()
        wait_until_light(page)
        assert stored(page, "theme") is None

    def test_keeps_a_choice_against_the_system(self, page: Page, person):
        page.emulate_media(color_scheme="dark")
        page.goto("/app/home")
        choose(page, TO_LIGHT)
        assert stored(page, "theme") == "light"

        page.emulate_media(color_scheme="light")
        page.emulate_media(color_scheme="dark")
        expect(page.get_by_role("button", name=TO_DARK)).to_be_visible()
        wait_until_light(page)
        page.reload()

        expect(page.get_by_role("button", name=TO_DARK)).to_be_visible()
        wait_until_light(page)

    def test_has_its_colours_before_the_bundle_comes(self, page: Page, person):
        page.add_init_script("localStorage.setItem('theme', 'dark')")
        page.emulate_media(color_scheme="light")
        held = hold(page, "**/static/main.*.js")

        page.goto("/app/home", wait_until="commit")
        wait_until(page, "document.body && document.styleSheets.length > 0")

        assert page.locator("#root > *").count() == 0
        wait_until_dark(page)
        wait_until(page, "() => !!document.querySelector('script[src*=main]')")
        held.release()
        expect(page.get_by_role("button", name=TO_LIGHT)).to_be_visible()


class TestPublicSide:
    @pytest.mark.parametrize("path", PUBLIC)
    def test_follows_the_system_alone(self, page: Page, path: str):
        page.add_init_script("localStorage.setItem('theme', 'dark')")
        page.emulate_media(color_scheme="light")
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        wait_until_light(page)
        expect(page.get_by_role("button", name=TO_LIGHT)).to_have_count(0)

        page.emulate_media(color_scheme="dark")

        wait_until(page, "document.documentElement.dataset.theme === 'dark'")
        wait_until_dark(page)

    def test_takes_no_choice_along_after_logging_out(self, page: Page, app, new_person):
        page.emulate_media(color_scheme="light")
        page.goto("/app/home")
        choose(page, TO_DARK)
        page.get_by_role("button", name="User menu").click()

        page.get_by_role("menuitem", name="Log Out").click()

        expect(page).to_have_url(f"{app.url}/")
        wait_until(page, "document.documentElement.dataset.theme === 'light'")
        wait_until_light(page)
        assert stored(page, "theme") == "dark"


class TestForcedColours:
    """The person's own few colours: no background is painted, but for what it alone shows."""

    def test_keep_what_is_chosen_and_the_colours_of_parts(self, page: Page, person):
        page.emulate_media(forced_colors="active")
        page.goto("/app/inventory")
        chosen = page.locator("label", has=page.get_by_role("radio", name="Rows", exact=True))
        expect(chosen).to_have_css("outline-style", "solid")

        swatch = page.locator("[role=gridcell] [data-painted]").first
        expect(swatch).to_have_css("forced-color-adjust", "none")

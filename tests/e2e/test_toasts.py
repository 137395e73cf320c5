"""Toasts: where they are, how long they stay, how they are put away."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.site import call_api, settle, wait_for

pytestmark = pytest.mark.browser

LONG_NAME = "Flea market of " + "a very long street name in a very long town " * 4


@pytest.fixture
def toasts(page: Page) -> Locator:
    return page.get_by_role("region", name="Notifications").locator("[data-toast]")


@pytest.fixture
def add_source(page: Page, new_person) -> Callable[[str], None]:
    """On the sources page, with a clock that goes only as it is told: saving shows a toast."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.clock.install()
    page.goto("/app/sources")
    expect(page.get_by_text("Where do you buy?")).to_be_visible()
    settle(page)
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 10)

    def add(name: str) -> None:
        page.get_by_role("button", name="New source").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill(name)
        dialog.get_by_role("button", name="Add source").click()
        expect(page.get_by_text(f"{name} added")).to_be_visible()
        page.mouse.move(300, 300)
        settle(page)  # it has the time that it stays from now on

    return add


def box_of(toast: Locator) -> dict[str, float]:
    """Where it stands, once it stands still."""
    toast.evaluate("element => Promise.all(element.getAnimations().map(({finished}) => finished))")
    return toast.bounding_box()


def grip_of(toast: Locator) -> tuple[float, float, float]:
    """Where to grab it, and how wide it is."""
    found = box_of(toast)
    return found["x"] + 40, found["y"] + found["height"] / 2, found["width"]


class TestToast:
    def test_appears_in_the_lower_left_corner(self, page: Page, add_source, toasts: Locator):
        add_source("Attic")

        expect(toasts).to_contain_text("Attic added")
        box = box_of(toasts)
        assert 800 - 40 < box["y"] + box["height"] <= 800
        assert 0 < box["x"] < 40
        assert box["x"] + box["width"] < 640

    def test_lies_above_the_buttons_at_the_foot_of_a_dialog(
        self, page: Page, add_source, toasts: Locator
    ):
        page.set_viewport_size({"width": 380, "height": 760})
        add_source("Attic")

        page.get_by_role("button", name="New source").click()

        add = page.get_by_role("dialog").get_by_role("button", name="Add source")
        wait_for(
            page,
            lambda: box_of(toasts)["y"] + box_of(toasts)["height"] <= box_of(add)["y"],
            True,
        )

    def test_closes_by_itself_after_5000_ms(self, page: Page, add_source, toasts: Locator):
        add_source("Attic")
        expect(toasts).to_have_count(1)

        page.clock.run_for(4_990)
        settle(page)
        expect(toasts).to_have_count(1)
        page.clock.run_for(10)
        page.clock.resume()

        expect(toasts).to_have_count(0)

    def test_is_above_the_older_ones(self, page: Page, add_source, toasts: Locator):
        add_source("First")
        add_source("Second")

        expect(toasts).to_contain_text(["Second added", "First added"])
        newer, older = (box_of(toasts.nth(index)) for index in (0, 1))
        assert newer["y"] < older["y"]

    def test_stays_while_it_is_hovered(self, page: Page, add_source, toasts: Locator):
        add_source("Attic")
        toasts.hover()
        settle(page)
        page.clock.run_for(8_000)
        settle(page)
        expect(toasts).to_have_count(1)

        page.mouse.move(300, 300)
        page.clock.resume()

        expect(toasts).to_have_count(0)

    def test_stays_while_the_window_has_no_focus(self, page: Page, add_source, toasts: Locator):
        add_source("Attic")
        page.evaluate("window.dispatchEvent(new Event('blur'))")
        settle(page)
        page.clock.run_for(8_000)
        settle(page)
        expect(toasts).to_have_count(1)

        page.evaluate("window.dispatchEvent(new Event('focus'))")
        page.clock.resume()

        expect(toasts).to_have_count(0)

    def test_is_at_most_600_px_wide(self, page: Page, add_source, toasts: Locator):
        page.set_viewport_size({"width": 1920, "height": 900})

        add_source(LONG_NAME)

        expect(toasts).to_contain_text("Flea market")
        assert (
            toasts.evaluate("element => getComputedStyle(element).maxWidth") == "min(600px, 100%)"
        )
        assert toasts.evaluate("element => element.offsetWidth") == 600

    def test_fits_a_phone(self, page: Page, add_source, toasts: Locator):
        page.set_viewport_size({"width": 380, "height": 760})

        add_source(LONG_NAME)

        expect(toasts).to_contain_text("Flea market")
        box = box_of(toasts)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 380

    def test_is_dismissed_by_dragging_it_80_percent_aside(
        self, page: Page, add_source, toasts: Locator
    ):
        add_source("Attic")

        x, y, width = grip_of(toasts)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 0.7 * width, y, steps=5)
        page.mouse.up()
        wait_for(page, lambda: abs(grip_of(toasts)[0] - x) < 1, True)

        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 0.85 * width, y, steps=5)
        page.mouse.up()
        page.clock.resume()

        expect(toasts).to_have_count(0)

    def test_is_dismissed_by_its_button(self, page: Page, add_source, toasts: Locator):
        add_source("Attic")

        toasts.get_by_role("button", name="Dismiss").click()
        page.clock.resume()

        expect(toasts).to_have_count(0)


class TestLongAction:
    def test_is_one_toast_from_beginning_to_end(self, page: Page, app, new_person, toasts: Locator):
        batch = call_api(page, app, new_person, "batches", {"name": "Flea market"})
        item = {"item_type": "PART", "item_number": "3001", "color_id": 5, "qty": 1}
        call_api(page, app, new_person, "batchItems", {"batch_id": batch["id"], **item})
        page.goto(f"/app/batches?batch={batch['id']}")
        with page.expect_response("**/api/exports"):
            page.get_by_role("button", name="Export items").click()
        expect(toasts).to_have_count(1)
        toasts.evaluate("element => { element.dataset.same = '1' }")

        own = page.locator("[data-same]")
        expect(own).to_contain_text("The file is ready")

        own.get_by_role("button", name="Dismiss").click()
        expect(own).to_have_count(0)
        expect(toasts.filter(has_text="The file is ready")).to_have_count(0)

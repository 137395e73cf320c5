"""The station beyond its first add: what is kept, refused, unreachable, and how it fits a phone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.adds import adds, counted, wait_until_sent
from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console
from tests.e2e.site import call_api, settle, wait_for

pytestmark = pytest.mark.browser

Call = Callable[[str, dict[str, Any]], dict[str, Any]]


@pytest.fixture
def make(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Call:
    """`make("batches", {...})` through the API, as the person of the page."""
    return lambda endpoint, body: call_api(page, app, new_person, endpoint, body)


Items = Callable[[int, list[tuple[str, int, str]]], None]


@pytest.fixture
def items(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Items:
    """`items(batch, [("3001", 1, "new")])` waits until the server has these items and no others."""

    def read(batch_id: int) -> list[tuple[str, int, str]]:
        answer = page.request.get(
            f"{app.url}/api/batchItems",
            params={"batch": batch_id, "ordering": "id"},
            headers={"Authorization": f"Bearer {new_person['accessToken']}"},
        )
        rows = answer.json()["data"]
        return [(row["item_number"], row["qty"], row["state"]) for row in rows]

    def wait(batch_id: int, wanted: list[tuple[str, int, str]]) -> None:
        # Rows are painted before they are sent.
        expect(page.get_by_title("being sent")).to_have_count(0)
        wait_for(page, lambda: read(batch_id), wanted)

    return wait


@pytest.fixture
def station(page: Page, make: Call) -> int:
    """The station, open on a new batch, with one bin for 10 pieces. The batch's id."""
    make("inventoryLocations", {"name": "A-1", "max_item_count": 10})
    batch = make("batches", {"name": "Market box"})
    page.goto(f"/app/stow-inventory?batch={batch['id']}")
    expect(page.get_by_role("button", name="Market box")).to_be_visible()
    return int(batch["id"])


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


class TestKeys:
    def test_a_number_and_its_colour_cost_two_more(self, page: Page, station: int, items: Items):
        press(page, *"3001", "Enter", *"red", "Enter")

        expect(adds(page)).to_contain_text(["Brick 2 x 4"])
        settle(page)
        items(station, [("3001", 1, "new")])

    def test_a_number_with_its_colour_costs_one_more(self, page: Page, station: int, items: Items):
        press(page, *"3001 red", "Enter", *"3003 tan", "Enter")

        expect(adds(page)).to_contain_text(["Brick 2 x 2", "Brick 2 x 4"])
        settle(page)
        items(station, [("3001", 1, "new"), ("3003", 1, "new")])

    def test_shows_a_number_with_its_colour_before_it_is_added(
        self, page: Page, station: int, items: Items
    ):
        press(page, *"3001 red", "Shift+Enter")

        expect(page.get_by_role("region", name="Item 3001")).to_contain_text("Red")
        expect(page.get_by_role("button", name=re.compile("^Add 1"))).to_be_visible()
        items(station, [])

    def test_keep_field_and_bin_in_view_at_200_percent(self, page: Page, station: int):
        page.set_viewport_size({"width": 720, "height": 450})
        press(page, *"3001 red 4")

        bin_ = page.get_by_text("A-1", exact=True).first
        expect(page.get_by_role("button", name="Add 4 to A-1")).to_be_visible()
        expect(page.get_by_role("combobox", name="Number or name")).to_be_in_viewport(ratio=1)
        expect(bin_).to_be_in_viewport(ratio=1)

    def test_a_number_alone_asks_for_the_colour_first(self, page: Page, station: int, items: Items):
        press(page, *"3001", "Shift+Enter")

        expect(page.get_by_role("combobox", name="Which colour?")).to_be_focused()
        expect(adds(page)).to_have_count(0)
        press(page, *"red", "Enter")
        expect(adds(page)).to_contain_text(["Brick 2 x 4"])
        wait_until_sent(page)
        items(station, [("3001", 1, "new")])

    def test_may_be_pressed_ahead_of_the_server(self, page: Page, station: int, items: Items):
        press(page, *"3001 red 12", "Enter", *"3003", "Enter", *"tan", "Enter", "+")

        expect(adds(page)).to_contain_text(["Brick 2 x 2", "Brick 2 x 4"])
        wait_until_sent(page)
        items(station, [("3001", 12, "new"), ("3003", 2, "new")])


def colors(page: Page) -> list[str]:
    """The colours of the last rows, newest first."""
    wait_until_sent(page)
    return [re.sub(r"\s+", " ", text) for text in adds(page).all_inner_texts()]


class TestAFastHand:
    """Ten milliseconds a letter: faster than any typist, as fast as a macro."""

    @pytest.mark.parametrize(
        "name",
        ["Blue", "Black", "Dark Azure", "Green", "Lime", "Tan", "Trans-Clear", "White"],
    )
    def test_types_a_colour_whole(self, page: Page, station: int, items: Items, name: str):
        page.keyboard.type("3001", delay=10)
        page.keyboard.press("Enter")
        expect(page.get_by_role("listbox", name="Colours")).to_be_visible()

        page.keyboard.type(name.lower(), delay=10)
        expect(page.get_by_role("combobox", name="Which colour?")).to_have_value(name.lower())
        press(page, "Enter")

        expect(adds(page)).to_have_count(1)
        assert name in colors(page)[0]
        items(station, [("3001", 1, "new")])

    @pytest.mark.parametrize("name", ["blue", "dark azure", "lime", "green"])
    def test_is_not_ahead_of_what_opens(self, page: Page, station: int, items: Items, name: str):
        slow_down(page, "/api/catalogLots", "/api/catalogItems")

        page.keyboard.type("3001", delay=10)
        press(page, "Enter")
        page.keyboard.type(name, delay=10)
        press(page, "Enter")

        expect(adds(page)).to_have_count(1)
        assert name in colors(page)[0].lower()
        items(station, [("3001", 1, "new")])
        expect(page.get_by_role("combobox", name=re.compile("number", re.I))).to_have_value("")

    def test_is_not_ahead_of_the_colours(self, page: Page, station: int, items: Items):
        slow_down(page, "/api/catalogLots")

        page.keyboard.type("3001", delay=10)
        press(page, "Enter")
        expect(page.get_by_role("region", name="Item 3001")).to_be_visible()
        page.keyboard.type("dark azure", delay=10)
        expect(page.get_by_role("combobox", name="Which colour?")).to_have_value("dark azure")
        press(page, "Enter")

        expect(adds(page)).to_have_count(1)
        assert "Dark Azure" in colors(page)[0]
        items(station, [("3001", 1, "new")])

    def test_filters_the_colours_of_what_it_took(self, page: Page, station: int, items: Items):
        press(page, *"3001 red", "Enter")
        expect(adds(page)).to_have_count(1)
        press(page, *"3001 red", "Shift+Enter")
        expect(page.get_by_role("button", name=re.compile("^Add 1"))).to_be_visible()

        page.keyboard.type("cblue", delay=10)
        expect(page.get_by_role("textbox", name="Filter the colours")).to_have_value("blue")
        press(page, "Enter", "Enter")

        expect(adds(page)).to_have_count(2)
        assert "Blue" in colors(page)[0]
        items(station, [("3001", 1, "new"), ("3001", 1, "new")])

    def test_names_the_batch_that_opens(self, page: Page, station: int):
        page.keyboard.press("Alt+b")
        page.keyboard.type("Blue loft", delay=10)
        press(page, "Enter")

        expect(page.get_by_role("button", name="Blue loft")).to_be_visible()
        expect(page.get_by_role("combobox", name=re.compile("number", re.I))).to_have_value("")


class TestHalfAColour:
    def test_is_never_guessed(self, page: Page, station: int, items: Items):
        page.keyboard.type("3001 blu", delay=10)
        press(page, "Enter")
        expect(page.get_by_text(re.compile("may mean several colours"))).to_be_visible()

        press(page, "Enter")
        expect(adds(page)).to_have_count(0)
        press(page, "1")
        expect(page.get_by_role("button", name="Add 1 to A-1", exact=True)).to_be_visible()
        press(page, "Enter")

        expect(adds(page)).to_have_count(1)
        assert "Blue" in colors(page)[0]
        assert "Dark" not in colors(page)[0]
        items(station, [("3001", 1, "new")])


class TestADoubleClick:
    def test_adds_once_in_the_catalogue(self, page: Page, station: int, items: Items):
        page.goto(f"/app/catalog?item=PART:3001&batch={station}")
        # Once another test has asked for prices, colours without any are folded.
        yellow = page.get_by_role("radio", name="Yellow", exact=True)
        folded = page.get_by_role("button", name=re.compile("more without prices"))
        expect(yellow.or_(folded).first).to_be_visible()
        if not yellow.is_visible():
            folded.click()
        yellow.check()
        add = page.get_by_role("button", name="Add to batch")
        expect(add).not_to_have_attribute("aria-disabled", "true")

        add.dblclick(delay=60)

        expect(page.get_by_text(re.compile("added to Market box"))).to_be_visible()
        settle(page)
        items(station, [("3001", 1, "new")])


def slow_down(page: Page, *addresses: str) -> None:
    """Lets answers of these addresses come half a second late."""
    script = """(addresses) => {
      const ask = window.fetch.bind(window);
      window.fetch = async (...given) => {
        const isSlow = addresses.some((address) => String(given[0]).includes(address));
        if (isSlow) await new Promise((go) => setTimeout(go, 500));
        return ask(...given);
      };
    }"""
    page.evaluate(script, list(addresses))


class TestTheBulk:
    def test_is_one_row_of_the_batch_that_says_how_many(
        self, page: Page, station: int, items: Items
    ):
        for count in ("12", "3"):
            press(page, *"3001 red", "Shift+Enter")
            expect(page.get_by_role("region", name="Item 3001")).to_be_visible()
            press(page, *count, "u")
        expect(adds(page)).to_contain_text(["Bulk pieces"])
        items(station, [("", 15, "new")])

        press(page, "Control+z")

        expect(adds(page)).to_contain_text(["12"])
        items(station, [("", 12, "new")])


class TestALockedColour:
    def test_is_that_of_the_parts_that_follow(self, page: Page, station: int):
        press(page, *"3001", "Enter")
        colours = page.get_by_role("listbox", name="Colours")
        colours.get_by_role("option", name="Yellow").click()
        expect(page.get_by_role("button", name="Add 1 to A-1", exact=True)).to_be_visible()
        press(page, "k", "Enter", *"3020", "Enter")

        expect(page.get_by_role("button", name="Yellow locked")).to_be_visible()
        expect(page.get_by_role("region", name="Item 3020")).to_contain_text("Yellow")
        press(page, "Enter")
        expect(adds(page)).to_contain_text(["Yellow", "Yellow"])
        settle(page)


class TestKept:
    def test_condition_and_last_item_outlive_a_reload(self, page: Page, station: int):
        press(page, ".", *"3001 red 2", "Enter")
        expect(adds(page)).to_have_count(1)
        settle(page)

        page.reload()

        last = page.get_by_role("region", name="Last batch item added")
        for text in ("2 ×", "3001", "Brick 2 x 4", "Market box has 2 pieces now"):
            expect(last).to_contain_text(text)
        expect(page.get_by_role("button", name=re.compile("^Batch .*: new"))).to_be_visible()
        press(page, "+")
        expect(last).to_contain_text("3 ×")

    def test_adds_are_undone_after_a_reload(self, page: Page, station: int, items: Items):
        for typed in ("3001 red", "3003 tan"):
            with page.expect_response("**/api/batchItems"):
                press(page, *typed, "Enter")
        expect(adds(page)).to_have_count(2)
        with counted(page):
            press(page, "+")
        items(station, [("3001", 1, "new"), ("3003", 2, "new")])

        page.reload()
        expect(adds(page)).to_have_count(2)
        with counted(page):
            press(page, "Control+z", "Control+z")
        expect(adds(page)).to_have_count(1)
        items(station, [("3001", 1, "new")])
        press(page, "Control+Shift+z")

        expect(adds(page)).to_have_count(2)
        wait_until_sent(page)
        items(station, [("3001", 1, "new"), ("3003", 1, "new")])


class TestLeaving:
    def test_goes_home_where_the_station_was_opened_from_outside(self, page: Page, station: int):
        press(page, "Escape")

        expect(page).to_have_url(re.compile("/app/home$"))


class TestRefusal:
    def test_names_the_limit_and_is_passed_with_a_reason(
        self, page: Page, station: int, items: Items, console: Console
    ):
        console.allow("409")
        press(page, *"3001 red", "Shift+Enter")
        expect(page.get_by_role("region", name="Item 3001")).to_be_visible()
        press(page, *"12", "d", "l")
        page.get_by_role("dialog").get_by_role("option", name="A-1").click()
        expect(page.get_by_text("It takes 10 more: 2 too many")).to_be_visible()

        press(page, "Enter")

        expect(adds(page).first).to_contain_text("A-1 takes 10 more")
        items(station, [("3001", 12, "new")])
        page.get_by_role("button", name="Split or stow anyway…").click()
        page.get_by_role("textbox", name="Reason to add it anyway").fill("pressed down")
        press(page, "Enter")
        expect(adds(page).first).to_contain_text("stowed")
        items(station, [("3001", 12, "stowed")])


class TestWithoutConnection:
    def test_nothing_is_lost_or_added_twice(
        self, page: Page, context: BrowserContext, station: int, items: Items, console: Console
    ):
        console.allow("ERR_INTERNET_DISCONNECTED")
        press(page, *"3001 red", "Shift+Enter")
        expect(page.get_by_role("region", name="Item 3001")).to_be_visible()
        expect(page.get_by_text("A-1", exact=True).first).to_be_visible()
        context.set_offline(True)

        press(page, "Enter", "+", "+")
        expect(page.get_by_text("unsent").first).to_be_visible()
        context.set_offline(False)

        expect(page.get_by_text("unsent")).to_have_count(0)
        settle(page)
        items(station, [("3001", 3, "new")])


class TestAFullStorage:
    """Photos that wait for the connection can fill the browser's storage."""

    def test_does_not_stop_adds(self, page: Page, station: int, items: Items, console: Console):
        console.allow("not kept over a reload")
        page.evaluate(
            """() => {
              for (let size = 1 << 22, part = 0; size >= 1; ) {
                try { localStorage.setItem(`filler-${part++}`, 'x'.repeat(size)); }
                catch { size = Math.floor(size / 2); }
              }
            }"""
        )

        press(page, *"3001 red", "Enter", *"3003 tan", "Enter")

        expect(adds(page)).to_contain_text(["Brick 2 x 2", "Brick 2 x 4"])
        wait_until_sent(page)
        items(station, [("3001", 1, "new"), ("3003", 1, "new")])


class TestReloadedWhileUnsent:
    def test_sends_each_add_once_with_what_was_changed_since(
        self, page: Page, app: RunningApp, station: int, items: Items, console: Console
    ):
        console.allow("ERR_")
        page.route("**/api/batchItems", lambda route: route.abort())
        press(page, *"3001 red", "Shift+Enter")
        expect(page.get_by_text("A-1", exact=True).first).to_be_visible()
        press(page, "Enter", "+", "+")
        expect(page.get_by_text("2 unsent").first).to_be_visible()

        page.unroute("**/api/batchItems")
        page.reload()

        expect(adds(page).first).to_contain_text("Brick 2 x 4")
        expect(page.get_by_text("unsent")).to_have_count(0)
        settle(page)
        items(station, [("3001", 3, "new")])


class TestWideScreen:
    def test_gives_the_bin_half_and_the_camera_a_fifth(self, page: Page, station: int):
        press(page, *"3001 red", "Shift+Enter")
        name = page.get_by_text("A-1", exact=True).first
        expect(name).to_be_in_viewport()

        camera = page.get_by_role("region", name="Camera").bounding_box()
        assert camera is not None
        assert 0.16 * 1440 < camera["width"] < 0.21 * 1440
        part = page.get_by_role("region", name="Item 3001").bounding_box()
        assert part is not None
        assert 0.26 * 1440 < part["width"] < 0.34 * 1440
        # What is right of the part is the bin's.
        assert 0.47 * 1440 < 1440 - part["x"] - part["width"] < 0.53 * 1440
        size = name.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        assert size >= 96
        expect(page.get_by_role("listbox", name="Matches").get_by_role("option")).to_be_in_viewport(
            ratio=1
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440


class TestPhone:
    def test_has_the_bin_in_letters_and_the_button_in_sight(self, page: Page, station: int):
        page.set_viewport_size({"width": 380, "height": 800})
        press(page, *"3001 red", "Shift+Enter")

        expect(page.get_by_role("heading", name="3001", exact=True)).to_be_in_viewport(ratio=1)
        name = page.get_by_text("A-1", exact=True).first
        expect(name).to_be_in_viewport()
        size = name.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        assert size >= 96
        expect(page.get_by_role("button", name="Add 1 to A-1", exact=True)).to_be_in_viewport(
            ratio=1
        )
        expect(page.get_by_role("button", name="Other bin")).to_be_in_viewport(ratio=1)
        assert page.evaluate("window.scrollY") == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 380


class TestCatalog:
    def test_adds_a_colour_of_an_item_to_the_batch(self, page: Page, station: int, items: Items):
        page.goto(f"/app/catalog?batch={station}")
        page.get_by_role("tab", name="Name").click()
        page.get_by_role("searchbox", name="Item name").fill("Brick 2 x 4")
        page.get_by_role("region", name="Results").get_by_role("link", name="3001").first.click()
        page.get_by_role("list", name="Colours").get_by_role("radio").first.check()
        page.get_by_role("textbox", name="Quantity").fill("3")

        page.get_by_role("button", name="Add to batch").click()

        expect(page.get_by_text("added to Market box")).to_be_visible()
        items(station, [("3001", 3, "new")])

    @pytest.mark.parametrize(
        ("way", "text", "title"),
        [
            ("Number", "zzz999", "No item has this number"),
            ("Name", "qqqqqq", "No item has this name"),
        ],
    )
    def test_says_what_to_do_when_nothing_is_found(
        self, page: Page, station: int, way: str, text: str, title: str
    ):
        page.goto("/app/catalog")
        page.get_by_role("tab", name=way).click()
        field = page.get_by_role("searchbox")
        field.fill(text)
        expect(page.get_by_text(f"Nothing matches “{text}”")).to_be_visible()

        field.press("Enter")

        expect(page.get_by_role("dialog")).to_contain_text(title)

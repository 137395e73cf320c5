"""What was done without a server arrives, whatever page is open then, and refusals are told there."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console
from tests.e2e.site import wait_for, wait_until_kept
from tests.e2e.test_orders import sold, stock
from tests.e2e.test_walk import Api, identify

pytestmark = pytest.mark.browser

__all__ = ["sold"]
Sold = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def server(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Api:
    api = Api(page, app, new_person)
    api.request = page.context.request  # it outlives the page
    return api


@pytest.fixture
def outage(app: RunningApp, console: Console) -> Callable[[], AbstractContextManager[None]]:
    """`with outage():` the server is stopped, and started again afterwards."""
    console.allow("Failed to load resource")
    console.allow("unreachable")

    @contextmanager
    def act() -> Iterator[None]:
        app.kill("web")
        try:
            yield
        finally:
            app.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
            app.wait_until_ready()

    return act


# Chromium takes a quota that is lowered for a while as it was before.
FULL = """() => {
  const full = () => { throw new DOMException("Full", "QuotaExceededError"); };
  Object.assign(IDBObjectStore.prototype, { put: full, add: full });
}"""


def begin_walk(page: Page) -> None:
    page.goto("/app/orders")
    page.get_by_role("button", name="Pick 1 order").click()
    expect(page.get_by_role("region", name="Now: A-1")).to_be_visible()
    wait_until_kept(page)


class TestAPickWithoutAServer:
    def test_is_sent_by_home_after_its_tab_was_closed(
        self,
        page: Page,
        context: BrowserContext,
        server: Api,
        sold: Sold,
        outage: Any,
        console: Console,
    ):
        sold(1)
        begin_walk(page)
        with outage():
            page.get_by_role("button", name="All 3 are in their trays").click()
            expect(page.get_by_role("button", name="1 unsent")).to_be_visible()
            page.close()

        home = context.new_page()
        console.watch(home)
        home.goto("/app/home")

        expect(home.get_by_role("heading", level=1)).to_be_visible()
        wait_for(home, lambda: stock(server), [("A-1", 17), ("A-10", 20)])

    def test_is_listed_with_the_reason_until_the_server_is_back(
        self, page: Page, sold: Sold, outage: Any
    ):
        sold(1)
        begin_walk(page)
        with outage():
            page.get_by_role("button", name="All 3 are in their trays").click()

            page.get_by_role("button", name="1 unsent").click()

            lines = page.get_by_role("dialog", name="Unsent").get_by_role("listitem")
            expect(lines).to_contain_text(["Pick 3 pieces from A-1"])
            expect(lines).to_contain_text(["No connection to the server"])
        expect(page.get_by_text("Everything is sent")).to_be_visible()

    def test_goes_through_a_whole_walk(
        self, page: Page, context: BrowserContext, server: Api, sold: Sold, console: Console
    ):
        console.allow("ERR_INTERNET_DISCONNECTED")
        sold(1)
        begin_walk(page)
        context.set_offline(True)
        page.get_by_role("button", name="All 3 are in their trays").click()
        page.get_by_role("button", name="All 2 are in their trays").click()
        expect(page.get_by_role("button", name="2 unsent")).to_be_visible()
        assert stock(server) == [("A-1", 20), ("A-10", 20)]

        context.set_offline(False)

        wait_for(page, lambda: stock(server), [("A-1", 17), ("A-10", 18)])
        expect(page.get_by_text("unsent")).to_have_count(0)


@pytest.fixture
def rows(server: Api) -> None:
    """One row of stock: 20 bricks at 0.50."""
    item = server.get("catalogItems", search="3001")["data"][0]["id"]
    lot = server.get("catalogLots", item=item)["data"][0]["id"]
    place = server.post("inventoryLocations", {"name": "A-1"})["id"]
    row = {"lot_id": lot, "quantity": 20, "location_id": place, "price": "0.50"}
    server.post("inventoryItems", row)


def price(server: Api) -> str:
    return str(server.get("inventoryItems")["data"][0]["price"])


def type_price(page: Page, text: str) -> None:
    page.goto("/app/inventory")
    cell = page.get_by_role("gridcell", name=re.compile(r"^0\.50")).first
    expect(cell).to_be_visible()
    wait_until_kept(page)
    cell.click()
    page.keyboard.type(text)


class TestAnEditWithoutAServer:
    def test_is_sent_by_home_after_its_tab_was_closed(
        self,
        page: Page,
        context: BrowserContext,
        server: Api,
        rows: None,
        outage: Any,
        console: Console,
    ):
        type_price(page, "0.75")
        with outage():
            page.keyboard.press("Enter")
            expect(page.get_by_role("button", name="1 unsent")).to_be_visible()
            page.close()

        home = context.new_page()
        console.watch(home)
        home.goto("/app/home")

        expect(home.get_by_role("heading", level=1)).to_be_visible()
        wait_for(home, lambda: price(server), "0.7500")

    def test_that_is_refused_is_told_at_home_and_shown_in_its_cell(
        self, page: Page, server: Api, rows: None, console: Console
    ):
        console.allow("Failed to load resource")
        type_price(page, "0.75")
        page.route("**/api/inventoryItems/*", lambda route: route.abort())
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="1 unsent")).to_be_visible()
        page.get_by_role("link", name="Home", exact=True).click()
        row = server.get("inventoryItems")["data"][0]
        server.patch(f"inventoryItems/{row['id']}", {"price": "0.60"})

        page.unroute("**/api/inventoryItems/*")

        refused = page.get_by_role("alert").filter(has_text=re.compile("Refused:"))
        expect(refused).to_be_visible()
        refused.get_by_role("button", name="Show").click()
        expect(page).to_have_url(re.compile("/app/inventory"))
        cell = page.get_by_role("gridcell", name="0.60 Changed elsewhere: you wrote 0.75.")
        expect(cell).to_be_visible()


class TestAnAddWithoutAServer:
    def test_is_sent_by_home_after_the_station_was_closed(
        self,
        page: Page,
        context: BrowserContext,
        server: Api,
        outage: Any,
        console: Console,
    ):
        server.post("inventoryLocations", {"name": "A-1"})
        batch = server.post("batches", {"name": "Heap"})["id"]
        page.goto(f"/app/stow-inventory?batch={batch}")
        identify(page, "3001 red")
        expect(page.get_by_text("A-1", exact=True).first).to_be_visible()
        with outage():
            page.keyboard.press("4")
            page.keyboard.press("Enter")
            expect(page.get_by_role("list", name="Last added")).to_contain_text("3001")
            page.get_by_role("button", name="1 unsent").click()
            lines = page.get_by_role("dialog", name="Unsent").get_by_role("listitem")
            expect(lines).to_contain_text(["Add 4 of 3001 Red"])
            page.close()

        home = context.new_page()
        console.watch(home)
        home.goto("/app/home")

        expect(home.get_by_role("heading", level=1)).to_be_visible()
        wait_for(home, lambda: server.total("batchItems", batch=batch), 1)

    def test_of_a_part_that_was_not_looked_up_yet_is_made_by_home(
        self, page: Page, context: BrowserContext, server: Api, outage: Any, console: Console
    ):
        server.post("inventoryLocations", {"name": "A-1"})
        batch = server.post("batches", {"name": "Heap"})["id"]
        page.goto(f"/app/stow-inventory?batch={batch}")
        expect(page.get_by_role("combobox", name="Number or name")).to_be_focused()
        wait_until_kept(page)
        with outage():
            page.keyboard.type("3003 blue")
            page.keyboard.press("Enter")
            page.get_by_role("button", name="1 unsent").click()
            lines = page.get_by_role("dialog", name="Unsent").get_by_role("listitem")
            expect(lines).to_contain_text(["Add 1 of 3003 blue"])
            page.close()

        home = context.new_page()
        console.watch(home)
        home.goto("/app/home")

        expect(home.get_by_role("heading", level=1)).to_be_visible()
        wait_for(home, lambda: server.total("batchItems", batch=batch), 1)

    def test_goes_through_a_whole_session_with_parts_that_were_never_looked_up(
        self, page: Page, context: BrowserContext, server: Api, console: Console
    ):
        console.allow("ERR_INTERNET_DISCONNECTED")
        server.post("inventoryLocations", {"name": "A-1"})
        batch = server.post("batches", {"name": "Heap"})["id"]
        page.goto(f"/app/stow-inventory?batch={batch}")
        identify(page, "3001 red")
        expect(page.get_by_text("A-1", exact=True).first).to_be_visible()
        wait_until_kept(page)
        context.set_offline(True)
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        page.keyboard.press("+")
        for typed in ("3003 blue", "3020 black", "3001 red"):
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
        page.keyboard.press("Control+z")
        page.keyboard.type("3020 black")
        page.keyboard.press("Enter")
        page.keyboard.press("+")
        expect(page.get_by_role("button", name="unsent")).to_be_visible()

        context.set_offline(False)

        def stored() -> list[tuple[str, str, int]]:
            rows = server.get("batchItems", batch=batch)["data"]
            return sorted((row["item_number"], row["color_name"], row["qty"]) for row in rows)

        wait_for(page, stored, [("3001", "Red", 5), ("3003", "Blue", 1), ("3020", "Black", 3)])
        expect(page.get_by_text("unsent")).to_have_count(0)


class TestAStopWithoutAServer:
    def test_of_a_count_is_sent_by_home_with_its_counts(
        self,
        page: Page,
        context: BrowserContext,
        server: Api,
        sold: Sold,
        outage: Any,
        console: Console,
    ):
        sold(1)
        place = next(
            row["id"] for row in server.get("inventoryLocations")["data"] if row["name"] == "A-1"
        )
        page.goto(f"/app/inventory?walk=count&bin={place}")
        field = page.get_by_role("textbox", name="Counted of").first
        expect(field).to_be_visible()
        wait_until_kept(page)
        with outage():
            field.fill("12")
            page.keyboard.press("Tab")
            page.get_by_role("button", name="are there").click()
            expect(page.get_by_text("A-1 is counted")).to_be_visible()
            expect(page.get_by_role("button", name="2 unsent")).to_be_visible()
            page.close()

        home = context.new_page()
        console.watch(home)
        home.goto("/app/home")

        expect(home.get_by_role("heading", level=1)).to_be_visible()
        wait_for(home, lambda: ("A-1", 12) in stock(server), True)


class TestAFullBrowser:
    def test_refuses_an_edit_in_its_cell_at_once_and_keeps_what_was_kept(
        self,
        page: Page,
        server: Api,
        rows: None,
        console: Console,
    ):
        console.allow("Failed to load resource")
        type_price(page, "0.75")
        page.route("**/api/inventoryItems/*", lambda route: route.abort())
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="1 unsent")).to_be_visible()
        page.evaluate(FULL)

        page.get_by_role("gridcell", name=re.compile(r"^20")).first.click()
        page.keyboard.type("30")
        page.keyboard.press("Enter")

        expect(page.locator("[role=gridcell][aria-invalid=true]")).to_have_count(1)
        expect(page.get_by_role("button", name="1 unsent")).to_be_visible()
        page.unroute("**/api/inventoryItems/*")
        wait_for(page, lambda: price(server), "0.7500")
        assert server.get("inventoryItems")["data"][0]["quantity"] == 20


class TestARefusal:
    def test_is_told_where_the_person_is_and_after_a_reload(
        self, page: Page, server: Api, sold: Sold, console: Console
    ):
        console.allow("Failed to load resource")
        (order,) = sold(1)
        begin_walk(page)
        page.route("**/pick", lambda route: route.abort())
        page.get_by_role("button", name="All 3 are in their trays").click()
        expect(page.get_by_role("button", name="1 unsent")).to_be_visible()
        page.get_by_role("link", name="Home", exact=True).click()
        expect(page.get_by_role("button", name="Show")).to_be_visible()
        server.post(f"orders/{order['id']}/cancel", {})
        walk = server.get("pickWalks", is_open="true")["data"][0]
        server.post(f"pickWalks/{walk['id']}/end", {})

        page.unroute("**/pick")

        refused = page.get_by_role("alert").filter(has_text="Refused: Pick 3 pieces from A-1")
        expect(refused).to_be_visible()
        page.reload()
        expect(refused).to_be_visible()
        refused.get_by_role("button", name="Show").click()
        expect(page).to_have_url(f"/app/orders?walk={walk['id']}")


class TestLoggingOut:
    def test_keeps_what_is_unsent_for_the_same_person(
        self,
        page: Page,
        app: RunningApp,
        server: Api,
        sold: Sold,
        console: Console,
        sign_in: Any,
        new_person: dict[str, Any],
    ):
        console.allow("Failed to load resource")
        sold(1)
        begin_walk(page)
        page.route("**/pick", lambda route: route.abort())
        page.get_by_role("button", name="All 3 are in their trays").click()
        expect(page.get_by_role("button", name="1 unsent")).to_be_visible()
        page.get_by_role("button", name="User menu").click()
        page.get_by_role("menuitem", name="Log Out").click()
        page.get_by_role("button", name="Keep on this computer").click()
        expect(page).to_have_url("/")
        page.unroute("**/pick")

        session = app.session(new_person["user"]["email_address"])
        server.headers = {"Authorization": f"Bearer {session['accessToken']}"}
        assert stock(server) == [("A-1", 20), ("A-10", 20)]
        sign_in(session=session)
        page.goto("/app/home")

        expect(page.get_by_role("heading", level=1)).to_be_visible()
        wait_for(page, lambda: stock(server), [("A-1", 17), ("A-10", 20)])

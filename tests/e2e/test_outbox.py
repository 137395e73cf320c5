"""What was done without a server arrives, whatever page is open then, and refusals are told there."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console
from tests.e2e.site import settle
from tests.e2e.test_orders import sold, stock
from tests.e2e.test_walk import Api

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


def begin_walk(page: Page) -> None:
    page.goto("/app/orders")
    page.get_by_role("button", name="Pick 1 order").click()
    # A second after the page, for what is needed without a server.
    page.wait_for_function("() => performance.now() > 3000")
    expect(page.get_by_role("region", name="Now: A-1")).to_be_visible()
    settle(page)


def wait_for(page: Page, holds: Callable[[], bool]) -> None:
    """Look until it holds: the page that sends shows nothing of it."""
    for _ in range(150):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not come to hold")


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
        wait_for(home, lambda: stock(server) == [("A-1", 17), ("A-10", 20)])

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

        wait_for(page, lambda: stock(server) == [("A-1", 17), ("A-10", 18)])
        expect(page.get_by_text("unsent")).to_have_count(0)


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

        session = sign_in(new_person["user"]["email_address"])
        server.headers = {"Authorization": f"Bearer {session['accessToken']}"}
        assert stock(server) == [("A-1", 20), ("A-10", 20)]
        page.goto("/app/home")

        expect(page.get_by_role("heading", level=1)).to_be_visible()
        wait_for(page, lambda: stock(server) == [("A-1", 17), ("A-10", 20)])

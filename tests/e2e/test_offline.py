"""The app without its server: it opens, shows what was last known, and is never another person's."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.adds import adds, wait_until_sent
from tests.e2e.app import RunningApp
from tests.e2e.conftest import FLOOR, WAIT_MS, seed
from tests.e2e.site import wait_for, wait_until, wait_until_kept, watch_traffic
from tests.e2e.test_orders import sold, stock
from tests.e2e.test_walk import Api

pytestmark = pytest.mark.browser

__all__ = ["sold"]
NO_CONNECTION = "No connection to the server."
IS_CONTROLLED = "() => navigator.serviceWorker.controller !== null"


@pytest.fixture
def context(app: RunningApp, browser: Browser) -> Iterator[BrowserContext]:
    """A browser of this test alone: a service worker outlives its pages."""
    made = browser.new_context(
        base_url=app.url, viewport={"width": 1440, "height": 900}, service_workers="allow"
    )
    made.set_default_timeout(WAIT_MS)
    made.on("page", watch_traffic)
    made.new_page().goto(FLOOR)
    yield made
    made.close()


@pytest.fixture
def session(app: RunningApp, context: BrowserContext) -> dict[str, Any]:
    made = app.new_session()
    seed(context, made)
    return made


@pytest.fixture
def page(context: BrowserContext, session: dict[str, Any]) -> Page:
    return context.new_page()


@pytest.fixture
def server(page: Page, app: RunningApp, session: dict[str, Any]) -> Api:
    api = Api(page, app, session)
    api.request = page.context.request
    return api


@pytest.fixture
def outage(app: RunningApp) -> Callable[[], AbstractContextManager[None]]:
    """`with outage():` the server is stopped, and started again afterwards."""

    @contextmanager
    def act() -> Iterator[None]:
        app.kill("web")
        try:
            yield
        finally:
            app.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
            app.wait_until_ready()

    return act


def look_at(page: Page, path: str) -> None:
    """Open a page until the worker has all that it keeps, and the browser the answers."""
    page.goto(path)
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    wait_until(page, IS_CONTROLLED)
    wait_until_kept(page)


class TestAnAppThatWasOpenedOnce:
    def test_opens_with_the_server_stopped_and_says_of_when_it_is(
        self, page: Page, context: BrowserContext, server: Api, outage: Any
    ):
        server.post("batches", {"name": "Market box"})
        look_at(page, "/app/batches")
        page.close()
        with outage():
            again = context.new_page()

            again.goto("/app/batches")

            expect(again.get_by_text("Market box").first).to_be_visible()
            expect(again.get_by_text(NO_CONNECTION)).to_be_visible()
            expect(again.get_by_text("You see this page as of")).to_be_visible()
            expect(again.get_by_role("alert")).to_have_count(0)
        expect(again.get_by_text(NO_CONNECTION)).to_have_count(0)

    def test_tells_of_an_outage_once_and_reads_anew_when_it_ends(
        self, page: Page, server: Api, outage: Any
    ):
        look_at(page, "/app/home")
        with outage():
            page.get_by_role("link", name="Batches", exact=True).click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Batches")
            expect(page.get_by_text(NO_CONNECTION)).to_have_count(1)
            expect(page.get_by_text("Unable to connect")).to_have_count(0)
            expect(page.get_by_text("This loads when the server can be reached.")).to_be_visible()
        expect(page.get_by_text(NO_CONNECTION)).to_have_count(0)
        expect(page.get_by_text("This loads when the server can be reached.")).to_have_count(0)

    def test_leaves_the_documentation_and_the_admin_to_the_server(
        self, page: Page, outage: Any, app: RunningApp
    ):
        look_at(page, "/app/home")
        with outage():
            for path in ("/admin/", "/help/", "/api/schema"):
                with pytest.raises(Exception, match="ERR_CONNECTION_RE"):
                    page.goto(path)


class TestTheStationWithoutAServer:
    def test_finds_a_part_that_was_used_and_its_add_waits(
        self, page: Page, server: Api, outage: Any
    ):
        server.post("inventoryLocations", {"name": "A-1", "max_item_count": 10})
        batch = server.post("batches", {"name": "Market box"})
        look_at(page, f"/app/stow-inventory?batch={batch['id']}")
        page.keyboard.type("3001 red")
        page.keyboard.press("Enter")
        expect(adds(page)).to_have_count(1)
        wait_until_sent(page)
        wait_until_kept(page)
        with outage():
            page.reload()
            field = page.get_by_role("combobox", name="Number or name")
            expect(field).to_be_focused()
            page.keyboard.type("3001 red")
            page.keyboard.press("Shift+Enter")
            expect(page.get_by_text("checked when connected")).to_be_visible()
            page.keyboard.press("Enter")
            expect(page.get_by_text("1 unsent").first).to_be_visible()

        wait_until_sent(page)

        def count() -> int:
            return sum(row["qty"] for row in server.get("batchItems", batch=batch["id"])["data"])

        wait_for(page, count, 2)

    def test_finds_common_parts_that_were_never_looked_up_and_their_adds_wait(
        self, page: Page, server: Api, outage: Any
    ):
        batch = server.post("batches", {"name": "Market box"})
        with page.expect_response("**/api/catalogItems/common"):
            look_at(page, f"/app/stow-inventory?batch={batch['id']}")
        wait_until_kept(page)
        with outage():
            page.reload()
            field = page.get_by_role("combobox", name="Number or name")
            expect(field).to_be_focused()
            page.keyboard.type("3003 red 4")
            page.keyboard.press("Shift+Enter")
            card = page.get_by_role("region", name="Item 3003")
            expect(card).to_contain_text("Brick 2 x 2")
            expect(card.get_by_role("option", selected=True)).to_contain_text("Red")
            page.keyboard.press("Enter")
            expect(page.get_by_text("1 unsent").first).to_be_visible()

            page.keyboard.type("plate 2 x 4")
            page.keyboard.press("Shift+Enter")
            expect(page.get_by_role("region", name="Item 3020")).to_contain_text("Plate 2 x 4")
            page.keyboard.press("Escape")
            page.keyboard.type("3004")
            page.keyboard.press("Enter")
            expect(page.get_by_role("listbox", name="Colours")).to_contain_text("Black")
            page.keyboard.type("black")
            page.keyboard.press("Enter")
            expect(page.get_by_text("2 unsent").first).to_be_visible()
        wait_until_sent(page)

        def added() -> set[tuple[str, str, int]]:
            rows = server.get("batchItems", batch=batch["id"])["data"]
            return {(row["item_number"], row["color_name"], row["qty"]) for row in rows}

        wait_for(page, added, {("3003", "Red", 4), ("3004", "Black", 1)})


class TestAWalkWithoutAServer:
    def test_goes_on_after_a_reload_to_its_end(
        self,
        page: Page,
        server: Api,
        sold: Callable[..., list[dict[str, Any]]],
        outage: Any,
    ):
        sold(1)
        look_at(page, "/app/orders")
        page.get_by_role("button", name="Pick 1 order").click()
        expect(page.get_by_role("region", name="Now: A-1")).to_be_visible()
        wait_until_kept(page)
        with outage():
            page.reload()
            page.get_by_role("button", name="All 3 are in their trays").click()
            page.get_by_role("button", name="All 2 are in their trays").click()
            expect(page.get_by_role("button", name="2 unsent")).to_be_visible()

        wait_for(page, lambda: stock(server), [("A-1", 17), ("A-10", 18)])


class TestLoggingOut:
    def test_erases_what_was_kept(self, page: Page, server: Api, outage: Any):
        server.post("batches", {"name": "Market box"})
        look_at(page, "/app/batches")
        page.get_by_role("button", name="User menu").click()
        page.get_by_role("menuitem", name="Log Out").click()
        expect(page).to_have_url("/")

        wait_for(page, lambda: kept_answers(page), [])
        wait_until(page, "async () => !(await caches.keys()).includes('pictures')")
        assert token_in_caches(page) == []
        with outage():
            page.goto("/app/batches")
            expect(page.get_by_text("Market box")).to_have_count(0)
            expect(page).to_have_url("/signin")


def kept_answers(page: Page) -> list[Any]:
    found: list[Any] = page.evaluate(
        """() => new Promise((resolve) => {
          const opening = indexedDB.open("brickstow_answers");
          opening.onsuccess = () => {
            const reading = opening.result.transaction("answers").objectStore("answers").getAll();
            reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
          };
        })"""
    )
    return found


def token_in_caches(page: Page) -> list[str]:
    """Addresses of kept files that were asked with a token, or are answers of the API."""
    found: list[str] = page.evaluate(
        """async () => {
          const found = [];
          for (const name of await caches.keys()) {
            for (const request of await (await caches.open(name)).keys()) {
              const isApi = new URL(request.url).pathname.startsWith("/api");
              if (isApi || request.headers.has("Authorization")) found.push(request.url);
            }
          }
          return found;
        }"""
    )
    return found


class TestANewVersion:
    @pytest.fixture
    def deploy(self, app: RunningApp) -> Iterator[Callable[[], None]]:
        """`deploy()` puts another version of the scripts and the worker on the server."""
        served = Path(app.folder) / "static"
        names = ("worker.js", "worker.js.br", "worker.js.gz", "manifest.json")
        before = {name: (served / name).read_bytes() for name in names}
        made: list[Path] = []

        def serve() -> None:
            app.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
            app.wait_until_ready()

        def act() -> None:
            app.kill("web")
            manifest = before["manifest.json"].decode()
            (main,) = (name for name in json.loads(manifest)["js"] if name.startswith("main."))
            newer = f"main.{'0' * 12}.js"
            (served / newer).write_bytes((served / main).read_bytes())
            made.append(served / newer)
            (served / "manifest.json").write_text(manifest.replace(main, newer))
            for compressed in ("worker.js.br", "worker.js.gz"):
                (served / compressed).unlink()
            (served / "worker.js").write_bytes(before["worker.js"] + b"\n// newer")
            serve()

        yield act
        app.kill("web")
        for name, content in before.items():
            (served / name).write_bytes(content)
        for path in made:
            path.unlink()
        serve()

    def test_is_offered_and_comes_with_a_press(self, page: Page, deploy: Callable[[], None]):
        look_at(page, "/app/home")
        deploy()

        page.evaluate("async () => (await navigator.serviceWorker.ready).update()")

        expect(page.get_by_text("A new version is ready.")).to_be_visible()
        assert "main.000000000000.js" not in page.content()
        page.get_by_role("button", name="Reload").click()
        expect(page.locator("script[src*='main.000000000000.js']")).to_have_count(1)
        expect(page.get_by_text("A new version is ready.")).to_have_count(0)

    def test_is_not_offered_to_a_page_that_has_it(self, page: Page, deploy: Callable[[], None]):
        look_at(page, "/app/home")
        deploy()
        # While the first answer takes long, the worker gives the page that it kept: the older one.
        assert page.request.get("/app/home").ok

        page.reload()
        expect(page.locator("script[src*='main.000000000000.js']")).to_have_count(1)
        page.evaluate("async () => (await navigator.serviceWorker.ready).update()")

        wait_until(
            page,
            "async () => { const r = await navigator.serviceWorker.ready;"
            " return !r.waiting && !r.installing; }",
        )
        expect(page.get_by_text("A new version is ready.")).to_have_count(0)

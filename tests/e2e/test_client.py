"""The API client on the wire: where it calls, what it carries, when it tries again."""

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.conftest import Console
from tests.e2e.site import answer, calls_to, settle, wait_until

pytestmark = pytest.mark.browser

LIST = "**/api/sources?*"
TIMEOUT_MS = 30_000
# Tells how long the page's pending timers were set for: the clock goes on once they are.
NOTE_TIMERS = """
  window.timers = [];
  const setLater = window.setTimeout;
  window.setTimeout = (act, ms, ...rest) => {
    timers.push(ms);
    // Asking whether the server is there: on a stopped clock its answer comes after the time limit.
    return ms === 4500 ? 0 : setLater(act, ms, ...rest);
  };
"""


class StoppedClock:
    """The page's clock, which goes only as far as it is told."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.clock.install()
        page.add_init_script(NOTE_TIMERS)

    def stop(self) -> None:
        self.page.clock.pause_at(self.page.evaluate("Date.now() / 1000") + 10)
        self.page.evaluate("timers.length = 0")

    def wait_for_timer(self, ms: float) -> None:
        """Until the page has set a timer of so many milliseconds; forgets the ones before."""
        wait_until(self.page, "ms => timers.includes(ms)", ms)
        self.page.evaluate("timers.length = 0")

    def go(self, ms: int) -> None:
        self.page.clock.run_for(ms)


@pytest.fixture
def clock(page: Page, new_person) -> StoppedClock:
    """On the settings page, with the clock stopped; the sources are two clicks away."""
    stopped = StoppedClock(page)
    page.goto("/app/settings")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settle(page)
    stopped.stop()
    return stopped


def open_sources(page: Page) -> None:
    page.get_by_role("button", name="My Inventory").click()
    page.get_by_role("menuitem", name="Sources").click()


def is_list(request: Request) -> bool:
    return "/api/sources?" in request.url


def abort(route: Route) -> None:
    route.abort("connectionrefused")


class TestEveryCall:
    def test_sends_json_as_json(self, page: Page, new_person):
        page.goto("/app/sources")
        page.get_by_role("button", name="New source").click()
        page.get_by_role("dialog").get_by_label("Name").fill("Attic")

        with page.expect_request("**/api/sources") as sent:
            page.get_by_role("dialog").get_by_role("button", name="Add source").click()

        assert sent.value.method == "POST"
        assert sent.value.headers["content-type"] == "application/json"
        assert sent.value.headers["idempotency-key"]
        assert sent.value.post_data_json == {"name": "Attic", "notes": ""}

    def test_sends_a_file_as_multipart(self, page: Page, new_person):
        bsx = b"<BrickStoreXML><Inventory><Item><ItemID>3001</ItemID></Item></Inventory></BrickStoreXML>"
        # The browser tells tests nothing of a body that holds a file.
        page.add_init_script("""
          const send = XMLHttpRequest.prototype.send;
          XMLHttpRequest.prototype.send = function (body) {
            window.parts = [...body].map(([name, value]) => [name, value.name ?? value]);
            return send.call(this, body);
          };
        """)
        page.goto("/app/inventory")
        page.get_by_role("button", name="Import a file").first.click()

        with page.expect_request("**/api/inventoryItems/sync") as sent:
            page.locator("input[type=file]").set_input_files(
                {"name": "store.bsx", "mimeType": "text/xml", "buffer": bsx}
            )

        assert sent.value.method == "POST"
        kind = sent.value.headers["content-type"]
        assert kind.startswith("multipart/form-data; boundary=")
        assert ["file", "store.bsx"] in page.evaluate("parts")

    def test_shows_the_servers_words_for_a_refusal(self, page: Page, console: Console, new_person):
        console.allow("409")
        refusal = {
            "success": False,
            "data": [],
            "meta": {"error": {"code": "X_1", "message": "No."}},
        }
        page.route(LIST, answer(refusal, 409))

        page.goto("/app/sources")

        expect(page.get_by_role("main").get_by_text("No.", exact=True)).to_be_visible()


class TestRetries:
    """One list call that fails again and again, on a stopped clock."""

    @pytest.mark.parametrize(
        ("fail", "waits", "text"),
        [
            pytest.param(
                abort,
                [1000, 2000, 4000],
                "Unable to connect to the server. Please check your internet connection and "
                "try again. (4 attempts)",
                id="connection",
            ),
            pytest.param(answer("", 503), [2000, 4000], "(3 attempts)", id="server"),
            pytest.param(answer("", 429), [5000, 10000, 15000], "(4 attempts)", id="rate limit"),
        ],
    )
    def test_wait_as_their_policy_says(
        self, page: Page, clock: StoppedClock, console: Console, fail, waits: list[int], text: str
    ):
        for part in ("ERR_CONNECTION_REFUSED", "503", "429"):
            console.allow(part)
        page.route(LIST, fail)
        attempts = calls_to(page, "/api/sources?")
        open_sources(page)

        for count, wait in enumerate(waits, start=1):
            clock.wait_for_timer(wait)
            clock.go(wait - 1)
            assert len(attempts) == count
            with page.expect_request(LIST):
                clock.go(1)

        page.clock.resume()
        expect(page.get_by_role("main").get_by_text(text)).to_be_visible()
        page.clock.fast_forward(60_000)
        assert len(attempts) == len(waits) + 1


class TestTimeLimit:
    def test_is_30000_ms_and_two_more_attempts_follow(self, page: Page, clock: StoppedClock):
        page.route(LIST, lambda route: None)
        attempts = calls_to(page, "/api/sources?")
        # The clock runs for calls of the shell too: one that the server still works on is given up.
        given_up = []
        page.on("requestfailed", lambda request: is_list(request) and given_up.append(request))
        open_sources(page)

        for count, wait in enumerate((500, 750), start=1):
            clock.wait_for_timer(TIMEOUT_MS)
            clock.go(TIMEOUT_MS - 1)
            assert len(given_up) == count - 1
            with page.expect_event("requestfailed", is_list):
                clock.go(1)
            clock.wait_for_timer(wait)
            clock.go(wait - 1)
            assert len(attempts) == count
            with page.expect_request(LIST):
                clock.go(1)
        clock.wait_for_timer(TIMEOUT_MS)
        clock.go(TIMEOUT_MS)

        page.clock.resume()
        text = "Request timed out after 30000ms. Please try again. (3 attempts)"
        expect(page.get_by_role("main").get_by_text(text)).to_be_visible()
        page.clock.fast_forward(60_000)
        assert len(attempts) == 3
        assert [request.failure for request in given_up] == ["net::ERR_ABORTED"] * 3

"""What many browser tests know of the site: its addresses, its names, its server's answers."""

import json
import re
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Page, Request, Route

from tests.e2e.app import RunningApp

PRODUCT = "Brickstow"
PASSWORD = "correct horse battery"
# How long a test waits for what must come, on a machine that is busy.
LONGEST_SECONDS = 60

PUBLIC = {
    "/": "Welcome",
    "/signin": "Sign In",
    "/signup": "Sign Up",
    "/privacy": "Privacy Policy",
}
SHELL = {
    "/app/home": "Home",
    "/app/api-testing": "Api Testing",
    "/app/profile": "Profile",
    "/app/catalog": "Catalog",
    "/app/batches": "Batches",
    "/app/buy-lego": "Buy Lego",
    "/app/inventory": "Inventory",
    "/app/inventory-locations": "Inventory Locations",
    "/app/sources": "Sources",
    "/app/userSets": "Sets",
    "/app/settings": "Settings",
}
STOW = {"/app/stow-inventory": "Stow Inventory"}
SIGNED_IN = SHELL | STOW
BAR = {
    "Home": "/app/home",
    "Catalog": "/app/catalog",
    "Stow Inventory": "/app/stow-inventory",
    "Batches": "/app/batches",
    "Buy LEGO": "/app/buy-lego",
    "My Sets": "/app/userSets",
}
INVENTORY_MENU = {
    "Inventory": "/app/inventory",
    "Inventory Locations": "/app/inventory-locations",
    "Sources": "/app/sources",
}
USER_MENU = {"Profile": "/app/profile", "Settings": "/app/settings", "Log Out": "/"}

REFUSED = {"success": False, "data": [], "meta": {"http_status_code": 401}}
EXPIRED = {
    "success": False,
    "data": [],
    "message": "Access token expired",
    "error": {"code": "TOKEN_EXPIRED", "message": "Access token expired"},
    "meta": {
        "http_status_code": 401,
        "error": {"code": "TOKEN_EXPIRED", "message": "Access token expired"},
    },
}


def answer(body: object, status: int = 200) -> Callable[[Route], None]:
    """A route's handler that answers in the server's place: an object as JSON, text as it is."""
    text = body if isinstance(body, str) else json.dumps(body)
    kind = "text/html" if isinstance(body, str) else "application/json"
    return lambda route: route.fulfill(status=status, content_type=kind, body=text)


class Held(list[Route]):
    """Requests that wait for `release`; from then on they go through."""

    released = False

    def keep(self, route: Route) -> None:
        if self.released:
            route.continue_()
        else:
            self.append(route)

    def release(self) -> None:
        self.released = True
        for route in self:
            route.continue_()


def hold(page: Page, pattern: str | re.Pattern[str]) -> Held:
    """Hold up every request of `pattern`."""
    held = Held()
    page.route(pattern, lambda route: held.keep(route))
    return held


def calls_to(page: Page, path: str) -> list[Request]:
    """A list that grows with each request whose address holds `path`."""
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if path in request.url else None)
    return found


class Traffic:
    """The requests of a page: how many there were, and which of them have no answer yet."""

    def __init__(self, page: Page) -> None:
        self.count = 0
        self.unanswered: set[Request] = set()
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)

    def _begin(self, request: Request) -> None:
        # Whether the server is there is asked at any time. The end of what outlives its page, as the
        # log does, is not always reported.
        if request.url.endswith(("/healthz", "/api/logs")):
            return
        self.count += 1
        self.unanswered.add(request)

    def _end(self, request: Request) -> None:
        self.unanswered.discard(request)


_traffic: WeakKeyDictionary[Page, Traffic] = WeakKeyDictionary()


def watch_traffic(page: Page) -> None:
    """Count the requests of a new page for `settle`."""
    _traffic[page] = Traffic(page)


def settle(page: Page, *, but: str | None = None) -> None:
    """Wait until the page has asked for nothing for half a second in which no script kept it busy.

    Not `networkidle`, which a page reaches once for good, even while a long script runs. Requests
    whose address holds `but` are not waited for.
    """
    page.wait_for_load_state()
    traffic = _traffic[page]
    quiet, count = 0, traffic.count
    deadline = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < deadline:
        page.wait_for_timeout(50)
        page.evaluate("0")  # answered when the script that runs has ended
        waiting = [one.url for one in traffic.unanswered if but is None or but not in one.url]
        quiet = quiet + 1 if traffic.count == count and not waiting else 0
        if quiet == 10:
            return
        count = traffic.count
    raise AssertionError(f"the page never settled; without an answer: {waiting}")


def call_api(
    page: Page, app: RunningApp, session: dict[str, Any], endpoint: str, body: dict[str, Any]
) -> dict[str, Any]:
    """Make something through the API, as the person of `session`; return its row."""
    made = page.request.post(
        f"{app.url}/api/{endpoint}",
        headers={"Authorization": f"Bearer {session['accessToken']}"},
        data=body,
    )
    assert made.ok, made.text()
    row: dict[str, Any] = made.json()["data"][0]
    return row


def stored(page: Page, key: str) -> str | None:
    """What the browser keeps under `key`."""
    value: str | None = page.evaluate("key => localStorage.getItem(key)", key)
    return value


def wait_until_kept(page: Page) -> None:
    """Wait until the page can do without the server: its later parts are here, its answers kept.

    Both begin a second after what they follow, by timers that are older than the one here.
    """
    settle(page)
    page.evaluate("() => new Promise((done) => setTimeout(done, 1_100))")
    settle(page)
    page.evaluate(
        """() => new Promise((done, fail) => {
          const opening = indexedDB.open("brickstow_answers");
          opening.onupgradeneeded = () => opening.transaction.abort(); // it is the page's to make
          opening.onerror = () => fail(opening.error);
          opening.onsuccess = () => {
            // It waits for the writings before it.
            const reading = opening.result.transaction("answers", "readwrite");
            reading.objectStore("answers").count();
            reading.oncomplete = () => { opening.result.close(); done(); };
          };
        })"""
    )


IS_DARK = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return red + green + blue < 3 * 128;
}"""


def wait_until_dark(page: Page) -> None:
    """Wait until the page's background is darker than it is light."""
    wait_until(page, IS_DARK)


def wait_until_light(page: Page) -> None:
    wait_until(page, f"() => !({IS_DARK})()")


def wait_until(page: Page, holds: str, arg: Any = None) -> None:
    """Wait until this JavaScript holds.

    Not `wait_for_function`: all but its first look is an eval, which the site's policy refuses.
    """
    deadline = time.monotonic() + LONGEST_SECONDS
    while not page.evaluate(holds, arg):
        if time.monotonic() > deadline:
            raise AssertionError(f"it never held: {holds}")
        page.wait_for_timeout(50)


def wait_for(page: Page, found: Callable[[], Any], wanted: Any) -> None:
    """Wait until `found()` is what is wanted: the page does not show when the server has it."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while (now := found()) != wanted:
        if time.monotonic() > deadline:
            raise AssertionError(f"{now!r} is not {wanted!r}")
        page.wait_for_timeout(100)


def scan(page: Page, code: str) -> None:
    """Type a location's label as a hand scanner does: all keys at once, Enter behind them.

    The keys say themselves when they were pressed, however busy the machine is meanwhile.
    """
    keys = [*f"LOC:{code}", "Enter"]
    chromium = page.context.new_cdp_session(page)
    begun = time.time()
    for number, key in enumerate(keys):
        chromium.send(
            "Input.dispatchKeyEvent",
            {
                "type": "keyDown",
                "key": key,
                "text": "\r" if key == "Enter" else key,
                "timestamp": begun + number * 0.005,
            },
        )
    chromium.detach()

"""One real app and one real browser for all browser tests."""

import fcntl
import json
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    expect,
    sync_playwright,
)

from tests.e2e.app import RunningApp
from tests.e2e.chromium import HOW, find_shell
from tests.e2e.site import PRODUCT, watch_traffic

DEMO = "demo@brickstow.example"
WAIT_MS = 60_000  # a busy machine is slow, not wrong
expect.set_options(timeout=WAIT_MS)
# Errors of the page that fail a test; the browser's own notes do not.
IGNORED = ("Download the React DevTools",)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",
]


@pytest.fixture(scope="session")
def prepared(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, migrated_copy: Path | None
) -> Path:
    """The folder of an app that was never started: one for all workers of a run."""
    ours = tmp_path_factory.getbasetemp()
    root = ours if worker_id == "master" else ours.parent
    folder = root / "prepared"
    with (root / "prepared.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            making = RunningApp(root / "preparing")
            making.prepare(migrated_copy)
            making.folder.rename(folder)
    return folder


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[RunningApp]:
    # `tests/production` has several web processes; each takes 3 seconds of CPU to start.
    running = RunningApp(tmp_path_factory.mktemp("app"), WEB_CONCURRENCY="1")
    shutil.copytree(prepared, running.folder, dirs_exist_ok=True)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_shell()
    if path is None:
        pytest.fail(HOW)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=path, args=ARGUMENTS, timeout=3 * WAIT_MS
        )
        yield launched
        launched.close()


# A page of our origin without our code: it writes the storage and clears it.
FLOOR = "/healthz"


# A service worker would answer in place of a test's routes; test_offline.py has browsers with one.
NO_WORKER = "Object.defineProperty(navigator, 'serviceWorker', {value: undefined})"


def of_new_address() -> dict[str, str]:
    """Headers of an address of its own: of one address 20 sign-ins a minute are taken."""
    network = uuid.uuid4().hex
    return {"X-Forwarded-For": f"2001:db8:{network[:4]}:{network[4:8]}::1"}


@contextmanager
def new_context(app: RunningApp, browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(base_url=app.url, viewport={"width": 1440, "height": 900})
    try:
        made.set_default_timeout(WAIT_MS)
        made.set_extra_http_headers(of_new_address())
        made.on("page", watch_traffic)
        made.add_init_script(NO_WORKER)
        made.new_page().goto(FLOOR)
        yield made
    finally:
        made.close()


class KeptContexts:
    """One context for test after test: its cache holds the bundle, and nothing else stays in it."""

    def __init__(self, app: RunningApp, browser: Browser) -> None:
        self.app, self.browser = app, browser
        self.stack = ExitStack()
        self.free: BrowserContext | None = None

    def take(self) -> BrowserContext:
        made, self.free = self.free, None
        if made is None:
            return self.stack.enter_context(new_context(self.app, self.browser))
        made.set_extra_http_headers(of_new_address())
        return made

    def give_back(self, context: BrowserContext) -> None:
        floor, *pages = context.pages
        # A clock stays in all pages of a context.
        is_stopped = any(has_clock(page) for page in pages)
        for page in pages:
            page.close()
        if is_stopped or not floor.url.endswith(FLOOR):
            self.stack.close()
            return
        context.unroute_all()
        context.set_offline(False)
        context.clear_cookies()
        context.clear_permissions()
        floor.evaluate(CLEAR)
        self.free = context


def has_clock(page: Page) -> bool:
    """Whether the page has a clock of a test, or cannot say so since it goes to another address."""
    try:
        return bool(page.evaluate("'__pwClock' in globalThis"))
    except Error:
        return True


CLEAR = """async () => {
  localStorage.clear();
  for (const {name} of await indexedDB.databases()) {
    await new Promise((done) => {
      const deleting = indexedDB.deleteDatabase(name);
      deleting.onsuccess = deleting.onerror = done;
    });
  }
}"""


@pytest.fixture(scope="session")
def kept_contexts(app: RunningApp, browser: Browser) -> Iterator[KeptContexts]:
    kept = KeptContexts(app, browser)
    with kept.stack:
        yield kept


@pytest.fixture
def context(kept_contexts: KeptContexts) -> Iterator[BrowserContext]:
    made = kept_contexts.take()
    yield made
    kept_contexts.give_back(made)


class Console:
    """What pages complained of. A test that provokes a complaint allows it beforehand."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.allowed = list(IGNORED)

    def allow(self, part: str) -> None:
        self.allowed.append(part)

    def watch(self, page: Page) -> None:
        page.on("console", self.note)
        page.on("pageerror", self.note_error)

    def leave(self, page: Page) -> None:
        page.remove_listener("console", self.note)
        page.remove_listener("pageerror", self.note_error)

    def note_error(self, error: Error) -> None:
        self.complaints.append(f"page error: {error}")

    def note(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.type}: {message.text}")

    def unexpected(self) -> list[str]:
        return [text for text in self.complaints if not any(part in text for part in self.allowed)]


@pytest.fixture
def console() -> Console:
    return Console()


@pytest.fixture
def page(context: BrowserContext, console: Console) -> Iterator[Page]:
    """A page of an anonymous visitor that fails the test on any console error or warning."""
    opened = context.new_page()
    console.watch(opened)
    yield opened
    assert console.unexpected() == []


def seed(context: BrowserContext, session: dict[str, Any]) -> None:
    """Sign the pages of a context in."""
    entries = {
        "user": json.dumps(session["user"]),
        "accessToken": session["accessToken"],
        "refreshToken": session["refreshToken"],
    }
    context.pages[0].evaluate(
        "entries => { for (const [key, text] of entries) localStorage.setItem(key, text); }",
        [[key, text] for key, text in entries.items() if text is not None],
    )


@pytest.fixture
def sign_in(app: RunningApp, context: BrowserContext) -> Callable[..., dict[str, Any]]:
    """`sign_in("ann@example.org")` makes the account if needed and signs the browser in."""

    def act(email_address: str = DEMO, *, session: dict[str, Any] | None = None) -> dict[str, Any]:
        session = session or app.session(email_address)
        seed(context, session)
        return session

    return act


@pytest.fixture(scope="module")
def kept_page(app: RunningApp, browser: Browser) -> Iterator[Page]:
    """A page of the demo account that tests of a module share by `kept_home`."""
    with new_context(app, browser) as context:
        seed(context, app.session(DEMO))
        yield context.new_page()


@pytest.fixture
def kept_home(kept_page: Page, console: Console) -> Iterator[Page]:
    """Home, without a load where the test before left nothing open.

    For tests that write nothing: not to the server, not to the browser, no routes, no scripts.
    """
    console.watch(kept_page)
    opened = kept_page.locator("[role=menu], [role=dialog]")
    mark = kept_page.get_by_role("banner").get_by_role("link", name=PRODUCT)
    if mark.count() and not opened.count():
        mark.click()
    else:
        kept_page.goto("/app/home")
    expect(kept_page).to_have_title(f"Home | {PRODUCT}")
    expect(kept_page.get_by_role("heading", level=1)).to_be_visible()
    yield kept_page
    kept_page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    console.leave(kept_page)
    assert console.unexpected() == []


@pytest.fixture
def new_person(app: RunningApp, sign_in: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """A signed-in person of this test alone, with nothing yet."""
    return sign_in(session=app.new_session())


@pytest.fixture
def person(sign_in: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """The demo account, signed in."""
    return sign_in(DEMO)

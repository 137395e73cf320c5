"""One real app and one real browser for all browser tests."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.e2e.app import RunningApp
from tests.e2e.chromium import HOW, find_chromium

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
]


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    running = RunningApp(tmp_path_factory.mktemp("app"))
    running.prepare()
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.fail(HOW)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def context(app: RunningApp, browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(base_url=app.url, viewport={"width": 1440, "height": 900})
    made.set_default_timeout(15_000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page of an anonymous visitor that fails the test on any console error."""
    problems: list[str] = []
    opened = context.new_page()
    opened.on(
        "console",
        lambda message: (
            problems.append(f"{message.type}: {message.text}")
            if message.type in {"error", "warning"}
            and not any(part in message.text for part in IGNORED)
            else None
        ),
    )
    opened.on("pageerror", lambda error: problems.append(f"page error: {error}"))
    yield opened
    assert problems == []


@pytest.fixture
def sign_in(app: RunningApp, context: BrowserContext):
    """`sign_in("new@example.org")` makes the account if needed and signs the browser in."""
    count = 0

    def act(email_address: str = "") -> str:
        nonlocal count
        count += 1
        address = email_address or "demo@brickstow.example"
        session = app.session(address)
        entries = {
            "user": json.dumps(session["user"]),
            "accessToken": session["accessToken"],
            "refreshToken": session["refreshToken"],
        }
        context.add_init_script(
            f"if (!localStorage.getItem('user') && !sessionStorage.getItem('seeded')) {{"
            f"sessionStorage.setItem('seeded', '1');"
            f"for (const [k, v] of Object.entries({json.dumps(entries)})) localStorage.setItem(k, v);"
            f"}}"
        )
        return address

    return act

"""Usable by everybody: axe's rules, keys alone, small and large screens, still pictures."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Request, Response, expect

from tests.e2e.app import ROOT, RunningApp
from tests.e2e.conftest import DEMO, Console, new_context, seed
from tests.e2e.site import (
    PRODUCT,
    PUBLIC,
    SHELL,
    SIGNED_IN,
    answer,
    calls_to,
    hold,
    settle,
    wait_for,
    wait_until,
)

pytestmark = pytest.mark.browser

AXE = (ROOT / "node_modules/axe-core/axe.min.js").read_text()
SMALL = {"width": 380, "height": 760}
LARGE = {"width": 1440, "height": 900}
HUGE = {"width": 2560, "height": 1440}
# A window of 1440 pixels at 200 %.
ZOOMED = {"width": 720, "height": 450}
MOST_SHIFT = 0.05
DETAILS = [
    "/app/catalog?item=PART:3001",
    "/app/batches?batch=1",
    "/app/userSets?set=4",
    "/app/userSets?build=1",
    "/app/reports",
    "/app/orders",
    "/app/orders?order=1",
    "/app/store",
    "/app/unknown-items",
    "/app/inventory?view=colors",
    "/app/inventory-locations?location=2",
    "/app/inventory-locations?view=table",
    "/signin?reset",
]
PAGES = [*PUBLIC, *SIGNED_IN, *DETAILS]
# The pages under the bar; a station fills the screen.
UNDER_THE_BAR = {*SHELL, "/app/reports", "/app/orders", "/app/store", "/app/unknown-items"}
MAIN_ACTION = {
    "/": "Start with your own stock",
    "/signin": "Sign in",
    "/signup": "Create account",
    "/privacy": "Sign in",
    "/app/home": "Continue sorting",
    "/app/api-testing": "Send",
    "/app/profile": "Change password",
    "/app/catalog": "Number or name",
    "/app/batches": "New batch",
    "/app/inventory": "Import a file",
    "/app/inventory-locations": "New location",
    "/app/sources": "New source",
    "/app/settings": "Search settings",
    "/app/buy-lego": "Saved searches",
    "/app/userSets": "Add sets",
    "/app/userSets?set=4": "Missing parts",
    "/app/reports": "Back to home",
    "/app/stow-inventory": "Leave the station",
    "/app/orders": "Pick 3 orders",
    "/app/orders?order=1": "Pick 11 pieces",
}

# What can be clicked can be focused; inside lists of cards, grids and radios by the arrows.
UNREACHABLE = """() => [...document.querySelectorAll('a, button, input, select, textarea')]
  .filter((one) => one.tabIndex < 0 && !one.disabled && one.checkVisibility())
  .filter((one) => !one.closest('[role=grid], [role=radiogroup], [role=tablist]'))
  .filter((one) => !one.closest('[role=group][tabindex="0"]'))
  .map((one) => one.outerHTML.slice(0, 120))"""
TOO_WIDE = """() => ['html', 'main', 'h1', '[data-head]'].map((name) => document.querySelector(name))
  .filter((one) => one && one.scrollWidth > one.clientWidth && one.clientWidth > 1) // 1: for ears only
  .map((one) => `${one.tagName} ${one.scrollWidth} > ${one.clientWidth}`)"""
# A picture alone does not say what it does: to the eye by its title or tooltip, read out by its name.
NAMELESS = """() => [...document.querySelectorAll('a, button, [role=button]')]
  .filter((one) => one.checkVisibility() && !one.innerText?.trim() && !one.querySelector('img[alt]'))
  .filter((one) => !one.ariaLabel && !one.title && !one.hasAttribute('aria-labelledby'))
  .map((one) => one.outerHTML.slice(0, 120))"""
# What moved by itself, as the browser reports it (Cumulative Layout Shift).
WATCH_SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries()
    .filter((entry) => !entry.hadRecentInput)
    .forEach(({ value, sources }) => window.shifts.push([
      value, (sources[0]?.node?.outerHTML ?? sources[0]?.node?.textContent ?? '').slice(0, 120),
    ]))).observe({ type: 'layout-shift', buffered: true });
"""
FOCUSED = """() => {
  const one = document.activeElement;
  if (one.matches('body, main')) return '';
  const labels = [...(one.labels ?? [])].map((label) => label.textContent);
  return [one.ariaLabel, one.innerText, one.placeholder, ...labels].join(' ');
}"""

# The page beneath was looked at without what opened.
OPEN = "[role=dialog], [role=menu], [aria-expanded=true]"
# What opens on a page, by the names of what is pressed one after the other; Escape closes it.
OPENED = {
    "/app/home": ["?", "Control+k"],
    "/app/batches?batch=5": [
        "More",
        "More > Add item",
        "More > Charts",
        "More > Operations",
        "More > Re-price…",
        "More > Rename and edit",
        "Export options",
    ],
    "/app/batches": ["New batch"],
    "/app/inventory?search=brick": ["Import a file", "Save view"],
    "/app/inventory-locations?view=map": ["", "Value", "Type and limits…"],
    "/app/orders": ["Record a sale"],
}


# A page, and an answer of it that may come long after all others.
SLOW = [
    ("/app/userSets?set=4", "userSets/4/summary"),
    ("/app/userSets", "userSets/overview"),
    ("/app/reports?tab=books", "/api/books"),
    ("/app/settings#integrations", "marketplaceConnection"),
    ("/app/buy-lego", "auctionSite"),
    ("/app/batches?batch=5", "/api/batches/5"),
    ("/app/catalog?item=PART:3001", "inventoryItems/owned"),
    ("/app/catalog?item=PART:3001", "/api/colors"),
    ("/app/batches?batch=5", "batchItems/sums"),
    ("/app/inventory?view=tiles", "/api/inventoryItems"),
    ("/app/store", "marketplace/schedule"),
]
# Pages on a phone whose answers all come late, in the order asked or, by -1, the last first.
ON_A_PHONE = [("/app/userSets?set=4", 0), ("/app/store", -1)]
# Pages at a desk whose answers all come late, one after the other.
STAGGERED = [
    "/app/home",
    "/app/orders",
    "/app/orders?order=1",
    "/app/store",
    "/app/inventory",
    "/app/inventory-locations",
    "/app/profile",
    "/app/catalog?item=PART:3001",
]

GONE = {"success": False, "data": [], "meta": {"error": {"code": "NOT_FOUND", "message": "Gone."}}}


@pytest.fixture
def visit(page: Page, sign_in):
    """Open a page as whoever may see it, and wait until it has its data."""

    def act(path: str) -> None:
        if path.startswith("/app"):
            sign_in()
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settle(page)

    return act


def violations(
    page: Page, *, but: str | None = None, only: str | None = None, inside: str = "html"
) -> list[str]:
    """What axe complains of, once nothing moves any more, `but` for one rule or by `only` one.

    The policy lets no script in: axe is evaluated from outside.
    """
    # What a parent hands down starts to move in its children only when it has arrived.
    page.evaluate(
        """async () => {
          const moving = () => document.getAnimations().filter((one) => one.playState === "running");
          for (let now = moving(); now.length > 0; now = moving())
            await Promise.all(now.map((one) => one.finished.catch(() => undefined)));
        }"""
    )
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if but:
        options["rules"] = {but: {"enabled": False}}
    if only:
        options["runOnly"] = [only]
    found: list[dict[str, Any]] = page.evaluate(
        "([inside, options]) => axe.run(inside, options).then(({violations}) => violations)",
        [inside, options],
    )
    return [
        f"{violation['id']}: {json.dumps(node['target'])} {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


def open_by(page: Page, what: str) -> None:
    """Press the keys or the controls that `what` names, and wait until its dialog is there."""
    if what in {"?", "Control+k"}:
        page.keyboard.press(what)
    first, *entries = what.split(" > ") if what not in {"", "?", "Control+k"} else [""]
    if first:
        button = page.get_by_role("button", name=first)
        button.or_(page.get_by_text(first, exact=True)).first.click()
    for name in entries:
        page.get_by_role("menuitem", name=name).first.click()
    settle(page)


def violations_of_themes(page: Page, *, but: str | None = None, inside: str = "html") -> list[str]:
    """What axe complains of in light and in dark, which differ in colours alone."""
    found = []
    for theme, only in (("light", None), ("dark", "color-contrast")):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        wait_until(page, "theme => document.documentElement.dataset.theme === theme", theme)
        found += [f"{theme} {text}" for text in violations(page, but=but, only=only, inside=inside)]
    return found


def shifts(page: Page) -> list[str]:
    """What moved while the page loaded: nothing, or each of the moves."""
    moves = page.evaluate("window.shifts")
    if sum(value for value, _ in moves) < MOST_SHIFT:
        return []
    return [f"moved by {value:.3f}: {what}" for value, what in moves if value > 0.005]


def by_keyboard(page: Page, name: str) -> list[str]:
    """What is wrong with reaching the control `name` by Tab: nothing, or one line."""
    page.evaluate("document.activeElement.blur()")
    for _ in range(80):
        page.keyboard.press("Tab")
        if name in page.evaluate(FOCUSED):
            break
    else:
        return [f"{name} is not reached by Tab"]
    style, width, shadow = page.evaluate(
        """() => {
          const style = getComputedStyle(document.activeElement);
          return [style.outlineStyle, parseFloat(style.outlineWidth), style.boxShadow];
        }"""
    )
    seen = (style != "none" and width >= 2) or shadow != "none"
    return [] if seen else [f"{name} does not show that it has the focus"]


@dataclass(frozen=True)
class Visit:
    """A page as it was opened by its address, and what it asked for meanwhile."""

    path: str
    page: Page
    response: Response
    requests: list[Request]
    session: dict[str, Any] | None


@pytest.fixture(scope="module", params=PAGES)
def opened(request: pytest.FixtureRequest, app: RunningApp, browser: Browser) -> Iterator[Visit]:
    """Each page, opened once by whoever may see it, for all that is asked of every page."""
    path: str = request.param
    console = Console()
    with new_context(app, browser) as context:
        session = app.session(DEMO) if path.startswith("/app") else None
        if session:
            seed(context, session)
        page = context.new_page()
        page.add_init_script(WATCH_SHIFTS)
        console.watch(page)
        requests = calls_to(page, "")
        response = page.goto(path)
        assert response is not None
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settle(page)
        yield Visit(path, page, response, requests, session)
    assert console.unexpected() == []


class TestEveryPage:
    def test_opens_by_its_address_under_its_title(self, opened: Visit, app: RunningApp):
        path, page = opened.path, opened.page

        assert opened.response.status == 200
        # The station and the catalogue add the batch that this person has by now.
        address = re.escape(app.url + quote(path, safe="/?="))
        expect(page).to_have_url(re.compile(rf"{address}([?&]batch=\d+)?$"))
        expect(page.get_by_role("main")).to_be_visible()
        title = (PUBLIC | SIGNED_IN).get(path, "")
        expect(page).to_have_title(re.compile(rf"{title} \| {PRODUCT}$"))
        bar = page.get_by_role("banner").get_by_role("navigation", name="Main")
        expect(bar).to_have_count(1 if path.partition("?")[0] in UNDER_THE_BAR else 0)

    def test_calls_the_own_host_alone_and_carries_the_token(self, opened: Visit, app: RunningApp):
        urls = [request.url for request in opened.requests]
        others = [url for url in urls if not url.startswith((app.url, "data:", "blob:"))]
        calls = [request for request in opened.requests if "/api/" in request.url]

        assert others == []
        if opened.session:
            token = f"Bearer {opened.session['accessToken']}"
            assert {request.headers.get("authorization") for request in calls} == {token}

    def test_allows_no_inline_code(self, opened: Visit):
        policy = opened.response.headers["content-security-policy"]

        assert "unsafe-inline" not in policy
        assert "unsafe-eval" not in policy
        directives = dict(part.strip().partition(" ")[::2] for part in policy.split(";") if part)
        assert directives["default-src"] == "'none'"
        assert directives["script-src"] == "'self'"

    def test_is_usable_by_everybody(self, opened: Visit):
        """Axe's rules, keys alone, no scrolling sideways, nothing that moves by itself."""
        page = opened.page

        found = shifts(page)
        for size in (LARGE, SMALL, HUGE, ZOOMED):
            page.set_viewport_size(size)
            found += [f"{size['width']} {text}" for text in violations_of_themes(page)]
            found += [f"{size['width']} out of reach: {one}" for one in page.evaluate(UNREACHABLE)]
            found += [f"{size['width']} nameless: {one}" for one in page.evaluate(NAMELESS)]
        for size in (SMALL, HUGE, ZOOMED):
            page.set_viewport_size(size)
            found += [f"{size['width']} too wide: {one}" for one in too_wide(page)]

        page.set_viewport_size(LARGE)
        if name := MAIN_ACTION.get(opened.path):
            found += by_keyboard(page, name)

        assert found == []


def too_wide(page: Page) -> list[str]:
    """What scrolls sideways, once the page has drawn itself for its width."""
    for _ in range(100):
        found: list[str] = page.evaluate(TOO_WIDE)
        if not found:
            break
        page.wait_for_timeout(100)
    return found


class TestPhone:
    @pytest.mark.parametrize("path", [path for path in PAGES if path.startswith("/app")])
    def test_holds_still_and_fits_while_it_loads(self, page: Page, visit, path: str):
        page.set_viewport_size(SMALL)
        page.add_init_script(WATCH_SHIFTS)

        visit(path)

        assert shifts(page) == []
        assert too_wide(page) == []


class TestSlowAnswers:
    @pytest.mark.parametrize("size", [SMALL, LARGE], ids=["phone", "desk"])
    @pytest.mark.parametrize(("path", "slow"), SLOW)
    def test_move_nothing_that_is_read_already(
        self, page: Page, sign_in, path: str, slow: str, size: dict[str, int]
    ):
        page.set_viewport_size(size)
        page.add_init_script(WATCH_SHIFTS)
        sign_in()
        # It alone: what comes beside it would have the page wait longer.
        held = hold(page, re.compile(rf"{slow}(\?|$)"))
        page.goto(path)
        wait_for(page, lambda: len(held) > 0, True)
        settle(page, but=slow)

        held.release()
        settle(page)

        assert shifts(page) == []

    @pytest.mark.parametrize(
        ("path", "size", "turn"),
        [(path, LARGE, 0) for path in STAGGERED]
        + [(path, SMALL, turn) for path, turn in ON_A_PHONE],
        ids=[*STAGGERED, *(f"{path} on a phone" for path, _ in ON_A_PHONE)],
    )
    def test_move_nothing_where_one_comes_after_the_other(
        self, page: Page, sign_in, path: str, size: dict[str, int], turn: int
    ):
        page.set_viewport_size(size)
        page.add_init_script(WATCH_SHIFTS)
        sign_in()
        held = hold(page, re.compile("/api/"))
        page.goto(path)
        wait_for(page, lambda: len(held) > 0, True)

        while held:
            held.pop(turn).continue_()
            settle(page, but="/api/")
        held.release()
        settle(page)

        assert shifts(page) == []


class TestRules:
    def test_are_kept_by_what_opens(self, page: Page, console: Console, visit):
        visit("/app/sources")
        found = []

        page.get_by_role("button", name="My Inventory").click()
        expect(page.get_by_role("menu")).to_have_attribute("data-state", "open")
        found += violations(page)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Row actions").first.click()
        expect(page.get_by_role("menuitem").first).to_be_visible()
        found += violations(page, but="region")  # a floating menu belongs to no landmark
        page.keyboard.press("Escape")
        page.get_by_role("button", name="New source").click()
        page.get_by_role("dialog").get_by_role("button", name="Add source").click()
        expect(page.get_by_role("dialog").get_by_text("A source needs a name.")).to_be_visible()
        found += violations(page)
        page.keyboard.press("Escape")
        page.set_viewport_size(SMALL)
        page.get_by_role("button", name="Menu", exact=True).click()
        expect(page.get_by_role("navigation", name="Main")).to_be_visible()
        found += violations(page)

        assert found == []

    @pytest.mark.parametrize("path", OPENED)
    def test_are_kept_by_each_dialog(self, page: Page, visit, path: str):
        """One visit: all that opens on the page, small and large, light and dark."""
        visit(path)
        found = []
        for what in OPENED[path]:
            page.set_viewport_size(LARGE)
            open_by(page, what)
            for size in (LARGE, SMALL):
                page.set_viewport_size(size)
                inside = OPEN if page.locator(OPEN).count() else "html"
                # A menu that floats belongs to no landmark.
                complaints = violations_of_themes(page, but="region", inside=inside)
                found += [f"{what} {size['width']} {text}" for text in complaints]
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)

        assert found == []

    def test_are_kept_by_errors(self, page: Page, console: Console, visit):
        console.allow("404")
        page.route("**/api/sources?*", answer(GONE, 404))
        visit("/app/sources")
        expect(page.get_by_role("main").get_by_text("Gone.")).to_be_visible()

        assert violations(page) == []


class TestKeyboard:
    def test_keeps_the_focus_in_a_dialog_and_gives_it_back(self, page: Page, visit):
        visit("/app/sources")
        page.get_by_role("button", name="New source").focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("Name")).to_be_focused()

        for _ in range(12):
            page.keyboard.press("Tab")
            assert dialog.evaluate("element => element.contains(document.activeElement)")
        page.keyboard.press("Escape")

        expect(page.get_by_role("button", name="New source")).to_be_focused()


class TestMotion:
    def test_is_left_out_for_whoever_prefers_that(self, page: Page, visit):
        page.emulate_media(reduced_motion="reduce")
        visit("/")
        expect(page.get_by_role("button", name="Play")).to_be_visible()

        visit("/app/home")
        page.get_by_role("button", name="User menu").click()

        menu = page.get_by_role("menu")
        assert menu.evaluate("element => getComputedStyle(element).animationDuration") in {
            "0.001s",
            "0s",
        }

    def test_is_there_otherwise(self, page: Page, visit):
        visit("/")

        expect(page.get_by_role("button", name="Pause")).to_be_visible()


class TestPolicy:
    def test_stops_a_script_in_the_page(self, page: Page, console: Console, visit):
        console.allow("Content Security Policy")
        visit("/")

        page.evaluate(
            """() => {
              const script = document.createElement('script');
              script.textContent = 'window.injected = true';
              document.body.append(script);
            }"""
        )

        assert page.evaluate("window.injected") is None

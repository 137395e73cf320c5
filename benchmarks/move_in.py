"""A store of 2,524 lots moves into an empty account in Chromium, and every press is counted.

From the first page to bins, prices and labels: its file, the numbers that the catalogue lacks, the
demo store, market prices, labels of all bins. A key press, a click and a chosen file are
one act each; an act that only opens or closes something is no decision. The ledger, the rows and
the PDF are looked at afterwards.

    python -m benchmarks.move_in
"""

import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks._catalogue import SHARED, catalogue
from benchmarks._report import Limit, report
from benchmarks._shots import ARGUMENTS, signed_in
from benchmarks._store import write_file
from benchmarks.clicks import ACT_MS, WIDE, Hands
from tests.e2e.app import RunningApp
from tests.e2e.chromium import HOW, find_chromium
from tests.e2e.site import settle
from tests.e2e.test_walk import Api

LOTS = 2_524
MOST_DECISIONS = 12
MOST_SECONDS = 600
JOB_MS = 300_000
REAL = SHARED.parent / "bsx" / "store-2022-eur-2524-lots.bsx"
COUNT_PRICED = "from apps.catalog.models import PriceStat as P; print(P.objects.values('lot').distinct().count())"
#: A database with the catalogue in it, which saves the import.
PREPARED = os.environ.get("BENCH_DATABASE")


class Mover(Hands):
    """Counts beside the acts those that decide something."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.decisions = 0

    def decide(self, name: str, role: str = "button") -> None:
        self.decisions += 1
        self.press(name, role)

    def go(self, letter: str, path: str) -> None:
        """Go to a page of the bar by its keys."""
        self.key("g")
        self.key(letter)
        self.page.wait_for_url(re.compile(f"{path}$"))
        settle(self.page)


def bring_the_file(hands: Mover, file: Path) -> None:
    hands.acts += 1
    hands.decisions += 1
    hands.page.locator("main input[type=file]").first.set_input_files(file)
    forward = hands.page.get_by_role("button", name=re.compile("^Import [0-9,]+ lots?"))
    expect(forward).to_be_enabled(timeout=JOB_MS)
    hands.decide("^Import [0-9,]+ lots?")
    applied = hands.page.get_by_role("dialog", name=re.compile("imported$"))
    expect(applied).to_be_visible(timeout=JOB_MS)
    hands.click(applied.get_by_role("button", name="Close").last)


def name_what_is_sure(hands: Mover, api: Api) -> None:
    """Accept the catalogue's other numbers for unknown items, if there are any."""
    if api.total("inventoryItems/unknown") == 0:
        return
    hands.go("h", "/app/home")
    hands.press("^Name [0-9,]+ unknown", "link")
    hands.page.get_by_role("heading", name="Unknown items").wait_for()
    hands.page.get_by_role("list").last.wait_for()
    settle(hands.page)
    sure = hands.page.get_by_role("button", name=re.compile("^Name .* sure"))
    while sure.count():  # a page of them at a time
        named = int(re.sub(r"\D", "", sure.inner_text()))
        left = api.total("inventoryItems/unknown") - named
        hands.decide("^Name .* sure")
        until(lambda left=left: api.total("inventoryItems/unknown") <= left)
        hands.page.reload()
        hands.page.get_by_role("heading", name="Unknown items").wait_for()
        settle(hands.page)


def connect(hands: Mover) -> None:
    """Connect the demo store, unless prices that came with the file have done it."""
    hands.go("h", "/app/home")
    if not hands.page.get_by_role("link", name="Connect", exact=True).count():
        return
    hands.press("^Connect$", "link")
    hands.page.get_by_role("button", name="Connect the demo store").first.wait_for()
    hands.decide("^Connect the demo store$")
    expect(hands.page.get_by_role("button", name="Disconnect")).to_be_visible()


def choose_all(hands: Mover) -> None:
    hands.page.get_by_role("grid").wait_for()
    settle(hands.page)
    hands.press("^Select all rows", "checkbox")
    all_of_them = hands.page.get_by_role("button", name=re.compile("^Select all [0-9,]+"))
    if all_of_them.count():
        hands.click(all_of_them)


def get_prices(hands: Mover, api: Api) -> None:
    hands.go("i", "/app/inventory")
    choose_all(hands)
    hands.press("^Get prices")
    asked = hands.page.get_by_role("dialog")
    hands.decisions += 1
    hands.click(asked.get_by_role("button", name="Get prices"))
    expect(asked).to_have_count(0)
    until(lambda: api.get("marketplace/priceRun")["data"][0]["lots_left"] == 0)


def re_price(hands: Mover) -> None:
    """Take the market price where it differs."""
    hands.page.reload()
    choose_all(hands)
    hands.press("^Re-price")
    asked = hands.page.get_by_role("dialog")
    apply = asked.get_by_role("button", name=re.compile("^(Re-price|Apply|Change|Set)"))
    expect(apply.last).to_be_enabled(timeout=JOB_MS)
    hands.decisions += 1
    hands.click(apply.last)
    expect(asked).to_have_count(0, timeout=JOB_MS)


def print_labels(hands: Mover) -> bytes:
    hands.go("l", "/app/inventory-locations")
    hands.press("^Print labels")
    save = hands.page.get_by_role("dialog").get_by_role("button", name="Save as PDF")
    expect(save).to_be_enabled(timeout=JOB_MS)
    hands.decisions += 1
    with hands.page.expect_download(timeout=JOB_MS) as downloaded:
        hands.click(save)
    return Path(downloaded.value.path()).read_bytes()


def until(is_so: Any) -> None:
    deadline = time.monotonic() + JOB_MS / 1000
    while not is_so():
        if time.monotonic() > deadline:
            raise SystemExit("it took too long")
        time.sleep(1)


def moved_in(browser: Browser, app: RunningApp, file: Path) -> dict[str, float]:
    session = app.new_session()
    page = signed_in(browser, app.url, session, viewport=WIDE)
    page.set_default_timeout(ACT_MS)
    page.goto("/app/home")
    settle(page)
    hands, api = Mover(page), Api(page, app, session)
    figures: dict[str, float] = {}
    began = time.monotonic()
    steps = {
        "file": lambda: bring_the_file(hands, file),
        "unknown": lambda: name_what_is_sure(hands, api),
        "store": lambda: connect(hands),
        "prices": lambda: get_prices(hands, api),
        "re_price": lambda: re_price(hands),
    }
    for name, step in steps.items():
        acts, at = hands.acts, time.monotonic()
        try:
            step()
        except Exception:
            print(f"at {name}: {page.url}", file=sys.stderr)
            raise
        figures[f"{name}_acts"] = hands.acts - acts
        figures[f"{name}_seconds"] = round(time.monotonic() - at, 1)
    at, acts = time.monotonic(), hands.acts
    pdf = print_labels(hands)
    figures |= {
        "labels_acts": hands.acts - acts,
        "labels_seconds": round(time.monotonic() - at, 1),
    }
    figures |= {
        "acts": hands.acts,
        "decisions": hands.decisions,
        "seconds": round(time.monotonic() - began, 1),
        "lots": api.total("inventoryItems"),
        "lots_without_price": api.total("inventoryItems", unpriced="true"),
        "lots_without_bin": api.total("inventoryItems", location="none"),
        "unknown_numbers": api.total("inventoryItems/unknown"),
        "lots_with_market_price": int(app.manage("shell", "-v0", "-c", COUNT_PRICED)),
        "bins": api.total("inventoryLocations"),
        "label_pages": len(re.findall(rb"/Type\s*/Page\b", pdf)),
    }
    app.manage("check_ledger")  # fails where quantities, ledger and counters differ
    return figures


def main() -> int:
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit(HOW)
    expect.set_options(timeout=ACT_MS)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = RunningApp(Path(folder) / "app")
        app.migrate(Path(PREPARED) if PREPARED else None)
        app.manage("collectstatic", "--noinput", "--verbosity", "0")
        if not PREPARED:
            first, _update, _kind = catalogue(Path(folder))
            app.manage("import_catalog", *map(str, first))
        file = REAL
        if not file.exists():
            file = Path(folder) / "store.bsx"
            write_file(file, LOTS)
        app.start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            figures = moved_in(browser, app, file)
            browser.close()
        finally:
            app.stop()
    limits = {
        "decisions": Limit(MOST_DECISIONS),
        "seconds": Limit(MOST_SECONDS),
        "lots_without_price": Limit(0),
    }
    return report("move_in", figures=figures, ratios={}, limits=limits)


if __name__ == "__main__":
    raise SystemExit(main())

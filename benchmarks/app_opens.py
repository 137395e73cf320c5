"""Whether the app can be installed, and what opening it costs: cold, warm and without a server.

python -m benchmarks.app_opens

A page is open when its heading is drawn, and in Inventory its first row. Files and kilobytes are
what the page fetched from the server beside answers of the API, compressed, until two seconds
after that: dialogs and menus are fetched once the page is there. What the service worker fetches
by itself is not among them.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks._report import Limit, report
from tests.e2e.app import RunningApp
from tests.e2e.chromium import HOW, find_chromium
from tests.e2e.conftest import seed

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = "demo@brickstow.example"
ROUNDS = 5
HOME, INVENTORY = "/app/home", "/app/inventory"
FIRST_ROW = "[role=row] [role=gridcell]"
LATER_MS = 2_000
SIZES = {"192x192", "512x512"}


@dataclass
class Opening:
    """What a page took to open, and what it fetched."""

    took_ms: float = 0
    files: dict[str, float] = field(default_factory=dict)

    @property
    def kilobytes(self) -> float:
        return round(sum(self.files.values()) / 1000, 1)


@contextmanager
def opening_of(context: BrowserContext, url: str, path: str) -> Iterator[tuple[Page, Opening]]:
    """Open the page in a new tab until it is drawn and fetches nothing more."""
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    opening = Opening()
    addresses: dict[str, str] = {}
    kept: set[str] = set()

    def note_answer(event: dict[str, Any]) -> None:
        answer = event["response"]
        addresses[event["requestId"]] = answer["url"]
        if answer.get("fromServiceWorker") or answer.get("fromDiskCache"):
            kept.add(event["requestId"])

    def note_end(event: dict[str, Any]) -> None:
        address = addresses.get(event["requestId"], "")
        if address.startswith(f"{url}/static/") and event["requestId"] not in kept:
            opening.files[address.removeprefix(url)] = event["encodedDataLength"]

    protocol.on("Network.responseReceived", note_answer)
    protocol.on("Network.loadingFinished", note_end)
    page.goto(f"{url}{path}", wait_until="commit")
    page.get_by_role("heading", level=1).first.wait_for()
    if path == INVENTORY:
        page.locator(FIRST_ROW).first.wait_for()
    opening.took_ms = float(page.evaluate("performance.now()"))
    page.wait_for_timeout(LATER_MS)
    yield page, opening
    page.close()


def open_page(context: BrowserContext, url: str, path: str) -> Opening:
    with opening_of(context, url, path) as (_, opening):
        return opening


def installable(context: BrowserContext, url: str) -> bool:
    """Whether a browser offers to install the app: by its manifest, its icons and its worker."""
    with opening_of(context, url, HOME) as (page, _):
        told = context.new_cdp_session(page).send("Page.getAppManifest")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    manifest = json.loads(told["data"])
    icons: dict[str, set[str]] = {}
    for icon in manifest["icons"]:
        with urllib.request.urlopen(url + icon["src"]) as answer:
            if answer.headers["Content-Type"] == icon["type"]:
                icons.setdefault(icon["purpose"], set()).add(icon["sizes"])
    return (
        not told["errors"]
        and all(manifest[name] for name in ("name", "short_name", "start_url"))
        and manifest["display"] == "standalone"
        and all(icons.get(purpose, set()) >= SIZES for purpose in ("any", "maskable"))
    )


def bundle() -> dict[str, float]:
    """Return what is promised of the bundle, as `npm run size` measures it."""
    checked = subprocess.run(
        ["node", "frontend/checkBundle.mjs"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    measured: dict[str, float] = json.loads(checked.stdout.strip().splitlines()[-1])["figures"]
    return measured


def main() -> int:
    """Open pages in new browsers, in the same one, and without a server; print one JSON line."""
    chromium = find_chromium()
    if chromium is None:
        print(HOW, file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = RunningApp(Path(folder))
        app.prepare()
        session = app.session(ADDRESS)
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )

        def new_context() -> BrowserContext:
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.new_page().goto(f"{app.url}/healthz")
            seed(context, session)
            return context

        try:
            app.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
            app.wait_until_ready()
            cold = []
            for _ in range(ROUNDS):
                context = new_context()
                cold.append(open_page(context, app.url, INVENTORY))
                context.close()
            context = new_context()
            is_installable = installable(context, app.url)
            home = open_page(context, app.url, HOME)
            open_page(context, app.url, INVENTORY)
            warm = [open_page(context, app.url, INVENTORY) for _ in range(ROUNDS)]
            app.kill("web")
            offline = [open_page(context, app.url, HOME) for _ in range(ROUNDS)]
            offline_rows = [open_page(context, app.url, INVENTORY) for _ in range(ROUNDS)]
        finally:
            browser.close()
            app.stop()

    def median(openings: list[Opening]) -> float:
        return round(statistics.median(one.took_ms for one in openings))

    sizes = bundle()
    figures: dict[str, float | str] = {
        "installable": int(is_installable),
        "inventory_files": max(len(one.files) for one in cold),
        "inventory_cold_kb": max(one.kilobytes for one in cold),
        "inventory_cold_ms": median(cold),
        "inventory_warm_files": max(len(one.files) for one in warm),
        "inventory_warm_ms": median(warm),
        "home_warm_kb": home.kilobytes,
        "home_offline_ms": median(offline),
        "inventory_offline_ms": median(offline_rows),
        "shell_kb": sizes["shell_kb"],
        "first_table_page_kb": sizes["first_table_page_kb"],
    }
    return report(
        "app_opens",
        figures=figures,
        ratios={},
        limits={
            "installable": Limit(1, at_least=True),
            "inventory_files": Limit(14),
            "home_offline_ms": Limit(1_000),
            "inventory_offline_ms": Limit(1_000),
            "shell_kb": Limit(160),
            "first_table_page_kb": Limit(240),
        },
    )


if __name__ == "__main__":
    sys.exit(main())

"""500 acts without a server over four pages: kept, and sent from Home once the pages are closed.

In Chromium, against the real app: with the server stopped a person picks 125 rows, counts 125, and
changes 125 prices of stock and 125 of a batch; each in a tab of its own. All tabs are closed, the
server is started, and Home is opened: counted from there until the server has everything. Then, with
the browser's storage full, changes of prices: each must be refused in its cell before the next.

    python -m benchmarks.offline          BENCH_ACTS=20 of each kind for a quick look
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._report import Limit, report
from benchmarks.grid_edit import ARGUMENTS, BENCH_USER, signed_in

ACTS = int(os.environ.get("BENCH_ACTS", "125"))
REFUSED = 10
PATIENCE_MS = 120_000

# Chromium takes a quota that is lowered for a while as it was before.
FULL = """() => {
  const full = () => { throw new DOMException("Full", "QuotaExceededError"); };
  Object.assign(IDBObjectStore.prototype, { put: full, add: full });
}"""


def main() -> int:
    """Run the app with its own data and a browser; print one JSON line."""
    from playwright.sync_api import sync_playwright

    from tests.e2e.app import RunningApp
    from tests.e2e.chromium import HOW, find_chromium

    path = find_chromium()
    if path is None:
        raise SystemExit(HOW)
    with tempfile.TemporaryDirectory() as folder:
        app = RunningApp(Path(folder))
        app.manage("migrate", "--noinput", "--verbosity", "0")
        app.manage("collectstatic", "--noinput", "--verbosity", "0")
        app.manage("load_starter_catalog")
        places = json.loads(filled(app.environment))
        web = ("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
        app.start_process(*web)
        try:
            app.wait_until_ready()
            session = json.loads(app.manage("issue_tokens", BENCH_USER).splitlines()[0])
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
                first = signed_in(browser, app.url, session, "all")
                figures = acted(first, places, lambda: app.kill("web"))
                app.start_process(*web)
                app.wait_until_ready()
                figures |= arrived(first.context, session, places)
                figures |= refused(first.context)
                browser.close()
        finally:
            app.stop()
    limits = {
        "lost": Limit(0),
        "twice": Limit(0),
        "unsent_at_the_end": Limit(0),
        "refused_at_once": Limit(REFUSED, at_least=True),
    }
    return report("offline", figures=figures, ratios={}, limits=limits)


def filled(environment: dict[str, str]) -> str:
    """Fill the database of the app in a process of its own; return the places as JSON."""
    import subprocess

    command = [sys.executable, "-m", "benchmarks.offline", "fill"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()[-1]


def acted(first: Any, places: dict[str, int], stop: Callable[[], None]) -> dict[str, float]:
    """Do all acts without a server, each kind in its tab, and close the tabs."""
    context = first.context
    pages = {"stock": first}
    for name in ("batch", "count", "pick"):
        pages[name] = context.new_page()
    addresses = {
        "stock": "/app/inventory",
        "batch": f"/app/batches?batch={places['batch']}",
        "count": f"/app/inventory?walk=count&bin={places['bin']}",
        "pick": f"/app/orders?walk={places['walk']}",
    }
    for name, address in addresses.items():
        pages[name].goto(address)
    for name in ("stock", "batch"):
        pages[name].locator("[role=grid]:not([aria-readonly])").wait_for()
        pages[name].locator("[role=row][aria-rowindex='5']:not([aria-busy])").wait_for()
    pages["count"].locator("input[data-count]").nth(ACTS - 1).wait_for()
    pages["pick"].get_by_role("button", name="in its tray").wait_for()
    for name in ("stock", "batch"):
        read_to_the_last(pages[name])
    for page in pages.values():
        page.wait_for_timeout(1_500)
    stop()
    times = {}
    for name, act in (("stock", prices), ("batch", prices), ("count", counts), ("pick", picks)):
        begun = time.perf_counter()
        act(pages[name])
        times[f"{name}_ms_per_act"] = round((time.perf_counter() - begun) / ACTS * 1000, 1)
    last = pages["pick"]
    last.get_by_role("button", name=f"{ACTS * 4} unsent").wait_for(timeout=PATIENCE_MS)
    for page in pages.values():
        page.close()
    return {"acts": ACTS * 4, **times}


def read_to_the_last(page: Any) -> None:
    """Scroll to the last row that is changed: a grid fetches the rows that were near the view."""
    page.bring_to_front()
    page.locator("[role=row][aria-rowindex='5']").hover()
    last = page.locator(f"[role=row][aria-rowindex='{ACTS + 1}']:not([aria-busy])")
    while last.count() == 0:
        page.mouse.wheel(0, 400)
        page.wait_for_timeout(100)
    while page.locator("[role=row][aria-rowindex='2']").count() == 0:
        page.mouse.wheel(0, -4_000)
        page.wait_for_timeout(100)


def prices(page: Any) -> None:
    """Type a price into one cell after the other, down the column."""
    page.bring_to_front()
    heads = page.get_by_role("columnheader").all_inner_texts()
    column = next(at for at, text in enumerate(heads) if text.strip().startswith("Price"))
    page.locator(f'[data-cell="0:{column}"]').click()
    for turn in range(ACTS):
        page.keyboard.type(f"2.{turn + 100}")
        page.keyboard.press("Enter")
        cell = page.locator(f'[data-cell="{turn}:{column}"]')
        if turn % 25 == 0:
            cell.wait_for()


def counts(page: Any) -> None:
    """Count nine of each lot of a bin; Enter goes to the next."""
    page.bring_to_front()
    page.locator("input[data-count]").first.focus()
    for _ in range(ACTS):
        page.keyboard.type("9")
        page.keyboard.press("Enter")


def picks(page: Any) -> None:
    """Confirm each stop of a walk; a press of its own, not the second of two."""
    page.bring_to_front()
    for _ in range(ACTS):
        page.keyboard.press("Shift")
        page.get_by_role("button", name="in its tray").click()


def arrived(context: Any, session: dict[str, Any], places: dict[str, int]) -> dict[str, float]:
    """Open Home alone, and wait until the server has everything."""
    home = context.new_page()
    sent: dict[str, int] = {}

    def note(answer: Any) -> None:
        key = answer.request.headers.get("idempotency-key")
        if key and answer.ok:
            sent[key] = sent.get(key, 0) + 1

    home.on("response", note)
    begun = time.perf_counter()
    home.goto("/app/home")
    stored = {"prices": 0, "counted": 0, "picked": 0}
    while sum(stored.values()) < ACTS * 4 and time.perf_counter() - begun < PATIENCE_MS / 1000:
        home.wait_for_timeout(250)
        stored = stored_at(home, session, places)
    took = time.perf_counter() - begun
    home.get_by_text("unsent").wait_for(state="detached")
    return {
        "sent_ms_per_act": round(took / (ACTS * 4) * 1000, 1),
        "lost": ACTS * 4 - sum(stored.values()),
        "twice": sum(times - 1 for times in sent.values()),
        "unsent_at_the_end": home.get_by_role("button", name="unsent").count(),
    }


def stored_at(page: Any, session: dict[str, Any], places: dict[str, int]) -> dict[str, int]:
    headers = {"Authorization": f"Bearer {session['accessToken']}"}

    def rows(path: str) -> list[dict[str, Any]]:
        answer = page.request.get(f"/api/{path}", headers=headers)
        assert answer.ok, answer.text()
        found: list[dict[str, Any]] = answer.json()["data"]
        return found

    def is_new(row: dict[str, Any]) -> bool:
        return float(row["price"] or 0) >= 2

    stock = rows("inventoryItems?page_size=500&show_zero_quantity=true")
    items = rows(f"batchItems?batch={places['batch']}&page_size=500")
    tally = rows(f"stocktakes/{places['stocktake']}/tally")[0]
    return {
        "prices": sum(map(is_new, stock)) + sum(map(is_new, items)),
        "counted": tally["counted"],
        "picked": sum(row["quantity"] == 9 for row in stock if row["location_name"] != "C"),
    }


def refused(context: Any) -> dict[str, float]:
    """With no room in the browser, change prices: each refusal stands before the next act."""
    page = context.new_page()
    page.goto("/app/inventory")
    page.locator("[role=row][aria-rowindex='5']:not([aria-busy])").wait_for()
    page.evaluate(FULL)
    heads = page.get_by_role("columnheader").all_inner_texts()
    column = next(at for at, text in enumerate(heads) if text.strip().startswith("Price"))
    told = 0
    begun = time.perf_counter()
    for turn in range(REFUSED):
        cell = page.locator(f'[data-cell="{turn}:{column}"]')
        cell.click()
        page.keyboard.type("3.5")
        page.keyboard.press("Enter")
        page.locator(f'[data-cell="{turn}:{column}"][aria-invalid=true]').wait_for()
        told += 1
    took = (time.perf_counter() - begun) / REFUSED * 1000
    return {"refused_at_once": told, "refused_ms_per_act": round(took, 1)}


def fill() -> None:
    """Write stock, a batch, an open stocktake and a begun walk; print their ids as JSON."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    django.setup()
    from rest_framework.test import APIClient

    from apps.accounts.models import Preferences, User
    from apps.catalog.models import Lot

    owner = User.objects.create_user(BENCH_USER, None, name="Bench")
    Preferences.objects.create(user=owner)
    client = APIClient()
    client.force_authenticate(owner)

    def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = client.post(f"/api/{path}", body, format="json")
        assert answer.status_code < 300, answer.content[:300]
        made: dict[str, Any] = answer.json()["data"][0]
        return made

    lots = list(Lot.objects.values_list("pk", flat=True)[: ACTS * 2])
    place = post("inventoryLocations", {"name": "C"})["id"]
    batch = post("batches", {"name": "Bench"})["id"]
    lines = []
    for turn, lot in enumerate(lots[:ACTS]):
        row = {"lot_id": lot, "quantity": 10, "price": "0.25"}
        post("inventoryItems", {**row, "location_id": place})
        post("batchItems", {"batch_id": batch, "lot_id": lot, "qty": 1, "price": "0.25"})
        shelf = post("inventoryLocations", {"name": f"A-{turn}"})["id"]
        other = post("inventoryItems", {**row, "lot_id": lots[ACTS + turn], "location_id": shelf})
        lines.append({"item_id": other["id"], "quantity": 1})
    order = post("orders", {"lines": lines, "buyer": "Ann", "address": "5 Lane"})["id"]
    walk = post("pickWalks", {"order_ids": [order]})["id"]
    stocktake = post("stocktakes", {"location_id": place})["id"]
    ids = {"bin": place, "batch": batch, "walk": walk, "stocktake": stocktake}
    print(json.dumps(ids))


if __name__ == "__main__":
    if sys.argv[1:] == ["fill"]:
        fill()
    else:
        sys.exit(main())

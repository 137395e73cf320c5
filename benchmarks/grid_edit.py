"""Editing in the grid: the time until a cell shows its new value, and the time of a bulk edit.

In Chromium, against the real app: a cell of stock is edited in a table of 100,000 rows, first
with 25 of them drawn as a page, then with all of them to scroll through; counted from Enter to
the frame after the cell shows the new value. Other load on the machine only makes that
longer: the best of the rounds counts, by its worst edit. Then 1,000 items of a batch are bulk
edited and that is undone: the requests of each. In process, on SQLite and PostgreSQL: the
statements of those requests, all of them counted, transactions too.

    python -m benchmarks.grid_edit        BENCH_ROWS=20000 for a quick look
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._report import Limit, report, temporary_postgres

ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
ITEMS = 1_000
EDITS = 20
WARM_UP = 5
ROUNDS = 3
BENCH_USER = "bench@example.org"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

# From Enter until the frame in which a cell says the value has been painted.
WATCH = """([place, value]) => new Promise((resolve) => {
  let pressed = 0;
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !pressed) pressed = event.timeStamp;
  }, { capture: true, once: false, signal: AbortSignal.timeout(10000) });
  const look = () => {
    const cell = document.querySelector(`[data-cell="${place}"]`);
    if (!pressed || !cell || cell.textContent.replace(/\\D.*/s, '') !== value) {
      requestAnimationFrame(look);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now() - pressed);
    port2.postMessage(null);
  };
  requestAnimationFrame(look);
})"""


def main() -> int:
    """Run the app with its own data, then both databases; print one JSON line."""
    figures: dict[str, float | str] = {
        "rows": ROWS,
        "items": ITEMS,
        "edits": EDITS,
        "rounds": ROUNDS,
    }
    figures |= in_browser()
    limits = {
        "page_worst_ms": Limit(50),
        "all_rows_worst_ms": Limit(50),
        "bulk_edit_requests": Limit(1),
        "bulk_undo_requests": Limit(1),
    }
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as postgres:
        urls = {"sqlite": f"sqlite:///{folder}/bench.sqlite3"}
        if postgres is not None:
            urls["postgres"] = postgres
        for name, url in urls.items():
            env = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
            migrate = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
            subprocess.run(migrate, env=env, check=True)
            for key, value in step("statements", env).items():
                figures[f"{name}_{key}"] = value
                if key.endswith("_statements"):
                    limits[f"{name}_{key}"] = Limit(12)
    ratios = {
        "all_rows_times_page": round(
            float(figures["all_rows_median_ms"]) / float(figures["page_median_ms"]), 2
        )
    }
    return report("grid_edit", figures=figures, ratios=ratios, limits=limits)


def step(name: str, env: dict[str, str]) -> dict[str, float]:
    """Run a step of this module in the environment; return what it printed."""
    command = [sys.executable, "-m", "benchmarks.grid_edit", name]
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def in_browser() -> dict[str, float]:
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
        batch = int(step("fill", app.environment)["batch"])
        app.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
        try:
            app.wait_until_ready()
            session = json.loads(app.manage("issue_tokens", BENCH_USER).splitlines()[0])
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
                figures = {}
                for name, size in (("page", 25), ("all_rows", "all")):
                    rounds = []
                    for turn in range(ROUNDS):
                        page = signed_in(browser, app.url, session, size)
                        rounds.append(edit_cells(page, first_value=200 + 100 * turn))
                        page.context.close()
                    best = min(rounds, key=max)
                    figures[f"{name}_median_ms"] = round(statistics.median(best), 1)
                    figures[f"{name}_worst_ms"] = round(max(best), 1)
                page = signed_in(browser, app.url, session, "all")
                figures |= bulk_edit(page, batch)
                browser.close()
        finally:
            app.stop()
    return figures


def signed_in(browser: Any, url: str, session: dict[str, Any], size: int | str) -> Any:
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900})
    stored = {
        "user": json.dumps(session["user"]),
        "accessToken": session["accessToken"],
        "refreshToken": session["refreshToken"],
        "bb_setting_table_inventory": json.dumps({"pageSize": size}),
        "bb_setting_table_batchItems": json.dumps({"pageSize": size}),
    }
    context.add_init_script(
        f"if (location.protocol.startsWith('http'))"
        f" Object.entries({json.dumps(stored)}).forEach(e => localStorage.setItem(...e));"
    )
    return context.new_page()


def edit_cells(page: Any, *, first_value: int) -> list[float]:
    """Edit the quantities of rows one after the other, in the middle of the list."""
    page.goto("/app/inventory")
    page.locator("[role=grid]:not([aria-readonly])").wait_for()
    page.locator("[role=row][aria-rowindex='5']:not([aria-busy])").wait_for()
    heads = page.get_by_role("columnheader").all_inner_texts()
    column = next(at for at, text in enumerate(heads) if "Quantity" in text)
    page.evaluate(
        "() => { const box = document.querySelector('[role=grid]').parentElement;"
        " box.scrollTop = (box.scrollHeight - box.clientHeight) / 2; }"
    )
    page.wait_for_timeout(1_000)
    rows = page.wait_for_function(
        "c => { const rows = [...document.querySelectorAll(`[data-cell$=':${c}']`)].filter(cell => {"
        " const box = cell.getBoundingClientRect();"
        " return box.top > 320 && box.bottom < innerHeight - 120; })"
        ".map(cell => cell.dataset.cell.split(':')[0]); return rows.length > 5 && rows; }",
        arg=column,
    ).json_value()
    times = []
    for turn in range(EDITS + WARM_UP):
        place = f"{rows[turn % len(rows)]}:{column}"
        value = str(first_value + turn)
        page.locator(f'[data-cell="{place}"]').click()
        page.keyboard.type(value)
        page.evaluate(f"args => {{ window.painted_ = ({WATCH})(args); }}", [place, value])
        page.keyboard.press("Enter")
        times.append(page.evaluate("window.painted_"))
    page.locator("[role=gridcell][aria-busy=true]").first.wait_for(state="detached")
    return times[WARM_UP:]


def bulk_edit(page: Any, batch: int) -> dict[str, float]:
    """Give 1,000 items another price by arithmetic and take that back; count the requests."""
    sent: list[str] = []

    def note(request: Any) -> None:
        if request.method in {"POST", "PATCH", "DELETE"} and "/api/batchItems" in request.url:
            sent.append(request.url)

    page.on("request", note)
    page.goto(f"/app/batches?batch={batch}")
    page.locator("[role=grid]:not([aria-readonly])").wait_for()
    page.locator("[role=row][aria-rowindex='5']:not([aria-busy])").wait_for()
    page.get_by_role("columnheader").get_by_role("checkbox").click()
    page.keyboard.press("Control+b")
    dialog = page.get_by_role("dialog", name="Bulk edit")
    dialog.get_by_label("Column").select_option(label="Price")
    dialog.get_by_label("New value").fill("=*1.1")
    with page.expect_response(lambda answer: "batchItems/bulk" in answer.url):
        dialog.get_by_role("button", name=f"Change {ITEMS:,} rows").click()
    page.get_by_text(f"{ITEMS:,} rows changed").wait_for()
    edited = len(sent)
    with page.expect_response(lambda answer: "batchItems/bulk" in answer.url):
        page.keyboard.press("Control+z")
    page.get_by_role("button", name="More for this list").click()
    page.get_by_role("menuitem", name="Redo: ").wait_for()
    page.wait_for_timeout(1_000)
    return {"bulk_edit_requests": edited, "bulk_undo_requests": len(sent) - edited}


def setup() -> Any:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    django.setup()


def fill() -> None:
    """Write the stock and a batch into the database of the environment."""
    setup()
    from benchmarks import inventory_list

    owner = inventory_list.fill(ROWS)
    print(json.dumps({"batch": fill_batch(owner).pk}))


def fill_batch(owner: Any) -> Any:
    from apps.batches.models import Batch, BatchItem
    from apps.catalog.models import Lot

    batch = Batch.objects.create(owner=owner, name="Bench")
    lots = list(Lot.objects.values_list("pk", flat=True)[:ITEMS])
    BatchItem.objects.bulk_create(
        BatchItem(
            owner=owner,
            batch=batch,
            lot_id=lots[place % len(lots)],
            quantity=place % 90 + 1,
            price="0.1200",
        )
        for place in range(ITEMS)
    )
    return batch


def statements() -> None:
    """Count the statements of a bulk edit of 1,000 rows and of its undo; print them as JSON."""
    setup()
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from rest_framework.test import APIClient

    from benchmarks import inventory_list

    owner = inventory_list.fill(ITEMS)
    batch = fill_batch(owner)
    client = APIClient()
    client.force_authenticate(owner)
    rows = []
    for page in (1, 2):
        address = f"/api/batchItems?batch={batch.pk}&page_size=500&page={page}"
        rows += client.get(address).json()["data"]
    figures: dict[str, float] = {}
    for name, price in (("edit", "0.1320"), ("undo", "0.1200")):
        update = [{"id": row["id"], "updatedAt": row["updatedAt"], "price": price} for row in rows]
        with CaptureQueriesContext(connection) as queries:
            answer = client.post(
                "/api/batchItems/bulk",
                {"update": update, "atomic": False},
                format="json",
                headers={"Idempotency-Key": f"bench-{name}"},
            )
        assert answer.status_code == 200, answer.content[:300]
        results = answer.json()["data"]
        assert len(results) == ITEMS, len(results)
        assert all(result["ok"] for result in results), results[0]
        rows = [result["row"] for result in results]
        assert {row["price"] for row in rows} == {price}
        figures[f"bulk_{name}_statements"] = len(queries)
    print(json.dumps(figures))


if __name__ == "__main__":
    steps = {"fill": fill, "statements": statements}
    if sys.argv[1:]:
        steps[sys.argv[1]]()
    else:
        sys.exit(main())

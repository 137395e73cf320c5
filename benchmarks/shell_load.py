"""How soon the signed-in shell answers on a slow phone, against an empty React page.

python -m benchmarks.shell_load

Both pages are served by the same server with the same template, from a cold cache, at
1.6 Mbit/s, 150 ms round trip and a processor slowed down four times (set through the
browser's protocol). A page is interactive when its button answers a click: the time
from the start of the navigation is taken in the page. The empty page is built from
`benchmarks/empty_page` with the product's webpack configuration.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks._report import Limit, report
from tests.e2e.app import RunningApp
from tests.e2e.chromium import HOW, find_chromium

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
BYTES_PER_SECOND = 1_600_000 / 8
ROUND_TRIP_MS = 150
SLOW_DOWN = 4
LIMIT = 2.5
ADDRESS = "demo@brickstow.example"
NOTE_FIRST_ANSWER = """
  const look = () => {
    const button = document.querySelector('button[aria-label="User menu"]');
    if (!button) return;
    if (button.ariaExpanded === 'true') {
      window.answeredAt ??= performance.now();
      watch.disconnect();
    } else if (!window.clicked) {
      window.clicked = true;
      button.click();
    }
  };
  const watch = new MutationObserver(look);
  watch.observe(document, {childList: true, subtree: true, attributeFilter: ['aria-expanded']});
"""


def build_empty_page(folder: Path) -> None:
    """Build it to where `collectstatic` would put the product's files."""
    subprocess.run(
        ["node_modules/.bin/webpack", "--config", "benchmarks/empty_page/webpack.config.js",
         "--mode", "production", "--env", f"out={folder / 'static'}"],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def time_to_answer(browser: Browser, url: str, entries: Mapping[str, str]) -> tuple[float, float]:
    """Return milliseconds until the page answers, and kilobytes received until then."""
    context = browser.new_context(viewport={"width": 412, "height": 823})
    page = context.new_page()
    page.add_init_script(
        f"if (!localStorage.user) Object.assign(localStorage, {json.dumps(dict(entries))});"
        + NOTE_FIRST_ANSWER
    )
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    received: list[float] = []
    protocol.on(
        "Network.loadingFinished", lambda event: received.append(event["encodedDataLength"])
    )
    protocol.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": ROUND_TRIP_MS,
            "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND,
        },
    )
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    page.goto(f"{url}/app/home", wait_until="commit", timeout=60_000)
    page.wait_for_function("() => window.answeredAt", timeout=60_000)
    took = float(page.evaluate("window.answeredAt"))
    context.close()
    return took, sum(received) / 1000


def main() -> int:
    """Time both pages in turn; print one JSON line."""
    chromium = find_chromium()
    if chromium is None:
        print(HOW, file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        apps = {name: RunningApp(Path(folder) / name) for name in ("shell", "empty")}
        for app in apps.values():
            app.folder.mkdir()
            app.manage("migrate", "--noinput", "--verbosity", "0")
        apps["shell"].manage("collectstatic", "--noinput", "--verbosity", "0")
        build_empty_page(apps["empty"].folder)
        session = apps["shell"].session(ADDRESS)
        entries = {
            "user": json.dumps(session["user"]),
            "accessToken": session["accessToken"],
            "refreshToken": session["refreshToken"],
        }
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        times: dict[str, list[float]] = {name: [] for name in apps}
        weights: dict[str, float] = {}
        try:
            for app in apps.values():
                app.start_process(
                    "web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"]
                )
            for app in apps.values():
                app.wait_until_ready()
            for number in range(ROUNDS + 1):
                for name, app in apps.items():
                    took, weights[name] = time_to_answer(browser, app.url, entries)
                    if number:  # the first round warms the server and the browser up
                        times[name].append(took)
        finally:
            browser.close()
            for app in apps.values():
                app.stop()
    figures: dict[str, float | str] = {}
    for name in apps:
        figures[f"{name}_ms"] = round(statistics.median(times[name]))
        figures[f"{name}_ms_worst"] = round(max(times[name]))
        figures[f"{name}_kb"] = round(weights[name], 1)
    ratio = statistics.median(times["shell"]) / statistics.median(times["empty"])
    return report(
        "shell_load",
        figures=figures,
        ratios={"shell_over_empty": round(ratio, 2)},
        limits={"shell_over_empty": Limit(LIMIT)},
    )


if __name__ == "__main__":
    sys.exit(main())

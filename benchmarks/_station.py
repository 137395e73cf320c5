"""The station in a real browser, on the real app in its embedded mode, for the benchmarks of it."""

import json
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from tests.e2e.app import RunningApp
from tests.e2e.chromium import HOW, find_chromium
from tests.e2e.conftest import ARGUMENTS

PASTE = """async name => {
  const answer = await fetch(`/static/icons/samples/${name}.jpg`);
  const files = new DataTransfer();
  files.items.add(new File([await answer.blob()], 'part.jpg', { type: 'image/jpeg' }));
  window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files }));
}"""

SETTLED = """() => !document.body.innerText.includes('being looked up') && !document.querySelector(
  '[title="being sent"], [title="not sent yet, tried again by itself"]')"""


@dataclass(slots=True)
class Station:
    """The page, signed in, on a batch of its own with so many bins."""

    page: Page
    app: RunningApp
    token: str
    batch: int
    tab: CDPSession

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Ask the API; return the envelope."""
        request = urllib.request.Request(
            f"{self.app.url}/api/{path}",
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def rows(self) -> list[dict[str, Any]]:
        """Return the batch's items, oldest first."""
        found: list[dict[str, Any]] = []
        for page in range(1, 1000):
            path = f"batchItems?batch={self.batch}&ordering=id&page_size=500&page={page}"
            answer = self.call("GET", path)
            found += answer["data"]
            if page >= answer["meta"]["pagination"]["total_pages"]:
                break
        return found

    def show(self, sample: str) -> None:
        """Paste one of the sample pictures."""
        self.page.evaluate(PASTE, sample)

    def ready(self, number: str) -> None:
        """Wait until the card of this item has its colour and its bin."""
        self.page.get_by_role("region", name=f"Item {number}", exact=True).wait_for()
        self.page.get_by_role("listbox", name="Colours").get_by_role("option").first.wait_for()
        self.page.get_by_text("Looking for a bin…").wait_for(state="hidden")

    def choose_color(self, digit: str) -> bool:
        """Answer the question for the colour with a digit; return whether it was asked."""
        question = self.page.get_by_role("combobox", name="Which colour?")
        if question.count() == 0:
            return False
        # Before it has the focus a digit would be a quantity.
        expect(question).to_be_focused()
        self.page.keyboard.press(digit)
        question.wait_for(state="hidden")
        return True

    def settled(self) -> None:
        """Wait until the server has everything."""
        self.page.wait_for_function(SETTLED, timeout=60_000)

    def heap_bytes(self) -> int:
        """Return what the tab's objects take, after the garbage is collected."""
        self.tab.send("HeapProfiler.collectGarbage")
        usage = self.tab.send("Runtime.getHeapUsage")
        return int(usage["usedSize"])


@contextmanager
def station(
    *, film: Path | None = None, bins: int = 1, init: str = "", direct: bool = False
) -> Iterator[Station]:
    """Start the app and the browser; open the station. Raises RuntimeError without a browser."""
    path = find_chromium()
    if path is None:
        raise RuntimeError(HOW)
    camera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    if film is not None:
        camera.append(f"--use-file-for-fake-video-capture={film}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = RunningApp(Path(folder))
        app.prepare()
        app.start()
        launched = playwright.chromium.launch(
            executable_path=path, args=[*ARGUMENTS, *(camera if film else [])]
        )
        try:
            context = launched.new_context(
                base_url=app.url, viewport={"width": 1440, "height": 900}
            )
            session = app.new_session()
            entries = {
                "user": json.dumps(session["user"]),
                "accessToken": session["accessToken"],
                "refreshToken": session["refreshToken"],
                "bb_setting_stowDirectly": json.dumps(direct),
                "bb_setting_searchType": json.dumps("image"),
            }
            context.add_init_script(
                f"for (const [key, value] of Object.entries({json.dumps(entries)})) "
                "if (!localStorage.getItem(key)) localStorage.setItem(key, value);" + init
            )
            page = context.new_page()
            tab = context.new_cdp_session(page)
            made = Station(page, app, session["accessToken"], 0, tab)
            pattern = f"A-[1-{bins}]"
            made.call("POST", "inventoryLocations/pattern", {"pattern": pattern, "dry_run": False})
            made.batch = made.call("POST", "batches", {"name": "Bench"})["data"][0]["id"]
            page.goto(f"/app/stow-inventory?batch={made.batch}")
            page.get_by_role("button", name="Bench").wait_for()
            page.get_by_role("region", name="Camera").wait_for()
            yield made
        finally:
            launched.close()
            app.stop()

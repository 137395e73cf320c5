"""Presses of common tasks and controls in sight, counted in Chromium at 1440 px on the demo.

A key press and a click are one act each; text that is typed is not counted. Controls are what can
be pressed or typed into, in view without scrolling, besides those in rows of tables.

    python -m benchmarks.clicks
"""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks._report import Limit, report
from benchmarks._shots import ARGUMENTS, first_ids, running, signed_in
from tests.e2e.chromium import HOW, find_chromium

MOST_CONTROLS = 45
MOST_AT_THE_STATION = 20

COUNT = """() => {
  const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, [role=tab],'
    + ' [role=switch], [role=menuitem], [contenteditable=true]';
  const inRow = '[role=row] [role=gridcell], tbody tr';
  return [...document.querySelectorAll(kinds)].filter((control) => {
    if (control.closest(inRow)) return false;
    const box = control.getBoundingClientRect();
    const seen = box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight
      && box.right > 0 && box.left < innerWidth;
    return seen && control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  }).length;
}"""


class Hands:
    """A page, and how often something was pressed on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.acts = 0

    def key(self, key: str) -> None:
        self.acts += 1
        self.page.keyboard.press(key)


def find_a_part(hands: Hands) -> None:
    hands.key("Control+k")
    hands.page.keyboard.type("3001 red")
    expect(hands.page.get_by_role("option", name=re.compile("Brick 2 x 4, Red"))).to_be_visible()


def go_to_batches(hands: Hands) -> None:
    hands.key("g")
    hands.key("b")
    hands.page.get_by_role("grid").wait_for()


TASKS: dict[str, tuple[Callable[[Hands], None], int]] = {
    "find_a_part": (find_a_part, 1),
    "go_to_batches": (go_to_batches, 2),
}


def main() -> int:
    path = find_chromium()
    if path is None:
        raise SystemExit(HOW)
    figures: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    with running() as (url, session), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = signed_in(browser, url, session, viewport={"width": 1440, "height": 900})
        ids = first_ids(page)
        pages = {
            "home": "/app/home",
            "batches": "/app/batches",
            "batch": f"/app/batches?batch={ids['batches']}",
            "inventory": "/app/inventory",
            "locations": "/app/inventory-locations",
            "buy_lego": "/app/buy-lego",
            "station": "/app/stow-inventory",
        }
        for name, address in pages.items():
            page.goto(address)
            page.wait_for_load_state("networkidle")
            figures[f"controls_{name}"] = page.evaluate(COUNT)
            most = MOST_AT_THE_STATION if name == "station" else MOST_CONTROLS
            limits[f"controls_{name}"] = Limit(most)
        for name, (task, most) in TASKS.items():
            page.goto("/app/home")
            page.wait_for_load_state("networkidle")
            hands = Hands(page)
            task(hands)
            figures[f"acts_{name}"] = hands.acts
            limits[f"acts_{name}"] = Limit(most)
        browser.close()
    return report("clicks", figures=figures, ratios={}, limits=limits)


if __name__ == "__main__":
    raise SystemExit(main())

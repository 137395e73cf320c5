"""Presses of common tasks and controls in sight, counted in Chromium at 1440 px.

Each task begins on Home: of the demo, or of an empty account. A key press, a click and a chosen
file are one act each; text that is typed is not counted. A task that cannot be done is named and
fails. Controls are what can be pressed or typed into, in view without scrolling, besides those in
rows of tables, drawn as pictures too.

    python -m benchmarks.clicks
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from playwright.sync_api import Error as BrowserError

from benchmarks._report import Limit, report
from benchmarks._shots import ARGUMENTS, DEMO, first_ids, running, signed_in
from tests.e2e.app import RunningApp
from tests.e2e.chromium import HOW, find_chromium
from tests.e2e.site import settle

MOST_CONTROLS = 30
MOST_ABOVE_ROWS = 12
MOST_AT_THE_STATION = 9
WIDE = {"width": 1440, "height": 900}
ACT_MS = 12_000
JOB_MS = 40_000

STORE_FILE = """<BrickStoreXML><Inventory Currency="SEK">
<Item><ItemID>3001</ItemID><ItemTypeID>P</ItemTypeID><ColorID>5</ColorID><Qty>8</Qty>
<Price>1.5</Price><Condition>U</Condition><Remarks>K-01</Remarks></Item>
<Item><ItemID>3020</ItemID><ItemTypeID>P</ItemTypeID><ColorID>11</ColorID><Qty>12</Qty>
<Price>0.9</Price><Condition>N</Condition><Remarks>K-02</Remarks></Item>
</Inventory></BrickStoreXML>"""

COUNT = """() => {
  const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, [role=tab],'
    + ' [role=switch], [role=menuitem], [contenteditable=true]';
  // The colours as pictures are the rows of their table.
  const inRow = '[role=row] [role=gridcell], tbody tr, ul[aria-label="Colours"] > li';
  return [...document.querySelectorAll(kinds)].filter((control) => {
    if (control.closest(inRow) || control.matches('.sr-only')) return false;
    const box = control.getBoundingClientRect();
    const seen = box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight
      && box.right > 0 && box.left < innerWidth;
    return seen && control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  }).length;
}"""


ABOVE_ROWS = """() => {
  const kinds = 'main a[href], main button, main input:not([type=hidden]), main select';
  const first = document.querySelector('main [role=gridcell]');
  if (!first) return -1;
  const { top } = first.getBoundingClientRect();
  return [...document.querySelectorAll(kinds)].filter((control) => {
    const box = control.getBoundingClientRect();
    return !control.closest('[role=grid]') && box.width > 1 && box.bottom <= top
      && control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  }).length;
}"""

WIDER_THAN_THE_PAGE = """() => [...document.querySelectorAll('[data-grid-port]')]
  .filter((port) => port.scrollWidth > port.clientWidth + 1).length"""


class Hands:
    """A page, and how often something was pressed on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.acts = 0

    def key(self, key: str) -> None:
        self.acts += 1
        self.page.keyboard.press(key)

    def click(self, what: Locator) -> None:
        self.acts += 1
        what.first.click()

    def press(self, name: str, role: str = "button") -> None:
        """Click the control whose name matches a regular expression."""
        self.click(self.page.get_by_role(role, name=re.compile(name)))  # type: ignore[arg-type]

    def choose_file(self, field: Locator, text: str) -> None:
        self.acts += 1
        field.first.set_input_files(
            {
                "name": "store.bsx",
                "mimeType": "application/octet-stream",
                "buffer": text.encode(),
            }
        )

    def write(self, text: str) -> None:
        self.page.keyboard.type(text)

    def find(self, text: str, option: str) -> None:
        """Open Ctrl+K and type until the entry is first."""
        self.key("Control+k")
        self.write(text)
        found = self.page.get_by_role("option").first
        expect(found).to_contain_text(re.compile(option))


def find_a_part(hands: Hands) -> None:
    hands.find("3001 red", "Brick 2 x 4, Red")


def first_lot(hands: Hands) -> None:
    hands.press("Start sorting", "link")
    number_and_colour(hands)


def number_and_colour(hands: Hands) -> None:
    """At the station: a number, the name of its colour, and one key."""
    expect(hands.page.get_by_role("combobox", name="Number or name")).to_be_focused()
    hands.write("3001 red")
    hands.key("Enter")
    added(hands)


def added(hands: Hands) -> None:
    last = hands.page.get_by_role("list", name="Last added")
    expect(last.get_by_text("Brick 2 x 4").first).to_be_visible()
    expect(hands.page.get_by_title(re.compile("being sent|not sent yet"))).to_have_count(0)


def store_file(hands: Hands) -> None:
    hands.choose_file(hands.page.locator("main input[type=file]"), STORE_FILE)
    applied = hands.page.get_by_role("dialog", name=re.compile("imported$"))
    names = re.compile("^Import [0-9,]+ lots?")
    forward = hands.page.get_by_role("button", name=names, disabled=False)
    while True:
        expect(applied.or_(forward).first).to_be_visible(timeout=JOB_MS)
        if applied.is_visible():
            break
        hands.click(forward)
        settle(hands.page)


def new_batch(hands: Hands) -> None:
    hands.press("^New batch$")
    expect(hands.page.get_by_text(re.compile("made$")).first).to_be_visible()


def open_batch(hands: Hands, step: str) -> None:
    """Open a batch that waits for this, by its line on Home."""
    lines = hands.page.get_by_role("link", name=re.compile(f"^{step} [0-9,]+ lots? .* of "))
    hands.click(lines)
    hands.page.wait_for_url(re.compile("batch="))


def stow_one_bin(hands: Hands) -> None:
    open_batch(hands, "Put away")
    hands.press("^(It is|All [0-9,]+ are) in")
    expect(hands.page.get_by_text(re.compile("stowed")).first).to_be_visible()


def list_a_batch(hands: Hands) -> None:
    open_batch(hands, "List")
    asked = hands.page.get_by_role("dialog", name=re.compile("^List [0-9,]+ lots?"))
    hands.click(asked.get_by_role("button", name="List", exact=True))
    # A fast listing has already finished: "70 lots listed".
    shown = hands.page.get_by_role("dialog", name=re.compile("^Listing$|lots? listed$"))
    expect(shown).to_be_visible(timeout=JOB_MS)


def export_bsx(hands: Hands) -> None:
    hands.click(hands.page.get_by_role("list", name="What batches give back").get_by_role("link"))
    with hands.page.expect_download(timeout=JOB_MS) as told:
        hands.press("^Export")
    if not told.value.suggested_filename.endswith(".bsx"):
        raise AssertionError(f"{told.value.suggested_filename} is no BSX file")


LOT_IN_STOCK = """async () => {
  const headers = { Authorization: `Bearer ${localStorage.getItem("accessToken")}` };
  const answer = await fetch("/api/inventoryItems?item_type=PART&page_size=50", { headers });
  const lots = (await answer.json()).data;
  // Not of several bins: one row is priced.
  const rows = (lot) => lots.filter(({ lot_id }) => lot_id === lot.lot_id).length;
  return lots.find((lot) => lot.quantity > 0 && lot.lot_id && rows(lot) === 1);
}"""


def re_price(hands: Hands) -> None:
    """Price a lot that the demo has, whatever its draw of lots has left of each."""
    lot = hands.page.evaluate(LOT_IN_STOCK)
    hands.find(f"{lot['item_number']} {lot['color_name']} @0.77", re.escape(lot["color_name"]))
    expect(hands.page.get_by_text("set the price to 0.77")).to_be_visible()
    hands.key("Enter")
    expect(hands.page.get_by_text(re.compile(" saved$")).first).to_be_visible()


def sixty_drawers(hands: Hands) -> None:
    hands.find("bins by pattern", "New bins by pattern")
    hands.key("Enter")
    pattern = hands.page.get_by_role("textbox", name="Pattern")
    pattern.fill("Q-[01-60]")
    with hands.page.expect_download():
        hands.press("^Add and save labels$")
    expect(hands.page.get_by_text("60 locations added").first).to_be_visible()


def label_of_a_bin(hands: Hands) -> None:
    hands.find("A-1-01", "A-1-01")
    with hands.page.expect_download():
        hands.key("Alt+l")


def new_lot_by_number(hands: Hands) -> None:
    hands.page.goto("/app/stow-inventory")
    number_and_colour(hands)


def go_to_batches(hands: Hands) -> None:
    hands.key("g")
    hands.key("b")
    hands.page.get_by_role("grid").wait_for()


@dataclass(frozen=True)
class Task:
    do: Callable[[Hands], None]
    most: int
    is_new: bool = False  # begun in an empty account


TASKS = {
    "find_a_part": Task(find_a_part, 1),
    "first_lot": Task(first_lot, 4, is_new=True),
    "store_file_in_another_currency": Task(store_file, 2, is_new=True),
    "export_bsx": Task(export_bsx, 2),
    "re_price_one_lot": Task(re_price, 2),
    "label_of_one_bin": Task(label_of_a_bin, 2),
    "stow_one_bin": Task(stow_one_bin, 2),
    "list_a_batch": Task(list_a_batch, 2),
    "sixty_drawers_with_labels": Task(sixty_drawers, 3),
    "new_lot_by_number": Task(new_lot_by_number, 1),
    "go_to_batches": Task(go_to_batches, 2),
    "new_batch": Task(new_batch, 1),
}


def acts_of(task: Task, browser: Browser, app: RunningApp) -> int:
    """Do a task in a new browser and return how many acts it took. Raises where it is not done."""
    session = app.new_session() if task.is_new else app.session(DEMO)
    page = signed_in(browser, app.url, session, viewport=WIDE)
    page.set_default_timeout(ACT_MS)
    try:
        page.goto("/app/home")
        settle(page)
        hands = Hands(page)
        task.do(hands)
        return hands.acts
    finally:
        page.context.close()


def main() -> int:
    path = find_chromium()
    if path is None:
        raise SystemExit(HOW)
    expect.set_options(timeout=ACT_MS)
    figures: dict[str, float] = {"tasks_not_done": 0}
    limits = {"tasks_not_done": Limit(0)}
    with running() as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = signed_in(browser, app.url, app.session(DEMO), viewport=WIDE)
        ids = first_ids(page)
        pages = {
            "home": "/app/home",
            "batches": "/app/batches",
            "batch": f"/app/batches?batch={ids['batches']}",
            "inventory": "/app/inventory",
            "locations": "/app/inventory-locations",
            "buy_lego": "/app/buy-lego",
            "station": "/app/stow-inventory",
            "catalog": "/app/catalog",
            "catalog_item": "/app/catalog?item=PART:3001",
            "sets": "/app/userSets",
            "set": f"/app/userSets?set={ids['userSets']}",
            "order": f"/app/orders?order={ids['orders']}",
            "orders": "/app/orders",
            "store": "/app/store",
            "reports": "/app/reports",
            "sources": "/app/sources",
            "settings": "/app/settings",
            "profile": "/app/profile",
        }
        for name, address in pages.items():
            page.goto(address)
            settle(page)
            figures[f"controls_{name}"] = page.evaluate(COUNT)
            most = MOST_AT_THE_STATION if name == "station" else MOST_CONTROLS
            limits[f"controls_{name}"] = Limit(most)
            figures[f"tables_wider_than_{name}"] = page.evaluate(WIDER_THAN_THE_PAGE)
            limits[f"tables_wider_than_{name}"] = Limit(0)
            if name in {"inventory", "batch", "locations"}:
                figures[f"controls_above_rows_{name}"] = page.evaluate(ABOVE_ROWS)
                limits[f"controls_above_rows_{name}"] = Limit(MOST_ABOVE_ROWS)
        for name, task in TASKS.items():
            try:
                figures[f"acts_{name}"] = acts_of(task, browser, app)
            except (BrowserError, AssertionError) as error:
                figures["tasks_not_done"] += 1
                print(f"{name} was not done: {error}", file=sys.stderr)
            else:
                limits[f"acts_{name}"] = Limit(task.most)
        browser.close()
    return report("clicks", figures=figures, ratios={}, limits=limits)


if __name__ == "__main__":
    raise SystemExit(main())

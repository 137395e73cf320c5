"""Draw every page and dialog in both themes at three widths, and contact sheets of them.

    python -m benchmarks._shots [NAME…]      only the pages whose names begin so; make shots ONLY=batch

The pictures are written to var/shots, with `contact.html` to look at them side by side, and all of
one width and theme in one picture each: `contact_1440_dark.png`.
"""

import html
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, Route, sync_playwright
from playwright.sync_api import Error as BrowserError

from tests.e2e.app import ROOT, RunningApp
from tests.e2e.chromium import HOW, find_chromium
from tests.e2e.site import settle, watch_traffic

DEMO = "demo@brickstow.example"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]
SIZES = ((380, 800), (1440, 900), (2560, 1440))
THEMES = ("light", "dark")
# Until nothing moves any more: a dialog that fades in is half a picture.
STILL = """async () => {
  const moving = () => document.getAnimations().filter((one) =>
    one.playState === "running" && one.effect.getComputedTiming().iterations !== Infinity);
  for (let now = moving(); now.length > 0; now = moving())
    await Promise.all(now.map((one) => one.finished.catch(() => undefined)));
  await new Promise((done) => setTimeout(done, 300));
}"""
OUT = ROOT / os.environ.get("VAR_DIR", "var") / "shots"


@dataclass(frozen=True)
class Shot:
    """A page, and the steps before its picture is taken."""

    name: str
    path: str
    prepare: Callable[[Page], Any] | None = None
    anonymous: bool = False


def press(*names: str) -> Callable[[Page], None]:
    """Press buttons, links or menu entries by their names, one after the other."""

    def act(page: Page) -> None:
        in_menu = False
        for name in names:
            if in_menu:
                found = page.get_by_role("menuitem", name=name)
            else:
                buttons = page.get_by_role("button", name=name)
                links = page.get_by_role("link", name=name)
                folded = page.get_by_role("button", name="Sort and filter", expanded=False)
                if not buttons.count() and not links.count() and folded.count():
                    folded.click()
                found = buttons if buttons.count() else links
                if not found.count():  # on a phone it is an entry of the head's menu
                    page.get_by_role("button", name="More").first.click()
                    found = page.get_by_role("menuitem", name=name)
            in_menu = found.first.get_attribute("aria-haspopup") == "menu"
            found.first.click()
            if in_menu:
                page.get_by_role("menu").wait_for()

    return act


def keys(text: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        for key in text.split():
            page.keyboard.press(key)

    return act


def by_value(page: Page) -> None:
    """Colour the shelf map by value."""
    page.get_by_text("Value", exact=True).click()


def another_currency(page: Page) -> None:
    """Choose another currency in the settings, and a rate."""
    press("Integrations")(page)
    page.get_by_label("Currency").select_option("CHF")
    page.get_by_text("Multiply by a rate").click()
    page.get_by_label("One USD is how many CHF?").fill("0.89")
    page.get_by_text("Your stock:").wait_for()


def refused(route: Route) -> None:
    error = {"code": "NOT_AUTHENTICATED", "message": "The session has ended."}
    body = {"success": False, "data": [], "error": error, "meta": {"http_status_code": 401}}
    route.fulfill(status=401, json=body)


def ended(page: Page) -> None:
    """Let the session end while something is typed."""
    page.get_by_label("ZIP code").fill("10115")
    page.route("**/api/**", refused)
    page.get_by_role("button", name="Save").first.click()
    page.get_by_role("dialog", name="Sign in again").wait_for(timeout=15_000)


def wrong_item(page: Page) -> None:
    """Type what is no number into a new item."""
    press("More", "Add item")(page)
    for label in ("Quantity", "Price"):
        page.get_by_role("dialog").get_by_label(label).first.fill("two")
    page.wait_for_timeout(500)  # errors wait 300 ms


def shots(first: dict[str, int]) -> list[Shot]:
    """Every page and dialog; `first` holds the id of one batch, bin, set, source and order."""
    batch = f"/app/batches?batch={first['batches']}"
    bin_id = first["inventoryLocations"]
    place = f"/app/inventory-locations?location={bin_id}"
    order = f"/app/orders?order={first['orders']}"
    sets = f"/app/userSets?set={first['userSets']}"
    return [
        Shot("welcome", "/", anonymous=True),
        Shot("signin", "/signin", anonymous=True),
        Shot("signup", "/signup", anonymous=True),
        Shot("privacy", "/privacy", anonymous=True),
        Shot("home", "/app/home"),
        Shot("home_palette", "/app/home", keys("Control+k")),
        Shot("home_keys", "/app/home", keys("?")),
        Shot("catalog", "/app/catalog"),
        Shot("catalog_item", "/app/catalog?item=PART:3001"),
        Shot("catalog_search", "/app/catalog?search=300"),
        Shot("station", "/app/stow-inventory"),
        Shot("batches", "/app/batches"),
        Shot("batches_chart", "/app/batches", press("Value over cost")),
        Shot("batches_new", "/app/batches", press("New batch")),
        Shot("batches_import", "/app/batches", press("Import BSX")),
        Shot("batch", batch),
        Shot("batch_more", batch, press("More")),
        Shot("batch_add", batch, press("More", "Add item")),
        Shot("batch_add_wrong", batch, wrong_item),
        Shot("batch_stow", batch, press("More", "as stowed")),
        Shot("batch_charts", batch, press("More", "Charts")),
        Shot("batch_operations", batch, press("More", "Operations")),
        Shot("batch_reprice", batch, press("More", "Re-price…")),
        Shot("batch_edit", batch, press("More", "Rename and edit")),
        Shot("batch_export", batch, press("Export options")),
        Shot("batch_groups", f"{batch}&group=color"),
        Shot("batch_walk", f"{batch}&walk=1"),
        Shot("buy", "/app/buy-lego"),
        Shot("inventory", "/app/inventory"),
        Shot("inventory_save_view", "/app/inventory?search=brick", press("Save view")),
        Shot("inventory_import", "/app/inventory", press("Import a file")),
        Shot("inventory_groups", "/app/inventory?view=places"),
        Shot("inventory_count", f"/app/inventory?count={bin_id}"),
        Shot("inventory_charts", "/app/inventory?view=charts"),
        Shot("inventory_tiles", "/app/inventory?view=tiles&ordering=-value"),
        Shot("locations", "/app/inventory-locations"),
        Shot("locations_table", "/app/inventory-locations?view=table"),
        Shot("locations_heat", "/app/inventory-locations?view=map", by_value),
        Shot("locations_set", "/app/inventory-locations?view=map", press("Type and limits")),
        Shot("location", place),
        *(
            Shot(f"location_{kind}", f"/app/inventory?walk={kind}&bin={bin_id}")
            for kind in ("count", "move", "find")
        ),
        Shot("sources", "/app/sources"),
        Shot("source", f"/app/sources?source={first['sources']}"),
        Shot("sets", "/app/userSets"),
        Shot("set", sets),
        Shot("orders", "/app/orders"),
        Shot("orders_table", "/app/orders?view=table"),
        Shot("orders_sale", "/app/orders", press("Record a sale")),
        Shot("order", order),
        Shot("order_refund", order, press("More", "Refund")),
        Shot("store", "/app/store"),
        Shot("store_sync", "/app/store", press("Compare with stock")),
        Shot("reports", "/app/reports"),
        Shot("settings", "/app/settings"),
        Shot("settings_store", "/app/settings#integrations"),
        Shot("settings_currency", "/app/settings", another_currency),
        Shot("profile", "/app/profile"),
        Shot("profile_session_ended", "/app/profile", ended),
    ]


@contextmanager
def running() -> Iterator[RunningApp]:
    """Yield the app with the demo in it."""
    with tempfile.TemporaryDirectory() as folder:
        app = RunningApp(Path(folder))
        app.prepare()
        app.start()
        try:
            yield app
        finally:
            app.stop()


def signed_in(browser: Browser, url: str, session: dict[str, Any] | None, **options: Any) -> Page:
    context = browser.new_context(base_url=url, **options)
    entries = {"theme": options.get("color_scheme", "light")}
    if session:
        entries |= {
            "user": json.dumps(session["user"]),
            "accessToken": session["accessToken"],
            "refreshToken": session["refreshToken"],
        }
    context.add_init_script(
        f"for (const [key, value] of Object.entries({json.dumps(entries)}))"
        " localStorage.setItem(key, value);"
    )
    page = context.new_page()
    watch_traffic(page)
    return page


def first_ids(page: Page) -> dict[str, int]:
    """A bin, a set, a source and an order of the demo, and its batch with the most new lots."""
    page.goto("/app/home")
    rows = {
        name: page.evaluate(
            """async (name) => {
              const headers = { Authorization: `Bearer ${localStorage.getItem("accessToken")}` };
              const answer = await fetch(`/api/${name}?page_size=100`, { headers });
              return (await answer.json()).data;
            }""",
            name,
        )
        for name in ("batches", "inventoryLocations", "userSets", "sources", "orders")
    }
    rows["batches"].sort(key=lambda batch: -batch["stats"]["new_lots"])
    return {name: found[0]["id"] for name, found in rows.items()}


def take(page: Page, shot: Shot, path: Path) -> None:
    page.goto(shot.path)
    try:
        settle(page)
        if shot.prepare:
            shot.prepare(page)
            page.wait_for_load_state("networkidle", timeout=4_000)
    except (BrowserError, AssertionError) as error:
        print(f"  {path.stem}: {str(error).splitlines()[0]}")
    page.evaluate(STILL)
    page.screenshot(path=path)


def sheet_of(names: list[str], width: int, theme: str) -> None:
    """Write all pages of one width and theme as one picture."""
    across = 10 if width < 600 else 6
    cell = 240 if width < 600 else 400
    pictures = [
        (name, Image.open(path).convert("RGB"))
        for name in names
        if (path := OUT / f"{name}_{width}_{theme}.png").exists()
    ]
    height = max(round(picture.height * cell / picture.width) for _, picture in pictures) + 20
    rows = -(-len(pictures) // across)
    sheet = Image.new("RGB", (across * (cell + 8), rows * (height + 8)), "#777777")
    write = ImageDraw.Draw(sheet)
    for place, (name, picture) in enumerate(pictures):
        x, y = place % across * (cell + 8), place // across * (height + 8)
        write.text((x + 4, y + 4), name, fill="white")
        sheet.paste(
            picture.resize((cell, round(picture.height * cell / picture.width))), (x, y + 18)
        )
    sheet.save(OUT / f"contact_{width}_{theme}.png")


def contact_sheet(names: list[str]) -> str:
    rows = []
    for name in names:
        cells = "".join(
            f'<a href="{name}_{width}_{theme}.png">'
            f'<img loading="lazy" src="{name}_{width}_{theme}.png" alt="{width} {theme}"></a>'
            for theme in THEMES
            for width, _ in SIZES
        )
        rows.append(f"<h2>{html.escape(name)}</h2><div>{cells}</div>")
    style = "div{display:flex;gap:8px;overflow:auto}img{height:300px;border:1px solid #999}"
    return f"<!doctype html><title>Pages</title><style>{style}</style>{''.join(rows)}"


def main(wanted: list[str]) -> None:
    path = find_chromium()
    if path is None:
        sys.exit(HOW)
    OUT.mkdir(parents=True, exist_ok=True)
    with running() as app, sync_playwright() as playwright:
        url = app.url
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        ids = first_ids(signed_in(browser, url, app.session(DEMO)))
        chosen = [
            shot
            for shot in shots(ids)
            if not wanted or any(shot.name.startswith(name) for name in wanted)
        ]
        widths = [int(one) for one in os.environ.get("WIDTHS", "").split(",") if one]
        themes = os.environ.get("THEMES", ",".join(THEMES)).split(",")
        for width, height in SIZES:
            if widths and width not in widths:
                continue
            for theme in themes:
                options = {
                    "viewport": {"width": width, "height": height},
                    "color_scheme": theme,
                    "has_touch": width < 600,
                    "permissions": [],
                }
                # A session of its own: each page begins with its first tokens, which end.
                for person in (None, app.session(DEMO)):
                    page = signed_in(browser, url, person, **options)
                    for shot in chosen:
                        if shot.anonymous == (person is None):
                            take(page, shot, OUT / f"{shot.name}_{width}_{theme}.png")
                    page.context.close()
                sheet_of([shot.name for shot in chosen], width, theme)
        browser.close()
    (OUT / "contact.html").write_text(contact_sheet([shot.name for shot in chosen]))
    print(f"{len(chosen)} pages and dialogs: {OUT / 'contact.html'}")


if __name__ == "__main__":
    main(sys.argv[1:])

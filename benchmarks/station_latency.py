"""How long the station makes one wait.

In the browser, on the real app in its embedded mode: from the key to the painted line; from the
moment a part is found to be still to the request; from the match to the bin on the screen.
On the server, with a full catalogue and 100,000 rows of stock: an add, with the destinations of
the top three candidates in one request, and how many queries that is with little stock and with all
of it.

    python -m benchmarks.station_latency        BENCH_ROWS=10000 for a quick look
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks._catalogue import catalogue
from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report
from benchmarks._station import station
from tests.e2e.video import sample, write_video

ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
ADDS = int(os.environ.get("BENCH_ADDS", "40"))
BINS, EMPTY_BINS = 3_000, 200
# Notes when a part was found to be still, when its request went out, and when a match came.
WATCH = """
window.marks = { steady: [], asked: [], matched: [], painted: [], pressed: 0 };
const PlainWorker = window.Worker;
window.Worker = class extends PlainWorker {
  constructor(...given) {
    super(...given);
    let before = '';
    this.addEventListener('message', ({ data }) => {
      if (data.look === 'steady' && before !== 'steady') marks.steady.push(performance.now());
      before = data.look;
    });
  }
};
const plainFetch = window.fetch;
window.fetch = async (input, init) => {
  const isOurs = String(input.url ?? input).includes('recognition/identify');
  if (isOurs) marks.asked.push(performance.now());
  const answer = await plainFetch(input, init);
  if (isOurs) {
    marks.matched.push(performance.now());
    const look = () => {
      if ([...document.querySelectorAll('h2')].some(h => /Put it in|Planned for/.test(h.textContent)))
        marks.bin = [...(marks.bin ?? []), performance.now()];
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }
  return answer;
};
window.timeAdd = () => new Promise(resolve => {
  const list = document.querySelector('section[aria-label="This session"]');
  const lines = () => list.querySelectorAll('[aria-label="Last added"] > li').length;
  const first = () => list.querySelector('[aria-label="Last added"] > li')?.textContent;
  const before = first(), count = lines();
  addEventListener('keydown', () => {
    const at = performance.now();
    const look = () => {
      if (first() === before && lines() === count) return requestAnimationFrame(look);
      // A message is delivered after the frame that this callback belongs to has been drawn.
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => resolve(performance.now() - at);
      drawn.port2.postMessage(null);
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true });
});
"""
PARTS = ("3001", "3003", "3004", "3010", "3020", "3022", "3023", "3024")


def p95(times: list[float]) -> float:
    """Return the value that 95 of 100 stay below."""
    return round(statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0], 1)


def in_the_browser(folder: Path) -> dict[str, float]:
    """Add by keys, then let the camera see a part some times."""
    film = write_video(
        folder / "film.mjpeg",
        [(sample("nothing"), 2), (sample("brick-2x4-blue"), 3)],
    )
    with station(film=film, bins=9, init=WATCH) as bench:
        page = bench.page
        # The camera first: it looks on while nothing is typed.
        for _ in range(4):
            bench.ready("3001")
            page.keyboard.press("Enter")
        bench.settled()
        marks = page.evaluate("() => marks")
        page.get_by_role("button", name="Hold the camera").click()
        if page.locator('section[aria-label^="Item "]').count():
            page.keyboard.press("Escape")
        page.get_by_role("combobox", name="Number or name").focus()
        painted = []
        for at in range(ADDS):
            number = PARTS[at % len(PARTS)]
            page.keyboard.type(number)
            page.keyboard.press("Enter")
            bench.ready(number)
            if bench.choose_color("1"):
                bench.ready(number)
            page.evaluate("() => { window.added = timeAdd(); }")
            page.keyboard.press("Enter")
            painted.append(page.evaluate("() => window.added"))
        bench.settled()
    asked = [
        min(at - still for still in marks["steady"] if still <= at)
        for at in marks["asked"]
        if any(still <= at for still in marks["steady"])
    ]
    shown = [
        min(at - match for match in marks["matched"] if match <= at) for at in marks.get("bin", [])
    ]
    return {
        "key_to_line_p95_ms": p95(painted),
        "key_to_line_p50_ms": round(statistics.median(painted), 1),
        "steady_to_request_ms": round(max(asked), 1),
        "match_to_bin_ms": round(max(shown), 1),
        "captures": float(len(asked)),
    }


def on_the_server() -> tuple[dict[str, float | str], dict[str, float], dict[str, Limit]]:
    """Measure on SQLite, and on PostgreSQL where it is installed."""
    figures: dict[str, float | str] = {}
    ratios: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    for name, found in on_each_database("station_latency", "measure"):
        figures |= {f"{name}_{key}": value for key, value in found.items()}
        ratios[f"{name}_queries_full_over_small"] = found["queries_full"] / found["queries_small"]
        limits[f"{name}_add_p95_ms"] = Limit(50 if name == "sqlite" else 60)
        limits[f"{name}_queries_full"] = Limit(14)
        limits[f"{name}_queries_full_over_small"] = Limit(1)
    return figures, ratios, limits


def measure(_: Path) -> dict[str, Any]:
    """Fill the database of the environment; return the figures."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from rest_framework.test import APIClient

    from apps.accounts.models import Preferences, User
    from apps.batches.models import Batch
    from apps.catalog.models import Lot
    from apps.core.startup import collect_garbage_less
    from apps.inventory.models import InventoryItem
    from apps.locations.models import Location

    owner = fill_store(ROWS)
    newcomer = User.objects.create_user("new@example.org", None, name="New")
    Preferences.objects.create(user=newcomer)
    Location.objects.create(owner=newcomer, name="A-1", code="A-1", sort_key="a")
    little = Location.objects.get(owner=newcomer)
    # Every third one is one that the owner has none of yet.
    owned = list(InventoryItem.objects.order_by("pk").values_list("lot_id", flat=True)[:20_000])
    others = list(Lot.objects.order_by("-pk").values_list("pk", flat=True)[:10_000])
    lots = [lot for pair in zip(owned[::2], owned[1::2], others, strict=False) for lot in pair]

    def adder(user: Any) -> Any:
        client = APIClient()
        client.force_authenticate(user)
        batch = Batch.objects.create(owner=user, name="Bench")

        def add(at: int) -> None:
            lot, *others = [lots[(at * 131 + 17 * each) % len(lots)] for each in range(3)]
            asked = {"lot": lot, "more_lots": ",".join(map(str, others)), "condition": "U"}
            answer = client.get("/api/inventoryItems/destinations", asked)
            assert answer.status_code == 200, answer.content[:300]
            offered = answer.json()["data"]
            body = {"batch_id": batch.pk, "lot_id": lot, "qty": 1, "condition": "U"}
            body["user_inventory_item_location_id"] = offered[0]["id"] if offered else None
            key = {"Idempotency-Key": f"{user.pk}-{at}"}
            made = client.post("/api/batchItems", body, format="json", headers=key)
            assert made.status_code == 201, made.content[:300]

        return add

    # A lot in some bin: a lot in none is read with fewer queries.
    for candidate in range(3):
        lot_id = lots[(131 + candidate * 17) % len(lots)]
        InventoryItem.objects.create(owner=newcomer, lot_id=lot_id, location=little, quantity=1)
    few, many = adder(newcomer), adder(owner)
    counts = {}
    for name, add in (("small", few), ("full", many)):
        add(0)
        with CaptureQueriesContext(connection) as queries:
            add(1)
        counts[name] = len(queries)
    collect_garbage_less()
    times = []
    for at in range(2, 2 + max(ADDS, 40)):
        started = time.perf_counter()
        many(at)
        times.append((time.perf_counter() - started) * 1000)
    return {
        "add_p95_ms": p95(times),
        "add_p50_ms": round(statistics.median(times), 1),
        "queries_small": counts["small"],
        "queries_full": counts["full"],
    }


def fill_store(rows: int) -> Any:
    """Import a whole catalogue; write `rows` rows of stock in 3,000 locations; return the user.

    The lots are spread over all categories, and most locations have a limit.
    """
    import random

    from django.db import connection
    from django.db.models import Sum

    from apps.accounts.models import Preferences, User
    from apps.catalog.models import Lot
    from apps.catalog.services.imports import ImportOptions, import_catalog
    from apps.core.clock import now
    from apps.inventory.models import InventoryItem
    from apps.locations.models import Location

    with tempfile.TemporaryDirectory() as folder:
        first, _, _ = catalogue(Path(folder))
        import_catalog(paths=first, options=ImportOptions(), clock=now)
    owner = User.objects.create_user("bench@example.org", None, name="Bench")
    Preferences.objects.create(user=owner)
    bins = Location.objects.bulk_create(
        [
            Location(
                owner=owner,
                name=f"B{place}",
                code=f"B{place}",
                sort_key=f"b{place:05d}",
                max_item_count=5_000 if place % 3 else None,
            )
            for place in range(BINS)
        ],
        batch_size=500,
    )
    parts = Lot.objects.filter(item__item_type="PART").order_by("pk")
    known = list(parts.values_list("pk", flat=True))
    random.Random(5).shuffle(known)
    InventoryItem.objects.bulk_create(
        (
            InventoryItem(
                owner=owner,
                lot_id=known[place % len(known)],
                location=bins[place % (BINS - EMPTY_BINS)],
                quantity=place % 90 + 1,
                price="0.1200",
                condition="NU"[place % 2],
            )
            for place in range(rows)
        ),
        batch_size=500,
    )
    held = InventoryItem.objects.order_by().values_list("location").annotate(Sum("quantity"))
    pieces = dict(held)
    for bin_ in bins:
        bin_.item_count = pieces.get(bin_.pk, 0)
    Location.objects.bulk_update(bins, ["item_count"], batch_size=300)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return owner


def main() -> int:
    """Measure both; print one JSON line."""
    with tempfile.TemporaryDirectory() as folder:
        browser = in_the_browser(Path(folder))
    server, ratios, limits = on_the_server()
    return report(
        "station_latency",
        figures={"rows": ROWS, **browser, **server},
        ratios=ratios,
        limits={
            "key_to_line_p95_ms": Limit(50),
            "steady_to_request_ms": Limit(350),
            "match_to_bin_ms": Limit(300),
            **limits,
        },
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

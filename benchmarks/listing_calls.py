"""List 5,000 lots to the demo store over real HTTP, then top 200 of them up, and count calls.

The store is a process's thread of its own, with the real one's limit of 5,000 calls a day;
the app lists through its own job. The baseline is what one would write first: a call for
each lot. At the end the store must equal the stock.

    python -m benchmarks.listing_calls
"""

import sys
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report

LOTS = 5_000
TOP_UPS = 200
DAILY = 5_000


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS, "top_ups": TOP_UPS, "calls_a_day": DAILY}
    ratios: dict[str, float] = {}
    limits = {}
    for name, found in on_each_database("listing_calls", "measure"):
        figures |= {f"{name}_{key}": value for key, value in found.items()}
        ratios[f"{name}_calls_per_new_lot"] = found["calls_new"] / LOTS
        ratios[f"{name}_calls_per_top_up"] = found["calls_top_up"] / TOP_UPS
        ratios[f"{name}_fewer_calls_than_one_a_lot"] = round(LOTS / found["calls_new"], 1)
        limits[f"{name}_calls_per_new_lot"] = Limit(0.1)
        limits[f"{name}_calls_per_top_up"] = Limit(1)
        limits[f"{name}_calls_in_all"] = Limit(DAILY)
        limits[f"{name}_lots_that_differ"] = Limit(0)
        limits[f"{name}_lots_listed"] = Limit(LOTS, at_least=True)
    return report("listing_calls", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """List in the database of the environment; return the figures."""
    from django.conf import settings

    from simulators.store.server import StoreServer

    server = StoreServer(daily_calls=DAILY)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    settings.MARKETPLACE_URL = server.url
    settings.MARKETPLACE_IS_DEMO = True
    settings.MARKETPLACE_DAILY_CALLS = DAILY
    owner, place = seller()
    started = time.perf_counter()
    calls_new = listed(owner, place, LOTS, server)
    took = time.perf_counter() - started
    calls_top_up = listed(owner, place, TOP_UPS, server)
    stock = server.sellers.register(f"user-{owner.pk}").stock
    there = {lot["inventory_id"]: lot["quantity"] for lot in stock.all()}
    figures = {
        "calls_new": calls_new,
        "calls_top_up": calls_top_up,
        "calls_in_all": sum(server.calls.values()),
        "lots_listed": len(there),
        "lots_that_differ": len(here(owner).items() ^ there.items()),
        "seconds_new": round(took, 1),
    }
    server.shutdown()
    return figures


def seller() -> tuple[Any, Any]:
    """Write the catalogue and one location of one user."""
    from apps.accounts.models import User
    from apps.catalog.models import Color, Item, Lot
    from apps.locations.models import Location

    Color.objects.bulk_create([Color(pk=n, name=f"Colour {n}") for n in range(1, 11)])
    items = Item.objects.bulk_create(
        Item(item_type="PART", number=str(n), number_key=str(n), name=f"Brick {n}")
        for n in range(10_001, 10_001 + LOTS // 10)
    )
    Lot.objects.bulk_create(
        (Lot(item=item, color_id=color) for item in items for color in range(1, 11)),
        batch_size=1_000,
    )
    owner = User.objects.create_user("bench@example.org", None, name="Bench")
    place = Location.objects.create(owner=owner, name="B-1", code="B-1", sort_key="b-1")
    return owner, place


def listed(owner: Any, place: Any, count: int, server: Any) -> int:
    """Stow a batch of the first lots, list it through its job; return the calls of that."""
    from apps.batches.models import Batch, BatchItem
    from apps.batches.services.stowing import Chosen, StowOptions, stow_items
    from apps.catalog.models import Lot
    from apps.core.clock import now
    from apps.core.testing.jobs import run_jobs
    from apps.listings.services.listing import start_listing

    batch = Batch.objects.create(owner=owner, name="Bench")
    lots = list(Lot.objects.order_by("pk").values_list("pk", flat=True)[:count])
    BatchItem.objects.bulk_create(
        (
            BatchItem(
                owner=owner, batch=batch, lot_id=lot, location=place, quantity=3, price="0.10"
            )
            for lot in lots
        ),
        batch_size=1_000,
    )
    stow_items(batch=batch, chosen=Chosen(), options=StowOptions(), by=owner, now=now())
    run_jobs()
    before = sum(server.calls.values())
    start_listing(batch=batch, chosen=Chosen(), stockroom=None, now=now())
    ran = run_jobs()
    assert ran[-1].state == "succeeded", (ran[-1].message, ran[-1].failed[:3])
    assert not BatchItem.objects.filter(batch=batch, is_listed=False).exists()
    return sum(server.calls.values()) - before


def here(owner: Any) -> dict[int, int]:
    """Return the pieces of our stock by lot of the store."""
    from django.db.models import Sum

    from apps.inventory.models import InventoryItem

    rows = InventoryItem.objects.owned_by(owner).values("marketplace_lot_id")
    return dict(rows.annotate(all=Sum("quantity")).values_list("marketplace_lot_id", "all"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

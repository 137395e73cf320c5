"""Get the prices of a whole store from the demo store, and count the calls, day by day.

The store is a thread with the real one's limit of 5,000 calls a day over real HTTP; the app asks
through its own job, whose clock is put on by a day whenever the job waits for tomorrow. The
baseline is what one lot costs when its item is opened: all sixteen figures.

    python -m benchmarks.price_calls
"""

import datetime as dt
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report

LOTS = 10_000
FEW = 1_000
PART_OUT = 773
OPENED = 14
DAILY = 5_000
BASES = ("reference", "sold", "asked", "lowest")
MORNING = dt.datetime(2026, 11, 22, 6, 0, tzinfo=dt.UTC)


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS, "calls_a_day": DAILY}
    ratios: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    for name, told in on_each_database("price_calls", "measure"):
        figures |= {f"{name}_{key}": value for key, value in told.items()}
        ratios[f"{name}_fewer_calls_than_all_figures"] = round(
            told["calls_of_an_opened_lot"] / told["calls_per_lot_reference"], 1
        )
        limits[f"{name}_days"] = Limit(3)
        limits[f"{name}_overshoot"] = Limit(0)
        limits[f"{name}_refused_by_the_store"] = Limit(0)
        limits[f"{name}_lots_without_an_answer"] = Limit(0)
        limits[f"{name}_calls_of_a_part_out"] = Limit(800)
        limits[f"{name}_calls_of_a_part_out_again"] = Limit(0)
        limits[f"{name}_calls_per_lot_reference"] = Limit(1.2)
        for basis in BASES[1:]:
            limits[f"{name}_calls_per_lot_{basis}"] = Limit(1)
    return report("price_calls", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """Get prices in the database of the environment; return the figures."""
    from django.conf import settings

    from apps.catalog.models import PriceStat

    settings.MARKETPLACE_IS_DEMO = True
    settings.MARKETPLACE_DAILY_CALLS = DAILY
    seller(LOTS)
    with store(settings) as server:
        started = time.perf_counter()
        days = get_all(person("reference"), server, LOTS)
        took = time.perf_counter() - started
    told = {
        "days": len(days),
        **{f"calls_on_day_{number}": calls for number, calls in enumerate(days, 1)},
        "overshoot": max(0, max(days) - DAILY * 80 // 100),
        "refused_by_the_store": server.sellers.refused,
        "calls_per_lot_reference": round(sum(days) / LOTS, 3),
        "lots_without_an_answer": LOTS - PriceStat.objects.filter(region="global").count(),
        "seconds": round(took, 1),
    }
    for basis in BASES[1:]:
        PriceStat.objects.all().delete()
        with store(settings) as server:
            told[f"calls_per_lot_{basis}"] = sum(get_all(person(basis), server, FEW)) / FEW
    PriceStat.objects.all().delete()
    with store(settings) as server:
        told["calls_of_a_part_out"] = sum(get_all(person("sold"), server, PART_OUT))
        told["calls_of_a_part_out_again"] = sum(get_all(person("sold"), server, PART_OUT))
        told["calls_of_an_opened_lot"] = opened(server) / OPENED
    return told


@contextmanager
def store(settings: Any) -> Iterator[Any]:
    """A new store, so that a new day of calls begins."""
    from simulators.store.server import StoreServer

    server = StoreServer(daily_calls=DAILY)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    settings.MARKETPLACE_URL = server.url
    try:
        yield server
    finally:
        server.shutdown()


def seller(lots: int) -> None:
    """Write the catalogue."""
    from apps.catalog.models import Color, Item, Lot

    Color.objects.bulk_create([Color(pk=n, name=f"Colour {n}") for n in range(1, 11)])
    items = Item.objects.bulk_create(
        Item(item_type="PART", number=str(n), number_key=str(n), name=f"Brick {n}")
        for n in range(10_001, 10_001 + lots // 10)
    )
    Lot.objects.bulk_create(
        (Lot(item=item, color_id=color) for item in items for color in range(1, 11)),
        batch_size=1_000,
    )


def person(basis: str) -> Any:
    """Return a new user with a connected store and this price rule."""
    from apps.accounts.models import User
    from apps.catalog.models import PriceSetting
    from apps.marketplace.services.connections import connect_demo_store

    count = User.objects.count()
    owner = User.objects.create_user(f"bench{count}@example.org", None, name="Bench")
    PriceSetting.objects.create(user=owner, basis=basis)
    connect_demo_store(owner=owner, now=MORNING)
    return owner


def get_all(owner: Any, server: Any, lots: int) -> list[int]:
    """Get the prices of the first lots; return the calls of each day that it took."""
    from apps.catalog.models import Lot
    from apps.core.jobs.models import Job
    from apps.core.jobs.runner import run_job
    from apps.marketplace import tasks
    from apps.marketplace.rules.wants import Wanted
    from apps.marketplace.services.wants import want_prices

    today = [MORNING]
    tasks.now = lambda: today[0]
    ids = Lot.objects.order_by("pk").values_list("pk", flat=True)[:lots]
    wanted = [Wanted(pk, "U", pk % 90 + 1, None) for pk in ids]
    job = want_prices(owner=owner, wanted=wanted, now=MORNING).job
    days: list[int] = []
    while job is not None:
        before = guide_calls(server)
        run_job(job.pk)
        days.append(guide_calls(server) - before)
        job = Job.objects.get(pk=job.pk)
        if job.state == "succeeded":
            assert job.failed_count == 0, job.failed[:3]
            break
        assert job.state == "queued", (job.state, job.message)
        assert job.not_before is not None
        # The next day: the store's count starts at 0, too.
        today[0] = job.not_before + dt.timedelta(minutes=1)
        server.sellers.begin_day()
        Job.objects.filter(pk=job.pk).update(not_before=None)
    return days


def opened(server: Any) -> int:
    """Open some items, each with all figures; return the calls."""
    from apps.catalog.models import Lot
    from apps.core.testing.jobs import run_jobs
    from apps.marketplace.services.refreshes import start_refresh

    before = guide_calls(server)
    ids = list(Lot.objects.order_by("-pk").values_list("pk", flat=True)[:OPENED])
    start_refresh(owner=person("reference"), lot_ids=ids, now=MORNING)
    assert run_jobs()[-1].state == "succeeded"
    return guide_calls(server) - before


def guide_calls(server: Any) -> int:
    return int(sum(count for name, count in server.calls.items() if name.endswith("/price")))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

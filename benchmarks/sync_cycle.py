"""A store of 50,000 lots is brought in step: 200 lots changed here, 200 others sold there.

Then twice when nothing changed, which is what a schedule mostly does: the first compares every lot,
the second finds the same answer. The store is a process of its own; so is every phase, so that memory is the worker's own.

    python -m benchmarks.sync_cycle            BENCH_LOTS=5000 for a quick look
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import bsx_import, store_pull
from benchmarks._report import Limit, report, temporary_postgres

LOTS = int(os.environ.get("BENCH_LOTS", "50000"))
CHANGED = 200


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS, "changed": CHANGED}
    limits: dict[str, Limit] = {}
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as postgres:
        from benchmarks._store import write_file

        file = Path(folder) / "store.bsx"
        write_file(file, LOTS)
        urls = {"sqlite": f"sqlite:///{folder}/bench.sqlite3"}
        if postgres is not None:
            urls["postgres"] = postgres
        for name, url in urls.items():
            for key, value in _measure(url, folder, file).items():
                figures[f"{name}_{key}"] = round(value, 2)
            # Orders, the store, and one call for each lot that changed here.
            limits[f"{name}_calls"] = Limit(2 + CHANGED)
            limits[f"{name}_idle_calls"] = Limit(2)
            limits[f"{name}_idle_again_calls"] = Limit(2)
            limits[f"{name}_peak_mb"] = Limit(250)
    return report("sync_cycle", figures=figures, ratios={}, limits=limits)


def _measure(url: str, folder: str, file: Path) -> dict[str, float]:
    env = {
        **os.environ,
        "BENCH_LOTS": str(LOTS),
        "DATABASE_URL": url,
        "VAR_DIR": folder,
        "LOG_LEVEL": "ERROR",
        bsx_import.OWN_DATABASE: url,
    }

    def phase(module: str, what: str) -> dict[str, float]:
        command = [sys.executable, "-m", f"benchmarks.{module}", what, str(file)]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
        return dict(json.loads(done.stdout.splitlines()[-1]))

    phase("store_pull", "prepare")
    phase("store_pull", "empty")
    command = [sys.executable, "-m", "benchmarks.store_pull", "serve", str(file)]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as store:
        assert store.stdout is not None
        env["MARKETPLACE_URL"] = store.stdout.readline().strip()
        try:
            phase("store_pull", "pull")
            both = phase("sync_cycle", "both")
            idle = phase("sync_cycle", "idle")
            again = phase("sync_cycle", "idle")
        finally:
            store.terminate()
    return {
        **both,
        **{f"idle_{name}": value for name, value in idle.items()},
        **{f"idle_again_{name}": value for name, value in again.items()},
    }


# -- Phases, each in its own process ---------------------------------------------------------


def both(file: Path) -> dict[str, float]:
    """Change 200 lots here and sell from 200 others there; sync."""
    from apps.inventory.models import InventoryItem, Movement

    # The prices of the file are invented: with tiers the market would refuse some lots.
    plain = InventoryItem.objects.filter(quantity__gt=1, tq1=0).order_by("pk")
    rows = list(plain[: 2 * CHANGED])
    here, there = rows[:CHANGED], rows[CHANGED:]
    for row in here:
        InventoryItem.objects.filter(pk=row.pk).update(comments="Washed")
    sold = {str(row.marketplace_lot_id): 1 for row in there}
    store_pull._tell("store", {"name": store_pull.SELLER, "sell": sold})
    del rows, here, there
    measured = _synced({"changed": CHANGED, "sent": CHANGED})
    if Movement.objects.filter(reason="sale").count() != CHANGED:
        raise SystemExit("not every sale was booked")
    return measured


def idle(file: Path) -> dict[str, float]:
    """Sync again: nothing changed on either side."""
    return _synced({"changed": 0, "sent": 0})


def _synced(expected: dict[str, int]) -> dict[str, float]:
    from apps.accounts.models import User
    from apps.core.clock import now
    from apps.core.jobs.runner import run_job
    from apps.core.startup import collect_garbage_less
    from apps.listings.services.store_sync import start_cycle

    collect_garbage_less()
    began, cpu = time.perf_counter(), time.process_time()
    sync = start_cycle(owner=User.objects.get(), now=now())
    run_job(str(sync.job_id))
    sync.refresh_from_db()
    found: dict[str, Any] = {name: sync.counts.get(name) for name in expected}
    if found != expected or sync.state != "applied":
        raise SystemExit(f"{sync.state} {sync.reason} {sync.counts}, not {expected}")
    return {
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "calls": sync.counts["calls"],
        "peak_mb": bsx_import.peak_mb(),
    }


PHASES: dict[str, Callable[[Path], dict[str, float]]] = {"both": both, "idle": idle}

if __name__ == "__main__":
    if len(sys.argv) == 3:
        if not os.environ.get(bsx_import.OWN_DATABASE):
            sys.exit("The phases of this benchmark are started by the benchmark alone.")
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
        django.setup()
        print(json.dumps(PHASES[sys.argv[1]](Path(sys.argv[2]))))
    else:
        sys.exit(main())

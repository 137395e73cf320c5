"""A store of 50,000 lots is pulled into an empty account, and again when 200 of them sold.

The store is a process of its own; so is every phase, so that memory is the worker's own. Beside
it the import of the same lots from a BSX file, as `bsx_import` times it.

    python -m benchmarks.store_pull            BENCH_LOTS=5000 for a quick look
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import bsx_import
from benchmarks._report import Limit, report, temporary_postgres

LOTS = int(os.environ.get("BENCH_LOTS", "50000"))
SOLD = 200
SELLER = "user-1"


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS}
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
            for figure in ("", "again_"):
                limits[f"{name}_{figure}peak_mb"] = Limit(250)
                limits[f"{name}_{figure}longest_transaction_ms"] = Limit(100)
            limits[f"{name}_reading_calls"] = Limit(1)
    return report("store_pull", figures=figures, ratios={}, limits=limits)


def _measure(url: str, folder: str, file: Path) -> dict[str, float]:
    env = {
        **os.environ,
        "BENCH_LOTS": str(LOTS),
        "DATABASE_URL": url,
        "VAR_DIR": folder,
        "LOG_LEVEL": "ERROR",
        bsx_import.OWN_DATABASE: url,
    }

    def phase(what: str) -> dict[str, float]:
        command = [sys.executable, "-m", "benchmarks.store_pull", what, str(file)]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
        return dict(json.loads(done.stdout.splitlines()[-1]))

    phase("prepare")
    imported = phase("import")
    phase("empty")
    command = [sys.executable, "-m", "benchmarks.store_pull", "serve", str(file)]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as store:
        assert store.stdout is not None
        env["MARKETPLACE_URL"] = store.stdout.readline().strip()
        try:
            first = phase("pull")
            again = phase("again")
        finally:
            store.terminate()
    return {
        **first,
        **{f"again_{name}": value for name, value in again.items()},
        "bsx_import_seconds": imported["seconds"],
    }


# -- Phases, each in its own process ---------------------------------------------------------


def serve(file: Path) -> dict[str, float]:
    """Be the store, with the lots of the file, until it is stopped."""
    from apps.exchange.bsx_reader import read_bsx
    from simulators.store.server import StoreServer

    server = StoreServer()
    stock = server.sellers.register(SELLER).stock
    stock.currency = "EUR"
    with file.open("rb") as stream:
        stock.add([_told(lot) for lot in read_bsx(stream)])
    print(server.url, flush=True)
    server.serve_forever()
    return {}


def _told(lot: Any) -> dict[str, Any]:
    tiers = {f"tier_quantity{n}": getattr(lot, f"tq{n}") for n in (1, 2, 3)}
    prices = {f"tier_price{n}": f"{getattr(lot, f'tp{n}'):.4f}" for n in (1, 2, 3)}
    return {
        "inventory_id": lot.marketplace_lot_id,
        "item": {"no": lot.item_number, "name": lot.item_name, "type": "PART", "category_id": 5},
        "color_id": lot.color_id,
        "color_name": lot.color_name,
        "quantity": lot.quantity,
        "new_or_used": lot.condition,
        "unit_price": f"{lot.price:.4f}",
        "bind_id": 0,
        "description": lot.comments,
        "remarks": lot.remarks,
        "bulk": lot.bulk,
        "is_retain": lot.retain,
        "is_stock_room": False,
        "date_created": "2024-04-28T04:00:00.000Z",
        "my_cost": f"{lot.cost:.4f}",
        "sale_rate": lot.sale,
        **tiers,
        **prices,
        "my_weight": "0.0000",
    }


def pull(file: Path) -> dict[str, float]:
    """Pull into an empty account: every lot is new."""
    from django.conf import settings

    from apps.accounts.models import User
    from apps.core.clock import now
    from apps.inventory.models import ChannelLot, InventoryItem, Movement
    from apps.marketplace.services.connections import connect_demo_store

    settings.MARKETPLACE_IS_DEMO = True
    connect_demo_store(owner=User.objects.get(), now=now())
    measured = _pulled({"created": LOTS})
    for model in (InventoryItem, Movement, ChannelLot):
        if model.objects.count() != LOTS:
            raise SystemExit(f"{model.__name__}: {model.objects.count()}, not {LOTS}")
    return measured


def again(file: Path) -> dict[str, float]:
    """Pull again after buyers took a piece of some lots."""
    from apps.inventory.models import InventoryItem, Movement

    many = InventoryItem.objects.filter(quantity__gt=1).order_by("pk")[:SOLD]
    sold = {str(row.marketplace_lot_id): 1 for row in many}
    _tell("store", {"name": SELLER, "sell": sold})
    measured = _pulled({"changed": SOLD, "unchanged": LOTS - SOLD})
    if Movement.objects.filter(reason="sale").count() != SOLD:
        raise SystemExit("not every sale was booked")
    return measured


def _pulled(expected: dict[str, int]) -> dict[str, float]:
    from apps.accounts.models import User
    from apps.core.clock import now
    from apps.core.jobs.runner import run_job
    from apps.core.startup import collect_garbage_less
    from apps.inventory.services.bsx_sync import start_apply
    from apps.listings.services.store_pull import start_pull

    collect_garbage_less()
    user = User.objects.get()
    calls = _calls()
    longest = bsx_import.watch_transactions()
    began, cpu = time.perf_counter(), time.process_time()
    sync = start_pull(owner=user, by=user, now=now())
    run_job(str(sync.job_id))
    previewed = time.perf_counter()
    sync.refresh_from_db()
    counted = {name: sync.counts.get(name) for name in expected}
    if counted != expected:
        raise SystemExit(
            f"previewed {sync.counts}, not {expected}: {sync.job and sync.job.message}"
        )
    start_apply(sync=sync, confirm_zeroed=None, by=user)
    run_job(str(sync.job_id))
    ended = time.perf_counter()
    return {
        "seconds": ended - began,
        "cpu": time.process_time() - cpu,
        "preview": previewed - began,
        "apply": ended - previewed,
        "peak_mb": bsx_import.peak_mb(),
        "longest_transaction_ms": max(longest) * 1000,
        "reading_calls": _calls() - calls,
    }


def _calls() -> float:
    told = _tell("calls", None)
    return float(told["calls"].get("GET /inventories", 0))


def _tell(what: str, body: dict[str, Any] | None) -> Any:
    from django.conf import settings

    address = settings.MARKETPLACE_URL.partition("/api/")[0] + f"/_control/{what}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        address, data=data, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        # A store answers with all its lots: read here they would count as the worker's memory.
        return json.load(answer) if body is None else None


PHASES: dict[str, Callable[[Path], dict[str, float]]] = {
    "prepare": bsx_import.prepare,
    "empty": bsx_import.empty,
    "import": bsx_import.run_import,
    "serve": serve,
    "pull": pull,
    "again": again,
}

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

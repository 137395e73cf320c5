"""BSX import of 100,000 lots: file to committed rows with ledger, against the floor.

The floor reads the same file with a hardened `lxml.iterparse` and writes the same rows
(items, movements, what the store has) into the same tables with one bare `executemany` (SQLite) or `COPY`
(PostgreSQL). The baseline does the first rows of the file with django-import-export,
without ledger. While the file is imported once more, a station adds to a batch of its own:
`add_p95_ms_during_import`, in a process of its own. Every phase is a process of its own, so that memory is the worker's own.

    python -m benchmarks.bsx_import            BENCH_LOTS=10000 for a quick look
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

from benchmarks._report import Limit, report, temporary_postgres

LOTS = int(os.environ.get("BENCH_LOTS", "100000"))
BASELINE_LOTS = min(LOTS, 5_000)
OWN_DATABASE = "BENCH_OWN_DATABASE"  # a phase empties tables: never those of a real store
ROUNDS = 3  # the best of three: the machine is shared


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS}
    ratios: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as postgres:
        from benchmarks._store import write_file

        file = Path(folder) / "store.bsx"
        write_file(file, LOTS)
        figures["file_mb"] = round(file.stat().st_size / 1e6, 1)
        urls = {"sqlite": f"sqlite:///{folder}/bench.sqlite3"}
        if postgres is not None:
            urls["postgres"] = postgres
        for name, url in urls.items():
            _measure(name, url, folder, file, figures, ratios)
    limits = {}
    for name in urls:
        limits[f"{name}_over_floor"] = Limit(2.5)
        limits[f"{name}_longest_transaction_ms"] = Limit(100)
        limits[f"{name}_peak_mb"] = Limit(200)
        limits[f"{name}_faster_than_import_export"] = Limit(10, at_least=True)
    return report("bsx_import", figures=figures, ratios=ratios, limits=limits)


def _measure(
    name: str,
    url: str,
    folder: str,
    file: Path,
    figures: dict[str, float | str],
    ratios: dict[str, float],
) -> None:
    def start(what: str) -> "subprocess.Popen[str]":
        env = {
            **os.environ,
            "DATABASE_URL": url,
            "VAR_DIR": folder,
            "LOG_LEVEL": "ERROR",
            OWN_DATABASE: url,
        }
        command = [sys.executable, "-m", "benchmarks.bsx_import", what, str(file)]
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    def end(started: "subprocess.Popen[str]") -> dict[str, float]:
        out, _ = started.communicate()
        if started.returncode:
            raise SystemExit(f"{started.args!r} ended with {started.returncode}")
        return dict(json.loads(out.splitlines()[-1]))

    def phase(what: str) -> dict[str, float]:
        return end(start(what))

    phase("prepare")
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        phase("empty")
        imported, floor = phase("import"), phase("floor")
        if not best or imported["seconds"] / floor["seconds"] < best["ratio"]:
            best = {
                **imported,
                "floor": floor["seconds"],
                "floor_read": floor["read"],
                "floor_cpu": floor["cpu"],
                "ratio": imported["seconds"] / floor["seconds"],
            }
    phase("empty")
    stop_sign(file).unlink(missing_ok=True)
    station = start("station")
    phase("import")
    stop_sign(file).touch()
    beside = end(station)
    for key in ("adds", "add_p50_ms", "add_p95_ms", "add_max_ms"):
        figures[f"{name}_{key}_during_import"] = round(beside[key], 1)
    baseline = phase("baseline")
    for key in ("seconds", "preview", "apply", "peak_mb", "longest_transaction_ms"):
        figures[f"{name}_{key}"] = round(best[key], 3)
    figures[f"{name}_cpu_seconds"] = round(best["cpu"], 3)
    figures[f"{name}_floor_cpu_seconds"] = round(best["floor_cpu"], 3)
    figures[f"{name}_floor_seconds"] = round(best["floor"], 3)
    figures[f"{name}_floor_reading_seconds"] = round(best["floor_read"], 3)
    figures[f"{name}_lots_per_second"] = round(LOTS / best["seconds"])
    figures[f"{name}_import_export_lots_per_second"] = round(baseline["rate"])
    ratios[f"{name}_over_floor"] = round(best["ratio"], 2)
    ratios[f"{name}_faster_than_import_export"] = round(
        LOTS / best["seconds"] / baseline["rate"], 1
    )


# -- Phases, each in its own process ---------------------------------------------------------


def prepare(file: Path) -> dict[str, float]:
    from django.core.management import call_command

    from apps.accounts.models import Preferences, User
    from benchmarks._store import fill_catalogue

    call_command("migrate", verbosity=0)
    fill_catalogue(LOTS)
    user = User.objects.create_user("bench@example.org", "x", name="Bench")
    Preferences.objects.create(user=user, currency="EUR")
    return {}


def run_import(file: Path) -> dict[str, float]:
    """Upload, preview and apply through the jobs, as the web and the worker do."""
    from django.core.files import File

    from apps.accounts.models import User
    from apps.core.jobs.runner import run_job
    from apps.core.startup import collect_garbage_less
    from apps.inventory.models import InventoryItem, Movement
    from apps.inventory.services.bsx_sync import SyncOptions, start_apply, start_sync

    collect_garbage_less()
    user = User.objects.get()
    longest = watch_transactions()
    began, cpu = time.perf_counter(), time.process_time()
    with file.open("rb") as stream:
        sync = start_sync(
            owner=user, file=File(stream), file_name="store.bsx", options=SyncOptions(), by=user
        )
    run_job(str(sync.job_id))
    previewed = time.perf_counter()
    start_apply(sync=sync, confirm_zeroed=None, by=user)
    run_job(str(sync.job_id))
    ended, cpu = time.perf_counter(), time.process_time() - cpu
    sync.refresh_from_db()
    counted = (
        sync.applied_counts["created"],
        InventoryItem.objects.count(),
        Movement.objects.count(),
    )
    if counted != (LOTS, LOTS, LOTS):
        raise SystemExit(f"imported {counted}, not {LOTS}")
    return {
        "seconds": ended - began,
        "cpu": cpu,
        "preview": previewed - began,
        "apply": ended - previewed,
        "peak_mb": peak_mb(),
        "longest_transaction_ms": max(longest) * 1000,
    }


def stop_sign(file: Path) -> Path:
    """The file whose presence ends the station."""
    return file.with_suffix(".stop")


def station(file: Path) -> dict[str, float]:
    """Add a piece to a batch ten times a second until the import beside it is done."""
    from rest_framework.test import APIClient

    from apps.accounts.models import User
    from apps.catalog.models import Lot

    client = APIClient()
    client.force_authenticate(User.objects.get())
    made = client.post("/api/batches", {"name": f"Beside {time.time()}"}, format="json")
    batch_id = made.json()["data"][0]["id"]
    lots = list(Lot.objects.order_by("pk").values_list("pk", flat=True)[:500])
    took: list[float] = []
    while not stop_sign(file).exists():
        body = {"batch_id": batch_id, "lot_id": lots[len(took) % len(lots)], "qty": 1}
        began = time.perf_counter()
        answer = client.post("/api/batchItems", body, format="json")
        took.append((time.perf_counter() - began) * 1000)
        if answer.status_code != 201:
            raise SystemExit(f"an add was answered {answer.status_code}: {answer.content!r}")
        time.sleep(0.1)
    took.sort()
    return {
        "adds": len(took),
        "add_p50_ms": took[len(took) // 2],
        "add_p95_ms": took[int(len(took) * 0.95)],
        "add_max_ms": took[-1],
    }


def floor(file: Path) -> dict[str, float]:
    """Read the file bare, then write the rows of the last import bare."""
    from django.db import connection
    from lxml import etree

    tables = {}
    for table in ("inventory_inventoryitem", "inventory_movement", "inventory_channellot"):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table} ORDER BY id")
            columns = [column[0] for column in cursor.description]
            tables[table] = (columns, [tuple(map(as_text, row)) for row in cursor.fetchall()])
    empty_stock(keep_locations=True)
    began, cpu = time.perf_counter(), time.process_time()
    read = 0
    for _, element in etree.iterparse(
        str(file),
        tag="Item",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    ):
        row = {child.tag: child.text for child in element}
        read += bool(row)
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    parsed = time.perf_counter()
    for table, (columns, rows) in tables.items():
        write_bare(connection, table, columns, rows)
    ended, cpu = time.perf_counter(), time.process_time() - cpu
    if read != LOTS:
        raise SystemExit(f"read {read}, not {LOTS}")
    return {"seconds": ended - began, "cpu": cpu, "read": parsed - began}


def write_bare(
    connection: Any, table: str, columns: list[str], rows: list[tuple[Any, ...]]
) -> None:
    from django.db import transaction

    names = ", ".join(f'"{column}"' for column in columns)
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with (
                connection.cursor() as cursor,
                cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy,
            ):
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join("?" * len(columns))
        connection.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)


def baseline(file: Path) -> dict[str, float]:
    """The same file through django-import-export in bulk mode, as its own admin does it: a dry
    run that a person confirms (our preview), then the import; no ledger."""
    from import_export import fields, resources
    from import_export.widgets import ForeignKeyWidget
    from tablib import Dataset

    from apps.accounts.models import User
    from apps.catalog.models import Lot
    from apps.exchange.bsx_reader import read_bsx
    from apps.inventory.models import InventoryItem
    from apps.inventory.rules.bsx_fields import plain_values
    from apps.inventory.rules.file_columns import FILE_COLUMNS

    empty_stock()
    user = User.objects.get()

    class LotWidget(ForeignKeyWidget):
        def get_queryset(self, value: Any, row: Any, *args: Any, **kwargs: Any) -> Any:
            return Lot.objects.filter(color_id=row["raw_color_id"])

    class ItemResource(resources.ModelResource):
        lot = fields.Field("raw_item_number", "lot", LotWidget(Lot, "item__number"))

        class Meta:
            model = InventoryItem
            fields = ("lot", "quantity", *(name for name in FILE_COLUMNS if name != "extra"))
            import_id_fields = ("marketplace_lot_id",)
            use_bulk = True
            batch_size = 1_000
            skip_diff = True
            use_transactions = True

        def before_save_instance(self, instance: Any, row: Any, **kwargs: Any) -> None:
            instance.owner = user

    began = time.perf_counter()
    names = [name for name in FILE_COLUMNS if name != "extra"]
    rows = Dataset(headers=["quantity", *names])
    with file.open("rb") as stream:
        for lot in read_bsx(stream):
            rows.append([lot.quantity, *plain_values(lot)[:-1]])
            if len(rows) == BASELINE_LOTS:
                break
    ItemResource().import_data(rows, dry_run=True, raise_errors=True)
    result = ItemResource().import_data(rows, raise_errors=True)
    ended = time.perf_counter()
    if result.totals["new"] != BASELINE_LOTS:
        raise SystemExit(f"import-export wrote {result.totals}")
    return {"rate": BASELINE_LOTS / (ended - began)}


def empty(file: Path) -> dict[str, float]:
    """By itself: emptying reads the whole store, which would count as the worker's memory."""
    empty_stock()
    return {}


def empty_stock(*, keep_locations: bool = False) -> None:
    """Empty the tables that an import fills, bare: the models would refuse."""
    from django.db import connection

    tables = [
        "inventory_movement",
        "inventory_channellot",
        "inventory_syncchunk",
        "inventory_inventoryitem",
        "inventory_inventorysync",
    ]
    if not keep_locations:
        tables.append("locations_location")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Not DELETE and VACUUM: statistics of "no rows" make each foreign key check a scan.
            cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
            return
        # The database keeps the ledger of any account that is not being erased.
        cursor.execute("INSERT INTO accounts_erasure (holder_id) SELECT id FROM accounts_user")
        for table in [*tables, "accounts_erasure"]:
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute("VACUUM")


def as_text(value: Any) -> Any:
    """Values as the driver takes them without thinking: decimals, instants and JSON as text."""
    if value is None or isinstance(value, int | float | str):
        return value
    return json.dumps(value) if isinstance(value, dict | list) else str(value)


def watch_transactions() -> list[float]:
    """Note how long each outermost transaction lasts."""
    from django.db import transaction

    lasted = [0.0]
    enter, leave = transaction.Atomic.__enter__, transaction.Atomic.__exit__
    began: list[float] = []

    def entered(self: Any) -> None:
        enter(self)
        began.append(time.perf_counter())

    def left(self: Any, *problem: Any) -> Any:
        start = began.pop()
        result = leave(self, *problem)
        if not began:
            lasted.append(time.perf_counter() - start)
        return result

    transaction.Atomic.__enter__, transaction.Atomic.__exit__ = entered, left  # type: ignore[method-assign]
    return lasted


def peak_mb() -> float:
    """Return the most memory that this process held."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


PHASES: dict[str, Callable[[Path], dict[str, float]]] = {
    "prepare": prepare,
    "empty": empty,
    "import": run_import,
    "station": station,
    "floor": floor,
    "baseline": baseline,
}

if __name__ == "__main__":
    if len(sys.argv) == 3:
        if not os.environ.get(OWN_DATABASE):
            sys.exit("The phases of this benchmark are started by the benchmark alone.")
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
        django.setup()
        print(json.dumps(PHASES[sys.argv[1]](Path(sys.argv[2]))))
    else:
        sys.exit(main())

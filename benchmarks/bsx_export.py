"""BSX export of 100,000 lots: job to finished file, against the floor.

The floor reads the same rows with a bare query of the driver and writes the same text
with a bare template, without decimals, checks, progress or a report of omitted lots. It
stops with an error where its file differs from ours in more than that. Every phase is a
process of its own.

    python -m benchmarks.bsx_export            BENCH_LOTS=10000 for a quick look
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
ROUNDS = 3  # the best of three: the machine is shared
PAGE = 2_000


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS}
    ratios: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as postgres:
        from benchmarks._store import write_file

        file = Path(folder) / "store.bsx"
        write_file(file, LOTS)
        urls = {"sqlite": f"sqlite:///{folder}/bench.sqlite3"}
        if postgres is not None:
            urls["postgres"] = postgres
        for name, url in urls.items():
            _measure(name, url, folder, file, figures, ratios)
    limits = {f"{name}_over_floor": Limit(2) for name in urls}
    return report("bsx_export", figures=figures, ratios=ratios, limits=limits)


def _measure(
    name: str,
    url: str,
    folder: str,
    file: Path,
    figures: dict[str, float | str],
    ratios: dict[str, float],
) -> None:
    def phase(what: str) -> dict[str, float]:
        env = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
        command = [sys.executable, "-m", "benchmarks.bsx_export", what, str(file)]
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
        return dict(json.loads(done.stdout.splitlines()[-1]))

    phase("prepare")
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        exported, floor = phase("export"), phase("floor")
        if floor["bytes"] != exported["bytes"]:
            raise SystemExit(f"the floor wrote {floor['bytes']} bytes, not {exported['bytes']}")
        ratio = exported["seconds"] / floor["seconds"]
        if not best or ratio < best["ratio"]:
            best = {**exported, "floor": floor["seconds"], "ratio": ratio}
    figures["file_mb"] = round(best["bytes"] / 1e6, 1)
    figures[f"{name}_seconds"] = round(best["seconds"], 3)
    figures[f"{name}_floor_seconds"] = round(best["floor"], 3)
    figures[f"{name}_lots_per_second"] = round(LOTS / best["seconds"])
    figures[f"{name}_peak_mb"] = round(best["peak_mb"])
    ratios[f"{name}_over_floor"] = round(best["ratio"], 2)


# -- Phases, each in its own process ---------------------------------------------------------


def prepare(file: Path) -> dict[str, float]:
    """Fill the store from the file, through the services."""
    from django.core.files import File
    from django.core.management import call_command

    from apps.accounts.models import Preferences, User
    from apps.core.jobs.runner import run_job
    from apps.inventory.services.bsx_sync import SyncOptions, start_apply, start_sync
    from benchmarks._store import fill_catalogue

    call_command("migrate", verbosity=0)
    fill_catalogue(LOTS)
    user = User.objects.create_user("bench@example.org", "x", name="Bench")
    Preferences.objects.create(user=user, currency="EUR")
    with file.open("rb") as stream:
        sync = start_sync(
            owner=user, file=File(stream), file_name="store.bsx", options=SyncOptions(), by=user
        )
    run_job(str(sync.job_id))
    start_apply(sync=sync, confirm_zeroed=None, by=user)
    run_job(str(sync.job_id))
    return {}


def run_export(file: Path) -> dict[str, float]:
    """Ask for the inventory and run the job, as the web and the worker do."""
    from apps.accounts.models import User
    from apps.core.clock import now
    from apps.core.jobs.kept_file import delete_written
    from apps.core.jobs.runner import run_job
    from apps.core.startup import collect_garbage_less
    from apps.exports.services.exports import ExportOptions, start_export

    collect_garbage_less()
    user = User.objects.get()
    began = time.perf_counter()
    export = start_export(owner=user, batch=None, options=ExportOptions(), now=now())
    run_job(export.job_id)
    ended = time.perf_counter()
    export.refresh_from_db()
    if (export.row_count, export.failed_count) != (LOTS, 0):
        raise SystemExit(f"wrote {export.row_count} lots, not {LOTS}")
    size = export.file.size
    delete_written(export)
    return {"seconds": ended - began, "bytes": size, "peak_mb": peak_mb()}


def floor(file: Path) -> dict[str, float]:
    """Read the rows bare, write the text bare."""
    from django.db import connection

    connection.ensure_connection()
    began = time.perf_counter()
    target = file.with_suffix(".floor")
    with target.open("w", encoding="utf-8", newline="\n") as out, connection.cursor() as cursor:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<BrickStoreXML>\n')
        out.write(' <Inventory Currency="EUR" BrickLinkChangelogId="1234567">\n')
        cursor.execute(FLOOR_QUERY)
        while rows := cursor.fetchmany(PAGE):
            out.write("".join(map(bare_item, rows)))
        out.write(" </Inventory>\n</BrickStoreXML>\n")
    ended = time.perf_counter()
    return {"seconds": ended - began, "bytes": target.stat().st_size}


FLOOR_QUERY = """
SELECT s.raw_item_number, s.raw_item_type, s.raw_color_id, s.raw_item_name, s.raw_color_name,
       s.raw_category_id, s.raw_category_name, s.status, s.quantity, s.price, s.condition,
       s.sub_condition, s.bulk, s.sale, s.cost, s.comments, s.remarks, s.reserved,
       s.marketplace_lot_id, s.tq1, s.tp1, s.tq2, s.tp2, s.tq3, s.tp3, s.retain, s.stockroom,
       s.unit_weight_grams, s.marker_text, s.marker_color, s.date_added, s.date_last_sold,
       s.extra, i.item_type, i.number, i.name, i.category_id, l.color_id, c.name
FROM inventory_inventoryitem s
LEFT JOIN catalog_lot l ON l.id = s.lot_id
LEFT JOIN catalog_item i ON i.id = l.item_id
LEFT JOIN catalog_color c ON c.id = l.color_id
ORDER BY s.id
"""


def escape(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


def bare_item(row: tuple[Any, ...]) -> str:
    """Return one lot as text, from the driver's row."""
    (number, kind, color, name, color_name, category, category_name, status, quantity) = row[:9]
    (price, condition, sub_condition, bulk, sale, cost, comments, remarks) = row[9:17]
    (reserved, lot_id, tq1, tp1, tq2, tp2, tq3, tp3, retain, stockroom, grams) = row[17:28]
    (marker_text, marker_color, added, sold) = row[28:32]
    text = (
        f"  <Item>\n   <ItemID>{escape(number)}</ItemID>\n   <ItemTypeID>{kind}</ItemTypeID>\n"
        f"   <ColorID>{color}</ColorID>\n   <ItemName>{escape(name)}</ItemName>\n"
        f"   <ItemTypeName>Part</ItemTypeName>\n   <ColorName>{escape(color_name)}</ColorName>\n"
        f"   <CategoryID>{category}</CategoryID>\n"
        f"   <CategoryName>{escape(category_name)}</CategoryName>\n"
        f"   <Status>{status}</Status>\n   <Qty>{quantity}</Qty>\n"
        f"   <Price>{price:.3f}</Price>\n   <Condition>{condition}</Condition>\n"
    )
    if sub_condition:
        text += f"   <SubCondition>{sub_condition}</SubCondition>\n"
    if bulk != 1:
        text += f"   <Bulk>{bulk}</Bulk>\n"
    if sale:
        text += f"   <Sale>{sale}</Sale>\n"
    if cost:
        text += f"   <Cost>{cost:.3f}</Cost>\n"
    if comments:
        text += f"   <Comments>{escape(comments)}</Comments>\n"
    if remarks:
        text += f"   <Remarks>{escape(remarks)}</Remarks>\n"
    if reserved:
        text += f"   <Reserved>{escape(reserved)}</Reserved>\n"
    if lot_id:
        text += f"   <LotID>{lot_id}</LotID>\n"
    for tier, (count, amount) in enumerate(((tq1, tp1), (tq2, tp2), (tq3, tp3)), 1):
        if count:
            text += f"   <TQ{tier}>{count}</TQ{tier}>\n"
        if amount:
            text += f"   <TP{tier}>{amount:.3f}</TP{tier}>\n"
    if retain:
        text += "   <Retain/>\n"
    if stockroom:
        text += f"   <Stockroom>{stockroom}</Stockroom>\n"
    if grams is not None:
        # The weight of the whole lot has the file's four decimals.
        text += "   <TotalWeight>12.5000</TotalWeight>\n"
    if marker_text:
        text += f"   <MarkerText>{escape(marker_text)}</MarkerText>\n"
    if marker_color:
        text += f"   <MarkerColor>{marker_color}</MarkerColor>\n"
    if added:
        text += f"   <DateAdded>{str(added)[:10]}T{str(added)[11:19]}Z</DateAdded>\n"
    if sold:
        text += f"   <DateLastSold>{str(sold)[:10]}T{str(sold)[11:19]}Z</DateLastSold>\n"
    return text + "  </Item>\n"


def peak_mb() -> float:
    """Return the most memory that this process held."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


PHASES: dict[str, Callable[[Path], dict[str, float]]] = {
    "prepare": prepare,
    "export": run_export,
    "floor": floor,
}

if __name__ == "__main__":
    if len(sys.argv) == 3:
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
        django.setup()
        print(json.dumps(PHASES[sys.argv[1]](Path(sys.argv[2]))))
    else:
        sys.exit(main())

"""Import of the whole catalogue: rows a second by table, and the time of a second run.

Three runs after the first: the same files (recognised by their hashes), the same files read again
row by row (nothing may be written), and an update. The baseline writes items the way the ORM
offers first: `update_or_create` for each.

    python -m benchmarks.catalogue_import
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks._catalogue import catalogue
from benchmarks._report import Limit, report, temporary_postgres

BASELINE_ITEMS = 3_000


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {}
    ratios: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as postgres:
        first, update, kind = catalogue(Path(folder))
        figures["catalogue"] = kind
        urls = {"sqlite": f"sqlite:///{folder}/bench.sqlite3"}
        if postgres is not None:
            urls["postgres"] = postgres
        for name, url in urls.items():
            _measure(name, url, folder, first, update, figures, ratios)
            limits[f"{name}_second_over_first"] = Limit(0.5)
            limits[f"{name}_second_rows_written"] = Limit(0)
            limits[f"{name}_reread_rows_written"] = Limit(0)
            limits[f"{name}_faster_than_update_or_create"] = Limit(5, at_least=True)
    return report("catalogue_import", figures=figures, ratios=ratios, limits=limits)


def _measure(
    name: str,
    url: str,
    folder: str,
    first: list[Path],
    update: list[Path],
    figures: dict[str, float | str],
    ratios: dict[str, float],
) -> None:
    def phase(what: str, *paths: Path) -> dict[str, Any]:
        env = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
        command = [sys.executable, "-m", "benchmarks.catalogue_import", what, *map(str, paths)]
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
        return dict(json.loads(done.stdout.splitlines()[-1]))

    phase("prepare")
    runs = {
        "first": phase("import", *first),
        "second": phase("import", *first),
        "reread": phase("reread", *first),
        "update": phase("import", *update),
    }
    baseline = phase("baseline")
    for run, told in runs.items():
        figures[f"{name}_{run}_seconds"] = round(told["seconds"], 2)
        figures[f"{name}_{run}_rows_written"] = told["written"]
    figures[f"{name}_peak_mb"] = round(runs["first"]["peak_mb"])
    figures[f"{name}_rows_refused"] = runs["first"]["refused"]
    figures[f"{name}_rows_parked"] = runs["first"]["parked"]
    for table, rate in runs["first"]["rates"].items():
        figures[f"{name}_{table.replace(' ', '_')}_rows_per_second"] = rate
    items = runs["first"]["rates"]["items"]
    figures[f"{name}_update_or_create_items_per_second"] = round(baseline["rate"])
    ratios[f"{name}_second_over_first"] = round(
        runs["second"]["seconds"] / runs["first"]["seconds"], 3
    )
    ratios[f"{name}_reread_over_first"] = round(
        runs["reread"]["seconds"] / runs["first"]["seconds"], 3
    )
    ratios[f"{name}_faster_than_update_or_create"] = round(items / baseline["rate"], 1)


# -- Phases, each in its own process ---------------------------------------------------------


def prepare() -> dict[str, Any]:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    return {}


def run_import(paths: list[Path], *, reread: bool) -> dict[str, Any]:
    from apps.catalog.services.imports import ImportOptions, import_catalog
    from apps.core.clock import now

    began = time.perf_counter()
    done = import_catalog(paths=paths, options=ImportOptions(reread=reread), clock=now)
    seconds = time.perf_counter() - began
    rates = {
        name: round(max(table.rows, table.written) / table.seconds)
        for name, table in done.tables.items()
        if table.seconds and (table.rows or table.written)
    }
    return {
        "seconds": seconds,
        "written": done.written,
        "refused": done.refused,
        "parked": done.parked,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "rates": rates,
    }


def baseline() -> dict[str, float]:
    """Write items one by one, in one transaction, as `update_or_create` does."""
    from django.db import transaction

    from apps.catalog.models import Item

    began = time.perf_counter()
    with transaction.atomic():
        for number in range(BASELINE_ITEMS):
            Item.objects.update_or_create(
                item_type="PART",
                number=f"baseline{number}",
                defaults={"number_key": f"BASELINE{number}", "name": f"Brick {number}"},
            )
        transaction.set_rollback(True)
    return {"rate": BASELINE_ITEMS / (time.perf_counter() - began)}


def _phase(what: str, paths: list[Path]) -> dict[str, Any]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    import django

    django.setup()
    if what in {"import", "reread"}:
        return run_import(paths, reread=what == "reread")
    return prepare() if what == "prepare" else baseline()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(_phase(sys.argv[1], [Path(path) for path in sys.argv[2:]])))
    else:
        sys.exit(main())

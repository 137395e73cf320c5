"""Many sellers on one PostgreSQL: what a seller's requests cost beside the others' rows, and how
large the tables are.

The same requests are measured with one seller and with SCALE_SELLERS (20) of SCALE_LOTS (20,000)
lots each, who have as many rows in every other list: more than a real seller has. `docs/scale.md`
says what follows for 1,000 sellers.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks._databases import run_phase
from benchmarks._report import Limit, report, temporary_postgres

SELLERS = int(os.environ.get("SCALE_SELLERS", "20"))
LOTS = int(os.environ.get("SCALE_LOTS", "20000"))
CATALOGUE = 10_000
ROUNDS = 9
HOTTEST = 6
TABLES = (
    "inventory_inventoryitem",
    "batches_batchitem",
    "locations_location",
    "orders_order",
    "orders_orderline",
)
REQUESTS = {
    "inventory": "/api/inventoryItems?page_size=100&page=7",
    "inventory_search": "/api/inventoryItems?page_size=100&search=brick%202",
    "by_lot": "/api/inventoryItems/lots?page_size=100",
    "batch": "/api/batchItems?page_size=100&batch=1",
    "bins": "/api/inventoryLocations?page_size=100",
    "orders": "/api/orders?page_size=100",
    "catalogue_search": "/api/catalogItems?search=brick%202",
    "home": "/api/home",
}


def main() -> int:
    """Measure one seller, then all; print one JSON line."""
    found = {name: measured(sellers) for name, sellers in (("one", 1), ("all", SELLERS))}
    if not all(found.values()):
        return report("scale", figures={"not_run": "no PostgreSQL"}, ratios={}, limits={})
    figures = {f"{name}_{key}": one for name, told in found.items() for key, one in told.items()}
    figures |= {"sellers": SELLERS, "lots_each": LOTS}
    ratios = {
        f"{name}_all_over_one": round(found["all"][f"{name}_ms"] / found["one"][f"{name}_ms"], 2)
        for name in REQUESTS
    }
    limits = {f"{name}_all_over_one": Limit(1.6) for name in REQUESTS}
    return report("scale", figures=figures, ratios=ratios, limits=limits)


def measured(sellers: int) -> dict[str, Any]:
    """Measure in processes and a PostgreSQL of their own; empty where there is none."""
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as url:
        if url is None:
            return {}
        env = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
        env["SCALE_SELLERS"] = str(sellers)
        migrate = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
        subprocess.run(migrate, env=env, check=True)
        command = [sys.executable, "-m", "benchmarks.scale", "measure", folder]
        done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True)
        return dict(json.loads(done.stdout.splitlines()[-1]))


def measure(_: Path) -> dict[str, Any]:
    """Fill the database of the environment; return the figures."""
    from rest_framework.test import APIClient

    from apps.inventory.services.stock_figures import reckon
    from benchmarks._many_rows import fill_users

    owner = fill_users(LOTS, LOTS * (SELLERS - 1), lots=CATALOGUE, users=SELLERS)
    reckon(owner=owner)
    client = APIClient()
    client.force_authenticate(owner)

    def ask(path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 200, answer.content[:300]

    figures: dict[str, Any] = {}
    for name, path in REQUESTS.items():
        ask(path)
        figures[f"{name}_ms"] = round(statistics.median(ms_of(ask, path) for _ in range(ROUNDS)), 1)
    return figures | sizes() | {"hottest": json.dumps(hottest(ask))}


def ms_of(ask: Any, path: str) -> float:
    began = time.perf_counter()
    ask(path)
    return (time.perf_counter() - began) * 1000


def sizes() -> dict[str, Any]:
    """Return the rows of each table, and the bytes of its rows and of its indexes a row."""
    from django.db import connection

    found: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(
                f"SELECT count(*), pg_table_size('{table}'), pg_indexes_size('{table}') FROM {table}"
            )
            rows, heap, indexes = cursor.fetchone()
            short = table.partition("_")[2]
            found |= {
                f"{short}_rows": rows,
                f"{short}_row_bytes": round(heap / rows),
                f"{short}_index_bytes": round(indexes / rows),
            }
        cursor.execute("SELECT pg_database_size(current_database())")
        found["database_mb"] = round(cursor.fetchone()[0] / 1e6)
    return found


def hottest(ask: Any) -> list[dict[str, Any]]:
    """Return the queries that took longest, with their times and the nodes of their plans."""
    from django.db import connection

    taken: dict[str, tuple[float, str, Any]] = {}

    def timed(name: str, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        began = time.perf_counter()
        answer = execute(sql, params, many, context)
        ms = (time.perf_counter() - began) * 1000
        if sql.startswith("SELECT") and ms > taken.get(sql, (0.0,))[0]:
            taken[sql] = (ms, name, params)
        return answer

    for name, path in REQUESTS.items():
        with connection.execute_wrapper(partial(timed, name)):
            ask(path)
    found = []
    with connection.cursor() as cursor:
        for sql, (ms, name, params) in sorted(taken.items(), key=lambda one: -one[1][0])[:HOTTEST]:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params)
            (plan,) = cursor.fetchone()
            plan = json.loads(plan) if isinstance(plan, str) else plan
            found.append({"of": name, "ms": round(ms, 1), "plan": nodes(plan[0]["Plan"])})
    return found


def nodes(plan: dict[str, Any]) -> list[str]:
    """Return the scans of a plan, such as `Index Scan inventoryitem_by_lot: 100 rows`."""
    below = [line for part in plan.get("Plans", ()) for line in nodes(part)]
    if "Scan" not in plan["Node Type"]:
        return below
    what = plan.get("Index Name") or plan.get("Relation Name") or ""
    return [f"{plan['Node Type']} {what}: {plan['Actual Rows']:g} rows", *below]


if __name__ == "__main__":
    if sys.argv[1:]:
        run_phase({"measure": measure})
    else:
        sys.exit(main())

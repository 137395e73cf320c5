"""How the lists of many rows are read: 100,000 rows of one user beside 1,000,000 of others.

Every filter with every ordering is asked and its plan looked at: none may read a large
table from end to end. Each filter and each ordering alone is timed, too.

    python -m benchmarks.list_plans        BENCH_ROWS=5000 for a quick look
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report

ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
TIMES_MORE = 10
SLOWEST_SHOWN = 5
SHOWN = 60


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"rows": ROWS, "rows_of_others": ROWS * TIMES_MORE}
    ratios: dict[str, float] = {}
    limits = {}
    for name, found in on_each_database("list_plans", "measure"):
        figures |= {f"{name}_{key}": value for key, value in found.items()}
        ratios[f"{name}_full_scans"] = found["full_scans"]
        limits[f"{name}_full_scans"] = Limit(0)
    return report("list_plans", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """Fill the database of the environment; return the figures."""
    from rest_framework.test import APIClient

    from benchmarks._many_rows import fill_users
    from tests.list_plans import scans_behind, ways_to_ask

    started = time.perf_counter()
    owner = fill_users(ROWS, ROWS * TIMES_MORE, lots=ROWS)
    print(f"filled in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    client = APIClient()
    client.force_authenticate(owner)
    times = sorted((_milliseconds(client, one), str(one)) for one in ways_to_ask(ordered=False))
    scanned: dict[str, list[str]] = {}
    asked = 0
    for one in ways_to_ask():
        asked += 1
        if scans := scans_behind(client, one):
            scanned[str(one)] = scans
    for one in ways_to_ask(ordered=False):
        if scans := scans_behind(client, one, read=True):
            scanned[str(one)] = scans
    for way, steps in list(scanned.items())[:SHOWN]:
        print(f"full scan: {way}: {steps}", file=sys.stderr)
    for taken, way in times[::-1][:SHOWN]:
        print(f"{taken:8.0f} ms  {way}", file=sys.stderr)
    slowest = "; ".join(f"{way} {taken:.0f}" for taken, way in times[::-1][:SLOWEST_SHOWN])
    return {
        "ways_asked": asked,
        "full_scans": len(scanned),
        "median_ms": round(times[len(times) // 2][0], 1),
        "slowest_ms": round(times[-1][0], 1),
        "slowest": slowest,
    }


def _milliseconds(client: Any, asked: Any) -> float:
    """Return the faster of two: the first one warms the database's cache."""
    taken = []
    for _ in range(2):
        started = time.perf_counter()
        response = client.get(asked.path, dict(asked.query))
        taken.append((time.perf_counter() - started) * 1000)
        assert response.status_code == 200, (str(asked), response.content[:300])
    return min(taken)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

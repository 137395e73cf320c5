"""The requirements of a set of 10,000 lots, against 100,000 rows of stock.

Its figures (required, on hand, missing, in stock, cost) and a page of 500 of its parts with where
each lies are asked of the API as the page asks them. The baseline looks the stock and the price
of each lot up by itself.

    python -m benchmarks.set_requirements
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase, statements
from benchmarks._report import Limit, report
from benchmarks._sets import fill_stock, make_set

LOTS = 10_000
FEW = 100
ONE_BY_ONE = 500
ROUNDS = 5


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS}
    ratios: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    for name, told in on_each_database("set_requirements", "measure"):
        figures |= {f"{name}_{key}": value for key, value in told.items()}
        ratios[f"{name}_queries_{LOTS}_over_{FEW}"] = round(
            told["summary_queries"] / told["few_queries"], 3
        )
        ratios[f"{name}_times_lot_by_lot"] = round(
            told["lot_by_lot_us_per_lot"] / told["summary_us_per_lot"], 1
        )
        limits[f"{name}_summary_queries"] = Limit(8)
        limits[f"{name}_parts_queries"] = Limit(8)
        limits[f"{name}_queries_{LOTS}_over_{FEW}"] = Limit(1)
        limits[f"{name}_times_lot_by_lot"] = Limit(5, at_least=True)
    return report("set_requirements", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    from rest_framework.test import APIClient

    from apps.sets.models import SetRequirement
    from apps.sets.services.sets import add_set

    owner = fill_stock(2 * LOTS)
    make_set("90000-1", LOTS)
    make_set("90001-1", FEW)
    large = add_set(owner=owner, number="90000-1")
    small = add_set(owner=owner, number="90001-1")
    client = APIClient()
    client.force_authenticate(owner)

    def get(path: str, **query: Any) -> Callable[[], Any]:
        def act() -> Any:
            answer = client.get(f"/api/{path}", query)
            assert answer.status_code == 200, answer.content[:300]
            return answer.json()["data"]

        return act

    summary = get(f"userSets/{large.pk}/summary")
    parts = get("userSetParts", user_set=large.pk, page_size=500)
    (row,) = summary()
    assert row["lots_required"] == LOTS
    assert row["pieces_in_stock"] > 0
    lots = SetRequirement.objects.filter(user_set=large).values_list("lot_id", flat=True)
    summary_ms, lot_by_lot_ms = median_ms(summary), median_ms(lambda: lot_by_lot(owner, lots))
    return {
        "summary_queries": statements(summary),
        "few_queries": statements(get(f"userSets/{small.pk}/summary")),
        "parts_queries": statements(parts),
        "summary_ms": summary_ms,
        "parts_page_ms": median_ms(parts),
        "summary_us_per_lot": round(summary_ms * 1_000 / LOTS, 1),
        "lot_by_lot_us_per_lot": round(lot_by_lot_ms * 1_000 / ONE_BY_ONE, 1),
    }


def lot_by_lot(owner: Any, lots: Any) -> None:
    from django.db.models import Sum

    from apps.catalog.models import PriceStat
    from apps.inventory.models import InventoryItem

    for lot_id in lots[:ONE_BY_ONE]:
        InventoryItem.objects.filter(owner=owner, lot_id=lot_id).aggregate(n=Sum("quantity"))
        PriceStat.objects.owned_by(owner).filter(
            lot_id=lot_id, condition="U", region="global"
        ).first()


def median_ms(act: Callable[[], Any]) -> float:
    """Act some times; the first one warms up."""
    times = []
    for _ in range(ROUNDS + 1):
        started = time.perf_counter()
        act()
        times.append((time.perf_counter() - started) * 1_000)
    return round(statistics.median(times[1:]), 1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

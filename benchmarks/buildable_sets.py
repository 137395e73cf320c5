"""Which sets 100,000 rows of stock make, over the inventories of a whole catalogue.

The catalogue is the real files beside the project, else one of the same size. The job runs as a
worker runs it, in a process of its own, so that its memory is its own. The baseline compares sets
one by one, each with queries of its own.

    python -m benchmarks.buildable_sets
"""

import resource
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks._catalogue import catalogue
from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report
from benchmarks._sets import ROWS

ONE_BY_ONE = 100


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"stock_rows": ROWS}
    ratios: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    for name, told in on_each_database("buildable_sets", "prepare", "search", "baseline"):
        figures |= {f"{name}_{key}": value for key, value in told.items()}
        ours = told["seconds"] / told["sets_compared"]
        ratios[f"{name}_times_set_by_set"] = round(told["set_by_set_seconds"] / ours, 1)
        limits[f"{name}_seconds"] = Limit(60)
        limits[f"{name}_peak_mb"] = Limit(500)
        limits[f"{name}_found"] = Limit(1, at_least=True)
        limits[f"{name}_times_set_by_set"] = Limit(5, at_least=True)
    return report("buildable_sets", figures=figures, ratios=ratios, limits=limits)


def prepare(folder: Path) -> dict[str, Any]:
    """Import the catalogue, and stock lots that its sets are made of."""
    from django.db import connection, transaction

    from apps.accounts.models import Preferences, User
    from apps.catalog.models import Component
    from apps.catalog.services.imports import ImportOptions, import_catalog
    from apps.core.bulk import insert_rows
    from apps.core.clock import now
    from apps.inventory.models import InventoryItem
    from benchmarks._many_rows import NOON, _defaults, _restart_ids

    made = folder / connection.vendor
    made.mkdir()
    paths, _, kind = catalogue(made)
    import_catalog(paths=paths, options=ImportOptions(), clock=now)
    owner = User.objects.create_user("ann@example.org", None, name="Ann")
    Preferences.objects.create(user=owner)
    lots = list(Component.objects.order_by().values_list("lot_id", flat=True).distinct())
    stamp = str(NOON.replace(tzinfo=None))

    def row(place: int) -> dict[str, Any]:
        return {
            "id": place + 1,
            "owner_id": owner.pk,
            "created_at": stamp,
            "updated_at": stamp,
            "lot_id": lots[place * 13 % len(lots)],
            "quantity": place % 90 + 1,
        }

    defaults = _defaults(InventoryItem, row(0))
    with transaction.atomic():
        insert_rows(
            InventoryItem,
            [*row(0), *defaults],
            ((*row(place).values(), *defaults.values()) for place in range(ROWS)),
        )
        _restart_ids(InventoryItem)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {"catalogue": kind, "component_rows": Component.objects.count(), "lots": len(lots)}


def search(_: Path) -> dict[str, Any]:
    from apps.accounts.models import User
    from apps.core.testing.jobs import run_jobs
    from apps.sets.models import BuildableSet, BuildSearch
    from apps.sets.services.builds import start_search

    owner = User.objects.get()
    began = time.perf_counter()
    start_search(owner=owner, least_pieces=20, least_percent=50)
    run_jobs()
    seconds = time.perf_counter() - began
    found = BuildSearch.objects.get()
    assert found.finished_at is not None, found.job.message
    return {
        "seconds": round(seconds, 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "sets_compared": found.set_count,
        "found": BuildableSet.objects.count(),
    }


def baseline(_: Path) -> dict[str, Any]:
    from django.db.models import Sum

    from apps.accounts.models import User
    from apps.catalog.models import Component, ItemInventory
    from apps.inventory.models import InventoryItem

    owner = User.objects.get()
    some = ItemInventory.objects.filter(has_components=True, item__item_type="SET")[:ONE_BY_ONE]
    began = time.perf_counter()
    for inventory in some:
        for line in Component.objects.filter(inventory=inventory, is_spare=False):
            InventoryItem.objects.filter(owner=owner, lot_id=line.lot_id).aggregate(
                n=Sum("quantity")
            )
    return {"set_by_set_seconds": round((time.perf_counter() - began) / ONE_BY_ONE, 4)}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"prepare": prepare, "search": search, "baseline": baseline})
        sys.exit(0)
    sys.exit(main())

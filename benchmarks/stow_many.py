"""Stow 500 batch items in one request, against a loop that stows them row by row.

The baseline is what one would write first: for each item lock its bin, check the room, make
the row of stock, book the movement, count the bin up, mark the item; all in one transaction.
Both put 500 items into 100 bins. Statements are counted as the database gets them, COPY and
executemany as one each, the marks of transactions left out. A bulk edit of 1,000 stowed items
whose quantities change, and its undo, are counted the same way.

    python -m benchmarks.stow_many
"""

import contextlib
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report

ITEMS = 500
BINS = 100
EDITED = 1_000
ROUNDS = 3
MARKS = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT")


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"items": ITEMS, "bins": BINS}
    ratios: dict[str, float] = {}
    limits = {}
    for name, found in on_each_database("stow_many", "measure"):
        figures |= {f"{name}_{key}": value for key, value in found.items()}
        ratios[f"{name}_times_row_by_row"] = round(found["row_by_row_ms"] / found["ours_ms"], 2)
        ratios[f"{name}_statements_500_over_50"] = round(
            found["statements_500"] / found["statements_50"], 3
        )
        limits[f"{name}_times_row_by_row"] = Limit(3, at_least=True)
        limits[f"{name}_statements_500_over_50"] = Limit(1)
        limits[f"{name}_statements_edit_1000"] = Limit(12)
        limits[f"{name}_statements_undo_1000"] = Limit(12)
        limits[f"{name}_ledger_differences"] = Limit(0)
    return report("stow_many", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """Stow and edit in the database of the environment; return the figures."""
    from rest_framework.test import APIClient

    from apps.inventory.selectors.ledger import counter_differences, quantity_differences

    owner, bins = fill()
    client = APIClient()
    client.force_authenticate(owner)

    def ours(batch: Any) -> None:
        answer = client.post(f"/api/batches/{batch.pk}/stow", {"items": "all"}, format="json")
        assert answer.status_code == 200, answer.content[:300]
        assert len(answer.json()["data"][0]["items"]) in {50, ITEMS}

    figures: dict[str, float] = {
        "ours_ms": median_ms(ours, lambda: new_batch(owner, bins, ITEMS)),
        "row_by_row_ms": median_ms(row_by_row, lambda: new_batch(owner, bins, ITEMS)),
    }
    for count in (50, ITEMS):
        batch = new_batch(owner, bins, count)
        figures[f"statements_{count}"] = statements(partial(ours, batch))
    ids = stowed_ids(owner, bins, ours)
    for name, quantity in (("edit", 7), ("undo", 3)):
        body = {"update": [{"id": pk, "qty": quantity} for pk in ids]}

        def edit(body: Any = body) -> None:
            answer = client.post("/api/batchItems/bulk", body, format="json")
            assert answer.status_code == 200, answer.content[:300]

        started = time.perf_counter()
        figures[f"statements_{name}_{EDITED}"] = statements(edit)
        figures[f"{name}_{EDITED}_ms"] = round((time.perf_counter() - started) * 1000, 1)
    figures["ledger_differences"] = len(list(quantity_differences(owner=owner))) + len(
        list(counter_differences(owner=owner))
    )
    return figures


def median_ms(stow: Callable[[Any], None], new: Callable[[], Any]) -> float:
    """Stow batches of their own; the first one warms up."""
    times = []
    for _ in range(ROUNDS + 1):
        batch = new()
        started = time.perf_counter()
        stow(batch)
        times.append((time.perf_counter() - started) * 1000)
    return round(statistics.median(times[1:]), 1)


def statements(act: Callable[[], None]) -> int:
    """Count what `act` sends to the database."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with bulk_writes() as written, CaptureQueriesContext(connection) as captured:
        act()
    asked = [query for query in captured if not query["sql"].startswith(MARKS)]
    return len(asked) + len(written)


@contextlib.contextmanager
def bulk_writes() -> Iterator[list[None]]:
    """Note what goes past Django's cursors: SQLite's executemany, PostgreSQL's COPY."""
    import psycopg

    from apps.core import bulk

    written: list[None] = []
    sqlite, copy = bulk._sqlite, psycopg.Cursor.copy

    def noted_sqlite() -> Any:
        written.append(None)
        return sqlite()

    def noted_copy(self: Any, *arguments: Any, **also: Any) -> Any:
        written.append(None)
        return copy(self, *arguments, **also)

    bulk._sqlite, psycopg.Cursor.copy = noted_sqlite, noted_copy  # type: ignore[method-assign]
    try:
        yield written
    finally:
        bulk._sqlite, psycopg.Cursor.copy = sqlite, copy  # type: ignore[method-assign]


def row_by_row(batch: Any) -> None:
    """Stow a batch as one would write it first."""
    from django.db import transaction

    from apps.batches.models import BatchItem
    from apps.core.clock import now
    from apps.inventory.models import InventoryItem, Movement
    from apps.locations.models import Location
    from apps.lots.models import LOT_COLUMNS

    with transaction.atomic():
        for item in BatchItem.objects.filter(batch=batch, is_stowed=False).order_by("pk"):
            place = Location.objects.select_for_update().get(pk=item.location_id)
            most = place.max_item_count
            assert most is None or place.item_count + item.quantity <= most
            fields = {name: getattr(item, name) for name in LOT_COLUMNS}
            agree = {
                name: fields[name] for name in ("lot_id", "condition", "price", "sub_condition")
            }
            stock = InventoryItem.objects.filter(
                owner=batch.owner, location=place, **agree
            ).first() or InventoryItem(owner=batch.owner, location=place, **fields)
            stock.quantity += item.quantity
            stock.save()
            Movement.objects.create(
                item=stock,
                delta=item.quantity,
                reason="stow",
                by=batch.owner,
                cause_kind="batch_item",
                cause_id=item.pk,
                to_location=place,
                created_at=now(),
            )
            place.item_count += item.quantity
            place.stored_weight += item.quantity * item.lot.item.weight_grams
            place.save()
            item.is_stowed, item.stowed_at, item.inventory_item = True, now(), stock
            item.save()


def fill() -> tuple[Any, list[Any]]:
    """Write the catalogue and the bins of one user."""
    from apps.accounts.models import User
    from apps.locations.models import Location
    from benchmarks._store import fill_catalogue

    fill_catalogue(4_000)
    owner = User.objects.create_user("bench@example.org", None, name="Bench")
    bins = Location.objects.bulk_create(
        [
            Location(
                owner=owner,
                name=f"B-{place}",
                code=f"B-{place}",
                sort_key=f"b-{place:05d}",
                max_item_count=1_000_000,
            )
            for place in range(BINS)
        ]
    )
    return owner, bins


def new_batch(owner: Any, bins: list[Any], count: int) -> Any:
    """Make a batch of new items, each planned for a bin."""
    from apps.batches.models import Batch, BatchItem
    from apps.catalog.models import Lot

    batch = Batch.objects.create(owner=owner, name="Bench")
    lots = list(Lot.objects.order_by("pk").values_list("pk", flat=True)[:count])
    BatchItem.objects.bulk_create(
        BatchItem(
            owner=owner,
            batch=batch,
            lot_id=lot,
            location=bins[place % BINS],
            quantity=3,
            price=f"0.{place % 97:02d}",
        )
        for place, lot in enumerate(lots)
    )
    return batch


def stowed_ids(owner: Any, bins: list[Any], stow: Callable[[Any], None]) -> list[int]:
    """Stow 1,000 items; return their ids."""
    from apps.batches.models import BatchItem

    batches = [new_batch(owner, bins, ITEMS) for _ in range(EDITED // ITEMS)]
    for batch in batches:
        stow(batch)
    return list(BatchItem.objects.filter(batch__in=batches).values_list("pk", flat=True))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

"""Part a set of 2,000 lots out into a batch, against a loop that makes item by item.

The baseline looks the price of each lot up and makes its item. Statements are counted as the
database gets them, COPY and executemany as one each, the marks of transactions left out.

    python -m benchmarks.part_out
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase, statements
from benchmarks._report import Limit, report
from benchmarks._sets import make_set

LOTS = 2_000
FEW = 50
ROUNDS = 3


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"lots": LOTS}
    ratios: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    for name, told in on_each_database("part_out", "measure"):
        figures |= {f"{name}_{key}": value for key, value in told.items()}
        ratios[f"{name}_statements_{LOTS}_over_{FEW}"] = round(
            told["statements"] / told["statements_few"], 3
        )
        ratios[f"{name}_times_item_by_item"] = round(
            told["item_by_item_ms"] / told["part_out_ms"], 1
        )
        limits[f"{name}_statements"] = Limit(15)
        limits[f"{name}_statements_{LOTS}_over_{FEW}"] = Limit(1)
        limits[f"{name}_times_item_by_item"] = Limit(3, at_least=True)
    return report("part_out", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    from rest_framework.test import APIClient

    from apps.accounts.models import Preferences, User
    from apps.batches.models import BatchItem
    from benchmarks._store import fill_catalogue

    fill_catalogue(2 * LOTS)
    owner = User.objects.create_user("ann@example.org", None, name="Ann")
    Preferences.objects.create(user=owner)
    item = make_set("90000-1", LOTS)
    make_set("90001-1", FEW)
    write_prices(owner, item)
    client = APIClient()
    client.force_authenticate(owner)

    def out(number: str) -> None:
        body = {"number": number, "minifigs_in_parts": True, "extras": True}
        answer = client.post("/api/batches/partOut", body, format="json")
        assert answer.status_code == 201, answer.content[:300]

    part_out_ms = median_ms(lambda: out("90000-1"))
    assert BatchItem.objects.filter(price__gt=0).count() == LOTS * (ROUNDS + 1)
    return {
        "statements": statements(lambda: out("90000-1")),
        "statements_few": statements(lambda: out("90001-1")),
        "part_out_ms": part_out_ms,
        "item_by_item_ms": median_ms(lambda: item_by_item(owner, item)),
    }


def write_prices(owner: Any, item: Any) -> None:
    from apps.catalog.models import Component, PriceStat
    from apps.core.clock import now

    lots = Component.objects.filter(inventory__item=item).values_list("lot_id", flat=True)
    PriceStat.objects.bulk_create(
        [
            PriceStat(
                owner=owner,
                lot_id=lot_id,
                condition=condition,
                region=region,
                currency="USD",
                avg_sold_price="0.25",
                synced_at=now(),
            )
            for lot_id in lots
            for condition in "NU"
            for region in ("us", "global")
        ],
        batch_size=1_000,
    )


def item_by_item(owner: Any, item: Any) -> None:
    from django.db import transaction

    from apps.batches.models import Batch, BatchItem
    from apps.catalog.models import Component, PriceStat

    with transaction.atomic():
        batch = Batch.objects.create(owner=owner, name="One by one")
        for line in Component.objects.filter(inventory__item=item):
            told = (
                PriceStat.objects.owned_by(owner)
                .filter(lot_id=line.lot_id, condition="U", region="global", currency="USD")
                .first()
            )
            BatchItem.objects.create(
                owner=owner,
                batch=batch,
                lot_id=line.lot_id,
                quantity=line.quantity,
                price=told.avg_sold_price if told else 0,
            )


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

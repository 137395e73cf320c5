"""`GET /api/home` with 100,000 rows of stock: everything in one answer, within 50 ms.

Three times: the first one a process answers, one where nothing changed since, and one after
twenty other lots were put into stock: 150 ms for the first and the last. The kept sums were
reckoned once before, as a job that imports does at its end (`reckon_ms`: what that takes for all
of the stock).

The stock has batches behind it, an archive, sources, sittings and auctions, so that every part
of the answer has something to reckon. The baseline asks for the figures of the tiles alone, one
plain aggregate each, as several requests would. Both in process, over the test client.

    python -m benchmarks.home        BENCH_ROWS=10000 for a quick look
"""

import datetime as dt
import json
import os
import statistics
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report
from benchmarks.inventory_list import fill, median_ms

ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
BATCHES = 200
PER_BATCH = 100
ROUNDS = 12
LIMIT_MS, LIMIT_AFTER_CHANGES_MS, LIMIT_QUERIES = 50, 150, 12


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"rows": ROWS, "batch_items": BATCHES * PER_BATCH}
    ratios: dict[str, float] = {}
    limits = {}
    for name, found in on_each_database("home", "measure"):
        figures |= {f"{name}_{key}": value for key, value in found.items()}
        ratios[f"{name}_times_plain"] = round(found["plain_ms"] / found["home_ms"], 2)
        limits[f"{name}_home_ms"] = Limit(LIMIT_MS)
        for figure in ("first_ms", "after_stow_ms"):
            limits[f"{name}_{figure}"] = Limit(LIMIT_AFTER_CHANGES_MS)
        for figure in ("queries", "queries_empty"):
            limits[f"{name}_{figure}"] = Limit(LIMIT_QUERIES)
    return report("home", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """Fill the database of the environment; return the figures."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from rest_framework.test import APIClient

    from apps.accounts.models import Preferences, User
    from apps.inventory.services.stock_figures import reckon

    newcomer = User.objects.create_user("new@example.org", None, name="New")
    Preferences.objects.create(user=newcomer)
    owner = fill(ROWS)
    fill_history(owner)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    reckon_ms = once_ms(lambda: reckon(owner=owner))

    def client_of(user: Any) -> APIClient:
        client = APIClient()
        client.force_authenticate(user)
        return client

    def home(user: Any) -> bytes:
        answer = client_of(user).get("/api/home")
        assert answer.status_code == 200, answer.content[:300]
        return answer.content

    home(newcomer)  # imports and connections, without data
    first_ms = once_ms(lambda: home(owner))
    figures: dict[str, float] = {
        "first_ms": first_ms,
        "reckon_ms": reckon_ms,
        "home_ms": median_ms(lambda _: home(owner), list(range(ROUNDS))),
        "plain_ms": median_ms(lambda _: plain_tiles(owner), list(range(ROUNDS))),
        "bytes": len(home(owner)),
    }
    times = []
    for number in range(ROUNDS):
        put_into_stock(owner, number)
        times.append(once_ms(lambda: home(owner)))
    figures["after_stow_ms"] = statistics.median(times)
    for name, user in (("queries", owner), ("queries_empty", newcomer)):
        with CaptureQueriesContext(connection) as queries:
            home(user)
        figures[name] = len(queries)
    return figures


def once_ms(act: Any) -> float:
    import time

    started = time.perf_counter()
    act()
    return round((time.perf_counter() - started) * 1000, 2)


def put_into_stock(owner: Any, number: int) -> None:
    """Put twenty lots into stock, each by itself, as twenty presses of Enter do."""
    from apps.catalog.models import Lot
    from apps.core.clock import now
    from apps.inventory.services.items import create_item

    for lot_id in Lot.objects.order_by("pk").values_list("pk", flat=True)[number::4_001][:20]:
        fields = {"lot_id": lot_id, "price": Decimal("0.2")}
        create_item(owner=owner, fields=fields, quantity=3, location_id=None, by=owner, now=now())


def plain_tiles(owner: Any) -> bytes:
    """Ask for the tiles' figures one by one, as the pages they lead to would."""
    from django.db.models import Count, F, Sum

    from apps.batches.models import BatchItem
    from apps.batches.rules.states import ItemState
    from apps.inventory.models import InventoryItem
    from apps.inventory.selectors import unconsolidated

    stock = InventoryItem.objects.owned_by(owner).in_stock()
    items = BatchItem.objects.owned_by(owner)
    found: list[Any] = [
        stock.count(),
        stock.aggregate(figure=Sum("quantity")),
        stock.aggregate(figure=Sum(F("quantity") * F("price"))),
        list(stock.order_by().values("lot__item__item_type").annotate(figure=Count("pk"))),
        unconsolidated(InventoryItem.objects.owned_by(owner), owner=owner).count(),
        *(items.in_state(state).aggregate(figure=Sum("quantity")) for state in ItemState),
    ]
    return json.dumps(found, default=str).encode()


def fill_history(owner: Any) -> None:
    """Give the owner other kinds of items, batches old and new, sittings and listings."""
    from apps.auctions.models import AuctionListing
    from apps.batches.models import Batch, BatchItem
    from apps.catalog.models import Item, Lot
    from apps.core.clock import now
    from apps.inventory.models import InventoryItem
    from apps.locations.models import Location
    from apps.recognition.models import StationSitting
    from apps.sources.models import Source

    instant = now()
    numbers = list(Item.objects.order_by("pk").values_list("pk", flat=True))
    for place, kind in enumerate(("MINIFIG", "SET", "GEAR")):
        Item.objects.filter(pk__in=numbers[place::20]).update(item_type=kind)
    # A tenth of the lots are in two bins.
    rows = InventoryItem.objects.order_by("pk").values_list("pk", "lot_id")[: ROWS // 10]
    for pk, lot_id in list(rows)[::2]:
        InventoryItem.objects.filter(pk=pk + 1).update(lot_id=lot_id)
    bins = list(Location.objects.owned_by(owner))
    sources = Source.objects.bulk_create(
        [Source(owner=owner, name=f"Market {number}") for number in range(20)]
    )
    batches = Batch.objects.bulk_create(
        [
            Batch(
                owner=owner,
                name=f"Batch {number}",
                source=sources[number % len(sources)],
                cost_total=20 + number,
                gross_weight_grams=1_000 * (1 + number % 9),
                is_archived=number < BATCHES // 2,
                archived_at=instant if number < BATCHES // 2 else None,
            )
            for number in range(BATCHES)
        ]
    )
    lots = list(Lot.objects.values_list("pk", flat=True)[: BATCHES * PER_BATCH])
    made = []
    for place in range(BATCHES * PER_BATCH):
        number = place // PER_BATCH
        at = instant - dt.timedelta(minutes=(BATCHES - number) * 600 - place % PER_BATCH)
        is_stowed = number < BATCHES - 20 or place % 2 == 0
        is_listed = is_stowed and number < BATCHES - 40
        made.append(
            BatchItem(
                owner=owner,
                batch=batches[number],
                lot_id=lots[place % len(lots)],
                location=bins[place % len(bins)],
                quantity=place % 90 + 1,
                price="0.1200",
                is_stowed=is_stowed,
                stowed_at=at if is_stowed else None,
                is_listed=is_listed,
                listed_at=at if is_listed else None,
            )
        )
    BatchItem.objects.bulk_create(made, batch_size=500)
    for item in made:
        item.created_at = item.stowed_at or instant - dt.timedelta(days=5)
    BatchItem.objects.bulk_update(made, ["created_at"], batch_size=200)
    StationSitting.objects.bulk_create(
        StationSitting(
            owner=owner,
            key=f"s{number}",
            started_at=instant - dt.timedelta(hours=number + 1),
            acted_at=instant - dt.timedelta(hours=number),
            adds=200,
            pieces=600,
        )
        for number in range(500)
    )
    AuctionListing.objects.bulk_create(
        AuctionListing(
            owner=owner,
            external_id=str(number + 1),
            title=f"{number} lbs of LEGO",
            current_price=20,
            end_time=instant + dt.timedelta(hours=number),
            watch="watching" if number % 3 == 0 else "",
        )
        for number in range(1_000)
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

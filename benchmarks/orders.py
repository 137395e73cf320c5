"""Orders against a large stock: arrival, the list of a walk, one stop, a day beside the station.

50 orders of 40 lines arrive one by one (read, matched, promised) and are picked in one walk, as
far as its first stops. Then a day: 200 orders of five lines arrive, are picked eight at a time, packed and
shipped, while somebody adds lots to a batch without a pause. Afterwards the pieces that left
the stock equal the picked pieces, and the promises equal the pieces still to pick.

In process, over the test client, on SQLite and on PostgreSQL where it is installed.

    python -m benchmarks.orders        BENCH_ROWS=10000 for a quick look
"""

import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase, statements
from benchmarks._report import Limit, report
from benchmarks.inventory_list import fill

ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
ORDERS, LINES = 50, 40
DAY_ORDERS, DAY_LINES, AT_ONCE = 200, 5, 8
STOPS = 200
BATCHES = 100


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"rows": ROWS, "orders": ORDERS, "lines": LINES}
    limits: dict[str, Limit] = {}
    for name, found in on_each_database("orders", "measure"):
        figures |= {f"{name}_{key}": value for key, value in found.items()}
        limits |= {
            f"{name}_arrival_statements": Limit(20),
            f"{name}_list_statements": Limit(10),
            f"{name}_list_ms": Limit(300),
            f"{name}_stop_p95_ms": Limit(100),
            f"{name}_day_errors": Limit(0),
            f"{name}_report_ms": Limit(1_000),
            f"{name}_day_orders": Limit(DAY_ORDERS, at_least=True),
            f"{name}_pieces_apart": Limit(0),
            f"{name}_promised_apart": Limit(0),
        }
    return report("orders", figures=figures, ratios={}, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """Fill the database of the environment; return the figures."""
    from django.db import connection
    from django.db.models import F

    from apps.inventory.models import InventoryItem
    from apps.inventory.services.ledger_check import check_ledger
    from apps.orders.models import Order, PickWalk
    from apps.orders.services.arrival import receive_order

    owner = fill(ROWS)
    # Every row has its number in the store and enough pieces; the bins are counted after it.
    InventoryItem.objects.update(marketplace_lot_id=F("pk"), quantity=F("quantity") + 10)
    come_from_batches(owner)
    check_ledger(owner=owner, fix_counters=True)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    before = pieces_of(owner)
    client = client_of(owner)
    arrivals, counts = [], []
    for number in range(ORDERS):
        told = order_of(number, LINES)

        def arrive(told: Any = told) -> None:
            receive_order(owner=owner, told=told, now=told.changed_at)

        began = time.perf_counter()
        counts.append(statements(arrive))
        arrivals.append(time.perf_counter() - began)
    ids = list(Order.objects.order_by("pk").values_list("pk", flat=True))
    began = time.perf_counter()
    ask(client, "post", "pickWalks", {"order_ids": ids})
    start = time.perf_counter() - began
    walk = PickWalk.objects.get()
    path = f"pickWalks/{walk.pk}/stops"
    list_statements = statements(lambda: ask(client, "get", path))
    lists = [timed(lambda: ask(client, "get", path)) for _ in range(7)]
    stops = ask(client, "get", path)
    picks = [timed(partial(pick, client, walk.pk, stop)) for stop in stops[:STOPS]]
    ask(client, "post", f"pickWalks/{walk.pk}/end")
    return {
        "arrival_statements": max(counts),
        "arrival_p95_ms": p95(arrivals),
        "start_ms": round(start * 1000, 1),
        "stops": len(stops),
        "list_statements": list_statements,
        "list_ms": round(statistics.median(lists) * 1000, 1),
        "stop_p50_ms": round(statistics.median(picks) * 1000, 1),
        "stop_p95_ms": p95(picks),
        **a_day(owner),
        "report_ms": round(
            min(timed(lambda: ask(client, "get", "reports")) for _ in range(3)) * 1e3
        ),
        "pieces_apart": before - pieces_of(owner) - picked_of(owner),
        "promised_apart": abs(promised_of(owner) - waiting_of(owner)),
    }


def come_from_batches(owner: Any) -> None:
    """Book every row as stowed from one of the batches, so that a sold piece knows its cost."""
    from apps.batches.models import Batch, BatchItem
    from apps.core.clock import now
    from apps.inventory.models import InventoryItem, Movement

    batches = Batch.objects.bulk_create(
        Batch(owner=owner, name=f"Batch {number}", cost_total=Decimal(90), is_ready=True)
        for number in range(BATCHES)
    )
    rows = InventoryItem.objects.order_by("pk").values_list("pk", "lot_id", "quantity", "condition")
    for part in range(0, len(rows), 5_000):
        some = rows[part : part + 5_000]
        items = BatchItem.objects.bulk_create(
            [
                BatchItem(
                    owner=owner,
                    batch=batches[pk % BATCHES],
                    lot_id=lot,
                    quantity=quantity,
                    condition=condition,
                    price=Decimal("0.12"),
                    inventory_item_id=pk,
                    is_stowed=True,
                    stowed_at=now(),
                )
                for pk, lot, quantity, condition in some
            ],
            batch_size=500,
        )
        Movement.objects.bulk_create(
            [
                Movement(
                    item_id=one.inventory_item_id,
                    delta=one.quantity,
                    reason="stow",
                    cause_kind="batch_item",
                    cause_id=one.pk,
                    created_at=now(),
                )
                for one in items
            ],
            batch_size=500,
        )


def a_day(owner: Any) -> dict[str, Any]:
    """Let orders arrive and be picked, packed and shipped beside a sorting station."""
    from django.db import connections

    errors: list[str] = []
    sorted_lots: list[float] = []
    over = threading.Event()

    def guarded(act: Callable[[], Any]) -> None:
        try:
            act()
        except Exception as problem:  # noqa: BLE001  (counted, whatever it is)
            errors.append(f"{type(problem).__name__}: {problem}"[:300])
        finally:
            connections.close_all()

    def sell() -> None:
        client = client_of(owner)
        for first in range(0, DAY_ORDERS, AT_ONCE):
            sell_some(owner, client, range(first, min(first + AT_ONCE, DAY_ORDERS)))

    def sort() -> None:
        client = client_of(owner)
        sort_until(client, over, sorted_lots)

    sorter = threading.Thread(target=guarded, args=(sort,))
    sorter.start()
    began = time.perf_counter()
    guarded(sell)
    seconds = time.perf_counter() - began
    over.set()
    sorter.join()
    if errors:
        print(errors[:3], file=sys.stderr)
    from apps.orders.models import Order

    return {
        "day_errors": len(errors),
        "day_orders": Order.objects.filter(state="shipped").count(),
        "day_seconds": round(seconds, 1),
        "day_sorted_lots": len(sorted_lots),
        "day_add_p95_ms": p95(sorted_lots),
    }


def sell_some(owner: Any, client: Any, numbers: range) -> None:
    """Take some orders from their arrival to their parcels."""
    from apps.orders.services.arrival import receive_order

    ids = []
    for number in numbers:
        told = order_of(ORDERS + number, DAY_LINES, spread=7)
        ids.append(receive_order(owner=owner, told=told, now=told.changed_at).order.pk)
    (walk,) = ask(client, "post", "pickWalks", {"order_ids": ids})
    for stop in ask(client, "get", f"pickWalks/{walk['id']}/stops"):
        pick(client, walk["id"], stop)
    for pk in ids:
        ask(client, "post", f"orders/{pk}/pack", {"weighed_grams": "12.5"})
        ask(client, "post", f"orders/{pk}/ship", {"tracking_number": f"RR{pk}"})


def sort_until(client: Any, over: threading.Event, times: list[float]) -> None:
    """Add lots to a batch, one after the other, as fast as they are taken."""
    from apps.catalog.models import Lot

    lots = list(Lot.objects.order_by("-pk").values_list("item__number", "color_id")[:400])
    (batch,) = ask(client, "post", "batches", {"name": "Attic"})
    while not over.is_set():
        number, color = lots[len(times) % len(lots)]
        fields = {
            "batch_id": batch["id"],
            "item_type": "PART",
            "item_number": number,
            "color_id": color,
            "qty": 3,
        }
        times.append(timed(partial(ask, client, "post", "batchItems", fields)))


def order_of(number: int, lines: int, *, spread: int = 1) -> Any:
    """Return an order in the store's format: lots all over the stock, some in two orders."""
    from apps.core.clock import now
    from apps.inventory.models import InventoryItem
    from apps.marketplace.providers.orders import (
        OrderMoney,
        OrderState,
        StoreOrder,
        StoreOrderLine,
    )

    places = [(number * 13 + place * 997 * spread) % ROWS for place in range(lines)]
    rows = list(
        InventoryItem.objects.filter(marketplace_lot_id__in=[place + 1 for place in places])
        .order_by("pk")
        .values_list(
            "marketplace_lot_id",
            "lot__item__item_type",
            "lot__item__number",
            "lot__color_id",
            "condition",
        )
    )
    assert len(rows) == lines
    at = now()
    return StoreOrder(
        order_id=1_000_000 + number,
        state=OrderState.PAID,
        status="PAID",
        ordered_at=at,
        changed_at=at,
        buyer=f"buyer_{number}",
        money=OrderMoney(currency="USD", total=Decimal(lines)),
        lines=tuple(
            StoreOrderLine(
                lot_id=lot_id,
                item_type=kind,
                number=item,
                name=item,
                color_id=color,
                color_name="",
                condition=condition,
                completeness="",
                quantity=2,
                price=Decimal("0.12"),
            )
            for lot_id, kind, item, color, condition in rows
        ),
    )


def pick(client: Any, walk_id: int, stop: Any) -> None:
    lines = [{"line_id": one["line_id"], "quantity": one["quantity"]} for one in stop["trays"]]
    body = {"item_id": stop["item_id"], "lines": lines}
    ask(client, "post", f"pickWalks/{walk_id}/pick", body)


def client_of(owner: Any) -> Any:
    from rest_framework.test import APIClient

    client = APIClient()
    client.force_authenticate(owner)
    return client


def ask(client: Any, method: str, path: str, body: Any = None) -> Any:
    answer = getattr(client, method)(f"/api/{path}", body, format="json")
    assert answer.status_code < 300, f"{path}: {answer.status_code} {answer.content[:300]!r}"
    return answer.json()["data"]


def pieces_of(owner: Any) -> int:
    from django.db.models import Sum

    from apps.inventory.models import InventoryItem

    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__isnull=False)
    return int(rows.aggregate(n=Sum("quantity"))["n"])


def picked_of(owner: Any) -> int:
    from django.db.models import Sum

    from apps.orders.models import OrderLine

    return int(OrderLine.objects.owned_by(owner).aggregate(n=Sum("picked"))["n"])


def promised_of(owner: Any) -> int:
    from django.db.models import Sum

    from apps.inventory.models import InventoryItem

    return int(InventoryItem.objects.owned_by(owner).aggregate(n=Sum("promised"))["n"])


def waiting_of(owner: Any) -> int:
    from django.db.models import F, Sum

    from apps.orders.models import OrderLine

    left = Sum(F("quantity") - F("picked") - F("short"))
    return int(OrderLine.objects.owned_by(owner).aggregate(n=left)["n"])


def timed(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def p95(seconds: list[float]) -> float:
    """Return what 95 of 100 stay below, in ms."""
    if len(seconds) < 2:
        return round(sum(seconds) * 1000, 1)
    return round(statistics.quantiles(seconds, n=20)[-1] * 1000, 1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

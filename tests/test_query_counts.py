"""Each list costs the same number of queries for one row and for 500, and no more than before.

The counts stand in `query_counts.json` beside this file: a change is a line of the diff.
`UPDATE_QUERY_COUNTS=1 pytest tests/test_query_counts.py` writes them anew.
"""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.catalog.models import Component, ItemInventory
from apps.catalog.services.prices import record_figures
from apps.catalog.tests.factories import make_category, make_color, make_lot
from apps.catalog.tests.factories import make_item as make_whole
from apps.catalog.tests.test_api_prices import told
from apps.core.clock import now
from apps.core.testing.queries import assert_query_budget, count_queries
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from tests.routes import api_routes
from tests.test_ownership import OWN, OWNED, PUBLIC

LEDGER = Path(__file__).parent / "query_counts.json"
ROWS = 12
# Lists that ask for a parameter first.
ASKED = {
    "catalog-item-list": {"search": "brick"},
    "catalog-lot-list": {"item": "{item}"},
    "inventory-item-destinations": {"lot": "{lot}"},
    "inventory-item-owned": {"lot": "{lot}"},
    "inventory-item-unknown-words": {"field": "condition"},
    "inventory-sync-lots": {"kind": "created"},
    "user-set-destinations": {"lot": "{lot}"},
}
# Search is written for each database, so it has a count on each.
BY_DATABASE = {"catalog-item-list"}
# Not lists of rows, or one row with all that belongs to it.
SINGLE = {"backup-file", "batch-detail", "export-file", "invoice-file"}


@pytest.fixture
def world(ann) -> dict[str, Any]:
    """Several rows of everything that is ann's, each with something behind it."""
    rows: dict[str, Any] = {}
    for number in range(ROWS):
        make_color(100 + number)
        make_category(100 + number, name=f"Category {number}")
        bin_ = make_location(ann, name=f"Z-{number}")
        batch = make_batch(ann, name=f"Batch {number}")
        line = make_item(batch)
        stock = make_stock(ann, location=bin_)
        rows |= {"batch": batch, "batch-item": line, "location": bin_, "inventory-item": stock}
        for name, make in OWNED.items():
            if name not in rows and name not in {"container-type", "source"}:
                rows[name] = make(ann)
        if number % 2:
            stow_all(batch, location=bin_)
    put_together(ann, rows["inventory-item"].lot)
    for name in ("container-type", "source"):
        rows[name] = OWNED[name](ann)
    return rows


def put_together(ann: Any, lot: Any) -> None:
    """Let the lot's item be in several others, and be made of several lots itself."""
    for number in range(ROWS):
        for whole, part in ((make_whole(), lot), (lot.item, make_lot())):
            listed, _ = ItemInventory.objects.get_or_create(
                item=whole, catalogue="B", defaults={"has_components": True}
            )
            Component.objects.create(inventory=listed, lot=part, quantity=number + 1)
    record_figures(owner=ann, figures=[told(lot)], now=now())


@pytest.mark.django_db
class TestTheStation:
    def test_adds_a_part_of_a_picture_in_fourteen_queries(self, api, ann):
        lots = [make_lot(make_whole(category=make_category(n))) for n in (7, 8, 9)]
        bins = [make_location(ann) for _ in lots]
        for lot, bin_ in zip(lots, bins, strict=True):
            make_stock(ann, lot=lot, location=bin_)
        batch, client = make_batch(ann), api(ann)
        more = ",".join(str(lot.pk) for lot in lots[1:])

        def add(key: str = "add-2") -> None:
            asked = {"lot": lots[0].pk, "more_lots": more, "condition": "U"}
            found = client.get("/api/inventoryItems/destinations", asked).json()["data"]
            body = {"batch_id": batch.pk, "lot_id": lots[0].pk, "qty": 1, "condition": "U"}
            body["user_inventory_item_location_id"] = found[0]["id"]
            made = client.post(
                "/api/batchItems", body, format="json", headers={"Idempotency-Key": key}
            )
            assert made.status_code == 201, made.json()

        add("add-1")  # so that something is planned for a bin
        assert_query_budget(LEDGER, "one add at the station", add)


def lists() -> list[Any]:
    return [
        route
        for route in api_routes()
        if "get" in route.methods
        and route.name not in PUBLIC | OWN | SINGLE
        and not route.name.endswith("-detail")
    ]


def base_of(name: str) -> str:
    return max((base for base in OWNED if name.startswith(f"{base}-")), key=len, default="")


@pytest.mark.django_db
@pytest.mark.usefixtures("searchable")
class TestEveryList:
    def test_costs_the_same_whatever_the_page(self, api, ann, world):
        client = api(ann)
        changing = []
        for route in lists():
            address, query = asked(route, world)
            one, first = count_queries(partial(client.get, address, {**query, "page_size": 1}))
            if "page_size: is not a parameter here" in first.json().get("message", ""):
                continue  # it answers all at once
            many, _ = count_queries(partial(client.get, address, {**query, "page_size": 500}))
            assert first.status_code == 200, (route.name, first.json())
            if one != many:
                changing.append(f"{route.name}: {one} queries for 1 row, {many} for {ROWS}")

        assert changing == []

    def test_costs_what_the_ledger_says(self, api, ann, world):
        client = api(ann)

        for route in lists():
            address, query = asked(route, world)
            name = f"GET {route.path}"
            if route.name in BY_DATABASE:
                name += f" on {connection.vendor}"
            assert_query_budget(LEDGER, name, partial(client.get, address, query))


def asked(route: Any, world: dict[str, Any]) -> tuple[str, dict[str, str]]:
    lot = world["inventory-item"].lot
    query = {
        name: value.format(lot=lot.pk, item=lot.item_id)
        for name, value in ASKED.get(route.name, {}).items()
    }
    if not route.is_detail:
        return route.path, query
    shared = {"catalog-item": lot.item_id, "catalog-lot": lot.pk}
    base = base_of(route.name)
    pk = world[base].pk if base else shared[route.name.rpartition("-")[0]]
    return route.of(pk), query

"""Every filter and ordering that the lists of many rows offer, and the plans behind them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, product
from typing import Any, Final

from django.db import connection
from rest_framework.test import APIClient

from apps.core.testing.plans import EXPLAIN, full_scans
from apps.inventory.selectors.by_lot import ORDERS as LOT_ORDERS
from tests.routes import api_routes

BY_LOT: Final = "inventory-item-lots"
LISTS: Final = {
    "auction-listing-list": "auctions_auctionlisting",
    "batch-list": "batches_batch",
    "batch-item-list": "batches_batchitem",
    "inventory-item-list": "inventory_inventoryitem",
    BY_LOT: "inventory_inventoryitem",
    "location-list": "locations_location",
    "order-list": "orders_order",
    "source-list": "sources_source",
}
TABLES: Final = {*LISTS.values(), "orders_orderline"}
# What to ask for where a value of the right kind is not enough.
VALUES: Final = {
    "color": ("red", "nothing like it"),
    "search": ("brick 2", "clean", "A-1", "nothing like it"),
    "location": ("1", "none"),
    "location_name": ("A-1", "nothing like it"),
    "batch": ("1",),
    "batch_name": ("Batch 1", "nothing like it"),
    "source": ("1", "none"),
    "container_type": ("1", "none"),
    "lot": ("1",),
    "code": ("A-1",),
    "color_name": ("red", "nothing like it"),
    "item_number": ("3001",),
    "name": ("A-1",),
    "highest_bidder": ("ann",),
    "tray": ("A",),
    "for_sale_on": ("on-1", "off-1", "differs-1", "none"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One way to ask a list."""

    path: str
    query: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.path}?{'&'.join(f'{name}={value}' for name, value in self.query)}"


def ways_to_ask(*, ordered: bool = True, by_turns: bool = False) -> Iterator[Asked]:
    """Yield each value of each filter with each ordering, or with the default one (not `ordered`).

    By turns, each value is asked with one ordering in one direction (an index is read either way),
    and each filter begins with another one than the filter before.
    """
    for route in api_routes():
        if route.name not in LISTS or "get" not in route.methods:
            continue
        fields = list(LOT_ORDERS if route.name == BY_LOT else route.view.ordering_fields)
        orders = ["", *fields, *(f"-{name}" for name in fields)]
        yield from (Asked(route.path, _query("", "", order)) for order in orders)
        for place, (name, values) in enumerate(_filters(route.view)):
            if not ordered:
                pairs = product(values, [""])
            elif not by_turns:
                pairs = product(values, orders)
            else:
                turned = ["", *fields] if place % 2 else [f"-{field}" for field in fields]
                pairs = zip(values, _from(turned, place), strict=False)
            yield from (Asked(route.path, _query(name, value, order)) for value, order in pairs)


def scans_behind(client: APIClient, asked: Asked, *, read: bool = False) -> list[str]:
    """Return the steps that would read a table of many rows from end to end.

    Without `read` nothing is read but plans, however large the tables: the list comes out
    empty, so the look at the rows of its page is left out.
    """
    found: list[str] = []

    def explained(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith("SELECT") or not any(table in sql for table in TABLES):
            return execute(sql, params, many, context)
        execute(f"{EXPLAIN[connection.vendor]} {sql}", params, many, context)
        found.extend(full_scans(sql, context["cursor"].fetchall(), TABLES))
        sql = sql if read else f"SELECT * FROM ({sql}) AS unread LIMIT 0"
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explained):
        response = client.get(asked.path, dict(asked.query))
    assert response.status_code == 200, (str(asked), response.content[:300])
    return found


def _filters(view: Any) -> Iterator[tuple[str, Sequence[str]]]:
    for name, one in view.filterset_class.base_filters.items():
        yield name, VALUES.get(name) or _values(one)


def _from(turned: Sequence[str], place: int) -> Iterator[str]:
    return islice(cycle(turned), place % len(turned), None)


def _query(name: str, value: str, order: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, said) for key, said in ((name, value), ("ordering", order)) if said)


def _values(one: Any) -> tuple[str, ...]:
    kind = type(one).__name__
    if kind in ("AmountOrWordFilter", "ChoiceFilter"):
        return tuple(str(value) for value, _ in one.extra["choices"])
    return {
        "BooleanFilter": ("true", "false"),
        "AmountFilter": ("1",),
        "CharFilter": ("nothing like it",),
        "DateFilter": ("2026-11-01",),
        "IdFilter": ("1",),
        "IdsFilter": ("1,2",),
        "WholeFilter": ("1",),
        "DayFilter": ("2026-11-01",),
        "TimeZoneFilter": ("Europe/Berlin",),
        "InstantFilter": ("2026-11-01T00:00:00Z",),
    }[kind]

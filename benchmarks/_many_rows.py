"""A database of many users: one with `mine` rows of each list, others with `others` in all."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
USERS = 20
PER_BIN = 40
PER_BATCH = 200
TEXT_EVERY = 10


def fill_users(mine: int, others: int, *, lots: int, users: int = USERS) -> Any:
    """Write catalogue, sources, locations, stock, batches and their items, auction listings and
    orders of one line; return the user.

    Every list holds `mine` rows of the user and `others` of the rest.
    """
    from django.db import connection, transaction

    from apps.accounts.models import Preferences, User
    from benchmarks._store import fill_catalogue

    fill_catalogue(lots)
    _index_words()
    people = [
        User.objects.create_user(f"u{n}@example.org", None, name=f"U{n}") for n in range(users)
    ]
    Preferences.objects.bulk_create([Preferences(user=user) for user in people])
    share = others // max(users - 1, 1)
    owners = [(people[0].pk, mine), *((user.pk, share) for user in people[1:])]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET statement_timeout TO 0")
        with transaction.atomic():
            _write(owners)
        # Our tables alone: PostgreSQL's own are shared with the databases of other tests.
        if connection.vendor == "postgresql":
            # Inside a test no commit does it, and the end of each test would.
            connection.check_constraints()
            cursor.execute(f"ANALYZE {', '.join(connection.introspection.table_names(cursor))}")
            cursor.execute("RESET statement_timeout")
        else:
            cursor.execute("ANALYZE")
    return people[0]


def _index_words() -> None:
    from apps.catalog.models import Item
    from apps.catalog.services.texts import refresh_texts

    refresh_texts(item_ids=Item.objects.values_list("pk", flat=True))


def _write(owners: list[tuple[int, int]]) -> None:
    from apps.auctions.models import AuctionListing
    from apps.batches.models import Batch, BatchItem
    from apps.catalog.models import Lot
    from apps.core.bulk import insert_rows
    from apps.inventory.models import InventoryItem
    from apps.locations.models import Location
    from apps.orders.models import Order, OrderLine
    from apps.sources.models import Source

    lots = list(Lot.objects.values_list("pk", flat=True))
    for model, rows in (
        (Source, _sources(owners)),
        (Location, _locations(owners)),
        (Batch, _batches(owners)),
        (InventoryItem, _stock(owners, lots)),
        (BatchItem, _batch_items(owners, lots)),
        (AuctionListing, _listings(owners)),
        (Order, _orders(owners)),
        (OrderLine, _order_lines(owners, lots)),
    ):
        first = next(rows)
        defaults = _defaults(model, first)
        names = [*first, *defaults]
        plain = (tuple(row.values()) for row in _with(first, rows))
        insert_rows(model, names, (values + tuple(defaults.values()) for values in plain))
        _restart_ids(model)


def _with(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _defaults(model: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return the plain defaults of the columns that `given` leaves out."""
    found: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.attname in given:
            continue
        value = field.get_default()
        found[field.attname] = "{}" if field.get_internal_type() == "JSONField" else value
        if field.get_internal_type() == "DecimalField" and value is not None:
            found[field.attname] = f"{value:.4f}"
    return found


def _restart_ids(model: Any) -> None:
    from django.core.management.color import no_style
    from django.db import connection

    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)


def _stamp(place: int) -> str:
    return str((NOON - dt.timedelta(seconds=place % 5_000_000)).replace(tzinfo=None))


def _owned(owners: list[tuple[int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield (id, owner, number within the owner, id of the owner's first row)."""
    pk = 0
    for owner, count in owners:
        first = pk + 1
        for number in range(count):
            pk += 1
            yield pk, owner, number, first


def _sources(owners: list[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    for pk, owner, number, _ in _owned(owners):
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            "name": f"Market {number}",
            "name_key": f"market {number}",
            "notes": "",
        }


def _locations(owners: list[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    for pk, owner, number, _ in _owned(owners):
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            "name": f"A-{number}",
            "name_key": f"a-{number}",
            "code": f"A-{number}",
            "sort_key": f"a-{number:09d}",
            "item_count": number % 90,
            "max_item_count": 100 if number % 3 else None,
        }


def _batches(owners: list[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    for pk, owner, number, first in _owned(owners):
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            "name": f"Batch {number}",
            "source_id": first + number % 50,
            "cost_total": f"{number % 900}.0000",
            # Listings are numbered as batches are: this one is the same owner's.
            "won_listing_id": pk if number % 10 == 0 else None,
        }


def _stock(owners: list[tuple[int, int]], lots: list[int]) -> Iterator[dict[str, Any]]:
    for pk, owner, number, first in _owned(owners):
        bin_ = number // PER_BIN
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            "lot_id": lots[number * 13 % len(lots)],
            "location_id": first + bin_ if number % 50 else None,
            "quantity": number % 90 + 1 if number % 20 else 0,
            "price": f"{number % 300 / 100:.4f}",
            "condition": "NU"[number % 2],
            "remarks": f"A-{bin_}",
            "comments": f"clean {number}" if number % TEXT_EVERY == 0 else "",
            "marketplace_lot_id": pk,
        }


def _batch_items(owners: list[tuple[int, int]], lots: list[int]) -> Iterator[dict[str, Any]]:
    for pk, owner, number, first in _owned(owners):
        stowed = number % 3 == 0
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            "batch_id": first + number // PER_BATCH,
            "lot_id": lots[number * 13 % len(lots)],
            "location_id": first + number // PER_BIN if number % 50 else None,
            "is_stowed": stowed,
            # Stock is numbered as batch items are: this row is the same owner's.
            "inventory_item_id": pk if stowed else None,
            "stowed_at": _stamp(pk) if stowed else None,
            "quantity": number % 90 + 1,
            "price": f"{number % 300 / 100:.4f}",
            "condition": "NU"[number % 2],
            "remarks": "",
            "comments": f"clean {number}" if number % TEXT_EVERY == 0 else "",
        }


def _listings(owners: list[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    for pk, owner, number, _ in _owned(owners):
        landed = f"{number % 400 + 11}.0400" if number % 4 == 0 else None
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            "external_id": str(300_000_000 + number),
            "title": f"{number % 40 + 1} lbs of LEGO, box {number}",
            "location": f"Town {number % 80}, WI",
            "current_price": f"{number % 400}.9900",
            "bid_count": number % 30,
            "end_time": str((NOON + dt.timedelta(minutes=number - 100)).replace(tzinfo=None)),
            "shipping_cost": "11.0400" if landed else None,
            "landed_cost": landed,
            "landed_per_kg": f"{number % 50}.5000" if landed else None,
            "watch": "watching" if number % 20 == 0 else "",
            "my_bid": "20.0000" if number % 25 == 0 else None,
        }


def _orders(owners: list[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    states = ("paid", "picked", "packed", "cancelled")
    for pk, owner, number, _ in _owned(owners):
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            "channel": ("store", "hand", "file")[number % 3],
            "number": str(10_000_000 + number),
            "marketplace_order_id": pk,
            "state": states[number // 5 % 4] if number % 5 == 0 else "done",
            "ordered_at": _stamp(pk),
            "changed_at": _stamp(pk),
            "buyer": f"buyer{number * 31 % 9_000}",
            "currency": "EUR",
            "total": f"{number % 300}.5000",
            "is_filed": bool(number % 2),
        }


def _order_lines(owners: list[tuple[int, int]], lots: list[int]) -> Iterator[dict[str, Any]]:
    for pk, owner, number, _ in _owned(owners):
        yield {
            "id": pk,
            "owner_id": owner,
            "created_at": _stamp(pk),
            "updated_at": _stamp(pk * 7),
            # Orders are numbered as their lines are: this one is the same owner's.
            "order_id": pk,
            "key": f"{pk}",
            "lot_id": lots[number * 13 % len(lots)],
            "item_type": "PART",
            "item_number": str(3_000 + number % 500),
            "condition": "NU"[number % 2],
            "quantity": number % 9 + 1,
            "price": "0.2500",
        }

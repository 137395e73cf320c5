"""Everything that the home page shows, in a fixed number of queries."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.batches.rules.states import ItemState
from apps.core.money import money
from apps.home.rules import days_of, per_minute
from apps.home.selectors import to_do
from apps.home.selectors.batches import (
    BatchSums,
    batch_sums,
    by_source,
    last_added,
    listed_since,
    quarters_of,
)
from apps.home.selectors.health import health
from apps.home.selectors.stock import bins_in_use
from apps.inventory.services.stock_figures import StockOfType, stock_by_type
from apps.recognition.models import StationSitting

Row = dict[str, Any]
DAYS: Final = 30
SITTINGS: Final = 10
BARS: Final = 8
WEEK: Final = dt.timedelta(days=7)


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What was read of stock and batches, for the parts that are made of it."""

    stock: list[StockOfType]
    batches: list[BatchSums]
    bins: Row
    last: Row | None
    health: Row


def home(*, user: User, now: dt.datetime, zone: ZoneInfo) -> Row:
    """Return the home page's figures; after a change of the stock it walks over what changed."""
    seen = Seen(
        stock=stock_by_type(owner=user),
        batches=batch_sums(owner=user),
        bins=bins_in_use(owner=user),
        last=last_added(owner=user),
        health=health(owner=user, now=now),
    )
    currency = currency_of(user)
    failed = to_do.failed_jobs(owner=user, now=now)
    newest = seen.batches[0].id if seen.batches else None
    return {
        "currency": currency,
        "is_new": not (seen.stock or seen.batches or seen.bins["locations"]),
        "first_steps": _first_steps(seen),
        "last_added": _with_pieces(seen),
        "tiles": _tiles(seen, owner=user, now=now, failed=len(failed)),
        "days": _days(owner=user, now=now, zone=zone),
        "sittings": _sittings(owner=user),
        "by_type": [
            {
                "item_type": one.item_type,
                "lots": one.lots,
                "pieces": one.pieces,
                "value": one.value,
                "lots_without_price": one.lots_without_price,
            }
            for one in seen.stock
        ],
        "batch_returns": [batch_row(batch) for batch in _costed(seen.batches)[:BARS]],
        "source_returns": [
            {
                "id": source.id,
                "name": source.name,
                "batches": source.batches,
                "spent": money(source.spent),
                "value": money(source.value),
                "lots_without_price": source.lots_without_price,
                "gives_back": source.gives_back,
            }
            for source in by_source(seen.batches)[:BARS]
            if source.gives_back is not None
        ],
        "to_do": {
            "refused": to_do.refused_operations(owner=user, now=now),
            "failed_jobs": failed,
            "planned": to_do.planned_too_long(owner=user, now=now),
            "unpriced": _unpriced(seen.stock),
            "old_prices": to_do.old_prices(owner=user, currency=currency, now=now),
            "orders": to_do.open_orders(owner=user, now=now),
            "unsent": to_do.unsent_changes(owner=user),
            "last_sync": to_do.last_sync(owner=user),
            "auctions": to_do.auctions_ending(owner=user, now=now),
            "sets": to_do.sets_completed_by(owner=user, batch_id=newest),
        },
        "health": seen.health,
    }


def batch_row(batch: BatchSums) -> Row:
    """Return what a bar of a chart tells of a batch."""
    return {
        "id": batch.id,
        "name": batch.name,
        "cost": batch.cost,
        "value": money(batch.value),
        "lots_without_price": batch.lots_without_price,
        "gives_back": batch.gives_back,
    }


def _costed(batches: Sequence[BatchSums]) -> list[BatchSums]:
    return [batch for batch in batches if batch.gives_back is not None]


def _first_steps(seen: Seen) -> Row:
    return {
        "locations": seen.bins["locations"] > 0,
        "stock": bool(seen.stock or seen.batches),
        "marketplace": seen.health["marketplace"]["state"] != "none",
    }


def _with_pieces(seen: Seen) -> Row | None:
    if seen.last is None:
        return None
    pieces = next((one.all_pieces for one in seen.batches if one.id == seen.last["batch_id"]), 0)
    return {**seen.last, "batch_pieces": pieces}


def _unpriced(stock: Sequence[StockOfType]) -> Row | None:
    """Return how many rows in stock have no price, None where all have one."""
    lots = sum(one.lots_without_price for one in stock)
    return {"lots": lots} if lots else None


def _tiles(seen: Seen, *, owner: Any, now: dt.datetime, failed: int) -> Row:
    present = [batch for batch in seen.batches if not batch.is_archived]
    listed_lots, listed_pieces = listed_since(owner=owner, since=now - WEEK)
    return {
        "stock_pieces": sum(one.pieces for one in seen.stock),
        "stock_lots": sum(one.lots for one in seen.stock),
        "stock_value": money(sum((one.value for one in seen.stock), Decimal(0))),
        "lots_without_price": sum(one.lots_without_price for one in seen.stock),
        "new_pieces": sum(batch.pieces[ItemState.NEW] for batch in present),
        "new_lots": sum(batch.lots[ItemState.NEW] for batch in present),
        "stowed_pieces": sum(batch.pieces[ItemState.STOWED] for batch in present),
        "stowed_lots": sum(batch.lots[ItemState.STOWED] for batch in present),
        "listed_pieces": listed_pieces,
        "listed_lots": listed_lots,
        "batches": len(present),
        "batches_with_new": sum(1 for batch in present if batch.lots[ItemState.NEW]),
        "locations": seen.bins["locations"],
        "locations_nearly_full": seen.bins["nearly_full"],
        "spread_lots": sum(one.spread_lots for one in seen.stock),
        "failed_jobs": failed,
    }


def _days(*, owner: Any, now: dt.datetime, zone: ZoneInfo) -> list[Row]:
    last = now.astimezone(zone).date()
    first = last - dt.timedelta(days=DAYS - 1)
    since = dt.datetime.combine(first, dt.time(), tzinfo=zone)
    added, stowed = (
        days_of(
            quarters_of(owner=owner, instant=instant, since=since),
            zone=zone,
            last=last,
            count=DAYS,
        )
        for instant in ("created_at", "stowed_at")
    )
    return [
        {"day": first + dt.timedelta(days=place), "added": added[place], "stowed": stowed[place]}
        for place in range(DAYS)
    ]


def _sittings(*, owner: Any) -> list[Row]:
    rows = (
        StationSitting.objects.owned_by(owner)
        .filter(pieces__gt=0)
        .order_by("-started_at", "-id")
        .values("started_at", "acted_at", "pieces")[:SITTINGS]
    )
    found = []
    for row in reversed(rows):
        seconds = (row["acted_at"] - row["started_at"]).total_seconds()
        found.append(
            {
                "startedAt": row["started_at"],
                "minutes": round(seconds / 60),
                "pieces": row["pieces"],
                "per_minute": per_minute(row["pieces"], seconds),
            }
        )
    return found

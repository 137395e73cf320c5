"""Everything that the home page shows, in a fixed number of queries."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.batches.selectors import NEWEST_BATCHES, batch_rows, sums_for_home
from apps.core.money import Total, money
from apps.core.waiting import Asked, Question, Waiting, everything_waiting, facts_of, finds
from apps.home.selectors.batches import BatchSums, LastAddedItem, NotInValue, batch_sums, last_added
from apps.home.selectors.health import Health, health
from apps.home.selectors.pictures import with_pictures
from apps.home.selectors.profit import Sold, paid_back_by, sold_of
from apps.home.selectors.today import Today, today
from apps.inventory.services.stock_figures import StockOfType, stock_by_type
from apps.orders.selectors.profit import SoldSums, kept_lines


class FirstSteps(TypedDict):
    """What of the first steps is done."""

    locations: bool
    stock: Annotated[bool, "a file was imported or a batch begun"]
    marketplace: bool


class Tiles(TypedDict):
    """Of batches, only those that are not archived count."""

    stock_pieces: int
    stock_lots: int
    stock_value: Total
    lots_without_price: NotInValue
    batches: int


class BatchReturnRow(TypedDict):
    id: int
    name: str
    cost: Total
    sold: Annotated[Total, "for what buyers kept, less fees"]
    paid_back: Annotated[Total | None, "sold ÷ cost; null before the first sale"]
    in_stock: Annotated[Total, "what is not sold, at its prices"]
    lots_without_price: Annotated[int, "not in the sum in stock"]


class HomeRow(TypedDict):
    """Everything on the home page."""

    currency: str
    is_new: Annotated[bool, "nothing is there yet"]
    first_steps: FirstSteps
    last_added: LastAddedItem | None
    today: Today
    tiles: Tiles
    batch_returns: list[BatchReturnRow]
    waiting: Annotated[list[Waiting], "most money first"]
    health: Health


def home(*, user: User, now: dt.datetime, zone: ZoneInfo) -> HomeRow:
    """Return the home page's figures; after a change of the stock it walks over what changed.

    The day begins at midnight in `zone`.
    """
    day = today(owner=user, now=now, zone=zone)
    asked = Asked(owner=user, currency=day.currency, now=now)
    stock = asked.once(stock_by_type)
    asked.once(sums_for_home)  # before the batches: one that is made now is left out whole
    batches = asked.once(batch_rows)
    state = health(asked)
    return {
        "currency": asked.currency,
        "is_new": not (stock or batches or day.has_locations),
        "first_steps": {
            "locations": day.has_locations,
            "stock": bool(stock or batches),
            "marketplace": state["marketplace"]["has_store"],
        },
        "last_added": last_added(owner=user),
        "today": day.done,
        "tiles": _tiles(stock, batches),
        "batch_returns": _batch_returns(asked),
        "waiting": with_pictures(asked, everything_waiting(asked)),
        "health": state,
    }


@finds("home.sold")
def _any_sold(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    yield facts_of("sold", kept_lines(owner=asked.owner, currency=asked.currency)[:1])


def _batch_returns(asked: Asked) -> list[BatchReturnRow]:
    sums = asked.once(sums_for_home)
    filled = {row["batch_id"] for row in sums if row["pieces"]}
    costed = [row for row in asked.once(batch_rows) if row["cost"] and row["id"] in filled]
    shown = batch_sums(owner=asked.owner, rows=costed[:NEWEST_BATCHES], sums=sums)
    sold: Sold = {}
    if shown and asked.facts("sold"):
        ids = [batch.id for batch in shown]
        sold = sold_of(user=asked.owner, currency=asked.currency, batches=shown, only=ids)
    return [_batch_return(batch, sold) for batch in shown]


def _batch_return(batch: BatchSums, sold: Sold) -> BatchReturnRow:
    sums = sold.get(batch.id) or SoldSums()
    return {
        "id": batch.id,
        "name": batch.name,
        "cost": batch.cost or Decimal(0),
        "sold": money(sums.sold - sums.fees),
        "paid_back": paid_back_by(sums, batch.cost),
        "in_stock": money(max(Decimal(0), batch.value - sums.asked)),
        "lots_without_price": batch.lots_without_price,
    }


def _tiles(stock: Sequence[StockOfType], batches: Sequence[Mapping[str, Any]]) -> Tiles:
    return {
        "stock_pieces": sum(one.pieces for one in stock),
        "stock_lots": sum(one.lots for one in stock),
        "stock_value": money(sum((one.value for one in stock), Decimal(0))),
        "lots_without_price": sum(one.lots_without_price for one in stock),
        "batches": sum(1 for batch in batches if not batch["is_archived"]),
    }

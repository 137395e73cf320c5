"""List rows of stock on the marketplace, and take them off sale: start it, do it, go on.

Batch items may wait in a row: they are listed with it, and never twice. Off sale means into a stockroom: the lot keeps its id, price and texts,
and listing the row brings it back.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from apps.batches.models import BatchItem
from apps.core.errors import DomainError, ErrorCode, Invalid, NotFound
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.inventory.models import InventoryItem
from apps.listings.services._course import failed_row, open_listings
from apps.listings.services._stock_course import SETTLE_STOCK_KIND, StockListingWork
from apps.listings.services.sending import IN_ONE_CALL
from apps.marketplace.services.connections import ensure_connection, open_store

LIST_STOCK_KIND: Final = "batches.list_stock"
UNLIST_STOCK_KIND: Final = "batches.unlist_stock"
MOST: Final = 10_000
STRANGER: Final = "It is not in your stock."

Clock = Callable[[], dt.datetime]

__all__ = [
    "LIST_STOCK_KIND",
    "SETTLE_STOCK_KIND",
    "UNLIST_STOCK_KIND",
    "NothingToList",
    "NothingToUnlist",
    "StockListingStarted",
    "run_stock_listing",
    "run_stock_settling",
    "start_stock_listing",
    "start_unlisting",
    "stock_listing_stopped",
    "stock_settling_stopped",
]


class NothingToList(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "There is nothing to list: what was chosen is for sale already, or has no pieces."


class NothingToUnlist(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "Nothing of what was chosen is for sale."


@dataclass(frozen=True, kw_only=True, slots=True)
class StockListingStarted:
    """The job that lists or unlists, and how many rows it is about."""

    job: Job
    row_count: int


def start_stock_listing(
    *, owner: Any, row_ids: Sequence[int], stockroom: str | None, now: dt.datetime
) -> StockListingStarted:
    """Queue the listing of rows: what of them is not for sale yet, with what waits in batches.

    `stockroom` says where to: "" for buyers to see, A, B or C hidden, None as each row says. A
    lot in a stockroom that is listed for buyers comes out of it. Raises Invalid, NotFound,
    NothingToList, NotConnected. Statements constant.
    """
    waiting = BatchItem.objects.filter(
        inventory_item=OuterRef("pk"), is_stowed=True, is_listed=False
    )
    possible = Q(marketplace_lot_id=None, quantity__gt=0) | Q(Exists(waiting))
    if stockroom is not None:
        possible |= Q(marketplace_lot_id__isnull=False) & ~Q(stockroom__in=["", stockroom])
    return _start(
        LIST_STOCK_KIND,
        owner=owner,
        row_ids=row_ids,
        possible=possible,
        nothing=NothingToList(),
        stockroom=stockroom,
        now=now,
    )


def start_unlisting(
    *, owner: Any, row_ids: Sequence[int], stockroom: str, now: dt.datetime
) -> StockListingStarted:
    """Queue taking rows off sale: their lots go into this stockroom, whole.

    Raises Invalid, NotFound, NothingToUnlist, NotConnected. Statements constant.
    """
    return _start(
        UNLIST_STOCK_KIND,
        owner=owner,
        row_ids=row_ids,
        possible=Q(marketplace_lot_id__isnull=False, stockroom=""),
        nothing=NothingToUnlist(),
        stockroom=stockroom,
        now=now,
    )


def _start(
    kind: str,
    *,
    owner: Any,
    row_ids: Sequence[int],
    possible: Q,
    nothing: DomainError,
    stockroom: str | None,
    now: dt.datetime,
) -> StockListingStarted:
    if not 1 <= len(row_ids) <= MOST:
        raise Invalid(fields={"ids": [f"must be 1 to {MOST:,}"]})
    mine = InventoryItem.objects.owned_by(owner).filter(pk__in=row_ids)
    there = list(mine.order_by("pk").values_list("pk", flat=True))
    if not there:
        raise NotFound
    if not mine.filter(possible).exists():
        raise nothing
    ensure_connection(owner=owner, now=now)
    strangers = sorted(set(row_ids) - set(there))
    with transaction.atomic():
        job = start_job(
            owner=owner,
            kind=kind,
            payload={
                "row_ids": there,
                "stockroom": stockroom,
                "refused": [failed_row(pk, "", STRANGER) for pk in strangers],
            },
            total=len(there) + len(strangers),
        )
    return StockListingStarted(job=job, row_count=len(there))


def run_stock_listing(
    *,
    run: JobRun,
    row_ids: Sequence[int],
    stockroom: str | None,
    refused: Sequence[dict[str, Any]],
    unlists: bool,
    clock: Clock,
) -> None:
    """List or unlist the rows, 50 a part. Goes on where a kill stopped it.

    Raises JobFailed, JobCancelled, BudgetSpent; TryLater while the marketplace is away.
    """
    work = StockListingWork(run, unlists=unlists, clock=clock)
    work.begin(row_ids, refused)
    with open_store(work.connection, spend=work.calls.spend) as store:
        work.open(store)
        work.go_on(row_ids)
        work.look_around(row_ids)
        while work.at < len(row_ids):
            work.part(row_ids[work.at : work.at + IN_ONE_CALL], stockroom)
    work.end()


def stock_listing_stopped(
    *, run: JobRun, row_ids: Sequence[int], unlists: bool, reason: str, clock: Clock
) -> dict[str, Any]:
    """Give up what a job that was cancelled or failed had not sent; it just ended.

    Return what it has come to.
    """
    return StockListingWork(run, unlists=unlists, clock=clock).stop(row_ids, reason)


def run_stock_settling(
    *, run: JobRun, listing_ids: Sequence[int], unlists: bool, clock: Clock
) -> None:
    """Look a second time for listings whose outcome is unknown. Raises JobFailed, TryLater."""
    work = StockListingWork(run, unlists=unlists, clock=clock)
    work.connect()
    with open_store(work.connection, spend=work.calls.spend) as store:
        work.open(store)
        work.sender.settle(open_listings(listing_ids))
    work.end_settling(listing_ids)


def stock_settling_stopped(
    *, run: JobRun, listing_ids: Sequence[int], unlists: bool, reason: str, clock: Clock
) -> dict[str, Any]:
    """Let the rows go that a settling was for, which was cancelled or failed just now.

    Return what it has come to.
    """
    return StockListingWork(run, unlists=unlists, clock=clock).give_up(listing_ids, reason)

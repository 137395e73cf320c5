"""List batch items on the marketplace: start it, do it, go on after a kill.

`sending` sends and settles; here is which items it is for. An item is
`is_listed_pending` from the request until it is listed, refused or given up.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from apps.batches.models import Batch, BatchItem
from apps.batches.rules.states import ItemState
from apps.batches.services.batches import open_batch
from apps.batches.services.operations import name_of
from apps.batches.services.stowing import Chosen, NothingToDo, chosen_rows
from apps.core.concurrency import hold_ids_in_order, lock_in_order
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.listings.services._item_course import (
    LISTED_ALREADY,
    NOT_STOWED,
    SETTLE_KIND,
    ListingWork,
    failed_row,
    open_listings,
    set_pending,
)
from apps.listings.services.sending import IN_ONE_CALL
from apps.marketplace.services.connections import ensure_connection, open_store

KIND: Final = "batches.list_items"
STRANGER: Final = "It is not in this batch."

Clock = Callable[[], dt.datetime]


class ListedAlready(DomainError):
    """What could be listed waits for a listing that was started before."""

    code = ErrorCode.CONFLICT
    status = 409
    message = "What could be listed here is being listed already. Wait for the end of it."


__all__ = [
    "KIND",
    "SETTLE_KIND",
    "ListedAlready",
    "ListingStarted",
    "listing_stopped",
    "run_listing",
    "run_settling",
    "settling_stopped",
    "start_listing",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListingStarted:
    """The job that lists, and how many items it is about."""

    job: Job
    item_count: int


def start_listing(
    *,
    batch: Batch,
    chosen: Chosen,
    stockroom: str | None,
    now: dt.datetime,
    follows: bool = False,
) -> ListingStarted:
    """Queue the listing of stowed items; "all" is every stowed one. They are pending from now.

    `stockroom` is for new lots: "" visible, A, B or C hidden, None as each row says. In the
    demo whoever has no store gets the demo store. Raises NotConnected, BatchIsArchived,
    NothingToDo, ListedAlready, and TooManyJobs unless it `follows` from a stow. Statements constant.
    """
    if chosen.item_ids is None:
        chosen = Chosen(state=ItemState.STOWED)
    rows = chosen_rows(batch, chosen)
    if not rows.filter(is_stowed=True, is_listed=False, is_listed_pending=False).exists():
        raise _why_nothing(rows)
    ensure_connection(owner=batch.owner, now=now)
    with transaction.atomic():
        ready, refused, there = _sorted_out(rows, chosen)
        batch = open_batch(batch)
        if not ready:
            raise _why_nothing(rows)
        strangers = sorted(set(chosen.item_ids or ()) - there)
        refused += [failed_row(pk, "", STRANGER) for pk in strangers]
        set_pending(ready, True)
        job = start_job(
            owner=batch.owner,
            kind=KIND,
            payload={
                "batch_id": batch.pk,
                "item_ids": ready,
                "stockroom": stockroom,
                "refused": refused,
            },
            total=len(ready) + len(refused),
            follows=follows,
            about={"batch": [batch.pk]},
        )
    return ListingStarted(job=job, item_count=len(ready))


def _why_nothing(rows: QuerySet[Any]) -> DomainError:
    """Return why none of `rows` can be listed now. One query."""
    pending = rows.filter(is_listed_pending=True).exists()
    return ListedAlready() if pending else NothingToDo(verb="list")


def _sorted_out(
    rows: QuerySet[Any], chosen: Chosen
) -> tuple[list[int], list[dict[str, Any]], set[int]]:
    """Lock what was chosen; return ids to list, those that cannot be, and all that are there."""
    if chosen.item_ids is None:
        # All stowed ones: perhaps 100,000, of which nothing is to be told.
        free = rows.filter(is_stowed=True, is_listed=False, is_listed_pending=False)
        hold_ids_in_order(BatchItem, free.values_list("pk", flat=True))
        return list(free.values_list("pk", flat=True)), [], set()
    items = lock_in_order(rows.select_related("lot__item", "lot__color"))
    free_items = [item for item in items if not item.is_listed_pending]
    ready = [item.pk for item in free_items if item.is_stowed and not item.is_listed]
    refused = [
        failed_row(item.pk, name_of(item), LISTED_ALREADY if item.is_listed else NOT_STOWED)
        for item in free_items
        if not item.is_stowed or item.is_listed
    ]
    return ready, refused, {item.pk for item in items}


def run_listing(
    *,
    run: JobRun,
    batch_id: int,
    item_ids: Sequence[int],
    stockroom: str | None,
    refused: Sequence[dict[str, Any]],
    clock: Clock,
) -> None:
    """List the items, 50 a call where they are new lots. Goes on where a kill stopped it.

    Raises JobFailed, JobCancelled, BudgetSpent; TryLater while the marketplace is away.
    """
    work = ListingWork(run, batch_id, clock)
    work.begin(item_ids, refused)
    with open_store(work.connection, spend=work.calls.spend) as store:
        work.open(store)
        work.go_on(item_ids)
        while work.at < len(item_ids):
            work.part(item_ids[work.at : work.at + IN_ONE_CALL], stockroom)
    work.end()


def listing_stopped(
    *, run: JobRun, batch_id: int, item_ids: Sequence[int], reason: str, clock: Clock
) -> dict[str, Any]:
    """Give up what a listing that was cancelled or failed had not sent; its job just ended.

    Return what it has come to.
    """
    return ListingWork(run, batch_id, clock).stop(item_ids, reason)


def run_settling(*, run: JobRun, batch_id: int, listing_ids: Sequence[int], clock: Clock) -> None:
    """Look a second time for listings whose outcome is unknown. Raises JobFailed, TryLater."""
    work = ListingWork(run, batch_id, clock)
    work.connect()
    with open_store(work.connection, spend=work.calls.spend) as store:
        work.open(store)
        work.sender.settle(open_listings(listing_ids))
    work.end_settling(listing_ids)


def settling_stopped(
    *, run: JobRun, batch_id: int, listing_ids: Sequence[int], reason: str, clock: Clock
) -> dict[str, Any]:
    """Let the items go that a settling was for, which was cancelled or failed just now.

    Return what it has come to.
    """
    return ListingWork(run, batch_id, clock).give_up(listing_ids, reason)

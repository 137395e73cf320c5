"""Start listing: items of a batch, or rows of stock; and take rows of stock off sale.

`_course` does it, `sending` sends and settles. Batch items may wait in a row of stock: they are
listed with it, and never twice. Off sale means into a stockroom: the lot keeps its id, price and
texts, and listing the row brings it back.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from more_itertools import chunked

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.batches.rules.states import ItemState
from apps.batches.services.batches import open_batch
from apps.batches.services.selection import Chosen, NotInBatch, chosen_rows
from apps.batches.services.stowing import NothingToDo
from apps.core.concurrency import hold_ids_in_order, lock_in_order
from apps.core.errors import DomainError, Invalid, NotFound, StateConflict
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.inventory.models import InventoryItem
from apps.listings.services._batch_items import IN_A_STATEMENT, set_pending
from apps.listings.services._course import failed_row
from apps.listings.services._item_course import LISTED_ALREADY, NOT_STOWED
from apps.marketplace.services.connections import ensure_connection

LIST_KIND: Final = "batches.list_items"
LIST_STOCK_KIND: Final = "batches.list_stock"
UNLIST_STOCK_KIND: Final = "batches.unlist_stock"
MOST: Final = 10_000
NOT_IN_STOCK: Final = "It is not in your stock."


class ListedAlready(StateConflict):
    """Every listable item is already being listed."""

    message = "What could be listed here is being listed already. Wait for the end of it."


class NothingToList(StateConflict):
    message = "There is nothing to list: what was chosen is for sale already, or has no pieces."


class NothingToUnlist(StateConflict):
    message = "Nothing of what was chosen is for sale."


@dataclass(frozen=True, kw_only=True, slots=True)
class ListingStarted:
    """The job that lists or unlists, and the number of its items or rows."""

    job: Job
    count: int


def start_listing(
    *,
    batch: Batch,
    chosen: Chosen,
    stockroom: str | None,
    now: dt.datetime,
    follows: bool = False,
) -> ListingStarted:
    """Queue the listing of stowed items and mark them as pending. "all" is every stowed item.

    `stockroom` is for new lots: "" is visible, A, B or C are hidden, None is each row's own. In
    the demo, a person without a store gets the demo store. Raises NotConnected, BatchIsArchived,
    NothingToDo, ListedAlready, and TooManyJobs unless it `follows` from a stow.
    """
    chosen = chosen.or_all(ItemState.STOWED)
    rows = chosen_rows(batch, chosen)
    if not rows.filter(is_stowed=True, is_listed=False, is_listed_pending=False).exists():
        raise _why_nothing(rows)
    ensure_connection(owner=batch.owner, now=now)
    with transaction.atomic():
        ready, refused, there = _sorted_out(rows, chosen)
        batch = open_batch(batch)
        if not ready:
            raise _why_nothing(rows)
        refused += [failed_row(pk, "", NotInBatch().text) for pk in chosen.missing(there)]
        set_pending(ready, True)
        job = start_job(
            owner=batch.owner,
            kind=LIST_KIND,
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
    return ListingStarted(job=job, count=len(ready))


def list_stowed(
    *, batch: Batch, item_ids: Sequence[int], stockroom: str | None, now: dt.datetime
) -> list[Job]:
    """Queue the listing of items stowed in the same act, as many jobs as their number needs."""
    return [
        start_listing(
            batch=batch,
            chosen=Chosen(item_ids=tuple(ids)),
            stockroom=stockroom,
            now=now,
            follows=True,
        ).job
        for ids in chunked(item_ids, IN_A_STATEMENT)
    ]


def _why_nothing(rows: QuerySet[Any]) -> DomainError:
    """Return why none of `rows` can be listed now."""
    pending = rows.filter(is_listed_pending=True).exists()
    return ListedAlready() if pending else NothingToDo(verb="list")


def _sorted_out(
    rows: QuerySet[Any], chosen: Chosen
) -> tuple[list[int], list[dict[str, Any]], set[int]]:
    """Lock the chosen rows; return ids to list, ids that cannot be listed, and all ids."""
    if chosen.item_ids is None:
        # All stowed items can be 100,000. Their ids are enough, since none is refused.
        free = rows.filter(is_stowed=True, is_listed=False, is_listed_pending=False)
        hold_ids_in_order(BatchItem, free.values_list("pk", flat=True))
        return list(free.values_list("pk", flat=True)), [], set()
    items = lock_in_order(rows.select_related("lot__item", "lot__color"))
    free_items = [item for item in items if not item.is_listed_pending]
    ready = [item.pk for item in free_items if item.is_stowed and not item.is_listed]
    refused = [
        failed_row(item.pk, item.shown_name, LISTED_ALREADY if item.is_listed else NOT_STOWED)
        for item in free_items
        if not item.is_stowed or item.is_listed
    ]
    return ready, refused, {item.pk for item in items}


def start_stock_listing(
    *, owner: User, row_ids: Sequence[int], stockroom: str | None, now: dt.datetime
) -> ListingStarted:
    """Queue the listing of the unlisted pieces of rows, including waiting batch items.

    `stockroom` is the target: "" is visible to buyers, A, B or C are hidden, None is each row's
    own. A lot in a stockroom is moved out of it if it is listed for buyers. Raises Invalid,
    NotFound, NothingToList, NotConnected.
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
    *, owner: User, row_ids: Sequence[int], stockroom: str, now: dt.datetime
) -> ListingStarted:
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
    owner: User,
    row_ids: Sequence[int],
    possible: Q,
    nothing: DomainError,
    stockroom: str | None,
    now: dt.datetime,
) -> ListingStarted:
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
                "refused": [failed_row(pk, "", NOT_IN_STOCK) for pk in strangers],
            },
            total=len(there) + len(strangers),
        )
    return ListingStarted(job=job, count=len(there))

"""Links listings to batches, whose items may have pieces in rows of stock.

The one place of listing that calls `batches` and its tables. Each function ends at once where no
batch item is concerned, so that a seller without batches runs no code of `batches`.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Sum
from more_itertools import chunked

from apps.accounts.models import User
from apps.accounts.selectors import who_acts
from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.services.operations import keep_failures, record_operation
from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import hold_ids_in_order, lock_in_order
from apps.listings.models import Listing, ListingLine
from apps.listings.services.intents import Wish

# So many ids a statement of either database takes.
IN_A_STATEMENT: Final = 10_000


def items_in(lines: Iterable[ListingLine]) -> list[int]:
    """Return the batch items among what lines are for."""
    return [line.batch_item_id for line in lines if line.batch_item_id is not None]


def hold(ids: Collection[int]) -> None:
    """Lock batch items. They are always locked before the stock."""
    if ids:
        hold_ids_in_order(BatchItem, ids)


def set_pending(ids: Iterable[int], is_pending: bool) -> None:
    """Mark items as being listed, or take the mark off."""
    for some in chunked(ids, IN_A_STATEMENT):
        BatchItem.objects.filter(pk__in=some).update(is_listed_pending=is_pending)


def keep_refusals(reasons: Mapping[int, str]) -> None:
    """Write into items why they were not listed, and take their mark off."""
    if reasons:
        keep_failures(reasons, pending="is_listed_pending")


def wish_of(item: BatchItem) -> Wish:
    """Return the wish to list an item. Its lot, item and colour are selected with it."""
    return Wish(
        batch_item_id=item.pk,
        stock_id=item.inventory_item_id,
        quantity=item.quantity,
        name=item.shown_name,
    )


def write_listed(
    *, owner: User, listings: Sequence[Listing], lines: Sequence[ListingLine], now: dt.datetime
) -> list[BatchItem]:
    """Write into batch items that their pieces are for sale; return them."""
    ids = items_in(lines)
    if not ids:
        return []
    stamp = instant_text(now)
    of = {listing.pk: listing for listing in listings}
    found = BatchItem.objects.owned_by(owner).filter(is_stowed=True)
    items = found.select_related("lot__item", "lot__color").in_bulk(ids)
    rows = []
    for line in lines:
        item, listing = items.get(line.batch_item_id or 0), of[line.listing_id]
        if item is None:
            continue
        # Without a price of its own it was listed at the one of its stock.
        another_price = item.price is not None and item.price != listing.price
        changed = item.quantity != line.quantity or another_price
        rows.append((item.pk, True, False, changed, listing.marketplace_lot_id, "", stamp, stamp))
    columns = (
        "is_listed",
        "is_listed_pending",
        "is_changed_since_listing",
        "marketplace_lot_id",
        "failure",
        "listed_at",
        "updated_at",
    )
    update_rows(BatchItem, columns, rows)
    return list(items.values())


def record_listed(
    *, owner: User, counts: Mapping[str, int], named: Mapping[str, Sequence[dict[str, Any]]]
) -> None:
    """Write into the logs of batches which items of theirs a job of stock has listed."""
    if not counts:
        return
    for batch in Batch.objects.owned_by(owner).filter(pk__in=list(counts)).order_by("pk"):
        record_operation(
            batch=batch,
            kind=OperationKind.LIST,
            done=counts[str(batch.pk)],
            failed=[],
            items=named.get(str(batch.pk), ()),
            by=who_acts(owner),
        )


def unlisted_pieces(owner: User, row_ids: Collection[int] | None = None) -> dict[int, int]:
    """Return by stock row the pieces that are stowed and not yet listed."""
    items = BatchItem.objects.owned_by(owner).filter(
        is_stowed=True, is_listed=False, inventory_item__isnull=False
    )
    if row_ids is not None:
        items = items.filter(inventory_item_id__in=row_ids)
    sums = items.order_by().values("inventory_item_id").annotate(pieces=Sum("quantity"))
    return dict(sums.values_list("inventory_item_id", "pieces"))


@dataclass(slots=True)
class Beside:
    """The batch items in rows of stock. Items in `waiting` can be listed with their row."""

    waiting: defaultdict[int, list[BatchItem]] = field(default_factory=lambda: defaultdict(list))
    unlisted: dict[int, int] = field(default_factory=dict)  # pieces, those that wait included
    archived: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    marked: set[int] = field(default_factory=set)  # rows that a person marked as for sale

    def busy(self, row_id: int) -> int:
        """Return the pieces that their batch is listing."""
        waiting = sum(item.quantity for item in self.waiting[row_id])
        return self.unlisted.get(row_id, 0) - waiting - self.archived[row_id]


def lock_beside(owner: User, row_ids: Sequence[int]) -> Beside:
    """Lock the unlisted batch items in these rows, then their batches."""
    found = Beside()
    if not BatchItem.objects.owned_by(owner).filter(inventory_item_id__in=row_ids).exists():
        return found
    items = lock_in_order(
        BatchItem.objects.owned_by(owner)
        .filter(inventory_item_id__in=row_ids, is_stowed=True, is_listed=False)
        .select_related("lot__item", "lot__color")
    )
    batches = lock_in_order(Batch.objects.filter(pk__in={item.batch_id for item in items}))
    closed = {batch.pk for batch in batches if batch.is_archived}
    lines = ListingLine.objects.filter(batch_item__in=[item.pk for item in items], is_open=True)
    busy = set(lines.values_list("batch_item_id", flat=True))
    busy |= {item.pk for item in items if item.is_listed_pending}
    for item in items:
        if item.batch_id in closed:
            found.archived[item.inventory_item_id or 0] += item.quantity
        elif item.pk not in busy:
            found.waiting[item.inventory_item_id or 0].append(item)
    found.unlisted = unlisted_pieces(owner, row_ids)
    found.marked = marked_rows(owner, row_ids)
    return found


def marked_rows(owner: User, row_ids: Sequence[int]) -> set[int]:
    """Return the stock rows that a person marked as for sale, without a known lot."""
    items = BatchItem.objects.owned_by(owner).filter(
        inventory_item_id__in=row_ids, is_listed=True, marketplace_lot_id=None
    )
    return set(items.values_list("inventory_item_id", flat=True))


def note_in_step(owner: User, row_ids: Sequence[int]) -> None:
    """Write into the listed items of these rows that the store shows them as they are."""
    listed = BatchItem.objects.owned_by(owner).filter(inventory_item_id__in=row_ids, is_listed=True)
    listed.update(is_changed_since_listing=False)

"""State of a job that lists items of a batch: the next items and the results."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from more_itertools import chunked

from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.services.batches import open_batch
from apps.batches.services.operations import keep_named, record_operation
from apps.core.concurrency import lock_in_order
from apps.core.jobs.run import Clock, JobFailed, JobRun
from apps.inventory.models import InventoryItem
from apps.listings.models import Listing, ListingLine, ListingState
from apps.listings.services import intents
from apps.listings.services._batch_items import (
    IN_A_STATEMENT,
    keep_refusals,
    marked_rows,
    unlisted_pieces,
    wish_of,
)
from apps.listings.services._course import NOT_YET_KNOWN, ListingCourse, failed_row
from apps.listings.services.intents import Wish

SETTLE_KIND: Final = "batches.settle_listings"
NOT_STOWED: Final = "It is not stowed yet."
LISTED_ALREADY: Final = "It is already listed."


class ItemCourse(ListingCourse):
    """One attempt at listing items of a batch."""

    settle_kind = SETTLE_KIND
    is_of_stock = False

    def __init__(self, run: JobRun, batch_id: int, clock: Clock) -> None:
        super().__init__(run, clock)
        batch = Batch.objects.owned_by(run.owner).filter(pk=batch_id).first()
        if batch is None:
            raise JobFailed(reason="The batch was deleted.")
        self.batch: Batch = batch

    def resume(self, ids: Sequence[int]) -> None:
        """Settle what earlier attempts, or earlier jobs, left open for these items."""
        self.asked_items = set(ids[self.at :])
        super().resume(ids)

    def _rows_of(self, ids: Sequence[int]) -> QuerySet[InventoryItem]:
        items = BatchItem.objects.filter(pk__in=ids).order_by().values("inventory_item")
        return InventoryItem.objects.owned_by(self.run.owner).filter(pk__in=items)

    def _mark_again(self, ids: Sequence[int]) -> None:
        for some in chunked(ids, IN_A_STATEMENT):
            again = BatchItem.objects.filter(pk__in=some, batch=self.batch)
            again.filter(is_stowed=True, is_listed=False).update(is_listed_pending=True)

    def _let_wait(self, ids: Sequence[int], unknown: Sequence[int]) -> None:
        for some in chunked(ids, IN_A_STATEMENT):
            waiting = BatchItem.objects.filter(pk__in=some, is_listed_pending=True)
            waiting = waiting.exclude(pk__in=unknown)
            waiting.update(is_listed_pending=False, updated_at=self.clock())

    def _left_open(self, ids: Sequence[int]) -> Any:
        return Listing.objects.filter(
            owner=self.run.owner,
            state=ListingState.UNKNOWN,
            lines__batch_item_id__in=ids,
            lines__is_open=True,
        )

    def _write_listed(
        self, listings: Sequence[Listing], lines: Sequence[ListingLine]
    ) -> list[BatchItem]:
        items = super()._write_listed(listings, lines)
        keep_named(self.run.state.setdefault("named", []), items)
        return items

    def _number_done(self, lines: Sequence[ListingLine], done: Sequence[BatchItem]) -> int:
        return len(done)

    def _plan(self, ids: Sequence[int], stockroom: str | None) -> list[Listing]:
        open_lines = set(
            ListingLine.objects.filter(batch_item_id__in=ids, is_open=True).values_list(
                "batch_item_id", flat=True
            )
        )
        items = lock_in_order(
            BatchItem.objects.filter(
                pk__in=ids, batch=self.batch, is_listed_pending=True
            ).select_related("lot__item", "lot__color")
        )
        open_batch(self.batch)
        new = self._rows_of(ids).filter(marketplace_lot_id=None).select_related("lot__item")
        against = {row.pk: self.untied.reason_against(row) for row in new}
        wishes, refused, unknown = [], {}, {}
        for item in items:
            if not item.is_stowed or item.is_listed:
                refused[item.pk] = LISTED_ALREADY if item.is_listed else NOT_STOWED
            elif item.pk in open_lines:
                if not self._is_own(item.pk):
                    unknown[item.pk] = NOT_YET_KNOWN
            elif reason := against.get(item.inventory_item_id or 0):
                refused[item.pk] = reason
            else:
                wishes.append(wish_of(item))
        wishes += self._loose_beside(wishes)
        planned = intents.write_intents(
            owner=self.run.owner,
            wishes=wishes,
            stockroom=stockroom,
            job_id=self.run.job.pk,
            channel=self.connection.channel,
        )
        self._refuse(refused)
        self._refuse(unknown, "unknown")
        self.run.done += len(refused) + len(unknown)
        self._refuse_wishes(planned.refused)
        return planned.listings

    def _loose_beside(self, wishes: Sequence[Wish]) -> list[Wish]:
        """Return the pieces in the rows of new lots that belong to no batch item.

        A row is listed as one lot: a sync would read pieces that are left out as sold.
        """
        owner, names = self.run.owner, {wish.stock_id: wish.name for wish in wishes}
        ids = [pk for pk in names if pk is not None]
        rows = lock_in_order(
            InventoryItem.objects.owned_by(owner).filter(pk__in=ids, marketplace_lot_id=None)
        )
        waiting = unlisted_pieces(owner, ids)
        busy = ListingLine.objects.filter(
            inventory_item_id__in=ids, batch_item_id=None, is_open=True
        )
        left = {*marked_rows(owner, ids), *busy.values_list("inventory_item_id", flat=True)}
        return [
            Wish(stock_id=row.pk, quantity=loose, name=names[row.pk])
            for row in rows
            if row.pk not in left and (loose := row.quantity - waiting.get(row.pk, 0)) > 0
        ]

    def _is_own(self, item_id: int) -> bool:
        return ListingLine.objects.filter(
            batch_item_id=item_id, is_open=True, listing__job_id=self.run.job.pk
        ).exists()

    def _refuse(self, reasons: dict[int, str], outcome: str = "rejected") -> None:
        if not reasons:
            return
        found = BatchItem.objects.select_related("lot__item", "lot__color")
        known = found.owned_by(self.run.owner).in_bulk(list(reasons))
        for pk, reason in reasons.items():
            name = known[pk].shown_name if pk in known else ""
            self.run.fail_item(failed_row(pk, name, reason, outcome))
        keep_refusals(reasons)

    def _payload(self) -> dict[str, Any]:
        return {"batch_id": self.batch.pk}

    def _about(self) -> dict[str, list[int]]:
        return {"batch": [self.batch.pk]}

    def _result_of(self) -> dict[str, Any]:
        return {"batch_id": self.batch.pk}

    def _record(self, message: str) -> None:
        record_operation(
            batch=self.batch,
            kind=OperationKind.LIST,
            done=self.run.state.get("items", 0),
            failed=self.run.failed,
            failed_count=self.run.failed_count,
            items=self.run.state.get("named", []),
            message=message,
            by=self.run.by,
        )

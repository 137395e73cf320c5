"""State of a job that lists or unlists rows of stock: the rows done and their results."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from more_itertools import map_reduce

from apps.batches.models import BatchItem
from apps.batches.services.operations import keep_named
from apps.core.concurrency import lock_in_order
from apps.core.jobs.run import Clock, JobRun
from apps.inventory.models import InventoryItem
from apps.listings.models import Listing, ListingKind, ListingLine, ListingState
from apps.listings.rules.stock_listing import Have, Step, listing_of, unlisting_of
from apps.listings.services import intents
from apps.listings.services._batch_items import (
    lock_beside,
    record_listed,
    set_pending,
    wish_of,
)
from apps.listings.services._course import NOT_SENT, NOT_YET_KNOWN, ListingCourse, failed_row
from apps.listings.services.intents import Planned, Wish

SETTLE_STOCK_KIND: Final = "batches.settle_stock_listings"


class StockCourse(ListingCourse):
    """One attempt at listing rows of stock or, with `unlists`, at hiding them in a stockroom.

    Batch items in a row that are waiting to be listed are listed with it.
    """

    settle_kind = SETTLE_STOCK_KIND
    is_of_stock = True

    def __init__(self, run: JobRun, *, unlists: bool, clock: Clock) -> None:
        super().__init__(run, clock)
        self.unlists = unlists

    # -- hooks of the course ---------------------------------------------------------------

    def _plan(self, ids: Sequence[int], stockroom: str | None) -> list[Listing]:
        owner = self.run.owner
        busy_elsewhere, own = self._known(ids)
        moved = self._moved()
        # Lock order: items, batches, stock.
        beside = lock_beside(owner, ids)
        rows = lock_in_order(
            InventoryItem.objects.owned_by(owner)
            .filter(pk__in=ids)
            .select_related("lot__item", "lot__color")
        )
        refused, unknown = {}, {}
        put_up: list[Wish] = []
        to_move: list[Wish] = []
        for row in rows:
            if row.pk in own:
                continue  # done and reported by an earlier attempt of this job
            if row.pk in busy_elsewhere:
                unknown[row.pk] = NOT_YET_KNOWN
                continue
            if row.marketplace_lot_id in moved:
                # It went along with another row of its lot.
                self.run.state["items"] = self.run.state.get("items", 0) + 1
                self.run.done += 1
                continue
            items = beside.waiting[row.pk]
            unlisted = beside.unlisted.get(row.pk, 0)
            free = max(row.quantity - row.promised - unlisted, 0)
            have = Have(
                lot_id=row.marketplace_lot_id,
                stockroom=row.stockroom,
                loose=free if row.marketplace_lot_id is None else 0,
                waiting=sum(item.quantity for item in items),
                busy=beside.busy(row.pk),
                archived=beside.archived[row.pk],
                is_marked=row.pk in beside.marked,
                against=self.untied.reason_against(row),
            )
            verdict = unlisting_of(have) if self.unlists else listing_of(have, into=stockroom)
            if verdict.step is None:
                refused[row.pk] = verdict.reason
                continue
            wishes = [] if self.unlists else [wish_of(item) for item in items]
            wishes.append(Wish(stock_id=row.pk, quantity=have.loose, name=row.shown_name[:400]))
            if verdict.step == Step.PUT_UP:
                put_up += wishes
            else:
                to_move += wishes
        planned = intents.write_intents(
            owner=owner,
            wishes=put_up,
            stockroom=stockroom,
            job_id=self.run.job.pk,
            channel=self.connection.channel,
        )
        more = intents.write_moves(
            owner=owner, wishes=to_move, stockroom=stockroom or "", job_id=self.run.job.pk
        )
        planned = Planned(planned.listings + more.listings, planned.refused | more.refused)
        set_pending(
            [
                wish.batch_item_id
                for wish in (*put_up, *to_move)
                if wish.batch_item_id is not None and wish not in planned.refused
            ],
            True,
        )
        self._refuse(refused)
        self._refuse(unknown, "unknown")
        self.run.done += len(refused) + len(unknown)
        self._refuse_wishes(planned.refused)
        return planned.listings

    def _known(self, ids: Sequence[int]) -> tuple[set[int | None], set[int | None]]:
        """Return the rows that other jobs are about, and those that this one is done with."""
        lines = ListingLine.objects.filter(inventory_item_id__in=ids, batch_item_id=None)
        own = lines.filter(listing__job_id=self.run.job.pk).exclude(
            listing__state=ListingState.REJECTED, listing__reason__startswith=NOT_SENT
        )
        others = lines.filter(is_open=True).exclude(listing__job_id=self.run.job.pk)
        return (
            set(others.values_list("inventory_item_id", flat=True)),
            set(own.values_list("inventory_item_id", flat=True)),
        )

    def _moved(self) -> set[int | None]:
        """Return the lots that this job has moved."""
        moves = Listing.objects.filter(
            job_id=self.run.job.pk, kind=ListingKind.MOVE, state=ListingState.LISTED
        )
        return set(moves.values_list("marketplace_lot_id", flat=True))

    def _left_open(self, ids: Sequence[int]) -> Any:
        return Listing.objects.filter(
            owner=self.run.owner,
            state=ListingState.UNKNOWN,
            lines__inventory_item_id__in=ids,
            lines__batch_item_id=None,
            lines__is_open=True,
        )

    def _rows_of(self, ids: Sequence[int]) -> QuerySet[InventoryItem]:
        rows = InventoryItem.objects.owned_by(self.run.owner)
        return rows.none() if self.unlists else rows.filter(pk__in=ids)

    def _mark_again(self, ids: Sequence[int]) -> None:
        """Nothing: rows are marked by their open lines."""

    def _let_wait(self, ids: Sequence[int], unknown: Sequence[int]) -> None:
        """Do nothing: batch items are marked and released together with their intents."""

    def _write_listed(
        self, listings: Sequence[Listing], lines: Sequence[ListingLine]
    ) -> list[BatchItem]:
        items = super()._write_listed(listings, lines)
        counts = self.run.state.setdefault("of_batches", {})
        kept = self.run.state.setdefault("named_of_batches", {})
        for pk, of_batch in map_reduce(items, lambda item: str(item.batch_id)).items():
            counts[pk] = counts.get(pk, 0) + len(of_batch)
            keep_named(kept.setdefault(pk, []), of_batch)
        return items

    def _refuse(self, reasons: dict[int, str], outcome: str = "rejected") -> None:
        if not reasons:
            return
        found = InventoryItem.with_deleted.owned_by(self.run.owner)
        rows = found.select_related("lot__item", "lot__color").in_bulk(list(reasons))
        for pk, reason in reasons.items():
            name = rows[pk].shown_name[:400] if pk in rows else ""
            self.run.fail_item(failed_row(pk, name, reason, outcome))

    def _payload(self) -> dict[str, Any]:
        return {"unlists": self.unlists}

    def _result_of(self) -> dict[str, Any]:
        return {"unlists": self.unlists, "moved": self.run.state.get("moved", 0)}

    def _record(self, message: str) -> None:
        """Write into the logs of batches that items of theirs were listed."""
        record_listed(
            owner=self.run.owner,
            counts=self.run.state.pop("of_batches", {}),
            named=self.run.state.pop("named_of_batches", {}),
        )

    def _tell(self) -> None:
        super()._tell()
        if self.unlists:
            self.run.message = self.run.message.replace(" listed", " taken off sale", 1)

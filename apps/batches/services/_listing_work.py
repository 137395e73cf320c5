"""What a listing job keeps: which items are next, what became of them, what is still unknown."""

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction

from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.services._operations import keep_failures, name_of, record_operation
from apps.batches.services.batches import open_batch
from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import hold_ids_in_order, lock_in_order
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobFailed, JobRun, TryLater
from apps.marketplace.models import (
    OPEN_STATES,
    Listing,
    ListingKind,
    ListingLine,
    ListingState,
    StoreSync,
    SyncState,
)
from apps.marketplace.services import intents
from apps.marketplace.services.connections import connection_of
from apps.marketplace.services.intents import Wish
from apps.marketplace.services.sending import SECOND_LOOK, Sender, StoreCalls

IN_A_STATEMENT: Final = 10_000
SETTLE_KIND: Final = "batches.settle_listings"
NOT_STOWED: Final = "It is not stowed yet."
LISTED_ALREADY: Final = "It is already listed."
NOT_YET_KNOWN: Final = (
    "It is not known yet what became of the last call for it: try again in a minute."
)
SYNCING: Final = "The store is being synced: listing waits for it."

Clock = Callable[[], dt.datetime]


class ListingWork:
    """One attempt at a job: what it is about, and what it keeps of each outcome."""

    def __init__(self, run: JobRun, batch_id: int, clock: Clock) -> None:
        self.run = run
        self.clock = clock
        batch = Batch.objects.owned_by(run.owner).filter(pk=batch_id).first()
        if batch is None:
            raise JobFailed(reason="The batch was deleted.")
        self.batch: Batch = batch
        self.calls = StoreCalls(run, clock)
        self.connection: Any = None
        self.sender: Any = None

    @property
    def at(self) -> int:
        return int(self.run.state.get("at", 0))

    # -- the course ----------------------------------------------------------------------

    def connect(self) -> None:
        """Take the owner's store. Raises NotConnected."""
        self.connection = connection_of(owner=self.run.owner)

    def begin(self, item_ids: Sequence[int], refused: Sequence[dict[str, Any]]) -> None:
        """Tell what was refused at once; after a stop, mark the rest as pending again."""
        self.connect()
        if StoreSync.objects.owned_by(self.run.owner).filter(state=SyncState.APPLYING).exists():
            raise TryLater(SYNCING)
        state = self.run.state
        with self.run.chunk():
            if state.pop("is_stopped", False):
                for ids in pieces(item_ids[self.at :]):
                    again = BatchItem.objects.filter(pk__in=ids, batch=self.batch)
                    again.filter(is_stowed=True, is_listed=False).update(is_listed_pending=True)
            if "at" not in state:
                state["at"] = 0
                for one in refused:
                    self.run.fail_item(one)
                self.run.done = len(refused)

    def open(self, store: Any) -> None:
        self.sender = Sender(store=store, calls=self.calls, connection=self.connection, keeper=self)

    def go_on(self, item_ids: Sequence[int]) -> None:
        """Settle what earlier attempts, or earlier jobs, left open for these items."""
        own = Listing.objects.filter(job_id=self.run.job.pk, state__in=OPEN_STATES)
        self.sender.go_on(list(own.order_by("pk")))
        self._again_as_new()
        found: dict[int, Listing] = {}
        for ids in pieces(item_ids[self.at :]):
            others = Listing.objects.filter(
                owner=self.run.owner,
                state=ListingState.UNKNOWN,
                lines__batch_item_id__in=ids,
                lines__is_open=True,
            ).exclude(job_id=self.run.job.pk)
            found |= {one.pk: one for one in others.distinct().order_by("pk")}
        if found:
            # A person lists again what was unknown: the store is asked before anything else.
            self.is_asked = True
            self.sender.settle(list(found.values()), asked=True)
            self.is_asked = False

    is_asked = False

    def part(self, ids: Sequence[int], stockroom: str | None) -> None:
        """Write the intents of some items, send them, and be done with them."""
        try:
            with self.run.chunk():
                planned = self._plan(ids, stockroom)
        except IntegrityError as beaten:
            # Another job has just written the same lot or item: by then it is settled.
            raise TryLater(intents.BUSY) from beaten
        self.sender.send(planned)
        self._again_as_new()
        with self.run.chunk():
            self.run.state["at"] = self.at + len(ids)
            self._tell()

    def end(self) -> None:
        """Finish; what is still unknown is looked for again by a job of its own."""
        unknown = self._unknown_of_job()
        result = self._result(unknown[1])
        with transaction.atomic():
            if unknown[0]:
                result["settle_job_id"] = str(self._look_again(*unknown))
            with self.run.finish(result=result):
                self._record("" if not unknown[0] else f"{len(unknown[1])} not known yet")

    def stop(self, item_ids: Sequence[int], reason: str) -> dict[str, Any]:
        """Give up what was not sent; what may have been is looked for by a job of its own.

        Return the result of the job.
        """
        now = self.clock()
        with transaction.atomic():
            planned = Listing.objects.filter(job_id=self.run.job.pk, state=ListingState.PLANNED)
            intents.settle_rejected(
                {one.pk: (one, f"Not sent: {reason}") for one in planned}, now=now
            )
            unknown = self._unknown_of_job()
            for ids in pieces(item_ids[self.at :]):
                waiting = BatchItem.objects.filter(pk__in=ids, is_listed_pending=True)
                waiting = waiting.exclude(pk__in=unknown[1])
                waiting.update(is_listed_pending=False, updated_at=now)
            result = self._result(unknown[1])
            if unknown[0]:
                result["settle_job_id"] = str(self._look_again(*unknown))
            self.run.state["is_stopped"] = True
            self._record(reason)
        return result

    def end_settling(self, listing_ids: Sequence[int]) -> None:
        left = open_listings(listing_ids)
        reason = "It is still not known what became of it: look in the store."
        with self.run.chunk():
            self._fail_unknown(left, reason)
        with self.run.finish(result=self._result()):
            self._record("")

    def give_up(self, listing_ids: Sequence[int], reason: str) -> dict[str, Any]:
        """Let the items go: what became of them is asked again when they are listed again.

        Return the result of the job.
        """
        with transaction.atomic():
            self._fail_unknown(open_listings(listing_ids), reason)
            self._record(reason)
        return self._result()

    # -- what the sender tells ------------------------------------------------------------

    def hold(self, listing_ids: Sequence[int]) -> None:
        lines = ListingLine.objects.filter(listing_id__in=listing_ids, is_open=True)
        hold_ids_in_order(BatchItem, lines.values_list("batch_item_id", flat=True))

    def listed(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None:
        now = self.clock()
        stamp = instant_text(now)
        of = {listing.pk: listing for listing in listings}
        items = (
            BatchItem.objects.owned_by(self.run.owner)
            .filter(is_stowed=True)
            .in_bulk([line.batch_item_id for line in lines])
        )
        rows = []
        for line in lines:
            item, listing = items.get(line.batch_item_id), of[line.listing_id]
            if item is None:
                continue
            changed = item.quantity != line.quantity or item.price != listing.price
            rows.append(
                (item.pk, True, False, changed, listing.marketplace_lot_id, "", stamp, stamp)
            )
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
        state = self.run.state
        state["items"] = state.get("items", 0) + len(rows)
        for listing in listings:
            kind = "created" if listing.kind == ListingKind.CREATE else "topped_up"
            state[kind] = state.get(kind, 0) + 1
        self._count(lines)

    def rejected(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None:
        of = {listing.pk: listing for listing in listings}
        if self.is_asked:
            return  # surely not there: they are planned anew by this very job
        self._refuse({line.batch_item_id: of[line.listing_id].reason for line in lines})
        self._count(lines)

    def _result(self, unknown: Sequence[int] | None = None) -> dict[str, Any]:
        """Return what the job has come to; `unknown` are items that nothing is known of yet."""
        state = self.run.state
        result: dict[str, Any] = {
            "batch_id": self.batch.pk,
            "item_count": state.get("items", 0),
            "failed_count": self.run.failed_count,
            "calls": state.get("calls", 0),
        }
        if unknown is not None:
            result |= {
                "created": state.get("created", 0),
                "topped_up": state.get("topped_up", 0),
                "unknown_count": len(unknown),
                "settle_job_id": None,
            }
        return result

    # -- parts of it ----------------------------------------------------------------------

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
        wishes, refused, unknown = [], {}, {}
        for item in items:
            if not item.is_stowed or item.is_listed:
                refused[item.pk] = LISTED_ALREADY if item.is_listed else NOT_STOWED
            elif item.pk in open_lines:
                if not self._is_own(item.pk):
                    unknown[item.pk] = NOT_YET_KNOWN
            else:
                wishes.append(
                    Wish(
                        batch_item_id=item.pk,
                        stock_id=item.inventory_item_id,
                        quantity=item.quantity,
                        name=name_of(item),
                    )
                )
        planned = intents.write_intents(
            owner=self.run.owner, wishes=wishes, stockroom=stockroom, job_id=self.run.job.pk
        )
        self._refuse(refused | planned.refused, items)
        self._refuse(unknown, items, "unknown")
        self.run.done += len(refused) + len(planned.refused) + len(unknown)
        return planned.listings

    def _again_as_new(self) -> None:
        """Make new lots of what was to be put on top of lots that are gone from the store."""
        gone, self.sender.gone = self.sender.gone, []
        if not gone:
            return
        lines = intents.lines_by_listing(gone)
        now = self.clock()
        with self.run.chunk():
            intents.settle_rejected(
                {one.pk: (one, "The lot is no longer in the store.") for one in gone}, now=now
            )
            listings: list[Listing] = []
            for stockroom in sorted({one.stockroom for one in gone}):
                wishes = [
                    Wish(
                        batch_item_id=line.batch_item_id,
                        stock_id=listing.inventory_item_id,
                        quantity=line.quantity,
                        name=listing.name,
                    )
                    for listing in gone
                    if listing.stockroom == stockroom
                    for line in lines[listing.pk]
                ]
                planned = intents.write_intents(
                    owner=self.run.owner,
                    wishes=wishes,
                    stockroom=stockroom,
                    job_id=self.run.job.pk,
                    gone_lots=[one.marketplace_lot_id or 0 for one in gone],
                )
                self._refuse(planned.refused)
                self.run.done += len(planned.refused)
                listings += planned.listings
        self.sender.send(listings)

    def _is_own(self, item_id: int) -> bool:
        return ListingLine.objects.filter(
            batch_item_id=item_id, is_open=True, listing__job_id=self.run.job.pk
        ).exists()

    def _refuse(
        self, reasons: dict[int, str], items: Sequence[BatchItem] = (), outcome: str = "rejected"
    ) -> None:
        if not reasons:
            return
        known = {item.pk: item for item in items}
        if not known:
            found = BatchItem.objects.select_related("lot__item", "lot__color")
            known = found.owned_by(self.run.owner).in_bulk(list(reasons))
        for pk, reason in reasons.items():
            name = name_of(known[pk]) if pk in known else ""
            self.run.fail_item(failed_row(pk, name, reason, outcome))
        keep_failures(reasons, pending="is_listed_pending")

    def _fail_unknown(self, listings: Sequence[Listing], reason: str) -> None:
        lines = ListingLine.objects.filter(listing__in=listings, is_open=True)
        ids = list(lines.values_list("batch_item_id", flat=True))
        self._refuse(dict.fromkeys(ids, reason), outcome="unknown")
        Listing.objects.filter(pk__in=[one.pk for one in listings]).update(
            state=ListingState.UNKNOWN, reason=reason
        )

    def _unknown_of_job(self) -> tuple[list[int], list[int]]:
        """Return ids of listings that may have been sent, and of the items they are for."""
        unknown = Listing.objects.filter(
            job_id=self.run.job.pk, state__in=[ListingState.SENDING, ListingState.UNKNOWN]
        )
        ids = list(unknown.order_by("pk").values_list("pk", flat=True))
        lines = ListingLine.objects.filter(listing_id__in=ids, is_open=True)
        return ids, list(lines.values_list("batch_item_id", flat=True))

    def _look_again(self, listing_ids: list[int], item_ids: list[int]) -> uuid.UUID:
        job = start_job(
            owner=self.run.owner,
            kind=SETTLE_KIND,
            payload={"batch_id": self.batch.pk, "listing_ids": listing_ids},
            key=f"settle {self.run.job.pk} {self.run.token}",
            total=len(item_ids),
        )
        Job.objects.filter(pk=job.pk).update(not_before=self.clock() + SECOND_LOOK)
        return job.pk

    def _count(self, lines: Sequence[ListingLine]) -> None:
        self.run.done += len(lines)
        self._tell()

    def _tell(self) -> None:
        unknown = (self.run.total or 0) and len(self._unknown_of_job()[1])
        told = f"{self.run.state.get('items', 0)} listed, {self.run.failed_count} failed"
        self.run.message = f"{told}, {unknown} unknown" if unknown else told

    def _record(self, message: str) -> None:
        record_operation(
            batch=self.batch,
            kind=OperationKind.LIST,
            done=self.run.state.get("items", 0),
            failed=self.run.failed,
            failed_count=self.run.failed_count,
            message=message,
            by=self.run.owner,
        )


def open_listings(listing_ids: Sequence[int]) -> list[Listing]:
    found = Listing.objects.filter(
        pk__in=list(listing_ids), state__in=[ListingState.SENDING, ListingState.UNKNOWN]
    )
    return list(found.order_by("pk"))


def failed_row(pk: int, name: str, reason: str, outcome: str = "rejected") -> dict[str, Any]:
    return {"id": pk, "name": name, "reason": reason, "outcome": outcome}


def set_pending(ids: Iterable[int], is_pending: bool) -> None:
    for some in pieces(list(ids)):
        BatchItem.objects.filter(pk__in=some).update(is_listed_pending=is_pending)


def pieces(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield so many ids at a time as a statement of either database takes."""
    for start in range(0, len(ids), IN_A_STATEMENT):
        yield ids[start : start + IN_A_STATEMENT]

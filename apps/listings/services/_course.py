"""Runs a listing job chunk by chunk and stores the results, including unknown ones.

Whether it lists a batch's items or rows of stock is its subclass's to say. A listing may
hold pieces of both: whichever job settles it writes what became of all of them.
"""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from more_itertools import chunked

from apps.batches.models import BatchItem
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun, TryLater
from apps.inventory.models import InventoryItem
from apps.listings.models import (
    OPEN_STATES,
    Listing,
    ListingKind,
    ListingLine,
    ListingState,
    StoreSync,
    SyncState,
)
from apps.listings.services import intents
from apps.listings.services._batch_items import (
    IN_A_STATEMENT,
    hold,
    items_in,
    keep_refusals,
    set_pending,
    write_listed,
)
from apps.listings.services._store_reading import UntiedLots, tied_lots
from apps.listings.services.intents import Wish
from apps.listings.services.sending import IN_ONE_CALL, Sender, second_look_after
from apps.marketplace.providers.base import Marketplace
from apps.marketplace.services.calls import StoreCalls
from apps.marketplace.services.connections import connection_of, open_store

NOT_YET_KNOWN: Final = (
    "It is not known yet what became of the last call for it: try again in a minute."
)
NOT_SENT: Final = "Not sent: "
SYNCING: Final = "The store is being synced: listing waits for it."
COUNTED_AS: Final = {
    ListingKind.CREATE: "created",
    ListingKind.TOP_UP: "topped_up",
    ListingKind.MOVE: "moved",
}


class ListingCourse(ABC):
    """One attempt at a job: its subjects, and the stored outcome of each.

    A subject is an object of the job's request: a batch item, or (`is_of_stock`) a row.
    """

    settle_kind: ClassVar[str]
    is_of_stock: ClassVar[bool]
    calls: StoreCalls  # from `connect` on

    def __init__(self, run: JobRun, clock: Clock) -> None:
        self.run = run
        self.clock = clock
        self.connection: Any = None
        self.sender: Any = None
        self.is_asked = False
        self.asked_items: set[int] = set()  # batch items that this very job lists again
        self.untied = UntiedLots((), ())

    @property
    def at(self) -> int:
        return int(self.run.state.get("at", 0))

    # -- of a subclass ---------------------------------------------------------------------

    @abstractmethod
    def _plan(self, ids: Sequence[int], stockroom: str | None) -> list[Listing]:
        """Write the intents of some subjects inside the caller's transaction."""

    @abstractmethod
    def _left_open(self, ids: Sequence[int]) -> Any:
        """Return the listings of unknown outcome that earlier jobs left of these subjects."""

    @abstractmethod
    def _rows_of(self, ids: Sequence[int]) -> QuerySet[InventoryItem]:
        """Return the rows of stock in which these subjects are."""

    @abstractmethod
    def _mark_again(self, ids: Sequence[int]) -> None:
        """Mark the subjects that a stopped job will continue with as pending again."""

    @abstractmethod
    def _let_wait(self, ids: Sequence[int], unknown: Sequence[int]) -> None:
        """Take the marks off the subjects that a stopped job never came to."""

    @abstractmethod
    def _refuse(self, reasons: dict[int, str], outcome: str = "rejected") -> None:
        """Report why subjects were not done."""

    @abstractmethod
    def _payload(self) -> dict[str, Any]:
        """Return the payload of the second look's job besides its listings."""

    def _about(self) -> dict[str, list[int]]:
        """Return the subjects of the second look's job besides its listings."""
        return {}

    @abstractmethod
    def _result_of(self) -> dict[str, Any]:
        """Return the common fields of the result."""

    @abstractmethod
    def _record(self, message: str) -> None:
        """Write into the log how it ended."""

    # -- the course ------------------------------------------------------------------------

    def execute(
        self, ids: Sequence[int], *, stockroom: str | None, refused: Sequence[dict[str, Any]]
    ) -> None:
        """List, or take off sale, 50 a chunk. Resumes where a kill stopped it.

        Raises JobFailed, JobCancelled, BudgetSpent; TryLater while the marketplace is away.
        """
        self.begin(ids, refused)
        with open_store(self.connection, spend=self.calls.spend) as store:
            self.open(store)
            self.resume(ids)
            while self.at < len(ids):
                self.part(ids[self.at : self.at + IN_ONE_CALL], stockroom)
        self.end()

    def settle(self, listing_ids: Sequence[int]) -> None:
        """Look a second time for listings whose outcome is unknown. Raises JobFailed, TryLater."""
        self.connect()
        with open_store(self.connection, spend=self.calls.spend) as store:
            self.open(store)
            self.sender.settle(open_listings(listing_ids))
        self.end_settling(listing_ids)

    def connect(self) -> None:
        """Take the owner's store. Raises NotConnected."""
        self.connection = connection_of(owner=self.run.owner)
        self.calls = StoreCalls(self.run, self.connection.channel, self.clock)

    def begin(self, ids: Sequence[int], refused: Sequence[dict[str, Any]]) -> None:
        """Report immediate refusals; after a stop, mark the others as pending again."""
        self.connect()
        if StoreSync.objects.owned_by(self.run.owner).filter(state=SyncState.APPLYING).exists():
            raise TryLater(SYNCING)
        state = self.run.state
        with self.run.chunk():
            if state.pop("is_stopped", False):
                self._mark_again(ids[self.at :])
            if "at" not in state:
                state["at"] = 0
                for one in refused:
                    self.run.fail_item(one)
                self.run.done = len(refused)

    def open(self, store: Marketplace) -> None:
        self.sender = Sender(store=store, calls=self.calls, connection=self.connection, keeper=self)

    def resume(self, ids: Sequence[int]) -> None:
        """Settle what earlier attempts, or earlier jobs, left open for these subjects.

        Then read the lots of the store that may be theirs already. Raises JobFailed, TryLater.
        """
        own = Listing.objects.filter(job_id=self.run.job.pk, state__in=OPEN_STATES)
        self.sender.resume(list(own.order_by("pk")))
        self._again_as_new()
        found: dict[int, Listing] = {}
        for some in chunked(ids[self.at :], IN_A_STATEMENT):
            others = self._left_open(some).exclude(job_id=self.run.job.pk)
            found |= {one.pk: one for one in others.distinct().order_by("pk")}
        if found:
            # A person lists unknown listings again: the store is asked before anything else.
            self.is_asked = True
            self.sender.settle(list(found.values()), asked=True)
            self.is_asked = False
        self._read_untied(ids)

    def _read_untied(self, ids: Sequence[int]) -> None:
        kinds: set[tuple[str, int]] = set()
        for some in chunked(ids[self.at :], IN_A_STATEMENT):
            new = self._rows_of(some).filter(marketplace_lot_id=None, lot__isnull=False)
            seen = new.order_by().values_list("lot__item__item_type", "lot__color_id").distinct()
            kinds |= {(kind, color or 0) for kind, color in seen}
        if kinds:
            lots = self.sender.lots_beside(
                item_types=sorted({kind for kind, _ in kinds}),
                color_ids=sorted({color for _, color in kinds}),
            )
            self.untied = UntiedLots(lots, tied_lots(self.run.owner))

    def part(self, ids: Sequence[int], stockroom: str | None) -> None:
        """Write the intents of some subjects, send them, and be done with them."""
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
        """Finish; a job of its own looks again for those still unknown."""
        unknown = self._unknown_of_job()
        result = self._result(unknown[1])
        with transaction.atomic():
            if unknown[0]:
                result["settle_job_id"] = str(self._look_again(*unknown))
            with self.run.finish(result=result):
                self._record("" if not unknown[0] else f"{len(unknown[1])} not known yet")

    def stop(self, ids: Sequence[int], reason: str) -> dict[str, Any]:
        """Close unsent listings; a job of its own looks for those that may have been sent.

        Return the result of the job.
        """
        with transaction.atomic():
            planned = Listing.objects.filter(job_id=self.run.job.pk, state=ListingState.PLANNED)
            lines = intents.settle_rejected(
                {one.pk: (one, f"{NOT_SENT}{reason}") for one in planned}, now=self.clock()
            )
            unknown = self._unknown_of_job()
            self._let_wait(ids[self.at :], unknown[1])
            set_pending(items_in(lines), False)
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
        """Release the subjects: their outcome is looked up when they are listed again.

        Return the result of the job.
        """
        with transaction.atomic():
            self._fail_unknown(open_listings(listing_ids), reason)
            self._record(reason)
        return self._result()

    # -- results of the sender -------------------------------------------------------------

    def hold(self, listing_ids: Sequence[int]) -> None:
        lines = ListingLine.objects.filter(listing_id__in=listing_ids, is_open=True)
        hold(items_in(lines))

    def listed(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None:
        done = self._write_listed(listings, lines)
        state = self.run.state
        state["items"] = state.get("items", 0) + self._number_done(lines, done)
        for listing in listings:
            name = COUNTED_AS[ListingKind(listing.kind)]
            state[name] = state.get(name, 0) + 1
        self._count(lines)

    def rejected(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None:
        of = {listing.pk: listing.reason for listing in listings}
        if self.is_asked:
            # Not in the store: this job plans its subjects again.
            set_pending(set(items_in(lines)) - self.asked_items, False)
            return
        others = {
            line.batch_item_id: of[line.listing_id]
            for line in lines
            if line.batch_item_id is not None and self.is_of_stock
        }
        keep_refusals(others)
        self._refuse(
            {
                pk: of[line.listing_id]
                for line in lines
                if (pk := self._subject_of(line)) is not None
            }
        )
        self._count(lines)

    def _number_done(self, lines: Sequence[ListingLine], done: Sequence[BatchItem]) -> int:
        """Return how many subjects were listed; `done` are the batch items that were."""
        return sum(self._subject_of(line) is not None for line in lines)

    def _write_listed(
        self, listings: Sequence[Listing], lines: Sequence[ListingLine]
    ) -> list[BatchItem]:
        """Write into batch items that their pieces are for sale; return them."""
        owner, now = self.run.owner, self.clock()
        return write_listed(owner=owner, listings=listings, lines=lines, now=now)

    def _result(self, unknown: Sequence[int] | None = None) -> dict[str, Any]:
        """Return the job's result; the outcome of `unknown` subjects is not known yet."""
        state = self.run.state
        result: dict[str, Any] = {
            **self._result_of(),
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

    # -- parts of it -----------------------------------------------------------------------

    def _again_as_new(self) -> None:
        """Create new lots for top-ups of lots that are gone from the store."""
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
                        stock_id=line.inventory_item_id or listing.inventory_item_id,
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
                    channel=self.connection.channel,
                    gone_lots=[one.marketplace_lot_id or 0 for one in gone],
                )
                self._refuse_wishes(planned.refused)
                listings += planned.listings
        self.sender.send(listings)

    def _refuse_wishes(self, refused: dict[Wish, str]) -> None:
        """Report and count the wishes that are not done."""
        subjects: dict[int, str] = {}
        others: dict[int, str] = {}
        for wish, why in refused.items():
            if wish.batch_item_id is not None:
                (others if self.is_of_stock else subjects)[wish.batch_item_id] = why
            elif self.is_of_stock and wish.stock_id is not None:
                subjects[wish.stock_id] = why
        keep_refusals(others)
        self._refuse(subjects)
        self.run.done += len(subjects)

    def _subject_of(self, line: ListingLine) -> int | None:
        """Return the subject that a line is for; None where it is for something else."""
        if not self.is_of_stock:
            return line.batch_item_id
        return line.inventory_item_id if line.batch_item_id is None else None

    def _fail_unknown(self, listings: Sequence[Listing], reason: str) -> None:
        lines = list(ListingLine.objects.filter(listing__in=listings, is_open=True))
        if self.is_of_stock:
            keep_refusals(dict.fromkeys(items_in(lines), reason))
        self._refuse(dict.fromkeys(self._subjects_in(lines), reason), "unknown")
        Listing.objects.filter(pk__in=[one.pk for one in listings]).update(
            state=ListingState.UNKNOWN, reason=reason
        )

    def _subjects_in(self, lines: Iterable[ListingLine]) -> list[int]:
        return [pk for line in lines if (pk := self._subject_of(line)) is not None]

    def _unknown_of_job(self) -> tuple[list[int], list[int]]:
        """Return ids of listings that may have been sent, and of the subjects they are for."""
        unknown = Listing.objects.filter(
            job_id=self.run.job.pk, state__in=[ListingState.SENDING, ListingState.UNKNOWN]
        )
        ids = list(unknown.order_by("pk").values_list("pk", flat=True))
        lines = ListingLine.objects.filter(listing_id__in=ids, is_open=True)
        return ids, self._subjects_in(lines)

    def _look_again(self, listing_ids: list[int], ids: list[int]) -> uuid.UUID:
        job = start_job(
            owner=self.run.owner,
            kind=self.settle_kind,
            payload={**self._payload(), "listing_ids": listing_ids},
            about={"listing": listing_ids, **self._about()},
            key=f"settle {self.run.job.pk} {self.run.token}",
            total=len(ids),
            follows=True,
        )
        Job.objects.filter(pk=job.pk).update(not_before=self.clock() + second_look_after())
        return job.pk

    def _count(self, lines: Sequence[ListingLine]) -> None:
        self.run.done += sum(self._subject_of(line) is not None for line in lines)
        self._tell()

    def _tell(self) -> None:
        unknown = (self.run.total or 0) and len(self._unknown_of_job()[1])
        told = f"{self.run.state.get('items', 0)} listed, {self.run.failed_count} failed"
        self.run.message = f"{told}, {unknown} unknown" if unknown else told


def open_listings(listing_ids: Sequence[int]) -> list[Listing]:
    found = Listing.objects.filter(
        pk__in=list(listing_ids), state__in=[ListingState.SENDING, ListingState.UNKNOWN]
    )
    return list(found.order_by("pk"))


def failed_row(pk: int, name: str, reason: str, outcome: str = "rejected") -> dict[str, Any]:
    return {"id": pk, "name": name, "reason": reason, "outcome": outcome}

"""Sends intents and settles them by the store's answer, or else by reading the store.

Nothing whose outcome is unknown is ever sent again. A kill between two lines of this module
leaves intents in `sending`; the next attempt of the job begins with `go_on`.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from django.conf import settings
from django.db import transaction

from apps.core.jobs.run import JobCancelled, JobFailed, JobInterrupted, TryLater
from apps.inventory.models import InventoryItem
from apps.inventory.services.channels import in_channel
from apps.listings.models import Listing, ListingKind, ListingLine, ListingState
from apps.listings.rules.listing import mark_of
from apps.listings.services import intents
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.base import (
    Marketplace,
    MarketplaceError,
    NoAnswer,
    NotThere,
    Refused,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.lots import LotDraft, StoreLot, UnreadLot
from apps.marketplace.services.calls import BudgetSpent, StoreCalls
from apps.marketplace.services.connections import ending_job, refused_job

IN_ONE_CALL: Final = 50
# An array costs its own call and one that reads the ids: it pays from here on.
ARRAY_FROM: Final = 5
# Many colours make an address too long for some gateways; then all lots are read.
MOST_COLORS: Final = 60
NOT_THERE: Final = (
    "The marketplace did not answer, and the lot is not in the store, looked for twice: "
    "it can be listed again."
)
NOT_CHANGED: Final = (
    "The marketplace did not answer, and the lot in the store is as it was, looked at twice: "
    "it can be tried again."
)
LOT_GONE: Final = (
    "Its lot is no longer in the store: Sync with the store first, to see whether it was sold."
)
TAKEN_NOT_THERE: Final = (
    "The marketplace took it, but it is not in the store: sold at once or taken out. "
    "Look there before you list it again."
)
CLOSED: Final = (
    "The store reads as empty, as a closed one does (vacation): open it, then list again. "
    "Nothing is sent before it is known what became of the last call."
)
ROW_GONE: Final = intents.ROW_GONE


class Keeper(Protocol):
    """Updates the subjects of listings, in the transaction that settles the listings."""

    def hold(self, listing_ids: Sequence[int]) -> None:
        """Lock the subjects of the listings. They are always locked before the stock."""

    def listed(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None: ...

    def rejected(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None: ...


class Sender:
    """Sends the listings of one job, one after the other."""

    def __init__(
        self,
        *,
        store: Marketplace,
        calls: StoreCalls,
        connection: MarketplaceConnection,
        keeper: Keeper,
    ) -> None:
        self.store = store
        self.calls = calls
        self.run = calls.run
        self.clock = calls.clock
        self.connection = connection
        self.keeper = keeper
        self.gone: list[Listing] = []  # to be topped up, but no longer in the store

    def send(self, listings: Sequence[Listing]) -> None:
        """Send the planned listings. Raises JobFailed, TryLater, BudgetSpent, which end the run."""
        new = [one for one in listings if one.kind == ListingKind.CREATE]
        for start in range(0, len(new), IN_ONE_CALL):
            self._create(new[start : start + IN_ONE_CALL])
        for listing in listings:
            if listing.kind != ListingKind.CREATE:
                self._change(listing)

    def resume(self, listings: Sequence[Listing]) -> None:
        """Settle open listings of an earlier attempt, then send those that it did not send."""
        self.settle([one for one in listings if one.state != ListingState.PLANNED])
        self.send([one for one in listings if one.state == ListingState.PLANNED])

    def settle(self, listings: Sequence[Listing], *, asked: bool = False) -> None:
        """Find out the outcome of listings by reading the store. Sends nothing.

        A missing lot remains unknown until it was missing twice, a minute apart. A store without
        lots may be closed and settles nothing, unless a person asked (`asked`) and no other
        listing or row should be there. Raises JobFailed for a closed store, TryLater.
        """
        new = [one for one in listings if one.kind == ListingKind.CREATE]
        if new:
            lots = self._asking(self._read_for, new)
            if not lots and self._knows_lots(new):
                with self.run.chunk():
                    intents.note_unknown(new, now=self.clock())
                raise JobFailed(reason=CLOSED)
            there = {mark_of(lot.remarks): lot.lot_id for lot in lots}
            found = {one.pk: there[one.mark] for one in new if one.mark in there}
            self._looked(new, found, is_sure=bool(lots) or asked)
        for listing in listings:
            if listing.kind != ListingKind.CREATE:
                self._look_at(listing)

    def lots_beside(
        self, *, item_types: Sequence[str], color_ids: Sequence[int]
    ) -> list[StoreLot | UnreadLot]:
        """Read the store's lots of these types and colours before listing.

        Raises JobFailed if the store is empty but should hold lots (it is closed), TryLater.
        """
        colors = color_ids if len(color_ids) <= MOST_COLORS else ()
        found: list[StoreLot | UnreadLot] = self._asking(
            lambda: self.calls.read(self.store, item_types=item_types, color_ids=colors)
        )
        if not found and self._knows_lots(()) and not self._asking(self.calls.read, self.store):
            raise JobFailed(reason=CLOSED)
        return found

    def _look_at(self, listing: Listing) -> None:
        """Settle a change of a lot by the mark that it would have left there."""
        try:
            lot = self._asking(self.store.lot, listing.marketplace_lot_id)
            is_done = mark_of(lot.remarks) == listing.mark
        except NotThere:
            if listing.kind == ListingKind.MOVE:
                self._rejected({listing.pk: (listing, LOT_GONE)})
                return
            is_done = False
        self._looked([listing], {listing.pk: listing.marketplace_lot_id} if is_done else {})

    # -- sending -------------------------------------------------------------------------

    def _create(self, part: Sequence[Listing]) -> None:
        """Put up new lots: one by one where they are few, else in one call.

        What has no counterpart there is rejected first: it would spoil the others' call.
        """
        part = self._with_counterparts(part)
        if len(part) < ARRAY_FROM:
            for listing in part:
                self._create_one(listing)
        else:
            self._create_many(part)

    def _with_counterparts(self, part: Sequence[Listing]) -> list[Listing]:
        drafts = self._drafts_of(part)
        why = {pk: self._asking(self.store.why_not, draft) for pk, draft in drafts.items()}
        refused = {one.pk: (one, why[one.pk]) for one in part if why.get(one.pk)}
        if refused:
            self._rejected(refused)
        return [one for one in part if one.pk in drafts and one.pk not in refused]

    def _create_one(self, listing: Listing) -> None:
        # Read right before the call: a row may be deleted at any moment.
        draft = self._drafts_of([listing]).get(listing.pk)
        if draft is None:
            return
        self._begin([listing])
        try:
            lot = self.store.create_lot(draft)
        except (JobCancelled, JobInterrupted):
            self._stopped([listing])
            raise
        except Refused as refused:
            self._refused(listing, refused)
        except (MarketplaceError, BudgetSpent) as problem:
            self._not_told([listing], problem)
        else:
            self._listed({listing.pk: lot.lot_id}, [listing])

    def _create_many(self, part: Sequence[Listing]) -> None:
        drafts = self._drafts_of(part)
        part = [one for one in part if one.pk in drafts]
        if len(part) < ARRAY_FROM:
            self._create(part)
            return
        self.calls.need(2)
        self._begin(part)
        try:
            self.store.create_lots([drafts[one.pk] for one in part])
        except (JobCancelled, JobInterrupted):
            self._stopped(part)
            raise
        except Refused as refused:
            if isinstance(refused, SecretsRefused):
                self._refused(part[0], refused)
            self._refused_in_sum(part)
        except (MarketplaceError, BudgetSpent) as problem:
            self._not_told(part, problem)
        else:
            with self.run.chunk():
                intents.note_accepted(part, now=self.clock())
            self.settle(part)

    def _refused_in_sum(self, part: Sequence[Listing]) -> None:
        """One row of an array was refused: those not stored go in halves, then one by one."""
        lots = self._asking(self._read_for, part)
        there = {mark_of(lot.remarks): lot.lot_id for lot in lots}
        self._listed({one.pk: there[one.mark] for one in part if one.mark in there}, part)
        rest = [one for one in part if one.mark not in there]
        with self.run.chunk():
            # Refused, and read not to be there: these may be sent.
            intents.note_unsent(rest, now=self.clock())
        half = (len(rest) + 1) // 2
        for piece in (rest[:half], rest[half:]):
            self._create(piece)

    def _change(self, listing: Listing) -> None:
        change = intents.change_of(listing)
        if change is None:
            self._rejected({listing.pk: (listing, ROW_GONE)})
            return
        self._begin([listing])
        try:
            self.store.change_lot(listing.marketplace_lot_id or 0, change)
        except (JobCancelled, JobInterrupted):
            self._stopped([listing])
            raise
        except NotThere:
            if listing.kind == ListingKind.MOVE:
                self._rejected({listing.pk: (listing, LOT_GONE)})
                return
            # Sold out and gone: the caller makes a new lot of it.
            with self.run.chunk():
                intents.note_unsent([listing], now=self.clock())
            self.gone.append(listing)
        except Refused as refused:
            self._refused(listing, refused)
        except (MarketplaceError, BudgetSpent) as problem:
            self._not_told([listing], problem)
        else:
            self._listed({listing.pk: listing.marketplace_lot_id or 0}, [listing])

    def _drafts_of(self, part: Sequence[Listing]) -> dict[int, LotDraft]:
        """Return by listing what is sent for it; those whose stock row is gone are rejected."""
        drafts = intents.drafts_of(part)
        lost = [one for one in part if one.pk not in drafts]
        if lost:
            self._rejected({one.pk: (one, ROW_GONE) for one in lost})
        return drafts

    def _begin(self, part: Sequence[Listing]) -> None:
        with self.run.chunk():
            intents.note_sending(part, now=self.clock())

    def _stopped(self, part: Sequence[Listing]) -> None:
        """The job was stopped while the call was counted: it was not sent."""
        with transaction.atomic():
            intents.note_unsent(part, now=self.clock())

    # -- what came of it -----------------------------------------------------------------

    def _not_told(self, part: Sequence[Listing], problem: Exception) -> None:
        """A call ended without a yes or no: nothing was sent, or the store must be read."""
        unsent = isinstance(problem, BudgetSpent | Throttled) or (
            isinstance(problem, NoAnswer) and problem.is_unsent
        )
        if unsent:
            with self.run.chunk():
                intents.note_unsent(part, now=self.clock())
            if isinstance(problem, BudgetSpent):
                raise problem
            raise TryLater(str(problem), until_back=True) from problem
        with self.run.chunk():
            intents.note_unknown(part, now=self.clock())
        self.settle(part)

    def _refused(self, listing: Listing, refused: Refused) -> None:
        if isinstance(refused, SecretsRefused):
            with self.run.chunk():
                sent = Listing.objects.filter(
                    owner=self.run.owner, job_id=listing.job_id, state=ListingState.SENDING
                )
                intents.note_unsent(list(sent), now=self.clock())
            raise refused_job(self.connection, refused, now=self.clock()) from refused
        self._rejected({listing.pk: (listing, str(refused))})

    def _asking(self, ask: Callable[..., Any], *about: Any) -> Any:
        """Read; where the marketplace does not answer, the job is tried again later."""
        with ending_job(self.connection, self.clock, but=(NotThere,)):
            return ask(*about)

    def _read_for(self, listings: Sequence[Listing]) -> list[StoreLot | UnreadLot]:
        """Read the lots among which these must be; all of them where none such is there."""
        rows = InventoryItem.with_deleted.filter(
            pk__in=[one.inventory_item_id for one in listings]
        ).values_list("lot__item__item_type", "lot__color_id")
        about = [row for row in rows if row[0]]
        colors = {color or 0 for _, color in about}
        if len(about) == len({one.inventory_item_id for one in listings}):
            found = self.calls.read(
                self.store,
                item_types=sorted({kind for kind, _ in about}),
                color_ids=sorted(colors) if len(colors) <= MOST_COLORS else (),
            )
            if found:
                return found
        return self.calls.read(self.store)

    def _knows_lots(self, apart: Sequence[Listing]) -> bool:
        """Return whether the store should hold lots: an accepted listing, or rows with a lot id."""
        return any(one.is_accepted for one in apart) or (
            InventoryItem.objects.owned_by(self.run.owner)
            .filter(in_channel(self.connection.channel), quantity__gt=0)
            .exists()
        )

    def _looked(
        self, listings: Sequence[Listing], there: dict[int, Any], *, is_sure: bool = True
    ) -> None:
        now = self.clock()
        self._listed(there, listings)
        missing = [one for one in listings if one.pk not in there]
        late = [
            one
            for one in missing
            if is_sure and one.missed_at and one.missed_at + second_look_after() <= now
        ]
        if late:
            self._rejected({one.pk: (one, _why_missing(one)) for one in late})
        early = [one for one in missing if one not in late]
        if early:
            with self.run.chunk():
                intents.note_missed(early, now=now)

    def _listed(self, lots: dict[int, int], listings: Sequence[Listing]) -> None:
        by_id = {one.pk: one for one in listings}
        if not lots:
            return
        with self.run.chunk():
            self.keeper.hold(list(lots))
            lines = intents.settle_listed(
                {pk: (by_id[pk], lot_id) for pk, lot_id in lots.items()},
                owner=self.run.owner,
                by=self.run.by,
                now=self.clock(),
            )
            self.keeper.listed([by_id[pk] for pk in lots], lines)

    def _rejected(self, reasons: dict[int, tuple[Listing, str]]) -> None:
        with self.run.chunk():
            self.keeper.hold(list(reasons))
            lines = intents.settle_rejected(reasons, now=self.clock())
            self.keeper.rejected([listing for listing, _ in reasons.values()], lines)


def second_look_after() -> dt.timedelta:
    """Return how long a call that got no answer may still arrive."""
    return dt.timedelta(seconds=settings.MARKETPLACE_SECOND_LOOK_SECONDS)


def _why_missing(listing: Listing) -> str:
    if listing.kind == ListingKind.MOVE:
        return NOT_CHANGED
    return TAKEN_NOT_THERE if listing.is_accepted else NOT_THERE

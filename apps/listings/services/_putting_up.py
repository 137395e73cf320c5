"""Puts up at a channel what is for sale in others and what it lacks, by intents.

A lot that has its number keeps it: what comes of an intent is a lot of the channel, and no row of
the stock changes. A call that was cut off is looked for by its mark, as of every listing.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from more_itertools import chunked

from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.core.jobs.run import JobRun
from apps.inventory.models import InventoryItem
from apps.inventory.selectors.origins import pieces_to_list
from apps.inventory.services.changes import LackingLot, lacking_lots
from apps.inventory.services.received import withhold
from apps.listings.models import (
    OPEN_STATES,
    Listing,
    ListingLine,
    ListingState,
    StoreSyncRow,
    SyncKind,
    SyncRowState,
)
from apps.listings.rules.cycle import too_many_to_put_up
from apps.listings.rules.listing import why_not_list
from apps.listings.services import intents
from apps.listings.services._sending_changes import (
    AGREES,
    BUSY,
    NO_CALLS_LEFT,
    NOT_KNOWN,
    UNREAD,
    UNSURE,
    busy_lot_ids,
)
from apps.listings.services.sending import IN_ONE_CALL, NOT_THERE, ROW_GONE, Sender
from apps.lots.rules import name_to_show
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.services.calls import BudgetSpent, StoreCalls

if TYPE_CHECKING:
    from apps.listings.services._sending_changes import SendingChanges

#: What a marketplace refused is tried again after this time: its catalogue grows.
TRY_AGAIN: Final = dt.timedelta(days=30)
NOT_SENT: Final = "It was not sent: the next sync does it."
PLAN_FIRST: Final = (
    "{name}: {count:,} lots are not for sale there. On Store, choose Compare with stock to see "
    "and apply them."
)
#: After these a lot may simply be put up by the next sync.
_PASSING: Final = frozenset({NOT_SENT, NOT_THERE, ROW_GONE})


class PuttingUp:
    """The lots that one channel lacks, in one attempt at a sync."""

    def __init__(self, sending: "SendingChanges", calls: StoreCalls) -> None:
        self._sending = sending
        self._run = sending.run
        self._clock = sending.clock
        self._channel = sending.connection.channel
        self._sender = Sender(
            store=sending.store, calls=calls, connection=sending.connection, keeper=self
        )

    def settle(self) -> None:
        """Find out what became of lots that were being put up; nothing is sent.

        What is not found stays open until it was missed twice, a minute apart. Raises JobFailed,
        TryLater, BudgetSpent.
        """
        found = Listing.objects.owned_by(self._run.owner).filter(
            channel=self._channel, state__in=OPEN_STATES, lines=None
        )  # one with lines is settled by the job that lists it
        listings = list(found.order_by("pk"))
        self._give_up([one for one in listings if one.state == ListingState.PLANNED])
        sent = [one for one in listings if one.state != ListingState.PLANNED]
        if sent:
            self._sender.settle(sent)

    # -- the plan --------------------------------------------------------------------------

    def plan(self, *, but: Collection[int] = ()) -> list[StoreSyncRow]:
        """Return a row for each lot that could be put up there, but those of `but`.

        A plan to look at has what a person left out before; a sync in one go has not.
        """
        since = self._clock() - TRY_AGAIN
        withheld = self._channel.withheld.filter(Q(is_refused=False) | Q(updated_at__gt=since))
        why = dict(withheld.values_list("marketplace_lot_id", "reason"))
        hidden = withheld.filter(is_refused=True) if self._sending.is_reviewed else withheld
        left = {*but, *busy_lot_ids(self._run.owner, self._channel)}
        left |= set(hidden.values_list("marketplace_lot_id", flat=True))
        lots = [one for one in self._lacking() if one.lot.marketplace_lot_id not in left]
        return [
            StoreSyncRow(
                sync=self._sending.sync,
                channel=self._channel,
                kind=SyncKind.PUT_UP,
                name=_name_of(each),
                marketplace_lot_id=each.lot.marketplace_lot_id or 0,
                inventory_item_ids=list(each.row_ids),
                quantity_here=each.lot.quantity,
                sent={"values": {}, "delta": each.lot.quantity},
                reason=why.get(each.lot.marketplace_lot_id or 0, ""),
            )
            for each in _listable(lots)
        ]

    def plan_in_one_go(self) -> list[StoreSyncRow]:
        """Return these rows if no person has to see their number first; else note why none."""
        rows = self.plan()
        known = self._channel.lots.filter(quantity__gt=0).count()
        may = self._sending.connection.puts_up and not too_many_to_put_up(len(rows), known)
        if rows and not may:
            name = MARKETPLACES[self._channel.marketplace].name
            self._run.state["not_put_up"] = PLAN_FIRST.format(name=name, count=len(rows))
            return []
        return rows

    def _lacking(self, lot_ids: Collection[int] = ()) -> list[LackingLot]:
        waiting = pieces_to_list(owner=self._run.owner)
        return lacking_lots(channel=self._channel, waiting=waiting, lot_ids=lot_ids)

    # -- sending ---------------------------------------------------------------------------

    def send(self) -> None:
        """Put up the planned lots, 50 a call. Raises JobFailed, JobCancelled, TryLater."""
        for rows in chunked(self._planned(), IN_ONE_CALL):
            listings = self._prepare(rows)
            try:
                self._sender.send(listings)
            except BudgetSpent:
                self._give_up([one for one in listings if one.state == ListingState.PLANNED])
                self._leave(self._planned(), NO_CALLS_LEFT)
                return
            unknown = {one.marketplace_lot_id for one in listings if one.state in OPEN_STATES}
            self._leave([row for row in rows if row.marketplace_lot_id in unknown], NOT_KNOWN)

    def _planned(self, of_lots: Collection[int] | None = None) -> list[StoreSyncRow]:
        rows = StoreSyncRow.objects.filter(
            sync=self._sending.sync,
            channel=self._channel,
            kind=SyncKind.PUT_UP,
            state=SyncRowState.PLANNED,
        )
        if of_lots is not None:
            rows = rows.filter(marketplace_lot_id__in=of_lots)
        return list(rows.order_by("pk"))

    def _prepare(self, rows: Sequence[StoreSyncRow]) -> list[Listing]:
        """Write the intents of rows that the channel still lacks; leave the others."""
        ids = [row.marketplace_lot_id for row in rows]
        with self._run.chunk():
            lots = {one.lot.marketplace_lot_id: one for one in _listable(self._lacking(ids))}
            busy = busy_lot_ids(self._run.owner, self._channel)
            ready = []
            for row in rows:
                lot = lots.get(row.marketplace_lot_id)
                reason = self._why_not_now(lot, busy)
                if lot is None or reason:
                    self._sending.leave(row, SyncRowState.SKIPPED, reason)
                else:
                    ready.append(lot)
            return intents.write_put_ups(channel=self._channel, lots=ready, job_id=self._run.job.pk)

    def _why_not_now(self, lot: LackingLot | None, busy: Collection[int]) -> str:
        """Return why a lot waits for the next sync, '' where it is put up now."""
        if lot is None:
            return AGREES
        state, number = self._run.state, lot.lot.marketplace_lot_id
        if number in busy:
            return BUSY
        if number in state.get("unsure", ()):
            return UNSURE
        # Lots of the store that no row has and that cannot be read: one of them may be this one.
        hidden = [one and (LETTER_OF_TYPE.get(one[0]), *one[1:]) for one in state.get("hidden", ())]
        item = (lot.lot.item_type, lot.lot.item_number, lot.lot.color_id or 0)
        return UNREAD if None in hidden or item in hidden else ""

    def _give_up(self, unsent: Sequence[Listing]) -> None:
        if unsent:
            with self._run.chunk():
                reasons = {one.pk: (one, NOT_SENT) for one in unsent}
                intents.settle_rejected(reasons, now=self._clock())

    def _leave(self, rows: Sequence[StoreSyncRow], reason: str) -> None:
        with self._run.chunk():
            for row in rows:
                self._sending.leave(row, SyncRowState.SKIPPED, reason)

    # -- results of the sender -------------------------------------------------------------

    def hold(self, listing_ids: Sequence[int]) -> None:
        """Nothing: no batch item and no row changes."""

    def listed(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None:
        ids = [one.marketplace_lot_id or 0 for one in listings]
        for row in self._planned(ids):
            row.state, row.reason = SyncRowState.APPLIED, ""
            row.save(update_fields=["state", "reason"])
            self._sending.count("put_up")

    def rejected(self, listings: Sequence[Listing], lines: Sequence[ListingLine]) -> None:
        reasons = {one.marketplace_lot_id or 0: one.reason for one in listings}
        for row in self._planned(reasons):
            self._sending.leave(row, SyncRowState.FAILED, reasons[row.marketplace_lot_id])
        lasting = {lot_id: why for lot_id, why in reasons.items() if why not in _PASSING}
        withhold(channel=self._channel, reasons=lasting, is_refused=True, now=self._clock())


def close_unsent(run: JobRun, *, now: dt.datetime) -> None:
    """Close what a stopped sync did not come to put up; what it may have sent stays open."""
    unsent = Listing.objects.filter(
        job_id=run.job.pk, channel__isnull=False, lines=None, state=ListingState.PLANNED
    )
    reasons = {one.pk: (one, NOT_SENT) for one in unsent}
    intents.settle_rejected(reasons, now=now)


def _listable(lots: Sequence[LackingLot]) -> list[LackingLot]:
    """Return the lots that a marketplace would take by what they are here."""
    rows = InventoryItem.objects.select_related("lot__item").in_bulk([one.row_id for one in lots])
    return [
        one
        for one in lots
        if (row := rows.get(one.row_id)) is not None
        and row.lot is not None
        and why_not_list(
            row,
            item_type=row.lot.item.item_type,
            number=row.lot.item.number,
            color_id=row.lot.color_id or 0,
            wanted=min(one.lot.quantity, row.quantity),
        )
        is None
    ]


def _name_of(each: LackingLot) -> str:
    lot = each.lot
    color = lot.color_name if lot.color_id else ""
    return name_to_show(name=lot.item_name, number=lot.item_number, color=color)[:400]

"""Sends local changes to the store: one call for each lot, as deltas, each sent once."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.accounts.selectors import who_acts
from apps.core.bulk import plain
from apps.core.jobs.run import JobCancelled, JobInterrupted, JobRun, Pause
from apps.exchange.bsx_lot import AMOUNT_FIELDS, TIER_FIELDS
from apps.inventory.models import Channel
from apps.inventory.selectors.origins import lots_nobody_has, pieces_to_list
from apps.inventory.services.changes import (
    LotDifference,
    Taken,
    changed_lot_ids,
    differences_of,
    text_of,
)
from apps.inventory.services.edits import StockEdit, edit_rows
from apps.inventory.services.received import forget, keep_sent, received_of, withhold_no_more
from apps.listings.models import (
    OPEN_STATES,
    Listing,
    StoreSync,
    StoreSyncRow,
    SyncKind,
    SyncRowState,
    SyncWay,
)
from apps.listings.rules.cycle import THEIRS, is_same_sending, urgency
from apps.listings.rules.listing import mark_of, marked
from apps.listings.services._batch_items import note_in_step
from apps.listings.services.intents import new_mark
from apps.listings.services.sending import second_look_after
from apps.lots.rules import name_to_show
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.base import (
    Marketplace,
    NoAnswer,
    NotThere,
    Refused,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.lots import LotChange, Tiers
from apps.marketplace.services.calls import BudgetSpent, StoreCalls
from apps.marketplace.services.connections import refused_job

NOT_KNOWN: Final = "The marketplace did not confirm this change: the next sync checks it."
NOT_THERE: Final = "It is no longer in the store."
AGREES: Final = "It agrees by now."
CHANGED_HERE: Final = "It was changed here since the plan: sync again."
UNSURE: Final = "An order of it is being cancelled, or cannot be read: the next sync looks."
UNREAD: Final = "Its lot in the store cannot be read: the next sync looks."
SOLD_OUT: Final = "It sold out, and its lot is no longer in the store: list it again."
BUSY: Final = "It is being listed just now: the next sync looks."
NOT_BY_CALL: Final = "Its condition differs: change that in the store, a call cannot."
READ_AGAIN: Final = (
    "The store was read too long ago by then: the next sync, which begins now, sends it."
)
AWAY: Final = "The store was read too long ago by then: compare again, and sync what is left."
NO_CALLS_LEFT: Final = "The day's calls are used up: it goes out after 00:00 UTC."
EXCLUDED: Final = "It is excluded from uploads (status X)."
WRITTEN: Final = (
    "kind",
    "state",
    "name",
    "inventory_item_ids",
    "quantity_here",
    "quantity_there",
    "changes",
    "mark",
    "sent",
    "reason",
)
_PLAIN: Final = (
    "price",
    "cost",
    "bulk",
    "sale",
    "comments",
    "remarks",
    "retain",
    "stockroom",
)


class SendingChanges:
    """One attempt at sending the planned changes of a sync."""

    def __init__(
        self,
        run: JobRun,
        sync: StoreSync,
        store: Marketplace,
        connection: MarketplaceConnection,
        calls: StoreCalls,
        *,
        is_one_of_several: bool,
    ) -> None:
        self.run = run
        self.sync = sync
        self.owner = run.owner
        self.is_one_of_several = is_one_of_several
        self.store = store
        self.connection = connection
        self.clock = calls.clock
        #: A person has looked at the plan: only what is still as it was planned is sent.
        self.is_reviewed = sync.way == SyncWay.COMPARE
        channel = connection.channel
        self.refused = _refused_before(sync, channel) if sync.is_scheduled else {}
        #: Lots that a person left out of a plan: they are lowered and nothing else.
        self.withheld: set[int] = set()
        if not self.is_reviewed:
            withheld = channel.withheld.filter(is_refused=False)
            self.withheld = set(withheld.values_list("marketplace_lot_id", flat=True))

    # -- what earlier attempts, and earlier syncs, left open -------------------------------

    def settle(self) -> None:
        """Find out by their marks which interrupted calls were carried out, with one call each.

        Marks that are missing are looked up again a minute later. Raises Pause, MarketplaceError.
        """
        rows = StoreSyncRow.objects.filter(
            sync__owner=self.owner, state=SyncRowState.SENDING, channel=self.connection.channel
        )
        missed = []
        for row in list(rows.order_by("pk")):
            if self._is_done(row):
                self._done_there(row)
            else:
                missed.append(row)
        if not missed:
            return
        if not self.run.state.get("looked"):
            with self.run.chunk():
                self.run.state["looked"] = True
            raise Pause(
                "Looking once more what became of a call", until=self.clock() + second_look_after()
            )
        with self.run.chunk():
            for row in missed:
                self.leave(row, SyncRowState.SKIPPED, NOT_KNOWN)
            self.run.state.pop("looked")

    def _is_done(self, row: StoreSyncRow) -> bool:
        try:
            lot = self.store.lot(row.marketplace_lot_id)
        except NotThere:
            # Sold out by this very call, or taken away.
            return row.kind == SyncKind.REMOVED
        return row.kind != SyncKind.REMOVED and mark_of(lot.remarks) == row.mark

    # -- the plan --------------------------------------------------------------------------

    def plan(self, taken: Taken | None = None, *, but: Collection[int] = ()) -> list[StoreSyncRow]:
        """Return a row for each lot that differs, or will once the reading is `taken` over.

        Lots of `but` are left out. What could be sold twice comes first.
        """
        ids = changed_lot_ids(channel=self.connection.channel) - set(but)
        waiting = pieces_to_list(owner=self.owner)
        rows = []
        differing = differences_of(
            owner=self.owner,
            lot_ids=ids,
            waiting=waiting,
            taken=taken,
            channel_id=self.connection.channel_id,
        )
        for found in differing:
            row = StoreSyncRow(
                sync=self.sync,
                channel=self.connection.channel,
                marketplace_lot_id=found.lot.marketplace_lot_id or 0,
            )
            self._fill(row, found)
            if row.sent or row.kind == SyncKind.REMOVED:
                rows.append(row)
        untied = lots_nobody_has(owner=self.owner).filter(channel=self.connection.channel)
        gone = untied.exclude(marketplace_lot_id__in=list(but))
        for lot_id, pieces in gone.values_list("marketplace_lot_id", "quantity"):
            rows.append(
                StoreSyncRow(
                    sync=self.sync,
                    channel=self.connection.channel,
                    kind=SyncKind.REMOVED,
                    name=f"Lot {lot_id}, which is not in your stock",
                    marketplace_lot_id=lot_id,
                    quantity_there=pieces,
                )
            )
        rows.sort(key=_urgency_of)
        return rows

    # -- sending ---------------------------------------------------------------------------

    def send(self, kinds: Collection[str] = THEIRS) -> None:
        """Send the planned rows, a lot a call. Raises JobFailed, JobCancelled, MarketplaceError."""
        rows = self._planned().filter(kind__in=kinds).exclude(kind=SyncKind.PUT_UP)
        for row in list(rows.order_by("pk")):
            self._send(row)

    def hold_raises(self, silent: Channel, why: str) -> None:
        """Leave what would be raised of lots that another channel has, which may have sold them."""
        lots = silent.lots.values("marketplace_lot_id")
        kinds = (SyncKind.RAISED, SyncKind.PUT_UP)
        rows = self._planned().filter(kind__in=kinds, marketplace_lot_id__in=lots)
        with self.run.chunk():
            for row in list(rows.order_by("pk")):
                self.leave(row, SyncRowState.SKIPPED, why)

    def leave_unsent(self) -> None:
        """Leave the planned rows to the next sync."""
        with self.run.chunk():
            reason = AWAY if self.is_reviewed else READ_AGAIN
            left = self._planned().update(state=SyncRowState.SKIPPED, reason=reason)
            self.run.state["unsent"] = left

    def _planned(self) -> QuerySet[StoreSyncRow]:
        rows = StoreSyncRow.objects.filter(sync=self.sync, state=SyncRowState.PLANNED)
        return rows.filter(kind__in=THEIRS, channel=self.connection.channel)

    def _send(self, row: StoreSyncRow) -> None:
        with self.run.chunk():
            change = self._prepare(row)
            if change is None:
                return
        try:
            self._call(row, change)
        except BudgetSpent:  # calls of another kind may still be left
            self._close(row, SyncRowState.SKIPPED, NO_CALLS_LEFT)

    def _prepare(self, row: StoreSyncRow) -> LotChange | None:
        """Return the call for the current values, in a chunk. None if no change is left."""
        lot_id = row.marketplace_lot_id
        if lot_id in busy_lot_ids(self.owner, self.connection.channel):
            self.leave(row, SyncRowState.SKIPPED, BUSY)
            return None
        for lots, why in (("unsure", UNSURE), ("unread_lots", UNREAD)):
            if lot_id in self.run.state.get(lots, ()):
                self.leave(row, SyncRowState.SKIPPED, why)
                return None
        found = self._found(row)
        if found is None and row.inventory_item_ids:
            self.leave(row, SyncRowState.SKIPPED, AGREES)
            return None
        if found is not None:
            planned = (row.kind, row.sent)
            self._fill(row, found)
            if not row.sent and row.kind != SyncKind.REMOVED:
                self.leave(row, SyncRowState.SKIPPED, AGREES)
                return None
            if self.is_reviewed and planned != (row.kind, row.sent):
                self.leave(row, SyncRowState.SKIPPED, CHANGED_HERE)
                return None
            if found.lot.status == "X":
                self.leave(row, SyncRowState.SKIPPED, EXCLUDED)
                return None
        change = LotChange(comments="")
        if found is not None and row.kind != SyncKind.REMOVED:
            if not row.sent["values"] and not row.sent["delta"]:
                self.leave(row, SyncRowState.SKIPPED, NOT_BY_CALL)
                return None
            row.mark = new_mark()
            is_whole = row.marketplace_lot_id not in self.withheld
            change = _call_of(found, row) if is_whole else _lowering_of(found, row)
        if is_same_sending(row.sent, self.refused.get(lot_id, ({}, ""))[0]):
            self.leave(row, SyncRowState.FAILED, self.refused[lot_id][1])
            return None
        row.state = SyncRowState.SENDING
        row.save(update_fields=WRITTEN)
        return change

    def _fill(self, row: StoreSyncRow, found: LotDifference) -> None:
        """Store a difference in its row; of a lot that is withheld only by how much it fell."""
        _fill(row, found)
        if row.marketplace_lot_id in self.withheld and row.kind != SyncKind.REMOVED:
            row.changes = []
            is_lowered = row.kind == SyncKind.LOWERED
            row.sent = {"values": {}, "delta": row.sent["delta"]} if is_lowered else {}

    def _found(self, row: StoreSyncRow) -> LotDifference | None:
        lot_id = row.marketplace_lot_id
        waiting = pieces_to_list(owner=self.owner, lot_id=lot_id)
        differing = differences_of(
            owner=self.owner,
            lot_ids=[lot_id],
            waiting=waiting,
            channel_id=self.connection.channel_id,
        )
        return next(differing, None)

    def _call(self, row: StoreSyncRow, change: LotChange) -> None:
        """Make the call of a row and store its result.

        Raises JobFailed, JobCancelled, BudgetSpent, Throttled, NoAnswer: the call was not made,
        and the row is planned again. A call without an answer is looked for by its mark: the
        store may carry it out later.
        """
        try:
            if row.kind == SyncKind.REMOVED:
                self.store.delete_lot(row.marketplace_lot_id)
            else:
                self.store.change_lot(row.marketplace_lot_id, change)
        except (BudgetSpent, JobCancelled, JobInterrupted):
            # Counted first, so it was not sent.
            StoreSyncRow.objects.filter(pk=row.pk).update(state=SyncRowState.PLANNED)
            raise
        except NotThere:
            self._gone(row)
        except SecretsRefused as refused:
            self._unsent(row)
            raise refused_job(self.connection, refused, now=self.clock()) from refused
        except Refused as refused:
            self._close(row, SyncRowState.FAILED, str(refused))
        except Throttled:
            self._unsent(row)
            raise
        except NoAnswer as problem:
            if problem.is_unsent:
                self._unsent(row)
                raise
            if self._is_done(row):
                self._done_there(row)
        else:
            self._done_there(row)

    def _done_there(self, row: StoreSyncRow) -> None:
        with self.run.chunk():
            self._applied(row)

    def _unsent(self, row: StoreSyncRow) -> None:
        with self.run.chunk():
            row.state = SyncRowState.PLANNED
            row.save(update_fields=["state"])

    def _close(self, row: StoreSyncRow, state: SyncRowState, reason: str) -> None:
        with self.run.chunk():
            self.leave(row, state, reason)

    def _gone(self, row: StoreSyncRow) -> None:
        """Put up anew a lot that orders bought whole, if this is one channel of several.

        Else its rows give up its id: they can be listed again.
        """
        lot_id = row.marketplace_lot_id
        channel_id = self.connection.channel_id
        known = received_of(owner=self.owner, lot_ids=[lot_id], channel_id=channel_id).get(lot_id)
        if row.kind == SyncKind.REMOVED or known is None or known["quantity"] > 0:
            self._close(row, SyncRowState.SKIPPED, NOT_THERE)
            return
        with self.run.chunk():
            if self.is_one_of_several and row.kind == SyncKind.RAISED:
                row.kind, row.state, row.mark = SyncKind.PUT_UP, SyncRowState.PLANNED, ""
                row.save(update_fields=WRITTEN)
                return
            self._forget_lot(row)
            self.leave(row, SyncRowState.SKIPPED, SOLD_OUT)

    def _forget_lot(self, row: StoreSyncRow) -> None:
        """Forget a lot that the store no longer has; where no other one has it, its rows, too."""
        lot_id = row.marketplace_lot_id
        forget(owner=self.owner, channel_id=self.connection.channel_id, lot_ids=[lot_id])
        if received_of(owner=self.owner, lot_ids=[lot_id]):
            return
        edits = {
            pk: StockEdit(item_id=pk, changes={"marketplace_lot_id": None})
            for pk in row.inventory_item_ids
        }
        edit_rows(owner=self.owner, edits=edits, by=who_acts(self.owner), now=self.clock())

    def _applied(self, row: StoreSyncRow) -> None:
        lot_id, now = row.marketplace_lot_id, self.clock()
        row.state = SyncRowState.APPLIED
        row.save(update_fields=["state"])
        if row.kind == SyncKind.REMOVED:
            self._forget_lot(row)
        else:
            values = {name: _read(name, value) for name, value in row.sent["values"].items()}
            delta = row.sent["delta"]
            note_in_step(self.owner, row.inventory_item_ids)
            channel = self.connection.channel
            if self.is_reviewed:
                withhold_no_more(channel=channel, lot_ids=[lot_id])
            keep_sent(channel=channel, lot_id=lot_id, values=values, delta=delta, now=now)
        self.count("removed" if row.kind == SyncKind.REMOVED else "sent")

    def leave(self, row: StoreSyncRow, state: SyncRowState, reason: str) -> None:
        row.state, row.reason = state, reason
        row.save(update_fields=WRITTEN)
        if reason == AGREES:
            return
        self.run.fail_item({"id": row.pk, "name": row.name, "reason": reason})
        self.count("not_sent")

    def count(self, what: str) -> None:
        self.run.state[what] = self.run.state.get(what, 0) + 1
        self.run.done += 1
        sent = sum(self.run.state.get(name, 0) for name in ("sent", "removed", "put_up"))
        self.run.message = f"Sent {sent:,} changes"


def busy_lot_ids(owner: User, channel: Channel) -> set[int]:
    """Return the lots of a channel that are being listed just now."""
    busy = Listing.objects.owned_by(owner).filter(
        Q(channel=None) | Q(channel=channel), state__in=OPEN_STATES
    )
    found = busy.values_list("marketplace_lot_id", flat=True)
    return {lot_id for lot_id in found if lot_id is not None}


def _urgency_of(row: StoreSyncRow) -> tuple[int, int]:
    sent = row.sent or {"values": {}, "delta": 0}
    fields = ["tiers" if name in TIER_FIELDS else name for name in sent["values"]]
    is_removed = row.kind == SyncKind.REMOVED
    return urgency(sent["delta"], is_removed=is_removed, fields=fields), row.marketplace_lot_id


def _fill(row: StoreSyncRow, found: LotDifference) -> None:
    """Store the difference of a lot in its row, and the change to send."""
    lot, received, change = found.lot, found.received, found.change
    row.name = name_to_show(
        name=lot.item_name, number=lot.item_number, color=lot.color_name if lot.color_id else ""
    )[:400]
    row.inventory_item_ids = list(found.row_ids)
    row.quantity_here, row.quantity_there = max(lot.quantity, 0), max(received["quantity"], 0)
    delta = lot.quantity - received["quantity"]
    row.kind = SyncKind.REMOVED
    if change.is_deleted:
        row.changes, row.sent = [], {}
        return
    row.kind = SyncKind.RAISED if delta > 0 else SyncKind.LOWERED if delta else SyncKind.CHANGED
    fields = [name for name in _PLAIN if getattr(change, name) is not None]
    if change.tiers is not None:
        fields += TIER_FIELDS
    row.sent = {
        "values": {name: plain(getattr(lot, name)) for name in fields},
        "delta": delta,
    }
    told = [name for name in fields if getattr(lot, name) != received[name]]
    for name in ("condition", "sub_condition"):
        if getattr(change, name) is not None:
            told.append(name)
    row.changes = [
        {
            "field": name,
            "here": text_of(getattr(lot, name)),
            "there": text_of(received[name]),
        }
        for name in told
    ]


def _call_of(found: LotDifference, row: StoreSyncRow) -> LotChange:
    lot, change = found.lot, found.change
    tiers: Tiers | None = None
    if change.tiers is not None:
        tiers = ((lot.tq1, lot.tp1), (lot.tq2, lot.tp2), (lot.tq3, lot.tp3))
    return LotChange(
        comments=lot.comments,
        # Every change carries its mark, which proves that it was carried out.
        remarks=marked(lot.remarks, row.mark),
        delta=row.sent["delta"],
        price=change.price,
        cost=change.cost,
        bulk=change.bulk,
        sale=change.sale,
        retain=change.retain,
        stockroom=change.stockroom,
        tiers=tiers,
    )


def _lowering_of(found: LotDifference, row: StoreSyncRow) -> LotChange:
    """Return the call that takes pieces off a lot whose texts and price stay as they are there."""
    return LotChange(
        comments=found.received["comments"],
        remarks=marked(found.received["remarks"], row.mark),
        delta=row.sent["delta"],
    )


def _refused_before(sync: StoreSync, channel: Channel) -> Mapping[int, tuple[dict[str, Any], str]]:
    """Return by lot id the changes that were refused in the sync before this one, and why."""
    before = (
        StoreSync.objects.owned_by(sync.owner)
        .filter(way=SyncWay.CYCLE, pk__lt=sync.pk)
        .order_by("-pk")
        .first()
    )
    if before is None:
        return {}
    rows: Sequence[tuple[int, dict[str, Any], str]] = list(
        StoreSyncRow.objects.filter(
            sync=before, state=SyncRowState.FAILED, channel=channel
        ).values_list("marketplace_lot_id", "sent", "reason")
    )
    return {lot_id: (sent, reason) for lot_id, sent, reason in rows}


def _read(name: str, value: Any) -> Any:
    return Decimal(value) if name in AMOUNT_FIELDS and value is not None else value

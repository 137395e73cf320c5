"""Applies a planned sync: sales change the stock, other differences change the store."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError
from apps.core.jobs.run import JobRun, TryLater
from apps.inventory.models import InventoryItem, Reason, ReceivedLot, StockAct
from apps.inventory.services.acts import edit_in_act, hold_open
from apps.inventory.services.edits import StockEdit, edit_rows, hold_stock
from apps.inventory.services.received import forget, hold_read, receive, received_of
from apps.listings.models import StoreSync, StoreSyncRow, SyncKind, SyncRowState
from apps.listings.rules.listing import mark_of, marked, without_mark
from apps.listings.rules.store_diff import SHOWN, Here, compared
from apps.listings.services._batch_items import hold_listed, note_in_step, unlisted_pieces
from apps.listings.services._row_calls import RowCalls
from apps.listings.services._store_reading import here_of, rows_here
from apps.listings.services.intents import new_mark
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.base import (
    Marketplace,
    MarketplaceError,
    NoAnswer,
    NotThere,
    Throttled,
)
from apps.marketplace.providers.lots import LotChange, StoreLot, UnreadLot

TOGETHER: Final = 200
OURS: Final = (SyncKind.SOLD, SyncKind.GONE, SyncKind.LINKED)
BY_DELTA: Final = (SyncKind.LOWERED, SyncKind.RAISED)
NOT_KNOWN: Final = "The marketplace did not confirm this change: sync again to check."
UNREAD: Final = "Its lot in the store cannot be read: {why} Sync again once it is right."
CHANGED_HERE: Final = "It was changed here since the plan: sync again."


class Applying(RowCalls):
    """One attempt at applying a sync; `read` is the store as it was read just now."""

    not_there = "It is no longer in the store: sync again."

    def __init__(
        self,
        run: JobRun,
        sync: StoreSync,
        store: Marketplace,
        read: Mapping[int, StoreLot | UnreadLot],
        connection: MarketplaceConnection,
        clock: Callable[[], dt.datetime],
        act: StockAct | None,
        read_at: dt.datetime,
    ) -> None:
        self.run = run
        self.sync = sync
        self.store = store
        self.read = read
        self.there = {lot_id: lot for lot_id, lot in read.items() if isinstance(lot, StoreLot)}
        self.connection = connection
        self.clock = clock
        self.read_at = read_at
        self.act = act  # None in a job from before there was one
        self.taken: dict[int, int] = {}  # pieces already taken from our rows of a lot

    def go(self) -> None:
        """First our stock, in pieces of 200 rows; then the store, row by row."""
        with self.run.chunk():
            self._receive_store()
        self._recover()
        while rows := list(self._planned().filter(kind__in=OURS)[:TOGETHER]):
            with self.run.chunk():
                self._ours(rows)
        for row in list(self._planned().exclude(kind__in=[*OURS, *SHOWN])):
            self._theirs(row)

    def _planned(self) -> Any:
        rows = StoreSyncRow.objects.filter(sync=self.sync, state=SyncRowState.PLANNED)
        return rows.order_by("pk")

    def _receive_store(self) -> None:
        """Keep the lots of ours as they were read just now, but for what changed or sold since."""
        mine = InventoryItem.objects.owned_by(self.run.owner).filter(
            marketplace_lot_id__isnull=False
        )
        ours = set(mine.order_by().values_list("marketplace_lot_id", flat=True))
        linked = StoreSyncRow.objects.filter(sync=self.sync, kind=SyncKind.LINKED)
        ours |= set(linked.values_list("marketplace_lot_id", flat=True))
        owner = self.run.owner
        ours -= hold_read(owner=owner, lot_ids=ours, read_at=self.read_at)
        ours -= self.read.keys() - self.there.keys()
        self._receive_lots(ours & self.there.keys() - self._lots_sold(mine, ours))
        gone = ours - self.there.keys()
        sold_out = ReceivedLot.objects.owned_by(owner).filter(
            marketplace_lot_id__in=gone, quantity=0
        )
        forget(
            owner=owner, lot_ids=gone - set(sold_out.values_list("marketplace_lot_id", flat=True))
        )

    def _lots_sold(self, mine: Any, lot_ids: Collection[int]) -> set[int]:
        """Return the lots that lack pieces there which are not booked as sold here.

        They are received as their sale is booked: until then the next plan has to find it.
        """
        owner = self.run.owner
        known = received_of(owner=owner, lot_ids=lot_ids)
        had = {lot_id: base["quantity"] for lot_id, base in known.items()}
        fewer = {
            lot_id
            for lot_id in mine.order_by().values_list("marketplace_lot_id", flat=True)
            if lot_id in lot_ids
            and lot_id in self.there
            and (lot_id not in had or self.there[lot_id].quantity < had[lot_id])
        }
        if not fewer:
            return fewer
        here: dict[int, list[Here]] = {}
        for one in rows_here(owner, mine.filter(marketplace_lot_id__in=fewer)):
            here.setdefault(one.lot_id or 0, []).append(one)
        for lot_id, rows in here.items():
            found = compared(lot_id, rows, self.there[lot_id], had=had.get(lot_id))
            if found is None or not found.sold:
                fewer.discard(lot_id)
        return fewer

    def _receive_lots(self, lot_ids: Iterable[int]) -> None:
        lots = {lot_id: _told(self.there[lot_id]) for lot_id in sorted(lot_ids)}
        receive(owner=self.run.owner, lots=lots, now=self.read_at, is_reading=True)

    def _receive_row(self, row: StoreSyncRow) -> None:
        """Store the values that an applied row leaves in the store as received."""
        lot_id = row.marketplace_lot_id
        if row.kind == SyncKind.REMOVED:
            forget(owner=self.run.owner, lot_ids=[lot_id])
            return
        known = received_of(owner=self.run.owner, lot_ids=[lot_id]).get(lot_id)
        item = InventoryItem.objects.filter(pk__in=row.inventory_item_ids[:1]).first()
        if known is None or item is None:
            return
        change = _change_of(row, item)
        known |= {"comments": item.comments, "remarks": item.remarks}
        known["quantity"] += change.delta
        known["price"] = known["price"] if change.price is None else change.price
        receive(owner=self.run.owner, lots={lot_id: known}, now=self.clock())

    def _recover(self) -> None:
        """Settle calls that an earlier attempt may have sent by reading the store. Sends nothing."""
        sent = list(StoreSyncRow.objects.filter(sync=self.sync, state=SyncRowState.SENDING))
        if not sent:
            return
        with self.run.chunk():
            for row in sent:
                lot = self.read.get(row.marketplace_lot_id)
                if row.kind == SyncKind.REMOVED:
                    done = lot is None
                else:
                    done = lot is not None and mark_of(lot.remarks) == row.mark
                if done:
                    self._applied(row)
                else:
                    self._left(row, SyncRowState.SKIPPED, NOT_KNOWN)

    # -- our side --------------------------------------------------------------------------

    def _ours(self, rows: Sequence[StoreSyncRow]) -> None:
        locked = self._locked([pk for row in rows for pk in row.inventory_item_ids])
        edits: dict[tuple[int, int], StockEdit] = {}
        ready = []
        for row in rows:
            mine = [locked[pk] for pk in row.inventory_item_ids if pk in locked]
            why = self._why_not(row, [here for here, _ in mine])
            if why is not None:
                self._left(row, SyncRowState.SKIPPED, why)
                continue
            ready.append(row)
            for here, item in mine:
                edit = self._edit_of(row, here, item)
                if edit is not None:
                    edits[row.pk, item.pk] = edit
        refused = self._edit(edits)
        bad = {row_id: refusal.text for (row_id, _), refusal in refused.items()}
        sold = {
            row.marketplace_lot_id
            for row in ready
            if row.kind == SyncKind.SOLD and row.pk not in bad
        }
        newer = hold_read(owner=self.run.owner, lot_ids=sold, read_at=self.read_at)
        self._receive_lots(sold - newer)
        for row in ready:
            if row.pk in bad:
                self._left(row, SyncRowState.FAILED, bad[row.pk])
            elif row.kind == SyncKind.SOLD and row.changes:
                # The pieces are booked; the store still gets price and texts.
                row.kind = SyncKind.CHANGED
                row.quantity_here -= row.sent.get("sold", row.quantity_here - row.quantity_there)
                row.save(update_fields=["kind", "quantity_here"])
            else:
                self._applied(row)

    def _edit(self, edits: Mapping[tuple[int, int], StockEdit]) -> dict[Any, DomainError]:
        by, now = self.run.owner, self.clock()
        if self.act is None:
            return edit_rows(owner=by, edits=edits, by=by, now=now, fewer=Reason.SALE)
        hold_open(self.act)
        return edit_in_act(act=self.act, edits=edits, by=by, now=now, fewer=Reason.SALE)

    def _edit_of(self, row: StoreSyncRow, here: Here, item: InventoryItem) -> StockEdit | None:
        if row.kind == SyncKind.LINKED:
            return StockEdit(
                item_id=item.pk, changes={"marketplace_lot_id": row.marketplace_lot_id}
            )
        note = f"Sold at the marketplace (lot {row.marketplace_lot_id})"
        if row.kind == SyncKind.GONE:
            return StockEdit(
                item_id=item.pk,
                changes={"marketplace_lot_id": None},
                delta=-here.listed,
                note=note,
            )
        taken = self.taken.get(row.pk, 0)
        of_all = row.sent.get("sold", row.quantity_here - row.quantity_there)
        sold = min(here.listed, of_all - taken)
        if sold <= 0:
            return None
        self.taken[row.pk] = taken + sold
        return StockEdit(item_id=item.pk, delta=-sold, note=note)

    # -- the store's side --------------------------------------------------------------------

    def _theirs(self, row: StoreSyncRow) -> None:
        with self.run.chunk():
            locked = self._locked(row.inventory_item_ids)
            mine = [locked[pk] for pk in row.inventory_item_ids if pk in locked]
            why = self._why_not(row, [here for here, _ in mine])
            if why is not None:
                self._left(row, SyncRowState.SKIPPED, why)
                return
            row.state, row.mark = SyncRowState.SENDING, new_mark()
            row.save(update_fields=["state", "mark"])
            first = mine[0][1]
        try:
            self._call(row, _change_of(row, first))
        except (Throttled, NoAnswer) as problem:
            raise TryLater(str(problem), until_back=True) from problem

    def _look(self, row: StoreSyncRow) -> None:
        """Find out whether the store carried out a call without an answer."""
        try:
            lot = self.store.lot(row.marketplace_lot_id)
            done = row.kind != SyncKind.REMOVED and mark_of(lot.remarks) == row.mark
        except NotThere:
            done = row.kind == SyncKind.REMOVED
        except MarketplaceError as problem:
            raise TryLater(str(problem), until_back=True) from problem
        if done:
            self._done_there(row)
        else:
            self._close(row, SyncRowState.SKIPPED, NOT_KNOWN)

    # -- both --------------------------------------------------------------------------------

    def _locked(self, row_ids: Sequence[int]) -> dict[int, tuple[Here, InventoryItem]]:
        """Lock stock rows, with how many of their pieces are for sale.

        The batch items that applying writes come first, then the locations, as everywhere.
        """
        hold_listed(self.run.owner, row_ids)
        hold_stock(owner=self.run.owner, item_ids=row_ids)
        waiting = unlisted_pieces(self.run.owner, row_ids)
        rows = InventoryItem.objects.owned_by(self.run.owner).filter(pk__in=row_ids)
        found = lock_in_order(rows.select_related("lot__item", "lot__color"))
        return {row.pk: (here_of(row, waiting.get(row.pk, 0)), row) for row in found}

    def _why_not(self, row: StoreSyncRow, mine: list[Here]) -> str | None:
        """Return why a row is not done: stock or store are no longer as they were planned."""
        lot = self.read.get(row.marketplace_lot_id)
        if isinstance(lot, UnreadLot):
            return UNREAD.format(why=lot.reason)
        there = lot.quantity if lot is not None else 0
        if there != row.quantity_there:
            return (
                f"Since the plan it changed at the market ({there} there now, not "
                f"{row.quantity_there}): sync again."
            )
        if not mine or len(mine) != len(row.inventory_item_ids):
            return CHANGED_HERE
        if row.kind == SyncKind.LINKED:
            return None if mine[0].lot_id is None and mine[0].listed else CHANGED_HERE
        if any(here.lot_id != row.marketplace_lot_id for here in mine):
            return CHANGED_HERE
        now = compared(row.marketplace_lot_id, mine, lot)
        same = now is not None and (now.here, list(now.changes)) == (
            row.quantity_here,
            row.changes,
        )
        return None if same else CHANGED_HERE

    def _applied(self, row: StoreSyncRow) -> None:
        row.state = SyncRowState.APPLIED
        row.save(update_fields=["state"])
        if row.kind == SyncKind.REMOVED:
            ours = [pk for pk in row.inventory_item_ids]
            edits = {pk: StockEdit(item_id=pk, changes={"marketplace_lot_id": None}) for pk in ours}
            edit_rows(owner=self.run.owner, edits=edits, by=self.run.owner, now=self.clock())
        if row.kind in {SyncKind.CHANGED, *BY_DELTA}:
            note_in_step(self.run.owner, row.inventory_item_ids)
        if row.kind in {SyncKind.CHANGED, *BY_DELTA, SyncKind.REMOVED}:
            self._receive_row(row)
        self.run.state["items"] = self.run.state.get("items", 0) + 1
        self._tell()

    def _left(self, row: StoreSyncRow, state: SyncRowState, reason: str) -> None:
        row.state, row.reason = state, reason
        row.save(update_fields=["state", "reason"])
        self.run.fail_item({"id": row.pk, "name": row.name, "reason": reason})
        self._tell()

    def _tell(self) -> None:
        self.run.done += 1
        self.run.message = (
            f"{self.run.state.get('items', 0)} done, {self.run.failed_count} not done"
        )


def _told(lot: StoreLot) -> dict[str, Any]:
    """Return the store's values of a lot in the fields of a received lot."""
    tiers = {
        f"t{kind}{number}": value
        for number, tier in enumerate(lot.tiers, start=1)
        for kind, value in zip("qp", tier, strict=True)
    }
    return {
        "quantity": lot.quantity,
        "price": lot.price,
        "cost": lot.cost,
        "condition": lot.condition,
        "sub_condition": lot.completeness,
        "bulk": lot.bulk,
        "sale": lot.sale,
        "comments": lot.comments,
        "remarks": without_mark(lot.remarks),
        "retain": lot.retain,
        "stockroom": lot.stockroom,
        **tiers,
    }


def _change_of(row: StoreSyncRow, item: InventoryItem) -> LotChange:
    changed = {change["field"] for change in row.changes}
    return LotChange(
        comments=item.comments,
        # Every change carries its mark, which proves that it was carried out.
        remarks=marked(item.remarks, row.mark),
        price=item.price if "price" in changed else None,
        delta=row.quantity_here - row.quantity_there if row.kind in BY_DELTA else 0,
    )

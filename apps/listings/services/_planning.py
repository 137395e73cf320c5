"""Plans a sync for a person to look at, and compares the plan with a later reading."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from django.db.models import F

from apps.core.jobs.run import JobRun
from apps.inventory.models import Channel, InventorySync
from apps.inventory.services.changes import changed_lot_ids
from apps.inventory.services.channels import in_channel
from apps.inventory.services.store_plan import LotPlan, planned_lots, taken_of
from apps.listings.models import StoreSync, StoreSyncRow, SyncKind, SyncRowState
from apps.listings.rules.cycle import OURS
from apps.listings.services._putting_up import PuttingUp
from apps.listings.services._sending_changes import (
    AGREES,
    BUSY,
    CHANGED_HERE,
    UNREAD,
    SendingChanges,
    busy_lot_ids,
)
from apps.listings.services._store_reading import rows_of

#: Differences after which a lot that no row has gets one.
TIED: Final = (SyncKind.LINKED, SyncKind.CREATED)
CHANGED_THERE: Final = (
    "Since the plan it changed at the market ({now} there now, not {planned}): sync again."
)


def write_plan(
    run: JobRun,
    sync: StoreSync,
    imported: InventorySync,
    sending: SendingChanges,
    putting_up: PuttingUp | None,
) -> dict[str, int]:
    """Write a row for each difference; return how many there are of each kind, and the counts.

    What would be sent is worked out as if all was taken over that differs in the store.
    """
    with run.chunk(message="Comparing with what the store has"):
        StoreSyncRow.objects.filter(sync=sync, channel=sending.connection.channel).delete()
    owner, rows = sync.owner, rows_of(sync.owner, sync.batch_id)
    channel = sending.connection.channel
    in_batch = None if sync.batch_id is None else set(rows.values_list("pk", flat=True))
    found: list[tuple[str, int, list[int]]] = []

    def keep(some: Iterable[StoreSyncRow]) -> None:
        kept = [
            row
            for row in some
            if in_batch is None or not in_batch.isdisjoint(row.inventory_item_ids)
        ]
        found.extend((row.kind, row.marketplace_lot_id, row.inventory_item_ids) for row in kept)
        with run.chunk():
            StoreSyncRow.objects.bulk_create(kept, batch_size=500)

    for lots in planned_lots(imported):
        keep(_row_of(sync, channel, lot) for lot in lots)
    gone = set(imported.told.get("gone", []))
    unread, unsure = (set(run.state.get(name, [])) for name in ("unread_lots", "unsure"))
    taken = taken_of(imported, changed_lot_ids(channel=channel) - gone)
    tied = {lot_id for kind, lot_id, _rows in found if kind in TIED}
    busy = busy_lot_ids(owner, channel)
    keep(sending.plan(taken, but=gone | unread | unsure | tied | busy))
    if putting_up is not None:
        to_be_tied = {number for _lot_id, number in imported.told.get("ties", [])}
        keep(putting_up.plan(but=gone | unsure | tied | to_be_tied))

    free = rows.filter(quantity__gt=F("promised"))
    over = set(channel.lots.filter(quantity=0).values_list("marketplace_lot_id", flat=True))
    there = free.filter(in_channel(channel))
    tied = set(there.values_list("marketplace_lot_id", flat=True))
    linked = sum(len(row_ids) for kind, _lot, row_ids in found if kind == SyncKind.LINKED)
    loose = free.filter(marketplace_lot_id=None, lot__isnull=False).count()
    known = tied - over - unread
    kinds = Counter(kind for kind, _lot, _rows in found)
    return {
        **{kind: kinds[kind] for kind in SyncKind.values},
        "same": len(known - {lot_id for _kind, lot_id, _rows in found}),
        "known": len(known),
        "not_listed": max(loose - linked, 0) + len(tied & over),
    }


def leave_changed(run: JobRun, sync: StoreSync, imported: InventorySync) -> None:
    """Leave the rows of a plan that a new reading does not show as they were planned."""
    chosen = {row.marketplace_lot_id: row for row in planned_rows(sync, imported.channel)}
    now = {
        lot.lot_id: lot for lots in planned_lots(imported) for lot in lots if lot.lot_id in chosen
    }
    unread = set(run.state.get("unread_lots", []))
    busy = set() if imported.channel is None else busy_lot_ids(sync.owner, imported.channel)
    left: dict[int, str] = {}
    for lot_id, row in chosen.items():
        lot = now.get(lot_id)
        if lot_id in unread:
            left[lot_id] = UNREAD
        elif lot_id in busy:
            left[lot_id] = BUSY
        elif lot is None:
            left[lot_id] = AGREES
        elif lot.there != row.quantity_there:
            left[lot_id] = CHANGED_THERE.format(now=lot.there, planned=row.quantity_there)
        elif _said(lot) != (row.kind, row.quantity_here, row.changes):
            left[lot_id] = CHANGED_HERE
    with run.chunk():
        for lot_id, reason in left.items():
            leave(run, chosen[lot_id], reason)
        run.state["is_checked"] = True


def planned_rows(sync: StoreSync, channel: Channel | None) -> list[StoreSyncRow]:
    """Return the rows of a plan by which a channel changes our stock and that are not done yet."""
    rows = StoreSyncRow.objects.filter(
        sync=sync, channel=channel, state=SyncRowState.PLANNED, kind__in=OURS
    )
    return list(rows.order_by("pk"))


def leave(run: JobRun, row: StoreSyncRow, reason: str) -> None:
    """Note in a chunk why a row is not done."""
    row.state, row.reason = SyncRowState.SKIPPED, reason
    row.save(update_fields=["state", "reason"])
    run.fail_item({"id": row.pk, "name": row.name, "reason": reason})


def _said(lot: LotPlan) -> tuple[str, int, list[dict[str, str]]]:
    return lot.kind, lot.here, lot.changes


def _row_of(sync: StoreSync, channel: Channel, lot: LotPlan) -> StoreSyncRow:
    return StoreSyncRow(
        sync=sync,
        channel=channel,
        kind=lot.kind,
        name=lot.name,
        marketplace_lot_id=lot.lot_id,
        inventory_item_ids=lot.row_ids,
        quantity_here=lot.here,
        quantity_there=lot.there,
        changes=lot.changes,
    )

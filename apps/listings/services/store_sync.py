"""Sync: plans the differences between stock and store, and applies them after review."""

import datetime as dt
from collections.abc import Collection
from typing import Any, Final

from django.db import IntegrityError, transaction

from apps.batches.models import Batch, OperationKind
from apps.batches.services.batches import open_batch
from apps.batches.services.operations import MAX_FAILED_KEPT, record_operation
from apps.core.concurrency import claim
from apps.core.errors import StateConflict, ValueRefused
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import JobState
from apps.core.jobs.run import Clock, JobFailed, JobRun
from apps.inventory.models import ActKind, InventoryItem, ReceivedLot, StockAct
from apps.inventory.services.acts import begin_act
from apps.listings.models import StoreSync, StoreSyncRow, SyncRowState, SyncState
from apps.listings.rules.store_diff import REMOVALS, SHOWN, differences
from apps.listings.services._store_applying import OURS, Applying
from apps.listings.services._store_reading import (
    HiddenLots,
    all_rows,
    key_of_lot,
    name_of_lot,
    rows_here,
    rows_of_batch,
    tied_lots,
)
from apps.marketplace.providers.lots import StoreLot, UnreadLot
from apps.marketplace.services.arrivals import read_orders, tell_unread
from apps.marketplace.services.calls import StoreCalls
from apps.marketplace.services.connections import (
    connection_of,
    ending_job,
    ensure_connection,
    open_store,
)

PLAN_KIND: Final = "batches.plan_store_sync"
APPLY_KIND: Final = "batches.apply_store_sync"
LEFT_OUT: Final = "Left out."
CLOSED: Final = (
    "The store reads as empty, as a closed one does (vacation): nothing is compared with that. "
    "Open the store, then sync again."
)


class SyncRunning(StateConflict):
    """Another sync is running; `data` holds it."""

    message = "The store is being synced already. Wait for it or cancel it first."


class SyncNotPlanned(StateConflict):
    message = "Only a sync that is planned can be applied; this one is {state}."


def start_plan(*, owner: Any, batch: Batch | None, now: dt.datetime) -> StoreSync:
    """Start comparing the whole stock, or what one batch stowed, with the store.

    Raises NotConnected, SyncRunning, BatchIsArchived.
    """
    ensure_connection(owner=owner, now=now)
    with transaction.atomic():
        if batch is not None:
            open_batch(batch)
        try:
            with transaction.atomic():
                sync = StoreSync.objects.create(owner=owner, batch_id=batch.pk if batch else None)
        except IntegrityError:
            raise running_syncs(owner) from None
        _start(sync, PLAN_KIND)
    return sync


def start_apply(
    *,
    sync: StoreSync,
    confirm_removals: int | None,
    leave_out: Collection[int] = (),
    only: Collection[int] | None = None,
) -> StoreSync:
    """Start doing what was planned, but for the rows left out; with `only` nothing but these.

    Raises SyncNotPlanned, SyncRunning, and Invalid where lots vanish here or there and
    `confirm_removals` is not their number.
    """
    with transaction.atomic():
        rows = StoreSyncRow.objects.filter(sync=sync, state=SyncRowState.PLANNED)
        left = rows.filter(pk__in=leave_out) if only is None else rows.exclude(pk__in=only)
        # By id, so that exactly the counted rows are applied.
        left_out = set(left.values_list("pk", flat=True))
        chosen = list(rows.values_list("pk", "kind"))
        removals = sum(kind in REMOVALS for pk, kind in chosen if pk not in left_out)
        if removals and confirm_removals != removals:
            raise ValueRefused(
                fields={"confirm_removals": [f"{removals} lots would be removed: type {removals}"]}
            )
        try:
            with transaction.atomic():
                if not claim(
                    StoreSync.objects.filter(pk=sync.pk),
                    where={"state": SyncState.PLANNED},
                    set={"state": SyncState.APPLYING},
                ):
                    sync.refresh_from_db()
                    raise SyncNotPlanned(state=sync.state)
        except IntegrityError:
            raise running_syncs(sync.owner) from None
        left.exclude(kind__in=SHOWN).update(state=SyncRowState.SKIPPED, reason=LEFT_OUT)
        act = None
        if rows.filter(kind__in=OURS).exists():
            act = begin_act(owner=sync.owner, kind=ActKind.SYNC, by=sync.owner)
        _start(sync, APPLY_KIND, total=rows.exclude(kind__in=SHOWN).count(), act=act)
    return sync


def run_plan(*, run: JobRun, sync_id: int, clock: Clock, **_: Any) -> None:
    """Compare, and store the differences. Raises JobFailed (also for a closed store), TryLater."""
    sync = _sync_of(run, sync_id)

    read = _read(run, clock)[0]
    if not read and _knows_lots(run.owner):
        raise JobFailed(reason=CLOSED)
    there = {lot_id: lot for lot_id, lot in read.items() if isinstance(lot, StoreLot)}
    had = ReceivedLot.objects.owned_by(run.owner).values_list("marketplace_lot_id", "quantity")
    rows = all_rows(run.owner) if sync.batch_id is None else rows_of_batch(run.owner, sync.batch_id)
    unread = read.keys() - there.keys()
    hidden = HiddenLots(read.values(), tied_lots(run.owner))
    diff = differences(
        (row for row in rows_here(run.owner, rows) if row.lot_id not in unread),
        there,
        key_of={pk: key_of_lot(lot) for pk, lot in there.items()},
        name_of={pk: name_of_lot(lot) for pk, lot in there.items()},
        had=dict(had),
        is_whole=sync.batch_id is None,
        is_hidden=lambda key: hidden.one_of(key) is not None,
    )
    run.done = run.total = len(read)
    with run.finish(result={"sync_id": sync.pk, "batch_id": sync.batch_id}):
        StoreSyncRow.objects.filter(sync=sync).delete()
        StoreSyncRow.objects.bulk_create(
            [
                StoreSyncRow(
                    sync=sync,
                    kind=one.kind,
                    name=one.name,
                    marketplace_lot_id=one.lot_id,
                    inventory_item_ids=list(one.rows),
                    quantity_here=one.here,
                    quantity_there=one.there,
                    changes=list(one.changes),
                    sent={"sold": one.sold} if one.sold else {},
                )
                for one in diff.rows
            ],
            batch_size=1_000,
        )
        _set(sync, SyncState.PLANNED, counts=diff.counts)
        if all(one.kind in SHOWN for one in diff.rows):
            _log(run, sync, "")  # there is nothing to apply: this was the whole sync


def run_apply(
    *, run: JobRun, sync_id: int, clock: Clock, act_id: int | None = None, **_: Any
) -> None:
    """Apply the planned rows. Changes of the store are made one row at a time.

    After a kill it resumes: it looks up calls that may have been sent instead of sending them
    again. Raises JobFailed, JobCancelled, BudgetSpent, TryLater.
    """
    sync = _sync_of(run, sync_id)

    if _others(sync).exists():
        raise JobFailed(reason=SyncRunning.message)
    with run.chunk():
        _set(sync, SyncState.APPLYING)  # also when a stopped one is tried again
    there, read_at = _read(run, clock)
    if not there and StoreSyncRow.objects.filter(sync=sync, quantity_there__gt=0).exists():
        raise JobFailed(reason=CLOSED)
    connection = connection_of(owner=run.owner)
    calls = StoreCalls(run, clock)
    with open_store(connection, spend=calls.spend) as store:
        acts = StockAct.objects.owned_by(run.owner)
        act = None if act_id is None else acts.filter(pk=act_id).first()
        Applying(run, sync, store, there, connection, clock, act, read_at).go()
    with run.finish(result=_result_of(run, sync)):
        _set(sync, SyncState.APPLIED, applied_at=clock())
        _log(run, sync, "")


def sync_stopped(*, run: JobRun, sync_id: int, reason: str) -> dict[str, Any]:
    """End the sync with its cancelled or failed job, and store the reason.

    Return the result of the job.
    """
    sync = _sync_of(run, sync_id)
    was_cancelled = run.job.state == JobState.CANCELLED
    _set(sync, SyncState.CANCELLED if was_cancelled else SyncState.FAILED, reason=reason)
    _log(run, sync, reason)
    return _result_of(run, sync)


def _set(sync: StoreSync, state: SyncState, **also: Any) -> None:
    also.setdefault("reason", "")
    StoreSync.objects.filter(pk=sync.pk).update(state=state, **also)


def _result_of(run: JobRun, sync: StoreSync) -> dict[str, Any]:
    return {
        "sync_id": sync.pk,
        "batch_id": sync.batch_id,
        "item_count": run.state.get("items", 0),
        "failed_count": run.failed_count,
    }


def _log(run: JobRun, sync: StoreSync, message: str) -> None:
    if sync.batch_id is None:
        return
    batch = Batch.objects.owned_by(run.owner).filter(pk=sync.batch_id).first()
    if batch is not None:
        applied = sync.rows.filter(state=SyncRowState.APPLIED).order_by("pk")
        record_operation(
            batch=batch,
            kind=OperationKind.SYNC,
            done=run.state.get("items", 0),
            failed=run.failed,
            failed_count=run.failed_count,
            items=[
                {"id": pk, "name": name}
                for pk, name in applied.values_list("pk", "name")[:MAX_FAILED_KEPT]
            ],
            message=message,
            by=run.owner,
        )


def _read(run: JobRun, clock: Clock) -> tuple[dict[int, StoreLot | UnreadLot], dt.datetime]:
    """Read orders, then the store; return its lots and a time before it was read."""
    connection = connection_of(owner=run.owner)
    calls = StoreCalls(run, clock)
    with ending_job(connection, clock), open_store(connection, spend=calls.spend) as store:
        orders = read_orders(owner=run.owner, store=store, clock=clock)
        read_at = clock()
        there = {lot.lot_id: lot for lot in calls.read(store)}
        unread = [lot for lot in there.values() if isinstance(lot, UnreadLot)]
        if orders.unread or unread:
            with run.chunk():
                tell_unread(run, orders.unread)
                tell_unread(run, unread)
        return there, read_at


def _knows_lots(owner: Any) -> bool:
    listed = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__isnull=False)
    return bool(listed.filter(quantity__gt=0).exists())


def _sync_of(run: JobRun, sync_id: int) -> StoreSync:
    sync: StoreSync | None = StoreSync.objects.owned_by(run.owner).filter(pk=sync_id).first()
    if sync is None:
        raise JobFailed(reason="The sync was deleted.")
    return sync


def _start(
    sync: StoreSync, kind: str, total: int | None = None, act: StockAct | None = None
) -> None:
    payload = {"sync_id": sync.pk, "batch_id": sync.batch_id}
    about = {"batch": [sync.batch_id]} if sync.batch_id else {}
    if act is not None:
        payload["act_id"] = act.pk
        about["act"] = [act.pk]
    job = start_job(owner=sync.owner, kind=kind, payload=payload, total=total, about=about or None)
    StoreSync.objects.filter(pk=sync.pk).update(job_id=job.pk)
    sync.job_id = job.pk


def _others(sync: StoreSync) -> Any:
    busy = StoreSync.objects.owned_by(sync.owner).exclude(pk=sync.pk)
    return busy.filter(state__in=[SyncState.PLANNING, SyncState.APPLYING])


def running_syncs(owner: Any) -> SyncRunning:
    """Return the refusal that names the sync at work."""
    busy = StoreSync.objects.owned_by(owner).filter(
        state__in=[SyncState.PLANNING, SyncState.APPLYING]
    )
    return SyncRunning(data=[{"id": one.pk, "job_id": one.job_id} for one in busy])

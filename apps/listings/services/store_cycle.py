"""The job of a sync: orders first, then the store's changes, then ours.

In this order no piece is sold twice: sales are read before changes are sent. A dry run does the
same up to the plan, which a person looks at, leaves rows out of, and applies.
"""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, Final

from django.db import IntegrityError
from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.batches.models import Batch, OperationKind
from apps.batches.services.operations import MAX_FAILED_KEPT, record_operation
from apps.core.errors import DomainError
from apps.core.jobs.kept_file import file_left_behind
from apps.core.jobs.models import JobState
from apps.core.jobs.run import Clock, JobFailed, JobRun, TryLater
from apps.inventory.models import Channel, InventorySync
from apps.inventory.models import SyncState as ImportState
from apps.inventory.services.bsx_sync import SyncOptions, apply_within
from apps.inventory.services.conflicts import close_agreed
from apps.inventory.services.errors import ConfirmAnotherStore, ConfirmZeroed, CurrencyDiffers
from apps.inventory.services.store_plan import take_only
from apps.inventory.services.store_pull import begin_pull, drop_pull, refuse_while_running
from apps.listings.models import (
    StoreSchedule,
    StoreSync,
    StoreSyncRow,
    SyncKind,
    SyncRowState,
    SyncState,
    SyncWay,
)
from apps.listings.rules.cycle import SENT_IN_TURN, THEIRS, too_many_removals
from apps.listings.services._channels import Channels, noted
from apps.listings.services._last_reading import LastReading
from apps.listings.services._planning import leave, leave_changed, planned_rows, write_plan
from apps.listings.services._putting_up import PuttingUp, close_unsent
from apps.listings.services._sending_changes import SendingChanges
from apps.listings.services.store_pull import NAME, pull
from apps.listings.services.store_sync import (
    PLAN_KIND,
    StorePaused,
    SyncRunning,
    schedule_of,
    start_cycle,
)
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.base import AnsweredAsBefore, SecretsRefused
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.selectors import connections_of
from apps.marketplace.services.connections import NotConnected
from apps.webhooks.rules import SYNC_FAILED
from apps.webhooks.services.events import emit

OTHER_LOTS: Final = (
    "{count} lots of the store are another item now than here, such as lot {lot_id}: pull the "
    "store and look at what that changes."
)
REMOVALS: Final = (
    "{count} of the {known} lots in the store would be removed, for they are not in stock here or not "
    "for sale there: type their number to go on."
)
FEWER: Final = "{zeroed:,} of {total:,} lots in stock are not in the store and would be set to 0."
LOOK_FIRST: Final = "{why} Look at the import first: Inventory, Imports."
#: What an import took over from the store.
TAKEN: Final = ("created", "changed", "zeroed", "uploaded")
#: A change is sent to a store that was read no longer ago; otherwise it is read again.
READ_AGAIN: Final = dt.timedelta(minutes=15)
#: Of stores that a sync leaves out.
PULL_FIRST: Final = "{name}: pull the store once. Until then it is left out."
PLAN_FIRST: Final = (
    "{name}: on Store, choose Compare with stock and apply what it shows. Until then it is "
    "left out."
)
PAUSED: Final = "{name} is paused: syncs leave it out until you resume it."
AWAY: Final = "{why} The next sync tries again."
MEANWHILE: Final = "It was changed meanwhile: sync again."


def run_sync(
    *, run: JobRun, sync_id: int, clock: Clock, confirm_removals: int | None = None, **_: Any
) -> None:
    """Plan a sync, apply a plan, or do both in one go, from where an earlier attempt stopped.

    All channels are read before anything is sent. Raises TryLater while the only store is away,
    JobFailed (a store that is closed or looks like another one; for a scheduled sync also one that
    is away), JobCancelled. Of several, one that ends so ends its own steps, and is told with why.
    """
    sync = _sync_of(run, sync_id)
    is_dry = run.job.kind == PLAN_KIND
    paused = {one.channel: why_left_out(one) for one in connections_of(run.owner) if one.is_paused}
    connections = _connections_to_sync(run, sync, is_dry)
    try:
        with ExitStack() as stores:
            channels = Channels(run, sync, connections, clock, stores, paused)
            channels.each(lambda sending: _read_channel(run, sync, channels, sending, clock))
            if is_dry:
                _show(run, sync, channels)
                return
            channels.each(
                lambda sending: _plan_channel(run, sync, channels, sending, confirm_removals)
            )
            channels.each(lambda sending: _begin_sending(run, channels, sending, clock))
            for kinds in SENT_IN_TURN if channels.are_several else (THEIRS,):
                channels.each(partial(_send, channels=channels, kinds=kinds))
            channels.end()
    except JobFailed as failed:
        if isinstance(failed.__cause__, SecretsRefused):
            _wait_for_person(run.owner, failed.text)
        raise
    except TryLater as away:
        if sync.is_scheduled:  # the next one begins soon, and blocks no import until then
            raise JobFailed(reason=AWAY.format(why=away)) from away
        raise
    _finish(run, sync, channels, clock)
    if sum(noted(run, "unsent", 0)) and sync.way == SyncWay.CYCLE:
        # The store was away for long while changes were sent, so it is read again.
        with suppress(DomainError):
            start_cycle(owner=run.owner, now=clock(), confirm_removals=confirm_removals)


def _connections_to_sync(run: JobRun, sync: StoreSync, is_dry: bool) -> list[MarketplaceConnection]:
    """Return the connections whose channels are compared.

    None that is paused. Of several, those that were pulled once or of which the plan has rows, and
    in one go those of which a plan was applied: nothing is sent to a second store before a person
    saw what. What a plan shows before it was pulled is what would be taken over. Raises
    NotConnected, StorePaused, JobFailed.
    """
    connected = connections_of(run.owner)
    if not connected:
        raise NotConnected
    found = [one for one in connected if not one.is_paused]
    if not found:
        raise StorePaused
    if len(connected) == 1 or is_dry:
        return found
    whys = {one: why_left_out(one) for one in found}
    if sync.way == SyncWay.CYCLE:
        run.state["left_out"] = [why for why in whys.values() if why]
        ready = [one for one, why in whys.items() if not why]
        if not ready:
            raise JobFailed(reason=" ".join(run.state["left_out"]))
        return ready
    planned = sync.rows.values("channel")
    applied = [
        one for one in found if one.channel.lots.exists() or planned.filter(channel=one.channel)
    ]
    return applied or found[:1]


def why_left_out(connection: MarketplaceConnection) -> str:
    """Return why a sync in one go leaves a store out that is one of several; '' where it does not."""
    name = MARKETPLACES[connection.marketplace].name
    if connection.is_paused:
        return PAUSED.format(name=name)
    channel = connection.channel
    was_read = channel.read_at is not None or connection.puts_up or channel.lots.exists()
    if not was_read:
        return PULL_FIRST.format(name=name)
    return PLAN_FIRST.format(name=name) if connection.needs_plan else ""


def _read_channel(
    run: JobRun, sync: StoreSync, channels: Channels, sending: SendingChanges, clock: Clock
) -> None:
    """Settle what is open at a channel, read it, and take over what changed there."""
    channel = sending.connection.channel
    if run.state.get("step", "settle") == "settle":
        _settle(channels, sending)
        with run.chunk():  # what is sold from here on may be in no later reading of this job
            run.state |= {"step": "pull", "begun_at": clock().isoformat()}
    if run.state["step"] == "pull":
        _read(run, sync, _import_of(run, sync, channel), channel, clock)
    if run.state["step"] == "apply" and run.job.kind != PLAN_KIND:
        _take_in(run, sync, _import_of(run, sync, channel), clock)


def _plan_channel(
    run: JobRun,
    sync: StoreSync,
    channels: Channels,
    sending: SendingChanges,
    confirm_removals: int | None,
) -> None:
    if run.state["step"] == "plan":
        # Where one of several takes no part, nobody saw what the others would get of it.
        is_whole = not run.state.get("left_out")
        putting_up = channels.putting_up(sending) if is_whole else None
        _plan(run, sync, sending, putting_up, confirm_removals)


def _settle(channels: Channels, sending: SendingChanges) -> None:
    sending.settle()
    putting_up = channels.putting_up(sending)
    if putting_up is not None:
        putting_up.settle()


def _send(sending: SendingChanges, *, channels: Channels, kinds: Sequence[str]) -> None:
    sending.send(kinds)
    putting_up = channels.putting_up(sending)
    if putting_up is not None and SyncKind.PUT_UP in kinds:
        putting_up.send()


def _begin_sending(run: JobRun, channels: Channels, sending: SendingChanges, clock: Clock) -> None:
    _settle(channels, sending)
    if _is_old(run, clock):
        sending.leave_unsent()
    for silent, why in channels.silent.items():
        sending.hold_raises(silent, why)


def sync_stopped(*, run: JobRun, sync_id: int, reason: str, clock: Clock) -> dict[str, Any]:
    """End the sync with its cancelled or failed job, and store the reason.

    Return the result of the job.
    """
    file_left_behind(run)
    close_unsent(run, now=clock())
    sync = StoreSync.objects.owned_by(run.owner).filter(pk=sync_id).first()
    if sync is None:
        return {}
    was_cancelled = run.job.state == JobState.CANCELLED
    state = SyncState.CANCELLED if was_cancelled else SyncState.FAILED
    before = _last(sync)
    is_quiet = (
        sync.is_scheduled
        and before is not None
        and before.reason == reason
        and not sync.rows.exists()
    )
    StoreSync.objects.filter(pk=sync.pk).update(
        state=state, reason=reason, counts=_counts_of(run, sync), is_quiet=is_quiet
    )
    if state == SyncState.FAILED and not is_quiet:
        data = {"sync_id": sync.pk, "reason": reason}
        emit(owner_id=sync.owner_id, event=SYNC_FAILED, told={f"sync {sync.pk}": data})
    # What a sync in one go stopped at is looked at as an import.
    unseen = [ImportState.PREVIEWING]
    if sync.way == SyncWay.COMPARE:
        unseen.append(ImportState.PREVIEWED)
    for imported in _imports_of(run).filter(state__in=unseen):
        drop_pull(imported)
    if is_quiet and before is not None and before.is_quiet:
        before.delete()
    _log(run, sync, reason)
    return _result_of(run, sync)


# -- the steps -------------------------------------------------------------------------------


def _why_asked(imported: InventorySync, question: DomainError) -> str:
    """Return the question in the words of the import's page, which speaks of a store."""
    if isinstance(question, ConfirmZeroed):
        counts = imported.counts
        return FEWER.format(zeroed=counts["zeroed"], total=counts["in_stock"])
    if isinstance(question, ConfirmAnotherStore):
        (told,) = (one for one in imported.warnings if one["code"] == "another_store")
        return str(told["message"])
    return question.text


def _imports_of(run: JobRun) -> QuerySet[InventorySync]:
    """Return the imports into which this job reads channels."""
    imports: QuerySet[InventorySync] = InventorySync.objects.owned_by(run.owner)
    return imports.filter(job=run.job).order_by("pk")


def _import_of(run: JobRun, sync: StoreSync, channel: Channel) -> InventorySync:
    """Return the import into which this job reads a channel; begin one where there is none."""
    imported = _imports_of(run).filter(Q(channel=channel) | Q(channel=None)).last()
    if imported is not None:
        return imported
    if run.state["step"] != "pull":
        raise JobFailed(reason="The import of this sync was deleted: sync again.")
    options = SyncOptions(
        conflicts=schedule_of(run.owner).conflicts, is_unattended=True, create_locations=False
    )
    try:
        with run.chunk():
            imported = begin_pull(
                owner=run.owner, name=NAME, options=options, job=run.job, channel=channel
            )
            StoreSync.objects.filter(pk=sync.pk).update(import_id=imported.pk)
    except IntegrityError:
        try:
            refuse_while_running(run.owner)
        except DomainError as running:
            raise TryLater(running.text, until_back=True) from running
        raise
    sync.import_id = imported.pk
    return imported


def _read(
    run: JobRun, sync: StoreSync, imported: InventorySync, channel: Channel, clock: Clock
) -> None:
    """Read orders and the store into a preview."""
    if imported.state != ImportState.PREVIEWED:
        is_cycle = sync.way == SyncWay.CYCLE
        last = LastReading(channel, now=clock()) if is_cycle else None
        try:
            imported = pull(
                run,
                sync_id=imported.pk,
                clock=clock,
                ends_job=False,
                with_orders=True,
                needs_all_orders=sync.is_scheduled,
                last=last,
                may_be_empty=not is_cycle or "channel" in run.state,  # one of several
            )
        except AnsweredAsBefore:
            assert last is not None
            run.state["seen"] = last.seen
            drop_pull(imported)  # an open one would keep the next channel from being read
            _go_on(run, sync, clock)
            return
        told = imported.told
        if last is not None and told["same"] == told["lots"] and not told["gone"]:
            run.state["seen"] = last.seen
    _step(run, "apply")
    others = imported.told.get("others", [])
    if others:
        _stop(run, sync, OTHER_LOTS.format(count=len(others), lot_id=others[0]))


def _show(run: JobRun, sync: StoreSync, channels: Channels) -> None:
    """End a dry run: write its plan, and forget the readings."""
    counts: Counter[str] = Counter()

    def write(sending: SendingChanges) -> None:
        imported = _import_of(run, sync, sending.connection.channel)
        counts.update(write_plan(run, sync, imported, sending, channels.putting_up(sending)))

    channels.each(write)
    channels.raise_if_none_answered()
    is_equal = not sync.rows.exists()
    with run.finish(result=_result_of(run, sync)):
        imports = list(_imports_of(run))
        reason = _reason_of(run, imports, channels)
        for imported in imports:
            drop_pull(imported)
        StoreSync.objects.filter(pk=sync.pk).update(
            state=SyncState.PLANNED, import_id=None, counts=dict(counts), reason=reason
        )
        channels.end_needing_plans()  # of channels of which nothing differs
        if is_equal:
            _log(run, sync, "")  # there is nothing to apply: this was the whole sync


def _take_in(run: JobRun, sync: StoreSync, imported: InventorySync, clock: Clock) -> None:
    """Take over what changed in the store: all of it, or what a person chose."""
    is_reviewed = sync.way == SyncWay.COMPARE
    if is_reviewed and imported.state == ImportState.PREVIEWED:
        if not run.state.get("is_checked"):
            leave_changed(run, sync, imported)
        chosen = planned_rows(sync, imported.channel)
        take_only(run, imported, {row.marketplace_lot_id for row in chosen})
    try:
        if imported.state != ImportState.APPLIED:
            imported = apply_within(run, imported, now=clock(), is_confirmed=is_reviewed)
    except (ConfirmAnotherStore, ConfirmZeroed, CurrencyDiffers) as question:
        _stop(run, sync, LOOK_FIRST.format(why=_why_asked(imported, question)))
    with run.chunk():
        counts = imported.applied_counts
        for name in TAKEN:
            run.state[name] = counts.get(name, 0)
        run.state["conflicts"] = len(imported.told.get("conflicts", []))
        close_agreed(owner=run.owner, now=clock())
        for row in planned_rows(sync, imported.channel):
            _end_taken(run, row, clock)
    _go_on(run, sync, clock)


def _end_taken(run: JobRun, row: StoreSyncRow, clock: Clock) -> None:
    if row.marketplace_lot_id in run.state.get("left", []):
        leave(run, row, MEANWHILE)
        return
    row.state = SyncRowState.APPLIED
    row.save(update_fields=["state"])


def _go_on(run: JobRun, sync: StoreSync, clock: Clock) -> None:
    """Go on to what is sent: it has yet to be planned, or was planned and looked at."""
    with run.chunk(message="Comparing with what the store has"):
        run.state["step"] = "send" if sync.way == SyncWay.COMPARE else "plan"
        run.state["read_at"] = clock().isoformat()
        _expect(run, sync)


def _expect(run: JobRun, sync: StoreSync) -> None:
    """Set the job's total to what is done and the rows that wait to be sent, of all channels."""
    run.total = run.done + sync.rows.filter(state=SyncRowState.PLANNED).count()


def _is_old(run: JobRun, clock: Clock) -> bool:
    """Return whether so much time went by since the store was read that it may have changed."""
    read_at = run.state.get("read_at")
    return read_at is not None and clock() - dt.datetime.fromisoformat(read_at) > READ_AGAIN


def _plan(
    run: JobRun,
    sync: StoreSync,
    sending: SendingChanges,
    putting_up: PuttingUp | None,
    confirm_removals: int | None,
) -> None:
    with run.chunk():
        StoreSyncRow.objects.filter(sync=sync, channel=sending.connection.channel).delete()
        rows = sending.plan()
        if putting_up is not None:
            rows += putting_up.plan_in_one_go()
        StoreSyncRow.objects.bulk_create(rows, batch_size=500)
        removed = sum(row.kind == SyncKind.REMOVED for row in rows)
        known = sending.connection.channel.lots.filter(quantity__gt=0).count()
        run.state["to_confirm"] = 0
        if too_many_removals(removed, known) and confirm_removals != removed:
            run.state["to_confirm"] = removed
        run.state["step"] = "send"
        _expect(run, sync)
    if run.state["to_confirm"]:
        _stop(run, sync, REMOVALS.format(count=removed, known=known))


def _finish(run: JobRun, sync: StoreSync, channels: Channels, clock: Clock) -> None:
    imports = list(_imports_of(run))
    reason = _reason_of(run, imports, channels)
    counts, before = _counts_of(run, sync), _last(sync)
    is_quiet = (
        sync.is_scheduled
        and reason in ("", before.reason if before else "")
        and not any(value for name, value in counts.items() if name not in ("calls", "to_confirm"))
    )
    with run.finish(result=_result_of(run, sync)):
        kept = [one for one in imports if any(map(one.applied_counts.get, TAKEN))]
        for imported in imports:
            # What a channel stopped at is looked at as an import.
            if imported not in kept and imported.state != ImportState.PREVIEWED:
                drop_pull(imported)
        import_id = kept[0].pk if kept else None
        StoreSync.objects.filter(pk=sync.pk).update(import_id=import_id)
        StoreSync.objects.filter(pk=sync.pk).update(
            state=SyncState.APPLIED,
            reason=reason,
            counts={**counts, "channels": channels.counts()},
            applied_at=clock(),
            is_quiet=is_quiet,
        )
        if sync.way == SyncWay.CYCLE and not channels.problem:
            StoreSchedule.objects.owned_by(run.owner).update(problem="")
        _log(run, sync, "")
        if is_quiet and before is not None and before.is_quiet:
            before.delete()


def _reason_of(run: JobRun, imports: Sequence[InventorySync], channels: Channels) -> str:
    """Return what could not be read or taken, and which channel ended its steps."""
    whys = [*run.state.get("left_out", []), *channels.silent.values(), *noted(run, "unread", "")]
    whys += noted(run, "not_put_up", "")
    for imported in imports:
        whys += [imported.told.get("unread"), imported.told.get("not_taken")]
    return " ".join(filter(None, whys))


def _log(run: JobRun, sync: StoreSync, message: str) -> None:
    """Write the sync into the log of its batch."""
    if sync.batch_id is None:
        return
    batch = Batch.objects.owned_by(run.owner).filter(pk=sync.batch_id).first()
    if batch is not None:
        applied = sync.rows.filter(state=SyncRowState.APPLIED).order_by("pk")
        record_operation(
            batch=batch,
            kind=OperationKind.SYNC,
            done=applied.count(),
            failed=run.failed,
            failed_count=run.failed_count,
            items=[
                {"id": pk, "name": name}
                for pk, name in applied.values_list("pk", "name")[:MAX_FAILED_KEPT]
            ],
            message=message,
            by=run.by,
        )


def _result_of(run: JobRun, sync: StoreSync) -> dict[str, Any]:
    if sync.way == SyncWay.CYCLE:
        return {"sync_id": sync.pk, **_counts_of(run, sync)}
    return {
        "sync_id": sync.pk,
        "batch_id": sync.batch_id,
        "item_count": sync.rows.filter(state=SyncRowState.APPLIED).count(),
        "failed_count": run.failed_count,
    }


def _step(run: JobRun, name: str) -> None:
    with run.chunk():
        run.state["step"] = name


def _stop(run: JobRun, sync: StoreSync, reason: str) -> None:
    """Stop a sync, and the schedule until a person resumes it. Raises JobFailed."""
    if sync.way == SyncWay.CYCLE:
        _wait_for_person(run.owner, reason)
    raise JobFailed(reason=reason)


def _wait_for_person(owner: User, reason: str) -> None:
    StoreSchedule.objects.owned_by(owner).update(problem=reason)


def _counts_of(run: JobRun, sync: StoreSync) -> dict[str, int]:
    """Return what a sync did; of one that was planned first, how its lots differed."""
    if sync.way == SyncWay.COMPARE:
        return dict(sync.counts)
    names = (
        "orders",
        "created",
        "changed",
        "zeroed",
        "uploaded",
        "conflicts",
        "sent",
        "removed",
        "put_up",
        "not_sent",
        "to_confirm",
        "calls",
    )
    return {name: sum(map(int, noted(run, name, 0))) for name in names}


def _last(sync: StoreSync) -> StoreSync | None:
    """Return the sync before this one."""
    found: StoreSync | None = (
        StoreSync.objects.owned_by(sync.owner)
        .filter(way=SyncWay.CYCLE, pk__lt=sync.pk)
        .order_by("-pk")
        .first()
    )
    return found


def _sync_of(run: JobRun, sync_id: int) -> StoreSync:
    sync: StoreSync | None = StoreSync.objects.owned_by(run.owner).filter(pk=sync_id).first()
    if sync is None:
        raise JobFailed(reason="The sync was deleted.")
    state = SyncState.PLANNING if run.job.kind == PLAN_KIND else SyncState.APPLYING
    if sync.state != state:
        try:
            with run.chunk():  # one that is tried again
                StoreSync.objects.filter(pk=sync.pk).update(state=state, reason="")
        except IntegrityError:
            raise JobFailed(reason=SyncRunning.message) from None
    return sync

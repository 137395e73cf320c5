"""Syncs stock and store in one job: orders first, then the store's changes, then ours.

In this order no piece is sold twice: sales are read before changes are sent.
"""

import datetime as dt
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.core.errors import DomainError, StateConflict
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.kept_file import file_left_behind
from apps.core.jobs.models import JobState
from apps.core.jobs.run import Clock, JobFailed, JobRun, TryLater
from apps.inventory.models import InventorySync, ReceivedLot
from apps.inventory.models import SyncState as ImportState
from apps.inventory.services.bsx_sync import SyncOptions, apply_within
from apps.inventory.services.conflicts import close_agreed
from apps.inventory.services.errors import ConfirmAnotherStore, ConfirmZeroed, CurrencyDiffers
from apps.inventory.services.store_pull import begin_pull, drop_pull, refuse_while_running
from apps.listings.models import StoreSchedule, StoreSync, StoreSyncRow, SyncState, SyncWay
from apps.listings.rules.cycle import is_due, too_many_removals
from apps.listings.services._last_reading import LastReading
from apps.listings.services._sending_changes import SendingChanges
from apps.listings.services.store_pull import NAME, pull
from apps.listings.services.store_sync import running_syncs
from apps.marketplace.models import CallDay, MarketplaceConnection
from apps.marketplace.providers.base import AnsweredAsBefore, SecretsRefused
from apps.marketplace.rules import limit_of
from apps.marketplace.services.calls import StoreCalls
from apps.marketplace.services.connections import (
    connection_of,
    ending_job,
    ensure_connection,
    open_store,
)

KIND: Final = "listings.sync_store"
DUE_KIND: Final = "listings.sync_due_stores"
#: How often the workers look whose store is due.
LOOK_EVERY: Final = dt.timedelta(minutes=5)
OTHER_LOTS: Final = (
    "{count} lots of the store are another item now than here, such as lot {lot_id}: pull the "
    "store and look at what that changes."
)
REMOVALS: Final = (
    "{count} of the {known} lots in the store would be removed, for they are not in stock here: "
    "type their number to go on."
)
FEWER: Final = "{zeroed:,} of {total:,} lots in stock are not in the store and would be set to 0."
LOOK_FIRST: Final = "{why} Look at the import first: Inventory, Imports."
#: What an import took over from the store.
TAKEN: Final = ("created", "changed", "zeroed", "uploaded")
#: A change is sent to a store that was read no longer ago; otherwise it is read again.
READ_AGAIN: Final = dt.timedelta(minutes=15)
AWAY: Final = "{why} The next sync tries again."


class PullFirst(StateConflict):
    """The store was never pulled, so changes since then cannot be determined."""

    message = "Pull the store once and look at what it brings: from then on it can be kept in step."


def schedule_of(owner: Any) -> StoreSchedule:
    """Return the owner's schedule, one that is off where there is none."""
    found: StoreSchedule | None = StoreSchedule.objects.owned_by(owner).first()
    return found or StoreSchedule(owner=owner)


def save_schedule(*, owner: User, minutes: int | None, conflicts: str | None) -> StoreSchedule:
    """Change the interval (which resumes a stopped schedule) and the rule for conflicts.

    None keeps a value.
    """
    schedule, _ = StoreSchedule.objects.get_or_create(owner=owner)
    if minutes is not None:
        schedule.minutes = minutes
        schedule.problem = ""
    if conflicts is not None:
        schedule.conflicts = conflicts
    schedule.save(update_fields=["minutes", "conflicts", "problem", "updated_at"])
    return schedule


def start_cycle(
    *,
    owner: User,
    now: dt.datetime,
    is_scheduled: bool = False,
    confirm_removals: int | None = None,
) -> StoreSync:
    """Start bringing stock and store in step.

    Raises NotConnected, PullFirst, SyncRunning, and the imports' SyncRunning.
    """
    ensure_connection(owner=owner, now=now)
    if not ReceivedLot.objects.owned_by(owner).exists():
        raise PullFirst
    refuse_while_running(owner)
    options = SyncOptions(
        conflicts=schedule_of(owner).conflicts, is_unattended=True, create_locations=False
    )
    with transaction.atomic():
        try:
            with transaction.atomic():
                sync = StoreSync.objects.create(
                    owner=owner,
                    way=SyncWay.CYCLE,
                    state=SyncState.APPLYING,
                    is_scheduled=is_scheduled,
                )
        except IntegrityError:
            raise running_syncs(owner) from None
        payload = {"sync_id": sync.pk, "confirm_removals": confirm_removals}
        job = start_job(owner=owner, kind=KIND, payload=payload)
        try:
            with transaction.atomic():
                imported = begin_pull(owner=owner, name=NAME, options=options, job=job)
        except IntegrityError:
            refuse_while_running(owner)
            raise
        sync.job_id, sync.import_id = job.pk, imported.pk
        sync.save(update_fields=["job_id", "import_id"])
    return sync


def start_due_cycles(*, now: dt.datetime) -> int:
    """Start the due syncs and return their number. Busy owners are retried at the next call."""
    begun = 0
    due = StoreSchedule.objects.filter(minutes__gt=0, problem="").select_related("owner")
    for schedule in due.order_by("pk"):
        owner = schedule.owner
        if not is_due(schedule.minutes, last=schedule.started_at, now=now):
            continue
        if not MarketplaceConnection.objects.owned_by(owner).exists() or _calls_are_spent(
            owner, now
        ):
            continue
        try:
            start_cycle(owner=owner, now=now, is_scheduled=True)
        except PullFirst as first:
            StoreSchedule.objects.filter(pk=schedule.pk).update(problem=first.text)
        except DomainError:
            continue  # an import or a sync runs, or too many jobs: at the next look
        else:
            StoreSchedule.objects.filter(pk=schedule.pk).update(started_at=now)
            begun += 1
    return begun


def run_cycle(
    *, run: JobRun, sync_id: int, clock: Clock, confirm_removals: int | None = None, **_: Any
) -> None:
    """Do one sync, from the step where an attempt before this stopped.

    Raises TryLater while the store is away, JobFailed (a store that is closed or looks like
    another one; for a scheduled sync also one that is away), JobCancelled.
    """
    sync = _sync_of(run, sync_id)
    imported = InventorySync.objects.owned_by(run.owner).filter(pk=sync.import_id or 0).first()
    connection = connection_of(owner=run.owner)
    calls = StoreCalls(run, clock)
    try:
        with (
            open_store(connection, spend=calls.spend) as store,
            ending_job(connection, clock),
        ):
            sending = SendingChanges(run, sync, store, connection, clock)
            if run.state.get("step", "settle") == "settle":
                sending.settle()
                _step(run, "pull")
            if run.state["step"] in ("pull", "apply"):
                if imported is None:
                    raise JobFailed(reason="The import of this sync was deleted: sync again.")
                _take_in(run, imported, clock, is_scheduled=sync.is_scheduled)
            if run.state["step"] == "plan":
                _plan(run, sync, sending, confirm_removals)
            sending.settle()
            if _is_old(run, clock):
                sending.leave_unsent()
            sending.send()
    except JobFailed as failed:
        if isinstance(failed.__cause__, SecretsRefused):
            _wait_for_person(run.owner, failed.text)
        raise
    except TryLater as away:
        if sync.is_scheduled:  # the next one begins soon, and blocks no import until then
            raise JobFailed(reason=AWAY.format(why=away)) from away
        raise
    _finish(run, sync, clock)
    if run.state.get("unsent"):
        # The store was away for long while changes were sent, so it is read again.
        with suppress(DomainError):
            start_cycle(owner=run.owner, now=clock(), confirm_removals=confirm_removals)


def cycle_stopped(*, run: JobRun, sync_id: int, reason: str, **_: Any) -> dict[str, Any]:
    """End the sync with its cancelled or failed job, and store the reason."""
    file_left_behind(run)
    sync = StoreSync.objects.owned_by(run.owner).filter(pk=sync_id).first()
    if sync is None:
        return {}
    was_cancelled = run.job.state == JobState.CANCELLED
    state = SyncState.CANCELLED if was_cancelled else SyncState.FAILED
    counts = _counts_of(run)
    before = _last(sync)
    is_quiet = (
        sync.is_scheduled
        and before is not None
        and before.reason == reason
        and not sync.rows.exists()
    )
    StoreSync.objects.filter(pk=sync.pk).update(
        state=state, reason=reason, counts=counts, is_quiet=is_quiet
    )
    imported = InventorySync.objects.filter(pk=sync.import_id or 0).first()
    if imported is not None and imported.state == ImportState.PREVIEWING:
        drop_pull(imported)
    if is_quiet and before is not None and before.is_quiet:
        before.delete()
    return {"sync_id": sync.pk, **counts}


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


def _take_in(run: JobRun, imported: InventorySync, clock: Clock, *, is_scheduled: bool) -> None:
    """Read orders and the store, and take over what changed there."""
    owner = run.owner
    if run.state["step"] == "pull":
        if imported.state != ImportState.PREVIEWED:
            last = LastReading(owner, now=clock())
            try:
                imported = pull(
                    run,
                    sync_id=imported.pk,
                    clock=clock,
                    ends_job=False,
                    with_orders=True,
                    needs_all_orders=is_scheduled,
                    last=last,
                )
            except AnsweredAsBefore:
                run.state["seen"] = last.seen
                _compare_next(run, clock)
                return
            told = imported.told
            if told["same"] == told["lots"] and not told["gone"]:
                run.state["seen"] = last.seen
        _step(run, "apply")
    others = imported.told.get("others", [])
    if others:
        _stop(run, OTHER_LOTS.format(count=len(others), lot_id=others[0]))
    try:
        if imported.state != ImportState.APPLIED:
            imported = apply_within(run, imported, now=clock())
    except (ConfirmAnotherStore, ConfirmZeroed, CurrencyDiffers) as question:
        _stop(run, LOOK_FIRST.format(why=_why_asked(imported, question)))
    with run.chunk():
        counts = imported.applied_counts
        for name in TAKEN:
            run.state[name] = counts.get(name, 0)
        run.state["conflicts"] = len(imported.told.get("conflicts", []))
        close_agreed(owner=owner, now=clock())
    _compare_next(run, clock)


def _compare_next(run: JobRun, clock: Clock) -> None:
    with run.chunk(message="Comparing with what the store has"):
        run.state["step"] = "plan"
        run.state["read_at"] = clock().isoformat()


def _is_old(run: JobRun, clock: Clock) -> bool:
    """Return whether so much time went by since the store was read that it may have changed."""
    read_at = run.state.get("read_at")
    return read_at is not None and clock() - dt.datetime.fromisoformat(read_at) > READ_AGAIN


def _plan(
    run: JobRun, sync: StoreSync, sending: SendingChanges, confirm_removals: int | None
) -> None:
    with run.chunk():
        StoreSyncRow.objects.filter(sync=sync).delete()
        removed = sending.plan()
        known = ReceivedLot.objects.owned_by(run.owner).filter(quantity__gt=0).count()
        run.state["to_confirm"] = 0
        if too_many_removals(removed, known) and confirm_removals != removed:
            run.state["to_confirm"] = removed
        run.state["step"] = "send"
        run.total = run.done + sync.rows.count()
    if run.state["to_confirm"]:
        _stop(run, REMOVALS.format(count=removed, known=known))


def _finish(run: JobRun, sync: StoreSync, clock: Clock) -> None:
    counts = _counts_of(run)
    imported = InventorySync.objects.filter(pk=sync.import_id or 0).first()
    before = _last(sync)
    told = {} if imported is None else imported.told
    whys = (run.state.get("unread"), told.get("unread"), told.get("not_taken"))
    reason = " ".join(filter(None, whys))
    is_quiet = (
        sync.is_scheduled
        and reason in ("", before.reason if before else "")
        and not any(value for name, value in counts.items() if name not in ("calls", "to_confirm"))
    )
    with run.finish(result={"sync_id": sync.pk, **counts}):
        if imported is not None and not any(map(imported.applied_counts.get, TAKEN)):
            drop_pull(imported)
            StoreSync.objects.filter(pk=sync.pk).update(import_id=None)
        StoreSync.objects.filter(pk=sync.pk).update(
            state=SyncState.APPLIED,
            reason=reason,
            counts=counts,
            seen=run.state.get("seen", ""),
            applied_at=clock(),
            is_quiet=is_quiet,
        )
        StoreSchedule.objects.owned_by(run.owner).update(problem="")
        if is_quiet and before is not None and before.is_quiet:
            before.delete()


def _step(run: JobRun, name: str) -> None:
    with run.chunk():
        run.state["step"] = name


def _stop(run: JobRun, reason: str) -> None:
    """Stop the schedule until a person resumes it. Raises JobFailed."""
    _wait_for_person(run.owner, reason)
    raise JobFailed(reason=reason)


def _wait_for_person(owner: Any, reason: str) -> None:
    StoreSchedule.objects.owned_by(owner).update(problem=reason)


def _counts_of(run: JobRun) -> dict[str, int]:
    names = (
        "orders",
        "created",
        "changed",
        "zeroed",
        "uploaded",
        "conflicts",
        "sent",
        "removed",
        "not_sent",
        "to_confirm",
        "calls",
    )
    return {name: int(run.state.get(name, 0)) for name in names}


def _last(sync: StoreSync) -> StoreSync | None:
    """Return the sync before this one."""
    found: StoreSync | None = (
        StoreSync.objects.owned_by(sync.owner)
        .filter(way=SyncWay.CYCLE, pk__lt=sync.pk)
        .order_by("-pk")
        .first()
    )
    return found


def _calls_are_spent(owner: Any, now: dt.datetime) -> bool:
    day = now.astimezone(dt.UTC).date()
    used = CallDay.objects.owned_by(owner).filter(day=day).values_list("total", flat=True).first()
    return (used or 0) >= limit_of("stock", daily=settings.MARKETPLACE_DAILY_CALLS)


def _sync_of(run: JobRun, sync_id: int) -> StoreSync:
    sync: StoreSync | None = StoreSync.objects.owned_by(run.owner).filter(pk=sync_id).first()
    if sync is None:
        raise JobFailed(reason="The sync was deleted.")
    if sync.state != SyncState.APPLYING:
        with run.chunk():  # one that is tried again
            StoreSync.objects.filter(pk=sync.pk).update(state=SyncState.APPLYING, reason="")
    return sync

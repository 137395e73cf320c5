"""Starts syncs of stock and store: planned for a look, applied after it, in one go, or by schedule."""

import datetime as dt
from collections.abc import Collection
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.batches.models import Batch
from apps.batches.services.batches import open_batch
from apps.core.concurrency import claim
from apps.core.errors import DomainError, StateConflict, ValueRefused
from apps.core.jobs.dispatch import start_job
from apps.inventory.services.store_pull import refuse_while_running
from apps.listings.models import (
    StoreSchedule,
    StoreSync,
    StoreSyncRow,
    SyncRowState,
    SyncState,
    SyncWay,
)
from apps.listings.rules.cycle import REMOVALS, is_due
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.rules import limit_of
from apps.marketplace.selectors import connections_of
from apps.marketplace.services.connections import ensure_connection

# The first two are stored in jobs under the names that they had in `batches`.
PLAN_KIND: Final = "batches.plan_store_sync"
APPLY_KIND: Final = "batches.apply_store_sync"
KIND: Final = "listings.sync_store"
DUE_KIND: Final = "listings.sync_due_stores"
#: How often the workers look whose store is due.
LOOK_EVERY: Final = dt.timedelta(minutes=5)
LEFT_OUT: Final = "Left out."


class SyncRunning(StateConflict):
    """Another sync is running; `data` holds it."""

    message = "The store is being synced already. Wait for it or cancel it first."


class SyncNotPlanned(StateConflict):
    message = "Only a sync that is planned can be applied; this one is {state}."


class StorePaused(StateConflict):
    message = "The store is paused: resume it in Settings, Integrations."


class PullFirst(StateConflict):
    """The store was never pulled, so changes since then cannot be determined."""

    message = "Pull the store once and look at what it brings: from then on it can be kept in step."


def schedule_of(owner: User) -> StoreSchedule:
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


def start_plan(*, owner: User, batch: Batch | None, now: dt.datetime) -> StoreSync:
    """Start a dry run: what a sync would do with the whole stock, or with what one batch stowed.

    Raises NotConnected, StorePaused, SyncRunning, the imports' SyncRunning, BatchIsArchived.
    """
    ensure_connection(owner=owner, now=now)
    _refuse_paused(owner)
    with transaction.atomic():
        if batch is not None:
            open_batch(batch)
        sync = _create(owner, batch_id=batch.pk if batch else None)
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

    Raises SyncNotPlanned, SyncRunning, the imports' SyncRunning, and Invalid where lots vanish
    here or there and `confirm_removals` is not their number.
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
        left.update(state=SyncRowState.SKIPPED, reason=LEFT_OUT)
        _start(sync, APPLY_KIND)
    return sync


def start_cycle(
    *,
    owner: User,
    now: dt.datetime,
    is_scheduled: bool = False,
    confirm_removals: int | None = None,
) -> StoreSync:
    """Start bringing stock and store in step.

    Raises NotConnected, StorePaused, PullFirst, SyncRunning, and the imports' SyncRunning.
    """
    ensure_connection(owner=owner, now=now)
    _refuse_paused(owner)
    if not any(each.channel.lots.exists() for each in connections_of(owner)):
        raise PullFirst
    with transaction.atomic():
        sync = _create(
            owner, way=SyncWay.CYCLE, state=SyncState.APPLYING, is_scheduled=is_scheduled
        )
        _start(sync, KIND, confirm_removals=confirm_removals)
    return sync


def start_due_cycles(*, now: dt.datetime) -> int:
    """Start the due syncs and return their number. Busy owners are retried at the next call."""
    begun = 0
    due = StoreSchedule.objects.filter(minutes__gt=0, problem="").select_related("owner")
    for schedule in due.order_by("pk"):
        owner = schedule.owner
        if not is_due(schedule.minutes, last=schedule.started_at, now=now):
            continue
        connections = [each for each in connections_of(owner) if not each.is_paused]
        if not connections or any(_calls_are_spent(each, now) for each in connections):
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


def _refuse_paused(owner: User) -> None:
    """Raise StorePaused where no store takes part in syncs."""
    if all(each.is_paused for each in connections_of(owner)):
        raise StorePaused


def running_syncs(owner: User) -> SyncRunning:
    """Return the refusal that names the sync at work."""
    busy = StoreSync.objects.owned_by(owner).filter(
        state__in=[SyncState.PLANNING, SyncState.APPLYING]
    )
    return SyncRunning(data=[{"id": one.pk, "job_id": one.job_id} for one in busy])


def _create(owner: User, **values: Any) -> StoreSync:
    try:
        with transaction.atomic():
            sync: StoreSync = StoreSync.objects.create(owner=owner, **values)
    except IntegrityError:
        raise running_syncs(owner) from None
    return sync


def _start(sync: StoreSync, kind: str, **payload: Any) -> None:
    refuse_while_running(sync.owner)
    about = {}
    if kind != KIND:
        payload["batch_id"] = sync.batch_id
        about = {"batch": [sync.batch_id]} if sync.batch_id else {}
    payload["sync_id"] = sync.pk
    job = start_job(owner=sync.owner, kind=kind, payload=payload, about=about or None)
    StoreSync.objects.filter(pk=sync.pk).update(job_id=job.pk)
    sync.job_id = job.pk


def _calls_are_spent(connection: MarketplaceConnection, now: dt.datetime) -> bool:
    today = connection.channel.call_days.filter(day=now.astimezone(dt.UTC).date())
    used = today.values_list("total", flat=True).first()
    return (used or 0) >= limit_of("stock", daily=settings.MARKETPLACE_DAILY_CALLS)

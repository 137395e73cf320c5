"""The state of syncs: the running one, and those whose job failed."""

import datetime as dt
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Count, DecimalField, Func, QuerySet, Sum
from django.db.models.sql.compiler import SQLCompiler

from apps.accounts.models import Preferences, User
from apps.core.concurrency import claim
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import FINAL_STATES, Job, JobState
from apps.inventory.models import (
    RUNNING_STATES,
    ChannelLot,
    InventoryItem,
    InventorySync,
    ReadFrom,
    SyncState,
    SyncTarget,
)
from apps.inventory.services.errors import CurrencyChanging, SyncNotReady, SyncRunning


class SyncKinds(NamedTuple):
    """The kinds of the jobs of an import. Those of a batch are of an app above this one."""

    preview: str
    apply: str
    undo: str


KINDS_OF: Final = {
    SyncTarget.STOCK: SyncKinds(
        "inventory.preview_sync", "inventory.sync_bsx", "inventory.undo_sync"
    ),
    SyncTarget.BATCH: SyncKinds(
        "batches.import_bsx", "batches.apply_import", "batches.undo_import"
    ),
}
DEFAULT_CURRENCY: Final = "USD"
CURRENCY_KIND: Final = "inventory.change_currency"
ENDED: Final = {JobState.CANCELLED: SyncState.CANCELLED, JobState.FAILED: SyncState.FAILED}


def state_of(sync: InventorySync) -> str:
    """Return the state of a sync. If it is running but its job has ended, that state counts."""
    if sync.state in RUNNING_STATES and sync.job is not None:
        return ENDED.get(JobState(sync.job.state), SyncState(sync.state))
    return sync.state


def settle(owner: User) -> None:
    """Write down that syncs of this owner whose jobs were cancelled or failed have stopped."""
    for sync in InventorySync.objects.owned_by(owner).filter(
        state__in=RUNNING_STATES, job__state__in=FINAL_STATES
    ):
        ended = state_of(InventorySync.objects.select_related("job").get(pk=sync.pk))
        claim(
            InventorySync.objects.filter(pk=sync.pk),
            where={"state": sync.state, "job": sync.job_id},
            set={"state": ended},
        )


def refuse_while_running(owner: User) -> None:
    """Raise SyncRunning, with the job in its data, while a sync of this owner acts.

    Raises CurrencyChanging while amounts are multiplied: half of them are in the former currency.
    """
    job = Job.objects.owned_by(owner).unfinished().filter(kind=CURRENCY_KIND).first()
    if job is not None:
        raise CurrencyChanging(data=[{"job_id": str(job.pk)}])
    settle(owner)
    running = (
        InventorySync.objects.owned_by(owner)
        .filter(state__in=RUNNING_STATES, target=SyncTarget.STOCK)
        .select_related("job")
        .first()
    )
    if running is not None:
        raise SyncRunning(state=running.state, data=[job_row(running)])


def job_row(sync: InventorySync) -> dict[str, Any]:
    """Return the running job as the interface follows it."""
    job: Job | None = sync.job
    row: dict[str, Any] = {
        "sync_id": sync.pk,
        "sync_state": sync.state,
        "file_name": sync.file_name,
    }
    if job is not None:
        row |= {
            "id": job.pk,
            "kind": job.kind,
            "state": job.state,
            "done": job.done,
            "total": job.total,
            "message": job.message,
        }
    return row


def begin(
    sync: InventorySync,
    *,
    from_states: tuple[str, ...],
    to: str,
    kind: str,
    payload: dict[str, Any],
    total: int | None,
    also: dict[str, Any] | None = None,
    by: User,
) -> InventorySync:
    """Bring the sync into a running state with a job of its own, or refuse.

    One runs per owner: a constraint of the database decides between two at once.
    """
    try:
        with transaction.atomic():
            job = start_job(
                owner=by, kind=kind, payload={"sync_id": sync.pk, **payload}, total=total
            )
            rows = InventorySync.objects.filter(pk=sync.pk)
            values = {"state": to, "job": job, "problem": "", **(also or {})}
            if not claim(rows, where={"state__in": from_states}, set=values):
                raise SyncNotReady(state=sync.state, expected=f"it cannot be {to} now")
    except IntegrityError:
        refuse_while_running(sync.owner)
        raise
    sync.refresh_from_db()
    return sync


def resume(sync_id: int, job: Job, state: str) -> InventorySync:
    """Return the sync for the handler of its job. A retried job claims the sync again.

    Raises SyncNotReady if the sync has moved to another state or job.
    """
    rows = InventorySync.objects.filter(pk=sync_id, job=job)
    stopped = [SyncState.CANCELLED, SyncState.FAILED]
    if state == SyncState.UNDOING:
        stopped.append(SyncState.APPLIED)  # of a batch, where nothing was undone
    taken = {"state__in": [state, *stopped]}
    try:
        with transaction.atomic():
            if not claim(rows, where=taken, set={"state": state, "problem": ""}):
                raise SyncNotReady(state="elsewhere", expected="its job has nothing left to do")
    except IntegrityError:
        raise SyncRunning(state="running", data=[]) from None
    return InventorySync.objects.select_related("owner", "job").get(pk=sync_id)


def stock_mark(owner: User) -> str:
    """Return a text that differs whenever the stock was changed."""
    rows = InventoryItem.objects.owned_by(owner)
    return f"{_written(rows)} {rows.aggregate(pieces=Sum('quantity'))['pieces'] or 0}"


def _written(rows: QuerySet[Any]) -> str:
    """Return the number of rows with the sum of the instants at which each was last written.

    Not the latest instant: all chunks of a job carry the one of its start, and a transaction can
    end after a later one.
    """
    found = rows.aggregate(rows=Count("pk"), written=Sum(_Microseconds("updated_at")))
    return f"{found['rows']} {found['written'] or 0}"


class _Microseconds(Func):
    """An instant as a whole number, exact on both databases."""

    arity = 1
    output_field = DecimalField(max_digits=30, decimal_places=0)
    template = "CAST(EXTRACT(EPOCH FROM %(expressions)s) * 1000000 AS numeric(30, 0))"

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Any:
        # A text, without a fraction where that is 0. Its sums have 63 bits: 11 days are enough to
        # tell two instants apart.
        template = (
            "(CAST(strftime('%%%%s', %(expressions)s) AS INTEGER) %%%% 1000000 * 1000000"
            " + CAST(substr(%(expressions)s || '.000000', 21, 6) AS INTEGER))"
        )
        return self.as_sql(compiler, connection, template=template, **context)


def currency_of(owner: User) -> str:
    """Return the currency of the owner's store."""
    kept = Preferences.objects.filter(user=owner).values_list("currency", flat=True).first()
    return kept or DEFAULT_CURRENCY


def mark_for(sync: InventorySync) -> str:
    """Return a mark of the data that must not change between preview and apply.

    For a pull it covers the lots last received by the store as well. Of a batch it is the currency
    that the amounts were taken in.
    """
    if sync.target == SyncTarget.BATCH:
        return currency_of(sync.owner)
    mark = stock_mark(sync.owner)
    if sync.read_from == ReadFrom.STORE:
        mark += f" {_written(ChannelLot.objects.owned_by(sync.owner))}"
    return mark


def read_at_of(sync: InventorySync) -> dt.datetime:
    """Return when the store was read."""
    told = sync.told.get("read_at")
    return dt.datetime.fromisoformat(told) if told else sync.created_at

"""Stow, remove and mark as listed: the operations on many items of a batch.

Up to 1,000 items are done within the request, more by a job. Each operation is written to the
batch's log, even if it is refused: a refusal is a result here and not an exception, since an
exception would roll back its log entry.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.rules.states import ItemState
from apps.batches.services._steps import mark, remove, stow
from apps.batches.services.acts import acts_named, keep_acts, rows_of
from apps.batches.services.batches import open_batch
from apps.batches.services.items import StockToo
from apps.batches.services.operations import (
    ItemResults,
    OperationResult,
    keep_named,
    named,
    record_operation,
)
from apps.batches.services.selection import Chosen, NotInBatch, chosen_rows, locked_rows
from apps.core.errors import NO_SUCH_ROW, StateConflict, UnknownReference
from apps.core.hooks import Hook
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobFailed, JobRun
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.acts import AT_ONCE, CHUNK
from apps.lots.services.bulk import NONE
from apps.marketplace.services.connections import ensure_connection

JOB_KINDS: Final = {
    OperationKind.STOW: "batches.stow_items",
    OperationKind.REMOVE: "batches.remove_items",
    OperationKind.MARK_LISTED: "batches.mark_listed",
}


class NotInState(StateConflict):
    message = "It is not {state} any more, or not in this batch."


class NothingToDo(StateConflict):
    message = "There is nothing in this batch to {verb}."


class OperationRunning(StateConflict):
    """The same operation works on the batch already; `data` holds its job."""

    message = "This is being done to the batch already. Wait for it or cancel it first."


@dataclass(frozen=True, kw_only=True, slots=True)
class StowOptions:
    """Where to: one location for all, else each item's planned one, else a recommended one."""

    location_id: int | None = None
    override_reason: str = ""
    # All or nothing; by default when one location is named for all.
    atomic: bool | None = None
    # List the items stowed in the same act; new lots go into this stockroom (None: their own).
    is_listed: bool = False
    list_stockroom: str | None = None
    # The job of stowing whose refused items are meant.
    refused_by: uuid.UUID | None = None

    @property
    def is_atomic(self) -> bool:
        return self.location_id is not None if self.atomic is None else self.atomic


@Hook
def list_stowed(
    *, batch: Batch, item_ids: Sequence[int], stockroom: str | None, now: dt.datetime
) -> list[Job]:
    """Queue the listing of these items, within the transaction that stowed them."""
    raise NotImplementedError("the app listings provides it")


def stow_items(
    *, batch: Batch, chosen: Chosen, options: StowOptions, by: User, now: dt.datetime
) -> OperationResult:
    """Stow the chosen items into their locations; "all" is every new item.

    Items that do not fit are refused with a reason and the others are stowed; with `is_atomic`,
    one refusal stops all. `is_listed` queues the listing of the stowed items. Raises
    BatchIsArchived, NothingToDo, UnknownReference, NotConnected, and the errors of listing.
    """
    if options.refused_by is not None:
        chosen = chosen.refused_by(_stow_job(batch, options.refused_by))
    if not options.is_listed:
        return _stow_items(batch, chosen, options, by, now)
    ensure_connection(owner=batch.owner, now=now)
    with transaction.atomic():
        operated = _stow_items(batch, chosen, options, by, now)
        if operated.results is None or not operated.results.done:
            return operated
        jobs = list_stowed(
            batch=batch,
            item_ids=operated.results.done,
            stockroom=options.list_stockroom,
            now=now,
        )
    return replace(operated, listing_job=jobs[0])


def _stow_job(batch: Batch, job_id: uuid.UUID) -> Job:
    stows = Job.objects.owned_by(batch.owner).filter(kind=JOB_KINDS[OperationKind.STOW])
    job = stows.about("batch", [batch.pk]).filter(pk=job_id).first()
    if job is None:
        raise UnknownReference(fields={"refused_by": [NO_SUCH_ROW]})
    return job


def _stow_items(
    batch: Batch, chosen: Chosen, options: StowOptions, by: User, now: dt.datetime
) -> OperationResult:
    return _operate(
        batch=batch,
        kind=OperationKind.STOW,
        chosen=chosen.or_all(ItemState.NEW),
        payload={
            "location_id": options.location_id,
            "override_reason": options.override_reason,
            "is_listed": options.is_listed,
            "list_stockroom": options.list_stockroom,
        },
        at_once={"is_atomic": options.is_atomic},
        by=by,
        now=now,
    )


def remove_items(
    *,
    batch: Batch,
    chosen: Chosen,
    stock: StockToo = StockToo.ASK,
    by: User,
    now: dt.datetime,
) -> OperationResult:
    """Remove stowed items from stock, which makes them new; delete new items. "all" is both.

    With `stock`, stowed items are deleted too, with or without their pieces. The act can be
    undone. Refuses listed items, and items whose pieces are no longer in stock. Raises
    BatchIsArchived, NothingToDo.
    """
    return _operate(
        batch=batch,
        kind=OperationKind.REMOVE,
        chosen=chosen,
        payload={"stock": stock.value},
        by=by,
        now=now,
    )


def mark_listed(
    *, batch: Batch, chosen: Chosen, listed: bool, by: User, now: dt.datetime
) -> OperationResult:
    """Record that stowed items are for sale (or, with `listed` False, no longer).

    No marketplace is called. Raises BatchIsArchived, NothingToDo.
    """
    return _operate(
        batch=batch,
        kind=OperationKind.MARK_LISTED,
        chosen=chosen.or_all(ItemState.STOWED if listed else ItemState.LISTED),
        payload={"listed": listed},
        by=by,
        now=now,
    )


def run_operation(
    *, run: JobRun, kind: OperationKind, batch_id: int, by: User, clock: Clock, **payload: Any
) -> None:
    """Do an operation on many items, 500 a transaction. Raises JobFailed, JobCancelled.

    Items that wait to be stowed have the pending flag until then. Those of *list with stow* are
    listed by a job that the last transaction queues.
    """
    batch = _batch_of(run, batch_id)
    rows = chosen_rows(batch, Chosen.read(payload))
    while True:
        after = run.state.get("after", 0)
        with run.chunk():
            ids = list(rows.filter(pk__gt=after).values_list("pk", flat=True)[:CHUNK])
            if not ids:
                break
            items = locked_rows(rows.filter(pk__in=ids))
            open_batch(batch)
            results = _STEPS[kind](batch, items, payload, by, clock())
            for failed in results.failed:
                run.fail_item(failed)
            act = _keep(batch, kind, results, by)
            if act is not None:
                run.state.setdefault("act_ids", []).append(act.pk)
            keep_named(run.state.setdefault("named", []), _done(results, items))
            run.state["after"] = ids[-1]
            run.state["items"] = run.state.get("items", 0) + len(results.done)
            run.done += len(items)
            run.message = f"{run.state['items']} done, {run.failed_count} failed"
    result = _result_of(run, batch)
    with run.finish(result=result):
        _record_run(run, batch, kind, by, "")
        if payload.get("is_listed"):
            result |= _start_listing(run, batch, payload.get("list_stockroom"), clock())


def _start_listing(
    run: JobRun, batch: Batch, stockroom: str | None, now: dt.datetime
) -> dict[str, Any]:
    acts = acts_named(batch.pk, run.state.get("act_ids", []))
    done = {row["id"] for act in acts for row in rows_of(act)}
    stowed = BatchItem.objects.filter(
        batch=batch, is_stowed=True, is_listed=False, stowed_at__gte=run.job.created_at
    )
    ids = [pk for pk in stowed.order_by("pk").values_list("pk", flat=True) if pk in done]
    jobs = list_stowed(batch=batch, item_ids=ids, stockroom=stockroom, now=now)
    return {"listing_job_id": str(jobs[0].pk) if jobs else None}


def operation_stopped(
    *, run: JobRun, kind: OperationKind, batch_id: int, reason: str
) -> dict[str, Any]:
    """Log an operation that was cancelled or failed, and release its remaining items.

    Runs in the transaction that ends its job, so that the log has one entry. Return the result of
    the job.
    """
    batch = _batch_of(run, batch_id)
    if kind is OperationKind.STOW:
        waiting = BatchItem.objects.filter(batch=batch, is_stowed_pending=True)
        waiting.update(is_stowed_pending=False)
    _record_run(run, batch, kind, run.owner, reason)
    return _result_of(run, batch)


def _operate(
    *,
    batch: Batch,
    kind: OperationKind,
    chosen: Chosen,
    payload: dict[str, Any],
    at_once: Mapping[str, Any] = NONE,
    by: User,
    now: dt.datetime,
) -> OperationResult:
    """Do an operation at once or start its job; a job does without what is for `at_once`."""
    with transaction.atomic():
        rows = chosen_rows(batch, chosen)
        if rows.order_by()[: AT_ONCE + 1].count() > AT_ONCE:
            return _start(batch, kind, chosen, rows, payload)
        items = locked_rows(rows)
        batch = open_batch(batch)
        if not items and not chosen.is_named:
            raise NothingToDo(verb=_VERBS[kind])
        results = _STEPS[kind](batch, items, {**payload, **at_once}, by, now)
        why = NotInBatch() if chosen.state is None else NotInState(state=chosen.state)
        for pk in chosen.missing(item.pk for item in items):
            results.refuse_id(pk, why)
        operation = record_operation(
            batch=batch,
            kind=kind,
            done=len(results.done),
            failed=results.failed,
            items=named(_done(results, items)),
            lists=bool(payload.get("listed")),
            by=by,
        )
        act = _keep(batch, kind, results, by)
    return OperationResult(operation=operation, results=results, act=act)


def _done(results: ItemResults, items: Sequence[BatchItem]) -> list[BatchItem]:
    done = set(results.done)
    return [item for item in items if item.pk in done]


def _keep(batch: Batch, kind: OperationKind, results: ItemResults, by: User) -> KeptAct | None:
    """Store the changes as an act, so that they can be undone."""
    if not results.images:
        return None
    (act,) = keep_acts(_ACTS[kind], {batch.pk: results.images}, owner=batch.owner, by=by)
    return act


def _start(
    batch: Batch,
    kind: OperationKind,
    chosen: Chosen,
    rows: QuerySet[Any],
    payload: dict[str, Any],
) -> OperationResult:
    """Start the job of an operation on more items than one request does."""
    batch = open_batch(batch)
    unfinished = Job.objects.owned_by(batch.owner).unfinished().filter(kind=JOB_KINDS[kind])
    running = unfinished.about("batch", [batch.pk]).first()
    if running is not None:
        raise OperationRunning(data=[{"job_id": running.pk}])
    total = rows.count()
    if kind is OperationKind.STOW:
        rows.order_by().filter(is_stowed=False).update(is_stowed_pending=True)
    job = start_job(
        owner=batch.owner,
        kind=JOB_KINDS[kind],
        about={"batch": [batch.pk]},
        payload={
            "batch_id": batch.pk,
            **chosen.payload(),
            **payload,
        },
        total=total,
    )
    return OperationResult(job=job)


def _result_of(run: JobRun, batch: Batch) -> dict[str, Any]:
    result = {
        "batch_id": batch.pk,
        "item_count": run.state.get("items", 0),
        "failed_count": run.failed_count,
    }
    if "act_ids" in run.state:
        result["act_ids"] = run.state["act_ids"]
    return result


def _record_run(run: JobRun, batch: Batch, kind: OperationKind, by: User, message: str) -> None:
    record_operation(
        batch=batch,
        kind=kind,
        done=run.state.get("items", 0),
        failed=run.failed,
        failed_count=run.failed_count,
        items=run.state.get("named", []),
        message=message,
        lists=bool(run.job.payload.get("listed")),
        by=by,
    )


def _stow(
    batch: Batch, items: Sequence[BatchItem], payload: Mapping[str, Any], by: User, now: dt.datetime
) -> ItemResults:
    return stow(
        batch=batch,
        items=items,
        location_id=payload["location_id"],
        override_reason=payload["override_reason"],
        is_atomic=payload.get("is_atomic", False),
        by=by,
        now=now,
    )


def _remove(
    batch: Batch, items: Sequence[BatchItem], payload: Mapping[str, Any], by: User, now: dt.datetime
) -> ItemResults:
    stock = StockToo(payload.get("stock", ""))
    return remove(batch=batch, items=items, stock=stock, by=by, now=now)


def _mark(
    batch: Batch, items: Sequence[BatchItem], payload: Mapping[str, Any], by: User, now: dt.datetime
) -> ItemResults:
    return mark(items=items, listed=payload["listed"], now=now)


_STEPS: Final = {
    OperationKind.STOW: _stow,
    OperationKind.REMOVE: _remove,
    OperationKind.MARK_LISTED: _mark,
}
_ACTS: Final = {
    OperationKind.STOW: ActKind.STOW,
    OperationKind.REMOVE: ActKind.REMOVE,
    OperationKind.MARK_LISTED: ActKind.MARK_LISTED,
}
_VERBS: Final = {
    OperationKind.STOW: "stow",
    OperationKind.REMOVE: "remove",
    OperationKind.MARK_LISTED: "mark",
}


def _batch_of(run: JobRun, batch_id: int) -> Batch:
    batch = Batch.objects.owned_by(run.owner).filter(pk=batch_id).first()
    if batch is None:
        raise JobFailed(reason="The batch was deleted.")
    return batch

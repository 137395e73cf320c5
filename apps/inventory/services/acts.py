"""Acts on several rows of stock: started, kept in chunks, and taken back."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from django.apps import apps
from django.db import transaction
from django.db.models import F

from apps.accounts.models import User
from apps.core.bulk import write_changes
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, StateConflict
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobFailed, JobRun
from apps.inventory.models import CauseKind
from apps.inventory.services._images import Images
from apps.inventory.services._restoring import restore_rows
from apps.inventory.services._stock import lock_stock
from apps.inventory.services.edits import Key, StockEdit, edit_rows
from apps.locations.models import Location
from apps.lots.models import ActChunk, ActKind, KeptAct
from apps.lots.services.acts import AT_ONCE, CHUNK, ActResult, Undo, changed_since, claim_undo
from apps.lots.services.images import Kept

UNDO_KIND: Final = "inventory.undo_act"
Row = TypeVar("Row")
Plan = TypeVar("Plan")
#: The id of a row of stock, or the table of another row and its id there.
RowId = int | tuple[str, int]
#: By row, why it stayed as it was.
Refusals = list[tuple[RowId, DomainError]]
#: What a transaction of an act did: how many rows, and why others stayed as they were.
Part = tuple[int, Iterable[tuple[RowId, DomainError]]]


class ActRunning(StateConflict):
    """The job of the act is still running; `data` holds that job."""

    message = "This is still being done. Wait for the end of it, or cancel it first."


def ids_of(row: RowId) -> dict[str, int | None]:
    """Return the id of a row of stock, or that of an item of a batch."""
    if isinstance(row, int):
        return {"id": row, "batch_item_id": None}
    return {"id": None, "batch_item_id": row[1]}


def begin_act(*, owner: User, kind: str, by: User, note: str = "") -> KeptAct:
    """Write the act that movements are to name as their cause."""
    return KeptAct.objects.create(owner=owner, kind=kind, by=by, note=note)


def do_act(
    act: KeptAct,
    *,
    job_kind: str,
    rows: int,
    payload: Mapping[str, Any],
    total: int | None = None,
    do: Callable[[KeptAct], Plan],
    is_kept_empty: bool = False,
) -> ActResult[Plan, KeptAct] | Job:
    """Do an act that was begun on up to 1,000 rows; on more, start its job.

    The job counts to `total`, where it does not count rows. An act that changed nothing is
    deleted, unless `is_kept_empty`. Runs in the caller's transaction.
    """
    if rows > AT_ONCE:
        return start_job(
            owner=act.owner,
            kind=job_kind,
            about={"act": [act.pk]},
            payload={"act_id": act.pk, **payload},
            total=rows if total is None else total,
        )
    plan = do(act)
    if act.row_count or is_kept_empty:
        return ActResult(plan, act)
    act.delete()
    return ActResult(plan)


def run_act(
    *,
    run: JobRun,
    act_id: int,
    rows: Sequence[Row],
    message: str,
    do: Callable[[KeptAct, Sequence[Row], dt.datetime], Part],
    clock: Clock,
    weigh: Callable[[Row], int] | None = None,
    is_kept_empty: bool = True,
) -> None:
    """Do an act on many rows, 500 a transaction with its own time. Raises JobCancelled.

    `weigh` counts the rows of one of `rows`, where they are groups. Unless `is_kept_empty`, an act
    that changed nothing is deleted.
    """
    act = KeptAct.objects.get(pk=act_id)

    def part(some: Sequence[Row]) -> int:
        hold_open(act)
        done, refused = do(act, some, clock())
        for row, why in refused:
            ids = {name: pk for name, pk in ids_of(row).items() if pk is not None}
            run.fail_item({**ids, "reason": why.text, "name": ""})
        return done

    count = run.in_chunks(rows, size=CHUNK, message=message, act=part, weigh=weigh)
    end_act(run, act, count, is_kept=is_kept_empty or act.chunks.exists())


def end_act(run: JobRun, act: KeptAct, count: int, *, is_kept: bool = True, **also: Any) -> None:
    """End the job of an act, or of its undo, with its result."""
    act_id = act.pk if is_kept else None
    result = {"act_id": act_id, "item_count": count, "failed_count": run.failed_count, **also}
    with run.finish(result=result):
        if not is_kept:
            act.delete()


def edit_in_act(
    *, act: KeptAct, edits: Mapping[Key, StockEdit], by: User, now: dt.datetime, fewer: str
) -> dict[Key, DomainError]:
    """Edit rows as a part of an act that can be undone; return why some cannot be.

    `fewer` is the ledger's reason for pieces that go. Call it once a part of the act's job.
    """
    images = Images()
    of_act = {key: replace(edit, cause_id=act.pk) for key, edit in edits.items()}
    refused = edit_rows(
        owner=act.owner,
        edits=of_act,
        by=by,
        now=now,
        cause_kind=CauseKind.ACT,
        fewer=fewer,
        images=images,
    )
    keep(act, images.kept())
    return refused


def keep(act: KeptAct, rows: Sequence[Kept], *, table: str = "") -> None:
    """Keep the rows that a part of an act changed. `table` (app.Model) is one other than stock."""
    if not rows:
        return
    number = act.chunks.count() if act.row_count else 0
    ActChunk.objects.create(act=act, number=number, table=table, rows=list(rows))
    KeptAct.objects.filter(pk=act.pk).update(row_count=F("row_count") + len(rows))
    act.row_count += len(rows)


def write_kept(act: KeptAct, table: str, rows: Sequence[Kept], *, now: dt.datetime) -> None:
    """Write changed rows of a table other than stock, which the caller has locked, and keep them."""
    write_changes(apps.get_model(table), ((row["id"], row["after"]) for row in rows), now=now)
    keep(act, rows, table=table)


def hold_open(act: KeptAct) -> None:
    """Lock an act at the start of each chunk of its job, so that an undo has to wait.

    Raises JobFailed if the act was undone before the job was retried.
    """
    for held in lock_in_order(KeptAct.objects.filter(pk=act.pk)):
        if held.undone_at is not None:
            raise JobFailed(reason="It was undone meanwhile, so the rest is not done.")


def undo_act(*, act: KeptAct, by: User, now: dt.datetime) -> KeptAct | Job:
    """Take an act back by reverse movements: at once up to 1,000 rows, by a job beyond.

    At once it is all or nothing: raises ActUndone, ActRunning, RowsChangedSince, LocationFull,
    LocationGone. The job leaves rows that changed since as they are, and reports them.
    """
    with transaction.atomic():
        claim_undo(act, now=now)
        # The claim waits for a part of the act's job and keeps the next one from beginning.
        unfinished = Job.objects.owned_by(act.owner).unfinished().exclude(kind=UNDO_KIND)
        job = unfinished.about("act", [act.pk]).first()
        if job is not None:
            raise ActRunning(data=[{"job_id": str(job.pk)}])
        # A decision about a number is undone with its act.
        act.choices.all().delete()
        act.words.all().delete()
        if act.row_count > AT_ONCE:
            return _start_undo(act)
        _UndoAct(act, by, lambda: now).at_once()
    return act


def undo_cancelled(*, act: KeptAct, now: dt.datetime) -> None:
    """Undo the done part of a cancelled job's act, by a job: half an act is no use."""
    with transaction.atomic():
        claim_undo(act, now=now)
        _start_undo(act)


def _start_undo(act: KeptAct) -> Job:
    return start_job(
        owner=act.owner, kind=UNDO_KIND, payload={"act_id": act.pk}, total=act.row_count
    )


def run_undo(*, run: JobRun, act_id: int, by: User, clock: Clock) -> None:
    """Take an act back chunk by chunk, the last one first. Raises JobCancelled."""
    act = KeptAct.objects.get(pk=act_id)
    _UndoAct(act, by, clock).run(run)
    end_act(run, act, run.state.get("rows", 0))


_Locked = tuple[Mapping[int, Any], Mapping[int, Location]]


class _UndoAct(Undo[ActChunk, _Locked]):
    """Takes rows of stock back by reverse movements, within the limits of locations."""

    def __init__(self, act: KeptAct, by: User, clock: Clock) -> None:
        self.act = act
        self.by = by
        self.clock = clock

    def at_once(self) -> None:
        # The rows of several tables are locked in the act's order, which all writers keep.
        others = ActChunk.objects.filter(act=self.act, undone_at=None).exclude(table="")
        for chunk in others.order_by("number"):
            self.lock(chunk)
        super().at_once()

    def chunks(self) -> Iterator[ActChunk]:
        waiting = ActChunk.objects.filter(act=self.act, undone_at=None).order_by("-number")
        for pk in list(waiting.values_list("pk", flat=True)):
            yield ActChunk.objects.get(pk=pk)

    def ids(self, chunk: ActChunk) -> Collection[int]:
        return [row["id"] for row in chunk.rows]

    def nouns(self, chunk: ActChunk) -> tuple[str, str]:
        is_of_amounts = self.act.kind == ActKind.CURRENCY
        return ("amount", "amounts") if is_of_amounts else super().nouns(chunk)

    def lock(self, chunk: ActChunk) -> _Locked:
        if chunk.table:
            rows = apps.get_model(chunk.table)._base_manager.filter(pk__in=self.ids(chunk))
            return {row.pk: row for row in lock_in_order(rows)}, {}
        # Acts that move nothing, such as a re-pricing, store no location.
        places = {row["before"].get("location_id") for row in chunk.rows if row["before"]}
        return lock_stock(
            owner=self.act.owner,
            item_ids=self.ids(chunk),
            location_ids=places,
            with_deleted=True,
        )

    def changed(self, chunk: ActChunk, locked: _Locked) -> list[int]:
        return changed_since(chunk.rows, locked[0])

    def restore(self, chunk: ActChunk, locked: _Locked, left: Collection[int]) -> None:
        stay = set(left)
        images = {row["id"]: row["before"] for row in chunk.rows if row["id"] not in stay}
        if chunk.table:
            write_changes(apps.get_model(chunk.table), images.items(), now=self.clock())
            return
        restore_rows(
            owner=self.act.owner,
            items=locked[0],
            locations=locked[1],
            images=images,
            cause=(CauseKind.ACT, self.act.pk),
            by=self.by,
            now=self.clock(),
            strict=True,
        )

    def end(self, chunk: ActChunk) -> None:
        ActChunk.objects.filter(pk=chunk.pk).update(undone_at=self.clock())

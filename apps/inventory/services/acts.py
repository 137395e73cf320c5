"""Acts on several rows: start an act, list its changes, undo it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from django.db import transaction
from django.db.models import F

from apps.accounts.models import User
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobFailed, JobRun
from apps.inventory.models import ActChunk, CauseKind, StockAct
from apps.inventory.services._amounts import put_amounts_back
from apps.inventory.services._images import Images, image_of, keep
from apps.inventory.services._put_back import put_back
from apps.inventory.services._stock import lock_stock
from apps.inventory.services.edits import Key, StockEdit, edit_rows
from apps.lots.services.acts import changed_since, claim_undo, refuse_changed

UNDO_KIND: Final = "inventory.undo_act"
AT_ONCE: Final = 1_000


class ActRunning(DomainError):
    """The job of the act is still running; `data` holds that job."""

    code = ErrorCode.CONFLICT
    message = "This is still being done. Wait for the end of it, or cancel it first."


def begin_act(*, owner: User, kind: str, by: User, note: str = "") -> StockAct:
    """Write the act that movements are to name as their cause."""
    return StockAct.objects.create(owner=owner, kind=kind, by=by, note=note)


def edit_in_act(
    *, act: StockAct, edits: Mapping[Key, StockEdit], by: User, now: dt.datetime, fewer: str
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
    count_rows(act=act, rows=keep(act, act.chunks.count(), images))
    return refused


def count_rows(*, act: StockAct, rows: int) -> None:
    """Add to the number of rows that an act changed."""
    StockAct.objects.filter(pk=act.pk).update(row_count=F("row_count") + rows)
    act.row_count += rows


def hold_open(act: StockAct) -> None:
    """Lock an act at the start of each chunk of its job, so that an undo has to wait.

    Raises JobFailed if the act was undone before the job was retried.
    """
    for held in lock_in_order(StockAct.objects.filter(pk=act.pk)):
        if held.undone_at is not None:
            raise JobFailed(reason="It was undone meanwhile, so the rest is not done.")


def undo_act(*, act: StockAct, by: User, now: dt.datetime) -> StockAct | Job:
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
        if act.row_count > AT_ONCE:
            return _start_undo(act)
        chunks = list(ActChunk.objects.filter(act=act).order_by("-number"))
        for chunk in chunks:
            changed = _undo_rows(act, chunk, by, now, leave_changed=False)
            assert not changed
        ActChunk.objects.filter(act=act).update(undone_at=now)
    return act


def undo_cancelled(*, act: StockAct, now: dt.datetime) -> None:
    """Undo the done part of a cancelled job's act, by a job: half an act is no use."""
    with transaction.atomic():
        claim_undo(act, now=now)
        _start_undo(act)


def _start_undo(act: StockAct) -> Job:
    return start_job(
        owner=act.owner, kind=UNDO_KIND, payload={"act_id": act.pk}, total=act.row_count
    )


def run_undo(*, run: JobRun, act_id: int, by: User, now: dt.datetime) -> None:
    """Take an act back chunk by chunk, the last one first. Raises JobCancelled."""
    act = StockAct.objects.get(pk=act_id)
    left = ActChunk.objects.filter(act=act, undone_at=None).order_by("-number")
    for pk in list(left.values_list("pk", flat=True)):
        chunk = ActChunk.objects.get(pk=pk)
        with run.chunk(done=run.done + len(chunk.rows), message="Taking it back"):
            try:
                with transaction.atomic():
                    skipped = _undo_rows(act, chunk, by, now, leave_changed=True)
            except DomainError as refusal:
                skipped = [row["id"] for row in chunk.rows]
                reason = refusal.text
            else:
                reason = "It was changed since."
            for item_id in skipped:
                run.fail_item({"id": item_id, "reason": reason, "name": ""})
            run.state["rows"] = run.state.get("rows", 0) + len(chunk.rows) - len(skipped)
            ActChunk.objects.filter(pk=pk).update(undone_at=now)
    result = {
        "act_id": act.pk,
        "item_count": run.state.get("rows", 0),
        "failed_count": run.failed_count,
    }
    with run.finish(result=result):
        pass


def _undo_rows(
    act: StockAct,
    chunk: ActChunk,
    by: User,
    now: dt.datetime,
    *,
    leave_changed: bool,
) -> list[int]:
    """Restore rows. Return the ids of rows that were skipped because they changed after the act."""
    rows = chunk.rows
    if chunk.table:
        return put_amounts_back(chunk.table, rows, now=now, leave_changed=leave_changed)
    # Acts that move nothing, such as a re-pricing, store no location.
    places = {row["before"].get("location_id") for row in rows if row["before"]}
    items, locations = lock_stock(
        owner=act.owner,
        item_ids=[row["id"] for row in rows],
        location_ids=places,
        with_deleted=True,
    )
    changed = changed_since(rows, items, image_of)
    if not leave_changed:
        refuse_changed(changed, one="row", many="rows")
    left = set(changed)
    put_back(
        items=items,
        locations=locations,
        images={row["id"]: row["before"] for row in rows if row["id"] not in left},
        cause=(CauseKind.ACT, act.pk),
        by=by,
        now=now,
        strict=True,
    )
    return changed

"""Acts on several rows: begin one, list what it did, take it back."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import claim, lock_in_order
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobFailed, JobRun
from apps.inventory.models import ActChunk, CauseKind, InventoryItem, Movement, Reason, StockAct
from apps.inventory.services._images import IMAGE_COLUMNS, image_of
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import Loads, lock_stock
from apps.inventory.services.errors import ItemGone
from apps.locations.models import Location
from apps.locations.services import rooms
from apps.locations.services.errors import LocationGone

UNDO_KIND: Final = "inventory.undo_act"
AT_ONCE: Final = 1_000
MOST_SHOWN: Final = 500


class ActUndone(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "This was undone already."


class ActRunning(DomainError):
    """Its own job still does it; `data` holds that job."""

    code = ErrorCode.CONFLICT
    status = 409
    message = "This is still being done. Wait for the end of it, or cancel it first."


class RowsChangedSinceAct(DomainError):
    """Rows were changed after the act; `data` lists the first of them."""

    code = ErrorCode.CONFLICT
    status = 409
    message = "{count} {noun} changed since, so nothing was undone."


def begin_act(*, owner: Any, kind: str, by: Any, note: str = "") -> StockAct:
    """Write the act that movements are to name as their cause. 1 query."""
    return StockAct.objects.create(owner=owner, kind=kind, by=by, note=note)


def count_rows(*, act: StockAct, rows: int) -> None:
    """Add to the number of rows that an act changed. 1 query."""
    StockAct.objects.filter(pk=act.pk).update(row_count=F("row_count") + rows)
    act.row_count += rows


def hold_open(act: StockAct) -> None:
    """Lock an act at the start of each part of its job: nobody undoes it meanwhile. 1 query.

    Raises JobFailed for a job that was tried again after the act was undone.
    """
    for held in lock_in_order(StockAct.objects.filter(pk=act.pk)):
        if held.undone_at is not None:
            raise JobFailed(reason="It was undone meanwhile, so the rest is not done.")


def undo_act(*, act: StockAct, by: Any, now: dt.datetime) -> StockAct | Job:
    """Take an act back by reverse movements: at once up to 1,000 rows, by a job beyond.

    At once it is all or nothing: raises ActUndone, ActRunning, RowsChangedSinceAct,
    LocationFull, LocationGone. The job leaves rows that changed since as they are, and reports them.
    12 queries.
    """
    with transaction.atomic():
        open_acts = StockAct.objects.filter(pk=act.pk)
        if not claim(open_acts, where={"undone_at": None}, set={"undone_at": now}):
            raise ActUndone
        # The claim waits for a part of the act's job and keeps the next one from beginning.
        unfinished = Job.objects.owned_by(act.owner).unfinished().exclude(kind=UNDO_KIND)
        job = unfinished.about("act", [act.pk]).first()
        if job is not None:
            raise ActRunning(data=[{"job_id": str(job.pk)}])
        act.undone_at = now
        if act.row_count > AT_ONCE:
            return start_job(
                owner=act.owner, kind=UNDO_KIND, payload={"act_id": act.pk}, total=act.row_count
            )
        chunks = list(ActChunk.objects.filter(act=act).order_by("-number"))
        for chunk in chunks:
            changed = _undo_rows(act, chunk.rows, by, now, leave_changed=False)
            assert not changed
        ActChunk.objects.filter(act=act).update(undone_at=now)
    return act


def run_undo(*, run: JobRun, act_id: int, by: Any, now: dt.datetime) -> None:
    """Take an act back chunk by chunk, the last one first. Raises JobCancelled."""
    act = StockAct.objects.get(pk=act_id)
    left = ActChunk.objects.filter(act=act, undone_at=None).order_by("-number")
    for pk in list(left.values_list("pk", flat=True)):
        chunk = ActChunk.objects.get(pk=pk)
        with run.chunk(done=run.done + len(chunk.rows), message="Taking it back"):
            try:
                with transaction.atomic():
                    skipped = _undo_rows(act, chunk.rows, by, now, leave_changed=True)
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
    act: StockAct, rows: Sequence[dict[str, Any]], by: Any, now: dt.datetime, *, leave_changed: bool
) -> list[int]:
    """Put rows back; return those that were left because somebody changed them since."""
    # What carried nothing, such as a re-pricing, keeps no location.
    places = {row["before"].get("location_id") for row in rows if row["before"]}
    items, locations = lock_stock(
        owner=act.owner,
        item_ids=[row["id"] for row in rows],
        location_ids=places,
        with_deleted=True,
    )
    changed = [row["id"] for row in rows if not _is_as_left(items.get(row["id"]), row["after"])]
    if changed and not leave_changed:
        noun = "row was" if len(changed) == 1 else "rows were"
        raise RowsChangedSinceAct(
            count=len(changed), noun=noun, data=[{"id": pk} for pk in changed[:MOST_SHOWN]]
        )
    left = set(changed)
    restored = [row for row in rows if row["id"] not in left]
    loads, writes = Loads(), list[tuple[Any, ...]]()
    for row in restored:
        writes.append(_put_back(items, locations, row, loads, now))
    update_rows(InventoryItem, (*IMAGE_COLUMNS, "updated_at"), writes)
    record(
        _reversed(act, [row["id"] for row in restored]), Why(by, now, Reason.UNDO, CauseKind.ACT)
    )
    rooms.change_rooms(loads=loads.leaving())
    if coming := loads.coming():
        rooms.take_rooms(loads=coming)
    return changed


def _is_as_left(row: InventoryItem | None, after: dict[str, Any]) -> bool:
    if row is None:
        return False
    now = image_of(row)
    return all(now[name] == value for name, value in after.items())


def _put_back(
    items: dict[int, InventoryItem],
    locations: dict[int, Location],
    row: dict[str, Any],
    loads: Loads,
    now: dt.datetime,
) -> tuple[Any, ...]:
    """Count the row from where it is to where it was; return what is written."""
    item = items.get(row["id"])
    if item is None:
        raise ItemGone
    image = image_of(item)
    loads.add(item.location_id, -item.quantity, item.piece_grams)
    if row["before"] is None:
        # What the act made is gone again; its ledger stays behind it.
        image |= {"quantity": 0, "deleted_at": instant_text(now)}
    else:
        image |= row["before"]
        place = image["location_id"]
        if place is not None and place not in locations:
            raise LocationGone
        grams = item.piece_grams
        if "piece_grams" in row["before"]:
            text = row["before"]["piece_grams"]
            grams = None if text is None else Decimal(text)
        loads.add(place, image["quantity"], grams)
    return (item.pk, *(image[name] for name in IMAGE_COLUMNS), instant_text(now))


def _reversed(act: StockAct, item_ids: Sequence[int]) -> list[Entry]:
    """Return the reverse of each movement that the act booked on these rows. 1 query."""
    booked = Movement.objects.filter(
        cause_kind=CauseKind.ACT, cause_id=act.pk, item_id__in=item_ids
    ).exclude(reason=Reason.UNDO)
    return [
        Entry(
            movement.item_id,
            -movement.delta,
            movement.to_location_id,
            movement.from_location_id,
            act.pk,
            movement.pk,
        )
        for movement in booked.order_by("-pk")
    ]

"""Many items added, edited and deleted in one request."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db import transaction

from apps.batches.models import (
    ActKind,
    Batch,
    BatchAct,
    BatchItem,
    BatchOperation,
    OperationKind,
    Outcome,
)
from apps.batches.services._deleted import bring_back, keep_deleted
from apps.batches.services._references import Changes, References
from apps.batches.services._stock import Carried, carry_many, hold_stock_of, take_back
from apps.batches.services._writing import change_image, write_items
from apps.batches.services.batches import BatchIsArchived, in_open_listings
from apps.batches.services.items import (
    PLAIN,
    StockToo,
    changed_columns,
    check_deletable,
    columns_of_draft,
    completed,
)
from apps.batches.services.operations import MAX_FAILED_KEPT
from apps.core.concurrency import lock_ids_in_order, lock_in_order
from apps.core.errors import Conflict, DomainError, Invalid, NotFound
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.core.many import Done, SomeRefused

EDIT_KIND: Final = "batches.edit_items"
AT_ONCE: Final = 1_000
MOST: Final = 100_000
CHUNK: Final = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """Changes of one item; refused when it changed since `seen_at`."""

    item_id: int
    changes: Changes
    seen_at: dt.datetime | None = None
    override_reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Removal:
    """One item to delete, and what becomes of its stock."""

    item_id: int
    stock: StockToo = StockToo.ASK


@transaction.atomic
def change_items(
    *,
    owner: Any,
    create: Mapping[int, Changes],
    update: Mapping[int, Edit],
    delete: Mapping[int, Removal],
    restore: Mapping[int, int] | None = None,
    refused: Mapping[tuple[str, int], DomainError],
    atomic: bool,
    by: Any,
    now: dt.datetime,
    acts: list[BatchAct] | None = None,
) -> Done:
    """Do what the rows of a request say; keys are their places in it.

    `refused` are rows that could not even be read; `restore` has the ids of deleted items,
    which come back with all that they had. Given `acts`, the edits of each batch become an act
    in it. With `atomic` any refusal raises
    SomeRefused and nothing is changed. At most 12 statements for edits alone, of stowed
    items too as long as they share no stock rows with others.
    """
    done = Done(refused=dict(refused))
    wanted = {one.item_id for one in update.values()} | {one.item_id for one in delete.values()}
    items = {item.pk: item for item in _locked(owner, wanted)}
    drafts = _drafts(owner, create, done, now)
    closed = _closed((*items.values(), *drafts.values()))
    _hold_stock(owner, items, update, delete)
    _create(drafts, closed, done)
    _update(owner, items, closed, update, done, by, now, acts)
    _delete(owner, items, closed, delete, done, by, now)
    if restore:
        _restore(owner, restore, done, now)
    if atomic and done.refused:
        total = len(create) + len(update) + len(delete) + len(restore or ()) + len(refused)
        raise SomeRefused(done.refused, total)
    return done


def edit_alike(
    *,
    owner: Any,
    item_ids: Sequence[int],
    changes: Changes,
    override_reason: str = "",
    atomic: bool,
    by: Any,
    now: dt.datetime,
) -> Done | Job:
    """Make the same changes to many items: at once up to 1,000, by a job beyond that.

    The job does what it can, 500 items a transaction, and reports the rest; its result names
    the acts that undo it, the oldest first. Raises Invalid, SomeRefused.
    """
    if not 1 <= len(item_ids) <= MOST:
        raise Invalid(fields={"non_field_errors": [f"1 to {MOST} items, not {len(item_ids)}"]})
    if len(item_ids) <= AT_ONCE:
        return change_items(
            owner=owner,
            create={},
            update=_alike(item_ids, changes, override_reason),
            delete={},
            refused={},
            atomic=atomic,
            by=by,
            now=now,
        )
    mine = BatchItem.objects.owned_by(owner).filter(pk__in=item_ids)
    with transaction.atomic():
        batch_ids = sorted(mine.order_by().values_list("batch_id", flat=True).distinct())
        return start_job(
            owner=owner,
            kind=EDIT_KIND,
            about={"batch": batch_ids},
            payload={
                "batch_ids": batch_ids,
                "item_ids": list(item_ids),
                "changes": {
                    name: str(value) if isinstance(value, Decimal) else value
                    for name, value in changes.items()
                },
                "override_reason": override_reason,
            },
            total=len(item_ids),
        )


def run_edit(
    *,
    run: JobRun,
    item_ids: Sequence[int],
    changes: Changes,
    override_reason: str,
    batch_ids: Sequence[int],
    by: Any,
    now: dt.datetime,
) -> None:
    """Edit many items alike, 500 a transaction. Raises JobCancelled."""
    typed = {
        name: BatchItem._meta.get_field(name).to_python(value)  # type: ignore[union-attr]
        if name in PLAIN
        else value
        for name, value in changes.items()
    }

    def edit(some: Sequence[int]) -> int:
        acts: list[BatchAct] = []
        done = change_items(
            owner=run.owner,
            create={},
            update=_alike(some, typed, override_reason),
            delete={},
            refused={},
            atomic=False,
            by=by,
            now=now,
            acts=acts,
        )
        kept = run.state.setdefault("acts", [])
        kept += [{"batch_id": act.batch_id, "act_id": act.pk} for act in acts]
        for (_, index), why in done.refused.items():
            run.fail_item({"id": some[index], "reason": why.text, "name": ""})
        return len(done.updated)

    edited = run.in_chunks(item_ids, size=CHUNK, message="Editing", act=edit)
    result = {
        "batch_ids": list(batch_ids),
        "acts": run.state.get("acts", []),
        "item_count": edited,
        "failed_count": run.failed_count,
    }
    with run.finish(result=result):
        pass


def _alike(item_ids: Sequence[int], changes: Changes, reason: str) -> dict[int, Edit]:
    return {
        index: Edit(item_id=pk, changes=changes, override_reason=reason)
        for index, pk in enumerate(item_ids)
    }


def _hold_stock(
    owner: Any,
    items: Mapping[int, BatchItem],
    update: Mapping[int, Edit],
    delete: Mapping[int, Removal],
) -> None:
    """Lock all stock that edits and deletions are about at once, where both touch some.

    What locks one part after the other could wait in a circle with somebody who does too.
    """
    edited = [items[one.item_id] for one in update.values() if one.item_id in items]
    out = [
        items[one.item_id]
        for one in delete.values()
        if one.item_id in items and one.stock is StockToo.OUT
    ]
    if any(item.is_stowed for item in edited) and any(item.is_stowed for item in out):
        places = [edit.changes.get("location_id") for edit in update.values()]
        hold_stock_of(owner=owner, items=[*edited, *out], location_ids=places)


def _drafts(
    owner: Any, drafts: Mapping[int, Changes], done: Done, now: dt.datetime
) -> dict[int, BatchItem]:
    """Return the items that the drafts describe; refuse those that describe none."""
    if not drafts:
        return {}
    references = References(owner=owner, rows=list(drafts.values()), now=now)
    made: dict[int, BatchItem] = {}
    for index, draft in drafts.items():
        try:
            columns = columns_of_draft(draft, references)
            made[index] = BatchItem(owner=owner, batch_id=draft["batch_id"], **columns)
        except DomainError as refusal:
            done.refused["create", index] = refusal
    return made


def _create(made: dict[int, BatchItem], closed: Mapping[int, DomainError], done: Done) -> None:
    for index in [index for index, item in made.items() if item.batch_id in closed]:
        done.refused["create", index] = closed[made.pop(index).batch_id]
    if made:
        BatchItem.objects.bulk_create(made.values(), batch_size=500)
    done.created = {index: item.pk for index, item in made.items()}


def _update(
    owner: Any,
    items: Mapping[int, BatchItem],
    closed: Mapping[int, DomainError],
    edits: Mapping[int, Edit],
    done: Done,
    by: Any,
    now: dt.datetime,
    acts: list[BatchAct] | None,
) -> None:
    if not edits:
        return
    wanted = {
        index: completed(items[edit.item_id], edit.changes)
        for index, edit in edits.items()
        if edit.item_id in items
    }
    references = References(owner=owner, rows=list(wanted.values()), now=now)
    written: dict[int, tuple[BatchItem, dict[str, Any]]] = {}
    seen: set[int] = set()
    for index, edit in edits.items():
        try:
            item = _there(items, edit.item_id, seen)
            if item.batch_id in closed:
                raise closed[item.batch_id]
            if edit.seen_at is not None and item.updated_at != edit.seen_at:
                raise Conflict(row_id=item.pk)
            changed = changed_columns(item, wanted[index], references)
            written[index] = (item, changed)
        except DomainError as refusal:
            done.refused["update", index] = refusal
    _carry(owner, edits, written, done, by, now)
    if acts is not None:
        acts += _kept(owner, written.values(), by)
    write_items(written.values(), now)
    done.updated = {index: item.pk for index, (item, _) in written.items()}


def _kept(
    owner: Any, written: Iterable[tuple[BatchItem, dict[str, Any]]], by: Any
) -> list[BatchAct]:
    """Keep what edits change, an act for each batch. 1 query."""
    images: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for item, changed in written:
        if changed:
            images[item.batch_id].append(change_image(item, changed))
    return BatchAct.objects.bulk_create(
        BatchAct(
            owner=owner,
            batch_id=batch_id,
            kind=ActKind.EDIT,
            note=f"{len(rows):,} {'item' if len(rows) == 1 else 'items'} changed",
            item_count=len(rows),
            rows=rows,
            by=by,
        )
        for batch_id, rows in images.items()
    )


def _carry(
    owner: Any,
    edits: Mapping[int, Edit],
    written: dict[int, tuple[BatchItem, dict[str, Any]]],
    done: Done,
    by: Any,
    now: dt.datetime,
) -> None:
    """Let stock follow the stowed ones among `written`; those it cannot follow leave it."""
    stowed = {
        index: Carried(item=item, changed=changed, override_reason=edits[index].override_reason)
        for index, (item, changed) in written.items()
        if changed and item.is_stowed
    }
    if not stowed:
        return
    result = carry_many(owner=owner, carried=stowed, by=by, now=now)
    for index, why in result.refused.items():
        done.refused["update", index] = why
        del written[index]
    for index, columns in result.columns.items():
        if index in written:
            item, changed = written[index]
            written[index] = (item, {**changed, **columns})


def _delete(
    owner: Any,
    items: Mapping[int, BatchItem],
    closed: Mapping[int, DomainError],
    removals: Mapping[int, Removal],
    done: Done,
    by: Any,
    now: dt.datetime,
) -> None:
    if not removals:
        return
    open_listings = in_open_listings(
        BatchItem.objects.filter(pk__in=[one.item_id for one in removals.values()])
    )
    gone: dict[int, BatchItem] = {}
    out: dict[int, BatchItem] = {}
    seen: set[int] = set()
    for index, removal in removals.items():
        try:
            item = _there(items, removal.item_id, seen)
            if item.batch_id in closed:
                raise closed[item.batch_id]
            check_deletable(item, removal.stock, may_be_listed=item.pk in open_listings)
            gone[index] = item
            if item.is_stowed and removal.stock is StockToo.OUT:
                out[index] = item
        except DomainError as refusal:
            done.refused["delete", index] = refusal
    for index, why in take_back(owner=owner, items=out, by=by, now=now).items():
        done.refused["delete", index] = why
        del gone[index]
    done.deleted = {index: item.pk for index, item in gone.items()}
    if gone:
        BatchItem.objects.filter(pk__in=done.deleted.values()).delete()
    keep_deleted(
        owner=owner, items=[item for index, item in gone.items() if index not in out], by=by
    )
    named: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for item in gone.values():
        named[item.batch_id].append({"id": item.pk, "name": item.shown_name})
    BatchOperation.objects.bulk_create(
        BatchOperation(
            owner=owner,
            batch_id=batch_id,
            kind=OperationKind.REMOVE,
            outcome=Outcome.SUCCESS,
            item_count=len(of_batch),
            items=of_batch[:MAX_FAILED_KEPT],
            by=by,
        )
        for batch_id, of_batch in named.items()
    )


def _restore(owner: Any, restore: Mapping[int, int], done: Done, now: dt.datetime) -> None:
    """Bring deleted items back; those that are there stay as they are."""
    there = set(
        BatchItem.objects.owned_by(owner)
        .filter(pk__in=restore.values())
        .values_list("pk", flat=True)
    )
    back, closed = bring_back(owner=owner, ids=set(restore.values()) - there, now=now)
    for index, pk in restore.items():
        if pk in there or pk in back:
            done.restored[index] = pk
        else:
            done.refused["restore", index] = closed.get(pk) or NotFound()


def _locked(owner: Any, ids: Collection[int]) -> list[BatchItem]:
    if not ids:
        return []
    rows = BatchItem.objects.owned_by(owner).visible().filter(pk__in=ids)
    return lock_in_order(rows.select_related("lot__item", "lot__color"))


def _there(items: Mapping[int, BatchItem], pk: int, seen: set[int]) -> BatchItem:
    if pk not in items:
        raise NotFound
    if pk in seen:
        raise Invalid(fields={"id": ["is named twice"]})
    seen.add(pk)
    return items[pk]


def _closed(items: Iterable[BatchItem]) -> dict[int, DomainError]:
    """Lock the batches of these items; return those that are archived, with the refusal. 1 query."""
    ids = {item.batch_id for item in items}
    if not ids:
        return {}
    return {
        batch.pk: BatchIsArchived(name=batch.name)
        for batch in lock_ids_in_order(Batch, ids).values()
        if batch.is_archived
    }

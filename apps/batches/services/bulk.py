"""Many items added, edited and deleted in one request."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F
from more_itertools import map_reduce

from apps.accounts.models import User
from apps.accounts.selectors import who_acts
from apps.batches.models import Batch, BatchItem, BatchOperation, OperationKind, Outcome
from apps.batches.services._references import Changes, References
from apps.batches.services._stock import Carried, carry_many, hold_stock_of, take_back
from apps.batches.services.acts import keep_acts, rows_of
from apps.batches.services.batches import (
    TRIES,
    BatchIsArchived,
    ItemsBeingAdded,
    in_open_listings,
)
from apps.batches.services.items import (
    MAX_PIECES,
    StockToo,
    changed_columns,
    check_deletable,
    columns_of_draft,
    completed,
    row_to_top_up,
    rows_like,
)
from apps.batches.services.operations import (
    MAX_FAILED_KEPT,
    keep_named,
    named,
    record_operation,
)
from apps.catalog.selectors.same_lots import same_lots
from apps.core.bulk import write_changes
from apps.core.concurrency import in_transaction, lock_ids_in_order, lock_in_order
from apps.core.errors import Conflict, DomainError, NotFound, ValueRefused
from apps.core.jobs.run import JobRun
from apps.core.many import RowResults
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.bulk import About, Edit, Failed, LotsBulk, Rows, State
from apps.lots.services.images import Kept, changed_row, deleted_row


@dataclass(frozen=True, kw_only=True, slots=True)
class Removal:
    """One item to delete, and whether its stock is removed or kept."""

    item_id: int
    stock: StockToo = StockToo.ASK


class ItemsBulk(LotsBulk[list[KeptAct]]):
    """Items of batches."""

    model = BatchItem
    job_kind = "batches.edit_items"

    def write(
        self,
        rows: Rows,
        done: RowResults,
        *,
        owner: User,
        kept: list[KeptAct] | None,
        by: User,
        now: dt.datetime,
    ) -> None:
        drafts = _drafts(owner, rows.create, done, now)
        topping = {
            index: item for index, item in drafts.items() if rows.create[index].get("top_up")
        }
        for _ in range(TRIES if topping else 0):
            can_wait = connection.features.has_select_for_update  # SQLite has one writer at a time
            with suppress(_AnotherRow), transaction.atomic(savepoint=can_wait):
                self._write(rows, drafts, topping, done, owner, kept, by, now)
                return
        if topping:
            raise ItemsBeingAdded(name=next(iter(topping.values())).batch.name)
        self._write(rows, drafts, {}, done, owner, kept, by, now)

    def _write(
        self,
        rows: Rows,
        drafts: dict[int, BatchItem],
        topping: Mapping[int, BatchItem],
        done: RowResults,
        owner: User,
        kept: list[KeptAct] | None,
        by: User,
        now: dt.datetime,
    ) -> None:
        # Items are locked before their batches, as everywhere: so rows to top up are looked for
        # twice where others can write between.
        same = same_lots(item.lot_id for item in topping.values())
        alike = rows_like(topping.values(), same) if topping else BatchItem.objects.none()
        there = lock_in_order(alike)
        named = {one.item_id for one in (*rows.update.values(), *rows.delete.values())}
        items = {item.pk: item for item in _locked(owner, named)}
        closed = _closed((*items.values(), *drafts.values()))
        if topping and connection.features.has_select_for_update:
            seen = {row.pk for row in there}
            if not seen.issuperset(alike.values_list("pk", flat=True)):
                raise _AnotherRow
        _hold_stock(owner, items, rows.update, rows.delete)
        there = [items.get(row.pk, row) for row in there]
        _create(drafts, there, topping, same, closed, done, now)
        _update(owner, items, closed, rows.update, done, by, now, kept)
        _delete(owner, items, closed, rows.delete, done, by, now)
        if rows.restore:
            _restore(owner, rows.restore, done, now)

    def begin_edit(
        self, *, owner: User, item_ids: Sequence[int], note: str, by: User
    ) -> dict[str, list[int]]:
        mine = BatchItem.objects.owned_by(owner).filter(pk__in=item_ids)
        return {"batch": sorted(mine.order_by().values_list("batch_id", flat=True).distinct())}

    def begin_chunk(self, about: About) -> list[KeptAct]:
        return []

    def end_chunk(self, state: State, kept: list[KeptAct]) -> None:
        acts = state.setdefault("acts", [])
        acts += [{"batch_id": act.batch_id, "act_id": act.pk} for act in kept]
        edited = state.setdefault("edited", {})
        for act in kept:
            of_batch = edited.setdefault(str(act.batch_id), {"count": 0, "named": []})
            of_batch["count"] += act.row_count
            left = MAX_FAILED_KEPT - len(of_batch["named"])
            rows = BatchItem.objects.filter(pk__in=[row["id"] for row in rows_of(act)[:left]])
            rows = rows.select_related("lot__item", "lot__color").order_by("pk")
            keep_named(of_batch["named"], rows)

    def end_edit(
        self, *, owner: User, about: About, state: State, failed: Failed, by: User, message: str
    ) -> None:
        edited = state.get("edited", {})
        rows = BatchItem.objects.filter(pk__in=[one["id"] for one in failed])
        batch_of = dict(rows.values_list("pk", "batch_id"))
        refused = map_reduce(failed, lambda one: batch_of.get(one["id"]))
        for batch in Batch.objects.owned_by(owner).filter(pk__in=list(edited)).order_by("pk"):
            record_operation(
                batch=batch,
                kind=OperationKind.EDIT,
                done=edited[str(batch.pk)]["count"],
                failed=refused.get(batch.pk, []),
                items=edited[str(batch.pk)]["named"],
                message=message,
                by=by,
            )

    def result(self, run: JobRun, about: About) -> dict[str, Any]:
        return {"batch_ids": about["batch"], "acts": run.state.get("acts", [])}


ITEMS: Final = ItemsBulk()
change_items = ITEMS.change


@dataclass(frozen=True, slots=True)
class Added:
    """An item as it came: a new row, or more pieces of one that was there."""

    item_id: int
    quantity: int
    is_topped_up: bool


def add_item(*, owner: User, draft: Changes, now: dt.datetime) -> Added:
    """Add one item to a batch. Raises Invalid, BatchIsArchived, ItemsBeingAdded, nothing added.

    `draft` holds `batch_id`, which lot it is (`lot_id`, or `item_type`, `item_number` and
    `color_id`) and any of PLAIN. With `top_up`, a new row of the same lot, condition,
    price and planned location gets the pieces; no price agrees with any, on either side.
    """
    quantity = draft.get("quantity", 1)
    if draft.get("top_up"):
        done = ITEMS.one("create", draft, owner=owner, by=who_acts(owner), now=now)
        return Added(done.created[0], quantity, bool(done.topped_up))
    with in_transaction():
        references = References(owner=owner, rows=[draft], now=now, locked=True)
        item = BatchItem(
            owner=owner, batch_id=draft["batch_id"], **columns_of_draft(draft, references)
        )
        batch = references.batches[item.batch_id]
        if batch.is_archived:
            raise BatchIsArchived(name=batch.name)
        item.save(force_insert=True)
    return Added(item.pk, quantity, is_topped_up=False)


@transaction.atomic
def count_item(
    *, owner: User, item_id: int, change: int, override_reason: str = "", now: dt.datetime
) -> int:
    """Put pieces onto an item, or take them off; return how many there are then.

    The last piece takes the item along, and out of stock. Raises why it is refused.
    """
    locked = _locked(owner, [item_id])
    left = sum(item.quantity for item in locked) + change
    if left > MAX_PIECES:
        raise ValueRefused(fields={"change": [f"the row would hold more than {MAX_PIECES} pieces"]})
    by = who_acts(owner)
    if left > 0 or not locked:
        edit = Edit(item_id=item_id, changes={"quantity": left}, override_reason=override_reason)
        ITEMS.edit_one(edit, owner=owner, by=by, now=now)
    else:
        ITEMS.delete_one(Removal(item_id=item_id, stock=StockToo.OUT), owner=owner, by=by, now=now)
    return max(left, 0)


class _AnotherRow(Exception):
    """The row to top up is another one since it was looked for."""


def _hold_stock(
    owner: User,
    items: Mapping[int, BatchItem],
    update: Mapping[int, Edit],
    delete: Mapping[int, Removal],
) -> None:
    """Lock the stock of all edits and deletions up front, if both touch stock.

    Locking one after the other can deadlock with another request.
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
    owner: User, drafts: Mapping[int, Changes], done: RowResults, now: dt.datetime
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


def _create(
    made: Mapping[int, BatchItem],
    there: Sequence[BatchItem],
    topping: Collection[int],
    same: Mapping[int, int],
    closed: Mapping[int, DomainError],
    done: RowResults,
    now: dt.datetime,
) -> None:
    """Insert the drafts one after the other; those `topping` up add to a row if there is one.

    That may be one which an earlier draft of the same request made.
    """
    rows = list(there)
    ids = {row.pk for row in there}
    of_draft: dict[int, BatchItem] = {}
    topped: dict[int, dict[str, Any]] = {}
    for index, item in made.items():
        row = row_to_top_up(item, rows, same) if index in topping else None
        if item.batch_id in closed:
            done.refused["create", index] = closed[item.batch_id]
        elif row is None:
            rows.append(item)
            of_draft[index] = item
        elif row.quantity + item.quantity > MAX_PIECES:
            problem = f"the row would hold more than {MAX_PIECES} pieces"
            done.refused["create", index] = ValueRefused(fields={"qty": [problem]})
        else:
            row.quantity += item.quantity
            row.price = item.price if row.price is None else row.price
            of_draft[index] = row
            done.topped_up.add(index)
            if row.pk in ids:
                topped[row.pk] = {"quantity": row.quantity, "price": row.price}
    BatchItem.objects.bulk_create(rows[len(there) :], batch_size=500)
    write_changes(BatchItem, topped.items(), now=now)
    done.created |= {index: row.pk for index, row in of_draft.items()}


def _update(
    owner: User,
    items: Mapping[int, BatchItem],
    closed: Mapping[int, DomainError],
    edits: Mapping[int, Edit],
    done: RowResults,
    by: User,
    now: dt.datetime,
    acts: list[KeptAct] | None,
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
    for index, edit in edits.items():
        try:
            item = _open(items, closed, edit.item_id)
            if edit.seen_at is not None and item.updated_at != edit.seen_at:
                raise Conflict(row_id=item.pk)
            changed = changed_columns(item, wanted[index], references)
            written[index] = (item, changed)
        except DomainError as refusal:
            done.refused["update", index] = refusal
    _carry(owner, edits, written, done, by, now)
    if acts is not None:
        acts += _kept(owner, written.values(), done, by)
    write_changes(BatchItem, ((item.pk, changed) for item, changed in written.values()), now=now)
    done.updated = {index: item.pk for index, (item, _) in written.items()}


def _kept(
    owner: User, written: Iterable[tuple[BatchItem, dict[str, Any]]], done: RowResults, by: User
) -> list[KeptAct]:
    """Keep the changes of edits, as one act for each batch."""
    rows: defaultdict[int, list[Kept]] = defaultdict(list)
    for item, changed in written:
        if changed:
            rows[item.batch_id].append(changed_row(item, changed))
    acts = keep_acts(ActKind.EDIT, rows, owner=owner, by=by)
    for act, some in zip(acts, rows.values(), strict=True):
        done.acts |= {row["id"]: act.pk for row in some}
    return acts


def _carry(
    owner: User,
    edits: Mapping[int, Edit],
    written: dict[int, tuple[BatchItem, dict[str, Any]]],
    done: RowResults,
    by: User,
    now: dt.datetime,
) -> None:
    """Apply the changes of stowed items to their stock. Refused items are removed from `written`."""
    carried = {
        index: Carried(item=item, changed=changed, override_reason=edits[index].override_reason)
        for index, (item, changed) in written.items()
    }
    for index, why in carry_many(owner=owner, carried=carried, by=by, now=now).items():
        done.refused["update", index] = why
        del written[index]


def _delete(
    owner: User,
    items: Mapping[int, BatchItem],
    closed: Mapping[int, DomainError],
    removals: Mapping[int, Removal],
    done: RowResults,
    by: User,
    now: dt.datetime,
) -> None:
    if not removals:
        return
    open_listings = in_open_listings(
        BatchItem.objects.filter(pk__in=[one.item_id for one in removals.values()])
    )
    gone: dict[int, BatchItem] = {}
    out: dict[int, BatchItem] = {}
    for index, removal in removals.items():
        try:
            item = _open(items, closed, removal.item_id)
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
    of_batches = map_reduce(gone.values(), lambda item: item.batch_id)
    without = {item.pk for index, item in out.items() if index in gone}
    kept = map_reduce(
        (item for item in gone.values() if item.pk not in without),
        lambda item: item.batch_id,
        deleted_row,
    )
    if kept:
        keep_acts(ActKind.REMOVE, kept, owner=owner, by=by)
    if without:  # the pieces are gone for good, and so are the items
        BatchItem.objects.filter(pk__in=without).delete()
    BatchOperation.objects.bulk_create(
        BatchOperation(
            owner=owner,
            batch_id=batch_id,
            kind=OperationKind.REMOVE,
            outcome=Outcome.SUCCESS,
            item_count=len(items),
            items=named(items[:MAX_FAILED_KEPT]),
            by=by,
        )
        for batch_id, items in of_batches.items()
    )


def _restore(owner: User, restore: Mapping[int, int], done: RowResults, now: dt.datetime) -> None:
    """Bring deleted items back; those that are there stay as they are."""
    named = BatchItem.with_deleted.owned_by(owner).filter(pk__in=restore.values())
    there = set(named.filter(deleted_in=None).values_list("pk", flat=True))
    # Those deleted with their pieces, or merged with others, come back by the undo only.
    gone = named.filter(deleted_in__kind=ActKind.REMOVE).exclude(
        is_stowed=False, inventory_item__isnull=False
    )
    items = {item.pk: item for item in lock_in_order(gone)}
    closed = _closed(items.values())
    back = [item for item in items.values() if item.batch_id not in closed]
    BatchItem.with_deleted.filter(pk__in=[item.pk for item in back]).update(deleted_in=None)
    for act_id, count in Counter(item.deleted_in_id for item in back).items():
        act = KeptAct.objects.filter(pk=act_id)
        act.update(row_count=F("row_count") - count)
        act.filter(row_count=0).update(undone_at=now)
    there |= {item.pk for item in back}
    for index, pk in restore.items():
        if pk in there:
            done.restored[index] = pk
        else:
            item = items.get(pk)
            done.refused["restore", index] = closed[item.batch_id] if item else NotFound()


def _locked(owner: User, ids: Collection[int]) -> list[BatchItem]:
    if not ids:
        return []
    rows = BatchItem.objects.owned_by(owner).visible().filter(pk__in=ids)
    return lock_in_order(rows.select_related("lot__item", "lot__color"))


def _open(items: Mapping[int, BatchItem], closed: Mapping[int, DomainError], pk: int) -> BatchItem:
    """Return the item. Raises NotFound, and why its batch is closed."""
    if pk not in items:
        raise NotFound
    item = items[pk]
    if item.batch_id in closed:
        raise closed[item.batch_id]
    return item


def _closed(items: Iterable[BatchItem]) -> dict[int, DomainError]:
    """Lock the batches of these items; return those that are archived, with the refusal."""
    ids = {item.batch_id for item in items}
    if not ids:
        return {}
    return {
        batch.pk: BatchIsArchived(name=batch.name)
        for batch in lock_ids_in_order(Batch, ids).values()
        if batch.is_archived
    }

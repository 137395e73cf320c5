"""Many rows of stock added, edited and deleted in one request."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, Invalid, NotFound, UnknownReference
from apps.core.jobs.run import JobRun
from apps.core.many import RowResults
from apps.inventory.models import CauseKind, InventoryItem, Reason
from apps.inventory.rules.stacking import remarks_in
from apps.inventory.services._images import Images
from apps.inventory.services._ledger import Why, reasons
from apps.inventory.services._stock import (
    count_in,
    lock_stock,
    piece_grams_of,
    refusal_of_location,
)
from apps.inventory.services._work import NewRow, StockWork
from apps.inventory.services.acts import begin_act, hold_open, keep
from apps.inventory.services.edits import LARGEST_QUANTITY, StockEdit, edit_rows
from apps.inventory.services.errors import ItemHoldsPieces
from apps.locations.services import rooms
from apps.locations.services.errors import LocationGone
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.bulk import About, Changes, Edit, Failed, LotsBulk, Rows, State


@dataclass(frozen=True, kw_only=True, slots=True)
class Removal:
    """One row to delete; with `zero`, its pieces are booked out first."""

    item_id: int
    zero: bool = False


class StockBulk(LotsBulk[KeptAct]):
    """Rows of stock."""

    model = InventoryItem
    job_kind = "inventory.edit_items"

    def write(
        self,
        rows: Rows,
        done: RowResults,
        *,
        owner: User,
        kept: KeptAct | None,
        by: User,
        now: dt.datetime,
    ) -> None:
        if sum(map(bool, (rows.create, rows.update, rows.delete))) > 1:
            # Once for all parts: locking them one after the other can deadlock.
            lock_stock(
                owner=owner,
                item_ids=[one.item_id for one in (*rows.update.values(), *rows.delete.values())],
                location_ids=[
                    *(draft.get("location_id") for draft in rows.create.values()),
                    *(edit.changes.get("location_id") for edit in rows.update.values()),
                ],
            )
        lots = _lots(
            owner, [*rows.create.values(), *(edit.changes for edit in rows.update.values())]
        )
        if rows.create:
            _create(owner, rows.create, lots, done, by, now)
        _update(owner, rows.update, rows.delete, lots, done, by, now, kept)
        if rows.delete:
            _delete(owner, rows.delete, done, now)
        if rows.restore:
            _restore(owner, rows.restore, done, now)

    def begin_edit(
        self, *, owner: User, item_ids: Sequence[int], note: str, by: User
    ) -> dict[str, list[int]]:
        return {"act": [begin_act(owner=owner, kind=ActKind.EDIT, by=by, note=note).pk]}

    def begin_chunk(self, about: About) -> KeptAct:
        act = KeptAct.objects.get(pk=about["act"][0])
        hold_open(act)
        return act

    def end_edit(
        self, *, owner: User, about: About, state: State, failed: Failed, by: User, message: str
    ) -> None:
        KeptAct.objects.filter(pk__in=about["act"], row_count=0).delete()

    def result(self, run: JobRun, about: About) -> dict[str, Any]:
        kept = KeptAct.objects.filter(pk__in=about["act"], row_count__gt=0)
        return {"act_id": kept.values_list("pk", flat=True).first()}


STOCK: Final = StockBulk()
change_items = STOCK.change


def _lots(owner: User, rows: Sequence[Changes]) -> dict[int, Decimal | None]:
    """Return lot id -> grams of one piece (or None) of the lots that rows name."""
    wanted = {row["lot_id"] for row in rows if row.get("lot_id") is not None}
    if not wanted:
        return {}
    there = Lot.objects.visible_to(owner).filter(pk__in=wanted)
    return dict(there.values_list("pk", "item__weight_grams"))


def _create(
    owner: User,
    drafts: Mapping[int, Changes],
    lots: Mapping[int, Decimal | None],
    done: RowResults,
    by: User,
    now: dt.datetime,
) -> None:
    locations = rooms.locked(
        owner=owner,
        location_ids={row["location_id"] for row in drafts.values() if row.get("location_id")},
    )
    weights = {pk: grams for pk, grams in lots.items() if grams}
    work = StockWork(owner, now)
    made: dict[int, NewRow] = {}
    for index, draft in drafts.items():
        fields = dict(draft)
        quantity, location_id = fields.pop("quantity", 0), fields.pop("location_id", None)
        note = fields.pop("note", "")
        override_reason = fields.pop("override_reason", "")
        location = None if location_id is None else locations.get(location_id)
        refusal = _refusal_of_draft(fields, quantity, lots)
        if refusal is None and location_id is not None and location is None:
            refusal = LocationGone()
        row = InventoryItem(owner=owner, **fields)
        grams = piece_grams_of(row, weights)
        if refusal is None and location is not None and quantity:
            refusal = refusal_of_location(location, quantity, grams, override=bool(override_reason))
        if refusal is not None:
            done.refused["create", index] = refusal
            continue
        remarks = row.remarks
        if location is not None:
            remarks = remarks_in(row.remarks, was="", becomes=location.name)
            count_in(location, quantity, grams)
        made[index] = new = NewRow(row, location_id, remarks, grams)
        work.make(new)
        if quantity:
            why = Why(by, now, Reason.EDIT, CauseKind.PERSON, reasons(note, override_reason))
            work.add(why, new, quantity)
    work.write()
    done.created = {index: row.pk for index, row in made.items()}


def _refusal_of_draft(
    fields: Changes, quantity: int, lots: Mapping[int, Decimal | None]
) -> DomainError | None:
    if fields.get("lot_id") is None and not fields.get("raw_item_number"):
        return Invalid(fields={"lot_id": ["is required"]})
    if fields.get("lot_id") is not None and fields["lot_id"] not in lots:
        return UnknownReference(fields={"lot_id": ["is not in the catalogue"]})
    if not 0 <= quantity <= LARGEST_QUANTITY:
        return Invalid(fields={"quantity": [f"must be from 0 to {LARGEST_QUANTITY}"]})
    return None


def _update(
    owner: User,
    update: Mapping[int, Edit],
    delete: Mapping[int, Removal],
    lots: Mapping[int, Decimal | None],
    done: RowResults,
    by: User,
    now: dt.datetime,
    act: KeptAct | None,
) -> None:
    """Edit rows, and bring to 0 those that are to be deleted with their pieces."""
    edits: dict[tuple[str, int], StockEdit] = {}
    for index, edit in update.items():
        if "lot_id" in edit.changes and edit.changes["lot_id"] not in lots:
            done.refused["update", index] = UnknownReference(
                fields={"lot_id": ["is not in the catalogue"]}
            )
            continue
        changes = {name: value for name, value in edit.changes.items() if name != "quantity"}
        edits["update", index] = StockEdit(
            item_id=edit.item_id,
            changes=changes,
            quantity=edit.changes.get("quantity"),
            cause_id=None if act is None else act.pk,
            seen_at=edit.seen_at,
            note=edit.note,
            override_reason=edit.override_reason,
        )
    for index, removal in delete.items():
        if removal.zero:
            edits["delete", index] = StockEdit(item_id=removal.item_id, quantity=0)
    images = None if act is None else Images()
    kind = CauseKind.PERSON if act is None else CauseKind.ACT
    refused = edit_rows(owner=owner, edits=edits, by=by, now=now, cause_kind=kind, images=images)
    if act is not None and images is not None:
        carries = any({"quantity", "location_id"} & edit.changes.keys() for edit in update.values())
        # If the act moved nothing, later changes of quantity or location do not block its undo.
        always = ("quantity", "location_id") if carries else ()
        rows = images.kept(always=always)
        keep(act, rows)
        done.acts |= {row["id"]: act.pk for row in rows}
    done.refused |= refused
    done.updated = {
        index: update[index].item_id
        for verb, index in edits
        if verb == "update" and (verb, index) not in refused
    }


def _delete(
    owner: User, removals: Mapping[int, Removal], done: RowResults, now: dt.datetime
) -> None:
    wanted = {
        index: one for index, one in removals.items() if ("delete", index) not in done.refused
    }
    rows = InventoryItem.objects.owned_by(owner).filter(
        pk__in=[one.item_id for one in wanted.values()]
    )
    there = {row.pk: row.quantity for row in lock_in_order(rows.only("pk", "quantity"))}
    for index, removal in wanted.items():
        if removal.item_id not in there:
            done.refused["delete", index] = NotFound()
        elif there[removal.item_id]:
            done.refused["delete", index] = ItemHoldsPieces(quantity=there[removal.item_id])
        else:
            done.deleted[index] = removal.item_id
    InventoryItem.objects.filter(pk__in=done.deleted.values()).update(
        deleted_at=now, updated_at=now
    )


def _restore(owner: User, restore: Mapping[int, int], done: RowResults, now: dt.datetime) -> None:
    """Show deleted rows again; those that were not deleted stay as they are."""
    rows = InventoryItem.with_deleted.owned_by(owner).filter(pk__in=restore.values())
    there = {row.pk: row.deleted_at for row in lock_in_order(rows.only("pk", "deleted_at"))}
    for index, pk in restore.items():
        if pk in there:
            done.restored[index] = pk
        else:
            done.refused["restore", index] = NotFound()
    gone = [pk for pk in done.restored.values() if there[pk] is not None]
    InventoryItem.with_deleted.filter(pk__in=gone).update(deleted_at=None, updated_at=now)

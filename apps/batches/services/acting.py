"""An act on many items of a batch: plan, preview, apply and store it for an undo."""

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem, OperationKind
from apps.batches.selectors import activity_of
from apps.batches.services._stock import Carried, carry_many
from apps.batches.services.acts import keep_acts
from apps.batches.services.batches import BatchIsBusy, open_batches
from apps.batches.services.operations import named, record_operation
from apps.batches.services.selection import Chosen, NotInBatch, chosen_rows, locked_rows
from apps.core.bulk import write_changes
from apps.core.errors import DomainError, ErrorCode
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.acts import Act, ActResult
from apps.lots.services.images import changed_row, deleted_row, made_row

MOST: Final = 10_000
SHOWN: Final = 200
# What buyers do not see is no change since listing.
UNSEEN: Final = frozenset({"cost", "remarks", "batch_id", "location_id"})


class TooManyItems(DomainError):
    code = ErrorCode.VALUE_REFUSED
    message = "At most {most} items at once, not {count}. Choose fewer."


@dataclass(kw_only=True, slots=True)
class Plan:
    """The planned changes to items and batches, and the messages that describe them."""

    kind: ActKind
    note: str
    edits: dict[int, dict[str, Any]] = field(default_factory=dict)
    removed: list[BatchItem] = field(default_factory=list)
    made: list[BatchItem] = field(default_factory=list)
    made_batches: list[Batch] = field(default_factory=list)
    into: dict[int, Batch] = field(default_factory=dict)
    batches: dict[int, dict[str, Any]] = field(default_factory=dict)
    failed: list[dict[str, Any]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    largest: list[dict[str, Any]] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def refuse(self, item: BatchItem, why: str) -> None:
        """Keep why an item is left as it is."""
        self.failed.append({"id": item.pk, "reason": why, "name": item.shown_name})

    def show(self, item: BatchItem, **what: Any) -> None:
        """Add an item to the rows shown in the result, up to SHOWN of them."""
        if len(self.rows) < SHOWN:
            self.rows.append({"id": item.pk, "name": item.shown_name, **what})

    @property
    def item_count(self) -> int:
        return len({*self.edits, *self.into}) + len(self.removed) + len(self.made)


Maker = Callable[[Batch, list[BatchItem]], Plan]
Acted = ActResult[Plan, KeptAct]


@transaction.atomic
def act_on(
    *,
    batch: Batch,
    chosen: Chosen,
    make: Maker,
    also: Collection[int] = (),
    dry_run: bool,
    by: User,
    now: dt.datetime,
) -> Acted:
    """Plan an act on the chosen items and, unless `dry_run`, carry it out.

    Items whose stock cannot be changed are skipped and reported in `failed`. Raises
    BatchIsArchived, BatchIsBusy, NotInBatch, TooManyItems, and the errors of `make`; then nothing
    is changed.
    """
    act = _ItemsAct(batch, chosen, make, {batch.pk, *also}, by, now)
    return ActResult(act.dry_run(), is_dry_run=True) if dry_run else ActResult(act.do(), act.kept)


@dataclass(slots=True)
class _ItemsAct(Act[list[BatchItem], Plan]):
    """An act on items of a batch, whose stock follows. `make` plans it."""

    batch: Batch
    chosen: Chosen
    make: Maker
    batch_ids: Collection[int]
    by: Any
    now: dt.datetime
    opened: Mapping[int, Batch] = field(default_factory=dict)
    kept: KeptAct | None = None

    def lock(self) -> list[BatchItem]:
        rows = chosen_rows(self.batch, self.chosen)
        count = rows.order_by()[: MOST + 1].count()
        if count > MOST:
            raise TooManyItems(most=f"{MOST:,}", count=f"more than {MOST:,}")
        items = locked_rows(rows)
        self.opened = open_batches(self.batch_ids)
        busy = activity_of(owner=self.batch.owner, batch_ids=self.opened)
        for pk, flags in busy.items():
            if flags.keys() - {"isExporting"}:
                raise BatchIsBusy(name=self.opened[pk].name)
        if self.chosen.item_ids is not None and not items:
            raise NotInBatch
        return items

    def plan(self, rows: list[BatchItem]) -> Plan:
        plan = self.make(self.opened[self.batch.pk], rows)
        for pk in self.chosen.missing(item.pk for item in rows):
            plan.failed.append({"id": pk, "reason": NotInBatch().text, "name": ""})
        return plan

    def write(self, rows: list[BatchItem], plan: Plan) -> None:
        items = {item.pk: item for item in rows}
        Batch.objects.bulk_create(plan.made_batches)
        for pk, into in plan.into.items():
            plan.edits.setdefault(pk, {})["batch_id"] = into.pk
        _carry(self.batch.owner, items, plan, self.by, self.now)
        if not (plan.edits or plan.removed or plan.made or plan.batches):
            return
        BatchItem.objects.bulk_create(plan.made, batch_size=500)
        kept = [
            *(changed_row(items[pk], changed) for pk, changed in plan.edits.items()),
            *(deleted_row(row) for row in plan.removed),
            *(made_row(row) for row in plan.made),
        ]
        (self.kept,) = keep_acts(
            plan.kind,
            {self.batch.pk: kept},
            owner=self.batch.owner,
            by=self.by,
            note=plan.note,
            batches=[
                *({"id": row.pk, "before": None, "after": {}} for row in plan.made_batches),
                *(changed_row(self.opened[pk], fields) for pk, fields in plan.batches.items()),
            ],
        )
        write_changes(BatchItem, plan.edits.items(), now=self.now)
        write_changes(Batch, plan.batches.items(), now=self.now)
        record_operation(
            batch=self.batch,
            kind=OperationKind(plan.kind),
            done=plan.item_count,
            failed=plan.failed,
            items=named([*(items[pk] for pk in plan.edits), *plan.removed, *plan.made]),
            by=self.by,
        )


def _carry(
    owner: User, items: Mapping[int, BatchItem], plan: Plan, by: User, now: dt.datetime
) -> None:
    """Apply the plan to the stock of stowed items. Refuse items whose stock cannot be changed."""
    for pk, changed in plan.edits.items():
        if items[pk].is_listed and changed.keys() - UNSEEN:
            changed["is_changed_since_listing"] = True
    carried = {pk: Carried(item=items[pk], changed=changed) for pk, changed in plan.edits.items()}
    for pk, why in carry_many(owner=owner, carried=carried, by=by, now=now).items():
        del plan.edits[pk]
        plan.refuse(items[pk], why.text)


def only_new(items: Sequence[BatchItem], plan: Plan, why: str) -> list[BatchItem]:
    """Return the new items. Adds a refusal to the plan for each stowed one."""
    for item in items:
        if item.is_stowed:
            plan.refuse(item, why)
    return [item for item in items if not item.is_stowed]

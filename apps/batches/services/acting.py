"""An act on many items of a batch: plan, preview, apply and store it for an undo."""

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction

from apps.batches.models import ActKind, Batch, BatchAct, BatchItem
from apps.batches.selectors import activity_of
from apps.batches.services._stock import FOLLOWED_BY_STOCK, Carried, carry_many
from apps.batches.services.acts import act_of
from apps.batches.services.batches import BatchIsBusy, open_batches
from apps.batches.services.selection import Chosen, NotInBatch, chosen_rows, locked_rows
from apps.core.bulk import write_changes
from apps.core.errors import DomainError, ErrorCode
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


@dataclass(frozen=True, slots=True)
class ActResult:
    """The plan and its act. The act is None after a preview or if nothing changed."""

    plan: Plan
    act: BatchAct | None = None


Maker = Callable[[Batch, list[BatchItem]], Plan]


@transaction.atomic
def act_on(
    *,
    batch: Batch,
    chosen: Chosen,
    make: Maker,
    also: Collection[int] = (),
    dry_run: bool,
    by: Any,
    now: dt.datetime,
) -> ActResult:
    """Plan an act on the chosen items and, unless `dry_run`, carry it out.

    Items whose stock cannot be changed are skipped and reported in `failed`. Raises
    BatchIsArchived, BatchIsBusy, NotInBatch, TooManyItems, and the errors of `make`; then nothing
    is changed.
    """
    rows = chosen_rows(batch, chosen)
    count = rows.order_by()[: MOST + 1].count()
    if count > MOST:
        raise TooManyItems(most=f"{MOST:,}", count=f"more than {MOST:,}")
    items = locked_rows(rows)
    opened = open_batches({batch.pk, *also})
    busy = activity_of(owner=batch.owner, batch_ids=opened)
    for pk, flags in busy.items():
        if flags.keys() - {"isExporting"}:
            raise BatchIsBusy(name=opened[pk].name)
    if chosen.item_ids is not None and not items:
        raise NotInBatch
    plan = make(opened[batch.pk], items)
    for pk in chosen.missing(item.pk for item in items):
        plan.failed.append({"id": pk, "reason": NotInBatch().text, "name": ""})
    if dry_run:
        return ActResult(plan)
    act = _do(opened, batch, {item.pk: item for item in items}, plan, by, now)
    return ActResult(plan, act)


def _do(
    opened: Mapping[int, Batch],
    batch: Batch,
    items: Mapping[int, BatchItem],
    plan: Plan,
    by: Any,
    now: dt.datetime,
) -> BatchAct | None:
    Batch.objects.bulk_create(plan.made_batches)
    for pk, into in plan.into.items():
        plan.edits.setdefault(pk, {})["batch_id"] = into.pk
    _carry(batch.owner, items, plan, by, now)
    if not (plan.edits or plan.removed or plan.made or plan.batches):
        return None
    BatchItem.objects.filter(pk__in=[item.pk for item in plan.removed]).delete()
    BatchItem.objects.bulk_create(plan.made, batch_size=500)
    act = act_of(
        batch.pk,
        plan.kind,
        [
            *(changed_row(items[pk], changed) for pk, changed in plan.edits.items()),
            *(deleted_row(row) for row in plan.removed),
            *(made_row(row) for row in plan.made),
        ],
        owner=batch.owner,
        by=by,
        note=plan.note,
        batches=[
            *({"id": row.pk, "before": None, "after": {}} for row in plan.made_batches),
            *(changed_row(opened[pk], fields) for pk, fields in plan.batches.items()),
        ],
    )
    write_changes(BatchItem, plan.edits.items(), now=now)
    write_changes(Batch, plan.batches.items(), now=now)
    BatchAct.objects.bulk_create([act])
    return act


def _carry(
    owner: Any, items: Mapping[int, BatchItem], plan: Plan, by: Any, now: dt.datetime
) -> None:
    """Apply the plan to the stock of stowed items. Refuse items whose stock cannot be changed."""
    for pk, changed in plan.edits.items():
        if items[pk].is_listed and changed.keys() - UNSEEN:
            changed["is_changed_since_listing"] = True
    stowed = {
        pk: Carried(item=items[pk], changed=changed)
        for pk, changed in plan.edits.items()
        if items[pk].is_stowed and FOLLOWED_BY_STOCK & changed.keys()
    }
    if not stowed:
        return
    result = carry_many(owner=owner, carried=stowed, by=by, now=now)
    for pk, why in result.refused.items():
        del plan.edits[pk]
        plan.refuse(items[pk], why.text)
    for pk, columns in result.columns.items():
        if pk in plan.edits:
            plan.edits[pk] |= columns


def only_new(items: Sequence[BatchItem], plan: Plan, why: str) -> list[BatchItem]:
    """Return the new items. Adds a refusal to the plan for each stowed one."""
    for item in items:
        if item.is_stowed:
            plan.refuse(item, why)
    return [item for item in items if not item.is_stowed]

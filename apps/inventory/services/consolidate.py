"""Merge rows of the same lot into one row: preview, apply and undo as one act."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from django.db import transaction

from apps.core.errors import DomainError, Invalid, ValueRefused
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.inventory.models import ActKind, CauseKind, InventoryItem, Reason, StockAct
from apps.inventory.rules.consolidation import (
    DEFAULTS,
    MODES,
    Mode,
    Target,
    groups_of,
    merged,
    target_of,
)
from apps.inventory.rules.stacking import remarks_in
from apps.inventory.services._images import Images
from apps.inventory.services._ledger import Why
from apps.inventory.services._stock import count_in, lock_stock, refusal_of_location
from apps.inventory.services._work import StockWork
from apps.inventory.services.acts import begin_act, end_act, hold_open, job_of, keep
from apps.inventory.services.edits import LARGEST_QUANTITY
from apps.inventory.services.errors import StockChangedSince
from apps.locations.models import Location
from apps.locations.rules.fit import available_item_count
from apps.lots.services.acts import CHUNK

CONSOLIDATE_KIND: Final = "inventory.consolidate_items"
MOST: Final = 100_000
MOST_SHOWN: Final = 200
EMPTIED: Final = ("zero", "delete")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the person. `chosen` are the rows that the others of their group merge into."""

    target: Target = Target.FULLEST
    chosen: tuple[int, ...] = ()
    modes: dict[str, Mode] = field(default_factory=dict)
    count_unpriced: bool = False
    emptied: str = "zero"
    override_reason: str = ""

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "Options":
        """Return the options of plain values. Raises Invalid, field by field."""
        modes = dict(values.get("modes") or {})
        problems: dict[str, list[str]] = {}
        for name, mode in modes.items():
            if name not in MODES:
                problems[f"modes.{name}"] = [f"is none of: {', '.join(MODES)}"]
            elif mode not in MODES[name]:
                problems[f"modes.{name}"] = [f"must be one of: {', '.join(MODES[name])}"]
        if values.get("target", Target.FULLEST) not in list(Target):
            problems["target"] = [f"must be one of: {', '.join(Target)}"]
        if values.get("emptied", "zero") not in EMPTIED:
            problems["emptied"] = [f"must be one of: {', '.join(EMPTIED)}"]
        if problems:
            raise Invalid(fields=problems)
        return cls(
            target=Target(values.get("target", Target.FULLEST)),
            chosen=tuple(values.get("chosen") or ()),
            modes={name: Mode(mode) for name, mode in modes.items()},
            count_unpriced=bool(values.get("count_unpriced", False)),
            emptied=values.get("emptied", "zero"),
            override_reason=values.get("override_reason", ""),
        )


@dataclass(slots=True)
class Plan:
    """The plan for one group: the row kept, the rows merged into it, and any refusal."""

    target: InventoryItem
    sources: list[InventoryItem]
    changes: dict[str, Any]
    quantity: int
    unpriced: int
    refusal: DomainError | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """The plans of the first groups, the number of groups, and a mark of the rows."""

    plans: list[Plan]
    group_count: int
    row_count: int
    mark: str


@dataclass(slots=True)
class Consolidated:
    """The result: the act (None if nothing changed), groups, rows emptied, and refusals."""

    act: StockAct | None
    groups: int = 0
    emptied: int = 0
    refused: list[Plan] = field(default_factory=list)


def preview_consolidation(*, owner: Any, item_ids: Iterable[int], options: Options) -> Preview:
    """Return the plan of consolidating these rows. Changes nothing."""
    groups = _grouped_ids(owner, item_ids)
    shown = [pk for group in groups[:MOST_SHOWN] for pk in group]
    rows = {
        row.pk: row
        for row in InventoryItem.objects.owned_by(owner).filter(pk__in=shown).order_by("pk")
    }
    wanted = {row.location_id for row in rows.values()} - {None}
    locations = {row.pk: row for row in Location.objects.owned_by(owner).filter(pk__in=wanted)}
    mark = _mark(rows.values())
    plans = [plan for plan, _ in _plans(rows, locations, options)]
    return Preview(plans, len(groups), sum(map(len, groups)), mark)


def consolidate_items(
    *,
    owner: Any,
    item_ids: Iterable[int],
    options: Options,
    by: Any,
    now: dt.datetime,
    mark: str = "",
) -> Consolidated | Job:
    """Consolidate the groups among these rows: at once up to 1,000 rows, by a job beyond.

    Groups whose target has not the room are refused, the others done. Raises
    StockChangedSince where the rows are not those of the preview's `mark`, and Invalid
    where there is nothing to consolidate. Statements constant.
    """
    groups = _grouped_ids(owner, item_ids)
    if not groups:
        raise ValueRefused(
            fields={"items": ["no two of these rows have item, colour and condition in common"]}
        )
    with transaction.atomic():
        act = begin_act(owner=owner, kind=ActKind.CONSOLIDATE, by=by, note=options.override_reason)
        ids = [pk for group in groups for pk in group]
        job = job_of(
            act,
            kind=CONSOLIDATE_KIND,
            rows=len(ids),
            payload={"groups": groups, "options": asdict(options)},
            total=len(groups),
        )
        if job is not None:
            return job
        done = _consolidate(act, ids, options, by, now, mark)
        if not done.groups:
            act.delete()
            done.act = None
    return done


def run_consolidation(
    *,
    run: JobRun,
    act_id: int,
    groups: Sequence[Sequence[int]],
    options: Mapping[str, Any],
    by: Any,
    now: dt.datetime,
) -> None:
    """Consolidate many groups, some 500 rows a transaction. Raises JobCancelled."""
    act = StockAct.objects.get(pk=act_id)
    chosen = Options.read(options)
    while (start := run.state.get("next", 0)) < len(groups):
        end, ids = start, list[int]()
        while end < len(groups) and (not ids or len(ids) + len(groups[end]) <= CHUNK):
            ids += groups[end]
            end += 1
        with run.chunk(done=end, message="Consolidating"):
            hold_open(act)
            done = _consolidate(act, ids, chosen, by, now, "")
            for plan in done.refused:
                reason = "" if plan.refusal is None else plan.refusal.text
                run.fail_item({"id": plan.target.pk, "reason": reason, "name": ""})
            run.state["groups"] = run.state.get("groups", 0) + done.groups
            run.state["next"] = end
    end_act(run, act, run.state.get("groups", 0))


def _grouped_ids(owner: Any, item_ids: Iterable[int]) -> list[list[int]]:
    """Return the ids of the groups of two rows and more that hold pieces."""
    ids = list(item_ids)
    if len(ids) > MOST:
        raise Invalid(fields={"items": [f"must be at most {MOST}"]})
    rows = (
        InventoryItem.objects.owned_by(owner)
        .filter(pk__in=ids, quantity__gt=0)
        .only("pk", "lot_id", "condition", "sub_condition", "status")
    )
    return [[row.pk for row in group] for group in groups_of(rows)]


def _consolidate(
    act: StockAct, ids: Sequence[int], options: Options, by: Any, now: dt.datetime, mark: str
) -> Consolidated:
    """Consolidate in the caller's transaction."""
    items, locations = lock_stock(owner=act.owner, item_ids=ids)
    held = {pk: row for pk, row in items.items() if row.quantity > 0}
    if mark and mark != _mark(row for _, row in sorted(held.items())):
        raise StockChangedSince
    done = Consolidated(act)
    why = Why(by, now, Reason.CONSOLIDATE, CauseKind.ACT, options.override_reason)
    work = StockWork(act.owner, now, images=Images())
    for plan, moves in _plans(held, locations, options):
        if plan.refusal is not None:
            done.refused.append(plan)
            continue
        target = plan.target
        work.see(target)
        for source, pieces in moves:
            work.see(source)
            work.loads.add(source.location_id, -pieces, source.piece_grams)
            work.loads.add(target.location_id, pieces, target.piece_grams)
            ends = (source.location_id, target.location_id)
            work.book(why, source, -pieces, *ends, act.pk)
            work.book(why, target, pieces, *ends, act.pk)
            source.quantity = 0
            if options.emptied == "delete":
                source.deleted_at = now
            work.change(source, "deleted_at")
        for name, value in plan.changes.items():
            setattr(target, name, value)
        target.quantity = plan.quantity
        work.change(target, *plan.changes)
        done.groups += 1
        done.emptied += len(plan.sources)
    work.write()
    keep(act, work.kept())
    return done


def _plans(
    rows: Mapping[int, InventoryItem], locations: Mapping[int, Location], options: Options
) -> Iterable[tuple[Plan, list[tuple[InventoryItem, int]]]]:
    """Yield each group's plan with the pieces that move; each sees the room that is left then."""
    for group in groups_of(rows.values()):
        free = {pk: available_item_count(location) for pk, location in locations.items()}
        target = target_of(
            group, wanted=options.target, chosen=frozenset(options.chosen), free=free
        )
        sources = [row for row in group if row is not target]
        to = locations.get(target.location_id or 0)
        says = {
            row.pk: remarks_in(
                row.remarks,
                was=_name(locations, row.location_id),
                becomes=_name(locations, target.location_id),
            )
            for row in sources
        }
        result = merged(
            target,
            sources,
            modes={**DEFAULTS, **options.modes},
            count_unpriced=options.count_unpriced,
            says=says,
        )
        quantity = target.quantity + sum(row.quantity for row in sources)
        plan = Plan(target, sources, result.changes, quantity, result.unpriced)
        plan.refusal = _refusal(plan, to, locations, options)
        yield plan, [(row, row.quantity) for row in sources]


def _refusal(
    plan: Plan, to: Location | None, locations: Mapping[int, Location], options: Options
) -> DomainError | None:
    """Count the pieces into the target's location, or return why they cannot go there."""
    if plan.quantity > LARGEST_QUANTITY:
        return Invalid(fields={"quantity": [f"would be more than {LARGEST_QUANTITY}"]})
    target = plan.target
    coming = sum(row.quantity for row in plan.sources if row.location_id != target.location_id)
    if to is not None and coming:
        refusal = refusal_of_location(
            to, coming, target.piece_grams, override=bool(options.override_reason)
        )
        if refusal is not None:
            return refusal
        count_in(to, coming, target.piece_grams)
    for row in plan.sources:
        left = locations.get(row.location_id or 0)
        if left is not None:
            count_in(left, -row.quantity, row.piece_grams)
        if to is not None and left is to:
            count_in(to, row.quantity, target.piece_grams)  # at the weight of the row that stays
    return None


def _name(locations: Mapping[int, Location], pk: int | None) -> str:
    found = locations.get(pk or 0)
    return "" if found is None else found.name


def _mark(rows: Iterable[InventoryItem]) -> str:
    """Return a mark of these rows that changes if one of them is changed, added or removed."""
    count, latest, total = 0, "", 0
    for row in rows:
        count += 1
        total += row.pk
        latest = max(latest, row.updated_at.isoformat())
    return f"{count}:{total}:{latest}"

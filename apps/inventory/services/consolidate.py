"""Merge rows of the same lot into one row, as one act."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.catalog.selectors.same_lots import same_lots
from apps.core.errors import DomainError, Invalid, ValueRefused
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun
from apps.inventory.models import CauseKind, InventoryItem, Reason
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
from apps.inventory.services._stock import Locked, count_in, lock_stock, refusal_of_location
from apps.inventory.services._work import StockWork
from apps.inventory.services.acts import Part, begin_act, do_act, keep, run_act
from apps.inventory.services.edits import LARGEST_QUANTITY
from apps.inventory.services.errors import StockChangedSince
from apps.locations.models import Location
from apps.locations.rules.fit import available_item_count
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.acts import Act, ActResult

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
class Group:
    """The plan of one group: the row kept, the rows merged into it, and any refusal."""

    target: InventoryItem
    sources: list[InventoryItem]
    changes: dict[str, Any]
    quantity: int
    unpriced: int
    refusal: DomainError | None = None


@dataclass(slots=True)
class Plan:
    """The plans of groups; how many groups and rows are consolidated; a mark of the rows.

    A dry run plans the first groups, and counts all of them.
    """

    groups: list[Group]
    group_count: int
    row_count: int
    mark: str

    def refusals(self) -> list[tuple[int, DomainError]]:
        """Return why groups stay as they are, by the id of the row that would be kept."""
        return [(one.target.pk, one.refusal) for one in self.groups if one.refusal is not None]


def consolidate_items(
    *,
    owner: User,
    item_ids: Iterable[int],
    options: Options,
    dry_run: bool = False,
    by: User,
    now: dt.datetime,
    mark: str = "",
) -> ActResult[Plan, KeptAct] | Job:
    """Consolidate the groups among these rows: at once up to 1,000 rows, by a job beyond.

    Groups whose target has not the room are refused, the others done. Raises
    StockChangedSince where the rows are not those of the dry run's `mark`, and Invalid
    where there is nothing to consolidate. Statements constant.
    """
    groups = _grouped_ids(owner, item_ids)
    if dry_run:
        shown = _Consolidate(KeptAct(owner=owner), groups[:MOST_SHOWN], options, by, now)
        plan = shown.dry_run()
        plan.group_count, plan.row_count = len(groups), sum(map(len, groups))
        return ActResult(plan, is_dry_run=True)
    if not groups:
        raise ValueRefused(
            fields={"items": ["no two of these rows have item, colour and condition in common"]}
        )
    with transaction.atomic():
        return do_act(
            begin_act(owner=owner, kind=ActKind.CONSOLIDATE, by=by, note=options.override_reason),
            job_kind=CONSOLIDATE_KIND,
            rows=sum(map(len, groups)),
            payload={"groups": groups, "options": asdict(options)},
            total=len(groups),
            do=lambda act: _Consolidate(act, groups, options, by, now, mark).do(),
        )


def run_consolidation(
    *,
    run: JobRun,
    act_id: int,
    groups: Sequence[Sequence[int]],
    options: Mapping[str, Any],
    by: User,
    clock: Clock,
) -> None:
    """Consolidate many groups, some 500 rows a transaction. Raises JobCancelled."""
    chosen = Options.read(options)
    # A checkpoint of the version before.
    run.state.setdefault("items", run.state.pop("groups", 0))

    def consolidate(act: KeptAct, some: Sequence[Sequence[int]], now: dt.datetime) -> Part:
        plan = _Consolidate(act, some, chosen, by, now).do()
        return plan.group_count, plan.refusals()

    run_act(
        run=run,
        act_id=act_id,
        rows=groups,
        message="Consolidating",
        do=consolidate,
        weigh=len,
        clock=clock,
    )


def _grouped_ids(owner: User, item_ids: Iterable[int]) -> list[list[int]]:
    """Return the ids of the groups of two rows and more that hold pieces."""
    ids = list(item_ids)
    if len(ids) > MOST:
        raise Invalid(fields={"items": [f"must be at most {MOST}"]})
    rows = list(
        InventoryItem.objects.owned_by(owner)
        .filter(pk__in=ids, quantity__gt=0)
        .only("pk", "lot_id", "condition", "sub_condition", "status")
    )
    same = same_lots(row.lot_id for row in rows)
    return [[row.pk for row in group] for group in groups_of(rows, same)]


@dataclass(frozen=True, slots=True)
class _Consolidate(Act[Locked, Plan]):
    act: KeptAct
    groups: Sequence[Sequence[int]]
    options: Options
    by: Any
    now: dt.datetime
    mark: str = ""

    def lock(self) -> Locked:
        items, locations = lock_stock(owner=self.act.owner, item_ids=chain(*self.groups))
        held = {pk: row for pk, row in items.items() if row.quantity > 0}
        if self.mark and self.mark != _mark(row for _, row in sorted(held.items())):
            raise StockChangedSince
        return held, locations

    def read(self) -> Locked:
        mine = InventoryItem.objects.owned_by(self.act.owner)
        rows = mine.filter(pk__in=list(chain(*self.groups))).order_by("pk")
        held = {row.pk: row for row in rows}
        wanted = {row.location_id for row in held.values()} - {None}
        places = Location.objects.owned_by(self.act.owner).filter(pk__in=wanted)
        return held, {row.pk: row for row in places}

    def plan(self, rows: Locked) -> Plan:
        """Plan each group; each sees the room that the ones before it leave."""
        held, locations = rows
        same = same_lots(row.lot_id for row in held.values())
        groups = [self._group(group, locations) for group in groups_of(held.values(), same)]
        rows_done = [1 + len(group.sources) for group in groups if group.refusal is None]
        return Plan(groups, len(rows_done), sum(rows_done), _mark(held.values()))

    def _group(self, group: Sequence[InventoryItem], locations: Mapping[int, Location]) -> Group:
        options = self.options
        free = {pk: available_item_count(location) for pk, location in locations.items()}
        target = target_of(
            group, wanted=options.target, chosen=frozenset(options.chosen), free=free
        )
        sources = [row for row in group if row is not target]
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
        if target.price_locked:
            result.changes.pop("price", None)
        elif any(row.price_locked for row in sources):
            result.changes["price_locked"] = True
        quantity = target.quantity + sum(row.quantity for row in sources)
        planned = Group(target, sources, result.changes, quantity, result.unpriced)
        planned.refusal = _refusal(planned, locations, options)
        return planned

    def write(self, rows: Locked, plan: Plan) -> None:
        options = self.options
        why = Why(self.by, self.now, Reason.CONSOLIDATE, CauseKind.ACT, options.override_reason)
        work = StockWork(self.act.owner, self.now, images=Images())
        for group in plan.groups:
            if group.refusal is not None:
                continue
            target = group.target
            work.see(target)
            for source in group.sources:
                work.see(source)
                pieces = source.quantity
                work.loads.add(source.location_id, -pieces, source.piece_grams)
                work.loads.add(target.location_id, pieces, target.piece_grams)
                ends = (source.location_id, target.location_id)
                work.book(why, source, -pieces, *ends, self.act.pk)
                work.book(why, target, pieces, *ends, self.act.pk)
                source.quantity = 0
                if options.emptied == "delete":
                    source.deleted_at = self.now
                work.change(source, "deleted_at")
            for name, value in group.changes.items():
                setattr(target, name, value)
            target.quantity = group.quantity
            work.change(target, *group.changes)
        work.write()
        keep(self.act, work.kept())


def _refusal(
    group: Group, locations: Mapping[int, Location], options: Options
) -> DomainError | None:
    """Count the pieces into the target's location, or return why they cannot go there."""
    to = locations.get(group.target.location_id or 0)
    if group.quantity > LARGEST_QUANTITY:
        return Invalid(fields={"quantity": [f"would be more than {LARGEST_QUANTITY}"]})
    target = group.target
    coming = sum(row.quantity for row in group.sources if row.location_id != target.location_id)
    if to is not None and coming:
        refusal = refusal_of_location(
            to, coming, target.piece_grams, override=bool(options.override_reason)
        )
        if refusal is not None:
            return refusal
        count_in(to, coming, target.piece_grams)
    for row in group.sources:
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

"""Plan locations of items, merge equal items, and move items to other batches."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.rules.states import aisle_of
from apps.batches.selectors import wanted_of
from apps.batches.services.acting import Acted, Plan, act_on, only_new
from apps.batches.services.items import MAX_PIECES
from apps.batches.services.selection import Chosen
from apps.catalog.selectors.same_lots import same_lots
from apps.core.errors import DomainError, ErrorCode, Invalid, StateConflict
from apps.core.money import money_text
from apps.inventory.rules.consolidation import Mode, Target, groups_of, merged, target_of
from apps.inventory.selectors.destinations import recommend_for_many
from apps.inventory.selectors.planned import planned_loads
from apps.locations.models import Location
from apps.lots.models import LOT_COLUMNS, ActKind

MOST_BATCHES: Final = 100
IN_STOCK: Final = "It is stowed: consolidate its stock in the inventory."
ALSO_AGREE: Final = ("price", "location", "comments", "remarks")


class SameBatch(DomainError):
    code = ErrorCode.VALUE_REFUSED
    message = "That is this batch itself. Choose another one."


class TooManyBatches(StateConflict):
    message = (
        "That would make {count} batches, {most} at most. Split by the first part of the name."
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Consolidation:
    """The row that remains, the merge of each field, and the fields that must be equal."""

    target: Target = Target.FULLEST
    modes: Mapping[str, Mode] = field(default_factory=dict)
    count_unpriced: bool = False
    also_agree: tuple[str, ...] = ()


def recommend_locations(
    *, batch: Batch, chosen: Chosen, replace: bool, dry_run: bool, by: User, now: dt.datetime
) -> Acted:
    """Plan the recommended location of each new item that has none (with `replace`, of all)."""

    def make(batch: Batch, items: list[BatchItem]) -> Plan:
        plan = Plan(kind=ActKind.RECOMMEND, note="")
        asked = [
            item
            for item in only_new(items, plan, "It is stowed already.")
            if replace or item.location_id is None
        ]
        places = recommend_for_many(
            owner=batch.owner,
            wanted=wanted_of(asked),
            planned=planned_loads(owner=batch.owner, besides=[item.pk for item in asked]),
        )
        names = dict(Location.objects.filter(pk__in=set(places.values())).values_list("pk", "name"))
        for item in asked:
            place = places.get(item.pk)
            if place is None:
                why = (
                    "The catalogue does not know it."
                    if item.lot_id is None
                    else "No bin has the room for it."
                )
                plan.refuse(item, why)
            elif place != item.location_id:
                plan.edits[item.pk] = {"location_id": place}
                before = item.location.name if item.location is not None else ""
                plan.show(item, quantity=item.quantity, before=before, after=names[place])
        plan.note = f"Locations of {len(plan.edits)} items planned"
        plan.figures = {
            "changed": len(plan.edits),
            "unchanged": len(items) - len(plan.edits) - len(plan.failed),
            "locations": len({one["location_id"] for one in plan.edits.values()}),
        }
        return plan

    return act_on(batch=batch, chosen=chosen, make=make, dry_run=dry_run, by=by, now=now)


def consolidate_batch(
    *,
    batch: Batch,
    chosen: Chosen,
    how: Consolidation,
    dry_run: bool,
    by: User,
    now: dt.datetime,
) -> Acted:
    """Make one item of new ones of the same lot, by the rules of the inventory's consolidate."""

    def make(batch: Batch, items: list[BatchItem]) -> Plan:
        plan = Plan(kind=ActKind.CONSOLIDATE, note="")
        unpriced = 0
        new = only_new(items, plan, IN_STOCK)
        same = same_lots(item.lot_id for item in new)
        groups = _agreeing(groups_of(new, same), how.also_agree)
        for group in groups:
            target = target_of(group, wanted=how.target, chosen=frozenset(), free={})
            sources = [item for item in group if item is not target]
            quantity = sum(item.quantity for item in group)
            if quantity > MAX_PIECES:
                plan.refuse(target, f"It would hold more than {MAX_PIECES} pieces.")
                continue
            found = merged(
                target, sources, modes=how.modes, count_unpriced=how.count_unpriced, says={}
            )
            unpriced += found.unpriced
            plan.edits[target.pk] = {**found.changes, "quantity": quantity}
            plan.removed += sources
            plan.show(
                target,
                before=[
                    {"id": item.pk, "qty": item.quantity, "price": money_text(item.price)}
                    for item in group
                ],
                after={
                    "qty": quantity,
                    "price": money_text(found.changes.get("price", target.price)),
                },
                changes=sorted(found.changes),
            )
        plan.note = f"{len(plan.removed) + len(plan.edits)} items became {len(plan.edits)}"
        plan.figures = {"groups": len(plan.edits), "removed": len(plan.removed)}
        if unpriced:
            noun = "row has" if unpriced == 1 else "rows have"
            plan.warnings.append(
                f"{unpriced} {noun} no price: left out of the average."
                if not how.count_unpriced
                else f"{unpriced} {noun} no price: counted as 0."
            )
        return plan

    return act_on(batch=batch, chosen=chosen, make=make, dry_run=dry_run, by=by, now=now)


def split_by_location(
    *, batch: Batch, chosen: Chosen, by_aisle: bool, dry_run: bool, by: User, now: dt.datetime
) -> Acted:
    """Move the items of each location (or of each aisle) to a batch of their own.

    Items without a location remain. Raises TooManyBatches, and the errors of `act_on`.
    """

    def make(batch: Batch, items: list[BatchItem]) -> Plan:
        plan = Plan(kind=ActKind.SPLIT, note="")
        groups: defaultdict[str, list[BatchItem]] = defaultdict(list)
        sort_keys: dict[str, str] = {}
        for item in items:
            if item.location is None:
                plan.refuse(item, "It has no bin and stays.")
                continue
            name = aisle_of(item.location.name) if by_aisle else item.location.name
            groups[name].append(item)
            sort_keys.setdefault(name, item.location.sort_key)
        if len(groups) > MOST_BATCHES:
            raise TooManyBatches(count=len(groups), most=MOST_BATCHES)
        for name in sorted(groups, key=lambda name: sort_keys[name]):
            group = groups[name]
            made = Batch(
                owner=batch.owner,
                name=f"{batch.name[: NAME_LENGTH - len(name) - 3]} – {name}"[:NAME_LENGTH],
                description=batch.description,
                source=batch.source,
            )
            plan.made_batches.append(made)
            plan.into |= {item.pk: made for item in group}
            plan.rows.append(
                {
                    "id": group[0].pk,
                    "name": made.name,
                    "lots": len(group),
                    "items": sum(item.quantity for item in group),
                }
            )
        plan.note = f"{len(plan.into)} items split into {len(groups)} batches"
        plan.figures = {"batches": len(groups), "changed": len(plan.into)}
        if batch.cost_total is not None:
            plan.warnings.append("What the batch cost stays with it.")
        return plan

    return act_on(batch=batch, chosen=chosen, make=make, dry_run=dry_run, by=by, now=now)


def move_to_batch(
    *,
    batch: Batch,
    chosen: Chosen,
    to: Batch,
    copy: bool,
    dry_run: bool,
    by: User,
    now: dt.datetime,
) -> Acted:
    """Move items to another batch without changing their state; `copy` creates new ones there.

    Raises SameBatch (not for copies), and the errors of `act_on` for both batches.
    """
    if to.pk == batch.pk and not copy:
        raise SameBatch

    def make(batch: Batch, items: list[BatchItem]) -> Plan:
        plan = Plan(kind=ActKind.COPY if copy else ActKind.MOVE, note="")
        for item in items:
            if copy:
                plan.made.append(_copy_of(item, to))
            else:
                plan.edits[item.pk] = {"batch_id": to.pk}
            plan.show(item, quantity=item.quantity)
        verb = "copied" if copy else "moved"
        plan.note = f"{len(items)} items {verb} to “{to.name}”"
        plan.figures = {
            "changed": len(items),
            "items": sum(item.quantity for item in items),
            "to_batch_id": to.pk,
        }
        if copy and any(item.is_stowed for item in items):
            plan.warnings.append("Copies of stowed items are new: their pieces are not in stock.")
        return plan

    return act_on(
        batch=batch, chosen=chosen, make=make, also=[to.pk], dry_run=dry_run, by=by, now=now
    )


def merge_batch(*, batch: Batch, to: Batch, dry_run: bool, by: User, now: dt.datetime) -> Acted:
    """Move all items of a batch, its cost, weight and foreign pieces to another; archive the first.

    Raises SameBatch, and the errors of `act_on` for both batches.
    """
    if to.pk == batch.pk:
        raise SameBatch

    def make(batch: Batch, items: list[BatchItem]) -> Plan:
        target = Batch.objects.get(pk=to.pk)  # locked by now, so its sums are the last
        plan = Plan(kind=ActKind.MERGE, note=f"Merged into “{target.name}”")
        plan.edits = {item.pk: {"batch_id": to.pk} for item in items}
        mine: dict[str, Any] = {"is_archived": True, "archived_at": now}
        theirs: dict[str, Any] = {}
        for name in ("cost_total", "gross_weight_grams", "foreign_count"):
            carried = getattr(batch, name)
            if carried is not None:
                mine[name] = None
                theirs[name] = (getattr(target, name) or 0) + carried
        plan.batches = {batch.pk: mine}
        if theirs:
            plan.batches[to.pk] = theirs
        cost = theirs.get("cost_total", target.cost_total)
        plan.figures = {
            "changed": len(items),
            "items": sum(item.quantity for item in items),
            "to_batch_id": to.pk,
            "cost_total": None if cost is None else f"{cost:.4f}",
        }
        if batch.source_id != target.source_id and batch.cost_total is not None:
            plan.warnings.append(
                "The two batches have different sources: the cost counts for the other's from now."
            )
        return plan

    return act_on(
        batch=batch,
        chosen=Chosen(),
        make=make,
        also=[to.pk],
        dry_run=dry_run,
        by=by,
        now=now,
    )


def _agreeing(groups: list[list[BatchItem]], names: tuple[str, ...]) -> list[list[BatchItem]]:
    """Return the groups taken apart where their rows differ in `names` too."""
    if unknown := set(names) - set(ALSO_AGREE):
        raise Invalid(fields={"also_agree": [f"has no {', '.join(sorted(unknown))}"]})
    columns = ["location_id" if name == "location" else name for name in names]
    found = []
    for group in groups:
        parts: defaultdict[tuple[Any, ...], list[BatchItem]] = defaultdict(list)
        for item in group:
            parts[tuple(getattr(item, column) for column in columns)].append(item)
        found += [part for part in parts.values() if len(part) > 1]
    return found


# What another lot on the marketplace, sold or listed, is no longer true of a copy.
_NOT_COPIED: Final = frozenset({"marketplace_lot_id", "date_added", "date_last_sold"})


def _copy_of(item: BatchItem, to: Batch) -> BatchItem:
    fields = {name: getattr(item, name) for name in LOT_COLUMNS if name not in _NOT_COPIED}
    copy = BatchItem(
        owner_id=item.owner_id,
        batch=to,
        quantity=item.quantity,
        location_id=item.location_id,
        **fields,
    )
    copy.lot = item.lot  # the log names it
    return copy

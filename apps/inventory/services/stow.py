"""Put quantities of lots into locations, take them out again, correct them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q

from apps.core.bulk import plain, update_rows
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, Invalid
from apps.inventory.models import CauseKind, InventoryItem, Reason
from apps.inventory.rules.stacking import Stacks, remarks_in, stack_key, unlisted_key
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import (
    AT_ONCE,
    Loads,
    add_quantities,
    catalogue_weights,
    count_in,
    insert_items,
    lock_stock,
    piece_grams_of,
    refusal_of_location,
    refusal_of_promised,
)
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.locations.services import rooms
from apps.locations.services.errors import LocationGone
from apps.lots.models import LotFields


@dataclass(frozen=True, slots=True, kw_only=True)
class StowLine:
    """A quantity of the lot that `fields` describes, to stow into a location.

    `returning` of the pieces were removed from that location in the same transaction, to correct
    them. They return even if the location is over its limits.
    """

    fields: LotFields
    location_id: int
    quantity: int
    cause_id: int | None = None
    returning: int = 0


@dataclass(frozen=True, slots=True)
class Stowed:
    line: StowLine
    item_id: int
    movement_id: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class NotStowed:
    line: StowLine
    refusal: DomainError


@dataclass(slots=True)
class StowResult:
    """The pieces stowed, the lines refused with the reason, and the lots of unknown weight."""

    stowed: list[Stowed] = field(default_factory=list)
    refused: list[NotStowed] = field(default_factory=list)
    weight_unknown: list[StowLine] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeLine:
    """A quantity to remove from a row. With `for_buyer` it is the promised quantity."""

    item_id: int
    quantity: int
    cause_id: int | None = None
    for_buyer: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    line: TakeLine
    movement_id: int


@dataclass(frozen=True, slots=True)
class NotTaken:
    line: TakeLine
    refusal: DomainError


@dataclass(slots=True)
class TakeResult:
    taken: list[Taken] = field(default_factory=list)
    refused: list[NotTaken] = field(default_factory=list)


@dataclass(slots=True)
class _Target:
    """The row that lines are added to: an existing row or a new one."""

    item_id: int | None
    piece_grams: Decimal | None
    fields: LotFields
    location_id: int
    remarks: str
    price: Decimal | None
    quantity: int = 0
    is_priced_now: bool = False


def stow_into(
    *,
    owner: Any,
    lines: Sequence[StowLine],
    by: Any,
    now: dt.datetime,
    cause_kind: str = CauseKind.BATCH_ITEM,
    reason: str = Reason.STOW,
    override_reason: str = "",
    all_or_nothing: bool = False,
) -> StowResult:
    """Stow each line into its location: add it to a matching row, or create a row.

    Lines that do not fit are in `refused` and the others are stowed; with `all_or_nothing` the
    first refusal is raised and nothing is stowed. `override_reason` overrides all limits except
    "marked full", and is stored in the ledger. Raises Invalid, LocationFull, LocationGone.
    """
    _check_quantities(lines)
    why = Why(by, now, reason, cause_kind, override_reason)
    result = StowResult()
    with transaction.atomic():
        # All locations first: parts that lock one after the other could wait in a circle.
        if len(lines) > AT_ONCE:
            rooms.locked(owner=owner, location_ids={line.location_id for line in lines})
        for start in range(0, len(lines), AT_ONCE):
            part = lines[start : start + AT_ONCE]
            _stow(owner, part, why, result, bool(override_reason), all_or_nothing)
    return result


def _stow(
    owner: Any,
    lines: Sequence[StowLine],
    why: Why,
    result: StowResult,
    override: bool,
    all_or_nothing: bool,
) -> None:
    locations = rooms.locked(owner=owner, location_ids={line.location_id for line in lines})
    targets = _agreeing_rows(owner, lines, of_batch=why.cause_kind == CauseKind.BATCH_ITEM)
    weights = catalogue_weights(line.fields.lot_id for line in lines)
    accepted: list[tuple[StowLine, _Target]] = []
    loads = Loads()
    for line in lines:
        location = locations.get(line.location_id)
        if location is None:
            _refuse(result, line, LocationGone(), all_or_nothing)
            continue
        remarks = remarks_in(line.fields.remarks, was="", becomes=location.name)
        key = (line.location_id, *stack_key(line.fields, remarks=remarks))
        price = line.fields.price
        there = targets.find(key, price)
        target = there or _Target(
            None,
            piece_grams_of(line.fields, weights),
            line.fields,
            line.location_id,
            remarks,
            price,
        )
        coming = line.quantity - line.returning
        # Returning pieces are counted first: additional ones must fit into the remaining capacity.
        count_in(location, line.returning, target.piece_grams)
        refusal = (
            refusal_of_location(location, coming, target.piece_grams, override=override)
            if coming > 0
            else None
        )
        if refusal is not None:
            count_in(location, -line.returning, target.piece_grams)
            _refuse(result, line, refusal, all_or_nothing)
            continue
        if there is None:
            targets.add(key, target)
        elif target.price is None and price is not None:
            target.price, target.is_priced_now = price, True
        target.quantity += line.quantity
        # Lines of one call see each other's room.
        count_in(location, coming, target.piece_grams)
        loads.add(line.location_id, line.quantity, target.piece_grams)
        if target.piece_grams is None:
            result.weight_unknown.append(line)
        accepted.append((line, target))
    if accepted:
        back = {line.location_id for line, _ in accepted if line.returning}
        sums = loads.by_location
        rooms.change_rooms(loads={pk: load for pk, load in sums.items() if pk in back})
        if others := {pk: load for pk, load in sums.items() if pk not in back}:
            rooms.take_rooms(loads=others, override=override)
        _write(owner, accepted, why, result)


def _write(
    owner: Any, accepted: list[tuple[StowLine, _Target]], why: Why, result: StowResult
) -> None:
    targets = list({id(target): target for _, target in accepted}.values())
    new = [target for target in targets if target.item_id is None]
    old = [target for target in targets if target.item_id is not None]
    made = insert_items(
        owner=owner,
        rows=[(t.fields, t.location_id, t.quantity, t.piece_grams, t.remarks) for t in new],
        now=why.now,
    )
    for target, item_id in zip(new, made, strict=True):
        target.item_id = item_id
    priced = [(_id_of(t), plain(t.price)) for t in targets if t.is_priced_now]
    if priced:
        update_rows(InventoryItem, ("price",), priced)
    add_quantities([(t.item_id, t.quantity) for t in old if t.item_id is not None], why.now)
    movements = record(
        [
            Entry(_id_of(target), line.quantity, None, line.location_id, line.cause_id)
            for line, target in accepted
        ],
        why,
    )
    are_new = set(made)
    for (line, target), movement_id in zip(accepted, movements, strict=True):
        item_id = _id_of(target)
        result.stowed.append(Stowed(line, item_id, movement_id, item_id in are_new))


def take_out(
    *,
    owner: Any,
    lines: Sequence[TakeLine],
    by: Any,
    now: dt.datetime,
    cause_kind: str = CauseKind.BATCH_ITEM,
    reason: str = Reason.REMOVE,
    note: str = "",
    all_or_nothing: bool = False,
) -> TakeResult:
    """Remove quantities from rows. Emptied rows remain in their location, at 0.

    Lines that a row cannot serve are in `refused` and the others are done; with `all_or_nothing`
    the first refusal (NotEnoughInStock, ItemGone) is raised and nothing is done.
    """
    _check_quantities(lines)
    why = Why(by, now, reason, cause_kind, note)
    result = TakeResult()
    with transaction.atomic():
        items, _ = lock_stock(owner=owner, item_ids=[line.item_id for line in lines])
        for start in range(0, len(lines), AT_ONCE):
            _take(lines[start : start + AT_ONCE], items, why, result, all_or_nothing)
    return result


def _take(
    lines: Sequence[TakeLine],
    items: dict[int, InventoryItem],
    why: Why,
    result: TakeResult,
    all_or_nothing: bool,
) -> None:
    accepted: list[TakeLine] = []
    deltas: dict[int, int] = {}
    loads = Loads()
    for line in lines:
        item = items.get(line.item_id)
        refusal: DomainError | None = None
        if item is None:
            refusal = ItemGone()
        elif item.quantity < line.quantity:
            refusal = NotEnoughInStock(have=item.quantity, wanted=line.quantity)
        elif not line.for_buyer:
            refusal = refusal_of_promised(item, line.quantity)
        if item is None or refusal is not None:
            if all_or_nothing and refusal is not None:
                raise refusal
            result.refused.append(NotTaken(line, refusal or ItemGone()))
            continue
        item.quantity -= line.quantity
        deltas[item.pk] = deltas.get(item.pk, 0) - line.quantity
        loads.add(item.location_id, -line.quantity, item.piece_grams)
        accepted.append(line)
    if not accepted:
        return
    add_quantities(list(deltas.items()), why.now)
    rooms.change_rooms(loads=loads.by_location)
    movements = record(
        [
            Entry(
                line.item_id, -line.quantity, items[line.item_id].location_id, None, line.cause_id
            )
            for line in accepted
        ],
        why,
    )
    result.taken += [Taken(line, pk) for line, pk in zip(accepted, movements, strict=True)]


def _agreeing_rows(owner: Any, lines: Sequence[StowLine], *, of_batch: bool) -> Stacks[_Target]:
    """Lock the rows that lines may top up, by (location, *stack_key), oldest first.

    Pieces of a batch can also be added to a row that is for sale: the batch item records that
    they are not listed yet. Other pieces have no such record and get a row of their own.
    """
    lots = {line.fields.lot_id for line in lines if line.fields.lot_id is not None}
    numbers = {line.fields.raw_item_number for line in lines if line.fields.lot_id is None}
    rows = lock_in_order(
        InventoryItem.objects.owned_by(owner)
        .filter(location_id__in={line.location_id for line in lines})
        .filter(Q(lot_id__in=lots) | Q(lot=None, raw_item_number__in=numbers))
    )
    found = Stacks[_Target]()
    targets = [
        _Target(row.pk, row.piece_grams, row, row.location_id or 0, row.remarks, row.price)
        for row in rows
    ]
    for row, target in zip(rows, targets, strict=True):
        found.add((row.location_id, *stack_key(row)), target)
    if of_batch:
        for row, target in zip(rows, targets, strict=True):
            if row.marketplace_lot_id is not None:
                found.add((row.location_id, *unlisted_key(row)), target)
    return found


def _refuse(result: StowResult, line: StowLine, refusal: DomainError, all_or_nothing: bool) -> None:
    if all_or_nothing:
        raise refusal
    result.refused.append(NotStowed(line, refusal))


def _check_quantities(lines: Sequence[StowLine] | Sequence[TakeLine]) -> None:
    if any(line.quantity < 1 for line in lines):
        raise Invalid(fields={"quantity": ["must be at least 1"]})


def _id_of(target: _Target) -> int:
    assert target.item_id is not None
    return target.item_id

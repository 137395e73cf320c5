"""Put quantities of lots into locations, take them out again, correct them."""

import datetime as dt
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q

from apps.accounts.models import User
from apps.catalog.selectors.same_lots import same_lots
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, Invalid
from apps.core.many import Refused
from apps.inventory.models import CauseKind, InventoryItem, Reason
from apps.inventory.rules.stacking import StackKey, Stacks, remarks_in, stack_key, unlisted_key
from apps.inventory.services._ledger import Why
from apps.inventory.services._stock import (
    AT_ONCE,
    catalogue_weights,
    count_in,
    lock_stock,
    piece_grams_of,
    refusal_of_location,
    refusal_of_promised,
)
from apps.inventory.services._work import NewRow, Row, StockWork
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


@dataclass(slots=True)
class StowResult:
    """The pieces stowed, the lines refused with the reason, and the lots of unknown weight."""

    stowed: list[Stowed] = field(default_factory=list)
    refused: list[Refused[StowLine]] = field(default_factory=list)
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


@dataclass(slots=True)
class TakeResult:
    taken: list[Taken] = field(default_factory=list)
    refused: list[Refused[TakeLine]] = field(default_factory=list)


def stow_into(
    *,
    owner: User,
    lines: Sequence[StowLine],
    by: User,
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
        # Lock all locations up front: locking part by part can deadlock.
        if len(lines) > AT_ONCE:
            rooms.locked(owner=owner, location_ids={line.location_id for line in lines})
        for start in range(0, len(lines), AT_ONCE):
            part = lines[start : start + AT_ONCE]
            _stow(owner, part, why, result, bool(override_reason), all_or_nothing)
    return result


def _stow(
    owner: User,
    lines: Sequence[StowLine],
    why: Why,
    result: StowResult,
    override: bool,
    all_or_nothing: bool,
) -> None:
    locations = rooms.locked(owner=owner, location_ids={line.location_id for line in lines})
    targets = Stacks[Row]()
    of_batch = why.cause_kind == CauseKind.BATCH_ITEM
    same = same_lots(line.fields.lot_id for line in lines)
    for key, row in _agreeing_rows(owner, lines, same, of_batch=of_batch):
        targets.add(key, row)
    weights = catalogue_weights(line.fields.lot_id for line in lines)
    work = StockWork(owner, why.now)
    accepted: list[tuple[StowLine, Row]] = []
    for line in lines:
        location = locations.get(line.location_id)
        if location is None:
            _refuse(result, line, LocationGone(), all_or_nothing)
            continue
        remarks = remarks_in(line.fields.remarks, was="", becomes=location.name)
        key = (line.location_id, *stack_key(line.fields, same=same, remarks=remarks))
        price = line.fields.price
        there = targets.find(key, price)
        grams = piece_grams_of(line.fields, weights) if there is None else there.piece_grams
        # Returning pieces are counted first: additional ones must fit into the remaining capacity.
        count_in(location, line.returning, grams)
        coming = line.quantity - line.returning
        refusal = (
            refusal_of_location(location, coming, grams, override=override) if coming > 0 else None
        )
        if refusal is not None:
            count_in(location, -line.returning, grams)
            _refuse(result, line, refusal, all_or_nothing)
            continue
        # Lines of one call see each other's room.
        count_in(location, coming, grams)
        if there is None:
            # A copy: a later line may give the row its price.
            there = NewRow(copy(line.fields), line.location_id, remarks, grams)
            work.make(there)
            targets.add(key, there)
        elif there.price is None and price is not None:
            there.price = price
            if isinstance(there, InventoryItem):
                work.change(there, "price")
        work.add(why, there, line.quantity, line.cause_id)
        if grams is None:
            result.weight_unknown.append(line)
        accepted.append((line, there))
    result.stowed += [
        Stowed(line, row.pk, movement_id, isinstance(row, NewRow))
        for (line, row), movement_id in zip(accepted, work.write(), strict=True)
    ]


def take_out(
    *,
    owner: User,
    lines: Sequence[TakeLine],
    by: User,
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
            _take(owner, lines[start : start + AT_ONCE], items, why, result, all_or_nothing)
    return result


def _take(
    owner: User,
    lines: Sequence[TakeLine],
    items: dict[int, InventoryItem],
    why: Why,
    result: TakeResult,
    all_or_nothing: bool,
) -> None:
    work = StockWork(owner, why.now)
    accepted: list[TakeLine] = []
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
            result.refused.append(Refused(line, refusal or ItemGone()))
            continue
        work.add(why, item, -line.quantity, line.cause_id)
        accepted.append(line)
    # The caller releases the promises of a buyer's lines; the others touch no promised piece.
    movements = work.write(promises_follow=False)
    result.taken += [Taken(line, pk) for line, pk in zip(accepted, movements, strict=True)]


def _agreeing_rows(
    owner: User, lines: Sequence[StowLine], same: Mapping[int, int], *, of_batch: bool
) -> list[tuple[StackKey, InventoryItem]]:
    """Lock the rows that lines may top up; return them by (location, *stack_key), oldest first.

    Pieces of a batch can also be added to a row that is for sale: the batch item records that
    they are not listed yet. Other pieces have no such record and get a row of their own.
    """
    numbers = {line.fields.raw_item_number for line in lines if line.fields.lot_id is None}
    rows = lock_in_order(
        InventoryItem.objects.owned_by(owner)
        .filter(location_id__in={line.location_id for line in lines})
        .filter(Q(lot_id__in=same) | Q(lot=None, raw_item_number__in=numbers))
    )
    for_sale = [row for row in rows if of_batch and row.marketplace_lot_id is not None]
    return [
        *(((row.location_id, *stack_key(row, same=same)), row) for row in rows),
        *(((row.location_id, *unlisted_key(row, same=same)), row) for row in for_sale),
    ]


def _refuse(result: StowResult, line: StowLine, refusal: DomainError, all_or_nothing: bool) -> None:
    if all_or_nothing:
        raise refusal
    result.refused.append(Refused(line, refusal))


def _check_quantities(lines: Sequence[StowLine] | Sequence[TakeLine]) -> None:
    if any(line.quantity < 1 for line in lines):
        raise Invalid(fields={"quantity": ["must be at least 1"]})

"""Move stock between locations: whole rows or a part, one row or many."""

import datetime as dt
from collections.abc import Sequence
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
from apps.inventory.rules.stacking import Stacks, remarks_in, stack_key
from apps.inventory.services._images import Images
from apps.inventory.services._ledger import Why
from apps.inventory.services._stock import (
    AT_ONCE,
    count_in,
    lock_stock,
    refusal_of_location,
)
from apps.inventory.services._work import NewRow, Row, StockWork
from apps.inventory.services.acts import keep
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.locations.models import Location
from apps.locations.services.errors import LocationGone
from apps.lots.models import KeptAct


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveLine:
    """A quantity of a row (None: all of it) to a location (None: to no location)."""

    item_id: int
    to_location_id: int | None
    quantity: int | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """The row where the pieces are now: the same, the one that agreed there, or a new one."""

    line: MoveLine
    item_id: int


@dataclass(slots=True)
class MoveResult:
    moved: list[Moved] = field(default_factory=list)
    refused: list[Refused[MoveLine]] = field(default_factory=list)

    def refuse(self, lines: Sequence[MoveLine], refusal: DomainError) -> None:
        """Refuse all of these lines for one reason."""
        self.refused += [Refused(line, refusal) for line in lines]


def move_items(
    *,
    owner: User,
    lines: Sequence[MoveLine],
    by: User,
    now: dt.datetime,
    override_reason: str = "",
    all_or_nothing: bool = True,
    act: KeptAct | None = None,
) -> MoveResult:
    """Move pieces to a matching row of the target. Without one, a whole row moves itself.

    A row left behind at 0 keeps its location. The first refusal (LocationFull, LocationGone,
    NotEnoughInStock, ItemGone) is raised and nothing is moved; without `all_or_nothing`, refusals
    are in `refused`. With an `act`, the former rows are stored for its undo.
    """
    if any(line.quantity is not None and line.quantity < 1 for line in lines):
        raise Invalid(fields={"quantity": ["must be at least 1"]})
    result = MoveResult()
    cause = CauseKind.MOVE if act is None else CauseKind.ACT
    why = Why(by, now, Reason.MOVE, cause, override_reason)
    images = Images()
    with transaction.atomic():
        items, locations = lock_stock(
            owner=owner,
            item_ids=[line.item_id for line in lines],
            location_ids=[line.to_location_id for line in lines],
        )
        for start in range(0, len(lines), AT_ONCE):
            part = _Part(owner, items, locations, why, images, act)
            part.find_targets(lines[start : start + AT_ONCE])
            for line in lines[start : start + AT_ONCE]:
                refusal = part.move(line)
                if refusal is None:
                    continue
                if all_or_nothing:
                    raise refusal
                result.refused.append(Refused(line, refusal))
            part.write()
            result.moved += [Moved(line, row.pk) for line, row in part.ends]
        if act is not None:
            keep(act, images.kept())
    return result


class _Part(StockWork):
    """Up to 500 lines: worked out in memory on locked rows, then written at once."""

    def __init__(
        self,
        owner: User,
        items: dict[int, InventoryItem],
        locations: dict[int, Location],
        why: Why,
        images: Images,
        act: KeptAct | None,
    ) -> None:
        super().__init__(owner, why.now, images=images)
        self.act_id = None if act is None else act.pk
        self.items = items
        self.locations = locations
        self.why = why
        self.override = bool(why.note)
        self.targets = Stacks[Row]()
        self.same: dict[int, int] = {}
        self.ends: list[tuple[MoveLine, Row]] = []

    def find_targets(self, lines: Sequence[MoveLine]) -> None:
        """Lock the rows that may take what comes. Their locations are locked already."""
        sources = [self.items[line.item_id] for line in lines if line.item_id in self.items]
        self.same = same_lots(source.lot_id for source in sources)
        rows = (
            InventoryItem.objects.owned_by(self.owner)
            .filter(location_id__in={line.to_location_id for line in lines} - {None})
            .filter(condition__in={source.condition for source in sources})
            .filter(
                Q(lot_id__in=self.same)
                | Q(lot=None, raw_item_number__in={s.raw_item_number for s in sources})
            )
        )
        for row in lock_in_order(rows):
            known = self.items.setdefault(row.pk, row)
            self.targets.add((known.location_id, *stack_key(known, same=self.same)), known)

    def move(self, line: MoveLine) -> DomainError | None:
        """Work out one line; return why not, with nothing changed."""
        item = self.items.get(line.item_id)
        if item is None:
            return ItemGone()
        quantity = item.quantity if line.quantity is None else line.quantity
        from_id, to_id = item.location_id, line.to_location_id
        if quantity > item.quantity:
            return NotEnoughInStock(have=item.quantity, wanted=quantity)
        if to_id is not None and to_id not in self.locations:
            return LocationGone()
        if to_id == from_id:
            self.ends.append((line, item))
            return None
        came_from = None if from_id is None else self.locations[from_id]
        to = None if to_id is None else self.locations[to_id]
        remarks = remarks_in(
            item.remarks, was=came_from.name if came_from else "", becomes=to.name if to else ""
        )
        key = (to_id, *stack_key(item, same=self.same, remarks=remarks))
        target = self.targets.find(key, item.price)
        grams = item.piece_grams if target is None else target.piece_grams
        if to is not None:
            refusal = refusal_of_location(to, quantity, grams, override=self.override)
            if refusal is not None:
                return refusal
            count_in(to, quantity, grams)
        if came_from is not None:
            count_in(came_from, -quantity, item.piece_grams)
        self.loads.add(from_id, -quantity, item.piece_grams)
        self.loads.add(to_id, quantity, grams)
        self.see(item)
        if target is not None:
            self.see(target)
        if target is None and quantity == item.quantity:
            # The row itself moves and keeps its listing, dates and history.
            item.location_id, item.remarks = to_id, remarks
            target = item
            self.targets.add(key, target)
        elif target is None:
            # A copy: the row that the part comes from keeps its price.
            target = NewRow(copy(item), to_id, remarks, grams)
            self.targets.add(key, target)
            self.make(target)
        elif target.price is None:
            target.price = item.price
        if target is not item:
            item.quantity -= quantity
            target.quantity += quantity
        for row, pieces in ((item, -quantity), (target, quantity)):
            if isinstance(row, InventoryItem):
                self.change(row, "location_id", "remarks", "price")
            if quantity:
                self.book(self.why, row, pieces, from_id, to_id, self.act_id)
        self.ends.append((line, target))
        return None

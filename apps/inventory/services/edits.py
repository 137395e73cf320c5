"""Edit many rows of stock in a constant number of statements."""

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, TypeVar

from django.db import transaction

from apps.accounts.models import User
from apps.core.errors import Conflict, DomainError, Invalid
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.models import CauseKind, InventoryItem, Reason
from apps.inventory.rules.file_columns import STOCK_COLUMNS
from apps.inventory.rules.stacking import as_it_came, remarks_in
from apps.inventory.services._images import Images
from apps.inventory.services._ledger import Why, reasons
from apps.inventory.services._stock import (
    catalogue_weights,
    count_in,
    lock_stock,
    piece_grams_of,
    refusal_of_location,
    refusal_of_promised,
)
from apps.inventory.services._work import StockWork
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.locations.models import Location
from apps.locations.services.errors import LocationGone
from apps.lots.models import LOT_COLUMNS, NO_RAW_IDENTITY

LARGEST_QUANTITY: Final = 2_147_483_647
Key = TypeVar("Key", bound=Hashable)
EDITABLE: Final = frozenset(LOT_COLUMNS) | {"location_id", *STOCK_COLUMNS}
_TOLD_BY: Final = frozenset({"lot_id", "raw_color_id", "condition"})
_WEIGHED_BY: Final = frozenset({"lot_id", "unit_weight_grams"})


@dataclass(frozen=True, kw_only=True, slots=True)
class StockEdit:
    """The changes to one row: fields, location and number of pieces.

    `quantity` sets the number of pieces instead of adding to it. The edit is refused if the row
    changed after `seen_at`. With `is_passing` the caller moves the pieces on in the same
    transaction: the limits of the row's location do not apply.
    """

    item_id: int
    changes: Mapping[str, Any] = field(default_factory=dict)
    delta: int = 0
    quantity: int | None = None
    cause_id: int | None = None
    seen_at: dt.datetime | None = None
    note: str = ""
    override_reason: str = ""
    is_passing: bool = False


@dataclass(frozen=True, slots=True)
class _Act:
    """The values that all edits of one call share."""

    by: Any
    now: dt.datetime
    cause_kind: str
    more: str
    fewer: str


def hold_stock(
    *, owner: User, item_ids: Iterable[int], location_ids: Iterable[int | None] = ()
) -> None:
    """Lock rows and locations for several changes that follow in the caller's transaction.

    Raises StockBusy.
    """
    lock_stock(owner=owner, item_ids=item_ids, location_ids=location_ids)


def edit_rows(
    *,
    owner: User,
    edits: Mapping[Key, StockEdit],
    by: User,
    now: dt.datetime,
    cause_kind: str = CauseKind.PERSON,
    more: str = Reason.EDIT,
    fewer: str = Reason.EDIT,
    images: Images | None = None,
) -> dict[Key, DomainError]:
    """Do each edit that can be done, in order, and return why the others cannot.

    Edits of the same row follow one another; all see the room that those before them took. A new
    location gets the whole row, merged with nothing. `more` and `fewer` are the reasons that the
    ledger gives for pieces that come and go; `images` collects the rows for an act.
    """
    if unknown := {name for edit in edits.values() for name in edit.changes} - EDITABLE:
        raise Invalid(fields={name: ["cannot be changed"] for name in sorted(unknown)})
    if not edits:
        return {}
    with transaction.atomic(savepoint=False):  # a refused row is never written
        items, locations = lock_stock(
            owner=owner,
            item_ids=[edit.item_id for edit in edits.values()],
            location_ids=[edit.changes.get("location_id") for edit in edits.values()],
        )
        work = _Work(
            owner,
            items,
            locations,
            _weights_for(edits.values(), items),
            _Act(by, now, cause_kind, more, fewer),
            images,
        )
        refused: dict[Key, DomainError] = {}
        for key, edit in edits.items():
            refusal = work.do(edit)
            if refusal is not None:
                refused[key] = refusal
        work.write()
    return refused


class _Work(StockWork):
    """Edits worked out in memory on locked rows and locations, then written at once."""

    def __init__(
        self,
        owner: User,
        items: dict[int, InventoryItem],
        locations: dict[int, Location],
        weights: dict[int, Decimal],
        act: _Act,
        images: Images | None,
    ) -> None:
        super().__init__(owner, act.now, images=images)
        self.items = items
        self.locations = locations
        self.weights = weights
        self.act = act

    def do(self, edit: StockEdit) -> DomainError | None:
        """Work out one edit; return why not, with nothing changed."""
        row = self.items.get(edit.item_id)
        if row is None:
            return ItemGone()
        if edit.seen_at is not None and row.updated_at != edit.seen_at:
            return Conflict(row_id=row.pk)
        quantity = row.quantity + edit.delta if edit.quantity is None else edit.quantity
        if quantity < 0:
            return NotEnoughInStock(have=row.quantity, wanted=-edit.delta)
        if edit.quantity is None and (kept := refusal_of_promised(row, -edit.delta)) is not None:
            return kept
        if quantity > LARGEST_QUANTITY:
            return Invalid(fields={"quantity": [f"must be from 0 to {LARGEST_QUANTITY}"]})
        to = edit.changes.get("location_id", row.location_id)
        if to is not None and to not in self.locations:
            return LocationGone()
        fields = self._fields(row, edit.changes, to)
        self.see(row)
        before = {name: getattr(row, name) for name in ("piece_grams", *fields)}
        was, had = row.location_id, row.quantity
        for name, value in fields.items():
            setattr(row, name, value)
        if _WEIGHED_BY & fields.keys():
            row.piece_grams = piece_grams_of(row, self.weights)
        row.location_id, row.quantity = to, quantity
        refusal = self._count(row, was, had, before["piece_grams"], edit)
        if refusal is not None:
            row.location_id, row.quantity = was, had
            for name, value in before.items():
                setattr(row, name, value)
            return refusal
        self._book(row, was, had, edit)
        self.change(row, *fields)
        if row.piece_grams != before["piece_grams"]:
            self.change(row, "piece_grams")
        if to != was:
            self.change(row, "location_id")
        return None

    def _fields(
        self, row: InventoryItem, changes: Mapping[str, Any], to: int | None
    ) -> dict[str, Any]:
        fields = {name: value for name, value in changes.items() if name != "location_id"}
        if fields.get("lot_id", row.lot_id) != row.lot_id:
            # The names that a file gave to the former lot do not apply to the new one.
            fields = {**NO_RAW_IDENTITY, **fields}
        if fields.get("condition", UNKNOWN_CONDITION) != UNKNOWN_CONDITION:
            fields["condition_text"] = ""
        is_unknown = row.lot_id is None or row.condition == UNKNOWN_CONDITION
        is_told = any(
            fields.get(name, getattr(row, name)) != getattr(row, name) for name in _TOLD_BY
        )
        if is_unknown and row.came_as is None and is_told:
            fields["came_as"] = as_it_came(row, self._name(row.location_id))
        if to != row.location_id and "remarks" not in fields:
            fields["remarks"] = remarks_in(
                row.remarks, was=self._name(row.location_id), becomes=self._name(to)
            )
        return fields

    def _count(
        self, row: InventoryItem, was: int | None, had: int, grams: Decimal | None, edit: StockEdit
    ) -> DomainError | None:
        """Move the row's pieces between the counters of its locations. Return the refusal, if any.

        Only pieces that are new to a location are checked against its limits: a full location
        still accepts a correction of the row's weight or number.
        """
        here = row.location_id
        stays = had if here == was else 0
        coming = row.quantity - stays
        if was is not None:
            count_in(self.locations[was], -had, grams)
        if here is not None:
            count_in(self.locations[here], stays, row.piece_grams)
        if here is not None and coming > 0 and not edit.is_passing:
            refusal = refusal_of_location(
                self.locations[here], coming, row.piece_grams, override=bool(edit.override_reason)
            )
            if refusal is not None:
                count_in(self.locations[here], -stays, row.piece_grams)
                if was is not None:
                    count_in(self.locations[was], had, grams)
                return refusal
        if here is not None:
            count_in(self.locations[here], coming, row.piece_grams)
        self.loads.add(was, -had, grams)
        self.loads.add(here, row.quantity, row.piece_grams)
        return None

    def _book(self, row: InventoryItem, was: int | None, had: int, edit: StockEdit) -> None:
        act, here = self.act, row.location_id
        note, delta = reasons(edit.note, edit.override_reason), row.quantity - had
        if here != was and had:
            # The cause of a move is the person, or the act that moved the row.
            kind, cause_id = CauseKind.PERSON, None
            if act.cause_kind == CauseKind.ACT:
                kind, cause_id = CauseKind.ACT, edit.cause_id
            why = Why(act.by, act.now, Reason.MOVE, kind, note)
            for pieces in (-had, had):
                self.book(why, row, pieces, was, here, cause_id)
        if delta:
            reason = act.more if delta > 0 else act.fewer
            why = Why(act.by, act.now, reason, act.cause_kind, note)
            came, went = (None, here) if delta > 0 else (here, None)
            self.book(why, row, delta, came, went, edit.cause_id)

    def _name(self, location_id: int | None) -> str:
        return "" if location_id is None else self.locations[location_id].name


def _weights_for(
    edits: Iterable[StockEdit], items: Mapping[int, InventoryItem]
) -> dict[int, Decimal]:
    """Return the catalogue's weights for rows that change their lot."""
    lots: set[int | None] = set()
    for edit in edits:
        row = items.get(edit.item_id)
        if row is not None and _WEIGHED_BY & edit.changes.keys():
            lots.add(edit.changes.get("lot_id", row.lot_id))
    return catalogue_weights(lots)

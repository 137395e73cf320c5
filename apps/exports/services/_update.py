"""The content of a mass update: how each lot differs from the values BrickLink last received."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, NamedTuple

import orjson
from django.db.models import Sum

from apps.exchange.bricklink_rows import in_batches
from apps.exchange.bricklink_update import LotChange
from apps.exchange.bsx_base import base_of
from apps.exchange.bsx_lot import AMOUNT_FIELDS, TIER_FIELDS, BsxLot
from apps.exchange.bsx_tags_out import WriteNotice
from apps.exchange.lot_ids import IDS_OF_FILES
from apps.exports.models import Export, Scope
from apps.inventory.models import FREE, RECEIVED_FIELDS, Channel, InventoryItem
from apps.inventory.rules.for_sale import SaleRule
from apps.inventory.selectors.channel_rules import category_of_lots, sale_rule_of
from apps.inventory.selectors.origins import lots_nobody_has, pieces_to_list
from apps.inventory.services.changes import change_of, not_for_sale, unsettled_fields
from apps.inventory.services.channels import channel_of_files, remote_ids_in_files
from apps.inventory.services.received import received_of, values_of

NOT_KNOWN: Final = (
    "It is not known what BrickLink last received of this lot: import the store's file once more, "
    "or choose the fields to send."
)
NOT_HERE: Final = "No row of your inventory is lot {lot_id} any more: the file deletes it."
NOT_DECIDED: Final = "It was changed here and in the store: decide first whose value stays."
NO_PRICE: Final = "The lot has no price, so BrickLink keeps the price that it has."
EXCLUDED: Final = "The lot is excluded."
ELSEWHERE: Final = "The lot is in a store at another marketplace: Sync sends its changes."


class SentLot(NamedTuple):
    """What a file sends of one lot."""

    lot_id: int
    #: The values that BrickLink has afterwards, if nothing else changes; None for a removal.
    values: dict[str, Any] | None
    #: The names of the values that are sent. None in files of an older version: all of them.
    fields: Sequence[str] | None = None
    #: Pieces more or fewer, where the file sends those.
    delta: int = 0

    @property
    def has_quantity(self) -> bool:
        """Whether the file sends how many pieces there are."""
        if self.values is None:
            return False
        return bool(self.delta) or self.fields is None or "quantity" in self.fields

    def onto(self, known: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return what BrickLink has after the file, where it had `known` before.

        Pieces sold since the file was written are sold there, too.
        """
        values = self.values or {}
        if known is None or self.fields is None:
            return values
        fresh = {name: known[name] for name in RECEIVED_FIELDS}
        fresh["quantity"] = max(known["quantity"] + self.delta, 0)
        return {**fresh, **{name: values[name] for name in self.fields}}


class UpdateOfStore:
    """Turns lots into changes of the store, and stores the values that the store has after them."""

    def __init__(self, export: Export, names: Iterable[str]) -> None:
        """Take the export; `names` are fields to send as they are, none is what differs."""
        self._export = export
        self._owner = export.owner
        self._names = tuple(names)
        #: Of each change that was given: the place of its lot, -1 for none.
        self.places: list[int] = []
        #: The notices and refusals of lots without a change.
        self.notices: list[WriteNotice] = []
        self.refused: list[WriteNotice] = []
        self.sent: list[SentLot] = []

    @cached_property
    def _channel(self) -> Channel:
        return channel_of_files(self._owner)

    @cached_property
    def _rule(self) -> SaleRule:
        return sale_rule_of(owner=self._owner, channel_id=self._channel.pk)

    @cached_property
    def _their_ids(self) -> dict[int, int]:
        return remote_ids_in_files(self._owner)

    def changes(self, lots: Iterable[BsxLot]) -> Iterator[LotChange]:
        """Yield the changes of lots that differ."""
        # A batch's own pieces are what its file is to add.
        waiting = pieces_to_list(owner=self._owner, but=self._export.batch_id)
        place = 0
        for some in in_batches(lots):
            ids = [lot.marketplace_lot_id for lot in some if lot.marketplace_lot_id]
            bases = received_of(owner=self._owner, lot_ids=ids, channel_id=self._channel.pk)
            stock, asked = self._stock(ids), unsettled_fields(owner=self._owner, lot_ids=ids)
            categories = category_of_lots(owner=self._owner, lot_ids=ids)
            for lot in some:
                lot_id = lot.marketplace_lot_id or 0
                received, free = bases.get(lot_id), stock.get(lot_id, lot.quantity)
                without = not_for_sale(
                    waiting.get(lot_id, {}),
                    free=free,
                    received=received["quantity"] if received else base_of(lot).quantity,
                )
                quantity = max(free - sum(without.values()), 0)
                category = categories.get(lot_id, lot.category_id)
                whole = replace(lot, quantity=quantity, category_id=category)
                change = self._change(
                    self._rule.lot_there(whole), received, place, asked.get(lot_id, set())
                )
                if change is not None:
                    self.places.append(place)
                    yield change
                place += 1
        yield from self._gone()

    def _stock(self, lot_ids: list[int]) -> dict[int, int]:
        """Return how many pieces the stock holds of a batch's lots: an item is a part of them."""
        if self._export.scope == Scope.INVENTORY and not self._export.options.get("item_ids"):
            return {}
        rows = InventoryItem.objects.owned_by(self._owner).filter(marketplace_lot_id__in=lot_ids)
        sums = rows.order_by().values("marketplace_lot_id").annotate(pieces=Sum(FREE))
        return dict(sums.values_list("marketplace_lot_id", "pieces"))

    def _change(
        self, lot: BsxLot, received: dict[str, Any] | None, place: int, asked: set[str]
    ) -> LotChange | None:
        lot_id = lot.marketplace_lot_id
        if lot_id is None:
            return None
        if self._id_of(lot_id) > IDS_OF_FILES[1]:
            self.refused.append(WriteNotice(place, "LOTID", ELSEWHERE))
            return None
        if lot.status == "X":
            self.refused.append(WriteNotice(place, "Status", EXCLUDED))
            return None
        known = {name: received[name] for name in RECEIVED_FIELDS} if received else None
        if self._names:
            change = self._as_is(lot)
            if "price" in self._names:
                old = None if known is None else known["price"]
                self._tell_price(lot, place)
                lot = replace(lot, price=old) if lot.price is None else lot
            if known is not None:
                fresh = values_of(lot)
                values = {**known, **{name: fresh[name] for name in self._fields}}
                self.sent.append(SentLot(lot_id, values, self._fields))
            return change
        if known is None and not lot.base:
            if lot.quantity > 0:
                self.notices.append(WriteNotice(place, "LOTID", NOT_KNOWN))
            return None
        old = base_of(lot).price if received is None else received["price"]
        if lot.quantity > 0 and old is not None:
            self._tell_price(lot, place)
        for name in sorted(asked):
            self.notices.append(WriteNotice(place, name.upper(), NOT_DECIDED))
        change, whole = change_of(lot, received, unsettled=asked)
        if change.is_empty:
            return None
        after = None if change.is_deleted else values_of(whole)
        self.sent.append(SentLot(lot_id, after, _fields_of(change), change.quantity_change or 0))
        return replace(change, marketplace_lot_id=self._id_of(lot_id))

    def _id_of(self, lot_id: int) -> int:
        """Return the id in files of a lot."""
        return self._their_ids.get(lot_id, lot_id)

    def _tell_price(self, lot: BsxLot, place: int) -> None:
        """Report that an update cannot remove a price."""
        if lot.price is None:
            self.notices.append(WriteNotice(place, "PRICE", NO_PRICE))

    @property
    def _fields(self) -> list[str]:
        return _received_names(self._names)

    def _as_is(self, lot: BsxLot) -> LotChange:
        values: dict[str, Any] = {
            name: getattr(lot, name) for name in self._names if name != "tiers"
        }
        if "tiers" in self._names:
            values["tiers"] = (lot.tq1, lot.tp1, lot.tq2, lot.tp2, lot.tq3, lot.tp3)
        return LotChange(marketplace_lot_id=self._id_of(lot.marketplace_lot_id or 0), **values)

    def _gone(self) -> Iterator[LotChange]:
        """Yield the removal of lots that nothing here is any more, such as consolidated ones."""
        options = self._export.options
        is_whole = (
            self._export.scope == Scope.INVENTORY
            and not self._names
            and not options.get("item_ids")
            and options.get("include_zero_quantity", True)
            and options.get("include_incomplete", True)
        )
        if not is_whole:
            return
        gone = lots_nobody_has(owner=self._owner).filter(
            channel=self._channel, remote_lot_id__lte=IDS_OF_FILES[1]
        )
        columns = ("marketplace_lot_id", "remote_lot_id")
        for lot_id, in_files in list(gone.order_by("pk").values_list(*columns)):
            self.places.append(-1)
            self.notices.append(WriteNotice(-1, "LOTID", NOT_HERE.format(lot_id=in_files)))
            self.sent.append(SentLot(lot_id, None))
            yield LotChange(marketplace_lot_id=in_files, is_deleted=True)


def _received_names(names: Iterable[str]) -> list[str]:
    """Return the fields of a received lot that an update's fields are."""
    plain = [name for name in names if name != "tiers"]
    return plain + (list(TIER_FIELDS) if "tiers" in names else [])


def _fields_of(change: LotChange) -> list[str]:
    """Return the fields of a received lot that a change sets."""
    names = {*RECEIVED_FIELDS, "tiers"} - {"quantity", *TIER_FIELDS}
    changed = [name for name in sorted(names) if getattr(change, name) is not None]
    return _received_names(changed if change.quantity is None else ["quantity", *changed])


def packed(sent: Iterable[SentLot]) -> bytes:
    """Return what a file sends, for the row of its export."""
    return zlib.compress(orjson.dumps([list(one) for one in sent], default=str), 1)


def unpacked(blob: bytes | memoryview) -> list[SentLot]:
    """Return the reverse of `packed`."""
    if not blob:
        return []
    return [
        SentLot(lot_id, values and _read(values), *rest) for lot_id, values, *rest in _loaded(blob)
    ]


def _loaded(blob: bytes | memoryview) -> Any:
    return orjson.loads(zlib.decompress(blob))


def _read(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: Decimal(value) if name in AMOUNT_FIELDS and value is not None else value
        for name, value in values.items()
    }

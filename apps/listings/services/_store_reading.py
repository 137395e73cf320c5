"""Which lots of the store and rows of the stock belong together, and which rows a sync is of."""

from collections.abc import Container, Iterable
from typing import Any

from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.batches.models import BatchItem
from apps.core.money import money_text
from apps.inventory.models import InventoryItem
from apps.listings.rules.listing import without_mark
from apps.listings.rules.stock_listing import MAYBE_THERE, THERE
from apps.marketplace.providers.lots import StoreLot, UnreadLot


def rows_of(owner: User, batch_id: int | None) -> QuerySet[Any]:
    """Return all stock rows, or those that a batch stowed and all rows that share their lots."""
    rows = InventoryItem.objects.owned_by(owner)
    if batch_id is None:
        return rows
    ids = BatchItem.objects.filter(batch_id=batch_id, is_stowed=True).values("inventory_item_id")
    lots = rows.filter(pk__in=ids, marketplace_lot_id__isnull=False).values("marketplace_lot_id")
    return rows.filter(Q(pk__in=ids) | Q(marketplace_lot_id__in=lots))


def key_of_lot(lot: StoreLot) -> tuple[Any, ...]:
    """Return the key that identifies a lot of the store, like `key_of_row` for rows."""
    return (
        lot.item_type,
        lot.number,
        lot.color_id,
        lot.condition,
        lot.completeness,
        money_text(lot.price),
        lot.stockroom,
        without_mark(lot.remarks),
    )


def tied_lots(owner: User) -> set[int]:
    """Return the lots of the store that rows here have."""
    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__isnull=False)
    return set(rows.order_by().values_list("marketplace_lot_id", flat=True))


class HiddenLots:
    """Lots of the store that no row here has (not `tied`) and that cannot be read, by item."""

    def __init__(self, lots: Iterable[StoreLot | UnreadLot], tied: Container[int]) -> None:
        self._lots = {
            lot.identity: lot
            for lot in lots
            if isinstance(lot, UnreadLot) and lot.lot_id not in tied
        }

    @property
    def items(self) -> list[tuple[str, str, int] | None]:
        """Return type, number and colour of the lots, None for one that may be any."""
        return list(self._lots)

    def one_of(self, key: Any) -> UnreadLot | None:
        """Return a lot that may hold the pieces of rows with this key, None where none may."""
        if key is None:
            return next(iter(self._lots.values()), None)
        return self._lots.get(None) or self._lots.get(key[:3])


class UntiedLots:
    """Lots of the store that no row here has: one of them may hold a row's pieces already."""

    def __init__(self, lots: Iterable[StoreLot | UnreadLot], tied: Container[int]) -> None:
        lots = list(lots)
        self._read = {
            key_of_lot(lot): lot.lot_id
            for lot in lots
            if isinstance(lot, StoreLot) and lot.lot_id not in tied
        }
        self._hidden = HiddenLots(lots, tied)

    def reason_against(self, row: InventoryItem) -> str:
        """Return why no new lot is made of the row, "" where one may be."""
        key = key_of_row(row)
        if key in self._read:
            return THERE.format(lot_id=self._read[key])
        hidden = self._hidden.one_of(key)
        return MAYBE_THERE.format(lot=hidden) if hidden else ""


def key_of_row(row: InventoryItem) -> tuple[Any, ...] | None:
    """Return the key of a lot of the store that may hold the pieces of the row."""
    if row.lot is None:
        return None
    return (
        row.lot.item.item_type,
        row.lot.item.number,
        row.lot.color_id or 0,
        row.condition,
        row.sub_condition,
        money_text(row.price),
        row.stockroom,
        without_mark(row.remarks),
    )

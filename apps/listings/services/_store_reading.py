"""Our side of a store sync: stock rows, and how many of their pieces are for sale."""

from collections.abc import Container, Iterable
from typing import Any

from django.db.models import Q, QuerySet

from apps.batches.models import BatchItem
from apps.core.money import money_text
from apps.inventory.models import InventoryItem
from apps.listings.models import OPEN_STATES, Listing
from apps.listings.rules.listing import without_mark
from apps.listings.rules.store_diff import Here
from apps.listings.services._batch_items import unlisted_pieces
from apps.lots.rules import name_to_show
from apps.marketplace.providers.lots import StoreLot, UnreadLot


def rows_of_batch(owner: Any, batch_id: int) -> QuerySet[Any]:
    """Return the stock rows that a batch stowed, and all rows that share their lots."""
    ids = BatchItem.objects.filter(batch_id=batch_id, is_stowed=True).values("inventory_item_id")
    own = InventoryItem.objects.owned_by(owner).filter(pk__in=ids)
    lots = own.filter(marketplace_lot_id__isnull=False).values("marketplace_lot_id")
    return InventoryItem.objects.owned_by(owner).filter(
        Q(pk__in=ids) | Q(marketplace_lot_id__in=lots)
    )


def all_rows(owner: Any) -> QuerySet[Any]:
    """Return the stock rows that are, or could be, for sale."""
    rows = InventoryItem.objects.owned_by(owner)
    return rows.filter(Q(marketplace_lot_id__isnull=False) | Q(quantity__gt=0))


def rows_here(owner: Any, rows: QuerySet[Any]) -> list[Here]:
    """Return the rows as the comparison reads them.

    Pieces of stowed batch items that are not listed yet are not for sale. Promised pieces are not
    either, since the store no longer counts them. Rows with an open listing are skipped, since
    they are changing.
    """
    open_listings = Listing.objects.owned_by(owner).filter(state__in=OPEN_STATES)
    busy_rows, busy_lots = set(), set()
    for *row_ids, lot_id in open_listings.values_list(
        "inventory_item_id", "lines__inventory_item_id", "marketplace_lot_id"
    ):
        busy_rows.update(row_ids)
        busy_lots.add(lot_id)
    busy_lots.discard(None)
    waiting = unlisted_pieces(owner)
    found = []
    for row in rows.select_related("lot__item", "lot__color").order_by("pk").iterator(2_000):
        if row.pk in busy_rows or row.marketplace_lot_id in busy_lots:
            continue
        if row.lot is None and row.marketplace_lot_id is None:
            continue
        found.append(here_of(row, waiting.get(row.pk, 0)))
    return found


def here_of(row: InventoryItem, waiting: int) -> Here:
    """Return one row as the comparison reads it."""
    return Here(
        pk=row.pk,
        lot_id=row.marketplace_lot_id,
        listed=max(row.quantity - row.promised - waiting, 0),
        price=row.price,
        comments=row.comments,
        remarks=without_mark(row.remarks),
        key=_key_of_row(row),
        name=row.shown_name[:400],
        waiting=min(waiting, row.quantity),
    )


def key_of_lot(lot: StoreLot) -> tuple[Any, ...]:
    """Return the key that identifies a lot of the store, like `here_of` for rows."""
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


def tied_lots(owner: Any) -> set[int]:
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


def name_of_lot(lot: StoreLot) -> str:
    """Return how a person recognises a lot of the store."""
    return name_to_show(name=lot.name, number=lot.number, color=lot.color_name)[:400]


def _key_of_row(row: InventoryItem) -> tuple[Any, ...] | None:
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

"""Helpers of every change of stock: lock rows and locations, weigh pieces, add rows."""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.core.bulk import allocate_ids, insert_rows, instant_text, plain
from apps.core.concurrency import lock_in_order
from apps.inventory.models import InventoryItem, Promise
from apps.inventory.rules.file_columns import FILE_COLUMNS, STOCK_COLUMNS
from apps.inventory.services.errors import PromisedToBuyers, StockBusy
from apps.inventory.services.promises import lot_promised, takers_of
from apps.locations.models import Location
from apps.locations.rules.fit import why_not_fit
from apps.locations.services import rooms
from apps.locations.services.errors import LocationFull
from apps.locations.services.rooms import Load, location_full
from apps.lots.models import LOT_COLUMNS, LotFields

TRIES: Final = 3
NOTHING: Final = (0, Decimal(0))
AT_ONCE: Final = 500
ITEM_FIELDS: Final = (
    "id",
    "owner_id",
    "created_at",
    "updated_at",
    "location_id",
    "piece_grams",
    "quantity",
    "lot_id",
    *FILE_COLUMNS,
)
assert set(LOT_COLUMNS) == {"lot_id", *FILE_COLUMNS}, "a field of lots is not in FILE_COLUMNS"

Locked = tuple[dict[int, InventoryItem], dict[int, Location]]
Places = TypeVar("Places")


class _Moved(Exception):
    """A row moved to another location, or was promised, between the read and the lock."""


def lock_stock(
    *,
    owner: User,
    item_ids: Iterable[int],
    location_ids: Iterable[int | None] = (),
    with_deleted: bool = False,
) -> Locked:
    """Lock rows and their locations, including the target locations, as `lock_rows` does."""
    to = {pk for pk in location_ids if pk is not None}
    return lock_rows(
        owner=owner,
        item_ids=item_ids,
        hold=lambda where: rooms.locked(owner=owner, location_ids=where | to),
        with_deleted=with_deleted,
    )


def lock_rows(
    *,
    owner: User,
    item_ids: Iterable[int],
    hold: Callable[[set[int]], Places],
    with_deleted: bool = False,
) -> tuple[dict[int, InventoryItem], Places]:
    """Lock rows, after `hold` locked their locations, by id.

    With rows that are promised to buyers, those are locked that the promises may move to. All
    writers lock in this order, which prevents deadlocks. Missing rows are skipped.
    Raises StockBusy if other requests keep moving the rows.
    """
    ids = set(item_ids)
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                return _lock(owner, ids, hold, with_deleted)
        except _Moved:
            continue
    raise StockBusy


def _lock(
    owner: User, ids: set[int], hold: Callable[[set[int]], Places], with_deleted: bool
) -> tuple[dict[int, InventoryItem], Places]:
    if not ids:
        return {}, hold(set())
    manager: Any = InventoryItem.with_deleted if with_deleted else InventoryItem.objects
    mine = manager.owned_by(owner)
    rows = mine.filter(pk__in=ids)
    promises = Promise.objects.filter(item=OuterRef("pk"))
    seen = list(
        rows.annotate(has_promises=Exists(promises))
        .exclude(location=None, promised=0, has_promises=False)
        .values_list(
            "location_id", "promised", "has_promises", "pk", "lot_id", "marketplace_lot_id"
        )
    )
    where = {row[0] for row in seen} - {None}
    promised = {row[3]: row[4:] for row in seen if row[1] or row[2]}
    takers: set[int] = set()
    if promised:
        lots, listings = zip(*promised.values(), strict=True)
        takers = set(
            takers_of(owner=owner, lots=lots, listings=listings).values_list("pk", flat=True)
        )
    places = hold(where)
    locked = lock_in_order(mine.filter(pk__in=ids | takers) if takers else rows)
    items = {row.pk: row for row in locked if row.pk in ids}
    for row in items.values():
        is_elsewhere = row.location_id is not None and row.location_id not in where
        if is_elsewhere or (row.promised and row.pk not in promised):
            raise _Moved
        row.promised_as = lot_promised(row)
    return items, places


def catalogue_weights(lot_ids: Iterable[int | None]) -> dict[int, Decimal]:
    """Return lot id -> grams of one piece, for lots whose weight is known."""
    wanted = {pk for pk in lot_ids if pk is not None}
    if not wanted:
        return {}
    known = Lot.objects.filter(pk__in=wanted, item__weight_grams__isnull=False)
    return {pk: grams for pk, grams in known.values_list("pk", "item__weight_grams") if grams}


def piece_grams_of(row: LotFields, weights: dict[int, Decimal]) -> Decimal | None:
    """Return the grams of one piece: its own weight, else the catalogue's, else None."""
    if row.unit_weight_grams is not None:
        return row.unit_weight_grams
    return None if row.lot_id is None else weights.get(row.lot_id)


def load_of(pieces: int, piece_grams: Decimal | None) -> Load:
    return Load(pieces, (piece_grams or Decimal(0)) * pieces)


class Loads:
    """The pieces that one act puts into and takes from each location."""

    def __init__(self) -> None:
        self._sums: dict[int, tuple[int, Decimal]] = {}

    def add(self, location_id: int | None, pieces: int, piece_grams: Decimal | None) -> None:
        """Add pieces (negative: out) of a weight each; no location counts nothing."""
        if location_id is None or pieces == 0:
            return
        count, grams = self._sums.get(location_id, NOTHING)
        if piece_grams is not None:
            grams += piece_grams * pieces
        self._sums[location_id] = (count + pieces, grams)

    @property
    def by_location(self) -> dict[int, Load]:
        return {pk: Load(*sums) for pk, sums in self._sums.items()}

    def coming(self) -> dict[int, Load]:
        return {pk: load for pk, load in self.by_location.items() if load.pieces > 0}


def count_in(location: Location, pieces: int, piece_grams: Decimal | None) -> None:
    """Add pieces to the counters of a locked location in memory, for the check of the next line.

    A negative number removes pieces.
    """
    location.item_count += pieces
    location.stored_weight += load_of(pieces, piece_grams).grams


def refusal_of_location(
    location: Location, pieces: int, piece_grams: Decimal | None, *, override: bool
) -> LocationFull | None:
    """Return why the location does not take this, None if it does."""
    reasons = [
        reason
        for reason in why_not_fit(location, pieces=pieces, piece_grams=piece_grams)
        if not (override and reason.can_override)
    ]
    if not reasons:
        return None
    return location_full(location, reasons)


def refusal_of_promised(item: InventoryItem, wanted: int) -> PromisedToBuyers | None:
    """Return the refusal to remove pieces of a locked row that are promised, None if enough are free.

    Promised pieces would be missing when their order is picked.
    """
    if wanted <= 0 or item.quantity - wanted >= item.promised:
        return None
    free = max(item.quantity - item.promised, 0)
    return PromisedToBuyers(promised=item.promised, have=item.quantity, free=free, wanted=wanted)


def insert_items(
    *,
    owner: User,
    rows: Sequence[tuple[LotFields, int | None, int, Decimal | None, str]],
    now: dt.datetime,
) -> list[int]:
    """Insert rows `(fields, location id, quantity, piece grams, remarks)`; return their ids.

    The caller books the movements.
    """
    if not rows:
        return []
    ids = allocate_ids(InventoryItem, len(rows))
    made_at = instant_text(now)
    columns = [name for name in FILE_COLUMNS if name != "remarks"]
    place = FILE_COLUMNS.index("remarks")
    own = {name: InventoryItem._meta.get_field(name).get_default() for name in STOCK_COLUMNS}
    values = []
    for pk, (fields, location_id, quantity, grams, remarks) in zip(ids, rows, strict=True):
        texts = [plain(getattr(fields, name)) for name in columns]
        texts.insert(place, remarks)
        values.append(
            (
                pk,
                owner.pk,
                made_at,
                made_at,
                location_id,
                plain(grams),
                quantity,
                fields.lot_id,
                *texts,
                *(plain(getattr(fields, name, usual)) for name, usual in own.items()),
            )
        )
    insert_rows(InventoryItem, (*ITEM_FIELDS, *STOCK_COLUMNS), values)
    return ids

"""Streams rows with lot fields as BSX lots. Imported values are exported unchanged."""

import datetime as dt
from array import array
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from operator import itemgetter, ne
from typing import Any, Final, cast

import orjson
from django.db import connection
from django.db.models import Count, F, Q, QuerySet

from apps.accounts.models import User
from apps.catalog.rules.kinds import (
    LETTER_OF_TYPE,
    REBRICKABLE_COLOR_BASE,
    REBRICKABLE_PART_CATEGORY_BASE,
    Catalogue,
)
from apps.catalog.selectors.naming import CatalogueNames
from apps.exchange.bsx_carried import carried_values, without_type
from apps.exchange.bsx_lot import (
    AMOUNT_FIELDS,
    BsxLot,
    LotValues,
    total_weight_grams,
)
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.exchange.item_types import ITEM_TYPE_NAMES
from apps.inventory.models import FREE, InventoryItem
from apps.inventory.rules.file_columns import FILE_COLUMNS

AT_ONCE: Final = 2_000
_COPIED: Final = (
    "quantity",
    *(
        name
        for name in FILE_COLUMNS
        if not name.startswith("raw_") and name not in ("unit_weight_grams", "extra")
    ),
)
_OTHERS: Final = (
    "unit_weight_grams",
    "extra",
    "raw_item_type",
    "raw_item_number",
    "raw_item_name",
    "raw_color_id",
    "raw_color_name",
    "raw_category_id",
    "raw_category_name",
    "lot__item__item_type",
    "lot__item__number",
    "lot__item__name",
    "lot__item__category_id",
    "lot__item__category__name",
    "lot__color_id",
    "lot__color__name",
)
_COLUMNS: Final = ("pk", "location__name", *_COPIED, *_OTHERS)
_first = itemgetter(0)
#: Rows that no BSX file and no XML of BrickLink's can hold.
NEVER_WRITTEN: Final = Q(condition=UNKNOWN_CONDITION) | Q(raw_item_number="") & (
    Q(lot__item__origin=Catalogue.OWN)
    | Q(lot__color_id__gte=REBRICKABLE_COLOR_BASE)
    | Q(lot=None, raw_item_name="", remarks="", comments="")
)
LOT_ID: Final = F("marketplace_lot_id")
_MEMO_SIZE: Final = 20_000


def bsx_lots_of(
    rows: QuerySet[Any], *, with_promised: bool = False
) -> Iterator[tuple[int, BsxLot]]:
    """Yield `(row id, lot)` of rows of any LotFields model, as `lots_with_places` does."""
    found = lots_with_places(rows, with_promised=with_promised)
    return ((pk, lot) for pk, lot, _place in found)


def lots_with_places(
    rows: QuerySet[Any], *, with_promised: bool = False, lot_id: object = LOT_ID
) -> Iterator[tuple[int, BsxLot, str]]:
    """Yield `(row id, lot, name of its location)` of rows of any LotFields model, by id.

    Promised pieces are left out, since the store no longer counts them. `lot_id` is the
    expression of the marketplace lot id of a row.

    Rows that share a marketplace lot id are yielded together, at the position of the first.

    Pages by key instead of an open cursor: on SQLite a cursor would keep an old snapshot
    and make every write on this connection fail. The keys are read first and only once:
    with the conditions of `rows`, SQLite would sort all rows for every page.
    An imported row has the values of its file, and the catalogue's where the file's are empty. A
    row that was made here has the catalogue's names.
    """
    keys = _keys(rows, lot_id)
    everything = rows.model._base_manager.order_by("pk")
    names = CatalogueNames()
    for start in range(0, len(keys), AT_ONCE):
        wanted = keys[start : start + AT_ONCE]
        fetched = _fetch(_rows_of(everything, wanted), lot_id, with_promised=with_promised)
        if len(fetched) != len(wanted) or any(map(ne, map(_first, fetched), wanted)):
            by_key = {row[0]: row for row in fetched}  # a row deleted since is left out
            fetched = [by_key[key] for key in wanted if key in by_key]
        for row in fetched:
            yield row[0], _lot(row[2:], names), row[1] or ""


def _rows_of(everything: QuerySet[Any], keys: "array[int]") -> QuerySet[Any]:
    """Return these rows, and where the keys lie close together those between them."""
    first, last = min(keys), max(keys)
    if last - first < 2 * len(keys):
        return everything.filter(pk__range=(first, last))
    return everything.filter(pk__among=keys)


def _keys(rows: QuerySet[Any], lot_id: object) -> "array[int]":
    """Return the ids of rows, those of one marketplace lot side by side."""
    keys = array("q", rows.order_by("pk").values_list("pk", flat=True))
    if not keys:
        return keys
    listed = rows.annotate(in_store=lot_id).filter(in_store__isnull=False).order_by()
    several = listed.values("in_store").annotate(rows=Count("pk")).filter(rows__gt=1)
    lot_ids = list(several.values_list("in_store", flat=True))
    if not lot_ids:
        return keys
    together: dict[int, list[int]] = {}
    for start in range(0, len(lot_ids), AT_ONCE):
        some = listed.filter(in_store__in=lot_ids[start : start + AT_ONCE])
        for pk, found in some.order_by("pk").values_list("pk", "in_store"):
            together.setdefault(found, []).append(pk)
    first = {group[0]: group for group in together.values()}
    later = {pk for group in together.values() for pk in group[1:]}
    return array("q", (pk for key in keys if key not in later for pk in first.get(key, (key,))))


def _fetch(rows: QuerySet[Any], lot_id: Any, *, with_promised: bool) -> list[tuple[Any, ...]]:
    """Return rows as the driver gives them: Django's converters would double the time."""
    special = {"marketplace_lot_id": lot_id}
    if rows.model is InventoryItem and not with_promised:
        special["quantity"] = FREE
    columns = tuple(special.get(name, name) for name in _COLUMNS)
    sql, params = rows.values_list(*columns).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def lots_for_export(owner: User, *, item_ids: Iterable[int] | None = None) -> Iterator[BsxLot]:
    """Yield the owner's stock as BSX lots, rows at 0 left out. Constant memory.

    With `item_ids` only those rows, at 0 or not.
    """
    rows = InventoryItem.objects.owned_by(owner)
    rows = rows.in_stock() if item_ids is None else rows.filter(pk__in=list(item_ids))
    return (lot for _, lot in bsx_lots_of(rows))


class _Amounts(dict[Any, Decimal]):
    """Bounded cache: the driver's value of a decimal -> the decimal. Prices repeat."""

    def __missing__(self, value: Any) -> Decimal:
        # SQLite keeps decimals as numbers, which hold four places and eleven digits exactly.
        amount = Decimal(f"{value:.4f}") if isinstance(value, float | int) else Decimal(value)
        if len(self) < _MEMO_SIZE:
            self[value] = amount
        return amount


class _Instants(dict[Any, dt.datetime]):
    """Bounded cache: the driver's value of an instant -> the instant in UTC."""

    def __missing__(self, value: Any) -> dt.datetime:
        instant = dt.datetime.fromisoformat(value) if isinstance(value, str) else value
        if instant.tzinfo is None:
            instant = instant.replace(tzinfo=dt.UTC)
        instant = instant.astimezone(dt.UTC)
        if len(self) < _MEMO_SIZE:
            self[value] = instant
        return instant


_AMOUNTS: Final = _Amounts()
_INSTANTS: Final = _Instants()
_EMPTY_EXTRA: Final = ("{}", b"{}")


def _lot(row: Sequence[Any], names: CatalogueNames) -> BsxLot:
    values: dict[str, Any] = dict(zip(_COPIED, row, strict=False))
    (
        unit_grams,
        extra,
        letter,
        number,
        name,
        color_id,
        color_name,
        category_id,
        category_name,
        known_type,
        *known,
    ) = row[len(_COPIED) :]
    is_by_catalogue = not number and known_type is not None
    if is_by_catalogue:
        letter = LETTER_OF_TYPE[known_type]
        number, name, category_id, category_name, color_id, color_name = known
        if category_id is not None and category_id >= REBRICKABLE_PART_CATEGORY_BASE:
            category_id = None  # Rebrickable's or ours: to a seller's program another one's number
    elif not (name and color_name and category_name) or color_id is None:
        name, color_id, color_name, category_id, category_name = _completed(
            (name, color_id, color_name, category_id, category_name),
            known if known_type is not None else None,
            names,
        )
    values["item_type_id"] = letter
    values["item_type_name"] = ITEM_TYPE_NAMES.get(letter, "")
    values["item_number"] = number
    values["item_name"] = name
    values["color_id"] = color_id
    values["color_name"] = color_name
    values["category_id"] = category_id
    values["category_name"] = category_name or ""
    for column in AMOUNT_FIELDS:
        amount = values[column]
        # PostgreSQL's driver gives decimals, whose hash costs more than it saves.
        if amount is not None and type(amount) is not Decimal:
            values[column] = _AMOUNTS[amount]
    values["retain"] = bool(values["retain"])
    if values["date_added"] is not None:
        values["date_added"] = _INSTANTS[values["date_added"]]
    if values["date_last_sold"] is not None:
        values["date_last_sold"] = _INSTANTS[values["date_last_sold"]]
    if unit_grams is not None:
        values["total_weight_grams"] = total_weight_grams(_AMOUNTS[unit_grams], values["quantity"])
    if extra not in _EMPTY_EXTRA:
        carried = orjson.loads(extra)
        if is_by_catalogue:
            carried = without_type(carried)
        values.update(
            carried_values(carried, quantity=values["quantity"], condition=values["condition"])
        )
    return BsxLot.filled(cast(LotValues, values))


def _completed(
    said: tuple[str, int | None, str, int | None, str],
    known: Sequence[Any] | None,
    names: CatalogueNames,
) -> tuple[str, int | None, str, int | None, str]:
    """Return the names that a file gave a lot, with the catalogue's for empty ones.

    `known` is the catalogue's: number, name, category, colour; None where it does not know
    the lot.
    """
    name, color_id, color_name, category_id, category_name = said
    if known is not None:
        _number, known_name, known_category, _name, known_color, _color = known
        name = name or known_name
        if color_id is None and known_color < REBRICKABLE_COLOR_BASE:
            color_id = known_color
        if category_id is None and known_category is not None:
            category_id = (
                known_category if known_category < REBRICKABLE_PART_CATEGORY_BASE else None
            )
    if color_id is not None:
        color_name = color_name or names.of_color(color_id)
    if category_id is not None:
        category_name = category_name or names.of_category(category_id)
    return name, color_id, color_name, category_id, category_name

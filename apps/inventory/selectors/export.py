"""Rows with lot fields as BSX lots, streaming: what a file gave goes out as it came in."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final

from django.db.models import QuerySet

from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.exchange.bsx_carried import carried_values
from apps.exchange.bsx_lot import ITEM_TYPE_NAMES, BsxLot, LotValues, total_weight_grams
from apps.inventory.models import InventoryItem, LotFields

AT_ONCE: Final = 2_000
_COPIED: Final = (
    "quantity",
    "price",
    "condition",
    "sub_condition",
    "bulk",
    "sale",
    "cost",
    "comments",
    "remarks",
    "reserved",
    "marketplace_lot_id",
    "tq1",
    "tp1",
    "tq2",
    "tp2",
    "tq3",
    "tp3",
    "retain",
    "stockroom",
    "status",
    "marker_text",
    "marker_color",
    "date_added",
    "date_last_sold",
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
_COLUMNS: Final = ("pk", *_COPIED, *_OTHERS)


def bsx_lots_of(rows: QuerySet[Any]) -> Iterator[tuple[int, BsxLot]]:
    """Yield `(row id, lot)` of rows of any LotFields model, by id. 1 query per 2,000.

    Pages by key, not a cursor that stays open: on SQLite that would keep an old snapshot
    and make every write on this connection fail. A row that came from a file says what the
    file said; one that was made here is named by the catalogue.
    """
    wanted = rows.order_by("pk").values_list(*_COLUMNS)
    last = 0
    while page := list(wanted.filter(pk__gt=last)[:AT_ONCE]):
        for pk, *values in page:
            yield pk, _lot(values)
        last = page[-1][0]


def lots_for_export(owner: Any, *, item_ids: Iterable[int] | None = None) -> Iterator[BsxLot]:
    """Yield the owner's stock as BSX lots, rows at 0 left out. Constant memory.

    With `item_ids` only those rows, at 0 or not.
    """
    rows = InventoryItem.objects.owned_by(owner)
    rows = rows.in_stock() if item_ids is None else rows.filter(pk__in=list(item_ids))
    return (lot for _, lot in bsx_lots_of(rows))


def bsx_lot_of(row: LotFields) -> BsxLot:
    """Return one row as a BSX lot. 1 query."""
    found = type(row)._default_manager.filter(pk=row.pk).values_list(*_COLUMNS)
    return _lot(list(found[0])[1:])


def _lot(row: list[Any]) -> BsxLot:
    values: LotValues = dict(zip(_COPIED, row, strict=False))  # type: ignore[assignment]
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
    if not number and known_type is not None:
        letter = LETTER_OF_TYPE[known_type]
        number, name, category_id, category_name, color_id, color_name = known
    values["item_type_id"] = letter
    values["item_type_name"] = ITEM_TYPE_NAMES.get(letter, "")
    values["item_number"] = number
    values["item_name"] = name
    values["color_id"] = color_id
    values["color_name"] = color_name
    values["category_id"] = category_id
    values["category_name"] = category_name or ""
    if unit_grams is not None:
        values["total_weight_grams"] = total_weight_grams(Decimal(unit_grams), values["quantity"])
    if extra:
        values.update(carried_values(extra, quantity=values["quantity"]))
    return BsxLot.filled(values)

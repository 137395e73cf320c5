"""The columns that a BSX file fills, and their values as text that both databases take."""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import orjson

#: The columns that a file fills, in the order of `plain_values`. The import decides the lot, the
#: location and the quantity.
FILE_COLUMNS: Final = (
    "raw_item_type",
    "raw_item_number",
    "raw_item_name",
    "raw_color_id",
    "raw_color_name",
    "raw_category_id",
    "raw_category_name",
    "condition",
    "sub_condition",
    "price",
    "cost",
    "bulk",
    "sale",
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
    "unit_weight_grams",
    "marker_text",
    "marker_color",
    "date_added",
    "date_last_sold",
    "extra",
)
MONEY_COLUMNS: Final = frozenset({"price", "cost", "tp1", "tp2", "tp3"})
INSTANT_COLUMNS: Final = frozenset({"date_added", "date_last_sold"})
NO_EXTRA: Final = "{}"


def plain_value(name: str, value: Any) -> Any:
    """Return a column of the model in the form of `plain_values`, for comparing."""
    if value is None:
        return None
    if name in MONEY_COLUMNS or name == "unit_weight_grams":
        return f"{value:.4f}"
    if name in INSTANT_COLUMNS:
        return str(value.astimezone(dt.UTC).replace(tzinfo=None))
    if name == "extra":
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode() if value else NO_EXTRA
    return value


def python_value(name: str, value: Any) -> Any:
    """Return the reverse of `plain_value`."""
    if value is None:
        return None
    if name in MONEY_COLUMNS or name == "unit_weight_grams":
        return Decimal(value)
    if name in INSTANT_COLUMNS:
        return dt.datetime.fromisoformat(value).replace(tzinfo=dt.UTC)
    if name == "extra":
        return orjson.loads(value)
    return value


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return field -> (before, after) for the fields that differ."""
    return {name: (before[name], value) for name, value in after.items() if before[name] != value}

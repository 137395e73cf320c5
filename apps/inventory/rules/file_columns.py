"""The columns that a BSX file fills, and their values as text that both databases take."""

from typing import Final

from apps.exchange.bsx_lot import TIER_FIELDS

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
    *TIER_FIELDS,
    "retain",
    "stockroom",
    "status",
    "unit_weight_grams",
    "marker_text",
    "marker_color",
    "date_added",
    "date_last_sold",
    "extra",
    # Last: plans and images of before it lack it.
    "condition_text",
)
#: What people set that stock alone has, and no file: kept by copies and undos as the others are.
STOCK_COLUMNS: Final = ("price_locked",)
NO_EXTRA: Final = "{}"

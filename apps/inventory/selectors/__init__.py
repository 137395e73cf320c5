"""Reads of stock whose shape is their own."""

from apps.inventory.selectors.contents import (
    OwnedRow,
    owned_by_lot,
    owned_rows,
    unconsolidated,
    with_last_count,
    with_lot_count,
    with_unknown_weight,
    worth_by_location,
)
from apps.inventory.selectors.destinations import Destination, recommend_destinations
from apps.inventory.selectors.export import (
    LOT_ID,
    NEVER_WRITTEN,
    bsx_lots_of,
    lots_for_export,
    lots_with_places,
)

__all__ = [
    "LOT_ID",
    "NEVER_WRITTEN",
    "Destination",
    "OwnedRow",
    "bsx_lots_of",
    "lots_for_export",
    "lots_with_places",
    "owned_by_lot",
    "owned_rows",
    "recommend_destinations",
    "unconsolidated",
    "with_last_count",
    "with_lot_count",
    "with_unknown_weight",
    "worth_by_location",
]

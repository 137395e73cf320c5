"""`/api/batchItems/bulk`: its request and its answer."""

from typing import Final

from drf_spectacular.utils import extend_schema

from apps.batches.api.filters import ItemFilter
from apps.batches.api.item_serializers import BatchItemRow, BatchItemWrite
from apps.batches.services.bulk import Removal
from apps.batches.services.items import StockToo
from apps.core.api.bulk import (
    BulkAlikeWrite,
    BulkEachWrite,
    BulkResult,
    BulkRowsWrite,
    ListFilters,
    bulk_write,
    id_of,
)
from apps.core.errors import Invalid
from apps.core.jobs.api import JobRow

#: Fields that accompany a change and change nothing on their own.
BESIDE: Final = ("override_reason",)


class AlikeWrite(BulkAlikeWrite):
    filter = ListFilters(ItemFilter)
    set = BatchItemWrite(partial=True, help_text="the same changes for each")


class RowsWrite(BulkRowsWrite):
    create = BatchItemWrite(many=True, required=False)  # type: ignore[assignment]
    update = BatchItemWrite(many=True, partial=True, required=False)  # type: ignore[assignment]


BULK_WRITE: Final = bulk_write("BatchItemBulkWrite", RowsWrite, BulkEachWrite, AlikeWrite)


class BulkResultRow(BulkResult):
    """What became of one row of the request."""

    row = BatchItemRow(allow_null=True)


BULK_SCHEMA: Final = extend_schema(
    request=BULK_WRITE, responses={200: BulkResultRow(many=True), 202: JobRow}
)


def read_removal(row: object) -> Removal:
    """Return the item to delete, and what to do with its stock. Raises Invalid."""
    if isinstance(row, dict):
        word = row.get("stock", "")
        if word not in list(StockToo):
            raise Invalid(fields={"stock": ["must be out or keep"]})
        return Removal(item_id=id_of(row), stock=StockToo(word))
    return Removal(item_id=id_of({"id": row}))

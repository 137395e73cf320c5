"""`/api/batchItems/bulk`: what comes in, row by row, and what became of each row."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from apps.batches.api.filters import ItemFilter
from apps.batches.api.item_serializers import BatchItemRow, BatchItemWrite
from apps.batches.services.bulk import AT_ONCE, Edit, Removal
from apps.batches.services.items import StockToo
from apps.core.api.bulk import (
    BulkAlikeWrite,
    BulkEachWrite,
    BulkResult,
    BulkRows,
    BulkRowsWrite,
    ListFilters,
    bulk_write,
    deleted_by,
    id_of,
    must_change,
    read_rows,
)
from apps.core.api.fields import one_of
from apps.core.api.views import instant
from apps.core.errors import Invalid

#: What goes along with a change, and changes nothing by itself.
BESIDE: Final = ("override_reason",)


class AlikeWrite(BulkAlikeWrite):
    filter = ListFilters(ItemFilter)
    set = BatchItemWrite(partial=True, help_text="the same changes for each")

    relations = (must_change(BatchItemWrite, beside=BESIDE),)


class RowsWrite(BulkRowsWrite):
    create = BatchItemWrite(many=True, required=False)  # type: ignore[assignment]
    update = BatchItemWrite(many=True, partial=True, required=False)  # type: ignore[assignment]

    relations = (deleted_by({"stock": one_of(StockToo)}),)


BULK_WRITE: Final = bulk_write("BatchItemBulkWrite", RowsWrite, BulkEachWrite, AlikeWrite)


class BulkResultRow(BulkResult):
    """What became of one row of the request."""

    row = BatchItemRow(allow_null=True)


def read_bulk(data: Any, context: Mapping[str, Any]) -> BulkRows:
    """Read a request row by row. Raises Invalid where it is no such request at all."""
    draft = BatchItemWrite(context=dict(context))
    changes = BatchItemWrite(partial=True, context=dict(context))
    readers: dict[str, Callable[[Any], Any]] = {
        "create": lambda row: dict(draft.run_validation(row)),
        "update": lambda row: _edit(row, changes),
        "delete": _removal,
        "restore": lambda row: id_of({"id": row}),
    }
    return read_rows(data, readers=readers, at_once=AT_ONCE)


def _edit(row: Any, changes: BatchItemWrite) -> Edit:
    item_id = id_of(row)
    values = dict(changes.run_validation({k: v for k, v in row.items() if k != "id"}))
    return Edit(
        item_id=item_id,
        override_reason=values.pop("override_reason", ""),
        changes=values,
        seen_at=instant(row.get("updatedAt"), field="updatedAt"),
    )


def _removal(row: Any) -> Removal:
    if isinstance(row, dict):
        word = row.get("stock", "")
        if word not in list(StockToo):
            raise Invalid(fields={"stock": ["must be out or keep"]})
        return Removal(item_id=id_of(row), stock=StockToo(word))
    return Removal(item_id=id_of({"id": row}))

"""`/api/batchItems/bulk`: what comes in, row by row, and what became of each row."""

from collections.abc import Callable, Mapping
from typing import Any

from rest_framework import serializers

from apps.batches.api.item_serializers import BatchItemRow, BatchItemWrite
from apps.batches.services.bulk import AT_ONCE, Edit, Removal
from apps.batches.services.items import StockToo
from apps.core.api.bulk import BulkResult, BulkRows, id_of, read_rows
from apps.core.api.fields import YesOrNo
from apps.core.api.views import instant
from apps.core.errors import Invalid


class BulkWrite(serializers.Serializer[Any]):
    """Rows to add, to change ({id, updatedAt?, …}), to delete (an id, or {id, stock}), to restore.

    Or the same changes (`set`) for many: for `ids`, or for all that match `filter`.
    """

    create = BatchItemWrite(many=True, required=False)  # type: ignore[assignment]
    update = serializers.ListField(  # type: ignore[assignment]
        child=serializers.DictField(), required=False
    )
    delete = serializers.ListField(required=False)
    restore = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="ids of deleted items, which come back with all that they had",
    )
    ids = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="items to `set` alike"
    )
    filter = serializers.DictField(
        required=False, help_text="or the filters of the list: all items that match"
    )
    set = BatchItemWrite(required=False, help_text="the same changes for each")
    atomic = YesOrNo(default=True, help_text="all rows or none")


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

"""`/api/batchItems/bulk`: what comes in, row by row, and what became of each row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rest_framework import serializers

from apps.batches.api.item_serializers import BatchItemRow, BatchItemWrite
from apps.batches.models import BatchItem
from apps.batches.services.bulk import AT_ONCE, Done, Edit, Removal
from apps.batches.services.items import StockToo
from apps.core.api.views import instant
from apps.core.errors import DomainError, Invalid

VERBS: Final = ("create", "update", "delete")


class BulkWrite(serializers.Serializer[Any]):
    """Rows to add, to change ({id, updatedAt?, …}) and to delete (an id, or {id, stock})."""

    create = BatchItemWrite(many=True, required=False)  # type: ignore[assignment]
    update = serializers.ListField(  # type: ignore[assignment]
        child=serializers.DictField(), required=False
    )
    delete = serializers.ListField(required=False)
    atomic = serializers.BooleanField(default=True, help_text="all rows or none")


class BulkResultRow(serializers.Serializer[Any]):
    """What became of one row of the request."""

    action = serializers.ChoiceField(choices=[(verb, verb) for verb in VERBS])
    index = serializers.IntegerField()
    ok = serializers.BooleanField()
    id = serializers.IntegerField(allow_null=True)
    code = serializers.CharField(allow_null=True)
    message = serializers.CharField(allow_null=True)
    fields = serializers.DictField(allow_null=True)  # type: ignore[assignment]
    row = BatchItemRow(allow_null=True)


@dataclass(slots=True)
class BulkRequest:
    """The rows that could be read, by their place, and why the others could not."""

    atomic: bool = True
    create: dict[int, dict[str, Any]] = field(default_factory=dict)
    update: dict[int, Edit] = field(default_factory=dict)
    delete: dict[int, Removal] = field(default_factory=dict)
    refused: dict[tuple[str, int], DomainError] = field(default_factory=dict)


def read_bulk(data: Any, context: Mapping[str, Any]) -> BulkRequest:
    """Read a request row by row. Raises Invalid where it is no such request at all."""
    rows = {verb: data.get(verb) or [] for verb in VERBS} if isinstance(data, dict) else {}
    problems = {verb: ["must be a list"] for verb in rows if not isinstance(rows[verb], list)}
    atomic = data.get("atomic", True) if isinstance(data, dict) else None
    if not isinstance(atomic, bool):
        problems["atomic"] = ["must be true or false"]
    if problems:
        raise Invalid(fields=problems)
    count = sum(len(some) for some in rows.values())
    if not 1 <= count <= AT_ONCE:
        raise Invalid(fields={"non_field_errors": [f"1 to {AT_ONCE} rows at a time, not {count}"]})
    request = BulkRequest(atomic=bool(atomic))
    draft = BatchItemWrite(context=dict(context))
    changes = BatchItemWrite(partial=True, context=dict(context))
    readers: dict[str, Callable[[Any], Any]] = {
        "create": lambda row: dict(draft.run_validation(row)),
        "update": lambda row: _edit(row, changes),
        "delete": _removal,
    }
    for verb, read in readers.items():
        into = getattr(request, verb)
        for index, row in enumerate(rows[verb]):
            try:
                into[index] = read(row)
            except serializers.ValidationError as problem:
                request.refused[verb, index] = Invalid(fields=_fields(problem))
            except DomainError as refusal:
                request.refused[verb, index] = refusal
    return request


def result_rows(done: Done) -> list[dict[str, Any]]:
    """Return what became of each row, with the items as they are now. 1 query."""
    ids = {*done.created.values(), *done.updated.values()}
    found = BatchItemRow.select(BatchItem.objects.filter(pk__in=ids))
    now = {row["id"]: row for row in BatchItemRow(found, many=True).data}
    rows = []
    for verb, results in zip(VERBS, (done.created, done.updated, done.deleted), strict=True):
        rows += [_result(verb, index, pk, now.get(pk)) for index, pk in results.items()]
    rows += [_refusal(verb, index, why) for (verb, index), why in done.refused.items()]
    return sorted(rows, key=lambda row: (VERBS.index(row["action"]), row["index"]))


def _result(verb: str, index: int, pk: int, row: Any) -> dict[str, Any]:
    return {
        "action": verb,
        "index": index,
        "ok": True,
        "id": pk,
        "code": None,
        "message": None,
        "fields": None,
        "row": row,
    }


def _refusal(verb: str, index: int, why: DomainError) -> dict[str, Any]:
    return {
        "action": verb,
        "index": index,
        "ok": False,
        "id": None,
        "code": str(why.code),
        "message": why.text,
        "fields": why.fields or None,
        "row": None,
    }


def _edit(row: Any, changes: BatchItemWrite) -> Edit:
    item_id = _id(row)
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
        return Removal(item_id=_id(row), stock=StockToo(word))
    return Removal(item_id=_id({"id": row}))


def _id(row: Any) -> int:
    found = row.get("id") if isinstance(row, dict) else None
    if type(found) is not int or not 0 < found < 2**63:
        raise Invalid(fields={"id": ["must be the id of an item"]})
    return found


def _fields(problem: serializers.ValidationError) -> dict[str, Any]:
    detail = problem.detail
    return dict(detail) if isinstance(detail, dict) else {"non_field_errors": detail}

"""`/api/batchItems/bulk`: what comes in, row by row, and what became of each row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rest_framework import serializers

from apps.batches.api.filters import ItemFilter
from apps.batches.api.item_serializers import BatchItemRow, BatchItemWrite
from apps.batches.models import BatchItem
from apps.batches.services.bulk import AT_ONCE, MOST, Done, Edit, Removal
from apps.batches.services.items import StockToo
from apps.core.api.views import instant
from apps.core.errors import DomainError, Invalid

VERBS: Final = ("create", "update", "delete")


class BulkWrite(serializers.Serializer[Any]):
    """Rows to add, to change ({id, updatedAt?, …}) and to delete (an id, or {id, stock}).

    Or the same changes (`set`) for many: for `ids`, or for all that match `filter`.
    """

    create = BatchItemWrite(many=True, required=False)  # type: ignore[assignment]
    update = serializers.ListField(  # type: ignore[assignment]
        child=serializers.DictField(), required=False
    )
    delete = serializers.ListField(required=False)
    ids = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="items to `set` alike"
    )
    filter = serializers.DictField(
        required=False, help_text="or the filters of the list: all items that match"
    )
    set = BatchItemWrite(required=False, help_text="the same changes for each")
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


@dataclass(frozen=True, slots=True)
class AlikeRequest:
    """The same changes for many items, named or matching."""

    item_ids: list[int]
    changes: dict[str, Any]
    override_reason: str
    atomic: bool


def read_alike(data: Any, context: Mapping[str, Any], items: Any) -> AlikeRequest | None:
    """Read a request with `set`; None where it is one row by row. Raises Invalid."""
    if not isinstance(data, dict) or "set" not in data:
        return None
    if ("ids" in data) == ("filter" in data) or any(verb in data for verb in VERBS):
        raise Invalid(fields={"set": ["goes with either ids or filter, and nothing else"]})
    atomic = data.get("atomic", True)
    if not isinstance(atomic, bool):
        raise Invalid(fields={"atomic": ["must be true or false"]})
    changes = BatchItemWrite(partial=True, context=dict(context))
    try:
        values = dict(changes.run_validation(data["set"]))
    except serializers.ValidationError as problem:
        raise Invalid(fields={"set": _fields(problem)}) from None
    reason = values.pop("override_reason", "")
    if not values:
        raise Invalid(fields={"set": ["must change something"]})
    ids = _named(data["ids"]) if "ids" in data else _matching(data["filter"], items)
    return AlikeRequest(ids, values, reason, atomic)


def _named(ids: Any) -> list[int]:
    if not isinstance(ids, list) or not ids or len(ids) > MOST:
        raise Invalid(fields={"ids": [f"must be a list of 1 to {MOST} ids"]})
    return sorted({_id({"id": one}) for one in ids})


def _matching(wanted: Any, items: Any) -> list[int]:
    if not isinstance(wanted, dict):
        raise Invalid(fields={"filter": ["must be an object"]})
    if unknown := wanted.keys() - ItemFilter.base_filters.keys():
        raise Invalid(fields={"filter": [f"has no {', '.join(sorted(unknown))}"]})
    # As text, which is how the list's address gives them.
    found = ItemFilter({name: _as_text(value) for name, value in wanted.items()}, queryset=items)
    if not found.is_valid():
        raise Invalid(fields={"filter": dict(found.errors)})
    ids = list(found.qs.order_by("pk").values_list("pk", flat=True)[: MOST + 1])
    if not ids:
        raise Invalid(fields={"filter": ["nothing matches"]})
    return ids


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


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

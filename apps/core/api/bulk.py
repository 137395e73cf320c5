"""Bulk calls: rows to create, update and delete in one request, and the result of each row.

Each resource gives its own readers and its own row; the shape of the request, of the answer
and of the refusals is here, once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.request import Request

from apps.core.api.failures import code_of
from apps.core.api.fields import ListOf, RowId, YesOrNo
from apps.core.api.filters import FilterSet, needs_text
from apps.core.api.serializers import AnswerSerializer, RelatedFields
from apps.core.errors import DomainError, Invalid, UnknownReference, ValueRefused
from apps.core.many import Place, RowResults, SomeRefused, conflicts_of

VERBS: Final = ("create", "update", "delete", "restore")
MOST: Final = 100_000
AT_ONCE: Final = 1_000
#: Returns the rows with these ids as they go out.
ReadRows = Callable[[Sequence[int]], list[dict[str, Any]]]


class ListFilters(serializers.DictField):
    """The filters of a list, for all rows that match."""

    def __init__(self, filters: type[FilterSet], **kwargs: Any) -> None:
        kwargs.setdefault("help_text", "the filters of the list: all rows that match")
        super().__init__(required=False, **kwargs)
        self.filters = filters


class ManyWrite(RelatedFields):
    """Which rows: by `ids`, or all that match the list's `filter`, which subclasses declare."""

    ids = ListOf(child=RowId(), required=False, min_length=1, max_length=MOST)

    exactly_one: ClassVar[tuple[str, ...]] = ("ids", "filter")


class BulkAlikeWrite(ManyWrite):
    """The same changes (`set`) for many rows: for `ids`, or for all that match `filter`."""

    atomic = YesOrNo(default=True, help_text="all rows or none")
    dry_run = YesOrNo(default=False, help_text=f"show it, change nothing: up to {AT_ONCE:,} rows")


class BulkRowsWrite(RelatedFields):
    """Rows to add, to change ({id, updatedAt?, …}), to delete and to restore: all or none.

    Subclasses declare the rows of each verb.
    """

    update = ListOf()  # type: ignore[assignment]
    delete = ListOf(required=False, max_length=AT_ONCE)
    restore = ListOf(
        child=RowId(),
        required=False,
        max_length=AT_ONCE,
        help_text="ids of deleted rows, which come back with all that they had",
    )
    atomic = YesOrNo(default=True)


class BulkEachWrite(RelatedFields):
    """The same, each row separately (`atomic` is false): the answer has a result for each row."""

    create = ListOf(required=False, max_length=AT_ONCE)  # type: ignore[assignment]
    update = ListOf(required=False, max_length=AT_ONCE)  # type: ignore[assignment]
    delete = ListOf(required=False, max_length=AT_ONCE)
    restore = ListOf(required=False, max_length=AT_ONCE)
    atomic = YesOrNo()


def bulk_write(name: str, *kinds: Any) -> PolymorphicProxySerializer:
    """Return the schema of a bulk call: rows all or none, each for itself, or many alike."""
    return PolymorphicProxySerializer(
        component_name=name, serializers=list(kinds), resource_type_field_name=None, many=False
    )


# A docstring would appear in the schema of every kind of row.
class BulkResult(AnswerSerializer):
    action = serializers.ChoiceField(choices=[(verb, verb) for verb in VERBS])
    index: int
    ok: bool
    id: int | None
    code: str | None
    message: str | None
    act_id: int | None
    fields = serializers.DictField(  # type: ignore[assignment]
        child=ListOf(child=serializers.CharField()), allow_null=True
    )


@dataclass(slots=True)
class BulkRows:
    """The valid rows of a request and the errors of the others, by verb and place."""

    atomic: bool
    read: dict[str, dict[int, Any]]
    refused: dict[Place, DomainError] = field(default_factory=dict)


def read_rows(
    data: object, *, readers: Mapping[str, Callable[[Any], Any]], at_once: int
) -> BulkRows:
    """Read a request row by row with the reader of each verb.

    Raises Invalid where it is no such request at all, or more than `at_once` rows.
    """
    rows = {verb: data.get(verb, []) for verb in readers} if isinstance(data, dict) else {}
    problems = {verb: ["must be a list"] for verb in rows if not isinstance(rows[verb], list)}
    atomic = _yes_or_no(data, "atomic", problems, default=True)
    if problems:
        raise Invalid(fields=problems)
    count = sum(len(some) for some in rows.values())
    if not 1 <= count <= at_once:
        raise Invalid(fields={"non_field_errors": [f"1 to {at_once} rows at a time, not {count}"]})
    found = BulkRows(atomic, {verb: {} for verb in VERBS})
    for verb, read in readers.items():
        for index, row in enumerate(rows[verb]):
            try:
                found.read[verb][index] = read(row)
            except serializers.ValidationError as problem:
                found.refused[verb, index] = _refused(problem)
            except DomainError as refusal:
                found.refused[verb, index] = refusal
    return found


@dataclass(frozen=True, slots=True)
class Alike:
    """The same changes for many rows, with the fields that apply to all of them."""

    ids: list[int]
    changes: dict[str, Any]
    said: dict[str, str]
    atomic: bool
    dry_run: bool


def read_alike(
    request: Request,
    *,
    changes: serializers.Serializer[Any],
    beside: Sequence[str],
    filters: type[FilterSet],
    rows: QuerySet[Any],
) -> Alike | None:
    """Read a request whose `set` goes for all `ids`, or all rows that match its `filter`.

    None where it is one row by row. The texts that `beside` names change nothing by themselves.
    Raises Invalid.
    """
    data = request.data
    if not isinstance(data, dict) or "set" not in data:
        return None
    problems: dict[str, list[str]] = {}
    atomic = _yes_or_no(data, "atomic", problems, default=True)
    dry_run = _yes_or_no(data, "dry_run", problems, default=False)
    if ("ids" in data) == ("filter" in data) or any(verb in data for verb in VERBS):
        problems["set"] = ["goes with either ids or filter, and nothing else"]
    if problems:
        raise Invalid(fields=problems)
    try:
        values = dict(changes.run_validation(data["set"]))
    except serializers.ValidationError as problem:
        raise type(_refused(problem))(fields={"set": _fields_of(problem)}) from None
    said = {name: values.pop(name, "") for name in beside}
    if not values:
        raise Invalid(fields={"set": ["must change something"]})
    ids = chosen_ids(request, filters=filters, rows=rows)
    if dry_run and len(ids) > AT_ONCE:
        raise ValueRefused(fields={"dry_run": [f"shows at most {AT_ONCE:,} rows"]})
    return Alike(ids, values, said, atomic, dry_run)


def id_of(row: object) -> int:
    """Return the `id` that a row names. Raises Invalid."""
    found = row.get("id") if isinstance(row, dict) else None
    if not isinstance(found, int | float) or isinstance(found, bool):
        raise Invalid(fields={"id": ["must be an id"]})
    if not 0 < found < 2**63 or found != int(found):
        raise Invalid(fields={"id": ["must be an id"]})
    return int(found)


def named_ids(ids: object, *, name: str = "ids") -> list[int]:
    """Return the ids of a list, each once, ascending. Raises Invalid."""
    if not isinstance(ids, list) or not ids or len(ids) > MOST:
        raise Invalid(fields={name: [f"must be a list of 1 to {MOST} ids"]})
    return sorted({id_of({"id": one}) for one in ids})


def matching(
    wanted: object, *, filters: type[FilterSet], rows: QuerySet[Any], request: Request
) -> Any:
    """Return the rows that the list's filters, given in a body, let through. Raises Invalid.

    What some filters mean depends on who asks, so the request goes with them.
    """
    if not isinstance(wanted, dict):
        raise Invalid(fields={"filter": ["must be an object"]})
    if unknown := wanted.keys() - filters.base_filters.keys():
        problems = {name: ["is no filter of this list"] for name in sorted(map(str, unknown))}
        raise Invalid(fields={"filter": problems})
    # A blank filter would select all rows, which a change must not.
    blank = [name for name, value in wanted.items() if value is None or str(value).strip() == ""]
    if blank:
        raise Invalid(fields={"filter": {name: ["must not be blank"] for name in blank}})
    wrong = [
        name
        for name, value in wanted.items()
        if not isinstance(value, str) and needs_text(filters.base_filters[name])
    ]
    if wrong:
        raise Invalid(fields={"filter": {name: ["must be text"] for name in wrong}})
    # As text, which is how the list's address gives them.
    asked = {name: _as_text(value) for name, value in wanted.items()}
    found = filters(asked, queryset=rows, request=request)
    if not found.is_valid():
        raise Invalid(fields={"filter": dict(found.errors)})
    return found.qs


def _matching_ids(
    wanted: object, *, filters: type[FilterSet], rows: QuerySet[Any], request: Request
) -> list[int]:
    """Return the ids of the rows that the list's filters let through. Raises Invalid."""
    found = matching(wanted, filters=filters, rows=rows, request=request)
    ids = list(found.order_by("pk").values_list("pk", flat=True)[: MOST + 1])
    if not ids:
        raise ValueRefused(fields={"filter": ["nothing matches"]})
    if len(ids) > MOST:
        raise ValueRefused(fields={"filter": [f"matches more than {MOST} rows"]})
    return ids


def chosen_ids(request: Request, *, filters: type[FilterSet], rows: QuerySet[Any]) -> list[int]:
    """Return the rows that a request names by `ids`, or all that match its `filter`."""
    data = request.data
    if not isinstance(data, dict) or ("ids" in data) == ("filter" in data):
        raise Invalid(fields={"ids": ["give either ids or filter"]})
    if "ids" in data:
        return named_ids(data["ids"])
    return _matching_ids(data["filter"], filters=filters, rows=rows, request=request)


def result_rows(done: RowResults, *, read: ReadRows) -> list[dict[str, Any]]:
    """Return the result and the current values of each row, in the order of the request."""
    kept = (done.created, done.updated, done.restored)
    wanted = [pk for ids in kept for pk in ids.values()] + conflicts_of(done.refused.values())
    now = {row["id"]: row for row in read(wanted)}
    results = zip(VERBS, (done.created, done.updated, done.deleted, done.restored), strict=True)
    found = [
        _result(verb, index, pk, now.get(pk), done.acts.get(pk))
        for verb, ids in results
        for index, pk in ids.items()
    ]
    found += [
        _refusal(verb, index, why, now.get(getattr(why, "row_id", None)))
        for (verb, index), why in done.refused.items()
    ]
    return sorted(found, key=lambda row: (VERBS.index(row["action"]), row["index"]))


@contextmanager
def conflicts_shown(*, read: ReadRows) -> Iterator[None]:
    """Add the rows that changed elsewhere, as they are now, when all or none was asked for."""
    try:
        yield
    except SomeRefused as refusal:
        if refusal.conflicts:
            now = {row["id"]: row for row in read(refusal.conflicts)}
            refusal.data = [now[pk] for pk in refusal.conflicts if pk in now]
        raise


def _yes_or_no(data: object, name: str, problems: dict[str, list[str]], *, default: bool) -> bool:
    """Return a flag of the request; add to `problems` if it is not a boolean."""
    value = data.get(name, default) if isinstance(data, dict) else None
    if not isinstance(value, bool):
        problems[name] = ["must be true or false"]
    return bool(value)


def _refused(problem: serializers.ValidationError) -> Invalid:
    """Return the refusal of a row: because of stored data, or because of the row itself."""
    kinds = {kind.code: kind for kind in (UnknownReference, ValueRefused)}
    return kinds.get(code_of(problem), Invalid)(fields=_fields_of(problem))


def _fields_of(problem: serializers.ValidationError) -> dict[str, Any]:
    """Return field -> messages."""
    detail = problem.detail
    return dict(detail) if isinstance(detail, dict) else {"non_field_errors": detail}


def _as_text(value: object) -> str:
    """Return a value as an address has it. Raises Invalid for a list or an object."""
    if isinstance(value, list | dict):
        raise Invalid(fields={"filter": ["must be text, a number, true or false"]})
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _result(verb: str, index: int, pk: int, row: object, act_id: int | None) -> dict[str, Any]:
    return {
        "action": verb,
        "index": index,
        "ok": True,
        "id": pk,
        "code": None,
        "message": None,
        "act_id": act_id,
        "fields": None,
        "row": row,
    }


def _refusal(verb: str, index: int, why: DomainError, row: object) -> dict[str, Any]:
    return {
        "action": verb,
        "index": index,
        "ok": False,
        "id": None,
        "code": str(why.code),
        "message": why.text,
        "act_id": None,
        "fields": why.fields or None,
        "row": row,
    }

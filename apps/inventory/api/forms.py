"""Serializers shared with other apps: selected rows, combining of values, names."""

from collections.abc import Callable, Iterable
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from apps.core.api.bulk import ListFilters, ManyWrite
from apps.core.api.fields import Matching
from apps.core.api.serializers import AnswerSerializer
from apps.core.errors import DomainError
from apps.core.jobs.api import accepted
from apps.core.jobs.models import Job
from apps.inventory.api.filters import ItemFilter
from apps.inventory.services.acts import Refusals, ids_of
from apps.inventory.services.unknown import Named
from apps.lots.models import KeptAct
from apps.lots.services.acts import ActResult


class ManyStock(ManyWrite):
    """Which rows of stock: by `ids`, or all that match the list's `filter`."""

    filter = ListFilters(ItemFilter)


class Modes(serializers.DictField):
    """How the values of a field are combined."""

    def __init__(self) -> None:
        super().__init__(
            child=serializers.CharField(),
            required=False,
            help_text="field -> keep, fill, highest, average or text",
        )


class RateField(Matching):
    """A rate of exchange as text, blank without one."""

    def __init__(self, *, help_text: str) -> None:
        super().__init__(
            r"(?=[0-9.]*[1-9])(1000000|[0-9]{1,6}(\.[0-9]{1,9})?)",
            allow_blank=True,
            default="",
            error_messages={"invalid": "must be a number above 0, such as 1.0842"},
            help_text=help_text,
        )


class Refused(AnswerSerializer):
    """A row that stayed as it was, and why."""

    id: int
    code: str
    message: str


class NamingRefused(AnswerSerializer):
    """A row that stayed unknown, and why: `id` in stock, or `batch_item_id` of a batch."""

    id: int | None
    batch_item_id: int | None
    code: str
    message: str


class NamedRow(AnswerSerializer):
    """The named rows. `act_id` undoes it."""

    act_id: int
    item_count: int
    refused: list[NamingRefused]


def act_answer(
    done: ActResult[Any, KeptAct] | Job, row: Callable[[ActResult[Any, KeptAct]], dict[str, Any]]
) -> Response:
    """Return the row of what an act does or did, or the job that does it."""
    if isinstance(done, Job):
        return accepted(done)
    act_id = None if done.act is None else done.act.pk
    return Response({"act_id": act_id, **row(done)})


def refused_rows(refusals: Iterable[tuple[int, DomainError]]) -> list[dict[str, Any]]:
    """Return rows that stayed as they were, each with why."""
    return [{"id": pk, "code": str(why.code), "message": why.text} for pk, why in refusals]


def named_answer(done: Named) -> Response:
    """Return what naming a number came to, or its job."""
    return act_answer(done, _named)


def _named(done: ActResult[Refusals, KeptAct]) -> dict[str, Any]:
    count = 0 if done.act is None else done.act.row_count
    refused = [
        {**ids_of(row), "code": str(why.code), "message": why.text} for row, why in done.plan
    ]
    return {"item_count": count, "refused": refused}

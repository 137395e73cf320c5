"""Serializers shared with other apps: selected rows, combining of values, names."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from apps.core.api.bulk import ListFilters, ManyWrite
from apps.core.api.fields import Matching, one_of
from apps.core.api.serializers import AnswerSerializer
from apps.core.jobs.api import accepted
from apps.core.jobs.models import Job
from apps.inventory.api.filters import ItemFilter
from apps.inventory.rules.consolidation import MODES
from apps.inventory.services.unknown import Named


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

    def accepts(self) -> dict[str, Any]:
        """Return the fields with their modes."""
        return {
            "properties": {name: one_of(modes) for name, modes in MODES.items()},
            "additionalProperties": False,
        }


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


class NamedRow(AnswerSerializer):
    """The named rows. `act_id` undoes it."""

    act_id: int
    item_count: int
    refused: list[Refused]


def named_answer(done: Named | Job) -> Response:
    """Return what naming a number came to, or its job."""
    if isinstance(done, Job):
        return accepted(done)
    return Response(
        {
            "act_id": done.act.pk,
            "item_count": done.act.row_count,
            "refused": [
                {"id": item_id, "code": str(why.code), "message": why.text}
                for item_id, why in done.refused.items()
            ],
        }
    )

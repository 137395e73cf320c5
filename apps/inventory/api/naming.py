"""`/{id}/name`, `/{id}/nameWord`, `/{id}/keepAsOwn`: what is unknown of a row gets its meaning."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of
from apps.core.api.fields import WholeNumber
from apps.core.api.serializers import RelatedFields
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.api import JobRow
from apps.inventory.api.forms import NamedRow, named_answer
from apps.inventory.api.serializers import ID
from apps.inventory.models import WordField
from apps.inventory.services.unknown import keep_as_own, name_items, name_word
from apps.lots.models import Condition


class NameWordWrite(RelatedFields):
    """What the word means: a condition, or a colour."""

    condition = serializers.ChoiceField(choices=Condition.choices, required=False)
    color_id = WholeNumber(min_value=0, max_value=2**31 - 1, required=False)

    exactly_one = ("condition", "color_id")


class NameWrite(serializers.Serializer[Any]):
    item_id = WholeNumber(**ID, help_text="what the number means, of the catalogue")


class NamesUnknown(OwnedViewSet):
    """Names what is unknown of a row: in stock and in batches alike, and in later files."""

    @extend_schema(request=NameWordWrite, responses={200: NamedRow, 202: JobRow})
    @action(detail=True, methods=["post"], url_path="nameWord")
    def name_word(self, request: Request, pk: str) -> Response:
        """Let the word of this row mean a condition or a colour: in all its rows, and later files.

        409 for a row whose word is known by now. More than 1,000 rows become a job (202).
        """
        row = self.get_owned(pk)
        data = self.validated(NameWordWrite, request.data)
        field = WordField.CONDITION if "condition" in data else WordField.COLOR
        (meaning,) = data.values()
        by = caller_of(request)
        return named_answer(name_word(row=row, field=field, meaning=meaning, by=by, now=now()))

    @extend_schema(request=NameWrite, responses={200: NamedRow, 202: JobRow})
    @action(detail=True, methods=["post"], url_path="name")
    def name_number(self, request: Request, pk: str) -> Response:
        """Let the number of this row mean an item: in all its rows, and in later files.

        409 for a row in the catalogue. More than 1,000 rows become a job (202).
        """
        row = self.get_owned(pk)
        data = self.validated(NameWrite, request.data)
        return named_answer(
            name_items(row=row, item_id=data["item_id"], by=caller_of(request), now=now())
        )

    @extend_schema(request=None, responses=NamedRow)
    @action(detail=True, methods=["post"], url_path="keepAsOwn")
    def keep_as_own(self, request: Request, pk: str) -> Response:
        """Keep the number of this row as an own item, which is not asked about again."""
        act = keep_as_own(row=self.get_owned(pk), by=caller_of(request))
        return Response({"act_id": act.pk, "item_count": 0, "refused": []})

"""`/api/inventoryItems/unknown`, `/unknownWords`: numbers the catalogue lacks, words not understood."""

from typing import Annotated, Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.catalog.models.choices import ITEM_TYPES
from apps.core.api.fields import YesOrNo
from apps.core.api.ordering import schema_of
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import UNFILTERED
from apps.core.money import Total, money_text
from apps.inventory.api.by_lot import ordering_terms
from apps.inventory.api.naming import NamesUnknown
from apps.inventory.models import WordField
from apps.inventory.rules.unknown import Likeness, Why
from apps.inventory.selectors.unknown import (
    ORDERS,
    Counted,
    explained,
    ordered_numbers,
    unknown_numbers,
)
from apps.inventory.selectors.words import unknown_words


class UnknownCandidateRow(AnswerSerializer):
    """An item that the number may mean."""

    item_id: int
    item_number: str
    item_type = serializers.ChoiceField(choices=ITEM_TYPES)
    item_name: str
    image_url: str | None
    likeness: Annotated[Likeness, "how it was found"]


class CountedRow(AnswerSerializer):
    """What is counted of a number or a word, in stock and in batches that are not archived."""

    id: Annotated[int | None, "its oldest row's in stock; null: it is in batches only"]
    batch_item_id: Annotated[int | None, "its oldest item's in batches"]
    lots: int
    batch_lots: Annotated[int, "of these in batches, not stowed"]
    quantity: int
    value: Total
    lots_without_price: Annotated[int, "lots that are not in the value"]


class UnknownRow(CountedRow):
    """A number that is not in the catalogue."""

    item_type: Annotated[str, "the letter of the file"]
    item_number: str
    part_name: str
    colors: Annotated[int, "different ones of these lots"]
    why: Why
    candidates: Annotated[list[UnknownCandidateRow], "at most 5, the likeliest first"]


class UnknownQuery(serializers.Serializer[Any]):
    own = YesOrNo(default=False, help_text="true: those that were kept as own items")


class UnknownWordRow(CountedRow):
    """A text of files that was not understood."""

    text: Annotated[str, "empty where the file said nothing"]


class UnknownWordQuery(serializers.Serializer[Any]):
    field = serializers.ChoiceField(choices=WordField.choices)


class UnknownItems(NamesUnknown):
    """The numbers that are not in the catalogue, and the words that were not understood."""

    @extend_schema(
        responses=UnknownRow(many=True),
        parameters=[
            UnknownQuery,
            OpenApiParameter(
                "ordering",
                schema_of(ORDERS),
                description="Comma-separated; a minus reverses. One of: " + ", ".join(ORDERS),
            ),
        ],
        filters=False,
    )
    @action(detail=False, methods=["get"], **UNFILTERED)
    def unknown(self, request: Request) -> Response:
        """List them with all lots of each number, the reason and the candidates."""
        asked = self.validated(UnknownQuery, request.query_params)
        numbers = ordered_numbers(
            unknown_numbers(owner=store_of(request), is_own=asked["own"]),
            ordering_terms(request.query_params.get("ordering", "") or "-value", ORDERS),
        )
        page = self.paginate_queryset(numbers) or []
        told = explained(page, owner=store_of(request))
        return self.get_paginated_response(
            [
                {
                    **_counted(one),
                    "item_type": one.number.item_type,
                    "item_number": one.number.number,
                    "part_name": one.part_name,
                    "colors": len(one.colors),
                    "why": about.why,
                    "candidates": UnknownCandidateRow(about.candidates, many=True).data,
                }
                for one, about in zip(page, told, strict=True)
            ]
        )

    @extend_schema(
        responses=UnknownWordRow(many=True), parameters=[UnknownWordQuery], filters=False
    )
    @action(detail=False, methods=["get"], url_path="unknownWords", **UNFILTERED)
    def unknown_words(self, request: Request) -> Response:
        """List the conditions or colours that were not understood, each with all its lots."""
        asked = self.validated(UnknownWordQuery, request.query_params)
        words = unknown_words(owner=store_of(request), field=WordField(asked["field"]))
        return self.get_paginated_response(
            [{**_counted(one), "text": one.text} for one in self.paginate_queryset(words) or []]
        )


def _counted(one: Counted) -> dict[str, Any]:
    return {
        "id": one.item_id,
        "batch_item_id": one.batch_item_id,
        "lots": one.lots,
        "batch_lots": one.batch_lots,
        "quantity": one.quantity,
        "value": money_text(one.value),
        "lots_without_price": one.lots_without_price,
    }

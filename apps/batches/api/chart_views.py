"""The content of a batch: `/api/batches/{id}/charts`, `/activity` and `/knownParts`."""

import datetime as dt
from dataclasses import asdict
from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.batches.selectors import KnownParts, active_time_in, charts_of, known_parts_of
from apps.core.api.serializers import AnswerSerializer, DataSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.money import Total


class ShareRow(AnswerSerializer):
    lots: int
    pieces: int
    value: Total
    lots_without_price: Annotated[int, "lots that are not in the value"]


class ColorShareRow(ShareRow):
    color_name: str
    color_html: Annotated[str, "such as #C91A09, or empty"]


class TypeShareRow(ShareRow):
    item_type: str


class DeviationRow(AnswerSerializer):
    """Lots that ask so many percent above (negative: below) their reference price."""

    from_percent: int | None
    below_percent: int | None
    lots: int


class ChartsRow(AnswerSerializer):
    by_color: Annotated[list[ColorShareRow], "the ten of most value"]
    by_type: list[TypeShareRow]
    deviations: list[DeviationRow]
    unpriced: Annotated[int, "lots without a price"]
    unknown: Annotated[int, "lots without a reference price"]
    figuresAt: Annotated[dt.datetime | None, "when the market told the oldest reference price"]


class ActivityRow(AnswerSerializer):
    active_seconds: Annotated[
        int, "spent adding and stowing, without the pauses of more than five minutes"
    ]


class KnownPartsRow(DataSerializer):
    """Empty for a batch that no set was parted out into."""

    shape = KnownParts

    sets: Annotated[list[str], "their numbers"]
    item_ids: Annotated[
        list[int],
        "the parts of these sets and of the batch, for /api/recognition/identify; "
        "empty where they are more than that takes",
    ]


class BatchCharts(OwnedViewSet):
    @extend_schema(responses=ChartsRow)
    @action(detail=True, methods=["get"])
    def charts(self, request: Request, pk: str) -> Response:
        """The shares of the batch's value, and its prices compared with the market's."""
        return Response(charts_of(self.get_owned(pk)))

    @extend_schema(responses=ActivityRow)
    @action(detail=True, methods=["get"])
    def activity(self, request: Request, pk: str) -> Response:
        """The time spent on the batch."""
        active = active_time_in(self.get_owned(pk))
        return Response({"active_seconds": int(active.total_seconds())})

    @extend_schema(responses=KnownPartsRow)
    @action(detail=True, methods=["get"], url_path="knownParts")
    def known_parts(self, request: Request, pk: str) -> Response:
        """The sets that were parted out into the batch, and which parts it can hold."""
        return Response(asdict(known_parts_of(self.get_owned(pk))))

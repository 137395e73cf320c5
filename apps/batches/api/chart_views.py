"""The content of a batch: `/api/batches/{id}/charts`, `/activity` and `/knownParts`."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.batches.selectors import KnownParts, active_time_in, charts_of, known_parts_of
from apps.core.api.serializers import DataSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.money import MONEY


class ShareRow(serializers.Serializer[Any]):
    lots = serializers.IntegerField()
    pieces = serializers.IntegerField()
    value = serializers.DecimalField(**{**MONEY, "max_digits": 24})
    lots_without_price = serializers.IntegerField(help_text="lots that are not in the value")


class ColorShareRow(ShareRow):
    color_name = serializers.CharField()
    color_html = serializers.CharField(help_text="such as #C91A09, or empty")


class TypeShareRow(ShareRow):
    item_type = serializers.CharField()


class DeviationRow(serializers.Serializer[Any]):
    """Lots that ask so many percent above (negative: below) their reference price."""

    from_percent = serializers.IntegerField(allow_null=True)
    below_percent = serializers.IntegerField(allow_null=True)
    lots = serializers.IntegerField()


class ChartsRow(serializers.Serializer[Any]):
    by_color = ColorShareRow(many=True, help_text="the ten of most value")
    by_type = TypeShareRow(many=True)
    deviations = DeviationRow(many=True)
    unpriced = serializers.IntegerField(help_text="lots without a price")
    unknown = serializers.IntegerField(help_text="lots without a reference price")


class ActivityRow(serializers.Serializer[Any]):
    active_seconds = serializers.IntegerField(
        help_text="spent adding and stowing, without the pauses of more than five minutes"
    )


class KnownPartsRow(DataSerializer):
    """Empty for a batch that no set was parted out into."""

    shape = KnownParts

    sets = serializers.ListField(child=serializers.CharField(), help_text="their numbers")
    item_ids = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="the parts of these sets and of the batch, for /api/recognition/identify; "
        "empty where they are more than that takes",
    )


class BatchCharts(OwnedViewSet):
    @extend_schema(responses=ChartsRow)
    @action(detail=True, methods=["get"])
    def charts(self, request: Request, pk: Any) -> Response:
        """The shares of the batch's value, and its prices compared with the market's."""
        return Response(charts_of(self.get_owned(pk)))

    @extend_schema(responses=ActivityRow)
    @action(detail=True, methods=["get"])
    def activity(self, request: Request, pk: Any) -> Response:
        """The time spent on the batch."""
        active = active_time_in(self.get_owned(pk))
        return Response({"active_seconds": int(active.total_seconds())})

    @extend_schema(responses=KnownPartsRow)
    @action(detail=True, methods=["get"], url_path="knownParts")
    def known_parts(self, request: Request, pk: Any) -> Response:
        """The sets that were parted out into the batch, and which parts it can hold."""
        return Response(asdict(known_parts_of(self.get_owned(pk))))

"""`/api/labelLayouts`: the papers that labels can be printed on."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.views import ApiView
from apps.locations.rules.label_layouts import LAYOUTS


class LabelLayoutRow(serializers.Serializer[Any]):
    """A sheet or a roll; millimetres. A null width is as long as the label's name."""

    id = serializers.CharField()
    name = serializers.CharField()
    is_roll = serializers.BooleanField()
    per_page = serializers.IntegerField()
    takes_addresses = serializers.BooleanField(help_text="whether an address has room on it")
    width = serializers.FloatField(allow_null=True)
    height = serializers.FloatField()
    label_width = serializers.FloatField(allow_null=True)
    label_height = serializers.FloatField()
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()
    left = serializers.FloatField()
    top = serializers.FloatField()
    across = serializers.FloatField()
    down = serializers.FloatField()


class LabelLayouts(ApiView):
    @extend_schema(responses=LabelLayoutRow(many=True))
    def get(self, request: Request) -> Response:
        """All papers that labels can be printed on, with the place of each label."""
        rows = [
            {
                **asdict(one),
                "is_roll": one.is_roll,
                "per_page": one.per_page,
                "takes_addresses": one.takes_addresses,
            }
            for one in LAYOUTS.values()
        ]
        return Response(LabelLayoutRow(rows, many=True).data)

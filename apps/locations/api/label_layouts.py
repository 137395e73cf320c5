"""`/api/labelLayouts`: the papers that labels can be printed on."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.serializers import RelatedFields
from apps.core.api.views import ApiView
from apps.locations.rules.label_layouts import CHOICES, LAYOUTS


class OnPaper(RelatedFields):
    """What names a paper and, of sheets, the first position that is not used up."""

    layout = serializers.ChoiceField(choices=CHOICES, help_text="an id of /api/labelLayouts")

    relations = (
        {
            "oneOf": [
                {"properties": {"layout": {"const": one.id}, "start": {"maximum": one.per_page}}}
                for one in LAYOUTS.values()
            ]
        },
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        last = LAYOUTS[attrs["layout"]].per_page
        if attrs.get("start", 1) > last:
            told = f"must be a position of the sheet, 1 to {last}"
            raise serializers.ValidationError({"start": [told]})
        return attrs


class LabelLayoutRow(serializers.Serializer[Any]):
    """A sheet or a roll; millimetres. A null width is as long as the label's name."""

    id = serializers.CharField()
    name = serializers.CharField()
    is_roll = serializers.BooleanField()
    per_page = serializers.IntegerField()
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
            {**asdict(one), "is_roll": one.is_roll, "per_page": one.per_page}
            for one in LAYOUTS.values()
        ]
        return Response(LabelLayoutRow(rows, many=True).data)

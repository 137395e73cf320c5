"""`/api/labelLayouts`: the papers that labels can be printed on."""

from dataclasses import asdict
from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import ApiView
from apps.locations.rules.label_layouts import CHOICES, LAYOUTS


class LabelLayoutRow(AnswerSerializer):
    """A sheet or a roll; millimetres. A null width is as long as the label's name."""

    id = serializers.ChoiceField(choices=CHOICES)
    name: str
    is_roll: bool
    per_page: int
    takes_addresses: Annotated[bool, "whether an address has room on it"]
    width: float | None
    height: float
    label_width: float | None
    label_height: float
    columns: int
    rows: int
    left: float
    top: float
    across: float
    down: float


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

"""`/api/batches/labels`."""

from dataclasses import asdict
from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.batches.services.labels import plan_batch_labels, print_batch_labels
from apps.core.api.fields import WholeNumber
from apps.core.api.views import OwnedViewSet
from apps.locations.services.labels import Print, print_test_page

MOST_BATCHES: Final = 500
ID: Final[dict[str, Any]] = {"min_value": 1, "max_value": 2**63 - 1}
SHIFT: Final[dict[str, Any]] = {"min_value": -20, "max_value": 20, "default": 0}


class BatchLabelsWrite(serializers.Serializer[Any]):
    ids = serializers.ListField(child=WholeNumber(**ID), max_length=MOST_BATCHES)
    layout = serializers.CharField(max_length=40, help_text="an id of /api/labelLayouts")
    start = WholeNumber(
        min_value=1, max_value=1000, default=1, help_text="first position that is not used up"
    )
    shift_right = serializers.FloatField(**SHIFT, help_text="millimetres")
    shift_down = serializers.FloatField(**SHIFT, help_text="millimetres")
    outlines = serializers.BooleanField(default=False, help_text="draw each label's edge")
    test_page = serializers.BooleanField(
        default=False, help_text="instead: edges and numbers of all positions"
    )
    dry_run = serializers.BooleanField(default=False, help_text="only tell what would be printed")


class BatchLabelPlanRow(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField())
    pages = serializers.IntegerField()
    unknown_characters = serializers.ListField(
        child=serializers.CharField(), help_text="which the labels' font does not have"
    )


class BatchLabels(OwnedViewSet):
    @extend_schema(
        request=BatchLabelsWrite,
        responses={
            (200, "application/json"): BatchLabelPlanRow,
            (200, "application/pdf"): OpenApiTypes.BINARY,
        },
    )
    # Doing it twice does no harm, and a file is no answer to keep.
    @action(detail=False, methods=["post"], applies_once=False)
    def labels(self, request: Request) -> Any:
        """Print labels with name and code as PDF; with `dry_run` only tell how many, on what."""
        data = self.validated(BatchLabelsWrite, request.data)
        how = Print(**{name: data[name] for name in _HOW})
        if data["test_page"]:
            return _pdf(print_test_page(how=how))
        chosen: dict[str, Any] = {"owner": request.user, "batch_ids": data["ids"], "how": how}
        if not data["dry_run"]:
            return _pdf(print_batch_labels(**chosen))
        plan = plan_batch_labels(**chosen)
        return Response(asdict(plan) | {"count": len(plan.names)})


_HOW: Final = ("layout", "start", "shift_right", "shift_down", "outlines")


def _pdf(content: bytes) -> HttpResponse:
    return HttpResponse(
        content,
        content_type="application/pdf",
        headers={
            "Content-Disposition": 'attachment; filename="labels.pdf"',
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        },
    )

"""`/api/inventoryLocations/labels`."""

from dataclasses import asdict
from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.fields import WholeNumber
from apps.core.api.views import ApiView
from apps.core.errors import Invalid
from apps.inventory.api.locations import LocationFilter
from apps.locations.models import Location
from apps.locations.services import labels
from apps.locations.services.labels import MOST_LABELS, Print

ID: Final[dict[str, Any]] = {"min_value": 1, "max_value": 2**63 - 1}
SHOWN_NAMES: Final = 200
SHIFT: Final[dict[str, Any]] = {"min_value": -20, "max_value": 20, "default": 0}


class LabelsWrite(serializers.Serializer[Any]):
    """Which labels: `ids`, else all locations that the filters of the address leave."""

    ids = serializers.ListField(
        child=WholeNumber(**ID), required=False, allow_null=True, max_length=MOST_LABELS
    )
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


class LabelPlanRow(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField(), help_text="the first 200")
    pages = serializers.IntegerField()
    unknown_characters = serializers.ListField(
        child=serializers.CharField(), help_text="which the labels' font does not have"
    )


class LocationLabels(ApiView):
    """Prints labels. Doing it twice does no harm, and a file is no answer to keep."""

    applies_once = False

    @extend_schema(
        request=LabelsWrite,
        responses={
            (200, "application/json"): LabelPlanRow,
            (200, "application/pdf"): OpenApiTypes.BINARY,
        },
    )
    def post(self, request: Request) -> Any:
        """Print labels as PDF; with `dry_run` only tell how many, on how many pages."""
        checked = LabelsWrite(data=request.data)
        checked.is_valid(raise_exception=True)
        data = checked.validated_data
        how = _print_of(data)
        if data["test_page"]:
            return _pdf(labels.print_test_page(how=how))
        chosen = _chosen(request, data.get("ids"))
        if not data["dry_run"]:
            return _pdf(labels.print_labels(locations=chosen, how=how))
        plan = labels.plan_labels(locations=chosen, how=how)
        row = asdict(plan) | {"count": len(plan.names), "names": plan.names[:SHOWN_NAMES]}
        return Response(row)


def _chosen(request: Request, ids: list[int] | None) -> Any:
    mine = Location.objects.owned_by(request.user)
    if ids is not None:
        return mine.filter(pk__in=ids)
    narrowed = LocationFilter(request.query_params, queryset=mine)
    if not narrowed.is_valid():
        raise Invalid(fields={name: list(texts) for name, texts in narrowed.errors.items()})
    return narrowed.qs


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


def _print_of(data: dict[str, Any]) -> Print:
    """Return how to print, as the validated request says."""
    return Print(
        layout=data["layout"],
        start=data["start"],
        shift_right=data["shift_right"],
        shift_down=data["shift_down"],
        outlines=data["outlines"],
    )

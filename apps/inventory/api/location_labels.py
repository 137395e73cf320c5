"""`/api/inventoryLocations/labels`."""

from dataclasses import asdict
from typing import Annotated, Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.fields import ListOf, RowId
from apps.core.api.printing import PrintPlanRow, PrintWrite, how_to_print, pdf_answer
from apps.core.api.schema import schemas_of_filters
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.inventory.services.label_pictures import pictures_of_bins
from apps.locations.api.filters import LocationFilter
from apps.locations.api.papers import OnPaper
from apps.locations.models import Location
from apps.locations.services import labels
from apps.locations.services.labels import MOST_LABELS, Print

SHOWN_NAMES: Final = 200
FILE: Final = "labels.pdf"


class _WhichLocations(serializers.Serializer[Any]):
    ids = ListOf(
        child=RowId(), required=False, allow_null=True, min_length=1, max_length=MOST_LABELS
    )


class LabelsWrite(_WhichLocations, OnPaper, PrintWrite):
    """Labels for all locations that the filters of the address leave, or `ids` among them."""


class LabelPlanRow(PrintPlanRow):
    label_sizes: Annotated[
        list[str], "which their container types name, each once; an empty one for those without"
    ]


class LocationLabels(ApiView):
    """Prints labels. Doing it twice does no harm, and a file is no answer to keep."""

    applies_once = False

    @extend_schema(
        parameters=[
            OpenApiParameter(name, schema, explode=False if "items" in schema else None)
            for name, schema in schemas_of_filters(LocationFilter).items()
        ],
        request=LabelsWrite,
        responses={
            (200, "application/json"): LabelPlanRow,
            (200, "application/pdf"): OpenApiTypes.BINARY,
        },
    )
    def post(self, request: Request) -> Any:
        """Print labels as PDF; with `dry_run` only count the labels and pages."""
        data = self.validated(LabelsWrite, request.data)
        how = Print(**how_to_print(data))
        chosen = _chosen(request, data.get("ids"))
        if data["test_page"]:
            return pdf_answer(labels.print_test_page(how=how), name=FILE)
        if not data["dry_run"]:
            made = labels.print_labels(
                locations=chosen, how=how, now=now(), pictures_of=pictures_of_bins
            )
            return pdf_answer(made, name=FILE)
        plan, sizes = labels.plan_labels(locations=chosen, how=how)
        told = {"count": len(plan.names), "names": plan.names[:SHOWN_NAMES], "label_sizes": sizes}
        return Response(asdict(plan) | told)


def _chosen(request: Request, ids: list[int] | None) -> Any:
    mine = Location.objects.owned_by(request.user)
    narrowed = LocationFilter(request.query_params, queryset=mine, request=request)
    if not narrowed.is_valid():
        raise Invalid(fields={name: list(texts) for name, texts in narrowed.errors.items()})
    return narrowed.qs if ids is None else narrowed.qs.filter(pk__in=ids)

"""`/api/batches/labels`."""

from dataclasses import asdict
from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.batches.services.labels import plan_batch_labels, print_batch_labels
from apps.core.api.fields import ListOf, RowId
from apps.core.api.printing import PrintPlanRow, PrintWrite, how_to_print, pdf_answer
from apps.core.api.views import OwnedViewSet
from apps.locations.api.papers import OnPaper
from apps.locations.services.labels import Print, print_test_page

MOST_BATCHES: Final = 500
FILE: Final = "labels.pdf"


class _WhichBatches(serializers.Serializer[Any]):
    ids = ListOf(child=RowId(), min_length=1, max_length=MOST_BATCHES)


class BatchLabelsWrite(_WhichBatches, OnPaper, PrintWrite):
    pass


class BatchLabelPlanRow(PrintPlanRow):
    names: list[str]


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
        """Print labels with name and code as PDF; with `dry_run` only count labels and pages."""
        data = self.validated(BatchLabelsWrite, request.data)
        how = Print(**how_to_print(data))
        if data["test_page"]:
            return pdf_answer(print_test_page(how=how), name=FILE)
        chosen: dict[str, Any] = {"owner": request.user, "batch_ids": data["ids"], "how": how}
        if not data["dry_run"]:
            return pdf_answer(print_batch_labels(**chosen), name=FILE)
        plan = plan_batch_labels(**chosen)
        return Response(asdict(plan) | {"count": len(plan.names)})

"""`/api/exports`: ask for a file, follow it, download it."""

from typing import Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.batches.rules import ItemState
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.exports.api.serializers import ExportRow, ExportWrite
from apps.exports.models import Export
from apps.exports.services import exports


class ExportViewSet(OwnedViewSet):
    """Files of batches or of the inventory, newest first."""

    queryset = Export.objects.all()
    row_serializer = ExportRow
    write_serializer = ExportWrite
    filterset_fields = ("scope", "batch")
    ordering_fields = {"createdAt": "created_at"}
    ordering = "-createdAt"
    http_method_names = ["get", "post", "delete", "head", "options"]

    @extend_schema(request=ExportWrite, responses={202: ExportRow})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Start writing a file; follow `job_id` or this export."""
        data = self.validated(ExportWrite, request.data)
        return Response(self.row(self.create_row(data).pk), status=status.HTTP_202_ACCEPTED)

    def create_row(self, data: dict[str, Any]) -> Export:
        options = dict(data.get("options") or {})
        state = options.pop("state", "all")
        return exports.start_export(
            owner=self.request.user,
            batch=data.get("batch"),
            options=exports.ExportOptions(
                state=None if state == "all" else ItemState(state),
                item_ids=tuple(options.pop("item_ids", ())),
                **options,
            ),
            now=now(),
        )

    def delete_row(self, row: Export) -> None:
        exports.delete_export(export=row)

    @extend_schema(
        responses={
            (200, "application/octet-stream"): OpenApiResponse(
                OpenApiTypes.BINARY, description="the file"
            )
        }
    )
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: Any) -> Any:
        """Download the file. 409 while its job has not written it."""
        export = self.get_owned(pk)
        return FileResponse(
            exports.open_file(export=export),
            as_attachment=True,
            filename=export.file_name,
            content_type="application/octet-stream",
            headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"},
        )

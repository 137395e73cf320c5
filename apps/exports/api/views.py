"""`/api/exports`: ask for a file, follow it, download it."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.batches.rules import ItemState
from apps.core.api.downloads import download
from apps.core.api.filters import FilterSet, IdFilter
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.kept_file import delete_written
from apps.exports.api.serializers import ExportPreview, ExportRow, ExportWrite
from apps.exports.models import Export, ExportKind
from apps.exports.services import exports, uploads


class ExportFilter(FilterSet):
    batch = IdFilter(field_name="batch_id")

    class Meta:
        model = Export
        fields = ("scope", "kind")


class ExportViewSet(OwnedViewSet):
    """Files of batches or of the inventory, newest first."""

    row_serializer = ExportRow
    write_serializer = ExportWrite
    filterset_class = ExportFilter
    ordered_by = "createdAt"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "delete", "head"]

    @extend_schema(request=ExportWrite, responses={202: ExportRow})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Start writing a file; follow `job_id` or this export."""
        data = self.validated(ExportWrite, request.data)
        return Response(self.row(self.create_row(data).pk), status=status.HTTP_202_ACCEPTED)

    def create_row(self, data: dict[str, Any]) -> Export:
        return exports.start_export(owner=store_of(self.request), now=now(), **_asked(data))

    @extend_schema(request=ExportWrite, responses={200: ExportPreview})
    @action(detail=False, methods=["post"])
    def preview(self, request: Request) -> Response:
        """Preview the file: its rows, those left out, and its beginning."""
        data = self.validated(ExportWrite, request.data)
        found = exports.preview_export(owner=store_of(request), now=now(), **_asked(data))
        return Response([asdict(found)])

    def delete_row(self, row: Export) -> None:
        delete_written(row)

    @extend_schema(request=None, responses={200: ExportRow})
    @action(detail=True, methods=["post"])
    def uploaded(self, request: Request, pk: str) -> Response:
        """Confirm the upload of a mass update: its values are the new base. 409 the second time."""
        export = self.get_owned(pk)
        uploads.confirm_upload(export=export, by=caller_of(request), now=now())
        return Response(self.row(export.pk))

    @extend_schema(
        responses={
            (200, "application/octet-stream"): OpenApiResponse(
                OpenApiTypes.BINARY, description="the file"
            )
        }
    )
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: str) -> Any:
        """Download the file. 409 while its job has not written it."""
        export = self.get_owned(pk)
        return download(exports.open_file(export=export), name=export.file_name)


def _asked(data: dict[str, Any]) -> dict[str, Any]:
    options = dict(data.get("options") or {})
    state = options.pop("state", "all")
    for name in ("item_ids", "columns", "update_fields"):
        options[name] = tuple(options.get(name, ()))
    return {
        "kind": ExportKind(data["kind"]),
        "batch": data.get("batch"),
        "options": exports.ExportOptions(
            state=None if state == "all" else ItemState(state), **options
        ),
    }

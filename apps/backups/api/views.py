"""`/api/backups`: ask for a backup, follow it, download it, bring one back."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.backups.models import Backup
from apps.backups.services import backups, restores
from apps.core.api.downloads import download
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.api import JobRow, WrittenFileRow, accepted
from apps.core.jobs.kept_file import delete_written, open_written


class BackupRow(WrittenFileRow):
    """A backup with the state of its job. `file_url` is null until the file is there."""

    model = Backup
    columns = f"{WrittenFileRow.file_columns} size"
    address = "/api/backups"

    counts: dict[str, int]


class BackupWrite(serializers.Serializer[Any]):
    """Nothing is asked: a backup holds everything."""


class RestoreWrite(serializers.Serializer[Any]):
    """A backup as it was downloaded."""

    file = serializers.FileField(max_length=255)


class BackupViewSet(OwnedViewSet):
    """Zips of everything that the caller keeps here, newest first."""

    row_serializer = BackupRow
    write_serializer = BackupWrite
    ordered_by = "createdAt"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "delete", "head"]

    @extend_schema(request=None, responses={202: BackupRow})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Start writing a backup; follow `job_id` or this backup."""
        made = backups.start_backup(owner=store_of(request), now=now())
        return Response(self.row(made.pk), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request={"multipart/form-data": RestoreWrite}, responses={202: JobRow})
    @action(detail=False, methods=["post"], parser_classes=[MultiPartParser])
    def restore(self, request: Request) -> Response:
        """Bring a backup back into this account, which must hold nothing. Follow the job."""
        file = self.validated(RestoreWrite, request.data)["file"]
        job = restores.start_restore(owner=store_of(request), file=file, file_name=file.name)
        return accepted(job)

    def delete_row(self, row: Backup) -> None:
        delete_written(row)

    @extend_schema(
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, description="the zip")
        }
    )
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: str) -> Any:
        """Download the zip. 409 while its job has not written it."""
        backup = self.get_owned(pk)
        return download(open_written(backup), name=backup.file_name, content_type="application/zip")

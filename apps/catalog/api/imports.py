"""`/api/catalogImports`: catalogue files, from whoever runs this server."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.selectors import caller_of, runs_server
from apps.catalog.services.uploads import check_files, start_file_import
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import ApiView
from apps.core.jobs.api import JobRow, accepted

MOST_FILES = 40


class CatalogAccessRow(AnswerSerializer):
    """What the caller may do with the catalogue."""

    may_import: bool


class CatalogFilesWrite(serializers.Serializer[Any]):
    """Downloads of BrickLink's catalogue or of Rebrickable, plain, `.gz` or in a `.zip`."""

    files = serializers.ListField(
        child=serializers.FileField(max_length=None, allow_empty_file=True),
        allow_empty=False,
        max_length=MOST_FILES,
    )


class CatalogFileRow(AnswerSerializer):
    """What a file, or one in a zip, was recognised as. `reason` says why it is not read."""

    name: str
    table: str
    reason: str


class _Uploads(ApiView):
    parser_classes = [MultiPartParser]

    def files_of(self, request: Request) -> list[Any]:
        """Return the files of an operator. Raises PermissionDenied."""
        if not runs_server(cast("User", request.user)):
            raise PermissionDenied
        return list(self.validated(CatalogFilesWrite, request.data)["files"])


class CatalogImportView(_Uploads):
    """Imports catalogue files."""

    @extend_schema(responses=CatalogAccessRow)
    def get(self, request: Request) -> Response:
        """Whether the caller may import: staff who may, and the first account of an own machine."""
        may = runs_server(cast("User", request.user))
        return Response(CatalogAccessRow({"may_import": may}).data)

    @extend_schema(request={"multipart/form-data": CatalogFilesWrite}, responses={202: JobRow})
    def post(self, request: Request) -> Response:
        """Keep the files and start their import. Follow the job."""
        return accepted(
            start_file_import(files=self.files_of(request), reread=False, by=caller_of(request))
        )


class CatalogCheckView(_Uploads):
    """Tells what catalogue files are, and imports nothing."""

    @extend_schema(
        request={"multipart/form-data": CatalogFilesWrite}, responses=CatalogFileRow(many=True)
    )
    def post(self, request: Request) -> Response:
        """Recognise the files by their first lines."""
        found = check_files(files=self.files_of(request))
        return Response(CatalogFileRow(found, many=True).data)

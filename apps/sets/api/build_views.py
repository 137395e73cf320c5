"""`/api/buildSearches`, `/api/buildableSets`: which sets the stock makes, or nearly."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.views import OwnedViewSet
from apps.sets.api.filters import BuildableFilter
from apps.sets.api.serializers import BuildableSetRow, BuildSearchRow, BuildSearchWrite
from apps.sets.models import BuildSearch
from apps.sets.services.builds import start_search


class BuildSearchViewSet(OwnedViewSet):
    """The caller's last look at which sets the stock makes."""

    row_serializer = BuildSearchRow
    write_serializer = BuildSearchWrite
    ordered_by = "createdAt=id"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "head"]

    @extend_schema(request=BuildSearchWrite, responses={202: BuildSearchRow})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Begin to compare every set of the catalogue with the stock; follow `job_id`."""
        data = self.validated(BuildSearchWrite, request.data)
        return Response(self.row(self.create_row(data).pk), status=status.HTTP_202_ACCEPTED)

    def create_row(self, data: dict[str, Any]) -> BuildSearch:
        return start_search(owner=store_of(self.request), **data)


class BuildableSetViewSet(OwnedViewSet):
    """The sets found, the best first."""

    row_serializer = BuildableSetRow
    write_serializer = BuildableSetRow
    filterset_class = BuildableFilter
    ordered_by = """
        percent number=item__sort_key name=item__name year=item__year_released
        pieces_required lots_missing
    """
    ordering = "-percent"
    http_method_names = ["get", "head"]

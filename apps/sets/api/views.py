"""`/api/userSets`."""

from typing import Any

from django.db.models import Sum
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.views import OwnedViewSet
from apps.sets.api.serializers import (
    DestinationsQuery,
    PutAsideWrite,
    SetDestinationRow,
    UserSetChange,
    UserSetRow,
    UserSetWrite,
)
from apps.sets.models import UserSet
from apps.sets.selectors import set_destinations
from apps.sets.services import add_set, delete_set, edit_set, put_aside


class UserSetViewSet(OwnedViewSet):
    """The caller's sets, with how many of their pieces are on hand."""

    queryset = UserSet.objects.all()
    row_serializer = UserSetRow
    write_serializer = UserSetWrite
    filterset_fields = ("state",)
    ordering_fields = {"createdAt": "id", "updatedAt": "updated_at"}
    ordering = "-updatedAt"
    http_method_names = ["get", "post", "patch", "delete", "head", "options"]

    def rows(self) -> Any:
        return self.get_queryset().annotate(
            pieces_required=Coalesce(Sum("requirements__quantity_required"), 0),
            pieces_on_hand=Coalesce(Sum("requirements__quantity_on_hand"), 0),
        )

    def validated(self, kind: type[Any], data: Any, *, partial: bool = False) -> dict[str, Any]:
        return super().validated(UserSetChange if partial else kind, data, partial=partial)

    @extend_schema(request=UserSetChange, responses=UserSetRow)
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().partial_update(request, *args, **kwargs)

    def create_row(self, data: dict[str, Any]) -> UserSet:
        return add_set(owner=self.request.user, **data)

    def update_row(self, row: UserSet, data: dict[str, Any]) -> None:
        edit_set(user_set=row, changes=data)

    def delete_row(self, row: UserSet) -> None:
        delete_set(user_set=row)

    @extend_schema(parameters=[DestinationsQuery], responses=SetDestinationRow(many=True))
    @action(
        detail=False,
        methods=["get"],
        pagination_class=None,
        filterset_fields=None,
        ordering_fields={},
    )
    def destinations(self, request: Request) -> Response:
        """The open sets that still lack this lot, the oldest first."""
        lot = self.validated(DestinationsQuery, request.query_params)["lot"]
        return Response(set_destinations(owner=request.user, lot_id=lot))

    @extend_schema(request=PutAsideWrite, responses=UserSetRow)
    @action(detail=True, methods=["post"], url_path="putAside")
    def put_aside(self, request: Request, pk: Any) -> Response:
        """Count pieces as on hand for the set; a negative quantity takes them back.

        409 where the set lacks fewer than that.
        """
        user_set = self.get_owned(pk)
        data = self.validated(PutAsideWrite, request.data)
        put_aside(user_set=user_set, **data)
        return Response(self.row(user_set.pk))

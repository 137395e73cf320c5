"""`/api/inventoryLocations`, as far as nobody has to know what lies in them."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.errors import UnknownReference
from apps.locations.api.filters import LocationFilter
from apps.locations.api.serializers import LocationRow, LocationWrite, PatternRow, PatternWrite
from apps.locations.models import ContainerType, Location
from apps.locations.services import locations

SHOWN_NAMES: Final = 200


class PlainLocations(OwnedViewSet):
    """The caller's locations, in natural order. The inventory adds the figures of its stock."""

    queryset = Location.objects.all()
    row_serializer = LocationRow
    write_serializer = LocationWrite
    filterset_class = LocationFilter
    ordering_fields = {
        "name": "sort_key",
        "item_count": "item_count",
        "stored_weight": "stored_weight",
        "max_item_count": "max_item_count",
        "createdAt": "id",
        "updatedAt": "updated_at",
    }
    ordering = "name"
    http_method_names = ["get", "post", "patch", "delete", "head", "options"]

    def create_row(self, data: dict[str, Any]) -> Location:
        return locations.create_location(owner=self.request.user, fields=self.fields_of(data))

    @extend_schema(request=PatternWrite, responses={200: PatternRow, 201: PatternRow})
    @action(detail=False, methods=["post"], filterset_class=None, ordering_fields={})
    def pattern(self, request: Request) -> Response:
        """Make the locations of a pattern, at most 2,000; with `dry_run` only tell which."""
        data = self.validated(PatternWrite, request.data)
        kind = self._container_type(data.get("inventory_container_type_id"))
        dry_run = data["dry_run"]
        if dry_run:
            plan = locations.plan_pattern(owner=request.user, pattern=data["pattern"])
        else:
            plan = locations.create_by_pattern(
                owner=request.user, pattern=data["pattern"], container_type=kind, now=now()
            )
        row = {
            "count": len(plan.to_create),
            "names": plan.to_create[:SHOWN_NAMES],
            "existing_count": len(plan.existing),
            "existing": plan.existing[:SHOWN_NAMES],
            "dry_run": dry_run,
            "ids": plan.made,
        }
        return Response(row, status=status.HTTP_200_OK if dry_run else status.HTTP_201_CREATED)

    def fields_of(self, data: dict[str, Any]) -> dict[str, Any]:
        fields = dict(data)
        if "inventory_container_type_id" in fields:
            fields["container_type"] = self._container_type(
                fields.pop("inventory_container_type_id")
            )
        return fields

    def _container_type(self, pk: int | None) -> ContainerType | None:
        if pk is None:
            return None
        found = ContainerType.objects.owned_by(self.request.user).filter(pk=pk).first()
        if found is None:
            raise UnknownReference(
                fields={"inventory_container_type_id": ["is none of your container types"]}
            )
        return found

"""`/api/inventoryLocations`: the part that does not need their contents."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.bulk import chosen_ids
from apps.core.api.views import UNFILTERED, OwnedViewSet
from apps.core.clock import now
from apps.core.errors import NotFound, UnknownReference
from apps.locations.api.filters import LocationFilter
from apps.locations.api.serializers import (
    LocationRow,
    LocationWrite,
    ManyLocations,
    PatternRow,
    PatternWrite,
    PutBackRow,
    PutBackWrite,
    SetManyRow,
    SetManyWrite,
    SuggestedLimitRow,
)
from apps.locations.models import ContainerType, Location
from apps.locations.rules.capacity import suggested_limit
from apps.locations.services import capacity, locations, many
from apps.locations.services.many import Settings

SHOWN_NAMES: Final = 200


class PlainLocations(OwnedViewSet):
    """The caller's locations, in natural order. The inventory adds the figures of its stock."""

    row_serializer = LocationRow
    write_serializer = LocationWrite
    filterset_class = LocationFilter
    ordered_by = "name=sort_key item_count stored_weight max_item_count createdAt=id updatedAt"
    ordering = "name"

    def create_row(self, data: dict[str, Any]) -> Location:
        return locations.create_location(owner=store_of(self.request), fields=self.fields_of(data))

    @extend_schema(request=PatternWrite, responses={200: PatternRow, 201: PatternRow})
    @action(detail=False, methods=["post"], **UNFILTERED)
    def pattern(self, request: Request) -> Response:
        """Make the locations of a pattern, at most 2,000; with `dry_run` only list them."""
        data = self.validated(PatternWrite, request.data)
        kind = self._container_type(data.get("inventory_container_type_id"))
        dry_run = data["dry_run"]
        if dry_run:
            plan = locations.plan_pattern(owner=store_of(request), pattern=data["pattern"])
        else:
            plan = locations.create_by_pattern(
                owner=store_of(request), pattern=data["pattern"], container_type=kind, now=now()
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

    @extend_schema(request=SetManyWrite, responses=SetManyRow)
    @action(detail=False, methods=["post"], url_path="setMany", **UNFILTERED)
    def set_many(self, request: Request) -> Response:
        """Set type and limits of at most 2,000 locations at once; `before` puts them back."""
        data = self.validated(SetManyWrite, request.data)
        ids = chosen_ids(request, filters=LocationFilter, rows=self.get_queryset())
        changes = self.fields_of(data["set"])
        if "container_type" in changes:
            kind = changes.pop("container_type")
            changes["container_type_id"] = kind and kind.pk
        done = many.set_many(owner=store_of(request), ids=ids, changes=changes, now=now())
        if not done.before:
            raise NotFound
        before = [
            {
                **one.values,
                "id": one.id,
                "updatedAt": one.seen,
                "inventory_container_type_id": one.values["container_type_id"],
            }
            for one in done.before
        ]
        row = {"changed": len(before), "over": done.over, "before": before}
        return Response(SetManyRow(row).data)

    @extend_schema(request=ManyLocations, responses=SuggestedLimitRow)
    @action(detail=False, methods=["post"], url_path="suggestLimit", **UNFILTERED)
    def suggest_limit(self, request: Request) -> Response:
        """Suggest a limit of pieces for locations, from their contents and those of their types."""
        self.validated(ManyLocations, request.data)
        ids = chosen_ids(request, filters=LocationFilter, rows=self.get_queryset())
        if not self.get_queryset().filter(pk__among=ids).exists():
            raise NotFound
        held = capacity.pieces_in_like_ones(owner=store_of(request), ids=ids)
        row = {"max_item_count": suggested_limit(held), "learnt_from": len(held)}
        return Response(SuggestedLimitRow(row).data)

    @extend_schema(request=PutBackWrite, responses=PutBackRow)
    @action(detail=False, methods=["post"], url_path="putBackMany", **UNFILTERED)
    def put_back_many(self, request: Request) -> Response:
        """Take `setMany` back, all or none: 409 CONFLICT where one was changed since."""
        rows = [
            Settings(
                row.pop("id"),
                row.pop("updatedAt"),
                {"container_type_id": row.pop("inventory_container_type_id"), **row},
            )
            for row in self.validated(PutBackWrite, request.data)["rows"]
        ]
        changed = many.put_back(owner=store_of(request), rows=rows, now=now())
        return Response({"changed": changed})

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

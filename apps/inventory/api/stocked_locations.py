"""`/api/inventoryLocations`: locations with their contents."""

from decimal import Decimal
from typing import Annotated, Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.fields import ListOf, RowId, Text, WholeNumber
from apps.core.api.pagination import PagePagination
from apps.core.api.serializers import AnswerSerializer
from apps.core.clock import now
from apps.core.errors import NotFound
from apps.core.money import money
from apps.inventory.api.location_contents import LocationContents
from apps.inventory.selectors import (
    with_last_count,
    with_lot_count,
    with_unknown_weight,
    worth_by_location,
)
from apps.inventory.services import stocked_locations
from apps.locations.api.plain_locations import PlainLocations
from apps.locations.api.serializers import ID, MapRow
from apps.locations.models import Location
from apps.locations.services import locations


class DeleteManyWrite(serializers.Serializer[Any]):
    ids = ListOf(child=RowId(), min_length=1, max_length=locations.AT_ONCE)


class DeletedManyRow(AnswerSerializer):
    deleted: Annotated[int, "those that were gone already are not counted"]


class MoveAllWrite(serializers.Serializer[Any]):
    to = WholeNumber(**ID, allow_null=True, help_text="a location, or null for none")
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")


class MergedAllRow(AnswerSerializer):
    moved: Annotated[int, "rows"]


class MovedAllRow(MergedAllRow):
    act_id: Annotated[int, "takes it back"]


class MergeWrite(serializers.Serializer[Any]):
    into = WholeNumber(**ID, help_text="the location that stays")
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")


class MapPagination(PagePagination):
    """A map is drawn whole: its rows are short, and a page has 10,000 of them."""

    page_size = 10_000


class LocationViewSet(LocationContents, PlainLocations):
    """The caller's locations, in natural order, with their contents."""

    def rows(self) -> QuerySet[Any]:
        return with_last_count(with_unknown_weight(with_lot_count(self.get_queryset())))

    def update_row(self, row: Location, data: dict[str, Any]) -> None:
        stocked_locations.rename_or_edit_location(
            location=row, changes=self.fields_of(data), now=now()
        )

    def delete_row(self, row: Location) -> None:
        """Delete an empty location; 409 LOCATION_NOT_EMPTY lists the contents of any other."""
        stocked_locations.delete_location(location=row)

    @extend_schema(request=DeleteManyWrite, responses=DeletedManyRow)
    @action(detail=False, methods=["post"], url_path="deleteMany", filterset_class=None)
    def delete_many(self, request: Request) -> Response:
        """Delete empty locations, all or none: 409 LOCATION_NOT_EMPTY names the first that is not."""
        ids = self.validated(DeleteManyWrite, request.data)["ids"]
        deleted = stocked_locations.delete_locations(owner=store_of(request), ids=ids)
        if not deleted:
            raise NotFound
        return Response({"deleted": deleted})

    @extend_schema(request=MoveAllWrite, responses=MovedAllRow)
    @action(detail=True, methods=["post"])
    def move(self, request: Request, pk: str) -> Response:
        """Carry everything in it to another location, or to none; all or nothing."""
        location = self.get_owned(pk)
        data = self.validated(MoveAllWrite, request.data)
        to = None if data["to"] is None else self.get_owned(data["to"])
        result, act = stocked_locations.move_all(
            location=location,
            to=to,
            by=caller_of(request),
            now=now(),
            override_reason=data["override_reason"],
        )
        return Response({"moved": len(result.moved), "act_id": act.pk})

    @extend_schema(request=MergeWrite, responses=MergedAllRow)
    @action(detail=True, methods=["post"])
    def merge(self, request: Request, pk: str) -> Response:
        """Carry everything in it to another location, and delete it; all or nothing."""
        location = self.get_owned(pk)
        data = self.validated(MergeWrite, request.data)
        result = stocked_locations.merge_locations(
            location=location,
            into=self.get_owned(data["into"]),
            by=caller_of(request),
            now=now(),
            override_reason=data["override_reason"],
        )
        return Response({"moved": len(result.moved)})

    @extend_schema(responses=MapRow(many=True))
    @action(detail=False, url_path="map", pagination_class=MapPagination)
    def shelf_map(self, request: Request) -> Response:
        """How full the locations are and the worth of their contents, 10,000 a page."""
        locations = with_unknown_weight(self.filter_queryset(self.get_queryset()))
        rows = self.paginate_queryset(MapRow.select(locations)) or []
        worth = worth_by_location(owner=store_of(request))
        for row in rows:
            value, unpriced = worth.get(row["id"], (Decimal(0), 0))
            known = None if value is None else money(value)
            row |= {"total_value": known, "lots_without_price": unpriced}
        return self.get_paginated_response(MapRow(rows, many=True).data)

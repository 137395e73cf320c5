"""`/api/inventoryLocations`: places with what lies in them."""

from decimal import Decimal
from typing import Any, Final

import django_filters as filters
from django.db.models import F, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.fields import Amount, RowId, Text, WholeNumber, YesOrNo
from apps.core.api.filters import BooleanFilter, IdFilter, IdOrNoneFilter, IdsFilter
from apps.core.api.pagination import PagePagination
from apps.core.api.serializers import RowSerializer
from apps.core.clock import now
from apps.core.errors import NotFound, UnknownReference
from apps.inventory.api.location_contents import LocationContents
from apps.inventory.selectors import with_last_count, with_lot_count, with_unknown_weight
from apps.inventory.services import bins
from apps.locations.models import NAME_LENGTH, ContainerType, Location
from apps.locations.rules.sizes import SIZES
from apps.locations.services import locations

GRAMS: dict[str, Any] = {"max_digits": 14, "decimal_places": 4}
LIMIT: dict[str, Any] = {**GRAMS, "min_value": Decimal(0), "allow_null": True, "required": False}
ID: dict[str, Any] = {"min_value": 1, "max_value": 2**63 - 1}
MOST_PIECES: Final = 2_147_483_647
NEARLY: Final = Decimal("0.9")
SHOWN_NAMES: Final = 200
FILLS = [("empty", "empty"), ("nearly_full", "nearly full"), ("over", "over a limit")]


class LocationRow(RowSerializer):
    """A location; null is unlimited."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    code = serializers.CharField(help_text="what its label's LOC: says")
    description = serializers.CharField()
    inventory_container_type_id = serializers.IntegerField(
        source="container_type_id", allow_null=True
    )
    inventory_container_type_name = serializers.CharField(
        source="container_type.name", allow_null=True
    )
    size_class = serializers.ChoiceField(
        choices=SIZES,
        allow_blank=True,
        allow_null=True,
        source="container_type.size_class",
        help_text="of its container type; null without one, empty where that tells none",
    )
    max_item_count = serializers.IntegerField(allow_null=True)
    max_total_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    min_item_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    max_item_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    item_count = serializers.IntegerField(help_text="pieces in it")
    lot_count = serializers.IntegerField(help_text="rows with pieces in it")
    stored_weight = serializers.DecimalField(**GRAMS)
    unknown_weight_count = serializers.IntegerField(
        help_text="pieces without a known weight: not in stored_weight"
    )
    available_item_count = serializers.IntegerField(allow_null=True, help_text="negative: over")
    available_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    is_full = serializers.BooleanField(help_text="a person's mark; never overridden")
    exclude_from_recommendations = serializers.BooleanField()
    labelPrintedAt = serializers.DateTimeField(
        source="label_printed_at", allow_null=True, help_text="null: no label says its name"
    )
    lastCountedAt = serializers.DateTimeField(
        source="last_counted_at", allow_null=True, help_text="when a stocktake of it was booked"
    )
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    computed = ("available_item_count", "available_weight")

    def finish(self, row: Any) -> Any:
        most, grams = row["max_item_count"], row["max_total_weight"]
        row["available_item_count"] = None if most is None else most - row["item_count"]
        row["available_weight"] = None if grams is None else grams - row["stored_weight"]
        return row


class LocationWrite(serializers.Serializer[Any]):
    """What a person may set. Limits left out when creating come from the container type."""

    name = Text(max_length=NAME_LENGTH)
    code = Text(max_length=NAME_LENGTH, allow_blank=True, required=False)
    description = Text(max_length=10_000, allow_blank=True, required=False)
    inventory_container_type_id = WholeNumber(**ID, allow_null=True, required=False)
    max_item_count = WholeNumber(
        min_value=0, max_value=MOST_PIECES, allow_null=True, required=False
    )
    max_total_weight = Amount(**LIMIT)
    min_item_weight = Amount(**LIMIT)
    max_item_weight = Amount(**LIMIT)
    is_full = YesOrNo(required=False)
    exclude_from_recommendations = YesOrNo(required=False)


class PatternWrite(serializers.Serializer[Any]):
    pattern = Text(max_length=500, help_text="such as A-[1-8]-[01-24]")
    inventory_container_type_id = WholeNumber(**ID, allow_null=True, required=False)
    dry_run = YesOrNo(default=False)


class PatternRow(serializers.Serializer[Any]):
    """Names that a pattern makes, and those that exist already and stay as they are."""

    count = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField(), help_text="the first 200")
    existing_count = serializers.IntegerField()
    existing = serializers.ListField(child=serializers.CharField(), help_text="the first 200")
    dry_run = serializers.BooleanField()
    ids = serializers.ListField(
        child=serializers.IntegerField(), help_text="of those that were made"
    )


class DeleteManyWrite(serializers.Serializer[Any]):
    ids = serializers.ListField(child=RowId(), min_length=1, max_length=locations.AT_ONCE)


class DeletedManyRow(serializers.Serializer[Any]):
    deleted = serializers.IntegerField(help_text="those that were gone already are not counted")


class MoveAllWrite(serializers.Serializer[Any]):
    to = WholeNumber(**ID, allow_null=True, help_text="a location, or null for none")
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")


class MergedAllRow(serializers.Serializer[Any]):
    moved = serializers.IntegerField(help_text="rows")


class MovedAllRow(MergedAllRow):
    act_id = serializers.IntegerField(help_text="takes it back")


class MergeWrite(serializers.Serializer[Any]):
    into = WholeNumber(**ID, help_text="the location that stays")
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")


class MapRow(RowSerializer):
    """As much of a location as a map of many draws; null is unlimited."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    inventory_container_type_name = serializers.CharField(
        source="container_type.name", allow_null=True
    )
    item_count = serializers.IntegerField()
    max_item_count = serializers.IntegerField(allow_null=True)
    stored_weight = serializers.DecimalField(**GRAMS)
    unknown_weight_count = serializers.IntegerField(
        help_text="pieces without a known weight: not in stored_weight"
    )
    max_total_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    min_item_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    max_item_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    is_full = serializers.BooleanField()
    exclude_from_recommendations = serializers.BooleanField()


class MapPagination(PagePagination):
    """A map is drawn whole: its rows are short, and a page has 10,000 of them."""

    page_size = 10_000


class LocationFilter(filters.FilterSet):
    search = filters.CharFilter(method="by_text", help_text="in name, code and description")
    id = IdsFilter(field_name="id")
    name = filters.CharFilter(field_name="name", help_text="the whole name")
    container_type = IdOrNoneFilter(field_name="container_type_id")
    inventory_container_type_id = IdFilter(field_name="container_type_id")
    size_class = filters.ChoiceFilter(
        choices=SIZES, method="by_size", help_text="of its container type"
    )
    fill = filters.ChoiceFilter(choices=FILLS, method="by_fill")
    is_full = BooleanFilter()
    exclude_from_recommendations = BooleanFilter()
    label_printed = BooleanFilter(
        method="by_label", help_text="whether a label with its present name was made"
    )
    code = filters.CharFilter(
        lookup_expr="iexact", help_text="what a scanner read after LOC:, in whatever case"
    )

    class Meta:
        model = Location
        fields: tuple[str, ...] = ()

    def by_text(self, queryset: Any, name: str, value: str) -> Any:
        for word in value.split()[:8]:
            queryset = queryset.filter(
                Q(name__icontains=word) | Q(code__icontains=word) | Q(description__icontains=word)
            )
        return queryset

    def by_size(self, queryset: Any, name: str, value: str) -> Any:
        # A person has few types: their locations are found by the index of the foreign key.
        mine = ContainerType.objects.owned_by(self.request.user).filter(size_class=value)
        return queryset.filter(container_type__in=mine)

    def by_label(self, queryset: Any, name: str, value: bool) -> Any:
        # Not as exclude(): SQLite finds the index of those without a label by this condition.
        return queryset.filter(label_printed_at__isnull=not value)

    def by_fill(self, queryset: Any, name: str, value: str) -> Any:
        if value == "empty":
            return queryset.filter(item_count=0)
        if value == "over":
            return queryset.filter(
                Q(item_count__gt=F("max_item_count")) | Q(stored_weight__gt=F("max_total_weight"))
            )
        return queryset.filter(
            Q(item_count__gte=F("max_item_count") * NEARLY)
            | Q(stored_weight__gte=F("max_total_weight") * NEARLY),
            item_count__gt=0,
        )


class LocationViewSet(LocationContents):
    """The caller's locations, in natural order."""

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

    def rows(self) -> QuerySet[Any]:
        return with_last_count(with_unknown_weight(with_lot_count(self.get_queryset())))

    def create_row(self, data: dict[str, Any]) -> Location:
        return locations.create_location(owner=self.request.user, fields=self._fields(data))

    def update_row(self, row: Location, data: dict[str, Any]) -> None:
        bins.rename_or_edit_location(location=row, changes=self._fields(data), now=now())

    def delete_row(self, row: Location) -> None:
        """Delete an empty location; 409 LOCATION_NOT_EMPTY lists what lies in another."""
        bins.delete_location(location=row)

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

    @extend_schema(request=DeleteManyWrite, responses=DeletedManyRow)
    @action(detail=False, methods=["post"], url_path="deleteMany", filterset_class=None)
    def delete_many(self, request: Request) -> Response:
        """Delete empty locations, all or none: 409 LOCATION_NOT_EMPTY names the first that is not."""
        ids = self.validated(DeleteManyWrite, request.data)["ids"]
        deleted = bins.delete_locations(owner=request.user, ids=ids)
        if not deleted:
            raise NotFound
        return Response({"deleted": deleted})

    @extend_schema(request=MoveAllWrite, responses=MovedAllRow)
    @action(detail=True, methods=["post"])
    def move(self, request: Request, pk: Any) -> Response:
        """Carry everything in it to another location, or to none; all or nothing."""
        location = self.get_owned(pk)
        data = self.validated(MoveAllWrite, request.data)
        to = None if data["to"] is None else self.get_owned(data["to"])
        result, act = bins.move_all(
            location=location,
            to=to,
            by=request.user,
            now=now(),
            override_reason=data["override_reason"],
        )
        return Response({"moved": len(result.moved), "act_id": act.pk})

    @extend_schema(request=MergeWrite, responses=MergedAllRow)
    @action(detail=True, methods=["post"])
    def merge(self, request: Request, pk: Any) -> Response:
        """Carry everything in it to another location, and delete it; all or nothing."""
        location = self.get_owned(pk)
        data = self.validated(MergeWrite, request.data)
        result = bins.merge_locations(
            location=location,
            into=self.get_owned(data["into"]),
            by=request.user,
            now=now(),
            override_reason=data["override_reason"],
        )
        return Response({"moved": len(result.moved)})

    @extend_schema(responses=MapRow(many=True))
    @action(detail=False, url_path="map", pagination_class=MapPagination)
    def shelf_map(self, request: Request) -> Response:
        """How full the locations are, 10,000 a page: what a shelf map draws."""
        locations = with_unknown_weight(self.filter_queryset(self.get_queryset()))
        rows = self.paginate_queryset(MapRow.select(locations))
        return self.get_paginated_response(MapRow(rows, many=True).data)

    def _fields(self, data: dict[str, Any]) -> dict[str, Any]:
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

"""`/api/inventoryContainerTypes`."""

from typing import Annotated, Any

import django_filters as filters
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.fields import WholeNumber
from apps.core.api.filters import FilterSet, IdsFilter
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import ShowsTwins
from apps.locations.api.serializers import ContainerTypeRow, ContainerTypeWrite
from apps.locations.models import ContainerType, Location
from apps.locations.services import container_types


class TypeMergeWrite(serializers.Serializer[Any]):
    into = WholeNumber(min_value=1, max_value=2**63 - 1, help_text="the type that stays")


class TypeMergedRow(AnswerSerializer):
    locations: Annotated[int, "that are of the other type now"]


class ContainerTypeFilter(FilterSet):
    own_fields = """
        name max_item_count max_total_weight min_item_weight max_item_weight size_class label_size
        createdAt updatedAt
    """

    id = IdsFilter(field_name="id")
    search = filters.CharFilter(field_name="name", lookup_expr="icontains")

    class Meta:
        model = ContainerType
        fields: tuple[str, ...] = ()


class ContainerTypeViewSet(ShowsTwins):
    """Kinds of boxes with the limits that new locations of them begin with."""

    row_serializer = ContainerTypeRow
    write_serializer = ContainerTypeWrite
    filterset_class = ContainerTypeFilter
    ordered_by = "name createdAt=id updatedAt"
    ordering = "name"

    def rows(self) -> QuerySet[Any]:
        of_type = (
            Location.objects.filter(container_type=OuterRef("pk"))
            .order_by()
            .values("container_type")
            .annotate(n=Count("pk"))
            .values("n")
        )
        return self.get_queryset().annotate(
            location_count=Coalesce(Subquery(of_type, output_field=IntegerField()), 0)
        )

    def create_row(self, data: dict[str, Any]) -> ContainerType:
        return container_types.create_container_type(owner=store_of(self.request), fields=data)

    def update_row(self, row: ContainerType, data: dict[str, Any]) -> None:
        container_types.edit_container_type(row=row, changes=data)

    def delete_row(self, row: ContainerType) -> None:
        """Delete a container type; its locations stay, without one."""
        container_types.delete_container_type(row=row)

    @extend_schema(request=TypeMergeWrite, responses=TypeMergedRow)
    @action(detail=True, methods=["post"])
    def merge(self, request: Request, pk: str) -> Response:
        """Let its locations be of another type, and delete it; they keep their limits."""
        row = self.get_owned(pk)
        into = self.get_owned(self.validated(TypeMergeWrite, request.data)["into"])
        count = container_types.merge_container_type(row=row, into=into)
        return Response({"locations": count})

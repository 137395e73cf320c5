"""`/api/sources`."""

from typing import Any

import django_filters as filters
from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.filters import BooleanFilter, FilterSet, IdsFilter
from apps.core.api.hidden import hidden_from
from apps.core.api.views import ShowsTwins
from apps.core.clock import now
from apps.sources.api.serializers import (
    ReassignedRow,
    SourceMergeWrite,
    SourceReassignWrite,
    SourceRow,
    SourceWrite,
)
from apps.sources.models import Source
from apps.sources.selectors import used, with_figures
from apps.sources.services import (
    create_source,
    delete_source,
    edit_source,
    merge_source,
    reassign_batches,
)


class SourceFilter(FilterSet):
    own_fields = "name notes createdAt updatedAt"

    search = filters.CharFilter(
        method="by_text", help_text="in name and notes, as far as the caller sees them"
    )
    id = IdsFilter(field_name="id")
    used = BooleanFilter(method="by_use", help_text="whether batches come from it")

    class Meta:
        model = Source
        fields: tuple[str, ...] = ()

    def by_text(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        seen = {"name", "notes"} - hidden_from(self.request).always
        for word in value.split()[:8]:
            found = Q()
            for field in seen:
                found |= Q(**{f"{field}__icontains": word})
            queryset = queryset.filter(found)
        return queryset

    def by_use(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        return used(queryset, is_used=value)


class SourceViewSet(ShowsTwins):
    """Where the caller buys."""

    row_serializer = SourceRow
    write_serializer = SourceWrite
    filterset_class = SourceFilter
    ordered_by = "name batch_count spent=spent_or_0 value createdAt=id updatedAt"
    ordering = "name"

    def rows(self) -> QuerySet[Any]:
        return with_figures(self.get_queryset())

    def create_row(self, data: dict[str, Any]) -> Source:
        return create_source(owner=store_of(self.request), fields=data)

    def update_row(self, row: Source, data: dict[str, Any]) -> None:
        edit_source(source=row, changes=data)

    def delete_row(self, row: Source) -> None:
        """Delete a source; 409 with the batches that come from it, where there are any."""
        delete_source(source=row)

    @extend_schema(request=SourceMergeWrite, responses=ReassignedRow)
    @action(detail=True, methods=["post"])
    def merge(self, request: Request, pk: str) -> Response:
        """Give its batches and notes to another source, and delete it."""
        source = self.get_owned(pk)
        into = self.get_owned(self.validated(SourceMergeWrite, request.data)["into"])
        return Response({"batches": merge_source(source=source, into=into, now=now())})

    @extend_schema(request=SourceReassignWrite, responses=ReassignedRow)
    @action(detail=True, methods=["post"])
    def reassign(self, request: Request, pk: str) -> Response:
        """Let all its batches come from another source, or from none that is told."""
        source = self.get_owned(pk)
        target = self.validated(SourceReassignWrite, request.data)["to"]
        to = None if target is None else self.get_owned(target)
        return Response({"batches": reassign_batches(source=source, to=to, now=now())})

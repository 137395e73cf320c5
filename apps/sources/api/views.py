"""`/api/sources`."""

from typing import Any

import django_filters as filters
from django.db.models import Q

from apps.core.api.views import OwnedViewSet
from apps.sources.api.serializers import SourceRow, SourceWrite
from apps.sources.models import Source
from apps.sources.services import create_source, delete_source, edit_source


class SourceFilter(filters.FilterSet):
    search = filters.CharFilter(method="by_text", help_text="in name and notes")

    class Meta:
        model = Source
        fields: tuple[str, ...] = ()

    def by_text(self, queryset: Any, name: str, value: str) -> Any:
        for word in value.split()[:8]:
            queryset = queryset.filter(Q(name__icontains=word) | Q(notes__icontains=word))
        return queryset


class SourceViewSet(OwnedViewSet):
    """Where the caller buys."""

    queryset = Source.objects.all()
    row_serializer = SourceRow
    write_serializer = SourceWrite
    filterset_class = SourceFilter
    ordering_fields = {"name": "name", "createdAt": "id", "updatedAt": "updated_at"}
    ordering = "name"
    http_method_names = ["get", "post", "patch", "delete", "head", "options"]

    def create_row(self, data: dict[str, Any]) -> Source:
        return create_source(owner=self.request.user, fields=data)

    def update_row(self, row: Source, data: dict[str, Any]) -> None:
        edit_source(source=row, changes=data)

    def delete_row(self, row: Source) -> None:
        """Delete a source; 409 while batches use it."""
        delete_source(source=row)

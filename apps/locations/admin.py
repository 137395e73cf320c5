"""Operators see, add and edit places; the counters are the stock's."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.core.operating import ReadOnlyAdmin, ServedAdmin
from apps.locations.models import ContainerType, Location, PastLocation
from apps.locations.services.container_types import create_container_type, edit_container_type
from apps.locations.services.locations import create_location, delete_location, edit_location

FOR_TYPES = ("size_class", "label_size")
LIMITS = ("max_item_count", "max_total_weight", "min_item_weight", "max_item_weight")


@admin.register(ContainerType)
class ContainerTypeAdmin(ServedAdmin):
    list_display = ("name", "owner", "size_class", "max_item_count", "max_total_weight")
    list_filter = ("size_class",)
    list_select_related = ("owner",)
    search_fields = ("name", "owner__email_address")
    autocomplete_fields = ("owner",)
    added_with = ("owner", "name", *LIMITS, *FOR_TYPES)
    mended = ("name", *LIMITS, *FOR_TYPES)

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> ContainerType:
        return create_container_type(owner=data.pop("owner"), fields=data)

    def change_row(self, request: HttpRequest, row: ContainerType, changes: dict[str, Any]) -> None:
        edit_container_type(row=row, changes=changes)


@admin.register(Location)
class LocationAdmin(ServedAdmin):
    list_display = (
        "name",
        "owner",
        "container_type",
        "item_count",
        "max_item_count",
        "stored_weight",
        "is_full",
        "exclude_from_recommendations",
    )
    list_filter = ("is_full", "exclude_from_recommendations")
    list_select_related = ("owner", "container_type")
    search_fields = ("name", "code", "description", "owner__email_address")
    ordering = ("owner_id", "sort_key", "id")
    autocomplete_fields = ("owner",)
    added_with = ("owner", "name", "description", *LIMITS)
    # Whose it is, and what is in it, belongs together with the stock there.
    mended = ("name", "code", "description", *LIMITS, "is_full", "exclude_from_recommendations")

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> Location:
        return create_location(owner=data.pop("owner"), fields=data)

    def change_row(self, request: HttpRequest, row: Location, changes: dict[str, Any]) -> None:
        edit_location(location=row, changes=changes)

    def delete_model(self, request: HttpRequest, obj: Location) -> None:
        delete_location(location=obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only an empty one, and only by itself: deleting many does not ask each."""
        return (
            obj is not None
            and obj.item_count == 0
            and admin.ModelAdmin.has_delete_permission(self, request, obj)
        )


@admin.register(PastLocation)
class PastLocationAdmin(ReadOnlyAdmin):
    """Names of deleted locations, for the ledger."""

    list_display = ("id", "name", "owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("=id", "name", "owner__email_address")

"""Operators see and edit places; the counters are the stock's."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.locations.models import ContainerType, Location


@admin.register(ContainerType)
class ContainerTypeAdmin(admin.ModelAdmin[ContainerType]):
    list_display = ("name", "owner", "max_item_count", "max_total_weight")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__email_address")
    autocomplete_fields = ("owner",)


@admin.register(Location)
class LocationAdmin(admin.ModelAdmin[Location]):
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
    autocomplete_fields = ("owner", "container_type")
    ordering = ("owner_id", "sort_key", "id")
    readonly_fields = ("item_count", "stored_weight", "created_at", "updated_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only an empty one, and only by itself: deleting many does not ask each."""
        return (
            obj is not None and obj.item_count == 0 and super().has_delete_permission(request, obj)
        )

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
    readonly_fields = ("owner",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


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
    ordering = ("owner_id", "sort_key", "id")
    # Whose it is, and what is in it, belongs together with the stock there.
    readonly_fields = (
        "owner",
        "container_type",
        "item_count",
        "stored_weight",
        "created_at",
        "updated_at",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Write what was changed: somebody may be stowing into it, and the counters are theirs."""
        obj.save(update_fields=[*form.changed_data, "updated_at"])

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only an empty one, and only by itself: deleting many does not ask each."""
        return (
            obj is not None and obj.item_count == 0 and super().has_delete_permission(request, obj)
        )

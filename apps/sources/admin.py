"""Operators see where things come from, and mend a name; it stays whose it is."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.sources.models import Source


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin[Source]):
    list_display = ("name", "owner", "updated_at")
    list_select_related = ("owner",)
    search_fields = ("name", "notes", "owner__email_address")
    readonly_fields = ("owner", "created_at", "updated_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

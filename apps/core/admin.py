from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.core.jobs.models import Job


@admin.register(Job)
class JobAdmin(admin.ModelAdmin[Job]):
    """Operators watch jobs; the rows are the worker's."""

    list_display = ("kind", "owner", "state", "done", "total", "attempts", "created_at", "message")
    list_filter = ("state", "kind")
    search_fields = ("=id", "owner__email_address", "kind", "message")
    list_select_related = ("owner",)
    date_hierarchy = "created_at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

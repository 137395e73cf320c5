"""Operators see sources, add one and correct a name. They cannot change its owner."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.core.operating import ServedAdmin
from apps.sources.models import Source
from apps.sources.services import create_source, edit_source


@admin.register(Source)
class SourceAdmin(ServedAdmin):
    list_display = ("name", "owner", "updated_at")
    list_select_related = ("owner",)
    search_fields = ("name", "notes", "owner__email_address")
    autocomplete_fields = ("owner",)
    added_with = ("owner", "name", "notes")
    mended = ("name", "notes")

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> Source:
        return create_source(owner=data.pop("owner"), fields=data)

    def change_row(self, request: HttpRequest, row: Source, changes: dict[str, Any]) -> None:
        edit_source(source=row, changes=changes)

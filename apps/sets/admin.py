"""Operators see, add and describe sets. Only the owner changes the parts on hand."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.core.operating import ServedAdmin
from apps.sets.models import UserSet
from apps.sets.services.sets import add_set, edit_set


@admin.register(UserSet)
class UserSetAdmin(ServedAdmin):
    list_display = ("item", "owner", "state", "updated_at")
    list_filter = ("state",)
    list_select_related = ("owner", "item")
    search_fields = ("item__number", "item__name", "owner__email_address")
    autocomplete_fields = ("owner", "item")
    added_with = ("owner", "item", "quantity", "condition", "state", "notes")
    mended = ("condition", "state", "notes")

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> UserSet:
        return add_set(number=data.pop("item").number, again=True, **data)

    def change_row(self, request: HttpRequest, row: UserSet, changes: dict[str, Any]) -> None:
        edit_set(user_set=row, changes=changes)

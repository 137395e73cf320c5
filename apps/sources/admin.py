from django.contrib import admin

from apps.sources.models import Source


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin[Source]):
    list_display = ("name", "owner", "updated_at")
    list_select_related = ("owner",)
    search_fields = ("name", "notes", "owner__email_address")
    autocomplete_fields = ("owner",)
    readonly_fields = ("created_at", "updated_at")

from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.recognition.models import StationSitting, WrongMatch


@admin.register(StationSitting)
class StationSittingAdmin(ReadOnlyAdmin):
    list_display = ("owner", "started_at", "adds", "pieces", "accept_p50_ms")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address",)


@admin.register(WrongMatch)
class WrongMatchAdmin(ReadOnlyAdmin):
    list_display = ("owner", "created_at", "provider", "seen_number", "score", "right_number")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address", "=seen_number", "=right_number", "=listing_id")

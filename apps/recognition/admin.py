from django.contrib import admin

from apps.recognition.models import StationSitting


@admin.register(StationSitting)
class StationSittingAdmin(admin.ModelAdmin[StationSitting]):
    list_display = ("owner", "started_at", "adds", "pieces", "accept_p50_ms")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address",)
    raw_id_fields = ("owner",)
    readonly_fields = ("created_at", "updated_at")

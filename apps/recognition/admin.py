from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.recognition.models import StationSitting


@admin.register(StationSitting)
class StationSittingAdmin(ReadOnlyAdmin):
    list_display = ("owner", "started_at", "adds", "pieces", "accept_p50_ms")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address",)

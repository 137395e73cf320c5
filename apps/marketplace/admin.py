"""What operators see: connections without their secrets, calls by day."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.marketplace.models import CallDay, LotRefresh, MarketplaceConnection


class ReadOnly(admin.ModelAdmin[Any]):
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(MarketplaceConnection)
class MarketplaceConnectionAdmin(ReadOnly):
    list_display = ("owner", "state", "is_demo", "connected_at", "tested_at", "problem")
    list_filter = ("state", "is_demo")
    list_select_related = ("owner",)
    exclude = ("sealed",)


@admin.register(CallDay)
class CallDayAdmin(ReadOnly):
    list_display = ("owner", "day", "total", "stock", "note", "price", "lookup")
    list_filter = ("day",)
    list_select_related = ("owner",)


@admin.register(LotRefresh)
class LotRefreshAdmin(ReadOnly):
    list_display = ("lot", "currency", "refreshed_at", "unknown_at", "claimed_until")
    list_select_related = ("lot__item", "lot__color")

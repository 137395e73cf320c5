"""What operators see: connections without their secrets, calls by day."""

from typing import cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.models import User
from apps.core.clock import now
from apps.core.operating import ReadOnlyAdmin, show_result
from apps.marketplace.models import CallDay, LotRefresh, MarketplaceConnection, PriceWant
from apps.marketplace.services.refreshes import start_refresh


@admin.register(MarketplaceConnection)
class MarketplaceConnectionAdmin(ReadOnlyAdmin):
    list_display = (
        "owner",
        "marketplace",
        "state",
        "is_demo",
        "connected_at",
        "tested_at",
        "problem",
    )
    list_filter = ("state", "is_demo")
    list_select_related = ("owner", "channel")
    search_fields = ("owner__email_address", "problem")
    exclude = ("sealed",)


@admin.register(CallDay)
class CallDayAdmin(ReadOnlyAdmin):
    list_display = ("owner", "channel", "day", "total", "stock", "note", "price", "lookup", "guide")
    list_filter = ("day",)
    list_select_related = ("owner", "channel")
    search_fields = ("owner__email_address",)


@admin.register(PriceWant)
class PriceWantAdmin(ReadOnlyAdmin):
    list_display = ("lot", "condition", "owner", "urgency", "is_unasked", "created_at")
    list_filter = ("is_unasked", "condition")
    list_select_related = ("lot__item", "lot__color", "owner")
    search_fields = ("owner__email_address", "=lot__item__number_key")
    search_help_text = "E-mail address, or item number in capitals"


@admin.register(LotRefresh)
class LotRefreshAdmin(ReadOnlyAdmin):
    list_display = ("lot", "owner", "currency", "refreshed_at", "unknown_at", "claimed_until")
    list_filter = ("currency",)
    list_select_related = ("lot__item", "lot__color", "owner")
    search_fields = ("owner__email_address", "=lot__item__number_key", "claimed_by")
    search_help_text = "E-mail address, or item number in capitals"
    actions = ("refresh",)

    def has_refresh_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("marketplace.change_lotrefresh")

    @admin.action(
        description="Ask for the prices again, through your own store", permissions=["refresh"]
    )
    def refresh(self, request: HttpRequest, queryset: QuerySet[LotRefresh]) -> None:
        lots = list(queryset.values_list("lot_id", flat=True))
        owner = cast("User", request.user)  # only the staff comes here

        def start() -> str:
            job = start_refresh(owner=owner, lot_ids=lots, now=now())
            return f"{job.total} lots are asked for; the job is {job.pk}."

        show_result(self, request, start)

"""Listings, searches and the site's state, for operators."""

from typing import Any

from django.contrib import admin

from apps.auctions.models import AuctionListing, AuctionSearch, SiteState
from apps.auctions.services.site import lift_halt


@admin.register(AuctionListing)
class AuctionListingAdmin(admin.ModelAdmin[AuctionListing]):
    list_display = ("title", "owner", "current_price", "bid_count", "end_time", "watch", "outcome")
    list_filter = ("origin", "watch", "outcome", "is_auction")
    search_fields = ("title", "external_id", "owner__email_address")
    list_select_related = ("owner",)
    raw_id_fields = ("owner",)
    date_hierarchy = "end_time"
    readonly_fields = ("landed_cost", "landed_per_kg")


@admin.register(AuctionSearch)
class AuctionSearchAdmin(admin.ModelAdmin[AuctionSearch]):
    list_display = ("text", "owner", "is_active", "run_at", "found_count", "problem")
    list_filter = ("is_active",)
    search_fields = ("text", "owner__email_address")
    list_select_related = ("owner",)
    raw_id_fields = ("owner",)


@admin.register(SiteState)
class SiteStateAdmin(admin.ModelAdmin[SiteState]):
    """Whether the site told us to stop; the action lets it be asked again."""

    list_display = ("id", "next_call_at", "halted_until", "halted_because")
    readonly_fields = ("id", "next_call_at", "halted_until", "halted_because")
    actions = ("ask_again",)

    @admin.action(description="Let the site be asked again")
    def ask_again(self, request: Any, queryset: Any) -> None:
        lift_halt()

    def has_add_permission(self, request: Any) -> bool:
        return False

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        return False

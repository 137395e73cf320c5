"""Listings, searches and the site's state, for operators."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.auctions.models import AuctionListing, AuctionSearch, SiteState
from apps.auctions.services.searches import edit_search, save_search
from apps.auctions.services.site import ensure_state, lift_halt, stop_asking
from apps.core.clock import now
from apps.core.operating import ReadOnlyAdmin, ServedAdmin


@admin.register(AuctionListing)
class AuctionListingAdmin(ReadOnlyAdmin):
    list_display = ("title", "owner", "current_price", "bid_count", "end_time", "watch", "outcome")
    list_filter = ("origin", "watch", "outcome", "is_auction")
    search_fields = ("title", "external_id", "owner__email_address")
    list_select_related = ("owner",)
    date_hierarchy = "end_time"


@admin.register(AuctionSearch)
class AuctionSearchAdmin(ServedAdmin):
    list_display = ("text", "owner", "is_active", "run_at", "found_count", "problem")
    list_filter = ("is_active",)
    search_fields = ("text", "owner__email_address")
    list_select_related = ("owner",)
    autocomplete_fields = ("owner",)
    added_with = ("owner", "text", "is_active")
    mended = ("text", "is_active")

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> AuctionSearch:
        return save_search(owner=data.pop("owner"), fields=data)

    def change_row(self, request: HttpRequest, row: AuctionSearch, changes: dict[str, Any]) -> None:
        edit_search(search=row, changes=changes)


@admin.register(SiteState)
class SiteStateAdmin(ReadOnlyAdmin):
    """Whether the site asked us to stop. The actions stop and resume all calls to the site."""

    list_display = ("id", "next_call_at", "halted_until", "halted_because")
    actions = ("stop", "ask_again")

    def get_queryset(self, request: HttpRequest) -> Any:
        # The switch must be there before the first call.
        ensure_state()
        return super().get_queryset(request)

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("auctions.change_sitestate")

    @admin.action(description="Stop asking the site", permissions=["lift"])
    def stop(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        stop_asking(now=now())

    @admin.action(description="Let the site be asked again", permissions=["lift"])
    def ask_again(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        lift_halt()

"""Operators can read listings and syncs with their results."""

from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.listings.models import Listing, ListingLine, StoreSchedule, StoreSync, StoreSyncRow


@admin.register(Listing)
class ListingAdmin(ReadOnlyAdmin):
    list_display = ("name", "owner", "kind", "quantity", "state", "marketplace_lot_id", "reason")
    list_filter = ("state", "kind")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address", "=marketplace_lot_id", "=mark")


@admin.register(ListingLine)
class ListingLineAdmin(ReadOnlyAdmin):
    list_display = ("listing", "batch_item", "inventory_item_id", "quantity", "is_open")
    list_filter = ("is_open",)
    list_select_related = ("listing",)
    search_fields = ("=batch_item__id", "=inventory_item_id")


@admin.register(StoreSync)
class StoreSyncAdmin(ReadOnlyAdmin):
    list_display = ("owner", "way", "batch_id", "state", "created_at", "applied_at", "reason")
    list_filter = ("state", "way")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address", "reason")


@admin.register(StoreSyncRow)
class StoreSyncRowAdmin(ReadOnlyAdmin):
    list_display = ("sync", "kind", "name", "quantity_here", "quantity_there", "state", "reason")
    list_filter = ("kind", "state")
    list_select_related = ("sync",)
    search_fields = ("=marketplace_lot_id", "name")


@admin.register(StoreSchedule)
class StoreScheduleAdmin(ReadOnlyAdmin):
    list_display = ("owner", "minutes", "conflicts", "started_at", "problem")
    list_filter = ("minutes", "conflicts")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address",)

"""Operators see and search stock and ledger; what the ledger rules, nobody edits here."""

from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.inventory.models import InventoryItem, InventorySync, Movement, StockPart


@admin.register(InventoryItem)
class InventoryItemAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "owner",
        "item",
        "color",
        "condition",
        "quantity",
        "price",
        "location",
        "remarks",
        "updated_at",
    )
    list_filter = ("condition", "stockroom", "status")
    list_select_related = ("owner", "lot__item", "lot__color", "location")
    search_fields = (
        "=id",
        "owner__email_address",
        "lot__item__number",
        "raw_item_number",
        "remarks",
        "=marketplace_lot_id",
    )

    @admin.display(description="item")
    def item(self, row: InventoryItem) -> str:
        return str(row.lot.item) if row.lot else f"unknown: {row.raw_item_number}"

    @admin.display(description="colour")
    def color(self, row: InventoryItem) -> str:
        return str(row.lot.color) if row.lot else row.raw_color_name


@admin.register(Movement)
class MovementAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "item_id",
        "delta",
        "reason",
        "by",
        "cause_kind",
        "cause_id",
        "from_location",
        "to_location",
        "note",
        "created_at",
    )
    list_filter = ("reason",)
    list_select_related = ("by", "from_location", "to_location")
    search_fields = ("=item__id", "=cause_id", "by__email_address", "note")


@admin.register(InventorySync)
class InventorySyncAdmin(ReadOnlyAdmin):
    list_display = ("id", "owner", "file_name", "state", "currency", "created_at", "applied_at")
    list_filter = ("state",)
    list_select_related = ("owner",)
    search_fields = ("=id", "owner__email_address", "file_name")
    exclude = ("new_locations", "made_location_ids")


@admin.register(StockPart)
class StockPartAdmin(ReadOnlyAdmin):
    """The kept sums behind the home page; `check_ledger` proves them."""

    list_display = ("owner", "part", "item_type", "lots", "pieces", "value", "spread_lots")
    list_filter = ("item_type",)
    list_select_related = ("owner",)
    search_fields = ("owner__email_address", "=part")

"""Operators see, search and add stock. Fields that the ledger controls are read-only here."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.accounts.selectors import caller_of
from apps.core.clock import now
from apps.core.operating import ReadOnlyAdmin, ServedAdmin
from apps.inventory.models import InventoryItem, InventorySync, Movement, StockPart
from apps.inventory.services.items import create_item, edit_item
from apps.lots.admin import NamesLot


@admin.register(InventoryItem)
class InventoryItemAdmin(NamesLot, ServedAdmin):
    list_display = (
        "id",
        "owner",
        *NamesLot.lot_columns,
        "remarks",
        "updated_at",
    )
    list_filter = ("condition", "stockroom", "status")
    list_select_related = ("owner", *NamesLot.lot_relations)
    search_fields = (
        "=id",
        "owner__email_address",
        "lot__item__number",
        "raw_item_number",
        "remarks",
        "=marketplace_lot_id",
    )
    autocomplete_fields = ("owner", "lot", "location")
    added_with = ("owner", "lot", "condition", "quantity", "price", "location", "comments")
    mended = ("price", "comments", "reserved")

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> InventoryItem:
        """Add stock to a person's store. The ledger records the pieces and the operator."""
        place, lot = data.pop("location"), data.pop("lot")
        return create_item(
            owner=data.pop("owner"),
            quantity=data.pop("quantity"),
            location_id=place and place.pk,
            fields={**data, "lot_id": lot and lot.pk},
            by=caller_of(request),
            now=now(),
        )

    def change_row(self, request: HttpRequest, row: InventoryItem, changes: dict[str, Any]) -> None:
        edit_item(item=row, changes=changes, by=caller_of(request), now=now())


@admin.register(Movement)
class MovementAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "item",
        "delta",
        "reason",
        "by",
        "program",
        "cause_kind",
        "cause_id",
        "from_location",
        "to_location",
        "note",
        "created_at",
    )
    list_filter = ("reason",)
    list_select_related = (
        "by",
        "from_location",
        "to_location",
        "item__lot__item",
        "item__lot__color",
    )
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

    list_display = (
        "owner",
        "part",
        "item_type",
        "lots",
        "pieces",
        "value",
        "lots_without_price",
        "spread_lots",
    )
    list_filter = ("item_type",)
    list_select_related = ("owner",)
    search_fields = ("owner__email_address", "=part")

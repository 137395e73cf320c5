"""The catalogue for operators: searchable, and read only.

What it holds comes from catalogue files; a change here would be undone by the next import.
"""

from typing import Any

from django.contrib import admin
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpRequest

from apps.catalog.models import (
    Category,
    Color,
    ColorAlias,
    Component,
    CurrentFile,
    ElementCode,
    ImportRun,
    Item,
    ItemAlias,
    ItemInventory,
    Lot,
    PriceStat,
    RefusedRow,
)
from apps.catalog.selectors import search_items

SEARCH_HITS = 200


class _NothingChanges:
    """Rows can be looked at; adding, changing and deleting is refused to everybody."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(_NothingChanges, admin.ModelAdmin[Any]):
    show_full_result_count = False
    list_per_page = 50


class ReadOnlyInline(_NothingChanges, admin.TabularInline[Any, Any]):
    extra = 0
    can_delete = False


class AliasInline(ReadOnlyInline):
    model = ItemAlias
    fields = ("catalogue", "kind", "value", "rank", "confidence", "is_current", "since", "until")


class LotInline(ReadOnlyInline):
    model = Lot
    fields = ("color", "is_known")
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("color")


@admin.register(Item)
class ItemAdmin(ReadOnlyAdmin):
    list_display = (
        "number",
        "name",
        "item_type",
        "category_path",
        "year_released",
        "weight_grams",
        "origin",
        "is_retired",
    )
    list_filter = ("item_type", "origin", "is_retired")
    search_fields = ("number",)
    search_help_text = "Number, old number, element id or words of the name, best first"
    list_select_related = ("category",)
    inlines = (AliasInline, LotInline)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search as the product does, in its order."""
        if not search_term.strip():
            return queryset, False
        answer = search_items(search_term, limit=SEARCH_HITS)
        places = [When(pk=hit.id, then=Value(place)) for place, hit in enumerate(answer.hits)]
        if not places:
            return queryset.none(), False
        found = queryset.filter(pk__in=[hit.id for hit in answer.hits])
        return found.order_by(Case(*places, output_field=IntegerField())), False


@admin.register(Color)
class ColorAdmin(ReadOnlyAdmin):
    list_display = ("id", "name", "rgb", "color_type", "year_from", "year_to", "origin")
    list_filter = ("color_type", "origin")
    search_fields = ("name", "=id")


@admin.register(ColorAlias)
class ColorAliasAdmin(ReadOnlyAdmin):
    list_display = ("catalogue", "value", "name", "color", "rank", "votes", "confidence")
    list_select_related = ("color",)
    list_filter = ("catalogue",)
    search_fields = ("value", "name", "color__name")


@admin.register(Category)
class CategoryAdmin(ReadOnlyAdmin):
    list_display = ("id", "path", "origin")
    list_filter = ("origin",)
    search_fields = ("path", "=id")


class CodeInline(ReadOnlyInline):
    model = ElementCode
    fields = ("code", "catalogue")


class PriceInline(ReadOnlyInline):
    model = PriceStat
    fields = (
        "condition",
        "region",
        "currency",
        "avg_sold_price",
        "avg_inventory_price",
        "low_price",
        "sell_through",
        "synced_at",
    )


@admin.register(Lot)
class LotAdmin(ReadOnlyAdmin):
    list_display = ("id", "item", "color", "is_known")
    list_select_related = ("item", "color")
    list_filter = ("is_known",)
    search_fields = ("=item__number_key", "=element_codes__code")
    search_help_text = "Item number in capitals, or element id"
    inlines = (CodeInline, PriceInline)


class ComponentInline(ReadOnlyInline):
    model = Component
    fields = ("lot", "quantity", "is_spare", "is_alternate", "match_id", "is_counterpart")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("lot__item", "lot__color")


@admin.register(ItemInventory)
class ItemInventoryAdmin(ReadOnlyAdmin):
    list_display = ("id", "item", "catalogue", "version", "has_components", "note")
    list_select_related = ("item",)
    list_filter = ("catalogue", "has_components", "is_retired")
    search_fields = ("=item__number_key",)
    inlines = (ComponentInline,)


class RefusedRowInline(ReadOnlyInline):
    model = RefusedRow
    fields = ("file", "line", "is_parked", "reason", "text")


@admin.register(ImportRun)
class ImportRunAdmin(ReadOnlyAdmin):
    list_display = (
        "started_at",
        "finished_at",
        "revision",
        "refused",
        "parked",
        "is_dry_run",
        "message",
    )
    list_filter = ("is_dry_run",)
    inlines = (RefusedRowInline,)


@admin.register(CurrentFile)
class CurrentFileAdmin(ReadOnlyAdmin):
    list_display = ("slot", "name", "rows", "refused", "parked", "imported_at")
    search_fields = ("slot", "name")

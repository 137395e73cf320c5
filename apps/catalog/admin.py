"""The catalogue for operators: searchable, and read only but for files and single items.

Its rows come from catalogue files: the next import overwrites the values of those files.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from apps.accounts.selectors import store_of
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
    LotMaker,
    PriceStat,
    RefusedRow,
)
from apps.catalog.selectors import search_items
from apps.catalog.services.items import add_item, edit_item
from apps.catalog.services.lots import take_over
from apps.catalog.services.uploads import start_file_import
from apps.core.clock import now
from apps.core.errors import DomainError
from apps.core.operating import ReadOnlyAdmin, ReadOnlyInline, ServedAdmin, show_result

SEARCH_HITS = 200


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
class ItemAdmin(ServedAdmin):
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
    autocomplete_fields = ("category",)
    mended = ("name", "category", "year_released", "weight_grams", "dimensions", "is_retired")
    added_with = ("item_type", "number", *mended)

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> Item:
        return add_item(fields=data)

    def change_row(self, request: HttpRequest, row: Item, changes: dict[str, Any]) -> None:
        edit_item(item=row, changes=changes)

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


class MakerInline(ReadOnlyInline):
    model = LotMaker
    fields = readonly_fields = ("maker", "created_at")
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("maker")


@admin.register(Lot)
class LotAdmin(ReadOnlyAdmin):
    list_display = ("id", "item", "color", "is_known", "makers")
    list_select_related = ("item", "color")
    list_filter = ("is_known",)
    actions = ("take_over",)
    search_fields = ("=item__number_key", "=element_codes__code")
    search_help_text = "Item number in capitals, or element id"
    inlines = (MakerInline, CodeInline, PriceInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("makers__maker")

    @admin.display(description="made by")
    def makers(self, lot: Lot) -> str:
        return ", ".join(str(maker) for maker in lot.makers.all())

    def has_take_over_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("catalog.change_lot")

    @admin.action(
        description="Take over: show the selected lots to everybody", permissions=["take_over"]
    )
    def take_over(self, request: HttpRequest, queryset: QuerySet[Lot]) -> None:
        show_result(
            self, request, lambda: f"Lots taken over: {take_over(lots=queryset, now=now())}."
        )


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


class SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Files as they were uploaded; the importer reports their errors."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        return [file for file in data or [] if file]


class ImportForm(forms.Form):
    """The files of an import."""

    catalogue_files = FilesField(
        required=False,
        help_text="Tables of Rebrickable (CSV), downloads of BrickLink's catalogue (text or XML), "
        "plain, .gz or in a .zip. Keep their names: they tell what is in them.",
    )
    reread = forms.BooleanField(
        required=False,
        label="Read again",
        help_text="also files that are the same as last time",
    )


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
    list_filter = ("is_running", "is_dry_run")
    search_fields = ("=id", "message")
    inlines = (RefusedRowInline,)

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return request.user.has_perm("catalog.add_importrun")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        """Take catalogue files; the job's page shows how far their import is."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        is_sent = request.method == "POST"
        form = ImportForm(request.POST, request.FILES) if is_sent else ImportForm()
        if form.is_valid():
            try:
                job = start_file_import(
                    files=form.cleaned_data["catalogue_files"],
                    reread=form.cleaned_data["reread"],
                    by=store_of(request),
                )
            except DomainError as refusal:
                form.add_error("catalogue_files", refusal.text)
            else:
                return HttpResponseRedirect(reverse("admin:core_job_change", args=[job.pk]))
        page = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Import catalogue files",
            "form": form,
        }
        return TemplateResponse(request, "admin/catalog/importrun/import.html", page)


@admin.register(CurrentFile)
class CurrentFileAdmin(ReadOnlyAdmin):
    list_display = ("slot", "name", "rows", "refused", "parked", "imported_at")
    search_fields = ("slot", "name")

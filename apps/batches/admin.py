"""Operators see, search, add and name batches. Only the services change items.

An edit of a stowed item here would not change its stock.
"""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.rules.states import STATUS_NAMES, Figures, state_of
from apps.batches.selectors import figures_of
from apps.batches.services.batches import archive_batch, create_batch, edit_batch, restore_batch
from apps.core.clock import now
from apps.core.operating import ReadOnlyAdmin, ServedAdmin
from apps.lots.admin import NamesLot

NOTED = ("cost_total", "gross_weight_grams", "foreign_count")


@admin.register(Batch)
class BatchAdmin(ServedAdmin):
    list_display = (
        "id",
        "name",
        "owner",
        "source",
        "status",
        "lots",
        "pieces",
        "cost_total",
        "is_archived",
        "created_at",
    )
    list_filter = ("is_archived", "is_ready")
    list_select_related = ("owner", "source")
    search_fields = ("=id", "name", "description", "owner__email_address", "source__name")
    date_hierarchy = "created_at"
    actions = ("archive", "restore")
    autocomplete_fields = ("owner", "source")
    added_with = ("owner", "name", "description", "source", *NOTED)
    mended = ("name", "description", *NOTED)

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> Batch:
        return create_batch(**data)

    def change_row(self, request: HttpRequest, row: Batch, changes: dict[str, Any]) -> None:
        edit_batch(batch=row, changes=changes)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Count over the items of all batches of the page together."""
        changelist = super().get_changelist_instance(request)
        figures = figures_of([batch.pk for batch in changelist.result_list])
        for batch in changelist.result_list:
            batch.figures = figures.get(batch.pk, Figures())
        return changelist

    @admin.display()
    def status(self, batch: object) -> str:
        return STATUS_NAMES[self._figures(batch).status]

    @admin.display()
    def lots(self, batch: object) -> int:
        return self._figures(batch).total_lots

    @admin.display()
    def pieces(self, batch: object) -> int:
        return self._figures(batch).total_items

    def _figures(self, batch: Any) -> Figures:
        if not hasattr(batch, "figures"):
            batch.figures = figures_of([batch.pk]).get(batch.pk, Figures())
        found: Figures = batch.figures
        return found

    def has_archive_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("batches.change_batch")

    @admin.action(description="Archive the selected batches", permissions=["archive"])
    def archive(self, request: HttpRequest, queryset: QuerySet[Batch]) -> None:
        for batch in queryset:
            archive_batch(batch=batch, now=now())

    @admin.action(description="Restore the selected batches", permissions=["archive"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Batch]) -> None:
        for batch in queryset:
            restore_batch(batch=batch, now=now())


@admin.register(BatchItem)
class BatchItemAdmin(NamesLot, ReadOnlyAdmin):
    list_display = (
        "id",
        "batch",
        *NamesLot.lot_columns,
        "state",
        "created_at",
    )
    list_filter = ("is_stowed", "is_listed", "condition")
    list_select_related = ("batch", *NamesLot.lot_relations)
    search_fields = (
        "=id",
        "=batch__id",
        "batch__name",
        "owner__email_address",
        "lot__item__number",
        "raw_item_number",
        "remarks",
    )

    @admin.display()
    def state(self, row: BatchItem) -> str:
        return state_of(is_stowed=row.is_stowed, is_listed=row.is_listed).value


@admin.register(BatchOperation)
class BatchOperationAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "batch",
        "kind",
        "outcome",
        "item_count",
        "failed_count",
        "by",
        "program",
        "created_at",
        "message",
    )
    list_filter = ("kind", "outcome")
    list_select_related = ("batch", "by")
    search_fields = ("=batch__id", "batch__name", "by__email_address", "message")
    date_hierarchy = "created_at"

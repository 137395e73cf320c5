"""Acts on lots, and the columns of operators' tables that name a lot."""

from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.lots.models import KeptAct, LotFields


class NamesLot:
    """Item and colour of a row, as the catalogue or its file names them."""

    lot_columns = ("item", "color", "condition", "quantity", "price", "location")
    lot_relations = ("lot__item", "lot__color", "location")

    @admin.display(description="item")
    def item(self, row: LotFields) -> str:
        return str(row.lot.item) if row.lot else f"unknown: {row.raw_item_number}"

    @admin.display(description="colour")
    def color(self, row: LotFields) -> str:
        return str(row.lot.color) if row.lot else row.raw_color_name


@admin.register(KeptAct)
class KeptActAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "owner",
        "batch",
        "kind",
        "note",
        "row_count",
        "by",
        "program",
        "created_at",
    )
    list_filter = ("kind",)
    list_select_related = ("owner", "batch", "by")
    search_fields = ("=id", "=batch__id", "batch__name", "owner__email_address", "note")
    date_hierarchy = "created_at"

"""Columns of operators' tables that name a lot."""

from django.contrib import admin

from apps.lots.models import LotFields


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

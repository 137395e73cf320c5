from typing import Any, ClassVar

from django.db import models
from rest_framework import serializers

from apps.catalog.models import Category, Color, Component, Item, Lot, PriceSetting
from apps.catalog.models.choices import ITEM_TYPES
from apps.catalog.models.price import Condition, Region
from apps.catalog.selectors.faces import ITEM_PICTURE, LOT_PICTURE, item_image
from apps.catalog.selectors.figures import FIGURES
from apps.core.api.fields import Amount
from apps.core.api.serializers import RowSerializer


def _price() -> serializers.DecimalField:
    return serializers.DecimalField(max_digits=12, decimal_places=4, allow_null=True)


class ItemRow(RowSerializer):
    """An identified item; `score` (0 to 1) is how well it matched the search."""

    model = Item
    columns = "id item_number=number item_name=name item_type weight=weight_grams is_retired"

    computed: tuple[str, ...] = (
        "score",
        "matched",
        "item_id",
        "category",
        "color_id",
        "image_url",
        "asked",
        "color_text",
    )
    also_select: tuple[str, ...] = ("category_path", "image_url", "origin", "face")

    item_id = serializers.IntegerField()
    category = serializers.CharField()
    image_url = serializers.CharField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    matched = serializers.CharField(allow_null=True)
    color_id = serializers.IntegerField(
        allow_null=True, help_text="the colour that the search named, or its element"
    )
    color_text = serializers.CharField(
        allow_null=True, help_text="words of the search that may mean several of its colours"
    )
    asked = serializers.CharField(
        allow_null=True, help_text="the number it answers to, where several were searched"
    )

    def finish(self, row: Any) -> Any:
        row["item_id"] = row["id"]
        row["category"] = row.pop("category_path")
        row["image_url"] = item_image(
            row["item_type"],
            row["item_number"],
            row["image_url"],
            row.pop("origin"),
            row.pop("face"),
        )
        row.setdefault("color_id", None)
        row.setdefault("score", None)
        row.setdefault("matched", None)
        row.setdefault("asked", None)
        row.setdefault("color_text", None)
        return row


class SiteRow(serializers.Serializer[None]):
    name = serializers.CharField()
    url = serializers.URLField()


class LotRow(RowSerializer):
    """An item in a colour with its price figures, in the currency of the caller."""

    model = Lot
    columns = """
        id item_id color_id item_number=item.number item_name=item.name
        item_type=item.item_type color_name=color.name is_known createdAt updatedAt
        composite_ssearch
    """

    # The page adds the prices of all its lots together.
    computed: tuple[str, ...] = (
        "lot_id",
        "reference_price",
        "reference_basis",
        "suggested_price",
        "suggested_basis",
        "bricklinkSyncedAt",
        "image_url",
    )
    also_select = ("item__image_url", "item__origin", "item__face")

    lot_id = serializers.IntegerField()
    color_html = serializers.CharField(source="color.rgb", allow_null=True)
    image_url = serializers.CharField(allow_null=True)
    reference_price = serializers.DecimalField(max_digits=12, decimal_places=4, allow_null=True)
    reference_basis = serializers.ChoiceField(
        choices=["sold", "asked", "none"], help_text="how reference_price was found"
    )
    suggested_price = serializers.DecimalField(
        max_digits=12, decimal_places=4, allow_null=True, help_text="by the caller's price rule"
    )
    suggested_basis = serializers.CharField(help_text="sold, asked, lowest, or '' without data")
    bricklinkSyncedAt = serializers.DateTimeField(allow_null=True)

    def finish(self, row: Any) -> Any:
        row["lot_id"] = row["id"]
        rgb = row["color_html"]
        row["color_html"] = f"#{rgb}" if rgb else None
        address, origin, face = map(row.pop, ITEM_PICTURE)
        item = (row["item_type"], row["item_number"], address, origin, face)
        row["image_url"] = item_image(*item, row["color_id"], rgb)
        return row


class PricedLotRow(LotRow):
    computed = (*LotRow.computed, *FIGURES)

    used_us_avg_sold_price = _price()
    used_us_avg_inventory_price = _price()
    used_us_low_price = _price()
    used_us_sell_through = _price()
    used_global_avg_sold_price = _price()
    used_global_avg_inventory_price = _price()
    used_global_low_price = _price()
    used_global_sell_through = _price()
    new_us_avg_sold_price = _price()
    new_us_avg_inventory_price = _price()
    new_us_low_price = _price()
    new_us_sell_through = _price()
    new_global_avg_sold_price = _price()
    new_global_avg_inventory_price = _price()
    new_global_low_price = _price()
    new_global_sell_through = _price()


class ItemDetail(ItemRow):
    """The selected item, under both the list's names and its own."""

    computed = (
        *ItemRow.computed,
        "name",
        "type",
        "img_url",
        "is_minifigure_item",
        "external_sites",
        "lots",
    )
    number = serializers.CharField()
    name = serializers.CharField()
    type = serializers.ChoiceField(choices=ITEM_TYPES)
    img_url = serializers.CharField(allow_null=True)
    year_released = serializers.IntegerField(allow_null=True)
    dimensions = serializers.CharField()
    is_minifigure_item = serializers.BooleanField()
    external_sites = SiteRow(many=True)
    lots = PricedLotRow(many=True)


class ComponentRow(RowSerializer):
    """A line of what an item is made of."""

    model = Component
    columns = """
        id lot_id item_id=lot.item_id item_number=lot.item.number item_name=lot.item.name
        item_type=lot.item.item_type color_id=lot.color_id color_name=lot.color.name
        quantity is_spare is_alternate match_id
    """

    computed = ("image_url",)
    also_select = LOT_PICTURE

    color_html = serializers.CharField(source="lot.color.rgb", allow_null=True)
    image_url = serializers.CharField(allow_null=True)
    is_counterpart = serializers.BooleanField(help_text="an assembled form of other lines")

    def finish(self, row: Any) -> Any:
        rgb = row["color_html"]
        row["color_html"] = f"#{rgb}" if rgb else None
        address, origin, face = map(row.pop, LOT_PICTURE)
        item = (row["item_type"], row["item_number"], address, origin, face)
        row["image_url"] = item_image(*item, row["color_id"], rgb)
        return row


class ContainingItemRow(ItemRow):
    """An item that another is a part of, and how many of it."""

    computed = (*ItemRow.computed, "quantity")

    quantity = serializers.IntegerField()


class FiguresRow(serializers.Serializer[Any]):
    """The figures of a lot in one condition and region, with the samples behind them."""

    condition = serializers.ChoiceField(choices=Condition.choices)
    region = serializers.ChoiceField(choices=Region.choices)
    avg_sold_price = _price()
    avg_inventory_price = _price()
    low_price = _price()
    sell_through = _price()
    sold_lots = serializers.IntegerField(
        allow_null=True, help_text="sales in the last six months; null: not asked for yet"
    )
    sold_quantity = serializers.IntegerField(allow_null=True)
    stock_lots = serializers.IntegerField(allow_null=True)
    stock_quantity = serializers.IntegerField(allow_null=True)
    bricklinkSyncedAt = serializers.DateTimeField()


class PointRow(serializers.Serializer[Any]):
    condition = serializers.ChoiceField(choices=Condition.choices)
    region = serializers.ChoiceField(choices=Region.choices)
    day = serializers.DateField()
    avg_sold_price = _price()
    avg_inventory_price = _price()
    low_price = _price()


class LotPricesRow(serializers.Serializer[Any]):
    """The prices of a lot now and before, in the currency of the caller."""

    lot_id = serializers.IntegerField()
    currency = serializers.CharField()
    figures = FiguresRow(many=True)
    points = PointRow(many=True)


MOST_PERCENT = 900


class PriceRuleRow(serializers.ModelSerializer[PriceSetting]):
    """How the caller prices lots."""

    serializer_field_mapping: ClassVar[dict[Any, Any]] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.DecimalField: Amount,
    }

    updatedAt = serializers.DateTimeField(source="updated_at", read_only=True, allow_null=True)
    percent = Amount(max_digits=6, decimal_places=2, min_value=-99, max_value=MOST_PERCENT)

    class Meta:
        model = PriceSetting
        fields = (
            "basis",
            "region",
            "percent",
            "rounding",
            "minimum",
            "without_data",
            "low_value",
            "high_value",
            "updatedAt",
        )
        extra_kwargs = {
            name: {"min_value": 0} for name in ("rounding", "minimum", "low_value", "high_value")
        }


class ColorRow(RowSerializer):
    model = Color
    columns = "id name color_type is_trans part_count"

    color_html = serializers.CharField(source="rgb", allow_null=True)

    def finish(self, row: Any) -> Any:
        rgb = row["color_html"]
        row["color_html"] = f"#{rgb}" if rgb else None
        return row


class CategoryRow(RowSerializer):
    model = Category
    columns = "id name path parent_id"

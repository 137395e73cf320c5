from typing import Any

from rest_framework import serializers

from apps.catalog.rules.images import item_image
from apps.catalog.rules.kinds import ItemType
from apps.catalog.selectors.figures import FIGURES
from apps.core.api.serializers import RowSerializer

ITEM_TYPES = [kind.value for kind in ItemType]


class ItemRow(RowSerializer):
    """An identified item; `score` (0 to 1) says how well it matched the search."""

    computed: tuple[str, ...] = ("score", "matched", "item_id", "category", "color_id", "image_url")
    also_select: tuple[str, ...] = ("category_path", "image_url", "origin")

    id = serializers.IntegerField()
    item_id = serializers.IntegerField()
    item_number = serializers.CharField(source="number")
    item_name = serializers.CharField(source="name")
    item_type = serializers.ChoiceField(choices=ITEM_TYPES)
    category = serializers.CharField()
    weight = serializers.DecimalField(
        source="weight_grams", max_digits=10, decimal_places=3, allow_null=True
    )
    image_url = serializers.CharField(allow_null=True)
    is_retired = serializers.BooleanField()
    score = serializers.FloatField(allow_null=True)
    matched = serializers.CharField(allow_null=True)
    color_id = serializers.IntegerField(
        allow_null=True, help_text="the colour that the search named, or its element"
    )

    def finish(self, row: Any) -> Any:
        row["item_id"] = row["id"]
        row["category"] = row.pop("category_path")
        row["image_url"] = item_image(
            row["item_type"], row["item_number"], row["image_url"], row.pop("origin")
        )
        row.setdefault("color_id", None)
        row.setdefault("score", None)
        row.setdefault("matched", None)
        return row


class SiteRow(serializers.Serializer[None]):
    name = serializers.CharField()
    url = serializers.URLField()


class LotRow(RowSerializer):
    """An item in a colour with its price figures, in the currency of the caller."""

    # The page adds the prices of all its lots with one query.
    computed: tuple[str, ...] = ("lot_id", "reference_price", "bricklinkSyncedAt", "image_url")
    also_select = ("item__image_url", "item__origin")

    id = serializers.IntegerField()
    lot_id = serializers.IntegerField()
    item_id = serializers.IntegerField()
    color_id = serializers.IntegerField()
    item_number = serializers.CharField(source="item.number")
    item_name = serializers.CharField(source="item.name")
    item_type = serializers.ChoiceField(source="item.item_type", choices=ITEM_TYPES)
    color_name = serializers.CharField(source="color.name")
    color_html = serializers.CharField(source="color.rgb", allow_null=True)
    image_url = serializers.CharField(allow_null=True)
    is_known = serializers.BooleanField()
    reference_price = serializers.DecimalField(max_digits=12, decimal_places=4, allow_null=True)
    bricklinkSyncedAt = serializers.DateTimeField(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")
    composite_ssearch = serializers.CharField()

    def finish(self, row: Any) -> Any:
        row["lot_id"] = row["id"]
        row["color_html"] = f"#{row['color_html']}" if row["color_html"] else None
        row["image_url"] = item_image(
            row["item_type"],
            row["item_number"],
            row.pop("item__image_url"),
            row.pop("item__origin"),
            row["color_id"],
        )
        return row


def _price() -> serializers.DecimalField:
    return serializers.DecimalField(max_digits=12, decimal_places=4, allow_null=True)


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


class ColorRow(RowSerializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    color_html = serializers.CharField(source="rgb", allow_null=True)
    color_type = serializers.CharField()
    is_trans = serializers.BooleanField()
    part_count = serializers.IntegerField()

    def finish(self, row: Any) -> Any:
        row["color_html"] = f"#{row['color_html']}" if row["color_html"] else None
        return row


class CategoryRow(RowSerializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    path = serializers.CharField()
    parent_id = serializers.IntegerField(allow_null=True)

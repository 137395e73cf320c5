import datetime as dt
from typing import Annotated, Any, ClassVar, Literal

from django.db import models
from rest_framework import serializers

from apps.catalog.api.repricing import (
    MAX_STEP,
    MAXIMUM,
    NTH_TEXT,
    REGION_TEXT,
    RegionField,
    refuse_contradictions,
)
from apps.catalog.models import Category, Color, Component, Item, Lot, PriceSetting
from apps.catalog.models.choices import ITEM_TYPES
from apps.catalog.models.price import Condition
from apps.catalog.rules.pricing import MOST_LOWEST
from apps.catalog.selectors.faces import ITEM_PICTURE, LOT_PICTURE, item_image, paint
from apps.catalog.selectors.figures import FIGURES
from apps.catalog.selectors.pricing import rule_from
from apps.core.api.fields import Amount, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.money import Money


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

    item_id: int
    category: str
    image_url: str | None
    score: float | None
    matched: str | None
    color_id: Annotated[int | None, "the colour that the search named, or its element"]
    color_text: Annotated[str | None, "words of the search that may mean several of its colours"]
    asked: Annotated[str | None, "the number it answers to, where several were searched"]

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
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


class CommonPartRow(ItemRow):
    """A common part with its known colours, and the lot of each."""

    computed = (*ItemRow.computed, "color_ids", "lot_ids")

    color_ids: list[int]
    lot_ids: Annotated[list[int], "in the order of color_ids"]


class SiteRow(AnswerSerializer):
    name: str
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
        "figures_are_old",
        "image_url",
    )
    also_select = ("item__image_url", "item__origin", "item__face")

    lot_id: int
    color_html = serializers.CharField(source="color.rgb", allow_null=True)
    image_url: str | None
    reference_price: Money | None
    reference_basis: Annotated[Literal["sold", "asked", "none"], "how reference_price was found"]
    suggested_price: Annotated[Money | None, "by the caller's price rule"]
    suggested_basis: Annotated[str, "sold, asked, lowest, or '' without data"]
    bricklinkSyncedAt: dt.datetime | None
    figures_are_old: Annotated[bool, "they are asked for again before they are used"]

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        row["lot_id"] = row["id"]
        paint(row, ITEM_PICTURE)
        return row


class PricedLotRow(LotRow):
    computed = (*LotRow.computed, *FIGURES)

    used_us_avg_sold_price: Money | None
    used_us_avg_inventory_price: Money | None
    used_us_low_price: Money | None
    used_us_sell_through: Money | None
    used_global_avg_sold_price: Money | None
    used_global_avg_inventory_price: Money | None
    used_global_low_price: Money | None
    used_global_sell_through: Money | None
    new_us_avg_sold_price: Money | None
    new_us_avg_inventory_price: Money | None
    new_us_low_price: Money | None
    new_us_sell_through: Money | None
    new_global_avg_sold_price: Money | None
    new_global_avg_inventory_price: Money | None
    new_global_low_price: Money | None
    new_global_sell_through: Money | None


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
    number: str
    name: str
    type = serializers.ChoiceField(choices=ITEM_TYPES)
    img_url: str | None
    replaced_by_number: Annotated[str | None, "the number that the catalogue moved it to"]
    year_released: int | None
    dimensions: str
    is_minifigure_item: bool
    external_sites: list[SiteRow]
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
    image_url: str | None
    is_counterpart: Annotated[bool, "an assembled form of other lines"]

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        paint(row, LOT_PICTURE)
        return row


class ContainingItemRow(ItemRow):
    """An item that another is a part of, and how many of it."""

    computed = (*ItemRow.computed, "quantity")

    quantity: int


class FiguresRow(AnswerSerializer):
    """The figures of a lot in one condition and region, with the samples behind them."""

    condition: Condition
    region: Annotated[str, REGION_TEXT]
    avg_sold_price: Money | None
    avg_inventory_price: Money | None
    low_price: Money | None
    sell_through: Money | None
    sold_lots: Annotated[int | None, "sales in the last six months; null: not asked for yet"]
    sold_quantity: int | None
    stock_lots: int | None
    stock_quantity: int | None
    bricklinkSyncedAt: dt.datetime


class PointRow(AnswerSerializer):
    condition: Condition
    region: Annotated[str, REGION_TEXT]
    day: dt.date
    avg_sold_price: Money | None
    avg_inventory_price: Money | None
    low_price: Money | None


class LotPricesRow(AnswerSerializer):
    """The prices of a lot now and before, in the currency of the caller."""

    lot_id: int
    currency: str
    figures: list[FiguresRow]
    points: list[PointRow]


MOST_PERCENT = 900


class PriceRuleRow(serializers.ModelSerializer[PriceSetting]):
    """How the caller prices lots."""

    serializer_field_mapping: ClassVar[dict[Any, Any]] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.DecimalField: Amount,
    }

    updatedAt = serializers.DateTimeField(source="updated_at", read_only=True, allow_null=True)
    percent = Amount(max_digits=6, decimal_places=2, min_value=-99, max_value=MOST_PERCENT)
    region = RegionField()
    nth = WholeNumber(min_value=1, max_value=MOST_LOWEST, help_text=NTH_TEXT)
    maximum = Amount(**MAXIMUM)
    max_step = Amount(**MAX_STEP)
    is_nightly = YesOrNo(help_text="the stock is re-priced by the rule every night")

    class Meta:
        model = PriceSetting
        fields = (
            "basis",
            "nth",
            "fallback",
            "region",
            "percent",
            "rounding",
            "ending",
            "minimum",
            "maximum",
            "max_step",
            "without_data",
            "is_nightly",
            "low_value",
            "high_value",
            "updatedAt",
        )
        extra_kwargs = {
            name: {"min_value": 0}
            for name in ("rounding", "ending", "minimum", "low_value", "high_value")
        }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        changed = {**vars(self.instance or PriceSetting()), **attrs}
        refuse_contradictions(rule_from(changed), attrs)
        return attrs


class ColorRow(RowSerializer):
    model = Color
    columns = "id name color_type is_trans part_count"

    color_html = serializers.CharField(source="rgb", allow_null=True)

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        rgb = row["color_html"]
        row["color_html"] = f"#{rgb}" if rgb else None
        return row


class CategoryRow(RowSerializer):
    model = Category
    columns = "id name path parent_id"

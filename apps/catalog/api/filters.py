"""How the lists of the catalogue can be narrowed down."""

from typing import Any

import django_filters
from django.db.models import QuerySet

from apps.catalog.models import Category, Color, Item, Lot
from apps.catalog.selectors.naming import ColorsByText
from apps.core.api.filters import FilterSet, IdsFilter, WholeFilter

ITEM_TYPE_CHOICES = Item._meta.get_field("item_type").choices


class ItemNumberFilter(django_filters.CharFilter):
    """An item's own number, whatever its case."""

    def filter(self, qs: QuerySet[Any], value: str) -> Any:
        return super().filter(qs, value.strip().upper())


class ItemFilters(FilterSet):
    own_fields = "item_name=name weight=weight_grams"

    id = IdsFilter(field_name="id")
    item_id = IdsFilter(field_name="id")
    item_type = django_filters.ChoiceFilter(choices=ITEM_TYPE_CHOICES)
    number = ItemNumberFilter(field_name="number_key")
    item_number = ItemNumberFilter(field_name="number_key")
    color_id = WholeFilter(method="in_color", help_text="known in this colour")
    category = django_filters.CharFilter(field_name="category_path", help_text="its whole path")

    def in_color(self, items: Any, _name: str, color_id: Any) -> Any:
        lots = Lot.objects.visible_to(self.request.user).filter(color_id=int(color_id))
        return items.filter(pk__in=lots.values("item_id"))

    class Meta:
        model = Item
        fields: tuple[str, ...] = ()


class LotFilters(FilterSet):
    item = IdsFilter(field_name="item_id")
    item_id = IdsFilter(field_name="item_id")
    id = IdsFilter(field_name="id")
    lot_id = IdsFilter(field_name="id")
    color_id = WholeFilter(field_name="color_id")
    item_number = ItemNumberFilter(field_name="item__number_key")
    item_type = django_filters.ChoiceFilter(field_name="item__item_type", choices=ITEM_TYPE_CHOICES)
    color_name = django_filters.CharFilter(
        method="by_color_name", help_text="a whole name, of any catalogue or usual short form"
    )

    def by_color_name(self, lots: QuerySet[Any], _name: str, value: str) -> Any:
        named = ColorsByText().named(value)
        return lots.none() if named is None else lots.filter(color_id=named)

    class Meta:
        model = Lot
        fields: tuple[str, ...] = ()


class ColorFilters(FilterSet):
    own_fields = "name color_type is_trans part_count"

    id = IdsFilter(field_name="id")
    search = django_filters.CharFilter(field_name="name", lookup_expr="icontains")

    class Meta:
        model = Color
        fields: tuple[str, ...] = ()


class CategoryFilters(FilterSet):
    own_fields = "name path parent_id"

    id = IdsFilter(field_name="id")
    search = django_filters.CharFilter(field_name="path", lookup_expr="icontains")

    class Meta:
        model = Category
        fields: tuple[str, ...] = ()

import django_filters

from apps.catalog.models import Category, Color, Item, Lot


class NumberIn(django_filters.BaseInFilter, django_filters.NumberFilter):
    """Several ids, separated by commas."""


class ItemFilters(django_filters.FilterSet):
    item_type = django_filters.ChoiceFilter(choices=Item._meta.get_field("item_type").choices)
    number = django_filters.CharFilter(field_name="number_key", method="by_number")

    class Meta:
        model = Item
        fields = ("item_type", "number")

    def by_number(self, queryset, name, value):
        return queryset.filter(number_key=value.strip().upper())


class LotFilters(django_filters.FilterSet):
    item = NumberIn(field_name="item_id")
    id = NumberIn(field_name="id")
    color_id = django_filters.NumberFilter(field_name="color_id")

    class Meta:
        model = Lot
        fields = ("item", "id", "color_id")


class ColorFilters(django_filters.FilterSet):
    search = django_filters.CharFilter(field_name="name", lookup_expr="icontains")

    class Meta:
        model = Color
        fields = ("search",)


class CategoryFilters(django_filters.FilterSet):
    search = django_filters.CharFilter(field_name="path", lookup_expr="icontains")

    class Meta:
        model = Category
        fields = ("search",)

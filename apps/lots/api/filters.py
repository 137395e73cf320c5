"""The filters of a list of lots, in stock and in a batch."""

from typing import Any

import django_filters as filters
from django.db.models import Q, QuerySet

from apps.catalog.models.choices import ITEM_TYPES
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.catalog.selectors.naming import ColorsByText
from apps.catalog.selectors.resolving import items_once_numbered
from apps.core.api.filters import (
    AmountFilter,
    BooleanFilter,
    FilterSet,
    IdFilter,
    IdsFilter,
    TimeZoneFilter,
    WholeFilter,
)
from apps.lots.models import LotCondition


class LotFilter(FilterSet):
    """Filters by the lot's fields, from the catalogue or from a file."""

    own_fields = """
        marketplace_lot_id price cost sub_condition comments remarks reserved bulk sale
        tq1 tp1 tq2 tp2 tq3 tp3 retain stockroom status unit_weight_grams marker_text marker_color
        createdAt updatedAt
    """

    id = IdsFilter(field_name="id")
    search = filters.CharFilter(
        method="by_text", help_text="in number, name, colour, comments and remarks"
    )
    item_type = filters.ChoiceFilter(choices=ITEM_TYPES, method="by_type")
    item_number = filters.CharFilter(method="by_number")
    color_id = WholeFilter(method="by_color")
    color = filters.CharFilter(
        method="by_color_name", help_text="a part of the colour's name, or any of its names"
    )
    color_name = filters.CharFilter(method="by_color_name", help_text="the same as color")
    lot = IdFilter(field_name="lot_id")
    lot_id = IdFilter(field_name="lot_id")
    condition = filters.ChoiceFilter(choices=LotCondition.choices)
    is_known = BooleanFilter(field_name="lot", lookup_expr="isnull", exclude=True)
    price_min = AmountFilter(field_name="price", lookup_expr="gte")
    price_max = AmountFilter(field_name="price", lookup_expr="lte")
    time_zone = TimeZoneFilter()

    def by_text(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        for word in value.split()[:8]:
            queryset = queryset.filter(
                Q(lot__composite_ssearch__contains=word.casefold())
                | Q(raw_item_number__icontains=word)
                | Q(raw_item_name__icontains=word)
                | Q(comments__icontains=word)
                | Q(remarks__icontains=word)
                | Q(lot__item__in=items_once_numbered(word))
            )
        return queryset

    def by_type(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        return queryset.filter(
            Q(lot__item__item_type=value) | Q(lot=None, raw_item_type=LETTER_OF_TYPE[value])
        )

    def by_number(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        return queryset.filter(
            Q(lot__item__number_key=value.strip().upper())
            | Q(lot__item__in=items_once_numbered(value))
            | Q(lot=None, raw_item_number__iexact=value.strip())
        )

    def by_color(self, queryset: QuerySet[Any], name: str, value: object) -> Any:
        return queryset.filter(Q(lot__color_id=value) | Q(lot=None, raw_color_id=value))

    def by_color_name(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        named = ColorsByText().named(value)
        return queryset.filter(
            Q(lot__color__name__icontains=value)
            | Q(lot__color_id__in=[] if named is None else [named])
            | Q(lot=None, raw_color_name__icontains=value)
        )

"""What lists of batches and of their items can be narrowed by."""

from typing import Any

import django_filters as filters
from django.db.models import Q, QuerySet

from apps.batches.models import Batch, BatchItem
from apps.batches.rules.states import BatchStatus, ItemState
from apps.batches.selectors import far_from_reference, in_status, worth
from apps.catalog.rules.kinds import LETTER_OF_TYPE, ItemType
from apps.catalog.selectors.pricing import price_setting_of
from apps.core.api.filters import (
    ANY,
    NONE,
    AmountFilter,
    BooleanFilter,
    DayFilter,
    IdFilter,
    IdOrNoneFilter,
    IdsFilter,
    TimeZoneFilter,
    WholeFilter,
)
from apps.lots.models import (
    Condition,
)

STATES = [("all", "all"), *((state.value, state.value) for state in ItemState)]
STATUSES = [(status.value, status.name.lower()) for status in BatchStatus]
PRICES = [(name, name) for name in ("none", "low", "outlier")]
TYPES = [(kind.value, kind.value) for kind in ItemType]


class BatchFilter(filters.FilterSet):
    """Archived batches are left out unless they are asked for."""

    search = filters.CharFilter(method="by_text", help_text="in name and description")
    is_archived = filters.ChoiceFilter(
        choices=[("false", "false"), ("true", "true"), ("all", "all")],
        method="by_archive",
        help_text="false (default), true or all",
    )
    status_id = filters.ChoiceFilter(choices=STATUSES, method="by_status")
    id = IdsFilter(field_name="id")
    name = filters.CharFilter(field_name="name")
    source = IdOrNoneFilter(field_name="source_id")
    source_id = IdFilter(field_name="source_id")
    created_from = DayFilter(field_name="created_at", lookup_expr="from")
    created_to = DayFilter(field_name="created_at", lookup_expr="to")
    time_zone = TimeZoneFilter()
    value_min = AmountFilter(method="by_value")
    value_max = AmountFilter(method="by_value")

    class Meta:
        model = Batch
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: Any) -> Any:
        if not self.form.cleaned_data.get("is_archived"):
            queryset = queryset.filter(is_archived=False)
        return super().filter_queryset(queryset)

    def by_text(self, queryset: QuerySet[Batch], name: str, value: str) -> QuerySet[Batch]:
        for word in value.split():
            queryset = queryset.filter(Q(name__icontains=word) | Q(description__icontains=word))
        return queryset

    def by_archive(self, queryset: QuerySet[Batch], name: str, value: str) -> QuerySet[Batch]:
        return queryset if value == "all" else queryset.filter(is_archived=value == "true")

    def by_status(self, queryset: QuerySet[Batch], name: str, value: str) -> QuerySet[Batch]:
        return in_status(queryset, BatchStatus(int(value)))

    def by_value(self, queryset: QuerySet[Batch], name: str, value: Any) -> QuerySet[Batch]:
        return worth(queryset, **{"least" if name == "value_min" else "most": value})


class ItemFilter(filters.FilterSet):
    """Items of one batch, or of all of them."""

    id = IdsFilter(field_name="id")
    batch = IdFilter(field_name="batch_id")
    batch_id = IdFilter(field_name="batch_id")
    state = filters.ChoiceFilter(choices=STATES, method="by_state")
    search = filters.CharFilter(
        method="by_text", help_text="in number, name, colour, comments and remarks"
    )
    item_type = filters.ChoiceFilter(choices=TYPES, method="by_type")
    color_id = WholeFilter(method="by_color")
    item_number = filters.CharFilter(method="by_number")
    lot = IdFilter(field_name="lot_id")
    lot_id = IdFilter(field_name="lot_id")
    condition = filters.ChoiceFilter(choices=Condition.choices)
    color = filters.CharFilter(method="by_color_name", help_text="a part of the colour's name")
    color_name = filters.CharFilter(method="by_color_name", help_text="the same as color")
    location = IdOrNoneFilter(field_name="location_id", words=(NONE, ANY))
    user_inventory_item_location_id = IdFilter(field_name="location_id")
    is_stowed = BooleanFilter()
    is_stowed_pending = BooleanFilter()
    is_listed = BooleanFilter()
    is_listed_pending = BooleanFilter()
    qty_min = WholeFilter(field_name="quantity", lookup_expr="gte")
    qty_max = WholeFilter(field_name="quantity", lookup_expr="lte")
    price_min = AmountFilter(field_name="price", lookup_expr="gte")
    price_max = AmountFilter(field_name="price", lookup_expr="lte")
    price = filters.ChoiceFilter(
        choices=PRICES,
        method="by_price",
        help_text="none; below what counts as low value; three times off the reference price",
    )
    created_from = DayFilter(field_name="created_at", lookup_expr="from")
    created_to = DayFilter(field_name="created_at", lookup_expr="to")
    time_zone = TimeZoneFilter()
    failed = BooleanFilter(
        method="by_failure", help_text="whether stowing or listing it was refused, last time"
    )
    is_known = BooleanFilter(field_name="lot", lookup_expr="isnull", exclude=True)

    class Meta:
        model = BatchItem
        fields: tuple[str, ...] = ()

    def by_state(self, queryset: Any, name: str, value: str) -> Any:
        return queryset if value == "all" else queryset.in_state(ItemState(value))

    def by_text(self, queryset: Any, name: str, value: str) -> Any:
        for word in value.split()[:8]:
            queryset = queryset.filter(
                Q(lot__composite_ssearch__contains=word.casefold())
                | Q(raw_item_number__icontains=word)
                | Q(raw_item_name__icontains=word)
                | Q(comments__icontains=word)
                | Q(remarks__icontains=word)
            )
        return queryset

    def by_failure(self, queryset: Any, name: str, value: bool) -> Any:
        return queryset.exclude(failure="") if value else queryset.filter(failure="")

    def by_number(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.filter(
            Q(lot__item__number_key=value.strip().upper())
            | Q(lot=None, raw_item_number__iexact=value.strip())
        )

    def by_type(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.filter(
            Q(lot__item__item_type=value) | Q(lot=None, raw_item_type=LETTER_OF_TYPE[value])
        )

    def by_color(self, queryset: Any, name: str, value: Any) -> Any:
        return queryset.filter(Q(lot__color_id=value) | Q(lot=None, raw_color_id=value))

    def by_color_name(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.filter(
            Q(lot__color__name__icontains=value) | Q(lot=None, raw_color_name__icontains=value)
        )

    def by_price(self, queryset: Any, name: str, value: str) -> Any:
        if value == NONE:
            return queryset.filter(price=None)
        if value == "outlier":
            return far_from_reference(queryset)
        low = price_setting_of(user=self.request.user).low_value
        return queryset.filter(price__lt=low)

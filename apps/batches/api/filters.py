"""What lists of batches and of their items can be narrowed by."""

from decimal import Decimal
from typing import Any

import django_filters as filters
from django.db.models import Q, QuerySet

from apps.batches.models import Batch, BatchItem
from apps.batches.rules.states import BatchStatus, ItemState
from apps.batches.selectors import far_from_reference, in_status, worth
from apps.catalog.selectors.pricing import price_setting_of
from apps.core.api.filters import (
    ANY,
    NONE,
    AmountFilter,
    AmountOrWordFilter,
    BooleanFilter,
    DayFilter,
    FilterSet,
    IdFilter,
    IdOrNoneFilter,
    IdsFilter,
    TimeZoneFilter,
    WholeFilter,
)
from apps.lots.api.filters import LotFilter

STATES = [("all", "all"), *((state.value, state.value) for state in ItemState)]
STATUSES = [(status.value, status.name.lower()) for status in BatchStatus]
PRICES = [(name, name) for name in ("none", "low", "outlier")]


class BatchFilter(FilterSet):
    """Archived batches are left out unless they are asked for."""

    own_fields = """
        name description cost_total gross_weight=gross_weight_grams foreign_count
        listing_id=won_listing_id image_url archivedAt createdAt created_at updatedAt
    """

    search = filters.CharFilter(method="by_text", help_text="in name and description")
    is_archived = filters.ChoiceFilter(
        choices=[("false", "false"), ("true", "true"), ("all", "all")],
        method="by_archive",
        help_text="false (default), true or all",
    )
    status_id = filters.ChoiceFilter(choices=STATUSES, method="by_status")
    id = IdsFilter(field_name="id")
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

    def filter_queryset(self, queryset: QuerySet[Any]) -> Any:
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


class ItemFilter(LotFilter):
    """Items of one batch, or of all of them."""

    own_fields = f"""
        {LotFilter.own_fields} qty=quantity user_inventory_item_id=inventory_item_id
        user_inventory_item_location_id=location_id is_stowed is_stowed_pending is_listed
        is_listed_pending is_changed_since_listing stowedAt listedAt failure
    """

    batch = IdFilter(field_name="batch_id")
    batch_id = IdFilter(field_name="batch_id")
    state = filters.ChoiceFilter(choices=STATES, method="by_state")
    location = IdOrNoneFilter(field_name="location_id", words=(NONE, ANY))
    qty_min = WholeFilter(field_name="quantity", lookup_expr="gte")
    qty_max = WholeFilter(field_name="quantity", lookup_expr="lte")
    price = AmountOrWordFilter(
        choices=PRICES,
        method="by_price",
        help_text="this price; none; below what counts as low value; three times off the reference",
    )
    created_from = DayFilter(field_name="created_at", lookup_expr="from")
    created_to = DayFilter(field_name="created_at", lookup_expr="to")
    failed = BooleanFilter(
        method="by_failure", help_text="whether stowing or listing it was refused, last time"
    )

    class Meta:
        model = BatchItem
        fields: tuple[str, ...] = ()

    def by_state(self, queryset: Any, name: str, value: str) -> Any:
        return queryset if value == "all" else queryset.in_state(ItemState(value))

    def by_failure(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        return queryset.exclude(failure="") if value else queryset.filter(failure="")

    def by_price(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        if value == NONE:
            return queryset.filter(price=None)
        if value == "outlier":
            return far_from_reference(queryset)
        if value == "low":
            low = price_setting_of(user=self.request.user).low_value
            return queryset.filter(price__lt=low)
        return queryset.filter(price=Decimal(value))

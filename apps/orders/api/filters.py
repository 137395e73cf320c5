"""How orders can be narrowed down."""

from typing import Any

import django_filters as filters
from django.db.models import QuerySet

from apps.core.api.filters import BooleanFilter, FilterSet, IdsFilter
from apps.core.api.hidden import hides_buyers
from apps.marketplace.providers.known import MARKETPLACES, MarketplaceId
from apps.orders.models import IS_OPEN, Order, OrderOrigin, OrderState
from apps.orders.selectors.orders import in_tray, searched


class OrderFilter(FilterSet):
    id = IdsFilter(field_name="id")
    state = filters.ChoiceFilter(choices=OrderState.choices)
    channel = filters.ChoiceFilter(choices=OrderOrigin.choices)
    marketplace = filters.ChoiceFilter(
        method="by_marketplace", choices=[(one.value, one.value) for one in MarketplaceId]
    )
    is_open = BooleanFilter(
        method="by_open", help_text="not shipped, done, cancelled or, with a problem, filed"
    )
    is_filed = BooleanFilter()
    search = filters.CharFilter(method="by_text", help_text="number, buyer, an item's number")

    tray = filters.CharFilter(method="by_tray", help_text="of a walk, until the order is packed")

    class Meta:
        model = Order
        fields: tuple[str, ...] = ()

    def by_marketplace(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        return queryset.filter(marketplace_order_id__range=MARKETPLACES[value].ids)

    def by_open(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        return queryset.filter(IS_OPEN if value else ~IS_OPEN)

    def by_tray(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        return in_tray(queryset, value)

    def by_text(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        return searched(
            queryset, value, owner=self.request.user, hides_buyers=hides_buyers(self.request)
        )

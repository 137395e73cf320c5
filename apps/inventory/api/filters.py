"""The filters of the list of stock."""

from typing import Any

import django_filters as filters
from django.db.models import QuerySet

from apps.accounts.selectors import currency_of
from apps.core.api.filters import (
    BooleanFilter,
    DayFilter,
    IdFilter,
    IdOrNoneFilter,
    InstantFilter,
    TextFilter,
    WholeFilter,
)
from apps.core.clock import now
from apps.inventory.models import Channel, InventoryItem
from apps.inventory.models.item import ItemQuerySet
from apps.inventory.selectors import unconsolidated
from apps.inventory.selectors.for_sale import is_for_sale
from apps.inventory.selectors.origins import from_batches
from apps.inventory.selectors.prices import far_from_market, with_old_figures
from apps.inventory.services.changes import in_changed_lots
from apps.locations.models import Location
from apps.lots.api.filters import LotFilter


class ItemFilter(LotFilter):
    """Rows at 0 are left out unless they are asked for."""

    own_fields = f"{LotFilter.own_fields} quantity promised price_locked date_added date_last_sold"

    location = IdOrNoneFilter(field_name="location_id")
    location_id = IdFilter(field_name="location_id")
    location_name = filters.CharFilter(
        method="by_location_name", help_text="a part of the location's name"
    )
    batch = IdFilter(method="by_batch", help_text="stowed from this batch")
    batch_id = IdFilter(method="by_batch", help_text="stowed from this batch")
    batch_name = filters.CharFilter(
        method="by_batch_name", help_text="a part of the name of a batch that it was stowed from"
    )
    quantity_min = WholeFilter(field_name="quantity", lookup_expr="gte")
    quantity_max = WholeFilter(field_name="quantity", lookup_expr="lte")
    unpriced = BooleanFilter(method="by_price", help_text="whether there is no price")
    outlier = BooleanFilter(
        method="by_outlier", help_text="true: three times off the reference price"
    )
    stale_price = BooleanFilter(
        method="by_age_of_figures", help_text="true: the market's figures are older than 90 days"
    )
    since_sync = BooleanFilter(
        method="by_sync", help_text="true: not as the marketplace last received it"
    )
    changed_since = InstantFilter(field_name="updated_at", lookup_expr="gte")
    updated_from = DayFilter(field_name="updated_at", lookup_expr="from")
    updated_to = DayFilter(field_name="updated_at", lookup_expr="to")
    show_zero_quantity = BooleanFilter(method="as_is", help_text="false (default) or true")
    listed = filters.ChoiceFilter(
        method="by_listing",
        choices=[(one, one) for one in ("for_sale", "stockroom", "no")],
        help_text="for sale at the marketplace, there in a stockroom, or not listed",
    )
    for_sale_on = TextFilter(
        method="by_channel",
        pattern=r"none|(on|off|differs)-[1-9][0-9]{0,17}",
        help_text="on-3: buyers see it on channel 3; off-3: they do not; differs-3: what that channel "
        "last received differs; none: on no channel",
    )
    unconsolidated = BooleanFilter(
        method="by_spread", help_text="lot and condition lie in more than one place"
    )

    class Meta:
        model = InventoryItem
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: ItemQuerySet) -> Any:
        if not self.form.cleaned_data.get("show_zero_quantity"):
            queryset = queryset.in_stock_listed()
        return super().filter_queryset(queryset)

    def as_is(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        return queryset

    def by_listing(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        if value == "no":
            return queryset.filter(marketplace_lot_id=None)
        listed = queryset.filter(marketplace_lot_id__isnull=False)
        return listed.filter(stockroom="") if value == "for_sale" else listed.exclude(stockroom="")

    def by_channel(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        owner = self.request.user
        kind, _, number = value.partition("-")
        if kind == "none":
            return queryset.filter(~is_for_sale(owner=owner))
        if kind == "differs":
            channel = Channel.objects.owned_by(owner).filter(pk=int(number)).first()
            if channel is None:
                return queryset.none()
            return in_changed_lots(queryset, owner=owner, channel=channel)
        there = is_for_sale(owner=owner, channel_id=int(number))
        return queryset.filter(there if kind == "on" else ~there)

    def by_spread(self, queryset: ItemQuerySet, name: str, value: bool) -> Any:
        return unconsolidated(queryset, owner=self.request.user) if value else queryset

    def by_price(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        return queryset.filter(price__isnull=value)

    def by_outlier(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        if not value:
            return queryset
        return far_from_market(queryset, currency=currency_of(self.request.user))

    def by_age_of_figures(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        if not value:
            return queryset
        return with_old_figures(queryset, currency=currency_of(self.request.user), now=now())

    def by_sync(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        return in_changed_lots(queryset, owner=self.request.user) if value else queryset

    def by_location_name(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        # The owner's locations only, or PostgreSQL reads everybody's.
        mine = Location.objects.owned_by(self.request.user)
        return queryset.filter(location__in=mine.filter(name__icontains=value))

    def by_batch(self, queryset: QuerySet[Any], name: str, value: object) -> Any:
        return from_batches(queryset, owner=self.request.user, pk=value)

    def by_batch_name(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        return from_batches(queryset, owner=self.request.user, name__icontains=value)

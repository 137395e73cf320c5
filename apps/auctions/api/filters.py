"""How the listings can be narrowed down."""

import datetime as dt
from typing import Any

import django_filters as filters
from django.db.models import Q, QuerySet

from apps.auctions.models import AuctionListing
from apps.core.api.filters import (
    AmountFilter,
    BooleanFilter,
    FilterSet,
    IdsFilter,
    InstantFilter,
    WholeFilter,
)
from apps.core.clock import now


class ListingFilter(FilterSet):
    own_fields = """
        origin external_id title description seller image_url listing_url current_price minimum_bid
        buy_it_now_price bid_count end_time is_auction is_pickup_only weight_grams handling_cost
        landed_cost landed_per_kg highest_bidder my_bid max_bid watch outcome note checkedAt created_at
        updated_at updatedAt
    """

    id = IdsFilter(field_name="id")
    has_buy_it_now = BooleanFilter(
        field_name="buy_it_now_price", lookup_expr="isnull", exclude=True
    )
    search = filters.CharFilter(method="by_text", help_text="in title, description, note, place")
    my_bids = BooleanFilter(
        method="by_my_bids", help_text="only those I bid on, by my bid, my highest one or my name"
    )
    show_rejected = BooleanFilter(method="by_rejected", help_text="else they are hidden")
    show_ended = BooleanFilter(method="by_ended", help_text="else they are hidden")
    kind = filters.ChoiceFilter(
        choices=[("auction", ""), ("buy_it_now", "")], method="by_kind", help_text="how it sells"
    )
    ends_within_hours = WholeFilter(
        method="by_end", min_value=1, max_value=8760, help_text="hours from now"
    )
    max_landed = AmountFilter(field_name="landed_cost", lookup_expr="lte")
    max_per_kg = AmountFilter(field_name="landed_per_kg", lookup_expr="lte")
    has_shipping = BooleanFilter(field_name="shipping_cost", lookup_expr="isnull", exclude=True)
    location = filters.CharFilter(field_name="location", lookup_expr="icontains")
    new_since = InstantFilter(
        field_name="created_at", lookup_expr="gte", help_text="first seen here since then"
    )

    class Meta:
        model = AuctionListing
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[Any]) -> Any:
        queryset = super().filter_queryset(queryset)
        asked = self.form.cleaned_data
        if not asked.get("show_rejected") and asked.get("watch") != "rejected":
            queryset = queryset.exclude(watch="rejected")
        if not asked.get("show_ended") and not asked.get("outcome"):
            open_now = Q(end_time=None) | Q(end_time__gt=now())
            queryset = queryset.filter(open_now | Q(outcome="won"))
        return queryset

    def by_text(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        for word in value.split()[:8]:
            queryset = queryset.filter(
                Q(title__icontains=word)
                | Q(description__icontains=word)
                | Q(note__icontains=word)
                | Q(location__icontains=word)
            )
        return queryset

    def by_my_bids(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        if not value:
            return queryset
        mine = Q(my_bid__isnull=False) | Q(max_bid__isnull=False)
        user: Any = getattr(self.request, "user", None)
        if bidder_name := getattr(user, "bidder_name", ""):
            mine |= Q(highest_bidder__iexact=bidder_name)
        return queryset.filter(mine)

    def by_rejected(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        return queryset

    by_ended = by_rejected

    def by_kind(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        if value == "auction":
            return queryset.filter(is_auction=True)
        return queryset.filter(buy_it_now_price__isnull=False)

    def by_end(self, queryset: Any, name: str, value: Any) -> Any:
        return queryset.filter(end_time__lte=now() + dt.timedelta(hours=float(value)))
